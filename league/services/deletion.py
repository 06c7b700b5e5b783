"""Deleting an account: what is left is a row without a person, whose id the logs name.

Logs are never changed: they hold ids of accounts, and the names that entries had. So the row stays, under a
pseudonym; the players keep their results under names that say nothing (`league.services.people`).
"""

from contextlib import suppress
from uuid import uuid4

from django.contrib.sessions.models import Session
from django.db import transaction

from games import log
from games.engine.refusals import Illegal, Refusal
from games.models import Game, Seat
from league import hooks
from league.callers import AsPlayer, ByAccount
from league.core.verbs.entries import WithdrawEntry
from league.models import (
    Account,
    ClubChange,
    Email,
    Invitation,
    Job,
    KnownPlace,
    LogIn,
    MadeOnce,
    Member,
    Passkey,
    Token,
)
from league.queries.accounts import deletion_of, own_entries, players_of_account, running_seats
from league.queries.links import waiting_invitations
from league.services.audit import note_change
from league.services.casual_games import decline_game
from league.services.people import forget_invitations, forget_player
from league.services.play import Due, make_moves_due
from league.services.verbs import perform


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
    _stop_playing(account)
    for player in players_of_account(account):
        forget_player(by=account, player=player)
    for member in Member.objects.filter(account=account).select_related("club"):
        before = {"role": member.role}
        kind = ClubChange.Kind.MEMBER_REMOVED
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
