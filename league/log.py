"""The only door to the competition log: open, append, read, state at a seq, verify, export."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache, partial
from typing import Any, Final, TypeAlias
from uuid import UUID

from django.db import OperationalError, transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Coalesce

from games import database_time
from games.engine import chain
from games.engine.chain import stamp
from games.engine.jsontypes import JsonObject
from games.engine.refusals import Illegal, Malformed, Stale
from games.engine.values import replace
from games.latest import Latest
from games.prepared import one_row
from league.choices import EventRole
from league.core import entering, events, verifier
from league.core.commitment import Tree
from league.core.public_names import hidden_in
from league.core.state.competition import Competition as State
from league.core.state.entries import Entries
from league.core.verbs.start import Opened
from league.models import Club, Competition, Player
from league.models.events import DrawSecret, Event
from league.models.readers import in_words

Command: TypeAlias = Callable[[State, datetime], Sequence[events.Event]]
"""Returns the events that a caller wants to append to a state at a time; refuses by raising."""


@dataclass(frozen=True)
class Author:
    """Who writes an entry: a role, and the id of the account behind it."""

    role: EventRole
    account: str | None = None


SYSTEM: Final = Author(EventRole.SYSTEM)


@dataclass(frozen=True)
class Appended:
    """The answer to an append: the competition, its events (new or repeated), the states around them."""

    competition: Competition
    events: tuple[events.Event, ...]
    before: State | None
    state: State
    created: bool


# ---- Open and append -----------------------------------------------------------------------------


def open_competition(*, club: UUID, slug: str, opening: Opened, author: Author, tree: Tree) -> Appended:
    """Write a competition's opening, and keep the secret of its draws, to which the opening commits.

    Raises `Illegal`, and IntegrityError where the slug is taken.
    """
    return _twice(partial(_open, club, slug, opening, author, tree))


@transaction.atomic
def _open(club: UUID, slug: str, opening: Opened, author: Author, tree: Tree) -> Appended:
    state = opening.begin()
    competition = Competition(club_id=club, slug=slug)
    decided = _Moment(competition)
    competition.opened_at = competition.changed_at = competition.shown_at = decided.at
    competition.shown_seq = 1
    competition.save(force_insert=True)
    _write(competition, [_entry(competition, author, events.write(opening), decided.at)], decided)
    keep_secret(competition.pk, tree)
    _keep(competition, state)
    return Appended(competition, (opening,), None, state, created=True)


def append(*, competition_id: UUID, author: Author, command: Command, seq: int | None = None) -> Appended:
    """Append a command's events, at the expected ``seq`` or at the log's end; return them.

    The same author and events at a seq that holds just those are answered as before and write nothing; so is
    a command without events. The command is called once more where this host's clock was wrong. Raises
    `Stale`, Competition.DoesNotExist, `Malformed` for an event that does not have its declared shape, and
    what the command raises; then nothing has changed.
    """
    return _twice(partial(_append, competition_id, author, command, seq))


def _twice(write: Callable[[], Appended]) -> Appended:
    """Return what is written; a second try has the clock that the first was refused by."""
    with suppress(_NotDated):
        return write()
    with suppress(_NotDated):
        return write()
    raise OperationalError("The entry could not be dated.")


# Writers wait for each other: each decides on the state that the one before leaves. The lock lasts to the end
# of the outermost transaction.
@transaction.atomic
def _append(competition_id: UUID, author: Author, command: Command, seq: int | None) -> Appended:
    locked = Competition.objects.select_for_update(of=("self",), no_key=True)
    competition = locked.select_related("club").get(pk=competition_id)
    if seq is not None and seq != competition.seq + 1:
        return _repeated(competition, author, command, seq)
    before, decided = latest(competition), _Moment(competition)
    changes = list(events.changes(before, command(before, decided.at)))
    if not changes:
        return Appended(competition, (), before, before, created=False)
    state = _named(changes[-1].after, before)
    entries = [_entry(competition, author, each.written, decided.at) for each in changes]
    if state.shown > before.seq:
        competition.shown_seq, competition.shown_at = state.shown, decided.at
    _write(competition, entries, decided)
    _keep(competition, state)
    return Appended(competition, tuple(each.event for each in changes), before, state, created=True)


def _repeated(competition: Competition, author: Author, command: Command, seq: int) -> Appended:
    """Return the answer to a retry; raise `Stale` for anything else at a seq that isn't next."""
    stale = Stale(competition.seq + 1, "competition", sent=seq)
    if not 1 < seq <= competition.seq:
        raise stale
    try:
        before, at = state_at(competition, seq - 1), times(competition, [seq])[seq]
        changes = list(events.changes(before, command(before, at)))
    except (Illegal, Malformed):
        raise stale from None
    sent = [(author.role, author.account, each.written) for each in changes]
    written = Event.objects.filter(competition=competition, seq__gte=seq).order_by("seq")[: len(sent)]
    if sent != [(entry.role, entry.account, entry.event) for entry in written]:
        raise stale
    state = latest(competition)
    return Appended(competition, tuple(each.event for each in changes), state, state, created=False)


