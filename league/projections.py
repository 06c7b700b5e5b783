"""Events in, rows out: the tables that follow a competition's log, and their rebuilding."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import Model

from league import log
from league.competition import commands
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
from league.rows import Rows, game_rows, parts, rows_of, standing_rows

_HEAD: Final = (
    *("name", "ruleset", "options", "pace", "status", "stage", "round", "step"),
    *("withheld_from", "overdue"),
)
_MODELS: Final[tuple[type[Model], ...]] = (Entry, EntryPlayer, Stage, Round, Bye, Table, TableSeat)
"""The tables of rows, those that others refer to first."""


def follow(appended: Appended) -> None:
    """Bring the rows from the state before an append to the one after; within its transaction."""
    competition = appended.competition
    _set_head(competition, appended.state)
    competition.save(update_fields=_HEAD)
    before = parts(appended.before) if appended.before else {}
    after = parts(appended.state)
    changed = [key for key in {**before, **after} if before.get(key) != after.get(key)]
    _write(
        rows_of(competition, [before[key] for key in changed if key in before]),
        rows_of(competition, [after[key] for key in changed if key in after]),
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
    Standing.objects.bulk_create(standing_rows(competition, log.latest(competition)), batch_size=1000)
    reach.as_of = competition.seq
    reach.save(update_fields=["as_of"])
    return True


# ---- Writing -------------------------------------------------------------------------------------


def _set_head(competition: Competition, state: s.Competition) -> None:
    opening, stage = state.opening, state.stage
    competition.name, competition.ruleset = opening.name, opening.ruleset
    competition.options, competition.pace = opening.options, opening.pace
    competition.status, competition.overdue = state.status, opening.overdue
    competition.withheld_from = state.withheld_from
    competition.stage = stage.number if stage else 0
    competition.round = len(stage.shown_rounds) if stage else 0
    competition.step = commands.next_step(state)


def _write(before: Rows, after: Rows) -> None:
    """Remove the rows that are no more, and write those that are new or hold something else."""
    gone = before.keys() - after.keys()
    fresh = [row for key, row in after.items() if key not in before or _values(before[key]) != _values(row)]
    for model in reversed(_MODELS):
        if keys := [key for kind, key in gone if kind is model]:
            model._default_manager.filter(pk__in=keys).delete()
    for model in _MODELS:
        _upsert(model, [row for row in fresh if type(row) is model])


def _values(row: Model) -> Sequence[Any]:
    return [getattr(row, field.attname) for field in row._meta.concrete_fields]


def _upsert(model: type[Model], rows: Sequence[Model]) -> None:
    """Write rows, in place of those of the same key."""
    fields = [field.name for field in model._meta.concrete_fields if not field.primary_key]
    model._default_manager.bulk_create(
        rows, update_conflicts=True, unique_fields=[model._meta.pk.name], update_fields=fields
    )


def _follow_games(competition: Competition, happened: Sequence[e.Event]) -> None:
    """Write whose the games are that the events opened, and which of them the log knows the end of."""
    recorded = [UUID(event.game) for event in happened if isinstance(event, e.ResultRecorded)]
    ClubGame.objects.bulk_create(game_rows(competition, happened))
    if recorded:
        ClubGame.objects.filter(game__in=recorded).update(recorded=True)
