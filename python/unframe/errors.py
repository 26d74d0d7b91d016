"""The exceptions of unframe. All of them are :class:`Error`; each message says what to do."""

__all__ = [
    "ArgumentError",
    "ClosedError",
    "Error",
    "ForkedError",
    "InputError",
    "InputNotFoundError",
    "SelectorError",
    "StateDamagedError",
    "StateError",
    "StateInUseError",
    "StateNotFoundError",
    "StateVersionError",
]


class Error(Exception):
    """Something went wrong in unframe."""


class ArgumentError(Error, ValueError):
    """An argument has a wrong value."""


class SelectorError(ArgumentError):
    """A CSS selector is not understood."""


class ClosedError(Error, ValueError):
    """The site or crawl was closed."""


class ForkedError(Error, RuntimeError):
    """The object belongs to the parent process."""


class InputError(Error):
    """An input cannot be read at all."""


class InputNotFoundError(InputError, FileNotFoundError):
    """A path does not exist, or a pattern matches nothing."""


class StateError(Error):
    """A state file cannot be read or written."""


class StateNotFoundError(StateError, FileNotFoundError):
    """A state, or the folder of a new one, does not exist."""


class StateInUseError(StateError):
    """Another process uses the state."""


class StateVersionError(StateError):
    """The state was learned by another version, or with other parameters."""


class StateDamagedError(StateError):
    """The file is no state, or it is damaged."""