def _entry(competition: Competition, author: Author, event: JsonObject, at: datetime) -> Event:
    """Return the next entry of the chain, and set the competition's head to it."""
    entry = Event(
        competition=competition,
        seq=competition.seq + 1,
        role=author.role,
        account=author.account,
        event=event,
        at=at,
    )
    entry.hash = chain.link(competition.head or chain.ORIGIN, entry.as_json())
    competition.seq, competition.head, competition.changed_at = entry.seq, entry.hash, entry.at
    return entry


def restore(competition: Competition, entries: Iterable[Mapping[str, Any]]) -> None:
    """Write the entries of a file that was verified, exactly as they are, for a competition without any."""
    Event.objects.bulk_create(
        Event(competition=competition, **{**entry, "at": datetime.fromisoformat(entry["at"])})
        for entry in entries
    )


# ---- The statement -------------------------------------------------------------------------------

_EARLIEST, _LATEST_DATE = database_time.since_decided("{clock}")
_LAST: Final = "CASE WHEN seq > 0 THEN changed_at END"
# The date is that of the moment when the decision began: the entries were decided on then, and deadlines were
# judged. So it may be older than the database's time by what the decision took, which is no matter of clocks.
_APPEND: Final = f"""
WITH head AS (
    UPDATE league_competition SET (seq, head, changed_at, shown_seq, shown_at) = ROW(
        %(last)s::text::integer, %(head)s::text, %(at)s::text::timestamptz,
        %(shown)s::text::integer, %(shown_at)s::text::timestamptz
    )
    WHERE id = %(competition)s::text::uuid
        AND %(at)s::text::timestamptz
            BETWEEN greatest({_LAST}, {_EARLIEST}) AND greatest({_LAST}, {_LATEST_DATE})
    RETURNING id
), entries AS (
    INSERT INTO league_event (competition_id, seq, role, account, event, at, hash)
    SELECT head.id, entry.seq, entry.role, entry.account, entry.event, entry.at, entry.hash
    FROM head, jsonb_to_recordset(%(entries)s::text::jsonb)
        AS entry(seq integer, role text, account text, event jsonb, at timestamptz, hash text)
    RETURNING id
)
SELECT count(*), {{clock}} FROM entries
"""


class _NotDated(Exception):
    """This host's clock was wrong, or the decision took too long; how wrong it was is known now."""


class _Moment(database_time.Moment):
    """When a decision about a competition began. A log that is dated ahead goes on at its last date."""

    def __init__(self, competition: Competition) -> None:
        super().__init__()
        if competition.seq:
            self.at = max(self.at, competition.changed_at)


def _write(competition: Competition, entries: Sequence[Event], decided: _Moment) -> None:
    """Write entries of one date, and the head of a locked competition that they lead to.

    Raises `_NotDated`, and writes nothing, where the date is before that of the last entry, or more than a
    second from the database's own at the moment when the decision began. In any case the estimate of the
    database's clock is corrected.
    """
    began = database_time.host()
    given = {
        "competition": str(competition.pk),
        "last": str(competition.seq),
        "head": competition.head,
        "at": stamp(competition.changed_at),
        "shown": str(competition.shown_seq),
        "shown_at": stamp(competition.shown_at),
        "taken": f"{decided.taken():.6f}",
        "entries": json.dumps(_lines(entries)),
    }
    written = one_row(_APPEND.format(clock=database_time.sql()), given)
    assert written is not None
    database_time.learn(written[1], began)
    if not written[0]:
        raise _NotDated


