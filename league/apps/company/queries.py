"""Who somebody's friends are, who is here, with whom somebody played lately, and who keeps from whom."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db.models import Case, Count, Exists, OuterRef, Q, QuerySet, Value, When

from games import database_time, rules
from games.engine.jsontypes import JsonObject
from games.models import Game, Seat
from league.apps.company.models import ClubCompany, Friendship, Muted, Presence, Report
from league.choices import Audience
from league.models import Account, Club, Member, Player, Round, Table, TableSeat
from league.queries import permissions
from league.queries.at_table import REMEMBERED
from league.queries.names import found

HERE: Final = timedelta(minutes=2)
"""Pages ask for their reader's tables twice a minute: who has not for so long is not here."""
GAMES_LOOKED_AT: Final = 40
MOST_SHOWN: Final = 12


# ---- Who keeps from whom -------------------------------------------------------------------------


def kept_apart(account: UUID) -> frozenset[UUID]:
    """Return the accounts that have blocked an account or are blocked by it."""
    rows = Muted.objects.filter(Q(by=account) | Q(other=account), blocks=True).order_by()
    return frozenset(other if by == account else by for by, other in rows.values_list("by", "other"))


def not_heard(account: UUID) -> frozenset[UUID]:
    """Return the accounts of which an account hears nothing: it mutes them, or one blocks the other."""
    muted = Muted.objects.filter(by=account).order_by().values_list("other", flat=True)
    return frozenset(muted) | kept_apart(account)


def muted_accounts(account: UUID) -> Mapping[UUID, Muted]:
    """Return whom an account mutes or blocks, by account; they may hide from it."""
    return {each.other_id: each for each in Muted.objects.filter(by=account).order_by()}


def blocked_by(account: UUID) -> frozenset[UUID]:
    """Return the accounts that an account blocks; who blocks it is told by nothing here."""
    blocked = Muted.objects.filter(by=account, blocks=True).order_by()
    return frozenset(blocked.values_list("other", flat=True))


def muted_by(account: Account) -> Sequence[tuple[Muted, Player | None]]:
    """Return whom an account mutes or blocks, the first first, each as the player whom it may see."""
    rows = list(Muted.objects.filter(by=account).order_by("at", "pk"))
    known = faces([each.other_id for each in rows], account)
    return [(each, known.get(each.other_id)) for each in rows]


# ---- As whom somebody sees others ----------------------------------------------------------------


def faces(accounts: Collection[UUID], viewer: Account) -> Mapping[UUID, Player]:
    """Return the player of each account whom a viewer may see, of a club of the viewer where there is one.

    Whoever hides from the viewer has none.
    """
    clubs = Member.objects.filter(account=viewer).values("club")
    ours = Case(When(club__in=clubs, then=Value(0)), default=Value(1))
    rows = Player.objects.filter(account__in=accounts, merged_into=None, anonymous=False, bot=False)
    shown = permissions.shown_to(viewer, rows).exclude(audience=Audience.NOBODY)
    known: dict[UUID, Player] = {}
    for player in shown.select_related("club").order_by(ours, "-active", "club__name", "pk"):
        assert player.account_id is not None
        known.setdefault(player.account_id, player)
    return known


def askable(viewer: Account) -> QuerySet[Player]:
    """Return the players of a viewer's clubs who have an account of their own and let the viewer see them."""
    clubs = Member.objects.filter(account=viewer).values("club")
    people = Player.objects.filter(club__in=clubs, account__isnull=False, bot=False, active=True)
    people = people.exclude(account=viewer).exclude(audience=Audience.NOBODY)
    return permissions.shown_to(viewer, people.select_related("club")).order_by("sort_name", "pk")


def people_named(viewer: Account, text: str) -> Sequence[Player]:
    """Return the first players whom a viewer can ask to be friends, by a part of a name."""
    known = {*_friendships(viewer.pk).values_list("asks", "asked")}
    mine = {account for pair in known for account in pair} | blocked_by(viewer.pk)
    return list(found(askable(viewer).exclude(account__in=mine), text).rows[:MOST_SHOWN]) if text else []


