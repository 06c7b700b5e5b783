"""Practice games, for whoever plays them, and the games in which house bots play."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db.models import F, Q, QuerySet

from games import database_time, rules
from games.engine.replay import AnyRuleset
from games.models import Game, Seat
from games.packages import has_bot
from league.hooks import HOUSE_BOTS, Visitor
from league.queries.games import SeatedPlayer, seated_at

_MOST_LISTED: Final = 20
_GIVEN_UP_AFTER: Final = timedelta(days=2)
_UNHEARD_FOR: Final = timedelta(seconds=10)
"""How long a game waits for a house bot before the sweep queues its move."""


# ---- Practice ------------------------------------------------------------------------------------


def games_of(visitor: Visitor) -> QuerySet[Game]:
    """Return the practice games of a visitor, the last opened first."""
    mine = Q(practice_game__guest=visitor.guest, practice_game__account=None)
    if visitor.account is not None:
        mine |= Q(practice_game__account=visitor.account)
    games = Game.objects.filter(mine, practice=True).select_related("practice_game")
    return games.order_by("-practice_game__opened_at", "pk")


def running_of(visitor: Visitor) -> QuerySet[Game]:
    """Return the visitor's practice games that are not over, the last opened first."""
    return games_of(visitor).filter(status=Game.Status.ACTIVE)


def ended_of(visitor: Visitor) -> Sequence[tuple[Game, Sequence[SeatedPlayer]]]:
    """Return the visitor's last practice games that have a result, with their seats; three queries."""
    games = list(games_of(visitor).filter(status=Game.Status.FINISHED)[:_MOST_LISTED])
    seats = seated_at(games)
    return [(game, seats[game.pk]) for game in games]


def last_of(visitor: Visitor) -> Mapping[str, Game]:
    """Return the visitor's last practice game of each ruleset, by the ruleset's key."""
    last = games_of(visitor).order_by("ruleset", "-practice_game__opened_at", "pk").distinct("ruleset")
    return {game.ruleset.partition("@")[0]: game for game in last}


def seats_to_practise(ruleset: AnyRuleset) -> int:
    """Return the smallest number of seats at which all teams have as many."""

    def even(seats: int) -> bool:
        teams = ruleset.teams(seats)
        return len({teams.count(team) for team in teams}) == 1 and len({*teams}) > 1

    return next(filter(even, ruleset.seats), ruleset.seats[0])


def games_to_practise() -> Sequence[AnyRuleset]:
    """Return the games that have a bot, by title."""
    return sorted(filter(has_bot, rules.NEWEST.values()), key=lambda ruleset: ruleset.title)


# ---- House bots ----------------------------------------------------------------------------------


def games_of_bots() -> Sequence[UUID]:
    """Return the games that house bots play now, but those that `seats_awaited` leaves out."""
    return list(_of_bots().order_by("game").values_list("game", flat=True).distinct())


def games_awaiting_bots() -> Sequence[UUID]:
    """Return the games of `seats_awaited`, those that wait for longest first."""
    games = seats_awaited().order_by("game__moved_at", "game").values_list("game", flat=True)
    return list(dict.fromkeys(games))


def seats_awaited() -> QuerySet[Seat]:
    """Return the seats of house bots for whose move, or answer to an invitation, a game waits.

    Those that have waited for longer than any worker is down are left out: a bot can't move there.
    """
    waits = Q(game__awaited__contains=[F("number")]) | Q(game__unanswered__contains=[F("number")])
    return _of_bots().filter(waits)


def seats_unheard() -> QuerySet[Seat]:
    """Return those that have waited for longer than a bot takes that has heard of it."""
    return seats_awaited().filter(game__moved_at__lt=database_time.now() - _UNHEARD_FOR)


def _of_bots() -> QuerySet[Seat]:
    return Seat.objects.filter(
        game__status__in=[Game.Status.ACTIVE, Game.Status.INVITED],
        game__moved_at__gt=database_time.now() - _GIVEN_UP_AFTER,
        account__in=HOUSE_BOTS,
    )
