"""The command line: ``unframe …`` and ``python -m unframe …``."""

import signal
import sys

from ._native import main as _main


def main() -> int:
    """Runs the command line with the arguments of the process."""
    # Python's own handler would only set a flag that nobody looks at.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _main(["unframe", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
