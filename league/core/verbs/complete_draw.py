"""Complete the draw that waits for the public beacon."""

from games.engine.refusals import Illegal
from league.core.state.competition import Competition
from league.core.verb import Events, Given, Verb
from league.core.verbs.cut_off import by_chance, lots_events
from league.core.verbs.draw import draw_round
from league.core.verbs.start_stage import stage_events


class CompleteDraw(Verb, key="complete-draw"):
    """Make the draw whose cut-off waits for a round of the public beacon, now that its value is known."""

    audience = "system"
    uses_secret = True

    def decide(self, state: Competition, given: Given) -> Events:
        if not state.awaited_beacon or state.pending is None:
            raise Illegal("No draw waits for the beacon.")
        match state.pending.cut_off.purpose:
            case "groups":
                return stage_events(state, given)
            case "round":
                return by_chance(state, given, "round", draw_round)[0]
            case "lots":
                return lots_events(state, given)[0]
