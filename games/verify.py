"""The command of the stand-alone verifier: ``python -m games.verify FILE``."""

import sys
from collections.abc import Sequence
from pathlib import Path

from games.verifier import GOOD, UNFINISHED, WRONG, WrongLog, check


class NotText(Exception):
    """A file that can't be read as text; the message says so."""


def lines_of(file: str) -> list[str]:
    """Return the lines of a downloaded file; raise OSError, and NotText where it is not text in UTF-8.

    An editor may have put a mark of the encoding before the first line.
    """
    try:
        return Path(file).read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError:
        raise NotText("The file is not text in UTF-8: it was changed or is damaged.") from None


def main(arguments: Sequence[str]) -> int:
    """Verify the file that the argument names, print the report or the error, and return the exit code."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m games.verify FILE\n")
        return WRONG
    try:
        report = check(lines_of(arguments[0]))
    except (OSError, NotText, WrongLog) as error:
        sys.stderr.write(f"{error}\n")
        return WRONG
    sys.stdout.write(f"{report}\n")
    return GOOD if report.replayed else UNFINISHED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