# ---- Who is here ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Here:
    """When somebody was here last, and whether that is now."""

    at: datetime
    now: bool


def present(accounts: Collection[UUID]) -> Mapping[UUID, Here]:
    """Return which accounts are here or have just left, but for those who hide."""
    now = database_time.now()
    rows = Presence.objects.filter(account__in=accounts, hidden=False, at__gt=now - REMEMBERED)
    return {each.account_id: Here(each.at, each.at > now - HERE) for each in rows.order_by("account")}


def hidden_at(games: Collection[UUID]) -> Collection[tuple[UUID, int]]:
    """Return the games and seats of whom nobody is to see whether they are here."""
    hides = Presence.objects.filter(account=OuterRef("account"), hidden=True)
    nobody = Player.objects.filter(account=OuterRef("account"), audience=Audience.NOBODY)
    seats = Seat.objects.filter(
        Exists(hides) | Exists(nobody.filter(club__games__game=OuterRef("game"))), game__in=games
    )
    return set(seats.order_by().values_list("game", "number"))


def hides(account: UUID) -> bool:
    """Return whether nobody is to see when an account is here."""
    return Presence.objects.filter(account=account, hidden=True).exists()


# ---- Friends -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Friend:
    """A friendship as one of both sees it: the ``player`` is None while the other hides."""

    row: Friendship
    account: UUID
    player: Player | None
    here: Here | None

    @property
    def accepted(self) -> bool:
        return self.row.accepted_at is not None

    @property
    def is_here(self) -> bool:
        """Return whether the other is a friend who is here now."""
        return self.accepted and self.here is not None and self.here.now

    @property
    def asks_me(self) -> bool:
        """Return whether the other waits for an answer."""
        return not self.accepted and self.row.asks_id == self.account

    @property
    def status(self) -> str:
        """Return what they are: ``friends``, or who waits for an answer."""
        return "friends" if self.accepted else "asks" if self.asks_me else "asked"


def _friendships(account: UUID) -> QuerySet[Friendship]:
    return Friendship.objects.filter(Q(asks=account) | Q(asked=account)).order_by()


def friendship_of(account: Account, pk: UUID) -> Friendship:
    """Return a friendship of an account; raises Friendship.DoesNotExist."""
    return _friendships(account.pk).get(pk=pk)


def friends_of(account: Account) -> Sequence[Friend]:
    """Return the friends of an account and who asks or is asked; those here first, then by name.

    Whoever it keeps apart from is not among them, and nothing but the row is told of who hides.
    """
    rows = {
        each.asked_id if each.asks_id == account.pk else each.asks_id: each
        for each in _friendships(account.pk)
    }
    if not rows:
        return []
    apart = kept_apart(account.pk)
    shown = {other: row for other, row in rows.items() if other not in apart or row.asks_id == account.pk}
    known = faces([*shown], account)
    here = present([other for other, row in shown.items() if row.accepted_at and other not in apart])
    friends = [
        Friend(row, other, known.get(other), here.get(other) if other in known else None)
        for other, row in shown.items()
        # A request that hides the person says nothing at all.
        if other in known or row.accepted_at or row.asks_id == account.pk
    ]
    return sorted(friends, key=_order)


def _order(friend: Friend) -> tuple[bool, bool, bool, str, UUID]:
    here = friend.here is not None and friend.here.now
    name = friend.player.sort_name if friend.player else "\uffff"
    return not friend.asks_me, not friend.accepted, not here, name, friend.row.pk


@dataclass(frozen=True)
class PlayedWith:
    """Somebody with whom an account played lately, the last game of both, and whether one asked the other."""

    player: Player
    game: Game
    friends: bool


