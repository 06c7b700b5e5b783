"""The rows of a competition: a pure function of its state, keys and all, and their update after events.

So rebuilt rows equal the rows before, and what new events change is found by comparing the rows of the two
states around them.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, TypeAlias
from uuid import UUID, uuid5

from django.db.models import Model, Q
from django.utils.dateparse import parse_datetime

from games import rules
from games.engine import shapes
from league.core import match_view
from league.core.agreed import on_request
from league.core.course import next_step, wait
from league.core.events import Event, OpensGames
from league.core.match_games import numbers_of
from league.core.scoring import boards, fixed_points, rate_of
from league.core.state import competition as s
from league.core.state.plan import StagePlan
from league.core.state.stages import Move
from league.core.verbs.answers import lapsing
from league.core.verbs.checking import unchecked
from league.core.verbs.objections import undecided
from league.core.verbs.results import ResultRecorded
from league.log import Appended
from league.models import (
    Bye,
    ClubGame,
    Competition,
    Entry,
    EntryPlayer,
    Player,
    Round,
    Stage,
    Table,
    TableSeat,
)
from league.projections import appearing

Rows: TypeAlias = Mapping[tuple[type[Model], UUID], Model]
"""Rows by their table and key."""

_HEAD: Final = (
    *("name", "ruleset", "options", "pace", "status", "stage", "round", "step"),
    *("wait", "withheld_from", "awaited_beacon", "overdue", "aided", "open_hands"),
    *("unchecked", "objections", "objections_until", "lapses_at", "rooms"),
)
_MODELS: Final[tuple[type[Model], ...]] = (Entry, EntryPlayer, Stage, Round, Bye, Table, TableSeat)
"""The tables of rows, those that others refer to first."""


def follow(appended: Appended) -> None:
    """Update the rows from the state before an append to the one after, in the same transaction."""
    competition, before, after = appended.competition, appended.before, appended.state
    if before is None or _head_changes(before, after):
        _set_head(competition, after)
    parts = (_parts(before) if before else {}, _parts(after))
    changed = [key for key in {**parts[0], **parts[1]} if parts[0].get(key) != parts[1].get(key)]
    people = people_of(competition.club_id)
    old, new = (
        {
            (type(row), row.pk): row
            for key in changed
            if key in one
            for row in one[key].rows(competition, people)
        }
        for one in parts
    )
    _write(old, new)
    _write_games(competition, appended.events, after)
    came, left = _came_and_left(old, new, people)
    appearing.follow(competition.club_id, came, left | _ended(before, after, people))


def _head_changes(before: s.Competition, after: s.Competition) -> bool:
    """Return whether the competition's own row may change; by entries it does only between two rounds."""
    stage = after.stage
    if stage is None or stage.open_round is None:
        return True
    one, other = ((state.status, state.plans, state.stages, _review(state)) for state in (before, after))
    return one != other


def _review(state: s.Competition) -> tuple[object, ...]:
    return state.checking, state.checked, state.posting, state.objections, state.rooms, state.challenges


def _set_head(competition: Competition, state: s.Competition) -> None:
    opening, stage = state.opening, state.stage
    competition.name, competition.ruleset = opening.name, opening.ruleset
    competition.options, competition.pace = opening.options, opening.pace
    competition.status, competition.overdue = state.status, opening.overdue
    competition.aided, competition.open_hands = opening.aided, opening.open_hands
    competition.withheld_from = state.withheld_from
    competition.awaited_beacon = state.awaited_beacon
    competition.stage = stage.number if stage else 0
    competition.round = len(stage.shown_rounds) if stage else 0
    competition.step = next_step(state)
    competition.wait = wait(state, next_step(state, overdue=True))
    competition.unchecked = sum(1 for _ in unchecked(state))
    competition.objections = len(undecided(state))
    competition.rooms = shapes.write(state.rooms)
    competition.objections_until = parse_datetime(state.posting.until) if state.posting else None
    lapses = lapsing(state) if state.stage else ()
    competition.lapses_at = parse_datetime(lapses[0].until) if lapses else None
    competition.save(update_fields=_HEAD)


def _write(before: Rows, after: Rows) -> None:
    """Delete the rows that are gone, and write those that are new or have other values."""
    gone = before.keys() - after.keys()
    for model in reversed(_MODELS):
        if keys := [key for kind, key in gone if kind is model]:
            model._default_manager.filter(pk__in=keys).delete()
    for model in _MODELS:
        rows = [row for key, row in after.items() if key[0] is model]
        model._default_manager.bulk_create(
            [row for row in rows if _values(row) != _values(before.get((model, row.pk)))],
            update_conflicts=True,
            unique_fields=[model._meta.pk.name],
            update_fields=[field.name for field in model._meta.concrete_fields if not field.primary_key],
        )


