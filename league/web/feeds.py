"""What is new in a competition or a club: feeds (Atom), calendars of clubs and hidden players."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.contrib.syndication.views import Feed
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.files import calendars
from league.files.file import File, as_answer
from league.queries.clubs import club_at
from league.queries.competitions import all_competitions
from league.queries.events import news_in, news_of
from league.queries.links import read_calendar
from league.web.site import of_club
from league.words.event_text import EventLine, event_lines

if TYPE_CHECKING:
    from league.models import Club, Competition

NEWEST = 40


class _News(Feed):  # type: ignore[type-arg]  # not generic when the code runs
    """Lines of competitions' logs that tell spectators what happens, the newest first."""

    feed_type = Atom1Feed

    def item_title(self, item: EventLine) -> str:
        """Return the line, without what tells names apart from the text around them."""
        return item.sentence

    def item_description(self, item: EventLine) -> str:
        """Return the competition as HTML, for readers that show many feeds as one."""
        return escape(item.event.competition.name)

    def item_link(self, item: EventLine) -> str:
        """Return the address of the page that shows what the line tells."""
        competition, told = item.event.competition, item.event.event
        if told["type"] == "finished":
            return reverse("competition_winners", args=[competition.slug])
        if "round" in told:
            address = reverse("competition_rounds", args=[competition.slug])
            return f"{address}?stage={told['stage']}&round={told['round']}"
        return reverse("competition", args=[competition.slug])

    def item_guid(self, item: EventLine) -> str:
        """Return what tells the line from every other, for good."""
        return f"urn:uuid:{item.event.competition_id}#{item.event.seq}"

    def item_updateddate(self, item: EventLine) -> datetime:
        """Return when it happened."""
        return item.event.at

    item_pubdate = item_updateddate


class CompetitionNews(_News):
    """The news of a competition."""

    def get_object(self, request: HttpRequest, slug: str) -> Competition:
        """Return the competition at an address."""
        return get_object_or_404(all_competitions(), slug=slug)

    def title(self, obj: Competition) -> str:
        """Return the competition with its club."""
        return _("%(competition)s, %(club)s") % {"competition": obj.name, "club": obj.club.name}

    def author_name(self, obj: Competition) -> str:
        """Return the club's name: Atom wants an author."""
        return obj.club.name

    def link(self, obj: Competition) -> str:
        """Return the address of its page."""
        return reverse("competition", args=[obj.slug])

    def items(self, obj: Competition) -> Sequence[EventLine]:
        """Return the newest lines, the newest first."""
        return _lines(obj.club, news_of(obj))


class ClubNews(_News):
    """The news of all competitions of a club."""

    def get_object(self, request: HttpRequest, slug: str) -> Club:
        """Return the club with an address, or which had it."""
        try:
            return club_at(slug)
        except ObjectDoesNotExist:
            raise Http404 from None

    def title(self, obj: Club) -> str:
        """Return the club's name."""
        return obj.name

    def author_name(self, obj: Club) -> str:
        """Return the club's name: Atom wants an author."""
        return obj.name

    def link(self, obj: Club) -> str:
        """Return the address of its page."""
        return reverse("club", args=[obj.slug])

    def items(self, obj: Club) -> Sequence[EventLine]:
        """Return the newest lines, the newest first."""
        return _lines(obj, news_in(obj))

    def item_title(self, item: EventLine) -> str:
        """Return the competition and the line."""
        named = {"competition": item.event.competition.name, "sentence": item.sentence}
        return _("%(competition)s: %(sentence)s") % named


def _lines(club: Club, events: Any) -> Sequence[EventLine]:
    with timezone.override(club.zone):
        return event_lines(list(events.select_related("competition")[:NEWEST]))


@require_safe
@of_club
def club_calendar(request: HttpRequest, club: Club) -> HttpResponse:
    """Send the club's calendar: the days of its competitions, and the deadlines of rounds being played."""
    return as_answer(File(calendars.of_club(club, request.build_absolute_uri), f"{club.slug}.ics"))


@never_cache
@require_safe
def secret_calendar(request: HttpRequest, player_id: UUID, token: str) -> HttpResponse:
    """Send the calendar of a player whom not everybody sees to whoever knows its address."""
    try:
        player = read_calendar(player_id=player_id, token=token)
    except ObjectDoesNotExist:
        raise Http404 from None
    answer = as_answer(File(calendars.of_player(player, request.build_absolute_uri), "player.ics"))
    answer["X-Robots-Tag"] = "noindex"
    return answer
