"""Whether a log's draws are those that its seed gives: what anybody can ask who has the events."""

from collections.abc import Iterable

from games.engine.refusals import Illegal
from league.competition import commands, fold
from league.competition import events as e
from league.competition.state import Competition


def verified(events: Iterable[e.Event]) -> Competition:
    """Return the state after all events, every draw and every stage's groups made again from the seed.

    Raises `Illegal` where an event cannot happen, or is not what chance gave. The draws made again are those
    of this release, and of the matching library that it runs on.
    """
    log = list(events)
    state = fold.fold(log[:1])
    for event in log[1:]:
        if isinstance(event, e.StageStarted) and commands.start_stage(state) != (event,):
            raise Illegal("The stage's groups are not those that the log and its seed give.")
        if isinstance(event, e.Drawn) and commands.draw(state) != (event,):
            raise Illegal("The draw is not the one that the log and its seed give.")
        state = fold.apply(state, event)
    return state
