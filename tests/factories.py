"""Factories of rows, and the cast of the tests: an organiser, two players, and a stranger."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from factory.declarations import LazyAttribute, SubFactory
from factory.declarations import Sequence as Counted
from factory.django import DjangoModelFactory

from games.engine.clocks import NO_CLOCK, Clock
from games.models import Game
from league.models import Account, Club, Member, Player
from league.models.names import search_key
from league.queries.clubs import accounts_of
from league.services.casual_games import open_casual_game


class AccountFactory(DjangoModelFactory[Account]):
    class Meta:
        model = Account

    username = Counted(lambda number: f"account{number}")


class ClubFactory(DjangoModelFactory[Club]):
    class Meta:
        model = Club

    slug = Counted(lambda number: f"club-{number}")
    name = Counted(lambda number: f"Club {number}")
    timezone = "Europe/Dublin"
    quiet = ""  # tests run at any hour


class MemberFactory(DjangoModelFactory[Member]):
    class Meta:
        model = Member

    club = SubFactory(ClubFactory)
    account = SubFactory(AccountFactory)
    role = Member.Role.PLAYER


class PlayerFactory(DjangoModelFactory[Player]):
    class Meta:
        model = Player

    club = SubFactory(ClubFactory)
    name = Counted(lambda number: f"Player {number}")
    search_name = LazyAttribute(lambda player: search_key(player.name))
    public_name = LazyAttribute(lambda player: player.name)
    appeared = True


@dataclass(frozen=True)
class Cast:
    """Olga directs the club, Paul and Petra play in it, Nora owns another club and has no say in this one."""

    club: Club
    olga: Account
    paul: Account
    petra: Account
    nora: Account
    paul_plays: Player
    petra_plays: Player

    def people(self, count: int) -> list[Player]:
        """Return so many players of the club, Paul and Petra first, the others without accounts."""
        others = PlayerFactory.create_batch(max(0, count - 2), club=self.club)
        return [self.paul_plays, self.petra_plays, *others][:count]

    def game(
        self,
        ruleset: str,
        options: object = None,
        players: list[UUID] | None = None,
        clock: Clock = NO_CLOCK,
    ) -> Game:
        """Return a casual game, of Paul against Petra unless others are named."""
        return open_casual_game(
            by=self.olga,
            club=self.club,
            ruleset=ruleset,
            options=options or {},
            players=players or [self.paul_plays.pk, self.petra_plays.pk],
            clock=clock,
        )


def playing(players: Sequence[UUID]) -> list[UUID | None]:
    """Return the account of each player, as the opening of a game notes it."""
    return [*map(accounts_of(players).get, players)]


def cast() -> Cast:
    """Return the cast, in a club of its own."""
    club = ClubFactory.create(name="Harbour Cards")
    olga, paul, petra, nora = (AccountFactory.create(username=name) for name in _NAMES)
    MemberFactory.create(club=club, account=olga, role=Member.Role.OWNER)
    MemberFactory.create(account=nora, role=Member.Role.OWNER)
    paul_plays, petra_plays = (
        _plays(club, account, name) for account, name in ((paul, "Paul Pike"), (petra, "Petra Plum"))
    )
    return Cast(club, olga, paul, petra, nora, paul_plays, petra_plays)


_NAMES = ("olga", "paul", "petra", "nora")


def _plays(club: Club, account: Account, name: str) -> Player:
    MemberFactory.create(club=club, account=account)
    return PlayerFactory.create(club=club, account=account, name=name)
