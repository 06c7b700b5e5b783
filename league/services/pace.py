"""The automatic pace: the service takes each step of a competition that needs no person."""

from contextlib import suppress
from typing import Final
from uuid import UUID

from games.engine.refusals import Stale
from league import log
from league.callers import ByServer
from league.core.course import Step
from league.core.verb import Verb
from league.core.verbs.course import FinishCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.stages import StartStage
from league.models import Competition
from league.queries.competitions import can_advance, step_now
from league.services.verbs import perform

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
    if not can_advance(state, competition.changed_at):
        return False
    # If somebody else has just taken a step, the next call finds what follows it.
    with suppress(Stale):
        perform(ByServer(), competition=competition, verb=_STEPS[step_now(state)], seq=competition.seq + 1)
    return True
