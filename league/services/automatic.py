"""What the server does in competitions by itself: it records results, takes next steps, completes draws."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import structlog
from django.conf import settings
from django.db import transaction

from games import database_time
from games import log as games
from games.engine.messages import text
from games.engine.refusals import Malformed, Refusal, Stale
from games.models import Game
from league import hooks, log
from league.callers import ByServer
from league.choices import EventRole, TableStatus
from league.core import commitment
from league.core.course import Step
from league.core.events import Event, changes
from league.core.open_tables import following
from league.core.state.competition import Competition as State
from league.core.verb import Given, Verb
from league.core.verbs.answers import LapseChallenges
from league.core.verbs.course import FinishCompetition
from league.core.verbs.draw import CompleteDraw, DrawRound
from league.core.verbs.results import RecordResult
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.stages import StartStage
from league.log import Appended, Author
from league.models import BeaconValue, ClubGame, Competition
from league.ops import posting
from league.ops.posting import Unreachable
from league.projections import standings as projections
from league.queries import due, score_cards
from league.queries.competitions import can_advance, step_now
from league.queries.verbs import result_of, with_wishes_of_waiting
from league.services.channel import tell, topic
from league.services.verbs import perform, write

# ---- Results: from the logs of games into that of their competition, and into standings ----------

_MOST_TOGETHER: Final = 100


def record_result(*, game_id: UUID) -> Appended | None:
    """Record how a competition's game ended, and the other ends that wait.

    A second time returns None, as long as the game was not corrected. Of a score card the log then says whose
    entry, correction or confirmation was the last one; one that was corrected is recorded again, also where
    it goes on. Returns None for another game that runs, and for one that belongs to no competition, or to a
    round that was withdrawn. Raises ClubGame.DoesNotExist.
    """
    found = ClubGame.objects.values_list(
        "competition", "recorded", "game__status", "table__status", "table__match"
    )
    # Of many messages at once most find their result recorded.
    competition, recorded, status, table, match = found.get(game=game_id)
    over = status in (Game.Status.FINISHED, Game.Status.ABANDONED)
    has_end = table == TableStatus.PLAYED or match is not None
    if competition is None or table is None or (recorded if over else not has_end):
        return None
    club_game = ClubGame.objects.select_related("game", "table").get(game=game_id)
    given = Given(str(competition), database_time.now(), "system")
    writer = score_cards.last_writer(club_game.game)

    def command(state: State, now: datetime) -> Sequence[Event]:
        known = with_wishes_of_waiting(given, state)
        # When this runs nobody else writes to the log: of many ends at once, few calls record most.
        found, state = _decided(_verb(club_game), state, known.at(now))
        others = [*due.ends_to_record(competition).exclude(pk=club_game.pk)[:_MOST_TOGETHER]]
        left = games.left(other.pk for other in others) if others else {}
        for other in others:
            if score_cards.last_writer(other.game) != writer:
                continue
            with suppress(Refusal):
                more, state = _decided(_verb(other, left), state, known.at(now))
                found += more
        return found

    return write(competition_id=competition, author=Author(EventRole.SYSTEM, writer), command=command)


def _verb(club_game: ClubGame, left: Mapping[tuple[UUID, int], str] | None = None) -> RecordResult:
    return RecordResult(**vars(result_of(club_game, left)))


def _decided(verb: RecordResult, state: State, given: Given) -> tuple[list[Event], State]:
    """Return the events of a verb, and the state that they leave; raise `Refusal`."""
    made = list(changes(state, following(state, verb.decide(state, given), given.now, given.wishes)))
    return [change.event for change in made], made[-1].after if made else state


@transaction.atomic
def compute_standings(*, competition_id: UUID) -> None:
    """Bring a competition's standings up to its log, and write deliveries if they are new."""
    if projections.compute_standings(competition_id):
        competition = Competition.objects.get(pk=competition_id)
        hooks.standings_computed(competition)
        tell([topic("competition", competition.pk)])