def _values(row: Model | None) -> Sequence[Any]:
    return [getattr(row, field.attname) for field in row._meta.concrete_fields] if row else ()


def _write_games(competition: Competition, events: Iterable[Event], state: s.Competition) -> None:
    """Write whose the games are that the events opened, and which of them the log knows the end of."""
    club = competition.club_id
    withdrawn = {table.id for table in state.withdrawn_tables()}
    numbers = numbers_of(events, state)
    ClubGame.objects.bulk_create(
        ClubGame(
            game_id=UUID(game),
            club_id=club,
            competition=competition,
            table_id=None if table in withdrawn else UUID(table),
            number=numbers[game],
        )
        for event in events
        if isinstance(event, OpensGames)
        for table, game in event.opened_games()
    )
    ended = {event.game: event.status != "active" for event in events if isinstance(event, ResultRecorded)}
    for recorded in {*ended.values()}:
        games = [UUID(game) for game, over in ended.items() if over is recorded]
        ClubGame.objects.filter(game__in=games).update(recorded=recorded)


# ---- Players who are not what they were ----------------------------------------------------------


@dataclass(frozen=True)
class People:
    """Who the players that logs name are ``now``: those who were merged are another one.

    ``unseen`` are those who did not appear before.
    """

    now: Mapping[UUID, UUID]
    unseen: Set[UUID] = frozenset()

    def player(self, player: str) -> UUID:
        """Return the id of the player whom a log names."""
        return self.now.get(UUID(player), UUID(player))


def people_of(club: UUID) -> People:
    """Return the players of a club who were merged, and those who do not appear."""
    others = Player.objects.filter(Q(merged_into__isnull=False) | Q(appeared=False), club=club)
    rows = list(others.values_list("pk", "merged_into", "appeared"))
    return People({pk: into for pk, into, _ in rows if into}, {pk for pk, _, seen in rows if not seen})


def _came_and_left(old: Rows, new: Rows, people: People) -> tuple[set[UUID], set[UUID]]:
    """Return who entered or may appear by new rows, and who may appear no more without the old ones."""
    here, were = ({*_with_places(rows)} for rows in (new, old))
    entered, had_entered = ({*_entered(rows)} for rows in (new, old))
    free, was_free = ({row.entry_id for row in rows.values() if isinstance(row, Bye)} for rows in (new, old))
    if was_free - free:
        of_entries = EntryPlayer.objects.filter(entry__in=was_free - free)
        were |= {*of_entries.order_by().values_list("player", flat=True)}
    return (here & people.unseen) | (entered - had_entered), were - here


def _with_places(rows: Rows) -> Iterator[UUID]:
    """Yield who takes part, waits or sits at a table by the rows."""
    yield from (row.player_id for row in rows.values() if isinstance(row, TableSeat))
    yield from _entered(rows)


def _entered(rows: Rows) -> Iterator[UUID]:
    for row in rows.values():
        if isinstance(row, EntryPlayer):
            entry = rows[Entry, row.entry_id]
            if isinstance(entry, Entry) and entry.status in appearing.LIVE:
                yield row.player_id


def _ended(before: s.Competition | None, after: s.Competition, people: People) -> set[UUID]:
    """Return who was entered where a competition is cancelled now, or who waits where it is finished.

    So it is where it is reopened.
    """
    if before is None or before.over == after.over:
        return set()
    cancelled = "cancelled" in (before.status, after.status)
    ended = [entry for entry in after.entries if cancelled or entry.status in ("waiting", "applied")]
    return {people.player(each) for entry in ended for each in entry.players}


# ---- The parts of a state ------------------------------------------------------------------------


@dataclass(frozen=True)
class EntryPart:
    """An entry with its number in the order of entering, and whether a stage ranks it."""

    number: int
    entry: s.Entry
    ranked: bool

    def rows(self, competition: Competition, people: People) -> Iterator[Model]:
        entry = self.entry
        since, until = entry.spells[-1] if entry.spells else (s.BEGINNING, s.BEGINNING)
        yield Entry(
            id=UUID(entry.id),
            competition=competition,
            number=self.number,
            name=entry.name,
            public_name=entry.public_name,
            affiliation=entry.affiliation,
            status=entry.status,
            checked_in=entry.checked_in,
            from_round=since[1] or None,
            withdrawn_from=until[1] if until else None,
            ranked=self.ranked,
            expelled=entry.expelled,
        )
        for number, player in enumerate(entry.players, 1):
            key = row_key(competition, "player", entry.id, player)
            yield EntryPlayer(id=key, entry_id=UUID(entry.id), number=number, player_id=people.player(player))


