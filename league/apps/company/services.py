"""Becoming friends, muting and blocking, reporting, being here; what a club allows."""

from datetime import timedelta
from typing import Final
from urllib.parse import urlsplit
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from games import database_time
from games.engine.messages import text
from games.engine.names import one_line
from games.engine.refusals import Illegal, Malformed
from games.models import Game
from league.apps.company.models import (
    ClubCompany,
    Friendship,
    Muted,
    Presence,
    QuietCompetition,
    Report,
)
from league.apps.company.queries import askable, friendship_of, games_for_two, in_common, kept_apart
from league.choices import TokenScope
from league.models import Account, Club, ClubChange, Competition, Player
from league.queries import permissions
from league.queries.games import club_game_of
from league.services.audit import note_change
from league.services.casual_games import open_casual_game
from league.services.checking import check

MOST_ASKED: Final = 20
"""How many unanswered questions an account can have."""
MOST_MUTED: Final = 200
MOST_REPORTS: Final = 5
"""How many reports an account can make in a day."""
DAY: Final = timedelta(days=1)
TOUCHED: Final = timedelta(seconds=50)
NOT_THERE: Final = text("There is no such player whom you can ask.")


# ---- Friends -------------------------------------------------------------------------------------


@transaction.atomic
def ask_friend(*, by: Account, player_id: UUID) -> Friendship:
    """Ask a player of one's club to be friends, or accept what that one asked; again changes nothing.

    Whoever was blocked by the other is told nothing of that: the question waits, and nobody sees it.
    Raises `Illegal`, PermissionDenied and Player.DoesNotExist.
    """
    by.require_scope(TokenScope.PLAY_ENTER)
    player = askable(by).get(pk=player_id)
    assert player.account is not None
    other = player.account
    _lock(by, other)
    if Muted.objects.filter(by=by, other=other, blocks=True).exists():
        raise Illegal("You block this player. Stop that first.")
    known = Friendship.objects.filter(Q(asks=by, asked=other) | Q(asks=other, asked=by)).first()
    if known is None:
        mine = Friendship.objects.filter(asks=by)
        lately = mine.filter(asked_at__gt=database_time.now() - DAY)
        if mine.filter(accepted_at=None).count() >= MOST_ASKED or lately.count() >= MOST_ASKED:
            raise Illegal("You have asked many people already. Wait for their answers.")
        return Friendship.objects.create(asks=by, asked=other)
    return known if known.asks_id == by.pk else _accepted(known)


@transaction.atomic
def accept_friend(*, by: Account, friendship_id: UUID) -> Friendship:
    """Accept to be friends with who asked; again changes nothing. Raises Friendship.DoesNotExist."""
    by.require_scope(TokenScope.PLAY_ENTER)
    row = Friendship.objects.select_for_update(no_key=True).get(pk=friendship_id, asked=by)
    if row.asks_id in kept_apart(by.pk):
        raise Friendship.DoesNotExist
    return _accepted(row)


def _accepted(row: Friendship) -> Friendship:
    if row.accepted_at is None:
        row.accepted_at = database_time.now()
        row.save(update_fields=["accepted_at"])
    return row


@transaction.atomic
def end_friendship(*, by: Account, friendship_id: UUID) -> None:
    """End a friendship, decline one, or take a question back; raises Friendship.DoesNotExist."""
    by.require_scope(TokenScope.PLAY_ENTER)
    friendship_of(by, friendship_id).delete()


@transaction.atomic
def invite_friend(*, by: Account, friendship_id: UUID, ruleset: str = "") -> Game:
    """Invite a friend to a game of two in a club of both: the named one, or as they played it last.

    Raises `Illegal`, `Malformed`, PermissionDenied and Friendship.DoesNotExist.
    """
    row = friendship_of(by, friendship_id)
    if row.accepted_at is None:
        raise Illegal("You are not friends yet.")
    common = in_common(by, row.asked_id if row.asks_id == by.pk else row.asks_id)
    if common is None:
        raise Illegal("The two of you have no club in which both play and see each other.")
    if ruleset and ruleset not in games_for_two():
        raise Malformed({"ruleset": [text("There is no such game here.")]})
    if not (ruleset or common.ruleset):
        raise Illegal("Choose a game first: the two of you have not played one yet.")
    as_before = ruleset in ("", common.ruleset)
    return open_casual_game(
        by=by,
        club=common.club,
        ruleset=ruleset or common.ruleset,
        options=common.options if as_before else {},
        players=[common.mine.pk, common.other.pk],
    )


# ---- Muting and blocking -------------------------------------------------------------------------


@transaction.atomic
def mute(*, by: Account, player_id: UUID, blocks: bool = False) -> Muted:
    """Hear nothing of a player from now on; where it ``blocks``, end a friendship and be kept apart, too.

    Whom somebody blocks is told nothing of it. Raises `Illegal`, PermissionDenied and Player.DoesNotExist.
    """
    by.require_scope(TokenScope.PLAY_ENTER)
    other = _account_of(by, player_id)
    _lock(by, other)
    mine = Muted.objects.filter(by=by)
    if mine.count() >= MOST_MUTED and not mine.filter(other=other).exists():
        raise Illegal("You mute or block many people already.")
    row, _made = Muted.objects.update_or_create(by=by, other=other, defaults={"blocks": blocks})
    if blocks:
        Friendship.objects.filter(Q(asks=by, asked=other) | Q(asks=other, asked=by)).delete()
    return row


@transaction.atomic
def hear_again(*, by: Account, muted_id: UUID) -> None:
    """Stop muting or blocking somebody; raises Muted.DoesNotExist."""
    by.require_scope(TokenScope.PLAY_ENTER)
    Muted.objects.get(pk=muted_id, by=by).delete()


