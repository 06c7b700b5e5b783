"""How every verb of a competition is written: log, rows and hints, in one transaction."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils.translation import gettext as _

from games import log as games
from games.engine.refusals import Illegal
from league import log, permissions, projections
from league.competition import commands, events
from league.competition.games import games_of
from league.competition.state import Competition as State
from league.competition.state import Entry
from league.log import Appended, Author, Command
from league.models import Account, Competition, Event
from league.services import deadlines, endings, hints, notices, webhooks

_WAITING = ("start", "play", "rule", "none")
OwnCommand: TypeAlias = Callable[[State, Entry], Sequence[events.Event]]
"""What a player wants for the entry that is their own."""


def direct(*, by: Account, competition: Competition, command: Command, seq: int | None) -> Appended:
    """Write an organiser's command; raises PermissionDenied and what `league.log.append` raises."""
    permissions.require_organiser(competition.club_id, by)
    return write(competition_id=competition.pk, author=organiser(by), command=command, seq=seq)


def organiser(account: Account) -> Author:
    """Return the account as the log names an organiser."""
    return Author(Event.Role.ORGANISER, str(account.pk))


def keep_score(
    *, by: Account, competition: Competition, table: UUID, command: Command, seq: int | None
) -> Appended:
    """Write what an organiser or a scorekeeper says of a table.

    A scorekeeper has no say once the table is decided, which is `Illegal`; raises as `direct` otherwise.
    """
    permissions.require_scorekeeper(competition.club_id, by)
    if permissions.is_organiser(competition.club_id, by):
        return direct(by=by, competition=competition, command=command, seq=seq)

    def of_undecided(state: State) -> Sequence[events.Event]:
        _, _, its_table = state.table(str(table))
        if its_table.decided:
            raise Illegal("The table is decided: only an organiser can change that.")
        return command(state)

    return write(competition_id=competition.pk, author=scorekeeper(by), command=of_undecided, seq=seq)


def scorekeeper(account: Account) -> Author:
    """Return the account as the log names a scorekeeper."""
    return Author(Event.Role.SCOREKEEPER, str(account.pk))


def own(*, by: Account, competition: Competition, command: OwnCommand, seq: int | None) -> Appended:
    """Write what a player wants for the own entry; raises PermissionDenied for one who has none."""
    player = permissions.require_player(competition.club_id, by)

    def of_own_entry(state: State) -> Sequence[events.Event]:
        entry = state.entry_with(str(player.pk))
        if entry is None:
            raise PermissionDenied(_("You have not entered this competition."))
        return command(state, entry)

    return write(competition_id=competition.pk, author=playing(by), command=of_own_entry, seq=seq)


def playing(account: Account) -> Author:
    """Return the account as the log names a player."""
    return Author(Event.Role.PLAYER, str(account.pk))


@transaction.atomic
def write(*, competition_id: UUID, author: Author, command: Command, seq: int | None = None) -> Appended:
    """Append a command's events, open the games they name, end those they decide, and let all follow.

    Raises what `league.log.append` does; then nothing of all this has happened.
    """
    appended = log.append(competition_id=competition_id, author=author, command=command, seq=seq)
    if appended.created:
        for table, game in games_of(appended.events):
            _open_game(appended.state, table, game, author.account)
        endings.follow(appended, author.account)
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
    """Let rows, webhooks, notices and workers follow what was appended."""
    projections.follow(appended)
    webhooks.tell_of_events(appended)
    notices.tell_of_events(appended)
    hints.after_commit("compute_standings", appended.competition.pk)
    hints.after_commit("compute_ratings", appended.competition.pk)
    if goes_on(appended.state):
        hints.after_commit("advance", appended.competition.pk)


def goes_on(state: State) -> bool:
    """Return whether an automatic competition waits for nobody but ourselves."""
    return state.opening.pace == "automatic" and deadlines.step_now(state) not in _WAITING


def told(kind: str, **fields: Any) -> Command:
    """Return the command that is a single event, given as its JSON, unless it changes nothing.

    Raises `Malformed` at once.
    """
    event = events.read({"type": kind, **fields})
    return lambda state: commands.tell(state, event)
