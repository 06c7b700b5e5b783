"""What the events of those who take part do: checking in, leaving, returning, substitutes, absence."""

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
from league.competition.events import Absent, Attending, CheckedIn, Present, Returned, Substituted, Withdrawn
from league.competition.state import BEGINNING, Competition, Point


def effect(state: Competition, event: Attending) -> Competition:
    """Return the state after an event of an entry that takes part; raise `Illegal`."""
    match event:
        case CheckedIn():
            return checked_in(state, event)
        case Withdrawn():
            return withdrawn(state, event)
        case Returned():
            return returned(state, event)
        case Substituted():
            return substituted(state, event)
        case Absent():
            return absent(state, event)
        case Present():
            return present(state, event)
        case _:
            assert_never(event)


def checked_in(state: Competition, event: CheckedIn) -> Competition:
    """Note that an entry is there."""
    entry = with_status(state, event.entry, "entered", "Only an entry that takes part can check in.")
    refuse_after_start(state)
    if entry.checked_in:
        raise Illegal(f"{entry.name} has checked in already.")
    return with_entry(state, replace(entry, checked_in=True))


def withdrawn(state: Competition, event: Withdrawn) -> Competition:
    """End an entry's part from a round on; tables it sits at now are decided as tables are."""
    entry = state.entry(event.entry)
    if not entry.live:
        raise Illegal(f"{entry.name} does not take part.")
    until = coming(state, event.from_round)
    kept = tuple((since, end) for since, end in entry.spells if since < until)
    spells = (*kept[:-1], (kept[-1][0], until)) if kept else ()
    left = replace(entry, status="withdrawn", spells=spells)
    return with_entry(without_proposal(state, until), left)


def returned(state: Competition, event: Returned) -> Competition:
    """Let a withdrawn entry play again."""
    entry = with_status(state, event.entry, "withdrawn", "Only a withdrawn entry can return.")
    refuse_beyond_places(state)
    since = coming(state, event.from_round)
    refuse_double(state, entry.players, since, itself=entry.id)
    if entry.spells and entry.spells[-1][1] is not None and since < entry.spells[-1][1]:
        raise Illegal(f"{entry.name} still takes part in round {event.from_round}.")
    back = replace(entry, status="entered", spells=(*entry.spells, (since, None)))
    state = with_entry(without_proposal(state, since), back)
    if state.stage and entry.id not in state.stage.entries:
        return grouped(state, entry.id)
    return state


def substituted(state: Competition, event: Substituted) -> Competition:
    """Change an entry's line-up from a round on; its results stay the entry's."""
    entry = state.entry(event.entry)
    if entry.status != "entered":
        raise Illegal(f"{entry.name} does not take part.")
    if event.out not in entry.players:
        raise Illegal(f"Only a player of {entry.name} can be replaced.")
    since = coming(state, event.from_round)
    refuse_double(state, [event.into], since)
    players = tuple(event.into if player == event.out else player for player in entry.players)
    lineups = (*(each for each in entry.lineups if each[0] < since), (since, players))
    return with_entry(without_proposal(state, since), replace(entry, lineups=lineups))


def absent(state: Competition, event: Absent) -> Competition:
    """Keep an entry out of a round's draw; the scoring says what that costs."""
    entry = state.entry(event.entry)
    at = _round_to_come(state, event.round)
    if not entry.plays(at):
        raise Illegal(f"{entry.name} does not play in round {event.round} anyway.")
    state = without_proposal(state, at)
    return with_entry(state, replace(entry, absences=(*entry.absences, at)))


def present(state: Competition, event: Present) -> Competition:
    """Take an absence back while the round can still be drawn with the entry."""
    entry = state.entry(event.entry)
    at = _round_to_come(state, event.round)
    if at not in entry.absences:
        raise Illegal(f"{entry.name} has not said to miss round {event.round}.")
    left = tuple(each for each in entry.absences if each != at)
    return with_entry(without_proposal(state, at), replace(entry, absences=left))


def _round_to_come(state: Competition, number: int) -> Point:
    at = coming(state, number)
    return (1, number) if at == BEGINNING else at
