"""The command of the stand-alone verifier: ``python -m games.verify FILE``."""

import sys
from collections.abc import Sequence
from pathlib import Path

from games.verifier import GOOD, UNFINISHED, WRONG, WrongLog, check


def main(arguments: Sequence[str]) -> int:
    """Verify the file that the argument names, print the report or the error, and return the exit code."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m games.verify FILE\n")
        return WRONG
    try:
        text = Path(arguments[0]).read_text(encoding="utf-8")
        report = check(text.split("\n"))
    except (OSError, UnicodeDecodeError, WrongLog) as error:
        sys.stderr.write(f"{error}\n")
        return WRONG
    sys.stdout.write(f"{report}\n")
    return GOOD if report.replayed else UNFINISHED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