def played_with(account: Account) -> Sequence[PlayedWith]:
    """Return with whom an account played lately, the last first; nobody who hides or whom it blocks."""
    mine = Seat.objects.filter(account=account.pk, game__club_game__isnull=False, game__unanswered=[])
    latest = mine.select_related("game").order_by("-game__moved_at", "game")[:GAMES_LOOKED_AT]
    games = {seat.game_id: seat.game for seat in latest}
    seats = Seat.objects.filter(game__in=games, account__isnull=False).exclude(account=account.pk)
    sat: dict[UUID, list[UUID]] = {}
    for seat in seats.order_by("number"):
        if seat.account:
            sat.setdefault(seat.game_id, []).append(seat.account)
    met: dict[UUID, Game] = {}
    for pk, game in games.items():
        for other in sat.get(pk, ()):
            met.setdefault(other, game)
    known = faces([*met.keys() - blocked_by(account.pk)], account)
    friends = {one for pair in _friendships(account.pk).values_list("asks", "asked") for one in pair}
    people = [
        PlayedWith(known[other], game, other in friends) for other, game in met.items() if other in known
    ]
    return people[:MOST_SHOWN]


# ---- A game in one tap ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Common:
    """The club of two people, their players there, and the game that they last played as two, or ""."""

    club: Club
    mine: Player
    other: Player
    ruleset: str
    options: JsonObject


def in_common(account: Account, other: UUID) -> Common | None:
    """Return where two accounts can play with each other: where they did last, otherwise the first club.

    It is None where they share no club as active players, or the other hides in each.
    """
    mine = {each.club_id: each for each in _playing(account.pk)}
    shown = _playing(other).filter(club__in=[*mine]).exclude(audience=Audience.NOBODY)
    theirs = {each.club_id: each for each in shown.select_related("club").order_by("club__name", "pk")}
    for game in _as_two(account.pk, [*theirs]).filter(account=other)[:GAMES_LOOKED_AT]:
        club, key = game.game.club_game.club_id, _key(game.game.ruleset)
        if key in games_for_two():
            return Common(theirs[club].club, mine[club], theirs[club], key, dict(game.game.options))
    for club, player in theirs.items():
        return Common(player.club, mine[club], player, "", {})
    return None


def played_as_two(account: Account) -> frozenset[UUID]:
    """Return the accounts with whom an account has played a game of two that can be played again."""
    clubs = _playing(account.pk).values_list("club", flat=True)
    known = _as_two(account.pk, clubs).order_by().values_list("account", "game__ruleset").distinct()
    return frozenset(other for other, name in known if other and _key(name) in games_for_two())


def _playing(account: UUID) -> QuerySet[Player]:
    """Return as whom an account plays in clubs of which it is a member."""
    return Player.objects.filter(account=account, active=True, club__members__account=account)


def _as_two(account: UUID, clubs: Collection[UUID]) -> QuerySet[Seat]:
    """Return the other seats of games of two that an account has played in clubs, the last game first."""
    mine = Seat.objects.filter(account=account, game__club_game__club__in=clubs).values("game")
    others = Seat.objects.filter(game__in=mine, account__isnull=False).exclude(account=account)
    two = others.annotate(players=Count("game__seats")).filter(players=2)
    return two.select_related("game__club_game").order_by("-game__moved_at", "game")


def _key(ruleset: str) -> str:
    return ruleset.partition("@")[0]


def games_for_two() -> Sequence[str]:
    """Return the keys of the games that two play here with dealt cards, as they are listed everywhere."""
    return [key for key, ruleset in rules.NEWEST.items() if 2 in ruleset.seats and ruleset.dealt]


# ---- Home ----------------------------------------------------------------------------------------


def seats_now(account: Account) -> QuerySet[TableSeat]:
    """Return where an account sits in rounds that are played now, by competition, round and table."""
    going = TableSeat.objects.filter(
        player__account=account,
        table__status=Table.Status.PLAYING,
        table__round__status=Round.Status.PUBLISHED,
    )
    rows = going.select_related("table__round__stage__competition")
    return rows.order_by("table__round__stage__competition", "table__round__number", "table__number", "pk")


# ---- Clubs ---------------------------------------------------------------------------------------


def company_of(club: UUID) -> ClubCompany:
    """Return what a club offers beside games, the usual where it has said nothing."""
    return ClubCompany.objects.filter(club=club).first() or ClubCompany(club_id=club)


def reports_seen_by(account: Account, rows: QuerySet[Report]) -> QuerySet[Report]:
    """Return the reports that an account may see: never one about itself."""
    return rows.exclude(player__account=account)