def _account_of(by: Account, player_id: UUID) -> Account:
    """Return the account of a player whom somebody can meet: in a club of both, or at a table.

    Raises `Illegal` for one without an account, and Player.DoesNotExist.
    """
    player = Player.objects.select_related("account").get(pk=player_id, anonymous=False)
    if permissions.role_in(player.club_id, by) is None:
        raise Player.DoesNotExist
    if player.account is None or player.account == by or player.bot:
        raise Illegal(NOT_THERE)
    return player.account


def _lock(*accounts: Account) -> None:
    """Lock accounts, so that what two of them do at once is done one after the other."""
    rows = Account.objects.filter(pk__in=[each.pk for each in accounts]).order_by("pk")
    list(rows.select_for_update(no_key=True).values_list("pk"))


# ---- Reports -------------------------------------------------------------------------------------


@transaction.atomic
def report(*, by: Account, player_id: UUID, words: str, game_id: UUID | None = None) -> Report:
    """Tell the organisers of a player's club what happened; the same again changes nothing.

    Raises `Malformed`, `Illegal` for who reports too often, PermissionDenied for who is no member, and
    Player.DoesNotExist.
    """
    player = Player.objects.select_related("club").get(pk=player_id, anonymous=False)
    permissions.require_member(player.club_id, by, TokenScope.PLAY_ENTER)
    if player.account_id == by.pk:
        raise Illegal("This is you.")
    said = one_line(words)
    if not said:
        raise Malformed({"words": [text("Say in a sentence what happened.")]})
    _lock(by)
    mine = Report.objects.filter(by=by)
    if known := mine.filter(player=player, words=said, settled_at=None).first():
        return known
    if mine.filter(at__gt=database_time.now() - DAY).count() >= MOST_REPORTS:
        raise Illegal("You can report %(most)s times in 24 hours. Tell an organiser.", most=MOST_REPORTS)
    if game_id and club_game_of(game_id).club_id != player.club_id:
        raise Malformed({"game": [text("This is no game of the player’s club.")]})
    row = Report(club=player.club, by=by, player=player, game_id=game_id, words=said)
    check(row)
    row.save(force_insert=True)
    return row


@transaction.atomic
def settle_report(*, by: Account, row: Report, settled: bool) -> None:
    """Say that a report is settled, or open it again; again changes nothing. Raises PermissionDenied."""
    permissions.require_organiser(row.club_id, by)
    if row.player.account_id == by.pk:
        raise Report.DoesNotExist
    if (row.settled_at is not None) != settled:
        row.settled_at, row.settled_by = (database_time.now(), by) if settled else (None, None)
        row.save(update_fields=["settled_at", "settled_by"])


# ---- Being here ----------------------------------------------------------------------------------


def touch(account: Account) -> None:
    """Note that an account is here now, about once a minute."""
    now = database_time.now()
    row, made = Presence.objects.get_or_create(account=account, defaults={"at": now})
    if not made and row.at < now - TOUCHED:
        Presence.objects.filter(pk=row.pk).update(at=now)


@transaction.atomic
def choose_to_hide(*, by: Account, hidden: bool) -> None:
    """Let friends and those at one's table see when one is here, or nobody."""
    by.require_scope(TokenScope.PLAY_ENTER)
    Presence.objects.update_or_create(account=by, defaults={"hidden": hidden})


# ---- Clubs and competitions ----------------------------------------------------------------------


@transaction.atomic
def keep_company(*, by: Account, club: Club, room: str, phrases: bool) -> None:
    """Keep a club's room, and whether there are phrases at its tables.

    Raises `Malformed` and PermissionDenied.
    """
    permissions.require_organiser(club.pk, by)
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    row = ClubCompany.objects.filter(club=club).first() or ClubCompany(club=club)
    # A link may let in whoever has it: the record says only whether there is one.
    before = {"room": bool(row.room), "phrases": row.phrases}
    row.room, row.phrases = room.strip(), phrases
    check(row)
    if "@" in urlsplit(row.room).netloc:
        raise Malformed({"room": [text("The link must have no user name and no password.")]})
    row.save()
    after = {"room": bool(row.room), "phrases": row.phrases}
    if after != before:
        note_change(by, club, ClubChange.Kind.CLUB_CHANGED, club.name, before=before, after=after)


@transaction.atomic
def keep_quiet(*, by: Account, competition: Competition, quiet: bool) -> None:
    """Let nobody say anything at the tables of a competition, or let them; raises PermissionDenied."""
    permissions.require_organiser(competition.club_id, by)
    if quiet:
        QuietCompetition.objects.get_or_create(competition=competition)
    else:
        QuietCompetition.objects.filter(competition=competition).delete()


# ---- Who leaves ----------------------------------------------------------------------------------


def forget_account(account: Account) -> None:
    """Forget the friends of an account that is deleted, whom it muted and who muted it, and its reports."""
    Friendship.objects.filter(Q(asks=account) | Q(asked=account)).delete()
    Muted.objects.filter(Q(by=account) | Q(other=account)).delete()
    Report.objects.filter(by=account).delete()
    Presence.objects.filter(account=account).delete()


def forget_reports(player: Player) -> None:
    """Forget what was reported about a person who is forgotten."""
    Report.objects.filter(player__in=[player.pk, *player.merged.values_list("pk", flat=True)]).delete()


def follow_merge(kept: Player, merged: Player) -> None:
    """Let reports about a player be about the one who is the same person."""
    Report.objects.filter(player=merged).update(player=kept)
