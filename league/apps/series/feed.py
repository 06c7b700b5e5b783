"""What is new in a series, as a feed (Atom): the table after each of its last evenings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time
from typing import TYPE_CHECKING, Any

from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import gettext as _

from league.apps.series import queries
from league.apps.series.readers import Line, Shown, corrected
from league.queries.clubs import find_club

if TYPE_CHECKING:
    from league.apps.series.models import Series
    from league.apps.series.queries import Told

NEWEST = 10
_LEADERS = 3


@dataclass(frozen=True)
class After:
    """An evening of a series, and who leads after it."""

    told: Told
    leaders: Sequence[Line]


class SeriesNews(Feed):  # type: ignore[type-arg]  # not generic when the code runs
    """Who leads a series after each of its last evenings that are over, the newest first."""

    feed_type = Atom1Feed

    def get_object(self, request: HttpRequest, slug: str, address: str) -> Series:
        """Return the series at an address; raises Http404."""
        club = find_club(slug)
        found = queries.series_of(club).select_related("club").filter(slug=address).first() if club else None
        if found is None:
            raise Http404
        return found

    def title(self, obj: Series) -> str:
        """Return the series with its club."""
        return f"{obj.name}, {obj.club.name}"

    def subtitle(self, obj: Series) -> str:
        """Return which evenings were corrected."""
        return corrected(queries.corrections_of(obj))

    def author_name(self, obj: Series) -> str:
        """Return the club's name: Atom wants an author."""
        return obj.club.name

    def link(self, obj: Series) -> str:
        """Return the address of its page."""
        return reverse("series", args=[obj.club.slug, obj.slug])

    def items(self, obj: Series) -> Sequence[After]:
        """Return the last evenings that are over, the newest first."""
        over = [told for told in queries.evenings_of(obj) if not (told.row.running or told.row.cancelled)]
        tables = [
            queries.table_of(obj, until=told.number, reaching=False) for told in over[: -NEWEST - 1 : -1]
        ]
        return [
            After(told, [shown.line(row) for row in shown.rows[:_LEADERS] if row.rank])
            for told, shown in zip(over[: -NEWEST - 1 : -1], map(Shown, tables), strict=True)
        ]

    def item_title(self, item: After) -> str:
        """Return the evening with its number."""
        told = {"number": item.told.shown, "name": item.told.row.name}
        title = _("After evening %(number)d: %(name)s") % told
        return f"{title} ({_('corrected')})" if item.told.row.corrected else title

    def item_description(self, item: After) -> str:
        """Return the leaders as HTML."""
        return escape("; ".join(f"{each.rank}. {each.name} {each.total}" for each in item.leaders))

    def item_link(self, item: After) -> str:
        """Return the address of the table after the evening."""
        series = item.told.row.series
        return f"{reverse('series', args=[series.club.slug, series.slug])}?after={item.told.number}"

    def item_guid(self, item: After) -> str:
        """Return what tells the evening from every other, for good."""
        return f"urn:uuid:{item.told.row.series_id}#{item.told.evening.id}"

    def item_updateddate(self, item: After) -> datetime:
        """Return the evening's day, and for a competition when its log went on last."""
        row, zone = item.told.row, item.told.row.series.club.zone
        day = datetime.combine(item.told.on, time(), zone)
        return row.competition.changed_at if row.competition else day

    item_pubdate: Any = item_updateddate
