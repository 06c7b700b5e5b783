"""``python -m league.verify FILE``: checks a game's or a competition's file with nothing but Python."""

import sys
from collections.abc import Sequence
from pathlib import Path

from games import verify as games
from games.verifier import WRONG
from league.core import portable
from league.core.portable import WrongFile
from league.core.verifier import check, in_words


def main(arguments: Sequence[str]) -> int:
    """Check the file that the only argument names, say what holds or is wrong; return the exit code.

    A game's own file is handed to `games.verify`.
    """
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m league.verify FILE\n")
        return WRONG
    try:
        lines = Path(arguments[0]).read_text(encoding="utf-8").split("\n")
        if not portable.is_export(lines[0]):
            return games.main(arguments)
        report = check(portable.read(lines))
    except (OSError, UnicodeDecodeError, WrongFile) as error:
        sys.stderr.write(f"{error}\n")
        return WRONG
    sys.stdout.write("\n".join(in_words(report)) + "\n")
    return report.code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
