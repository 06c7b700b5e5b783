"""What the effects of entries ask of a state before they change it."""

from collections.abc import Sequence

from games.engine.refusals import Illegal
from league.competition.state import BEGINNING, Competition, Entry, EntryStatus, Point


def refuse_double(
    state: Competition, players: Sequence[str], since: Point = BEGINNING, itself: str = ""
) -> None:
    """Raise `Illegal` where one of the players plays or asks to for another entry from a point on."""
    for entry in state.entries:
        if entry.id != itself and not entry.engaged(since).isdisjoint(players):
            raise Illegal(f"A player of {entry.name} cannot play for a second entry.")


def refuse_after_start(state: Competition) -> None:
    """Raise `Illegal` once the field stands."""
    if state.started:
        raise Illegal("The competition has started.")


def refuse_beyond_places(state: Competition) -> None:
    """Raise `Illegal` where no place is free."""
    places = state.opening.entering.places
    if places and sum(entry.status == "entered" for entry in state.entries) >= places:
        raise Illegal(f"All {places} places are taken.")


def with_status(state: Competition, entry: str, status: EntryStatus, otherwise: str) -> Entry:
    """Return an entry that has the status; raise `Illegal` with the sentence given for any other."""
    found = state.entry(entry)
    if found.status != status:
        raise Illegal(otherwise)
    return found


def coming(state: Competition, number: int) -> Point:
    """Return the point from which a change counts; raise `Illegal` for a round that can't change any more.

    Before the start that is the beginning; then it is a round of the current stage that isn't published.
    """
    if not state.started:
        return BEGINNING
    stage = state.stage
    if stage is None:
        return (1, number)
    first = len(stage.shown_rounds) + 1
    if number < first:
        raise Illegal(f"Round {number} is published; this can count from round {first} on.")
    return (stage.number, number)
