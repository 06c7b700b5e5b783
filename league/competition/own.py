"""What a player may do for the own entry now: asked of the commands themselves, so that both always agree."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, Literal, TypeAlias

from games.engine.refusals import Illegal
from league import formats
from league.competition import commands
from league.competition.state import Competition, Entry

OwnVerb: TypeAlias = Literal["enter", "check_in", "absent", "present", "open_table", "withdraw"]
_ANY_ID: Final = "00000000-0000-0000-0000-000000000000"


def offered(state: Competition, player: str) -> tuple[OwnVerb, ...]:
    """Return what a player may do now; a verb that would change nothing is not listed."""
    return tuple(_offered(state, player, state.entry_with(player)))


def _offered(state: Competition, player: str, entry: Entry | None) -> Iterator[OwnVerb]:
    if entry is None or not entry.live:
        if _may_enter(state, player):
            yield "enter"
        return
    if state.opening.entering.check_in and _holds(lambda: commands.check_in(state, entry=entry.id)):
        yield "check_in"
    if _has_next_round(state) and _holds(lambda: commands.miss(state, entry=entry.id)):
        yield "absent"
    if any(
        _holds(partial(commands.attend, state, entry=entry.id, number=each))
        for each in absences(state, entry)
    ):
        yield "present"
    if may_open_table(state, entry):
        yield "open_table"
    if _holds(lambda: commands.withdraw(state, entry=entry.id)):
        yield "withdraw"


def _may_enter(state: Competition, player: str) -> bool:
    """Return whether entries are open; of a team, whether its players are free is asked when it enters."""
    if state.opening.team_size > 1:
        return state.status == "entering"
    return _holds(lambda: commands.apply_for(state, entry=_ANY_ID, name=_ANY_ID, players=[player]))


def _has_next_round(state: Competition) -> bool:
    """Return whether the stage that runs, or the first, has a round to come."""
    if state.stage is None:
        return True
    return commands.next_round(state) <= formats.find(state.stage.plan.format).rounds(state, state.stage)


def may_open_table(state: Competition, entry: Entry) -> bool:
    """Return whether an entry plays in a round of open play that runs."""
    stage = state.stage
    its_round = stage.open_round if stage else None
    if stage is None or its_round is None or its_round.status != "published" or state.status != "running":
        return False
    return formats.find(stage.plan.format).open_tables and entry.plays((stage.number, its_round.number))


def _holds(command: Callable[[], commands.Events]) -> bool:
    """Return whether a command has something to write now."""
    try:
        return bool(command())
    except Illegal:
        return False


def absences(state: Competition, entry: Entry) -> tuple[int, ...]:
    """Return the rounds to come of the current stage, or of the first, that an entry said it will miss."""
    stage, coming = max(1, len(state.stages)), commands.next_round(state)
    return tuple(sorted(number for at, number in entry.absences if at == stage and number >= coming))


def games(state: Competition, player: str) -> tuple[str, ...]:
    """Return the games that run in which a player has a seat, those of the newest round first."""
    return tuple(
        game.id
        for _, its_round, table in state.tables()
        if its_round.status == "published" and table.status == "playing"
        for game in table.games
        if not game.result and any(seat.player == player for seat in table.seats)
    )
