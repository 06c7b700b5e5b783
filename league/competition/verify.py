"""Whether a log's groups, draws and tables are those that its seed and formats give, by the events alone."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Final, Literal, TypeAlias

from games.engine.chance import Chance
from games.engine.refusals import Illegal
from league import formats
from league.competition import commands, fold
from league.competition import events as e
from league.competition.state import Competition, Stage
from league.formats.drawing import Drawing, Part

Verdict: TypeAlias = Literal["given", "fitting", "different"]
"""``given`` by log and seed; ``fitting`` as far as Python alone can tell; or ``different``."""

DIFFERENT: Final[Mapping[type[e.Event], str]] = {
    e.StageStarted: "The stage's groups are not those that the log and its seed give",
    e.Drawn: "The draw is not the one that the log and its seed give",
    e.TableOpened: "The table is not one that the format lets people open",
}


def verified(events: Iterable[e.Event]) -> Competition:
    """Return the state after all events, every draw, stage's groups and opened table made again.

    Raises `Illegal` where an event cannot happen, or is not what seed and format give. The draws made again
    are those of this release, and of the matching library that it runs on.
    """
    log = list(events)
    state = fold.fold(log[:1])
    for event in log[1:]:
        if verdict(state, event) == "different":
            raise Illegal(f"{DIFFERENT[type(event)]}.")
        state = fold.apply(state, event)
    return state


def verdict(state: Competition, event: e.Event) -> Verdict | None:
    """Return what making an event again says of it, None for one that neither seed nor format has a part in.

    Duels are drawn by a library. Where that is not installed their tables' ids, their report and the choice
    of who rests are checked, and that no exchange of two entries would make the draw cheaper.
    """
    match event:
        case e.StageStarted():
            return "given" if _made(commands.start_stage, state) == (event,) else "different"
        case e.Drawn():
            return _of_draw(state, event)
        case e.TableOpened():
            return "given" if _made(partial(_opened, event), state) == (event,) else "different"
        case _:
            return None


def _opened(event: e.TableOpened, state: Competition) -> commands.Events:
    entries = tuple(dict.fromkeys(entry for entry, _ in event.seats))
    return commands.open_table(state, table=event.table, entries=entries, games=event.games)


def _of_draw(state: Competition, event: e.Drawn) -> Verdict:
    try:
        return "given" if _made(commands.draw, state) == (event,) else "different"
    except ModuleNotFoundError:
        return "fitting" if state.stage and _fits(state, state.stage, event) else "different"


def _made(command: Callable[[Competition], commands.Events], state: Competition) -> commands.Events:
    try:
        return command(state)
    except Illegal:
        return ()


def _fits(state: Competition, stage: Stage, event: e.Drawn) -> bool:
    """Return whether a draw of duels is all that it can be but for the matching itself."""
    number = len(stage.shown_rounds) + 1
    seed = commands.draw_seed(state, stage, number)
    drawing = Drawing(state, stage, number, Chance(seed))
    levels = formats.find(stage.plan.format).levels(state, stage)

    def as_recorded(group: int, playing: Sequence[str]) -> Part:
        met = {
            tuple(dict.fromkeys(entry for entry, _ in each.seats))
            for each in event.tables
            if each.group == group and each.board == 1
        }
        return drawing.as_paired(group, playing, sorted(met), levels) or Part()

    return commands.proposal(state, stage, drawing.each_group(as_recorded, levels), seed) == event
