"""The command line: ``unframe …`` and ``python -m unframe …``."""

import sys

from ._native import main as _main


def main() -> int:
    """Runs the command line with the arguments of the process."""
    return _main(["unframe", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
