"""What the desk of another club may write into a competition: about its own teams, and nothing else.

An entry says which club entered it. Whoever acts for that club does so in the role ``club``; this is the only
place that says what the role may do, for the server and for whoever verifies a log.
"""

from collections.abc import Sequence

from games.engine.messages import Message, text
from games.engine.refusals import Illegal
from league.core.events import Event
from league.core.state.competition import Competition, Result, Table
from league.core.verbs.checking import ResultChecked, checked_by
from league.core.verbs.entering import Entered
from league.core.verbs.line_ups import LineUpSet
from league.core.verbs.objections import Objected
from league.core.verbs.rulings import Ruled

_NOT_YOURS: Message = text("Another club’s desk may do this only for its own teams.")


def club_may_not(state: Competition, event: Event, club: str | None = None) -> Message | None:
    """Return why the desk of a club may not write an event now, None where it may.

    Without a ``club`` it is enough that the entry has one: no file says for which club an account acts.
    """
    match event:
        case Entered():
            return _entered(state, event, club)
        case LineUpSet() | Objected():
            return None if _is_of(state, event.entry, club) else _NOT_YOURS
        case Ruled():
            return _ruled(state, event, club)
        case ResultChecked():
            return _checked(state, event, club)
        case _:
            return text("Another club’s desk may not do this.")


def refuse_for_club(state: Competition, events: Sequence[Event], club: str | None) -> None:
    """Raise `Illegal` for the first event that the desk of a club may not write."""
    for event in events:
        if refused := club_may_not(state, event, club or ""):
            raise Illegal(refused)


def _entered(state: Competition, event: Entered, club: str | None) -> Message | None:
    if event.club is None or club not in (None, event.club):
        return _NOT_YOURS
    return text("Another club can enter teams only before the start.") if state.started else None


def _is_of(state: Competition, entry: str | None, club: str | None) -> bool:
    """Return whether an entry is one of a club's, or of any."""
    known = state.entries.get(entry) if entry else None
    return known is not None and bool(known.club) and club in (None, known.club)


def _ruled(state: Competition, event: Ruled, club: str | None) -> Message | None:
    _stage, its_round, table = state.table(event.table)
    if not _sits_for(state, table, event.side, club):
        return _NOT_YOURS
    if its_round.status != "published":
        return text("The round is over: only an organiser can change that.")
    if table.decided and not (table.ruling and table.ruling.side):
        return text("The table is decided: only an organiser can change that.")
    if table.ruling and checked_by(state, table.ruling) is not None:
        return text("The result is confirmed: only an organiser can change that.")
    left = event.reason or event.against_scores
    return text("Only an organiser gives reasons for a result.") if left else None


def _checked(state: Competition, event: ResultChecked, club: str | None) -> Message | None:
    table = state.any_table(event.table)
    if not _sits_for(state, table, event.side, club):
        return _NOT_YOURS
    result = next((each for each in table.entered if each.seq == event.result), None)
    if result and result.side and _club_of(state, result) == state.entry(event.side or "").club:
        return text("Your club entered this result: the other one confirms it.")
    return None


def _club_of(state: Competition, result: Result) -> str:
    return state.entry(result.side).club


def _sits_for(state: Competition, table: Table, side: str | None, club: str | None) -> bool:
    return side in table.entries and _is_of(state, side, club)