# ---- The automatic pace: each step that needs no person ------------------------------------------

_STEPS: Final[dict[Step, Verb]] = {
    "start_stage": StartStage(),
    "draw": DrawRound(),
    "publish": PublishRound(),
    "close_round": CloseRound(),
    "finish": FinishCompetition(),
}


def advance(*, competition_id: UUID) -> None:
    """Take the steps of an automatic competition until it waits for a person or for some time, or is over.

    Raises `Illegal` where the next round cannot be drawn: that needs an organiser.
    """
    while _advanced(competition_id):
        pass


def _advanced(competition_id: UUID) -> bool:
    """Take the next step if the service may take it; return whether there may be another."""
    competition = Competition.objects.get(pk=competition_id)
    state = log.latest(competition)
    if not can_advance(state, competition):
        return False
    # If somebody else has just taken a step, the next call finds what follows it.
    with suppress(Stale):
        perform(ByServer(), competition=competition, verb=_STEPS[step_now(state)], seq=competition.seq + 1)
    return True


def lapse_challenges(*, competition_id: UUID) -> None:
    """Let the challenges lapse whose time is over; nothing where somebody has answered meanwhile."""
    competition = Competition.objects.get(pk=competition_id)
    perform(ByServer(), competition=competition, verb=LapseChallenges())


# ---- The public beacon: fetched, kept, and used for the draws that wait for it -------------------

SECONDS: Final = 5
"""How long one server of the beacon has to answer, in all."""
_MOST_BYTES: Final = 10_000
_log = structlog.get_logger(__name__)


def keep(answer: Mapping[str, Any]) -> BeaconValue:
    """Keep a round of the beacon, as its servers answer it; raise `Malformed` where that does not hold.

    The randomness must be the hash of the signature. Whether the signature is the beacon's is not checked.
    """
    try:
        number, signature = int(answer["round"]), str(answer["signature"])
        randomness = hashlib.sha256(bytes.fromhex(signature)).hexdigest()
        fits = len(signature) == 96 and number > 0 and answer.get("randomness", randomness) == randomness
    except (KeyError, TypeError, ValueError):
        fits = False
    if not fits:
        raise Malformed({"beacon": [text("This is not a round of the beacon with its signature.")]})
    value, _created = BeaconValue.objects.get_or_create(round=number, defaults={"signature": signature})
    return value


def fetch(number: int) -> bool:
    """Fetch a round from the first server that answers rightly; return whether it is kept now."""
    if BeaconValue.objects.filter(round=number).exists():
        return True
    for url in settings.BEACON_URLS:
        try:
            asked = f"{url.rstrip('/')}/{commitment.CHAIN}/public/{number}"
            answer = json.loads(posting.ask(asked, seconds=SECONDS, most=_MOST_BYTES))
            if answer["round"] == number:
                keep(answer)
                return True
        except (Unreachable, ValueError, KeyError, TypeError, RecursionError, Malformed) as error:
            _log.warning("beacon_does_not_answer", url=url, round=number, why=str(error))
    return False


def complete(*, competition_id: UUID) -> None:
    """Make the draw of a competition that waits for the beacon, once its round is due and known."""
    competition = Competition.objects.get(pk=competition_id)
    number = log.latest(competition).awaited_beacon
    if number and database_time.now() >= commitment.round_time(number) and fetch(number):
        # If somebody else has just made the draw, nothing is left to do.
        with suppress(Stale):
            perform(ByServer(), competition=competition, verb=CompleteDraw(), seq=competition.seq + 1)


def keep_lines(lines: Iterable[str]) -> int:
    """Keep the rounds in a file, one JSON object a line; return their number; raise `Malformed`."""
    filled = [line for line in lines if line.strip()]
    try:
        answers = [json.loads(line) for line in filled]
    except ValueError:
        raise Malformed({"beacon": [text("Each line must be a JSON object.")]}) from None
    return len([keep(answer) for answer in answers])
