"""The standings of a competition, computed where its log has changed, and all its rows, rebuilt from it."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from games.engine.jsontypes import Json, JsonObject
from games.engine.messages import as_json
from games.prepared import one_row
from league import log
from league.core import events
from league.core.events import Event, OpensGames
from league.core.intake import advancing
from league.core.standings import outlook, ranking
from league.core.standings.ranking import first_changed
from league.core.standings.rows import Order
from league.core.standings.tie_breaks import Accounts
from league.core.state import competition as s
from league.core.state.stages import PLAY_OFF_DECIDES, sentence
from league.log import Appended
from league.models import ClubGame, Competition, Entry, RoundStandings, Stage, Standings
from league.projections.rows import follow, row_key

_LOCK: Final = """
SELECT as_of FROM league_standings WHERE competition_id = %(competition)s::text::uuid FOR UPDATE
"""


# What was appended since the standings is asked for with the head: they can't differ, and it is one question.
_HEAD: Final = """
SELECT seq, head, CASE WHEN %(after)s::text::integer > 0 THEN (
    SELECT coalesce(jsonb_agg(entry.event ORDER BY entry.seq), '[]')::text FROM league_event AS entry
    WHERE entry.competition_id = league_competition.id AND entry.seq > %(after)s::text::integer
) END
FROM league_competition WHERE id = %(competition)s::text::uuid
"""


@transaction.atomic
def compute_standings(competition_id: UUID) -> bool:
    """Bring a competition's standings up to its log as it is now; return whether they were old.

    One worker at a time: one that had to wait finds that a burst of results has been counted already.
    """
    given = {"competition": str(competition_id)}
    reach = one_row(_LOCK, given)
    if reach is None:
        Standings.objects.get_or_create(competition_id=competition_id)
        reach = one_row(_LOCK, given)
    as_of: int = reach[0] if reach else 0
    head = one_row(_HEAD, {**given, "after": str(as_of)})
    if head is None:
        raise Competition.DoesNotExist
    *row, since = head
    competition = Competition.from_db(None, ("id", "seq", "head"), [competition_id, *row])
    if as_of == competition.seq:
        return False
    _write(competition, log.latest(competition), since)
    return True


_COLUMNS: Final = [f'"{field.column}"' for field in RoundStandings._meta.concrete_fields]
# A row that is the same is left alone: to write it again is work for indexes and for the database's own log.
_WRITE: Final = f"""
WITH reach AS (
    UPDATE league_standings SET as_of = %(as_of)s::text::integer
    WHERE competition_id = %(competition)s::text::uuid
), computed AS (
    SELECT * FROM jsonb_populate_recordset(NULL::league_roundstandings, %(rows)s::text::jsonb)
), gone AS (
    DELETE FROM league_roundstandings AS stored
    USING jsonb_to_recordset(%(scope)s::text::jsonb) AS scope(stage uuid, round integer)
    WHERE stored.stage_id = scope.stage AND stored.round >= scope.round
        AND NOT EXISTS (SELECT FROM computed WHERE id = stored.id)
), written AS (
    INSERT INTO league_roundstandings SELECT computed.* FROM computed
        LEFT JOIN league_roundstandings AS stored ON stored.id = computed.id
        WHERE stored IS DISTINCT FROM computed
    ON CONFLICT (id) DO UPDATE SET ({", ".join(_COLUMNS)}) = ({", ".join(f"excluded.{c}" for c in _COLUMNS)})
    RETURNING id
)
SELECT count(*) FROM written
"""


def _write(competition: Competition, state: s.Competition, since: str | None) -> None:
    """Write the rows that differ from those before the events since, and how far they reach.

    The events are a list in JSON; None stands for all of them.
    """
    first = _first_changed(state, since)
    keys = {number: str(row_key(competition, "stage", number)) for number in first}
    rows = [
        _row(competition, keys[stage.number], number, columns)
        for stage in state.stages
        if stage.number in first
        for number, columns in of_stage(state, stage, first[stage.number])
    ]
    # Also those of before the first round, which give way to those after it.
    scope = [{"stage": keys[number], "round": 0 if first[number] == 1 else first[number]} for number in first]
    given = {"competition": str(competition.pk), "as_of": str(competition.seq)}
    one_row(_WRITE, {**given, "rows": json.dumps(rows), "scope": json.dumps(scope)})


def _first_changed(state: s.Competition, since: str | None) -> Mapping[int, int]:
    if since is None:
        return {stage.number: 1 for stage in state.stages}
    return first_changed(state, (events.read(event) for event in json.loads(since)))


def _row(competition: Competition, stage: str, number: int, columns: JsonObject) -> JsonObject:
    """Return the row of a stage after a round."""
    key = str(row_key(competition, "standings", stage, number))
    return {"id": key, "competition_id": str(competition.pk), "stage_id": stage, "round": number, **columns}


def of_stage(state: s.Competition, stage: s.Stage, first: int = 1) -> Iterator[tuple[int, JsonObject]]:
    """Yield the columns of a stage's standings after each published round from the first one on.

    Each comes with the round's number; before the first round there is one, with the number 0.
    """
    last = len(stage.shown_rounds)
    for number in range(first, last + 1) or (last,):
        accounts = ranking.accounts_of(state, stage, number)
        order = ranking.order_by(state, stage, accounts)
        ahead = _ahead(state, stage, order, accounts) if number == last else {}
        yield number, {"order": order.as_json(), "to_come": stage.to_come(number), "ahead": ahead}


def _ahead(state: s.Competition, stage: s.Stage, order: Order, accounts: Accounts) -> JsonObject:
    """Return what is ahead of the entries: the ranks that they can still reach, and the next stage."""
    found: dict[str, Json] = {}
    if reach := outlook.outlook(state, stage.number, order, accounts):
        found["ranks"] = [(reach[entry].best, reach[entry].worst) for entry in order.entries]
    if goes := _next(state, stage):
        found["next"] = goes
    return found


def _next(state: s.Competition, stage: s.Stage) -> JsonObject:
    """Return the group where each entry of a stage goes next and why, empty while its rounds are played."""
    known = stage.number < len(state.stages) or outlook.settled(state, stage)
    found = advancing(state, stage.number) if known else None
    if found is None:
        return {}
    undecided = {entry for play_off in found.play_offs for entry in play_off.entries}
    return {
        move.entry: (None, as_json(PLAY_OFF_DECIDES))
        if move.entry in undecided
        else (
            None if move.line == "lots_to_come" or (found.undrawn and move.group) else move.group,
            as_json(sentence(move)),
        )
        for move in found.moves
    }


# ---- All rows of a competition -------------------------------------------------------------------


@transaction.atomic
def rebuild(competition_id: UUID) -> None:
    """Delete all rows of a competition and write them again from its log, the head fields too."""
    competition = Competition.objects.select_for_update(no_key=True).get(pk=competition_id)
    # First, so that a worker that is computing standings ends before the rows that they refer to are deleted.
    Standings.objects.filter(competition=competition).update(as_of=0)
    entries, history, state = log.verified_history(competition)
    # Its games too that have another competition, or none, in their rows.
    ClubGame.objects.filter(Q(competition=competition) | Q(game__in=games_of(history))).delete()
    Stage.objects.filter(competition=competition).delete()
    Entry.objects.filter(competition=competition).delete()
    competition.opened_at, competition.changed_at = entries[0].at, entries[-1].at
    competition.shown_seq, competition.shown_at = state.shown, entries[state.shown - 1].at
    competition.save(update_fields=["seq", "head", "opened_at", "changed_at", "shown_seq", "shown_at"])
    follow(Appended(competition, tuple(history), None, state, created=True))
    compute_standings(competition.pk)


def games_of(history: Iterable[Event]) -> Sequence[UUID]:
    """Return the ids of all games that events opened."""
    opening = (event for event in history if isinstance(event, OpensGames))
    return [UUID(game) for event in opening for _table, game in event.opened_games()]
