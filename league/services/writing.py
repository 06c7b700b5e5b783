"""How every verb of a competition is written: log, rows and hints, in one transaction."""

from typing import Any
from uuid import UUID

from django.db import transaction

from league import log, permissions, projections
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
    """Append a command's events, bring the rows along and tell the workers; raises as `league.log.append`."""
    appended = log.append(competition_id=competition_id, author=author, command=command, seq=seq)
    if appended.created:
        settle(appended)
    return appended


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
