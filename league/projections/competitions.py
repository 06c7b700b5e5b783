"""The rows of a competition as a whole: thrown away and rebuilt from its log, and its standings computed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from league import log
from league.core import events
from league.core.intake import advancing
from league.core.standings import outlook, ranking
from league.core.standings.outlook import Outlook
from league.core.state import competition as s
from league.core.state.moves import PLAY_OFF_DECIDES, sentence
from league.log import Appended
from league.models import ClubGame, Competition, Entry, Stage, Standing, Standings
from league.projections.rows import follow, people_of, row_key


@transaction.atomic
def rebuild(competition_id: UUID) -> None:
    """Delete all rows of a competition and write them again from its log, the head fields too."""
    competition = Competition.objects.select_for_update(no_key=True).get(pk=competition_id)
    # First, so that a worker that is computing standings ends before the rows that they refer to are deleted.
    Standings.objects.filter(competition=competition).update(as_of=0)
    ClubGame.objects.filter(competition=competition).delete()
    Stage.objects.filter(competition=competition).delete()
    Entry.objects.filter(competition=competition).delete()
    entries = log.entries(competition)
    competition.seq, competition.head = entries[-1].seq, entries[-1].hash
    competition.opened_at, competition.changed_at = entries[0].at, entries[-1].at
    competition.save(update_fields=["seq", "head", "opened_at", "changed_at"])
    history = tuple(events.read(entry.event) for entry in entries)
    follow(Appended(competition, history, None, log.verified(competition), created=True))
    compute_standings(competition.pk)


def rename_entries(competition: Competition) -> None:
    """Bring the names of a competition's entries up to players who were removed since they were written."""
    people = people_of(competition.club_id)
    for entry in log.latest(competition).entries:
        if (name := people.name(entry)) != entry.name:
            Entry.objects.filter(pk=entry.id).update(name=name)


@transaction.atomic
def compute_standings(competition_id: UUID) -> bool:
    """Replace a competition's standings by those of its log as it is now; return whether they were old.

    One worker at a time: one that had to wait finds that a burst of results has been counted already.
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
        tables = ranking.standings_by_round(state, stage.number)
        reach = outlook.outlook(state, stage.number) or {}
        to_come = stage.to_come()
        goes = _next(state, stage)
        for row in tables[-1]:
            yield _standing_row(
                competition,
                state.seq,
                stage.number,
                None,
                row,
                to_come[row.entry],
                reach.get(row.entry),
                goes.get(row.entry),
            )
        for each, rows in zip(stage.shown_rounds, tables, strict=False):
            to_come = stage.to_come(each.number)
            for row in rows:
                yield _standing_row(
                    competition, state.seq, stage.number, each.number, row, to_come[row.entry]
                )


@dataclass(frozen=True)
class Goes:
    """Where an entry goes in the next stage and why; None as long as a play-off or lots have to decide."""

    group: int | None
    why: str


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


def _standing_row(
    competition: Competition,
    seq: int,
    stage: int,
    number: int | None,
    row: ranking.Row,
    to_come: int,
    reach: Outlook | None = None,
    goes: Goes | None = None,
) -> Standing:
    return Standing(
        id=row_key(competition, "standing", stage, number, row.entry),
        competition=competition,
        stage_id=row_key(competition, "stage", stage),
        round_id=row_key(competition, "round", stage, number) if number else None,
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
        to_come=to_come,
        next_group=goes.group if goes else None,
        next_why=goes.why if goes else "",
        as_of=seq,
    )
