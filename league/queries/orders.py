"""Orders of a competition's entries by which the tables of its next round can be filled."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from league import hooks
from league.core.state.competition import Competition as State
from league.core.state.cut_offs import Order
from league.hooks import Ordering
from league.models import Competition, Rating


def orders_of(competition: UUID, state: State) -> Sequence[Ordering]:
    """Return the orders that there are: those of apps, by ratings, and in which entries were entered."""
    of_apps = (order for each in hooks.ORDERS for order in each(competition, state))
    return [*of_apps, *_own(competition, state)]


def order_of(competition: UUID, state: State, key: str) -> Order:
    """Return the order of a key, empty where there is none."""
    found = orders_of(competition, state) if key else ()
    return next((each.order() for each in found if each.key == key), ())


def values_of(competition: UUID, state: State, key: str) -> Mapping[str, int]:
    """Return the numbers of which the order of a key is made, by entry; none where there is no such order."""
    found = orders_of(competition, state) if key else ()
    return next((each.values() for each in found if each.key == key), {})


def summed(state: State, numbers: Mapping[str, int], otherwise: int | None = None) -> Mapping[str, int]:
    """Return for each entry that has any the numbers of its players, which add up in a team.

    Who has none counts as ``otherwise``, by default as one place behind the last.
    """
    otherwise = max(numbers.values(), default=0) + 1 if otherwise is None else otherwise
    known = (each for each in state.entries if each.live and any(one in numbers for one in each.players))
    return {each.id: sum(numbers.get(one, otherwise) for one in each.players) for each in known}


def by_players(state: State, places: Mapping[str, int]) -> Order:
    """Return entries by the places of their players, which add up in a team; those without one are last."""
    last = max(places.values(), default=0) + 1
    return _levels(state, lambda players: sum(places.get(each, last) for each in players))


def _levels(state: State, key: Callable[[Sequence[str]], Any]) -> Order:
    found = sorted((key(each.players), at, each.id) for at, each in enumerate(state.entries) if each.live)
    return tuple(tuple(entry for _, _, entry in level) for _, level in groupby(found, lambda each: each[0]))


def _own(competition: UUID, state: State) -> Iterator[Ordering]:
    now = Competition.objects.only("club_id", "ruleset").get(pk=competition)
    rated = Rating.objects.filter(club=now.club_id, ruleset=now.ruleset.partition("@")[0])
    if rated.exists():
        yield Ordering(
            "rating",
            _("by the ratings"),
            lambda: _by_rating(state, dict(_points(rated))),
            lambda: _rated(state, dict(_points(rated))),
        )
    yield Ordering(
        "entered",
        _("in the order of entering"),
        lambda: tuple((entry.id,) for entry in state.entries if entry.live),
    )


def _points(rated: Any) -> Iterator[tuple[str, int]]:
    for player, points in rated.values_list("player", "sure_points"):
        yield str(player), points


def _rated(state: State, points: Mapping[str, int]) -> Mapping[str, int]:
    return summed(state, points, min(points.values(), default=0) - 1)


def _by_rating(state: State, points: Mapping[str, int]) -> Order:
    """Return entries by the ratings of their players, which add up in a team; those without one are last."""
    if not points:
        return ()
    least = min(points.values()) - 1
    return _levels(state, lambda players: -sum(points.get(each, least) for each in players))
