"""The lots of a stage: the last tie-break, drawn when the stage closes."""

from typing import Annotated

from games.engine.chance import Chance
from games.engine.refusals import Illegal
from games.engine.shapes import Help
from games.engine.values import replace
from league.core.drawing.drawing import engine_of
from league.core.events import AND_SERVER, Event
from league.core.state import values as v
from league.core.state.checks import current_stage, refuse_unless_running, refuse_with_tables_to_come
from league.core.state.competition import Competition, Lots, Pending
from league.core.state.cut_off import Reveal
from league.core.state.updates import with_stage
from league.core.verb import Events, Given
from league.core.verbs.cut_off import by_chance, origin_of


class LotsDrawn(Event, type="lots_drawn"):
    """The lots of a stage are drawn: entries that are level on everything else stand in this order."""

    title = "Lots drawn"
    found_by = "tie broken by lot, level"
    said_by = AND_SERVER
    text = "The lots of %(stage)s are drawn; they decide only where entries are level."
    stage: v.Count
    entries: Annotated[v.Entries, Help("the best lot first")]
    reveal: Annotated[Reveal, Help("the secret value of the draw")]

    def apply(self, state: Competition) -> Competition:
        refuse_unless_running(state)
        stage = current_stage(state, self.stage)
        origin = origin_of(state.pending_for("lots", self.stage), self.reveal)
        if sorted(self.entries) != sorted(origin.cut_off.present):
            raise Illegal("Each entry of the stage has one lot.")
        drawn = with_stage(state, replace(stage, lots=Lots(self.entries, origin)))
        return replace(drawn, pending=None)


def draw_lots(pending: Pending, seed: bytes, reveal: Reveal) -> LotsDrawn:
    """Return the draw of the lots of a cut-off."""
    cut_off = pending.cut_off
    engine = engine_of(pending.frozen.plans[cut_off.stage - 1])
    return LotsDrawn(cut_off.stage, engine.lots(cut_off.present, Chance(seed)), reveal)


def lots_events(state: Competition, given: Given) -> tuple[Events, Competition]:
    """Return the events that draw the lots of the stage that closes, and the state after them.

    None where they are drawn already, or for a preview. Only the cut-off where the draw waits for the beacon.
    """
    if state.stage is None or state.stage.lots or given.previewing:
        return (), state
    if state.stage.open_round:
        raise Illegal("A round is still open.")
    refuse_with_tables_to_come(state)
    return by_chance(state, given, "lots", draw_lots)
