"""The fold of a competition's log: the only thing that changes a state, and that checks every event."""

from collections.abc import Iterable

from games.engine.refusals import Illegal
from league.core.events import AFTER_THE_END, Event, apply, read, write
from league.core.state.competition import Competition
from league.core.verbs.start import Opened

__all__ = ["AFTER_THE_END", "apply", "begin", "fold", "read", "write"]


def begin(event: Event) -> Competition:
    """Return the state after a log's first event; raise `Illegal` where that is not `Opened`."""
    if not isinstance(event, Opened):
        raise Illegal("A competition's log must begin with its opening.")
    event.check()
    return Competition(seq=1, opening=event, status="preparing", plans=event.stages, root=event.root)


def fold(events: Iterable[Event]) -> Competition:
    """Return the state after all events, in order; raises what `begin` and `apply` raise."""
    ordered = iter(events)
    first = next(ordered, None)
    if first is None:
        raise Illegal("The log is empty.")
    state = begin(first)
    for event in ordered:
        state = apply(state, event)
    return state
