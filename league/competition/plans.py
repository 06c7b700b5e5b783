"""Whether a competition's plan fits its game and formats: asked once, before its log is opened."""

from collections.abc import Mapping

from games.engine.jsontypes import Json, JsonObject
from games.engine.refusals import Malformed, below
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


def check_plans(opened: e.Opened) -> None:
    """Raise `Malformed`, each path with its stage's number, where stages do not fit game or formats."""
    before: e.StagePlan | None = None
    errors: dict[str, list[str]] = {}
    for number, plan in enumerate(opened.stages):
        try:
            with below(f"stages.{number}"):
                check_plan(opened, plan, before)
        except Malformed as refusal:
            errors |= refusal.errors
        before = plan
    if not entry_sizes(opened):
        raise Malformed({"team_size": ["The game has no table for teams of this size."]})
    if errors:
        raise Malformed(errors)


def check_plan(opened: e.Opened, plan: e.StagePlan, before: e.StagePlan | None) -> None:
    """Raise `Malformed` where a stage fits neither its format nor the game, nor follows the one before."""
    format_ = formats.find(plan.format)
    with below("params"):
        format_.read_params(plan)
    if unknown := [key for key in plan.tie_breaks if key not in tie_breaks.BY_KEY]:
        raise Malformed({"tie_breaks": [f"There is no tie-break {unknown[0]}."]})
    if plan.rounds == 0 and format_.rounds_asked:
        raise Malformed({"rounds": ["This format needs a number of rounds."]})
    if plan.table_size == 2 and entry_sizes(opened) and 2 not in entry_sizes(opened):
        raise Malformed({"table_size": ["The game has no table for two."]})
    _check_intake(plan, before)


def _check_intake(plan: e.StagePlan, before: e.StagePlan | None) -> None:
    intake = plan.intake
    if before is None and intake.source != "entries":
        raise Malformed({"intake.source": ["The first stage takes in every entry."]})
    if intake.source == "best" and intake.best == 0:
        raise Malformed({"intake.best": ["This must say how many of each group go on."]})
    if intake.source == "promotion" and before and plan.groups != before.groups:
        raise Malformed({"groups": [f"As many divisions as the stage before has: {before.groups}."]})
