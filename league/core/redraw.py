"""Repeats a log's groups, draws and opened tables from its seed and formats, and compares them."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Literal, TypeAlias

from games.engine.messages import Message, text
from games.engine.refusals import Illegal
from league.core import fold
from league.core.events import Event
from league.core.state.competition import Competition, Pending
from league.core.state.cut_off import Reveal
from league.core.verbs.cut_off import LotsDrawn, draw_lots, seed_of
from league.core.verbs.draw import Drawn, draw_round
from league.core.verbs.stages import StageStarted, next_stage
from league.core.verbs.tables import TableOpened, table_opened

Verdict: TypeAlias = Literal["given", "different"]
"""Log and seed give the same (``given``), or do not."""

DIFFERENT: Final[Mapping[type[Event], Message]] = {
    StageStarted: text("The stage's groups are not those that the log and its seed give."),
    LotsDrawn: text("The lots are not those that the seed gives."),
    Drawn: text("The draw is not the one that the log and its seed give."),
    TableOpened: text("The format does not allow this table."),
}


def verified(events: Iterable[Event]) -> Competition:
    """Return the state after all events; every draw, opened table and division into groups is repeated.

    Raises `Illegal` where an event cannot happen, or is not what seed and format give. Draws are repeated as
    this release makes them.
    """
    log = list(events)
    state = fold.fold(log[:1])
    for event in log[1:]:
        if verdict(state, event) == "different":
            raise Illegal(DIFFERENT[type(event)])
        state = fold.apply(state, event)
    return state


def verdict(state: Competition, event: Event) -> Verdict | None:
    """Return the verdict on an event, None for one that depends on neither seed nor format."""
    match event:
        case StageStarted():
            return _compared(event, lambda: _started(state, event))
        case LotsDrawn():
            return _compared(event, lambda: draw_lots(*_pending(state, event.reveal)))
        case Drawn():
            return _compared(event, lambda: draw_round(*_pending(state, event.reveal)))
        case TableOpened():
            return _compared(event, lambda: _opened(state, event))
        case _:
            return None


def _compared(event: Event, make: Callable[[], Event]) -> Verdict:
    try:
        return "given" if make() == event else "different"
    except Illegal:
        return "different"


def _pending(state: Competition, reveal: Reveal) -> tuple[Pending, bytes, Reveal]:
    """Return the cut-off of a draw, its seed, and what was revealed; raise `Illegal` without a cut-off."""
    if state.pending is None:
        raise Illegal("Each draw needs a cut-off of its own.")
    return state.pending, seed_of(state.pending.cut_off, reveal), reveal


def _started(state: Competition, event: StageStarted) -> StageStarted:
    if event.reveal is None:
        return next_stage(state)
    pending, seed, reveal = _pending(state, event.reveal)
    return next_stage(pending.frozen, seed, reveal)


def _opened(state: Competition, event: TableOpened) -> TableOpened:
    entries = tuple(dict.fromkeys(entry for entry, _ in event.seats))
    return table_opened(state, table=event.table, entries=entries, games=event.games)
