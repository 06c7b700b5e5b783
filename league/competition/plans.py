"""Whether a competition's plan fits its game and formats: asked once, before its log is opened."""

from collections.abc import Mapping

from games.engine.jsontypes import Json, JsonObject
from games.engine.refusals import Malformed
from games.engine.replay import AnyRuleset
from league import formats, tie_breaks
from league.competition import events as e
from league.formats.sizes import entry_sizes


def fitting(game: AnyRuleset, options: Mapping[str, Json]) -> tuple[tuple[int, ...], JsonObject]:
    """Return the numbers of seats for which a game takes the options, and the options filled in."""
    refused: Malformed | None = None
    fitting: list[int] = []
    filled: JsonObject = {}
    for seats in game.seats:
        try:
            filled = game.write_options(game.read_options(options, seats))
            fitting.append(seats)
        except Malformed as refusal:
            refused = refusal
    if refused and not fitting:
        raise refused
    return tuple(fitting), filled


def check_plan(opened: e.Opened, plan: e.StagePlan) -> None:
    """Raise `Malformed` where a stage does not fit its format or the game."""
    format_ = formats.find(plan.format)
    format_.read_params(plan)
    if not entry_sizes(opened):
        raise Malformed({"team_size": ["The game has no table for teams of this size."]})
    if unknown := [key for key in plan.tie_breaks if key not in tie_breaks.BY_KEY]:
        raise Malformed({"tie_breaks": [f"There is no tie-break {unknown[0]}."]})
    if plan.rounds == 0 and format_.rounds_asked:
        raise Malformed({"rounds": ["This format needs a number of rounds."]})
