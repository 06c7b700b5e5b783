"""Practice games, each as the table of a game of no club, for whoever plays it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from games import rules
from games.engine.replay import AnyRuleset
from games.models import Game
from games.packages import has_bot
from league.models import Account, Club, ClubGame, PracticeGame

GUEST_SEAT: Final = 0


@dataclass(frozen=True)
class Visitor:
    """Who practises: the account that is logged in, and the guest that the browser's cookie names."""

    guest: UUID
    account: Account | None = None
    zone: str = "UTC"
    """The time zone of the browser, for games that are no club's."""


def games_of(visitor: Visitor) -> QuerySet[PracticeGame]:
    """Return the practice games of a visitor, the last opened first: nobody else sees anything of them."""
    mine = Q(guest=visitor.guest, account=None)
    if visitor.account is not None:
        mine |= Q(account=visitor.account)
    return PracticeGame.objects.filter(mine).select_related("game").order_by("-opened_at", "pk")


def practice_of(visitor: Visitor, game_id: UUID) -> ClubGame:
    """Return a practice game of the visitor; raises PracticeGame.DoesNotExist where it has no such one."""
    found = games_of(visitor).select_related("game__imported").get(pk=game_id)
    return ClubGame(game=found.game, club=Club(name=_("Practice"), timezone=visitor.zone))


def require_own(visitor: Visitor, game_id: UUID) -> None:
    """Raise PracticeGame.DoesNotExist for a practice game of somebody else."""
    if PracticeGame.objects.filter(pk=game_id).exists():
        games_of(visitor).get(pk=game_id)


def running_of(visitor: Visitor) -> QuerySet[PracticeGame]:
    """Return the visitor's practice games that are not over, the last opened first."""
    return games_of(visitor).filter(game__status=Game.Status.ACTIVE)


def last_of(visitor: Visitor) -> Mapping[str, PracticeGame]:
    """Return the visitor's last practice game of each ruleset, by the ruleset's key."""
    last = games_of(visitor).order_by("game__ruleset", "-opened_at", "pk").distinct("game__ruleset")
    return {each.game.ruleset.partition("@")[0]: each for each in last}


def seats_to_practise(ruleset: AnyRuleset) -> int:
    """Return the smallest number of seats at which all teams have as many."""

    def even(seats: int) -> bool:
        teams = ruleset.teams(seats)
        return len({teams.count(team) for team in teams}) == 1 and len({*teams}) > 1

    return next(filter(even, ruleset.seats), ruleset.seats[0])


def games_to_practise() -> Sequence[AnyRuleset]:
    """Return the games that have a bot, by title."""
    return sorted(filter(has_bot, rules.NEWEST.values()), key=lambda ruleset: ruleset.title)
