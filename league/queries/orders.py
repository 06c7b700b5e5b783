"""Orders of a competition's entries by which the tables of its next round can be filled."""

from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from django.utils.translation import gettext as _

from games import rules
from league import hooks
from league.core.state.competition import Competition as State
from league.core.state.cut_offs import NO_SOURCE, Order, Source
from league.hooks import Ordering
from league.models import Competition, Rating


def orders_of(competition: UUID, state: State) -> Sequence[Ordering]:
    """Return the orders that there are: those of apps, by ratings, and in which entries were entered."""
    of_apps = (order for each in hooks.ORDERS for order in each(competition, state))
    return [*of_apps, *_own(competition, state)]


def order_of(competition: UUID, state: State, key: str) -> tuple[Order, Source]:
    """Return the order of a key and its source, who has no number last; empty where nobody has one."""
    found = _found(competition, state, key)
    values = found.values() if found else {}
    if found is None or not values:
        return (), NO_SOURCE
    last = max(found.sign * value for value in values.values()) + 1
    live = [each.id for each in state.entries if each.live]
    levels = {each: found.sign * values[each] if each in values else last for each in live}
    order = tuple(
        tuple(each for each in live if levels[each] == level) for level in sorted({*levels.values()})
    )
    return order, Source(key.partition("/")[0], found.name)


def values_of(competition: UUID, state: State, key: str) -> Mapping[str, int]:
    """Return the numbers of which the order of a key is made, by entry; none where there is no such order."""
    found = _found(competition, state, key)
    return found.values() if found else {}


def _found(competition: UUID, state: State, key: str) -> Ordering | None:
    """Return the order of a key, or the first of its kind: of the series that which was opened last."""
    found = orders_of(competition, state) if key else ()
    return next((each for each in found if key in (each.key, each.key.partition("/")[0])), None)


def summed(state: State, numbers: Mapping[str, int], sign: int = 1) -> Mapping[str, int]:
    """Return for each entry that has any the numbers of its players, which add up in a team.

    Who has none counts as one place behind the last, where the lowest is first, or below the lowest.
    """
    otherwise = sign * (max((sign * number for number in numbers.values()), default=0) + 1)
    known = (each for each in state.entries if each.live and any(one in numbers for one in each.players))
    return {each.id: sum(numbers.get(one, otherwise) for one in each.players) for each in known}


def _own(competition: UUID, state: State) -> Iterator[Ordering]:
    now = Competition.objects.only("club_id", "ruleset").get(pk=competition)
    rated = Rating.objects.filter(club=now.club_id, ruleset=rules.game_key(now.ruleset))
    if rated.exists():
        points = rated.values_list("player", "sure_points")
        yield Ordering(
            "rating",
            _("by the ratings"),
            lambda: summed(state, {str(player): number for player, number in points}, -1),
            -1,
        )
    live = (entry.id for entry in state.entries if entry.live)
    entered = {entry: at for at, entry in enumerate(live, 1)}
    yield Ordering("entered", _("in the order of entering"), lambda: entered)
