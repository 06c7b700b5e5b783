"""``python -m league.verify FILE``: checks a game's or a competition's file with nothing but Python."""

import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from games import verify as games
from games.lines import WrongLog, parsed
from games.transparency.merkle import WrongProof
from games.transparency.notes import WrongNote
from games.transparency.proofs import Logged
from games.verifier import WRONG
from league.core import portable
from league.core.portable import WrongFile
from league.core.verifier import check, in_words


def main(arguments: Sequence[str]) -> int:
    """Check the file that an argument names, say what holds or is wrong; return the exit code.

    A game's own file is handed to `games.verify`.
    """
    parser = games.Arguments(
        "python -m league.verify", description="Check the file of a competition or game."
    )
    parser.add_argument("file", help="the exported file")
    parser.add_argument(
        "--beacon", metavar="FILE", help="values of the public beacon from elsewhere, one JSON object a line"
    )
    parser.add_argument(
        "--beside",
        metavar="FILE",
        action="append",
        default=[],
        help="the file of another club from which an evening of a series was brought",
    )
    games.add_head(parser)
    games.add_comparison(parser)
    given = parser.parse_args(arguments)
    try:
        lines = games.lines_of(given.file)
        if given.other or not portable.is_export(lines[0]):
            return games.run(given)
        report, words, proven = _checked(given, lines)
        told = [*words, *proven]
        known = dict(_signatures(given.beacon)) if given.beacon else None
    except (OSError, WrongFile, games.NotText) as error:
        sys.stderr.write(f"{error}\n")
        return WRONG
    except (WrongProof, WrongNote) as error:
        sys.stderr.write(f"{given.head} is wrong: {error}\n")
        return WRONG
    except ValueError as error:  # beyond 4300 digits Python writes no number
        if "digits" not in str(error):
            raise
        sys.stderr.write(f"{given.file}: points add up to a number that is too long to be written\n")
        return WRONG
    wrong = list(_beacon_errors(report, known))
    sys.stdout.write("\n".join([*told, *_beacon_words(report, known), *wrong]) + "\n")
    return WRONG if wrong else report.code


def _checked(given: Namespace, lines: Sequence[str]) -> tuple[Any, Iterable[str], Sequence[str]]:
    """Return the report on a file, its words, and what the proof that was given proves; raise as `main` does.

    What is no competition's file is one of the apps whose ``core.verifier`` says so.
    """
    for path in sorted(Path(__file__).parent.glob("apps/*/core/verifier.py")):
        its: Any = import_module(f"{__package__}.apps.{path.parts[-3]}.core.verifier")
        if its.is_file(lines[0]):
            file = its.read(lines)
            report = its.check(file, map(games.lines_of, given.beside))
            own = Logged(its.KIND, file.log, over=False, id=file.id)
            return report, its.in_words(report), games.of_head(given, own, report.logs)
    file = portable.read(lines)
    report = check(file)
    own = Logged("competition", file.log, report.state.over, file.header.competition)
    return report, in_words(report), games.of_head(given, own)


def _signatures(file: str) -> Iterator[tuple[int, str]]:
    """Yield round and signature of each of the beacon's answers in a file; raise `WrongFile`."""
    for number, line in enumerate(games.lines_of(file), 1):
        try:
            if line.strip():
                row = parsed(number, line)
                yield int(row["round"]), str(row["signature"])
        except (WrongLog, KeyError, TypeError, ValueError):
            raise WrongFile(f"{file}: line {number} is no answer of the beacon") from None


def _beacon_words(report: Any, known: Mapping[int, str] | None) -> Iterator[str]:
    if not report.beacons:
        return
    rounds = ", ".join(map(str, sorted(report.beacons)))
    if known is None:
        yield f"unchecked: the values of the beacon's rounds {rounds}; give them with --beacon FILE"
    else:
        yield f"compared with the file given, signatures unchecked: the beacon's rounds {rounds}"


def _beacon_errors(report: Any, known: Mapping[int, str] | None) -> Iterator[str]:
    for number, signature in sorted(report.beacons.items()):
        if known is not None and known.get(number) != signature:
            yield f"round {number} of the beacon: the file given has another value, or none"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
