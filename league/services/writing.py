"""How every verb of a competition is written: log, rows and hints, in one transaction."""

from typing import Any
from uuid import UUID

from django.db import transaction

from games import log as games
from league import log, permissions, projections, rows
from league.competition import commands, events
from league.competition.state import Competition as State
from league.log import Appended, Author, Command
from league.models import Account, Competition, Event
from league.services import hints

_WAITING = ("start", "play", "rule", "none")


def direct(*, by: Account, competition: Competition, command: Command, seq: int | None) -> Appended:
    """Write an organiser's command; raises PermissionDenied and what `league.log.append` raises."""
    permissions.require_organiser(competition.club_id, by)
    return write(competition_id=competition.pk, author=organiser(by), command=command, seq=seq)


def organiser(account: Account) -> Author:
    """Return the account as the log names an organiser."""
    return Author(Event.Role.ORGANISER, str(account.pk))


@transaction.atomic
def write(*, competition_id: UUID, author: Author, command: Command, seq: int | None = None) -> Appended:
    """Append a command's events, open the games they name, bring the rows along and tell the workers.

    Raises what `league.log.append` does; then nothing of all this has happened.
    """
    appended = log.append(competition_id=competition_id, author=author, command=command, seq=seq)
    if appended.created:
        for table, game in rows.games_of(appended.events):
            _open_game(appended.state, table, game, author.account)
        settle(appended)
    return appended


def _open_game(state: State, table: str, game: str, account: str | None) -> None:
    _, _, its_table = state.table(table)
    opening = state.opening
    games.open_game(
        ruleset=opening.ruleset,
        options=opening.options,
        players=[UUID(seat.player) for seat in its_table.seats],
        account=account,
        clock=opening.clock,
        game_id=UUID(game),
    )


def settle(appended: Appended) -> None:
    """Let rows and workers follow what was appended."""
    projections.follow(appended)
    hints.after_commit("compute_standings", appended.competition.pk)
    if goes_on(appended.state):
        hints.after_commit("advance", appended.competition.pk)


def goes_on(state: State) -> bool:
    """Return whether an automatic competition waits for nobody but ourselves."""
    return state.opening.pace == "automatic" and commands.next_step(state) not in _WAITING


def told(kind: str, **fields: Any) -> Command:
    """Return the command that is a single event, given as its JSON; raises `Malformed` at once."""
    event = events.read({"type": kind, **fields})
    return lambda state: commands.perform(state, event)
