"""Checks that a competition's plan fits its game and formats, made once, before its log is opened."""

from collections.abc import Mapping

from games.engine.jsontypes import Json, JsonObject
from games.engine.messages import Message, either, plural, text
from games.engine.refusals import Malformed, below, together
from games.engine.replay import AnyRuleset
from league.core import editions, formats
from league.core.drawing.sizes import entry_sizes, stage_sizes, table_sizes
from league.core.standings import tie_breaks
from league.core.state.plan import Opening, StagePlan


def fitting(game: AnyRuleset, options: Mapping[str, Json]) -> tuple[tuple[int, ...], JsonObject]:
    """Return the numbers of seats for which a game accepts the options, and the options with defaults.

    Raises `Malformed` where it accepts them for no number of seats.
    """
    refused: Malformed | None = None
    fitting: list[int] = []
    complete: JsonObject = {}
    for seats in game.seats:
        try:
            complete = game.write_options(game.read_options(options, seats))
            fitting.append(seats)
        except Malformed as refusal:
            refused = refusal
    if refused and not fitting:
        raise refused
    return tuple(fitting), complete


def check_plans(opened: Opening) -> None:
    """Raise `Malformed` where stages do not fit the game or their formats; paths name the stage by index."""
    stages = (None, *opened.stages)
    with together() as each:
        for index, plan in enumerate(opened.stages):
            with each(), below(f"stages.{index}"):
                check_plan(opened, plan, stages[index])
        if not entry_sizes(opened):
            with each():
                raise Malformed({"team_size": [text("The game has no table for teams of this size.")]})


def check_plan(opened: Opening, plan: StagePlan, before: StagePlan | None) -> None:
    """Raise `Malformed` where a stage does not fit its format, the game, or the stage before."""
    format_ = formats.of(editions.named(plan))
    with together() as each:
        with each(), below("params"):
            format_.read_params(plan)
        for check in (_check_tie_breaks, _check_table_size, _check_sizes):
            with each():
                check(opened, plan)
        with each():
            _check_intake(plan, before)
        if plan.rounds == 0 and format_.rounds_asked:
            with each():
                raise Malformed({"rounds": [text("This format needs a number of rounds.")]})


def _check_tie_breaks(_opened: Opening, plan: StagePlan) -> None:
    if unknown := [key for key in plan.tie_breaks if key not in tie_breaks.BY_KEY]:
        raise Malformed({"tie_breaks": [text("There is no tie-break %(key)s.", key=unknown[0])]})


def _check_table_size(opened: Opening, plan: StagePlan) -> None:
    if (sizes := entry_sizes(opened)) and plan.table_size not in sizes:
        sentence = text(
            "The game has no table for %(size)d entries; choose %(sizes)s.",
            size=plan.table_size,
            sizes=either([str(size) for size in sizes]),
        )
        raise Malformed({"table_size": [sentence]})


def _check_sizes(opened: Opening, plan: StagePlan) -> None:
    """Raise `Malformed` where the divisions can't have the sizes that the plan asks for."""
    sizes = plan.intake.sizes
    if sizes and len(sizes) >= plan.groups:
        raise Malformed({"intake.sizes": [_too_many_sizes(plan.groups - 1)]})
    allowed = stage_sizes(opened, plan)
    for size in sizes:
        if allowed and not table_sizes(size, allowed, plan.table_size):
            least = min(allowed)
            sentence = text(
                "No table can be made of %(size)d entries: it takes %(least)d.", size=size, least=least
            )
            raise Malformed({"intake.sizes": [sentence]})


def _too_many_sizes(most: int) -> Message:
    return plural(
        "Give at most %(count)d size: the last division takes all who are left.",
        "Give at most %(count)d sizes: the last division takes all who are left.",
        most,
    )


def _check_intake(plan: StagePlan, before: StagePlan | None) -> None:
    intake = plan.intake
    if before is None and intake.source != "entries":
        raise Malformed({"intake.source": [text("The first stage must be for all entries.")]})
    if intake.source == "best" and intake.best == 0:
        raise Malformed({"intake.best": [text("This must say how many of each group qualify.")]})
    if intake.source == "promotion" and before and plan.groups != before.groups:
        raise Malformed(
            {
                "groups": [
                    text("This must be the same as in the stage before: %(count)d.", count=before.groups)
                ]
            }
        )