@dataclass(frozen=True)
class StagePart:
    """A stage that was announced, begun or not."""

    number: int
    plan: StagePlan
    status: Stage.Status
    corrected: bool
    moves: tuple[Move, ...]

    def rows(self, competition: Competition, people: People) -> Iterator[Model]:
        yield Stage(
            id=row_key(competition, "stage", self.number),
            competition=competition,
            number=self.number,
            name=self.plan.name,
            format=self.plan.format,
            status=self.status,
            plan=shapes.write(self.plan),
            corrected=self.corrected,
            moves=[shapes.write(move) for move in self.moves],
        )


@dataclass(frozen=True)
class RoundPart:
    """A round with its byes and tables; byes on ``request`` are worth ``points``, if that is known."""

    stage: int
    round: s.Round
    day: str = ""
    request: tuple[str, ...] = ()
    points: str = ""

    def rows(self, competition: Competition, people: People) -> Iterator[Model]:
        its_round = self.round
        key = row_key(competition, "round", self.stage, its_round.number)
        yield Round(
            id=key,
            stage_id=row_key(competition, "stage", self.stage),
            number=its_round.number,
            status=its_round.status,
            deadline=parse_datetime(its_round.deadline) if its_round.deadline else None,
            day=date.fromisoformat(self.day) if self.day else None,
            report=its_round.report,
            moved=list(its_round.moved),
        )
        for entry in (*its_round.byes, *self.request):
            asked = {"requested": True, "points": self.points} if entry in self.request else {}
            yield Bye(id=row_key(competition, "bye", key, entry), round_id=key, entry_id=UUID(entry), **asked)
        for number, table in its_round.numbered:
            room = its_round.rooms.room_of(number)
            yield from _table_rows(competition, people, key, number, room, table)


Part: TypeAlias = EntryPart | StagePart | RoundPart


def _parts(state: s.Competition) -> Mapping[Hashable, Part]:
    """Return the parts of a state that have rows, each by a key that never changes."""
    parts: dict[Hashable, Part] = {}
    ranked = {entry for stage in state.stages for entry in stage.entries}
    for number, entry in enumerate(state.entries, 1):
        parts["entry", number] = EntryPart(number, entry, entry.id in ranked)
    begun = len(state.stages)
    for number, plan in enumerate(state.plans, 1):
        status = Stage.Status.PLANNED if number > begun else Stage.Status.FINISHED
        if number == begun and not state.over:
            status = Stage.Status.RUNNING
        corrected = number <= begun and state.stages[number - 1].corrected
        moves = state.stages[number - 1].moves if number <= begun else ()
        parts["stage", number] = StagePart(number, plan, status, corrected, moves)
    for stage in state.stages:
        for each in stage.rounds:
            at = (stage.number, each.number)
            its_day = state.day_of(at)
            day = its_day.day if its_day else ""
            request = on_request(state, at)
            parts["round", *at] = RoundPart(
                stage.number, each, day, request, _points_of_request(state, stage) if request else ""
            )
    return parts


def _points_of_request(state: s.Competition, stage: s.Stage) -> str:
    """Return what a bye on request is worth, empty where that depends on results."""
    points = fixed_points(rate_of(state, stage), stage.plan.scoring.requested)
    return "" if points is None else str(points * boards(state, stage))


def _table_rows(
    competition: Competition, people: People, its_round: UUID, number: int, room: str, table: s.Table
) -> Iterator[Model]:
    put_off = table.postponement if table.to_come else None
    yield Table(
        id=UUID(table.id),
        round_id=its_round,
        number=number,
        room=room,
        group=table.group,
        board=table.board,
        label=table.label,
        status=table.status,
        ruled=table.ruling is not None,
        void_reason=table.void or "",
        postponed_reason=put_off.reason if put_off else "",
        postponed_until=parse_datetime(put_off.deadline) if put_off and put_off.deadline else None,
        more_minutes=table.more_minutes,
        match=match_view.as_json(table),
    )
    placings = table.results[0].placings if len(table.results) == 1 else ()
    ranks, entries = [each.rank for each in placings], [seat.entry for seat in table.seats]
    places = rules.places(competition.ruleset, ranks, entries)
    for index, seat in enumerate(table.seats):
        yield TableSeat(
            id=row_key(competition, "seat", table.id, index),
            table_id=UUID(table.id),
            number=index,
            entry_id=UUID(seat.entry),
            player_id=people.player(seat.player),
            rank=places[index] if places else None,
            score=placings[index].score if placings else None,
            outcome=table.outcome_of.get(seat.entry) or (placings[index].left if placings else None) or "",
        )


def row_key(competition: Competition, *names: object) -> UUID:
    """Return the key of the row that these names have in a competition, the same at every rebuild."""
    return uuid5(competition.pk, " ".join(map(str, names)))
