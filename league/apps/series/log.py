"""The only door to the logs of series: open, append, read, state at a number, verify."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, TypeAlias
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from games import database_time
from games.engine import chain
from games.engine.jsontypes import JsonObject
from games.engine.refusals import Illegal, Malformed, Stale
from games.latest import Latest
from league.apps.series.core import events, verifier
from league.apps.series.core.events import Event, Opened
from league.apps.series.core.state import Series as State
from league.apps.series.models import Series, SeriesEvent
from league.log import Author

Command: TypeAlias = Callable[[State, datetime], Sequence[Event]]
"""Returns the events that a caller wants to append to a state at a time; refuses by raising."""


@dataclass(frozen=True)
class Appended:
    """The answer to an append: the series, its events (new or repeated), the states around them."""

    series: Series
    events: tuple[Event, ...]
    before: State | None
    state: State
    created: bool


# ---- Open and append -----------------------------------------------------------------------------


@transaction.atomic
def open_series(*, club: UUID, slug: str, opening: Opened, author: Author, gathers: bool) -> Appended:
    """Write a series' opening; raises `Illegal`, and IntegrityError where the club has such an address."""
    entering = events.read(events.write(opening))
    state, at = entering.begin(), database_time.asked()
    series = Series(club_id=club, slug=slug, gathers=gathers, opened_at=at, changed_at=at)
    _follow(series, state)
    series.save(force_insert=True)
    _write(series, author, [events.write(entering)], at)
    return Appended(series, (entering,), None, state, created=True)


# Writers wait for each other: each decides on the state that the one before leaves. The date is the
# database's own, asked for while they wait, so that nothing is left to check.
@transaction.atomic
def append(*, series_id: UUID, author: Author, command: Command, seq: int | None = None) -> Appended:
    """Append a command's events, at the expected ``seq`` or at the log's end; return them.

    The same author and events at a number that holds just those are answered as before and write nothing; so
    is a command without events. Raises `Stale`, Series.DoesNotExist, `Malformed` for an event that does not
    have its declared shape, and what the command raises; then nothing has changed.
    """
    series = Series.objects.select_for_update(of=("self",), no_key=True).get(pk=series_id)
    if seq is not None and seq != series.seq + 1:
        return _repeated(series, author, command, seq)
    before, at = latest(series), max(database_time.asked(), series.changed_at)
    changes = list(events.changes(before, command(before, at)))
    if not changes:
        return Appended(series, (), before, before, created=False)
    state = changes[-1].after
    _follow(series, state)
    _write(series, author, [each.written for each in changes], at)
    return Appended(series, tuple(each.event for each in changes), before, state, created=True)


def _repeated(series: Series, author: Author, command: Command, seq: int) -> Appended:
    """Return the answer to a retry; raise `Stale` for anything else at a number that isn't next."""
    stale = Stale(series.seq + 1, "series", sent=seq)
    if not 1 < seq <= series.seq:
        raise stale
    try:
        before, written = state_at(series, seq - 1), entries(series, after=seq - 1)
        changes = list(events.changes(before, command(before, written[0].at)))
    except (Illegal, Malformed):
        raise stale from None
    sent = [(author.role, author.account, each.written) for each in changes]
    if not sent or sent != [(each.role, each.account, each.event) for each in written[: len(sent)]]:
        raise stale
    state = latest(series)
    return Appended(series, tuple(each.event for each in changes), state, state, created=False)


def _follow(series: Series, state: State) -> None:
    series.name, series.closed = state.name, state.closed


def _write(series: Series, author: Author, written: Sequence[JsonObject], at: datetime) -> None:
    """Write entries of one date, and the head of a locked series that they lead to."""
    rows: list[SeriesEvent] = []
    for event in written:
        row = SeriesEvent(
            series=series, seq=series.seq + 1, role=author.role, account=author.account, event=event, at=at
        )
        row.hash = chain.link(series.head or chain.ORIGIN, row.as_json())
        series.seq, series.head, series.changed_at = row.seq, row.hash, at
        rows.append(row)
    SeriesEvent.objects.bulk_create(rows)
    series.save(update_fields=["seq", "head", "changed_at", "name", "closed"])


# ---- Read ----------------------------------------------------------------------------------------

_LATEST: Final = lru_cache(maxsize=50)(Latest[State])


def latest(series: Series) -> State:
    """Return the state at the series' head, as a rule without reading its log."""
    kept = _LATEST(series.pk).kept
    if kept and kept[:2] == (series.seq, series.head):
        return kept[2]
    state = state_at(series, series.seq)
    _LATEST(series.pk).kept = series.seq, series.head, state
    return state


def state_at(series: Series, seq: int) -> State:
    """Return the state after entry ``seq``; raises SeriesEvent.DoesNotExist."""
    history = entries(series, until=seq)
    if len(history) != seq or not history:
        raise SeriesEvent.DoesNotExist
    return events.fold(events.read(entry.event) for entry in history)


def entries(series: Series, after: int = 0, until: int | None = None) -> Sequence[SeriesEvent]:
    """Return the log's entries after ``after``, up to ``until`` where given, in order."""
    later = SeriesEvent.objects.filter(series=series, seq__gt=after).order_by("seq")
    return list(later if until is None else later.filter(seq__lte=until))


def all_rows() -> QuerySet[SeriesEvent]:
    """Return the rows of the logs of all series."""
    return SeriesEvent.objects.all()


def as_file(series: Series) -> Sequence[Mapping[str, Any]]:
    """Return all entries as the JSON of a file."""
    return [{**entry.as_json(), "hash": entry.hash} for entry in entries(series)]


def verified(series: Series) -> tuple[Sequence[Mapping[str, Any]], State]:
    """Return all entries and the state after them; raise `games.lines.WrongLog` at the first wrong entry."""
    written = as_file(series)
    return written, verifier.folded(written)
