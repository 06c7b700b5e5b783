"""Accounts: memberships, tokens, log-ins, names, and entries."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, QuerySet

from games import database_time
from league.models import Account, Club, Competition, Entry, LogIn, Member, Passkey, Player, Token

# ---- Accounts ------------------------------------------------------------------------------------

LONGEST_TOKEN_NAME: Final = Token._meta.get_field("name").max_length


def zone_for(account: Account | None, club: Club | None, told: str = "UTC") -> str:
    """Return the zone in which a reader sees times of games: its own, else that of the club.

    Where there is no club, it is the one that the browser told.
    """
    own = account.timezone if account else ""
    return own or (club.timezone if club else told)


def own_zone(account: Account | AnonymousUser) -> str:
    """Return the zone of who is logged in, where no page is of one club: its own, else its first club's."""
    if not isinstance(account, Account):
        return ""
    first = None if account.timezone else memberships(account).first()
    return zone_for(account, first.club if first else None, "")


def memberships(account: Account) -> QuerySet[Member]:
    """Return the account's memberships with their clubs, by the club's name."""
    return Member.objects.filter(account=account).select_related("club").order_by("club__name", "pk")


@dataclass(frozen=True)
class OwnClub:
    """A club of an account: its membership there, and its player, if it has an active one."""

    member: Member
    player: Player | None


def own_clubs(account: Account) -> Sequence[OwnClub]:
    """Return the account's clubs with its players there, by the club's name; two queries."""
    players = Player.objects.filter(account=account, active=True, merged_into=None)
    by_club = {player.club_id: player for player in players}
    return [OwnClub(member, by_club.get(member.club_id)) for member in memberships(account)]


def own_club(account: Account, club: Club) -> OwnClub:
    """Return what the account is in a club of which it is a member."""
    return next(each for each in own_clubs(account) if each.member.club_id == club.pk)


def tokens_of(account: Account) -> QuerySet[Token]:
    """Return the account's tokens, revoked ones too, the newest first."""
    return Token.objects.filter(account=account).order_by("-created_at", "pk")


def sessions_of(account: Account) -> QuerySet[LogIn]:
    """Return where the account is logged in on the web, the last log-in first."""
    alive = LogIn.objects.filter(account=account, session__expire_date__gt=database_time.now())
    return alive.order_by("-at", "pk")


def passkeys_of(account: Account) -> QuerySet[Passkey]:
    """Return the account's passkeys, the newest first."""
    return Passkey.objects.filter(account=account).order_by("-made_at", "pk")


def account_names(ids: Iterable[str | None]) -> Mapping[str, str]:
    """Return usernames by account id."""
    names = Account.objects.filter(pk__in={pk for pk in ids if pk}).values_list("pk", "username")
    return {str(pk): name for pk, name in names}


_OVER = (Competition.Status.FINISHED, Competition.Status.CANCELLED)


def own_entries(account: Account) -> QuerySet[Any]:
    """Return the entries of the account's players in competitions that are not over, with their ``size``."""
    live = (Entry.Status.APPLIED, Entry.Status.WAITING, Entry.Status.ENTERED)
    mine = Entry.objects.filter(members__player__account=account, status__in=live).values("pk")
    running = Entry.objects.filter(pk__in=mine).exclude(competition__status__in=_OVER)
    counted = running.annotate(size=Count("members")).select_related("competition")
    return counted.order_by("competition__name", "name", "pk")
