"""Conditions that events check before they change a state."""

from collections.abc import Sequence

from games.engine.messages import Message, plural, text
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.state.competition import (
    BEGINNING,
    Competition,
    Entry,
    EntryStatus,
    Point,
    Round,
    Stage,
    Status,
    Table,
)


def refuse_double(
    state: Competition, players: Sequence[str], since: Point = BEGINNING, itself: str = ""
) -> None:
    """Raise `Illegal` where one of the players belongs to another entry from a point on."""
    if entry := doubled(state, players, since, itself):
        raise Illegal(text("A player of %(name)s cannot play for a second entry.", name=entry.name))


def doubled(state: Competition, players: Sequence[str], since: Point, itself: str) -> Entry | None:
    """Return another entry to which one of the players belongs from a point on, None for none."""
    theirs = (entry for player in players for entry in state.entries.found(player) if entry.id != itself)
    return next((entry for entry in theirs if not entry.engaged(since).isdisjoint(players)), None)


def refuse_taken_name(state: Competition, name: str, itself: str = "") -> None:
    """Raise `Illegal` where another entry that takes part, waits or has applied has the name."""
    named = state.entries.found(name)
    if any(entry.live and name in (entry.name, entry.own_name) for entry in named if entry.id != itself):
        raise Illegal(text("There is an entry named %(name)s already.", name=name))


def refuse_after_start(state: Competition) -> None:
    """Raise `Illegal` once the competition has started."""
    if state.started:
        raise Illegal("The competition has started.")


def with_entries(state: Competition, status: Status) -> Competition:
    """Return the state with entries open or closed; raise `Illegal` after the start of drawn rounds."""
    if state.open_ended:
        return replace(state, before_start=status)
    refuse_after_start(state)
    return replace(state, status=status)


def refuse_if_full(state: Competition) -> None:
    """Raise `Illegal` where the limit of entries is reached."""
    if state.full:
        limit = state.opening.entering.places
        raise Illegal(plural("The only place is taken.", "All %(count)d places are taken.", limit))


def with_status(state: Competition, entry: str, status: EntryStatus, otherwise: Message) -> Entry:
    """Return an entry if it has the status; else raise `Illegal` with a sentence."""
    known = state.entry(entry)
    if known.status != status:
        raise Illegal(otherwise)
    return known


def upcoming_round(state: Competition, number: int) -> Point:
    """Return an unpublished round of the current stage, or before the start of the first; raise `Illegal`."""
    state.upcoming(number)
    return state.round_point(number)


def refuse_unless_running(state: Competition) -> None:
    """Raise `Illegal` unless the competition is running."""
    if state.status != "running":
        raise Illegal("The competition is not running.")


def current_stage(state: Competition, number: int) -> Stage:
    """Return the current stage if it has the number; raise `Illegal`."""
    if number != len(state.stages):
        raise Illegal(text("Stage %(stage)d is not being played.", stage=number))
    return state.stage_numbered(number)


def begun_stage(state: Competition) -> Stage:
    """Return the stage that began last; raise `Illegal` before the first."""
    if state.stage is None:
        raise Illegal("No stage has begun.")
    return state.stage


def drawn_round(state: Competition, stage: int, number: int) -> tuple[Stage, Round]:
    """Return the drawn, unpublished round if it has the number, with its stage; raise `Illegal`."""
    refuse_unless_running(state)
    current = current_stage(state, stage)
    drawn = current.drawn_round
    if drawn is None or drawn.number != number:
        raise Illegal(text("Round %(round)d is not drawn, or is published already.", round=number))
    return current, drawn


def refuse_unless_under_way(state: Competition) -> None:
    """Raise `Illegal` unless the competition is running or paused."""
    if state.status not in ("running", "paused"):
        raise Illegal("The competition is not running.")


def played_round(state: Competition, stage: int, number: int) -> tuple[Stage, Round]:
    """Return the round that is being played if it has the number, with its stage; raise `Illegal`."""
    current = current_stage(state, stage)
    played = current.current_round
    if played is None or played.number != number:
        raise Illegal(text("Round %(round)d is not being played.", round=number))
    return current, played


def refuse_undecided_in_closed_round(state: Competition, table: Table) -> None:
    """Raise `Illegal` where a table of a closed round would be neither decided nor put off.

    A table of an earlier stage must be decided: the present one was made from its standings.
    """
    stage, its_round, _ = state.table(table.id)
    put_off = table.to_come and stage == state.stage
    if its_round.status == "closed" and not (table.decided or put_off):
        raise Illegal(
            text(
                "Round %(round)d is closed, and the table would not be decided: reopen the round first, "
                "or set the result.",
                round=its_round.number,
            )
        )


def tables_to_come(state: Competition) -> Message | None:
    """Return what an end has to wait for: the tables that are put off; None where there is none."""
    waiting = [each for _, _, each in state.tables() if each.to_come]
    if not waiting:
        return None
    return plural(
        "%(count)d table is put off. Wait for its result, set it, or void the table.",
        "%(count)d tables are put off. Wait for their results, set them, or void the tables.",
        len(waiting),
    )


def refuse_with_tables_to_come(state: Competition) -> None:
    """Raise `Illegal` while a table is put off."""
    if waits := tables_to_come(state):
        raise Illegal(waits)


def published_table(state: Competition, table: str) -> Table:
    """Return a table of a published round; raise `Illegal`."""
    _, its_round, known = state.table(table)
    if its_round.status == "drawn":
        raise Illegal("The round is not published yet.")
    return known
