"""Practice games, each as the table of a game of no club, for the guest who plays it."""

from collections.abc import Mapping, Sequence
from typing import Final
from uuid import UUID

from django.utils.translation import gettext as _

from games import rules
from games.engine.replay import AnyRuleset
from games.models import Game
from games.packages import has_bot
from league.models import Club, ClubGame, PracticeGame

GUEST_SEAT: Final = 0


def practice_of(guest: UUID, game_id: UUID) -> ClubGame:
    """Return a practice game of the guest; raises PracticeGame.DoesNotExist where it has no such one."""
    found = PracticeGame.objects.select_related("game__imported").get(pk=game_id, guest=guest)
    return ClubGame(game=found.game, club=Club(name=_("Practice")))


def running_of(guest: UUID) -> Sequence[PracticeGame]:
    """Return the guest's practice games that are not over, the last opened first."""
    running = PracticeGame.objects.filter(guest=guest, game__status=Game.Status.ACTIVE)
    return list(running.select_related("game").order_by("-opened_at", "pk"))


def last_of(guest: UUID) -> Mapping[str, PracticeGame]:
    """Return the guest's last practice game of each ruleset, by the ruleset's key."""
    begun = PracticeGame.objects.filter(guest=guest).select_related("game")
    last = begun.order_by("game__ruleset", "-opened_at", "pk").distinct("game__ruleset")
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
