"""Events in, rows out: the tables that follow a competition's log, and their rebuilding.

A row is a pure function of the log, its key too, so that rows rebuilt are the rows that stood. What changes
with an entry is found by comparing the rows of the two states around it.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, assert_never
from uuid import UUID, uuid5

from django.db import transaction
from django.db.models import Model
from django.utils.dateparse import parse_datetime

from games.engine import shapes
from league import log, ranking
from league.competition import events as e
from league.competition import state as s
from league.log import Appended
from league.models import (
    Bye,
    ClubGame,
    Competition,
    Entry,
    EntryPlayer,
    Round,
    Stage,
    Standing,
    Standings,
    Table,
    TableSeat,
)

_HEAD: Final = ("name", "ruleset", "options", "pace", "status", "stage", "round")
_MODELS: Final[tuple[type[Model], ...]] = (Entry, EntryPlayer, Stage, Round, Bye, Table, TableSeat)
"""The tables of rows, those that others refer to first."""

Rows: TypeAlias = dict[tuple[type[Model], UUID], Model]


def follow(appended: Appended) -> None:
    """Bring the rows from the state before an append to the one after; within its transaction."""
    competition = appended.competition
    _set_head(competition, appended.state)
    competition.save(update_fields=_HEAD)
    before = parts(appended.before) if appended.before else {}
    after = parts(appended.state)
    changed = [key for key in {**before, **after} if before.get(key) != after.get(key)]
    _write(
        _rows(competition, [before[key] for key in changed if key in before]),
        _rows(competition, [after[key] for key in changed if key in after]),
    )
    _follow_games(competition, appended.events)


@transaction.atomic
def rebuild(competition_id: UUID) -> None:
    """Throw away all rows of a competition and write them anew from its log, the head fields too."""
    competition = Competition.objects.select_for_update(no_key=True).get(pk=competition_id)
    # First, so that whoever computes standings now has ended before the rows go that these refer to.
    Standings.objects.filter(competition=competition).update(as_of=0)
    ClubGame.objects.filter(competition=competition).delete()
    Stage.objects.filter(competition=competition).delete()
    Entry.objects.filter(competition=competition).delete()
    told = log.entries(competition)
    competition.seq, competition.head = told[-1].seq, told[-1].hash
    competition.opened_at, competition.changed_at = told[0].at, told[-1].at
    competition.save(update_fields=["seq", "head", "opened_at", "changed_at"])
    happened = tuple(e.read(entry.event) for entry in told)
    follow(Appended(competition, happened, None, log.verified(competition), created=True))
    compute_standings(competition.pk)


def _set_head(competition: Competition, state: s.Competition) -> None:
    opening, stage = state.opening, state.stage
    competition.name, competition.ruleset = opening.name, opening.ruleset
    competition.options, competition.pace = opening.options, opening.pace
    competition.status = state.status
    competition.stage = stage.number if stage else 0
    competition.round = len(stage.shown_rounds) if stage else 0


# ---- What rows there are -------------------------------------------------------------------------


@dataclass(frozen=True)
class EntryPart:
    """An entry and its place in the order of entering."""

    number: int
    entry: s.Entry

    @property
    def key(self) -> Hashable:
        return "entry", self.number


@dataclass(frozen=True)
class StagePart:
    """A stage that was announced, begun or not."""

    number: int
    plan: e.StagePlan
    status: Stage.Status

    @property
    def key(self) -> Hashable:
        return "stage", self.number


@dataclass(frozen=True)
class RoundPart:
    """A round with all that is played in it."""

    stage: int
    round: s.Round

    @property
    def key(self) -> Hashable:
        return "round", self.stage, self.round.number


Part: TypeAlias = EntryPart | StagePart | RoundPart


def parts(state: s.Competition) -> Mapping[Hashable, Part]:
    """Return the parts of a state that have rows of their own, each by a key that stays."""
    return {part.key: part for part in _parts(state)}


def _parts(state: s.Competition) -> Iterator[Part]:
    for number, entry in enumerate(state.entries, 1):
        yield EntryPart(number, entry)
    for number, plan in enumerate(state.plans, 1):
        yield StagePart(number, plan, _stage_status(state, number))
    for stage in state.stages:
        for each in stage.rounds:
            yield RoundPart(stage.number, each)


def _stage_status(state: s.Competition, number: int) -> Stage.Status:
    if number > len(state.stages):
        return Stage.Status.PLANNED
    running = number == len(state.stages) and not state.over
    return Stage.Status.RUNNING if running else Stage.Status.FINISHED


def _rows(competition: Competition, found: Iterable[Part]) -> Rows:
    return {(type(row), row.pk): row for part in found for row in _rows_of(competition, part)}


def _rows_of(competition: Competition, part: Part) -> Iterator[Model]:
    match part:
        case EntryPart():
            return _entry_rows(competition, part.number, part.entry)
        case StagePart():
            return _stage_rows(competition, part)
        case RoundPart():
            return _round_rows(competition, part.stage, part.round)
        case _:
            assert_never(part)


def _entry_rows(competition: Competition, number: int, entry: s.Entry) -> Iterator[Model]:
    since, until = entry.spells[-1] if entry.spells else (s.BEGINNING, s.BEGINNING)
    yield Entry(
        id=UUID(entry.id),
        competition=competition,
        number=number,
        name=entry.name,
        affiliation=entry.affiliation,
        status=entry.status,
        checked_in=entry.checked_in,
        from_round=since[1] or None,
        withdrawn_from=until[1] if until else None,
    )
    for place, player in enumerate(entry.players, 1):
        key = _key(competition, "player", entry.id, player)
        yield EntryPlayer(id=key, entry_id=UUID(entry.id), number=place, player_id=UUID(player))


def _stage_rows(competition: Competition, part: StagePart) -> Iterator[Model]:
    yield Stage(
        id=stage_key(competition, part.number),
        competition=competition,
        number=part.number,
        name=part.plan.name,
        format=part.plan.format,
        status=part.status,
        plan=shapes.write(part.plan),
    )


def _round_rows(competition: Competition, stage: int, its_round: s.Round) -> Iterator[Model]:
    key = round_key(competition, stage, its_round.number)
    yield Round(
        id=key,
        stage_id=stage_key(competition, stage),
        number=its_round.number,
        status=its_round.status,
        deadline=parse_datetime(its_round.deadline) if its_round.deadline else None,
        report=its_round.report,
        moved=list(its_round.moved),
    )
    for entry in its_round.byes:
        yield Bye(id=_key(competition, "bye", key, entry), round_id=key, entry_id=UUID(entry))
    for number, table in enumerate(its_round.tables, 1):
        yield from _table_rows(competition, key, number, table)


def _table_rows(competition: Competition, its_round: UUID, number: int, table: s.Table) -> Iterator[Model]:
    yield Table(
        id=UUID(table.id),
        round_id=its_round,
        number=number,
        group=table.group,
        board=table.board,
        label=table.label,
        status=table.status,
        ruled=table.ruling is not None,
        void_reason=table.void or "",
    )
    placings = table.results[0].placings if len(table.results) == 1 else (None,) * len(table.seats)
    for seat, (taken, placing) in enumerate(zip(table.seats, placings, strict=True)):
        yield TableSeat(
            id=_key(competition, "seat", table.id, seat),
            table_id=UUID(table.id),
            number=seat,
            entry_id=UUID(taken.entry),
            player_id=UUID(taken.player),
            rank=placing.rank if placing else None,
            score=placing.score if placing else None,
            outcome=table.outcome_of.get(taken.entry, ""),
        )


def stage_key(competition: Competition, number: int) -> UUID:
    """Return the id of a stage's row."""
    return _key(competition, "stage", number)


