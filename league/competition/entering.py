"""What the events of a place in the competition do: applying, entering, approval, the waiting list."""

from dataclasses import replace
from typing import assert_never

from games.engine.refusals import Illegal
from league.competition.changes import grouped, with_entry, without_proposal
from league.competition.checks import (
    coming,
    refuse_after_start,
    refuse_beyond_places,
    refuse_double,
    with_status,
)
from league.competition.events import Admitted, Applied, Approved, Entered, Joining, Rejected
from league.competition.state import BEGINNING, Competition, Entry, EntryStatus, Point


def effect(state: Competition, event: Joining) -> Competition:
    """Return the state after an event of somebody who wants a place; raise `Illegal`."""
    match event:
        case Applied():
            return applied(state, event)
        case Entered():
            return entered(state, event)
        case Approved():
            return approved(state, event)
        case Rejected():
            return rejected(state, event)
        case Admitted():
            return admitted(state, event)
        case _:
            assert_never(event)


def applied(state: Competition, event: Applied) -> Competition:
    """Add an applicant."""
    if state.status != "entering":
        raise Illegal("Entries are not open.")
    return _added(state, event, "applied", BEGINNING)


def entered(state: Competition, event: Entered) -> Competition:
    """Add an entry that takes part, or that waits for a place."""
    if event.waiting:
        refuse_after_start(state)
        return _added(state, event, "waiting", BEGINNING)
    refuse_beyond_places(state)
    since = _since(state, event)
    if event.next_stage:
        return _added(state, event, "entered", since)
    state = _added(without_proposal(state, since), event, "entered", since)
    return grouped(state, event.entry)


def _since(state: Competition, event: Entered | Admitted) -> Point:
    """Return the point from which a new entry takes part."""
    return (len(state.stages) + 1, 1) if event.next_stage else coming(state, event.from_round)


def _added(state: Competition, event: Applied | Entered, status: EntryStatus, since: Point) -> Competition:
    if any(entry.id == event.entry for entry in state.entries):
        raise Illegal("This entry has been made already.")
    if any(entry.live and entry.name == event.name for entry in state.entries):
        raise Illegal(f"There is an entry named {event.name} already.")
    if len({*event.players}) != len(event.players) or len(event.players) != state.opening.team_size:
        raise Illegal(f"An entry here has {state.opening.team_size} different players.")
    refuse_double(state, event.players, since)
    entry = Entry(
        id=event.entry,
        name=event.name,
        lineups=((BEGINNING, event.players),),
        status=status,
        affiliation=event.affiliation,
        spells=((since, None),),
    )
    return replace(state, entries=(*state.entries, entry))


def approved(state: Competition, event: Approved) -> Competition:
    """Make an applicant an entry."""
    entry = with_status(state, event.entry, "applied", "Only an applicant can be approved.")
    refuse_after_start(state)
    if not event.waiting:
        refuse_beyond_places(state)
    return with_entry(state, replace(entry, status="waiting" if event.waiting else "entered"))


def rejected(state: Competition, event: Rejected) -> Competition:
    """Turn an applicant away."""
    entry = with_status(state, event.entry, "applied", "Only an applicant can be rejected.")
    return with_entry(state, replace(entry, status="rejected"))


def admitted(state: Competition, event: Admitted) -> Competition:
    """Give the place that fell free to an entry of the waiting list."""
    entry = with_status(state, event.entry, "waiting", "Only an entry that waits can be admitted.")
    refuse_beyond_places(state)
    since = _since(state, event)
    taken = replace(entry, status="entered", spells=((since, None),))
    if event.next_stage:
        return with_entry(state, taken)
    return grouped(with_entry(without_proposal(state, since), taken), entry.id)
