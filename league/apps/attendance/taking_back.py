"""A guest who was let in by mistake waits again, as long as no draw has had their entry."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction

from games.engine.messages import text
from games.engine.refusals import Illegal
from league.apps.attendance import queries
from league.apps.attendance.models import Guest
from league.callers import ByAccount
from league.choices import ChangeKind
from league.core.state.competition import Competition as State
from league.core.verbs.entries import WithdrawEntry
from league.models import Account, ClubChange, Competition
from league.queries import permissions
from league.queries.clubs import competitions_with
from league.queries.competitions import state_of
from league.services.players import change_player
from league.services.verbs import perform


def can_be_taken_back(competition: Competition) -> Sequence[Guest]:
    """Return the guests who were let in, take part and were in no draw, the last one first."""
    rows = Guest.objects.filter(competition=competition, status=Guest.Status.LET_IN, player__active=True)
    found = rows.select_related("player").order_by("-decided_at", "pk")
    if not found:
        return []
    state = state_of(competition)
    return [each for each in found if not state.over and _undrawn(state, str(each.player_id))]


def _undrawn(state: State, player: str) -> bool:
    """Return whether a player has entered alone, and neither sat at a table nor had a bye."""
    entry = state.entry_with(player)
    if entry is None or not entry.live or len(entry.players) > 1:
        return False
    rounds = [each for stage in state.stages for each in stage.rounds]
    tables = [table for each in rounds for table in each.tables]
    return not (
        any(entry.id in each.byes for each in rounds) or any(entry.id in table.entries for table in tables)
    )


@transaction.atomic
def take_back(*, by: Account, competition: Competition, guest_id: UUID) -> Guest:
    """Let a guest who was let in wait again, and withdraw the entry; a second time changes nothing.

    A player who was made for the guest is not active any more. Raises `Illegal`, PermissionDenied and
    Guest.DoesNotExist.
    """
    permissions.require_organiser(competition.club_id, by)
    locked = queries.locked(competition)
    guest = Guest.objects.select_related("player__account").get(pk=guest_id, competition=locked)
    if guest.status != Guest.Status.LET_IN or guest.player is None:
        return guest
    state = state_of(locked)
    entry = state.entry_with(str(guest.player_id))
    if state.over or entry is None or not _undrawn(state, str(guest.player_id)):
        told = text("Drawn already: %(name)s. Withdraw the entry instead.", name=guest.player.name)
        raise Illegal(told)
    perform(ByAccount(by), competition=locked, verb=WithdrawEntry(entry.id))
    made = ClubChange.objects.filter(about=guest.player_id, kind=ChangeKind.PLAYER_MADE)
    elsewhere = competitions_with(guest.player).exclude(pk=locked.pk)
    if made.filter(at__gte=guest.made_at).exists() and not (guest.player.account or elsewhere.exists()):
        change_player(by=by, player=guest.player, name=guest.player.name, account=None, active=False)
    guest.player, guest.status, guest.decided_by, guest.decided_at = None, Guest.Status.WAITING, None, None
    guest.save(update_fields=["player", "status", "decided_by", "decided_at"])
    return guest