# ---- The secrets of draws ------------------------------------------------------------------------


def keep_secret(competition: UUID, tree: Tree) -> None:
    """Keep a secret to which a competition's log commits."""
    DrawSecret.objects.create(competition_id=competition, root=tree.root, secret=tree.secret)


def trees(competition: UUID) -> Mapping[str, Tree]:
    """Return the trees of a competition's secrets by their roots, the newest last."""
    kept = DrawSecret.objects.filter(competition=competition).order_by("pk")
    return {root: Tree(bytes(secret)) for root, secret in kept.values_list("root", "secret")}


# ---- Read ----------------------------------------------------------------------------------------

_LATEST: Final = lru_cache(maxsize=200)(Latest[State])


def latest(competition: Competition) -> State:
    """Return the state at the competition's head, as a rule without reading its log.

    Entries without a name of their own have the present names of their players.
    """
    kept = _LATEST(competition.pk).kept
    if kept and kept[:2] == (competition.seq, _version(competition)):
        return kept[2]
    state = _brought_forward(competition, *kept) if kept and kept[0] < competition.seq else None
    state = state or state_at(competition, competition.seq)
    _keep(competition, state)
    return state


def _keep(competition: Competition, state: State) -> None:
    _LATEST(competition.pk).kept = competition.seq, _version(competition), state


def _version(competition: Competition, head: str = "") -> str:
    """Return what changes with the log, at its end or at another ``head``, and with the names of players."""
    return f"{head or competition.head} {competition.renamed}"


def _brought_forward(competition: Competition, seq: int, version: str, kept: State) -> State | None:
    """Return a kept state with the entries since, or None where the log never held it, or names changed."""
    anchor, *later = entries(competition, after=seq - 1, until=competition.seq)
    if _version(competition, anchor.hash) != version:
        return None
    state = kept
    for entry in later:
        state = events.apply(state, events.read(entry.event))
    return _named(state, kept)


def _named(state: State, before: State | None = None) -> State:
    """Return the state with the present names of entries; those of the state ``before`` are present."""
    if before and _naming(before) == _naming(state):
        return state
    players = Player.objects.filter(pk__in={each for _, players in _naming(state) for each in players})
    rows = players.annotate(
        now=Coalesce(F("merged_into__name"), F("name")),
        public=Coalesce(F("merged_into__public_name"), F("public_name")),
    )
    named = {str(pk): told for pk, *told in rows.values_list("pk", "now", "public", "anonymous")}
    typed = any(entry.own_name for entry in state.entries)
    hidden = Player.objects.filter(club__in=players.values("club")).exclude(public_name=F("name")).order_by()
    return entering.with_names(
        state,
        {pk: name for pk, (name, _public, _gone) in named.items()},
        {pk for pk, (_name, _public, gone) in named.items() if gone},
        {pk: public for pk, (_name, public, _gone) in named.items()},
        hidden_in(hidden.values_list("name", "public_name")) if typed else frozenset(),
    )


def with_typed_names(club: UUID) -> QuerySet[Competition]:
    """Return a club's competitions in which a name was typed for an entry."""
    typed = Event.objects.filter(competition__club=club, event__has_keys=["entry", "name"])
    return Competition.objects.filter(pk__in=typed.values("competition"))


def in_public(state: State) -> State:
    """Return a state with the names of entries that the public reads, in the active language."""
    if all(entry.name == entry.public_name for entry in state.entries):
        return state
    return replace(
        state, entries=Entries(replace(each, name=in_words(each.public_name)) for each in state.entries)
    )


def _naming(state: State) -> Sequence[tuple[str, Sequence[str]]]:
    """Return what the names of entries are made from, and all who ever were in their line-ups."""
    return [
        (entry.own_name, (*entry.eponyms, *(player for _, players in entry.lineups for player in players)))
        for entry in state.entries
    ]


