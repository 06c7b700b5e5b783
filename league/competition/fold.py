"""The fold of a competition's log: the only thing that changes a state, and the judge of every event."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final, assert_never

from games.engine.refusals import Illegal
from league.competition import attending, entering, rounds, tables
from league.competition import events as e
from league.competition.state import Competition

AFTER_THE_END: Final = "The competition is over."


def begin(event: e.Event) -> Competition:
    """Return the state after a log's first event; raise `Illegal` where that is not `events.Opened`."""
    if not isinstance(event, e.Opened):
        raise Illegal("A competition's log begins with its opening.")
    if event.lineup == "single" and event.team_size != 1:
        raise Illegal("Single players enter one by one.")
    return Competition(seq=1, opening=event, status="preparing", plans=event.stages)


def fold(events: Iterable[e.Event]) -> Competition:
    """Return the state after all events, in order; raises what `begin` and `apply` raise."""
    ordered = iter(events)
    first = next(ordered, None)
    if first is None:
        raise Illegal("The log is empty.")
    state = begin(first)
    for event in ordered:
        state = apply(state, event)
    return state


def apply(state: Competition, event: e.Event) -> Competition:
    """Return the state after one more event; raise `Illegal` where it cannot happen now."""
    if state.over:
        raise Illegal(AFTER_THE_END)
    return replace(_effect(state, event), seq=state.seq + 1)


def _effect(state: Competition, event: e.Event) -> Competition:
    match event:
        case e.Opened():
            raise Illegal("The competition is open already.")
        case e.EntriesOpened() | e.EntriesClosed() | e.Started():
            return _prepared(state, event)
        case e.Paused() | e.Resumed() | e.Cancelled() | e.Finished():
            return _steered(state, event)
        case e.Applied() | e.Entered() | e.Approved() | e.Rejected() | e.Admitted():
            return entering.effect(state, event)
        case e.CheckedIn() | e.Withdrawn() | e.Returned() | e.Substituted() | e.Absent() | e.Present():
            return attending.effect(state, event)
        case _:
            return _of_play(state, event)


def _of_play(state: Competition, event: e.OfRound | e.OfTable) -> Competition:
    if isinstance(event, e.OfRound):
        return rounds.effect(state, event)
    return tables.effect(state, event)


def _prepared(state: Competition, event: e.Preparing) -> Competition:
    if state.started:
        raise Illegal("The competition has started.")
    match event:
        case e.EntriesOpened():
            return replace(state, status="entering")
        case e.EntriesClosed():
            return replace(state, status="preparing")
        case e.Started():
            return _started(state)
        case _:
            assert_never(event)


def _started(state: Competition) -> Competition:
    if sum(entry.status == "entered" for entry in state.entries) < 2:
        raise Illegal("There are too few entries for a single table.")
    return replace(state, status="running", started=True)


def _steered(state: Competition, event: e.Steering) -> Competition:
    match event:
        case e.Paused():
            _expect(state.status == "running", "Only a running competition can be paused.")
            return replace(state, status="paused", reason=event.reason)
        case e.Resumed():
            _expect(state.status == "paused", "The competition is not paused.")
            return replace(state, status="running", reason="")
        case e.Cancelled():
            return replace(state, status="cancelled", reason=event.reason)
        case e.Finished():
            _expect(state.status == "running", "Only a running competition can be finished.")
            _expect(not (state.stage and state.stage.open_round), "A round is still open.")
            return replace(state, status="finished")
        case _:
            assert_never(event)


def _expect(holds: bool, otherwise: str) -> None:
    if not holds:
        raise Illegal(otherwise)