def round_key(competition: Competition, stage: int, number: int) -> UUID:
    """Return the id of a round's row."""
    return _key(competition, "round", stage, number)


def _key(competition: Competition, *names: object) -> UUID:
    return uuid5(competition.pk, " ".join(map(str, names)))


# ---- Writing them --------------------------------------------------------------------------------


def _write(before: Rows, after: Rows) -> None:
    """Remove the rows that are no more, and write those that are new or hold something else."""
    gone = before.keys() - after.keys()
    fresh = [row for key, row in after.items() if key not in before or _values(before[key]) != _values(row)]
    for model in reversed(_MODELS):
        if keys := [key for kind, key in gone if kind is model]:
            model._default_manager.filter(pk__in=keys).delete()
    for model in _MODELS:
        upsert(model, [row for row in fresh if type(row) is model])


def _values(row: Model) -> Sequence[Any]:
    return [getattr(row, field.attname) for field in row._meta.concrete_fields]


def upsert(model: type[Model], rows: Sequence[Model]) -> None:
    """Write rows, in place of those of the same key."""
    fields = [field.name for field in model._meta.concrete_fields if not field.primary_key]
    model._default_manager.bulk_create(
        rows, update_conflicts=True, unique_fields=[model._meta.pk.name], update_fields=fields
    )


