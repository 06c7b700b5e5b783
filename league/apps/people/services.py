"""Two players who are one person, and accounts whose people want to be forgotten.

Logs are never changed: they keep the ids and names that they were written with. So a merged player's row
stays as a signpost to the one who has the results now, and a deleted account's under a pseudonym; its players
keep their results under names that say nothing. Rows, ratings and pages follow these.
"""

from contextlib import suppress
from typing import Final
from uuid import UUID, uuid4

from django.contrib.sessions.models import Session
from django.db import transaction

from games import log
from games.engine.refusals import Illegal, Refusal
from games.models import Game, Seat
from league import hooks
from league.apps.people.membership import merge_facts
from league.apps.people.queries import deletion_of, merging, players_of_account, running_seats
from league.callers import AsPlayer, ByAccount
from league.core.verbs.entries import WithdrawEntry
from league.models import (
    Account,
    ClubChange,
    Contact,
    Email,
    EntryPlayer,
    Invitation,
    Job,
    KnownPlace,
    LogIn,
    MadeOnce,
    Member,
    Passkey,
    Player,
    Ratings,
    StoppedEmails,
    TableSeat,
    Token,
)
from league.projections import public_names, ratings
from league.projections.public_names import rename_entries
from league.queries import permissions
from league.queries.accounts import own_entries
from league.queries.clubs import competitions_with
from league.queries.links import waiting_invitations
from league.services import queue
from league.services.audit import note_change
from league.services.casual_games import decline_game
from league.services.play import Due, make_moves_due
from league.services.players import CONTACT_FIELDS, forget_invitations, forget_player, locked
from league.services.verbs import perform

_Change: Final = ClubChange.Kind


# ---- Players ---------------------------------------------------------------------------------------


@transaction.atomic
def merge_players(*, by: Account, kept: Player, merged: Player) -> Player:
    """Let a player have all that another one has: results, games, account, and contact where it has none.

    A second time changes nothing. Raises `Illegal` where they are two people, or the other one still plays,
    and PermissionDenied.
    """
    permissions.require_organiser(kept.club_id, by)
    ratings.lock(kept.club_id)
    kept, merged = locked(kept), locked(merged)
    if merged.merged_into_id == kept.pk:
        return kept
    for refusal in merging(kept, merged).refusals:
        raise Illegal(refusal)
    hooks.players_merging(kept, merged)
    affected = list(competitions_with(merged).order_by("pk"))
    account = merged.account
    chose = merged if account and not kept.account else kept
    Player.objects.filter(merged_into=merged).update(merged_into=kept)
    Player.objects.filter(pk=merged.pk).update(merged_into=kept, account=None, active=False)
    Player.objects.filter(pk=kept.pk).update(
        account=kept.account or account,
        active=kept.active or merged.active,
        bot=kept.bot or merged.bot,
        appeared=kept.appeared or merged.appeared,
        unplayed=(kept.unplayed or merged.unplayed) and not (kept.appeared or merged.appeared),
        names=chose.names or kept.names or merged.names,
        audience=chose.audience,
        findable=chose.findable,
    )
    _merge_contacts(kept, merged)
    merge_facts(by, kept, merged)
    Invitation.objects.filter(player=merged, accepted_at=None).update(player=kept)
    public_names.follow(kept.club_id)
    for rows in (EntryPlayer.objects, TableSeat.objects):
        rows.filter(player=merged).update(player=kept)
    for competition in affected:
        rename_entries(competition)
    _rate_again([each.pk for each in affected])
    note_change(
        by, kept.club, _Change.PLAYERS_MERGED, kept.name, after={"merged": merged.name}, about=kept.pk
    )
    kept.refresh_from_db()
    hooks.players_merged(kept, merged)
    return kept


def _merge_contacts(kept: Player, merged: Player) -> None:
    """Fill what the kept player's contact leaves open from the merged one's, which is removed.

    Emails that either has stopped stay so.
    """
    stopped = StoppedEmails.objects.filter(player=kept).values("kind")
    StoppedEmails.objects.filter(player=merged).exclude(kind__in=stopped).update(player=kept)
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


# ---- Accounts --------------------------------------------------------------------------------------


@transaction.atomic
def delete_account(*, by: Account) -> None:
    """Delete the account of the caller.

    Running games are resigned, entries of its own withdrawn. Raises `Illegal` for the only owner of a club,
    and PermissionDenied for a token.
    """
    by.require_person()
    account = Account.objects.select_for_update(no_key=True).get(pk=by.pk)
    for refusal in deletion_of(account).refusals:
        raise Illegal(refusal)
    # Its entries and players may be of several clubs: all are locked before anything of one.
    for club in sorted({each.club_id for each in players_of_account(account)}):
        public_names.lock(club)
    _stop_playing(account)
    for player in players_of_account(account):
        forget_player(by=account, player=player)
    for member in Member.objects.filter(account=account).select_related("club"):
        before = {"role": member.role}
        kind = _Change.MEMBER_REMOVED
        note_change(account, member.club, kind, "–", before=before, about=account.pk)
    hooks.account_deleted(account)
    _remove_rows(account)
    account.username, account.email = f"deleted-{uuid4().hex[:12]}", ""
    account.language = account.timezone = ""
    account.first_name = account.last_name = ""
    account.is_active = account.is_staff = account.is_superuser = False
    account.last_login = None
    account.set_unusable_password()
    account.save()


def _stop_playing(account: Account) -> None:
    """Resign the account's running games and withdraw its entries; what refuses that goes on without it."""
    for seat in running_seats(account):
        with suppress(Refusal):
            _leave(account, seat)
    for entry in own_entries(account):
        if entry.size == 1:
            with suppress(Refusal), transaction.atomic():
                perform(AsPlayer(account), competition=entry.competition, verb=WithdrawEntry.of_player())


def _leave(account: Account, seat: Seat) -> None:
    def leave(game: Game) -> Due | None:
        left = game.is_over or seat.number in log.latest(game).out
        return None if left else (ByAccount(account), {"type": "resign"})

    if seat.game.status == Game.Status.INVITED:
        decline_game(by=account, game_id=seat.game_id)
    else:
        make_moves_due(seat.game_id, leave)


def _remove_rows(account: Account) -> None:
    Session.objects.filter(pk__in=LogIn.objects.filter(account=account).values("session")).delete()
    waiting_invitations(account).update(accepted_by=None)
    if account.email:
        forget_invitations(Invitation.objects.filter(email__iexact=account.email))
    Job.objects.filter(by=account).delete()
    for rows in (KnownPlace, MadeOnce, Member, Email, Passkey, Token):
        rows._default_manager.filter(account=account).delete()