def state_at(competition: Competition, seq: int) -> State:
    """Return the state after entry ``seq``, with the present names of entries; raises Event.DoesNotExist."""
    history = entries(competition, until=seq)
    if len(history) != seq or not history:
        raise Event.DoesNotExist
    return _named(events.fold(events.read(entry.event) for entry in history))


def times(competition: Competition, numbers: Sequence[int]) -> Mapping[int, datetime]:
    """Return when the entries with these numbers were written."""
    rows = Event.objects.filter(competition=competition, seq__in=numbers)
    return dict(rows.values_list("seq", "at"))


def entries(competition: Competition, after: int = 0, until: int | None = None) -> Sequence[Event]:
    """Return the log's entries after ``after``, up to ``until`` where given, in order."""
    later = Event.objects.filter(competition=competition, seq__gt=after).order_by("seq")
    return list(later if until is None else later.filter(seq__lte=until))


def rows(competition: Competition, *, withheld: bool = False) -> QuerySet[Event]:
    """Return the rows of the public log, in order; with ``withheld`` those of all of it."""
    whole = Event.objects.filter(competition=competition).order_by("seq")
    return whole if withheld else public(whole, competition)


def rows_of(competitions: Iterable[UUID]) -> QuerySet[Event]:
    """Return the rows of the logs of competitions, those withheld too."""
    return Event.objects.filter(competition__in=competitions)


def all_rows() -> QuerySet[Event]:
    """Return the rows of the logs of all competitions, those withheld too."""
    return Event.objects.all()


def beacon_rounds() -> Sequence[int]:
    """Return the rounds of the public beacon that cut-offs name."""
    named = Event.objects.filter(event__type="cut_off", event__beacon__gt=0)
    return sorted({*named.values_list("event__beacon", flat=True)})


def rows_of_clubs(clubs: QuerySet[Club]) -> QuerySet[Event]:
    """Return the rows of the logs of all the clubs' competitions, those withheld too."""
    return Event.objects.filter(competition__club__in=clubs)


def public(rows: QuerySet[Event], competition: Competition) -> QuerySet[Event]:
    """Return those of a competition's entries that everybody may read.

    While a drawn round is not published, the log from that draw on is for organisers only. Entries written
    after the competition was read are left out: one may be such a draw.
    """
    return rows.filter(seq__lt=competition.withheld_from or competition.seq + 1)


def public_entries(competition: Competition) -> Sequence[Event]:
    """Return the log's public entries, in order."""
    return list(rows(competition))


# ---- Verify and export ---------------------------------------------------------------------------


def lines(competition: Competition, *, withheld: bool = False) -> Iterator[str]:
    """Yield the public log as JSON Lines, an entry a line (docs/log.md); with ``withheld`` all of it."""
    for entry in rows(competition, withheld=withheld).iterator():
        yield line(entry)


def line(entry: Event) -> str:
    """Return an entry as a line of a file."""
    return json.dumps({**entry.as_json(), "hash": entry.hash}, ensure_ascii=False)


def verified(competition: Competition) -> State:
    """Return the state that the log folds to; raise `games.verifier.WrongLog` at the first wrong entry.

    Checks what `league.verify` checks of the log alone, but for what chance gave.
    """
    return _verified(entries(competition))[-1].after


def verified_history(competition: Competition) -> tuple[Sequence[Event], Sequence[events.Event], State]:
    """Return all entries, their events and the state after them, which this process keeps.

    Sets the competition's head to the last entry. Raises as `verified` does.
    """
    written = entries(competition)
    steps = _verified(written)
    competition.seq, competition.head = written[-1].seq, written[-1].hash
    state = _named(steps[-1].after)
    _keep(competition, state)
    return written, [step.event for step in steps], state


def forget() -> None:
    """Drop all states that this process keeps, for one that passes all competitions and returns to none."""
    _LATEST.cache_clear()


def _verified(written: Sequence[Event]) -> Sequence[verifier.Step]:
    return list(verifier.steps(_lines(written)))


def as_file(competition: Competition) -> Sequence[JsonObject]:
    """Return all entries as the JSON of a file."""
    return _lines(entries(competition))


def _lines(written: Sequence[Event]) -> Sequence[JsonObject]:
    return [{**entry.as_json(), "hash": entry.hash} for entry in written]