def _follow_games(competition: Competition, happened: Sequence[e.Event]) -> None:
    """Write whose the games are that the events opened, and which of them the log knows the end of."""
    recorded = [UUID(event.game) for event in happened if isinstance(event, e.ResultRecorded)]
    club = competition.club_id
    ClubGame.objects.bulk_create(
        ClubGame(game_id=UUID(game), club_id=club, competition=competition, table_id=UUID(table))
        for table, game in games_of(happened)
    )
    if recorded:
        ClubGame.objects.filter(game__in=recorded).update(recorded=True)


def games_of(happened: Sequence[e.Event]) -> Iterator[tuple[str, str]]:
    """Yield table and game for each game that the events opened."""
    for event in happened:
        match event:
            case e.Published():
                yield from ((each.table, each.game) for each in event.games)
            case e.TableOpened():
                yield from ((event.table, game) for game in event.games)
            case e.Replayed():
                yield event.table, event.game
            case _:
                pass


# ---- Standings -----------------------------------------------------------------------------------


@transaction.atomic
def compute_standings(competition_id: UUID) -> bool:
    """Replace a competition's standing rows by those of its log as it is now; return whether that was due.

    One at a time: whoever waited finds that a burst of results has been counted already.
    """
    Standings.objects.get_or_create(competition_id=competition_id)
    reach = Standings.objects.select_for_update().get(competition=competition_id)
    competition = Competition.objects.get(pk=competition_id)
    if reach.as_of == competition.seq:
        return False
    Standing.objects.filter(competition=competition).delete()
    Standing.objects.bulk_create(_standing_rows(competition, log.latest(competition)), batch_size=1000)
    reach.as_of = competition.seq
    reach.save(update_fields=["as_of"])
    return True


def _standing_rows(competition: Competition, state: s.Competition) -> Iterator[Standing]:
    """Yield the rows of every stage that has begun: so far, and after each published round."""
    for stage in state.stages:
        for number in (None, *(each.number for each in stage.shown_rounds)):
            for row in ranking.standings(state, stage.number, number):
                yield _standing_row(competition, state.seq, stage.number, number, row)


def _standing_row(
    competition: Competition, seq: int, stage: int, number: int | None, row: ranking.Row
) -> Standing:
    return Standing(
        id=_key(competition, "standing", stage, number, row.entry),
        competition=competition,
        stage_id=stage_key(competition, stage),
        round_id=round_key(competition, stage, number) if number else None,
        group=row.group,
        rank=row.rank,
        entry_id=UUID(row.entry),
        played=row.played,
        points=str(row.points),
        tiebreaks=dict(row.tiebreaks),
        decided_by=row.decided_by,
        explanation=row.explanation,
        movement=row.movement,
        as_of=seq,
    )
