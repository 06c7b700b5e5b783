"""The signed log: a page with its newest head, and a feed of all heads."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from league.apps.signed_log.models import LogHead
from league.apps.signed_log.queries import contradicted, gaps, newest_head, newest_heads, stands_still
from league.ops.answers import KeptContents

NEWEST: Final = 50
TOLD: Final = timedelta(days=90)
"""For how long the page names a gap."""
_gaps: Final = KeptContents[Sequence[tuple[datetime, datetime]]](most=2)


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show the newest head, who witnessed it, and how to check it."""
    log = newest_head()
    shown = {
        "log": log,
        "still": stands_still(),
        "contradicted": contradicted(),
        # They change with a new head alone.
        "gaps": _gaps.get(log.row.pk, lambda: gaps(log.row.at - TOLD)) if log else (),
        "told": TOLD.days,
        "site": settings.SITE_URL,
    }
    return render(request, "signed_log/page.html", shown)


class Heads(Feed):  # type: ignore[type-arg]  # not generic when the code runs
    """The newest heads as they were signed, in the form of Atom."""

    feed_type = Atom1Feed
    title = gettext_lazy("Signed log")
    author_name = "Trefoil"

    def link(self) -> str:
        """Return the address of the page."""
        return reverse("signed_log")

    def items(self) -> Iterable[Any]:
        """Return the heads, the newest first."""
        return newest_heads()[:NEWEST]

    def item_title(self, item: LogHead) -> str:
        """Return the size of the tree."""
        return ngettext("%(size)d entry", "%(size)d entries", item.size) % {"size": item.size}

    def item_description(self, item: LogHead) -> str:
        """Return the head as it was signed."""
        return item.note

    def item_link(self, item: LogHead) -> str:
        """Return the address of the page, with the size of the tree."""
        return f"{reverse('signed_log')}#{item.epoch_id}-{item.size}"

    def item_updateddate(self, item: LogHead) -> datetime:
        """Return when the head was signed."""
        return item.at


urlpatterns = [
    path("log/", page, name="signed_log"),
    path("log/feed/", Heads(), name="signed_log_feed"),
]
