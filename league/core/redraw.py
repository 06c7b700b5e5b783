"""Repeats a log's groups, draws and opened tables from its seed and formats, and compares them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from games.engine.chance import Chance
from games.engine.messages import Message, text
from games.engine.refusals import Illegal
from league.core import fold, formats
from league.core.drawing.draw import GroupDraw
from league.core.drawing.drawing import Drawing
from league.core.events import Event
from league.core.state.competition import Competition, Stage
from league.core.verbs.draw import Drawn, draw_round, draw_seed, proposed
from league.core.verbs.open_table import TableOpened, table_opened
from league.core.verbs.start_stage import StageStarted, next_stage

Verdict: TypeAlias = Literal["given", "fitting", "different"]
"""Log and seed give the same (``given``), may give it as far as Python can tell (``fitting``), or do not."""

DIFFERENT: Final[Mapping[type[Event], Message]] = {
    StageStarted: text("The stage's groups are not those that the log and its seed give."),
    Drawn: text("The draw is not the one that the log and its seed give."),
    TableOpened: text("The format does not allow this table."),
}


def verified(events: Iterable[Event]) -> Competition:
    """Return the state after all events; every draw, opened table and division into groups is repeated.

    Raises `Illegal` where an event cannot happen, or is not what seed and format give. Draws are repeated as
    this release, with the installed matching library, makes them.
    """
    log = list(events)
    state = fold.fold(log[:1])
    for event in log[1:]:
        if verdict(state, event) == "different":
            raise Illegal(DIFFERENT[type(event)])
        state = fold.apply(state, event)
    return state


def verdict(state: Competition, event: Event) -> Verdict | None:
    """Return the verdict on an event, None for one that depends on neither seed nor format.

    Tables of two are drawn by a library. Without it their ids, the report and the byes are checked, and that
    no exchange of two entries would make the draw cheaper.
    """
    match event:
        case StageStarted():
            return _compared(event, lambda: next_stage(state))
        case Drawn():
            return _draw_verdict(state, event)
        case TableOpened():
            return _compared(event, lambda: _opened(state, event))
        case _:
            return None


def _compared(event: Event, make: Callable[[], Event]) -> Verdict:
    try:
        return "given" if make() == event else "different"
    except Illegal:
        return "different"


def _opened(state: Competition, event: TableOpened) -> TableOpened:
    entries = tuple(dict.fromkeys(entry for entry, _ in event.seats))
    return table_opened(state, table=event.table, entries=entries, games=event.games)


def _draw_verdict(state: Competition, event: Drawn) -> Verdict:
    try:
        return _compared(event, lambda: draw_round(state))
    except ModuleNotFoundError:
        return "fitting" if state.stage and _fits(state, state.stage, event) else "different"


def _fits(state: Competition, stage: Stage, event: Drawn) -> bool:
    """Return whether a draw of tables of two is correct, apart from the matching itself."""
    number = state.next_round
    seed = draw_seed(state, stage, number)
    drawing = Drawing(state, stage, number, Chance(seed))
    levels = formats.find(stage.plan.format).levels(state, stage)

    def as_recorded(group: int, playing: Sequence[str]) -> GroupDraw:
        pairs = {
            tuple(dict.fromkeys(entry for entry, _ in each.seats))
            for each in event.tables
            if each.group == group and each.board == 1
        }
        return drawing.as_paired(group, playing, sorted(pairs), levels) or GroupDraw()

    return proposed(state, stage, drawing.each_group(as_recorded, levels), seed) == event
