"""Results of games: brought from their own logs into their competition's, and from there into standings."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction

from games import database_time
from games import log as games
from games.engine.refusals import Refusal
from games.models import Game
from league import hooks
from league.choices import EventRole, TableStatus
from league.core.events import Event, changes
from league.core.state.competition import Competition as State
from league.core.verb import Given
from league.core.verbs.results import RecordResult
from league.log import Appended, Author
from league.models import ClubGame, Competition
from league.projections import standings as projections
from league.queries import due, score_cards
from league.queries.given import result_of
from league.services.channel import tell, topic
from league.services.verbs import write

_MOST_TOGETHER: Final = 100


def record_result(*, game_id: UUID) -> Appended | None:
    """Record how a competition's game ended, and the other ends that wait.

    A second time returns None, as long as the game was not corrected. Of a score card the log then says whose
    entry, correction or confirmation was the last one; one that was corrected is recorded again, also where
    it goes on. Returns None for another game that runs, and for one that belongs to no competition, or to a
    round that was withdrawn. Raises ClubGame.DoesNotExist.
    """
    found = ClubGame.objects.values_list("competition", "recorded", "game__status", "table__status")
    # Of many messages at once most find their result recorded.
    competition, recorded, status, table = found.get(game=game_id)
    over = status in (Game.Status.FINISHED, Game.Status.ABANDONED)
    if competition is None or table is None or (recorded if over else table != TableStatus.PLAYED):
        return None
    club_game = ClubGame.objects.select_related("game", "table").get(game=game_id)
    given = Given(str(competition), database_time.now(), "system")
    writer = score_cards.last_writer(club_game.game)

    def command(state: State, now: datetime) -> Sequence[Event]:
        # When this runs nobody else writes to the log: of many ends at once, few calls record most.
        found, state = _decided(_verb(club_game), state, given)
        others = [*due.ends_to_record(competition).exclude(pk=club_game.pk)[:_MOST_TOGETHER]]
        left = games.left(other.pk for other in others) if others else {}
        for other in others:
            if score_cards.last_writer(other.game) != writer:
                continue
            with suppress(Refusal):
                more, state = _decided(_verb(other, left), state, given)
                found += more
        return found

    return write(competition_id=competition, author=Author(EventRole.SYSTEM, writer), command=command)


def _verb(club_game: ClubGame, left: Mapping[tuple[UUID, int], str] | None = None) -> RecordResult:
    return RecordResult(**vars(result_of(club_game, left)))


def _decided(verb: RecordResult, state: State, given: Given) -> tuple[list[Event], State]:
    """Return the events of a verb, and the state that they leave; raise `Refusal`."""
    made = list(changes(state, verb.decide(state, given)))
    return [change.event for change in made], made[-1].after if made else state


@transaction.atomic
def compute_standings(*, competition_id: UUID) -> None:
    """Bring a competition's standings up to its log, and write deliveries if they are new."""
    if projections.compute_standings(competition_id):
        competition = Competition.objects.get(pk=competition_id)
        hooks.standings_computed(competition)
        tell([topic("competition", competition.pk)])
