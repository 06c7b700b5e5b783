"""The pages that search engines are told of: never those of players who did not agree to be found."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from django.contrib.sitemaps import Sitemap
from django.db.models import QuerySet
from django.urls import reverse

from games import rules
from league import hooks
from league.queries.clubs import all_clubs
from league.queries.competitions import all_competitions
from league.queries.permissions import players_told
from league.queries.seasons import all_seasons

if TYPE_CHECKING:
    from league.models import Club, Competition, Player

_MOST: Final = 10_000


class Start(Sitemap):  # type: ignore[type-arg]  # not generic when the code runs
    """The pages that every site has, as (name, argument or nothing)."""

    def items(self) -> Sequence[tuple[str, str]]:
        """Return the home page, and those of apps, of the games and their rules."""
        plain = [(name, "") for name in ("home", *hooks.SITE_PAGES, "rules_index")]
        return [*plain, *(("rules", key) for key in sorted({each.key for each in rules.BY_NAME.values()}))]

    def location(self, item: tuple[str, str]) -> str:
        """Return the address of a page."""
        return reverse(item[0], args=[item[1]] if item[1] else [])


class Clubs(Sitemap):  # type: ignore[type-arg]  # not generic when the code runs
    """The clubs' pages."""

    limit = _MOST

    def items(self) -> "QuerySet[Club]":
        """Return all clubs by name."""
        return all_clubs()

    def location(self, item: "Club") -> str:
        """Return the address of a club's page."""
        return reverse("club", args=[item.slug])


class Seasons(Sitemap):  # type: ignore[type-arg]  # not generic when the code runs
    """The pages of clubs' seasons."""

    limit = _MOST

    def items(self) -> Sequence[tuple[str, int]]:
        """Return the seasons of all clubs as (slug, year), in that order."""
        return all_seasons()

    def location(self, item: tuple[str, int]) -> str:
        """Return the address of a season's page."""
        return reverse("season", args=item)


class Competitions(Sitemap):  # type: ignore[type-arg]  # not generic when the code runs
    """The competitions' pages."""

    limit = _MOST

    def items(self) -> "QuerySet[Competition]":
        """Return all competitions, the last opened first."""
        return all_competitions().order_by("-opened_at", "pk")

    def location(self, item: "Competition") -> str:
        """Return the address of a competition's page."""
        return reverse("competition", args=[item.slug])

    def lastmod(self, item: "Competition") -> datetime:
        """Return when it last changed for everybody."""
        return item.shown_at


class Players(Sitemap):  # type: ignore[type-arg]  # not generic when the code runs
    """The pages of players who agreed to be found, and whose record everybody may see."""

    limit = _MOST

    def items(self) -> "QuerySet[Player]":
        """Return these players by name."""
        return players_told()

    def location(self, item: "Player") -> str:
        """Return the address of a player's page."""
        return reverse("player", args=[item.pk])


SITEMAPS: Final[Mapping[str, type[Sitemap]]] = {  # type: ignore[type-arg]
    "start": Start,
    "clubs": Clubs,
    "seasons": Seasons,
    "competitions": Competitions,
    "players": Players,
}
