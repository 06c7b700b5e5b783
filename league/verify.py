"""``python -m league.verify FILE``: checks a game's or a competition's file with nothing but Python."""

import sys
from collections.abc import Iterator, Mapping, Sequence

from games import verify as games
from games.lines import WrongLog, parsed
from games.transparency.merkle import WrongProof
from games.transparency.notes import WrongNote
from games.verifier import WRONG
from league.core import portable
from league.core.portable import WrongFile
from league.core.verifier import Report, check, in_words


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
    games.add_head(parser)
    games.add_comparison(parser)
    given = parser.parse_args(arguments)
    try:
        lines = games.lines_of(given.file)
        if given.other or not portable.is_export(lines[0]):
            return games.run(given)
        file = portable.read(lines)
        report = check(file)
        over, log = report.state.over, file.header.competition
        proven = games.of_head(given, "competition", file.log, over=over, log=log)
        known = dict(_signatures(given.beacon)) if given.beacon else None
    except (OSError, WrongFile, games.NotText) as error:
        sys.stderr.write(f"{error}\n")
        return WRONG
    except (WrongProof, WrongNote) as error:
        sys.stderr.write(f"{given.head} is wrong: {error}\n")
        return WRONG
    wrong = list(_beacon_errors(report, known))
    sys.stdout.write("\n".join([*in_words(report), *_beacon_words(report, known), *proven, *wrong]) + "\n")
    return WRONG if wrong else report.code


def _signatures(file: str) -> Iterator[tuple[int, str]]:
    """Yield round and signature of each of the beacon's answers in a file; raise `WrongFile`."""
    for number, line in enumerate(games.lines_of(file), 1):
        try:
            if line.strip():
                row = parsed(number, line)
                yield int(row["round"]), str(row["signature"])
        except (WrongLog, KeyError, TypeError, ValueError):
            raise WrongFile(f"{file}: line {number} is no answer of the beacon") from None


def _beacon_words(report: Report, known: Mapping[int, str] | None) -> Iterator[str]:
    if not report.beacons:
        return
    rounds = ", ".join(map(str, sorted(report.beacons)))
    if known is None:
        yield f"unchecked: the values of the beacon's rounds {rounds}; give them with --beacon FILE"
    else:
        yield f"compared with the file given, signatures unchecked: the beacon's rounds {rounds}"


def _beacon_errors(report: Report, known: Mapping[int, str] | None) -> Iterator[str]:
    for number, signature in sorted(report.beacons.items()):
        if known is not None and known.get(number) != signature:
            yield f"round {number} of the beacon: the file given has another value, or none"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
