"""What rows a competition has: a pure function of its state, keys and all.

So rows that are rebuilt are the rows that stood, and what an entry of the log changed is found by comparing
the rows of the two states around it.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, assert_never
from uuid import UUID, uuid5

from django.db.models import Model
from django.utils.dateparse import parse_datetime

from games.engine import shapes
from league import outlook, ranking
from league.competition import events as e
from league.competition import state as s
from league.competition.games import games_of
from league.models import (
    Bye,
    ClubGame,
    Competition,
    Entry,
    EntryPlayer,
    Round,
    Stage,
    Standing,
    Table,
    TableSeat,
)
from league.outlook import Outlook

Rows: TypeAlias = dict[tuple[type[Model], UUID], Model]

# ---- The parts of a state ------------------------------------------------------------------------


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


def rows_of(competition: Competition, found: Iterable[Part]) -> Rows:
    """Return the rows of some parts, by table and key."""
    return {(type(row), row.pk): row for part in found for row in _part_rows(competition, part)}


def _part_rows(competition: Competition, part: Part) -> Iterator[Model]:
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
        id=_stage_key(competition, part.number),
        competition=competition,
        number=part.number,
        name=part.plan.name,
        format=part.plan.format,
        status=part.status,
        plan=shapes.write(part.plan),
    )


def _round_rows(competition: Competition, stage: int, its_round: s.Round) -> Iterator[Model]:
    key = _round_key(competition, stage, its_round.number)
    yield Round(
        id=key,
        stage_id=_stage_key(competition, stage),
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


def _stage_key(competition: Competition, number: int) -> UUID:
    return _key(competition, "stage", number)


def _round_key(competition: Competition, stage: int, number: int) -> UUID:
    return _key(competition, "round", stage, number)


def _key(competition: Competition, *names: object) -> UUID:
    return uuid5(competition.pk, " ".join(map(str, names)))


# ---- Games ---------------------------------------------------------------------------------------


def game_rows(competition: Competition, happened: Sequence[e.Event]) -> Iterator[ClubGame]:
    """Yield whose the games are that the events opened."""
    club = competition.club_id
    for table, game in games_of(happened):
        yield ClubGame(game_id=UUID(game), club_id=club, competition=competition, table_id=UUID(table))


# ---- Standings -----------------------------------------------------------------------------------


def standing_rows(competition: Competition, state: s.Competition) -> Iterator[Standing]:
    """Yield the rows of every stage that has begun: so far, and after each published round."""
    for stage in state.stages:
        tables = ranking.standings_by_round(state, stage.number)
        reach = outlook.outlook(state, stage.number) or {}
        for row in tables[-1]:
            yield _standing_row(competition, state.seq, stage.number, None, row, reach.get(row.entry))
        for each, rows in zip(stage.shown_rounds, tables, strict=False):
            for row in rows:
                yield _standing_row(competition, state.seq, stage.number, each.number, row)


def _standing_row(
    competition: Competition,
    seq: int,
    stage: int,
    number: int | None,
    row: ranking.Row,
    reach: Outlook | None = None,
) -> Standing:
    return Standing(
        id=_key(competition, "standing", stage, number, row.entry),
        competition=competition,
        stage_id=_stage_key(competition, stage),
        round_id=_round_key(competition, stage, number) if number else None,
        group=row.group,
        rank=row.rank,
        entry_id=UUID(row.entry),
        played=row.played,
        points=str(row.points),
        tiebreaks=dict(row.tiebreaks),
        decided_by=row.decided_by,
        explanation=row.explanation,
        movement=row.movement,
        best_rank=reach.best if reach else None,
        worst_rank=reach.worst if reach else None,
        as_of=seq,
    )
