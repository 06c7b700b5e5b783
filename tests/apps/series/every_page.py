"""The pages of a series, for the tests of every page."""

from typing import Final

from league.apps.series import queries
from league.apps.series.core.rule import Count, Rule
from league.apps.series.models import Series
from tests.apps.series.year import evening, say, typed, year
from tests.web.every_page.kinds import Kinds, State, nobody
from tests.web.every_page.world import World


def made(world: World) -> None:
    """Make a series of two competitions and an evening that was typed in, and one without evenings."""
    cast = world.cast
    shown = year(cast, Rule(count=Count(best=2)), evening(cast, name="September"), evening(cast))
    say(cast, shown, typed((cast.paul_plays, "7"), (cast.petra_plays, "7/2")))
    year(cast, Rule(count=Count(brought=True)))


def _both() -> list[Series]:
    return list(Series.objects.select_related("club").order_by("opened_at"))


def _at(series: Series) -> tuple[str, str]:
    return series.club.slug, series.slug


KINDS: Final[Kinds] = {
    "series": lambda _: [
        *(nobody(*_at(each)) for each in _both()),
        nobody(*_at(_both()[0]), query="?after=2"),
    ],
    "series_chart": lambda _: [nobody(*_at(each)) for each in _both()],
    "series_hand_in": lambda _: [State("paul", _at(_both()[1])), State("stranger", _at(_both()[1]))],
    "series_person": lambda _: [nobody(*_at(_both()[0]), queries.table_of(_both()[0]).table.rows[-1].person)],
}
POSTED: Final = ("declare_evening",)
NO_PAGES: Final = ("series_feed",)
"""What is a feed."""
