"""The rows of standings: computed from a competition's log, and written where they differ."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from league import log
from league.core import events
from league.core.intake import advancing
from league.core.standings import outlook, ranking
from league.core.standings.changes import first_changed
from league.core.standings.outlook import Outlook
from league.core.state import competition as s
from league.core.state.moves import PLAY_OFF_DECIDES, sentence
from league.models import Competition, Standing, Standings
from league.projections.rows import row_key

_FIELDS: Final = (
    *("stage_id", "round_id", "group", "rank", "entry_id", "played", "points", "tiebreaks", "decided_by"),
    *("explanation", "movement", "best_rank", "worst_rank", "to_come", "next_group", "next_why"),
)
Values: TypeAlias = tuple[Any, ...]
"""A row's values, in the order of `_FIELDS`."""


@dataclass(frozen=True)
class Goes:
    """Where an entry goes in the next stage and why; None as long as a play-off or lots have to decide."""

    group: int | None = None
    why: str = ""


@transaction.atomic
def compute_standings(competition_id: UUID) -> bool:
    """Bring a competition's standings up to its log as it is now; return whether they were old.

    One worker at a time: one that had to wait finds that a burst of results has been counted already.
    """
    Standings.objects.get_or_create(competition_id=competition_id)
    reach = Standings.objects.select_for_update().get(competition=competition_id)
    competition = Competition.objects.get(pk=competition_id)
    if reach.as_of == competition.seq:
        return False
    _write(competition, log.latest(competition), reach.as_of)
    reach.as_of = competition.seq
    reach.save(update_fields=["as_of"])
    return True


def _write(competition: Competition, state: s.Competition, as_of: int) -> None:
    """Write the rows that differ from those which the log gave up to an event."""
    first = _first_changed(competition, state, as_of)
    computed = {
        row_key(competition, "standing", *values[:2], values[4]): values
        for stage in state.stages
        if stage.number in first
        for values in _of_stage(competition, state, stage, first[stage.number])
    }
    rows = _after(competition, first)
    stored = {pk: tuple(values) for pk, *values in rows.values_list("pk", *_FIELDS)}
    Standing.objects.filter(pk__in=stored.keys() - computed.keys()).delete()
    Standing.objects.bulk_create(
        (
            Standing(id=key, competition=competition, **dict(zip(_FIELDS, values, strict=True)))
            for key, values in computed.items()
            if stored.get(key) != values
        ),
        batch_size=1000,
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=[Standing._meta.get_field(name).name for name in _FIELDS],
    )


def _first_changed(competition: Competition, state: s.Competition, as_of: int) -> Mapping[int, int]:
    if not as_of:
        return {stage.number: 1 for stage in state.stages}
    since = log.entries(competition, after=as_of, until=state.seq)
    return first_changed(state, (events.read(entry.event) for entry in since))


def _after(competition: Competition, first: Mapping[int, int]) -> QuerySet[Standing]:
    """Return the stored rows of stages so far, and after their rounds from the first one on."""
    chosen = Q(pk=None)
    for stage, number in first.items():
        chosen |= Q(stage__number=stage) & (Q(round=None) | Q(round__number__gte=number))
    return Standing.objects.filter(chosen, competition=competition)


def _of_stage(competition: Competition, state: s.Competition, stage: s.Stage, first: int) -> Iterator[Values]:
    """Yield the values of a stage's rows: so far, and after each published round from the first one on."""
    key = row_key(competition, "stage", stage.number)
    by_round = ranking.standings_by_round(state, stage.number, first)
    reach, goes, to_come = outlook.outlook(state, stage.number) or {}, _next(state, stage), stage.to_come()
    for row in by_round[-1][1]:
        entry = row.entry
        yield _values(key, None, row, to_come[entry], reach.get(entry), goes.get(entry, Goes()))
    for number, rows in by_round:
        to_come = stage.to_come(number)
        its_round = row_key(competition, "round", stage.number, number)
        yield from (_values(key, its_round, row, to_come[row.entry]) for row in rows if number)


def _next(state: s.Competition, stage: s.Stage) -> Mapping[str, Goes]:
    """Return where entries of a stage go next, empty while its rounds are played."""
    known = stage.number < len(state.stages) or outlook.settled(state, stage)
    found = advancing(state, stage.number) if known else None
    if found is None:
        return {}
    undecided = {entry for play_off in found.play_offs for entry in play_off.entries}
    return {
        move.entry: Goes(None, PLAY_OFF_DECIDES)
        if move.entry in undecided
        else Goes(None if move.line == "lots_to_come" else move.group, sentence(move))
        for move in found.moves
    }


def _values(
    stage: UUID,
    its_round: UUID | None,
    row: ranking.Row,
    to_come: int,
    reach: Outlook | None = None,
    goes: Goes = Goes(),
) -> Values:
    return (
        *(stage, its_round, row.group, row.rank, UUID(row.entry), row.played, str(row.points)),
        *(dict(row.tiebreaks), row.decided_by, row.explanation, row.movement),
        *((reach.best, reach.worst) if reach else (None, None)),
        *(to_come, goes.group, goes.why),
    )
