"""Two players who are one person, and players who want to be forgotten.

Logs are never changed: they keep the ids and names that they were written with. So a merged player's row
stays as a signpost to the one who has the results now, and a removed player's as a name that says nothing;
rows, ratings and pages follow these two.
"""

from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games import database_time
from games.engine.refusals import Illegal
from league import hooks
from league.models import (
    Account,
    Club,
    ClubChange,
    Contact,
    EntryPlayer,
    Invitation,
    Player,
    Ratings,
    TableSeat,
)
from league.models.names import search_key
from league.projections.competitions import rename_entries
from league.queries import permissions
from league.queries.people import competitions_with, has_played, merging
from league.services import queue
from league.services.audit import note_change
from league.services.jobs import forget_read_files
from league.services.players import CONTACT_FIELDS

_Change: Final = ClubChange.Kind


@transaction.atomic
def merge_players(*, by: Account, kept: Player, merged: Player) -> Player:
    """Let a player have all that another one has: results, games, account, and contact where it has none.

    A second time changes nothing. Raises `Illegal` where they are two people, or the other one still plays,
    and PermissionDenied.
    """
    permissions.require_organiser(kept.club_id, by)
    kept, merged = _locked(kept), _locked(merged)
    if merged.merged_into_id == kept.pk:
        return kept
    for refusal in merging(kept, merged).refusals:
        raise Illegal(refusal)
    affected = list(competitions_with(merged).order_by("pk"))
    account = merged.account
    Player.objects.filter(merged_into=merged).update(merged_into=kept)
    Player.objects.filter(pk=merged.pk).update(merged_into=kept, account=None, active=False)
    Player.objects.filter(pk=kept.pk).update(
        account=kept.account or account,
        active=kept.active or merged.active,
        bot=kept.bot or merged.bot,
    )
    _merge_contacts(kept, merged)
    Invitation.objects.filter(player=merged, accepted_at=None).update(player=kept)
    for rows in (EntryPlayer.objects, TableSeat.objects):
        rows.filter(player=merged).update(player=kept)
    for competition in affected:
        rename_entries(competition)
    _rate_again([each.pk for each in affected])
    note_change(
        by, kept.club, _Change.PLAYERS_MERGED, kept.name, after={"merged": merged.name}, about=kept.pk
    )
    kept.refresh_from_db()
    return kept


@transaction.atomic
def remove_player(*, by: Account, player: Player) -> Player | None:
    """Remove a player; return None for one who never played, else the row that keeps the results.

    It has a name that says nothing, no account and no contact; entries in competitions that go on stay, under
    that name. A second time changes nothing. Raises PermissionDenied.
    """
    permissions.require_organiser(player.club_id, by)
    return forget_player(by=by, player=player)


@transaction.atomic
def forget_player(*, by: Account, player: Player) -> Player | None:
    """Remove a player as `remove_player` does; one who still plays goes on under a name that says nothing."""
    player = _locked(player)
    if player.anonymous:
        return player
    _forget(player)
    hooks.player_forgotten(player)
    if not has_played(player) and not player.merged.exists():
        note_change(by, player.club, _Change.PLAYER_REMOVED, "–", after={"played": False})
        player.delete()
        return None
    number = Player.objects.filter(club=player.club, anonymous=True, merged_into=None).count() + 1
    name = _("Former player %(number)d") % {"number": number}
    mine = Player.objects.filter(pk__in=[player.pk, *player.merged.values_list("pk", flat=True)])
    mine.update(name=name, search_name=search_key(name), account=None, active=False, anonymous=True)
    for competition in competitions_with(player):
        rename_entries(competition)
    note_change(by, player.club, _Change.PLAYER_REMOVED, name, after={"played": True}, about=player.pk)
    player.refresh_from_db()
    return player


def _locked(player: Player) -> Player:
    """Return the player as it is now, and lock its club against other changes to players."""
    Club.objects.select_for_update(no_key=True).get(pk=player.club_id)
    return Player.objects.select_related("club", "account").get(pk=player.pk)


def _merge_contacts(kept: Player, merged: Player) -> None:
    """Fill what the kept player's contact leaves open from the merged one's, which is removed."""
    other = Contact.objects.filter(player=merged).first()
    if other is None:
        return
    own = Contact.objects.filter(player=kept).first() or Contact(player=kept)
    for name in CONTACT_FIELDS:
        setattr(own, name, getattr(own, name) or getattr(other, name))
    own.save()
    other.delete()


def _rate_again(competitions: list[UUID]) -> None:
    """Have the rating lists follow competitions whose players are others now."""
    Ratings.objects.filter(competition__in=competitions).update(as_of=0)
    for pk in competitions:
        queue.after_commit("compute_ratings", pk)


def _forget(player: Player) -> None:
    """Remove what is known about a person beside results: contact, invitations, files that were read."""
    Contact.objects.filter(player=player).delete()
    forget_invitations(Invitation.objects.filter(player=player))
    forget_read_files(player.club)


def forget_invitations(invitations: QuerySet[Invitation]) -> None:
    """Forget the addresses of invitations, and revoke those that are open: none was sent to nobody."""
    invitations.filter(accepted_at=None, revoked_at=None).update(revoked_at=database_time.now())
    invitations.update(email="")
