"""What explains an entry's points and tie-breaks: tables of another size, and rounds without a result."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from games.engine.messages import Message, Param, both, plural, text
from league.core.records import Line, Rate, Record, total
from league.core.scoring import place_values, win_value
from league.core.standings.tie_breaks import BY_KEY, Accounts
from league.core.standings.tie_breaks.scores import GameScore
from league.core.state.competition import Stage
from league.core.state.plan import Opening


def table_sizes(stage: Stage, rate: Rate) -> Mapping[str | None, int]:
    """Return how many came to each table whose points are scaled, because others have another size."""
    scoring = stage.plan.scoring
    if not scoring.fair or scoring.by == "score":
        return {}
    tables = (table for each in stage.shown_rounds for table in each.tables)
    return {table.id: size for table in tables if (size := rate.parties(len(table.entries))) != rate.size}


def notes(
    accounts: Accounts,
    record: Record,
    keys: Sequence[str],
    sizes: Mapping[str | None, int],
    opening: Opening,
) -> tuple[Message, ...]:
    """Return the notes about an entry's points and its values of these tie-breaks; most entries have none."""
    counted = [line for line in record.lines if line.counts]
    found = [
        *_averaged(record, counted),
        *_agreed(record.lines),
        *_scaled(accounts.rate, counted, sizes, opening),
    ]
    away = [line for line in counted if line.kind != "played"]
    if away or record.voided:
        filled = [key for key in keys if BY_KEY[key].fills_in(accounts, record)]
        found += _filled_in(away, filled)
        found += _voided(record, filled)
    return tuple(found)


# ---- Tables of another size ----------------------------------------------------------------------


def _scaled(
    rate: Rate, counted: Sequence[Line], sizes: Mapping[str | None, int], opening: Opening
) -> Iterator[Message]:
    rounds: dict[int, set[int]] = {}
    for line in counted:
        if line.kind == "played" and line.table in sizes:
            rounds.setdefault(sizes[line.table], set()).add(line.round)
    for size, numbers in sorted(rounds.items()):
        yield text(
            "%(rounds)s, at a table of %(size)s: %(worth)s.",
            rounds=in_rounds(sorted(numbers)),
            size=opening.sized(size),
            worth=_worth(rate, size, opening.sized(rate.size)),
        )


def _worth(rate: Rate, size: int, usual: Param) -> Message:
    if rate.scoring.by == "win":
        return text("a win earned %(points)s instead of 1", points=str(win_value(rate, size)))
    return text(
        "places earned %(points)s, so that first and last place are worth as much as at a table of %(usual)s",
        points=both([str(value) for value in place_values(rate, size)]),
        usual=usual,
    )


def _averaged(record: Record, counted: Sequence[Line]) -> Iterator[Message]:
    """Yield how an average came about, if points are averages."""
    if record.average and counted:
        yield plural(
            "%(points)s from %(count)d table, divided by %(least)d.",
            "%(points)s from %(count)d tables, divided by %(least)d.",
            len(counted),
            points=str(total([line.points for line in counted])),
            least=record.divisor,
        )


# ---- What was agreed -----------------------------------------------------------------------------


def _agreed(lines: Sequence[Line]) -> Iterator[Message]:
    """Yield the points of byes on request and of rounds before a late entry, also of those left out."""
    late = [line for line in lines if line.kind == "late"]
    if late:
        yield text("Late entry (%(points)s).", points=_added(late))
    asked = [line for line in lines if line.kind == "requested"]
    if asked:
        yield text(
            "%(rounds)s: bye on request (%(points)s).",
            rounds=in_rounds([line.round for line in asked]),
            points=_added(asked),
        )


def _added(lines: Sequence[Line]) -> str:
    return " + ".join(str(line.points) for line in lines)


# ---- Rounds without a result ---------------------------------------------------------------------


def _filled_in(away: Sequence[Line], keys: Sequence[str]) -> Iterator[Message]:
    names = [Message(BY_KEY[key].title, {}) for key in keys]
    if not names:
        return
    rounds: dict[Fraction, list[int]] = {}
    for line in away:
        rounds.setdefault(line.points, []).append(line.round)
    for points, numbers in rounds.items():
        yield text(
            "%(rounds)s, without a result: for %(names)s it counts as results of others do on average that "
            "earned as many points (%(points)s).",
            rounds=in_rounds(sorted({*numbers})),
            names=both(names),
            points=str(points),
        )


def _voided(record: Record, keys: Sequence[str]) -> Iterator[Message]:
    names = [Message(BY_KEY[key].title, {}) for key in keys if key != GameScore.key]
    if not (record.voided and names):
        return
    rounds = in_rounds(sorted({line.round for line in record.voided}))
    if record.played:
        yield text(
            "%(rounds)s, void: for %(names)s it counts as the average of the entry’s own results.",
            rounds=rounds,
            names=both(names),
        )
    else:
        yield text(
            "%(rounds)s, void: for %(names)s it counts as the average of all results.",
            rounds=rounds,
            names=both(names),
        )


def in_rounds(numbers: Sequence[int]) -> Message:
    """Return "Round 1" or "Rounds 1 and 3"."""
    listed = both([str(number) for number in numbers])
    return plural("Round %(listed)s", "Rounds %(listed)s", len(numbers), listed=listed)
