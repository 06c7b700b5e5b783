"""The rows of standings: computed from a competition's log, and written where they differ."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db import transaction

from games.engine.jsontypes import JsonObject
from games.engine.messages import as_json
from games.prepared import one_row
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

_COLUMNS: Final = [f'"{field.column}"' for field in Standing._meta.concrete_fields]


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
    locked = Standings.objects.select_for_update().filter(competition=competition_id)
    reach = locked.first()
    if reach is None:
        Standings.objects.get_or_create(competition_id=competition_id)
        reach = locked.get()
    competition = Competition.objects.get(pk=competition_id)
    if reach.as_of == competition.seq:
        return False
    _write(competition, log.latest(competition), reach.as_of)
    return True


# A row that is the same is left alone: to write it again is work for indexes and for the database's own log.
_WRITE: Final = f"""
WITH reach AS (
    UPDATE league_standings SET as_of = %(as_of)s::text::integer
    WHERE competition_id = %(competition)s::text::uuid
), computed AS (
    SELECT * FROM jsonb_populate_recordset(NULL::league_standing, %(rows)s::text::jsonb)
), gone AS (
    DELETE FROM league_standing AS stored
    USING jsonb_to_recordset(%(scope)s::text::jsonb) AS scope(stage uuid, round integer)
    WHERE stored.stage_id = scope.stage AND NOT EXISTS (SELECT FROM computed WHERE id = stored.id)
        AND (round_id IS NULL OR (SELECT number FROM league_round WHERE id = round_id) >= scope.round)
), written AS (
    INSERT INTO league_standing SELECT computed.* FROM computed
        LEFT JOIN league_standing AS stored ON stored.id = computed.id
        WHERE stored IS DISTINCT FROM computed
    ON CONFLICT (id) DO UPDATE SET ({", ".join(_COLUMNS)}) = ({", ".join(f"excluded.{c}" for c in _COLUMNS)})
    RETURNING id
)
SELECT count(*) FROM written
"""


def _write(competition: Competition, state: s.Competition, as_of: int) -> None:
    """Write the rows that differ from those which the log gave up to an event, and how far they reach."""
    first = _first_changed(competition, state, as_of)
    rows = [
        row
        for stage in state.stages
        if stage.number in first
        for row in _of_stage(competition, state, stage, first[stage.number])
    ]
    scope = [
        {"stage": str(row_key(competition, "stage", number)), "round": first[number]} for number in first
    ]
    given = {"competition": str(competition.pk), "as_of": str(competition.seq)}
    one_row(_WRITE, {**given, "rows": json.dumps(rows), "scope": json.dumps(scope)})


def _first_changed(competition: Competition, state: s.Competition, as_of: int) -> Mapping[int, int]:
    if not as_of:
        return {stage.number: 1 for stage in state.stages}
    since = log.entries(competition, after=as_of, until=state.seq)
    return first_changed(state, (events.read(entry.event) for entry in since))


def _of_stage(
    competition: Competition, state: s.Competition, stage: s.Stage, first: int
) -> Iterator[JsonObject]:
    """Yield the rows of a stage: so far, and after each published round from the first one on."""
    reach, goes = outlook.outlook(state, stage.number) or {}, _next(state, stage)
    for number, rows in ranking.standings_by_round(state, stage.number, first):
        to_come, after = stage.to_come(number), _after(competition, stage.number, number)
        columns = [_columns(row, to_come[row.entry]) for row in rows]
        if number:
            yield from (_row(competition, after, each) for each in columns)
    to_come, so_far = stage.to_come(), _after(competition, stage.number)
    for row, each in zip(rows, columns, strict=True):
        end = {"to_come": to_come[row.entry], **_end(reach.get(row.entry), goes.get(row.entry, Goes()))}
        yield _row(competition, so_far, {**each, **end})


def _after(competition: Competition, stage: int, number: int | None = None) -> JsonObject:
    """Return the columns of rows after a round of a stage, or so far."""
    return {
        "competition_id": str(competition.pk),
        "stage_id": str(row_key(competition, "stage", stage)),
        "round_id": None if number is None else str(row_key(competition, "round", stage, number)),
    }


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


def _row(competition: Competition, after: JsonObject, columns: JsonObject) -> JsonObject:
    """Return a row by its columns."""
    key = row_key(competition, "standing", after["stage_id"], after["round_id"], columns["entry_id"])
    return {"id": str(key), **after, **columns}


def _columns(row: ranking.Row, to_come: int) -> JsonObject:
    """Return the columns of a row after a round."""
    return {
        "group": row.group,
        "rank": row.rank,
        "entry_id": row.entry,
        "played": row.played,
        "points": str(row.points),
        "tiebreaks": row.tiebreaks,
        "decided_by": row.decided_by,
        "explanation": as_json(row.explanation),
        "movement": row.movement,
        "to_come": to_come,
        **_end(None, Goes()),
    }


def _end(reach: Outlook | None, goes: Goes) -> JsonObject:
    """Return the columns that look ahead, which only rows so far have."""
    return {
        "best_rank": reach.best if reach else None,
        "worst_rank": reach.worst if reach else None,
        "next_group": goes.group,
        "next_why": as_json(goes.why),
    }
