"""A competition's listings: standings, results, entries, log."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

from django.db.models import QuerySet

from league.choices import published_outcome
from league.core.state.entries import JOIN
from league.files.exports.listing import Column, Listing, Value
from league.models import Competition, Entry, Round, Stage, Table
from league.queries.competitions import entries_of, stages_of
from league.queries.events import events_of, reasons_of_decisions, with_names_then
from league.queries.rounds import rounds_of
from league.queries.standings import Standing, standings_of
from league.words.event_text import event_lines
from league.words.messages import shown_name

_AFTER_TIE_BREAKS: Final = (
    *("decided_by", "movement", "best_rank", "worst_rank", "to_come", "corrected"),
    *("next_group", "next_why", "by_lot", "withdrawn", "expelled", "away", "never_came"),
)
_RESULTS: Final = (
    *("stage", "round", "group", "table", "board", "status", "seat", "entry", "player"),
    *("rank", "score", "outcome", "ruled", "reason"),
)
_WHEN: Final[Sequence[Column]] = (("entry", "event.seq"), ("at", "event.at"), ("role", "event.role"))
_WHAT: Final[Sequence[Column]] = (("kind", lambda line: line.event.event["type"]), ("what", "sentence"))


def begun(competition: Competition) -> QuerySet[Stage]:
    """Return the stages that have begun; the first one before it has."""
    return stages_of(competition).filter(number__lte=max(1, competition.stage))


def standings(competition: Competition, stage: Stage, after: int | None = None) -> Listing:
    """Return the standings of a stage, so far or after a round, with a column for each tie-break."""
    rows = list(standings_of(stage, after=after))
    tie_breaks = stage.plan.get("tie_breaks", ())
    columns = ("group", "rank", "entry", "played", "points", *tie_breaks, *_AFTER_TIE_BREAKS)
    cells = tuple(_standing(row, tie_breaks, stage) for row in rows)
    return Listing(f"standings-{stage.number}", columns, cells, competition.club.zone)


def _standing(row: Standing, tie_breaks: Sequence[str], stage: Stage) -> tuple[Value, ...]:
    values = (_exact(row.tiebreaks[name]) for name in tie_breaks)
    own = (row.group, row.rank, shown_name(row.entry.name), row.played, Fraction(row.points))
    reach = (row.best_rank, row.worst_rank, row.to_come, stage.corrected)
    following = (row.next_group, row.next_why)
    return (
        *own,
        *values,
        row.decided_by,
        row.movement,
        *reach,
        *following,
        row.by_lot,
        row.withdrawn,
        row.expelled,
        row.away,
        row.never_came,
    )


def _exact(text: str | None) -> Value:
    """Return a tie-break's value as a number, or as text where it is a list."""
    try:
        return None if text is None else Fraction(text)
    except ValueError:
        return text


def results(competition: Competition, *, drawn: bool = False) -> Listing:
    """Return a row for each seat of each table and for each bye, in the order of play.

    Unpublished rounds are listed only with ``drawn``.
    """
    rounds = with_names_then(competition, rounds_of(competition, drawn=drawn).reverse())
    reasons = reasons_of_decisions(competition, withheld=drawn)
    rows = tuple(row for each in rounds for row in _round(each, reasons))
    return Listing("results", _RESULTS, rows, competition.club.zone)


def _round(round_: Round, reasons: Mapping[tuple[str, str], str]) -> Iterator[tuple[Value, ...]]:
    numbers = (round_.stage.name, round_.number)
    for table in round_.tables.all():
        for row in _seats(table, reasons):
            yield (*numbers, *row)
    for bye in round_.byes.all():
        yield (*numbers, None, None, None, "bye", None, shown_name(bye.entry.name), *(None,) * 4, False, "")


def _seats(table: Table, reasons: Mapping[tuple[str, str], str]) -> Iterator[tuple[Value, ...]]:
    which = (table.group, table.number, table.board, table.status)
    of_all = "walked_over" if table.status == Table.Status.WALKOVER else "ruled" if table.ruled else ""
    why = table.void_reason or reasons.get((str(table.pk), of_all), "")
    for seat in table.seats.all():
        who = (seat.number + 1, shown_name(seat.entry.name), shown_name(seat.player.name))
        said = reasons.get((str(table.pk), str(seat.entry_id))) if seat.outcome else ""
        own = seat.outcome_in_words if seat.outcome == seat.Outcome.LATE else said
        outcome = published_outcome(seat.outcome)
        yield (*which, *who, seat.rank, seat.score, outcome, table.ruled, own or why)


def entries(competition: Competition) -> Listing:
    """Return the entries in the order of entering, the players of each in one cell."""
    entry: Column = ("entry", lambda row: shown_name(row.name))
    more = ("affiliation", "status", "checked_in", "withdrawn_from", "expelled")
    columns = ("number", entry, ("players", _players), *more)
    return Listing.of("entries", entries_of(competition), columns, competition.club.zone)


def _players(entry: Entry) -> str:
    return JOIN.join(shown_name(each.player.name) for each in entry.members.all())


def public_log(competition: Competition) -> Listing:
    """Return the public events of the competition as text."""
    return _log(competition, (*_WHEN, *_WHAT), withheld=False)


def log(competition: Competition) -> Listing:
    """Return all events as text, for organisers: with accounts, and with unpublished draws."""
    return _log(competition, (*_WHEN, "account", *_WHAT), withheld=True)


def _log(competition: Competition, columns: Sequence[Column], *, withheld: bool) -> Listing:
    lines = event_lines(list(events_of(competition, withheld=withheld).order_by("seq")))
    return Listing.of("log", lines, columns, competition.club.zone)
