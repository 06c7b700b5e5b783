"""The only door to the competition log: open, append, read, state at a seq, verify, export."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.engine import chain
from games.engine.jsontypes import JsonObject
from games.engine.refusals import Illegal, Malformed, Stale
from games.latest import Latest
from league import verify
from league.competition import events, fold
from league.competition.state import Competition as State
from league.models import Competition, Event

Command: TypeAlias = Callable[[State], Sequence[events.Event]]
"""What a caller wants, as events that follow from the state it finds; it refuses by raising."""

_MOST_ATTEMPTS: Final = 100


@dataclass(frozen=True)
class Author:
    """Who writes an entry: a role, and the id of the account behind it."""

    role: Event.Role
    account: str | None = None


SYSTEM: Final = Author(Event.Role.SYSTEM)


@dataclass(frozen=True)
class Appended:
    """The answer to an append: the competition, what was written (or stood already), the states around it."""

    competition: Competition
    events: tuple[events.Event, ...]
    before: State | None
    state: State
    created: bool


# ---- Open and append -----------------------------------------------------------------------------


def open_competition(*, club: UUID, slug: str, opening: events.Opened, author: Author) -> Appended:
    """Write a competition's opening; raises `Illegal`, and IntegrityError where the slug is taken."""
    state = fold.begin(opening)
    competition = Competition(club_id=club, slug=slug)
    entry = _entry(competition, author, events.write(opening))
    competition.opened_at = entry.at
    with transaction.atomic():
        competition.save(force_insert=True)
        entry.save(force_insert=True)
        _LATEST.keep(competition, state)
    return Appended(competition, (opening,), None, state, created=True)


def append(*, competition_id: UUID, author: Author, command: Command, seq: int | None = None) -> Appended:
    """Append the events of a command at the expected ``seq``, or without one wherever the log stands.

    The same author and events at a seq that is taken by just those are answered as before and write nothing,
    as does a command that has no events. Raises `Stale`, Competition.DoesNotExist, `Malformed` for an event
    that does not keep its declared shape, and what the command raises; then nothing has changed.
    """
    for _ in range(_MOST_ATTEMPTS):
        try:
            with transaction.atomic():
                return _append(competition_id, author, command, seq)
        except IntegrityError:
            # Another writer was first at this seq; the command is judged again by what it wrote.
            continue
    raise Stale(Competition.objects.get(pk=competition_id).seq + 1, "competition")


def _append(competition_id: UUID, author: Author, command: Command, seq: int | None) -> Appended:
    competition = Competition.objects.get(pk=competition_id)
    if seq is not None and seq != competition.seq + 1:
        return _repeated(competition, author, command, seq)
    before = state = latest(competition)
    wanted = tuple(command(before))
    if not wanted:
        return Appended(competition, (), before, before, created=False)
    entries = []
    for event in wanted:
        written = events.write(event)
        state = fold.apply(state, events.read(written))
        entries.append(_entry(competition, author, written))
    Event.objects.bulk_create(entries)
    competition.save(update_fields=["seq", "head", "changed_at"])
    _LATEST.keep(competition, state)
    return Appended(competition, wanted, before, state, created=True)


def _repeated(competition: Competition, author: Author, command: Command, seq: int) -> Appended:
    """Return the answer to a retry; raise `Stale` for anything else at a seq that isn't next."""
    stale = Stale(competition.seq + 1, "competition")
    if not 1 < seq <= competition.seq:
        raise stale
    try:
        wanted = tuple(command(state_at(competition, seq - 1)))
    except (Illegal, Malformed):
        raise stale from None
    asked = [(author.role, author.account, events.write(event)) for event in wanted]
    stand = Event.objects.filter(competition=competition, seq__gte=seq).order_by("seq")[: len(wanted)]
    if asked != [(entry.role, entry.account, entry.event) for entry in stand]:
        raise stale
    state = latest(competition)
    return Appended(competition, wanted, state, state, created=False)


def _entry(competition: Competition, author: Author, event: JsonObject) -> Event:
    """Return the next entry of the chain and move the competition's head on to it."""
    entry = Event(
        competition=competition,
        seq=competition.seq + 1,
        role=author.role,
        account=author.account,
        event=event,
        at=timezone.now(),
    )
    entry.hash = chain.link(competition.head or chain.ORIGIN, entry.as_json())
    competition.seq, competition.head, competition.changed_at = entry.seq, entry.hash, entry.at
    return entry


# ---- Read ----------------------------------------------------------------------------------------

_LATEST: Final[Latest[State]] = Latest(200)


def latest(competition: Competition) -> State:
    """Return the state at the competition's head, as a rule without reading its log."""
    kept = _LATEST.of(competition)
    if kept and kept[:2] == (competition.seq, competition.head):
        return kept[2]
    state = _brought_forward(competition, *kept) if kept and kept[0] < competition.seq else None
    state = state or state_at(competition, competition.seq)
    _LATEST.keep(competition, state)
    return state


def _brought_forward(competition: Competition, seq: int, head: str, state: State) -> State | None:
    """Return a kept state with the entries since, or None where the log never held it."""
    anchor, *later = entries(competition, after=seq - 1, until=competition.seq)
    if anchor.hash != head:
        return None
    for entry in later:
        state = fold.apply(state, events.read(entry.event))
    return state


def state_at(competition: Competition, seq: int) -> State:
    """Return the state after entry ``seq``, folded from the opening; raises Event.DoesNotExist."""
    told = entries(competition, until=seq)
    if len(told) != seq or not told:
        raise Event.DoesNotExist
    return fold.fold(events.read(entry.event) for entry in told)


def entries(competition: Competition, after: int = 0, until: int | None = None) -> Sequence[Event]:
    """Return the log's entries after ``after``, up to ``until`` where given, in order."""
    told = Event.objects.filter(competition=competition, seq__gt=after).order_by("seq")
    return list(told if until is None else told.filter(seq__lte=until))


def public(told: QuerySet[Event], competition: Competition) -> QuerySet[Event]:
    """Return of a competition's entries those that everybody may read.

    From the draw of a round on that is not published yet, the log is the organisers'. What was written after
    the competition was read is left out: it may be such a draw.
    """
    return told.filter(seq__lt=competition.withheld_from or competition.seq + 1)


def public_entries(competition: Competition) -> Sequence[Event]:
    """Return the log's public entries, in order."""
    return list(public(Event.objects.filter(competition=competition).order_by("seq"), competition))


# ---- Verify and export ---------------------------------------------------------------------------


def lines(competition: Competition, *, withheld: bool = False) -> Iterator[str]:
    """Yield the public log as JSON Lines, an entry a line (docs/log.md); with ``withheld`` all of it."""
    told = Event.objects.filter(competition=competition).order_by("seq")
    for entry in (told if withheld else public(told, competition)).iterator():
        yield line(entry)


def line(entry: Event) -> str:
    """Return an entry as it stands in a file."""
    return json.dumps({**entry.as_json(), "hash": entry.hash}, ensure_ascii=False)


def verified(competition: Competition) -> State:
    """Return the state that the log folds to; raise `games.verify.WrongLog` at the first wrong entry.

    Checks what `league.verify` checks of the log alone, but for what chance gave.
    """
    *_, last = verify.steps(as_file(competition))
    return last.after


def as_file(competition: Competition) -> Sequence[JsonObject]:
    """Return all entries as they stand in a file."""
    return [{**entry.as_json(), "hash": entry.hash} for entry in entries(competition)]
