"""The rows of a competition as a whole: thrown away and rebuilt from its log."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q

from league import log
from league.core.events import Event, OpensGames
from league.log import Appended
from league.models import ClubGame, Competition, Entry, Stage, Standings
from league.projections.rows import follow
from league.projections.standings import compute_standings


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


def rename_entries(competition: Competition) -> None:
    """Bring the names of a competition's entries up to the names that their players have now."""
    Competition.objects.filter(pk=competition.pk).update(renamed=F("renamed") + 1)
    competition.refresh_from_db()
    for entry in log.latest(competition).entries:
        Entry.objects.filter(pk=entry.id).exclude(name=entry.name).update(name=entry.name)
