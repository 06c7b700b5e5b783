"""Feeds, a club's calendar, and what search engines and previews of links are told."""

import re
from datetime import UTC, date, datetime
from xml.etree import ElementTree

from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from league.choices import Audience
from league.core.verbs.deadlines import SetDeadline
from league.models import Competition, Details
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.playing import finished, in_play, opened
from tests.web.test_public import text


def entries(client: Client, address: str) -> list[str]:
    """Return the titles in a feed."""
    return re.findall(r"<entry><title>(.*?)</title>", text(client, address))


def test_a_competition_tells_its_news_with_the_newest_first(client: Client, cast: Cast) -> None:
    competition = finished(cast, name="Autumn")
    told = entries(client, f"/competitions/{competition.slug}/feed/")
    assert told[0] == "The competition is over."
    assert len([each for each in told if "published" in each.lower()]) == 2
    assert not [each for each in told if "Paul" in each]
    assert "<author><name>Harbour Cards</name>" in text(client, f"/competitions/{competition.slug}/feed/")
    assert entries(client, f"/clubs/{cast.club.slug}/feed/") == [f"Autumn: {each}" for each in told]


def test_readers_of_feeds_get_no_markup_of_a_name(client: Client, cast: Cast) -> None:
    competition = opened(cast, name="Tea <b>& </b>cards")
    feed = ElementTree.fromstring(client.get(f"/competitions/{competition.slug}/feed/").content)
    said = {each.attrib["type"]: each.text for each in feed.iter("{http://www.w3.org/2005/Atom}summary")}
    assert said == {"html": "Tea &lt;b&gt;&amp; &lt;/b&gt;cards"}


def test_a_club_tells_nothing_of_an_unpublished_draw(client: Client, cast: Cast) -> None:
    competition = in_play(cast, name="Autumn")
    before = entries(client, f"/clubs/{cast.club.slug}/feed/")
    Competition.objects.filter(pk=competition.pk).update(withheld_from=2)
    assert len(entries(client, f"/clubs/{cast.club.slug}/feed/")) == 1 < len(before)


def test_a_club_has_a_calendar_of_its_days_and_deadlines(client: Client, cast: Cast) -> None:
    competition = in_play(cast, name="Autumn")
    Details.objects.create(competition=competition, begins_on=date(2030, 5, 3), place="The pier")
    due = datetime(2030, 5, 4, 18, tzinfo=UTC)
    act(cast.olga, competition, SetDeadline, deadline=due.isoformat())
    written = client.get(f"/clubs/{cast.club.slug}/calendar.ics").content
    assert b"\r\nREFRESH-INTERVAL;VALUE=DURATION:PT1H\r\n" in written  # RFC 7986, section 5.7
    events = Calendar.from_ical(written).events
    assert [(str(each["SUMMARY"]), each.start) for each in events] == [
        ("Autumn", date(2030, 5, 3)),
        ("Autumn: round 1 must be finished", due),
    ]


def test_search_engines_learn_only_of_players_who_agreed_to_be_found(client: Client, cast: Cast) -> None:
    opened(cast, name="Autumn")
    open_to_all, members_only, unasked = (
        PlayerFactory.create(club=cast.club, findable=findable, audience=audience)
        for findable, audience in (
            (True, Audience.EVERYBODY),
            (True, Audience.CLUB),
            (False, Audience.EVERYBODY),
        )
    )
    sections = re.findall("<loc>http://testserver(.*?)</loc>", text(client, "/sitemap.xml"))
    told = "".join(text(client, address) for address in sections)
    assert f"/clubs/{cast.club.slug}/" in told and "/competitions/" in told and "/rules/scoops/" in told
    assert re.findall("/seasons/(.*?)/", told) == [str(timezone.localdate(timezone=cast.club.zone).year)]
    assert re.findall("/players/(.*?)/", told) == [str(open_to_all.pk)]
    hidden = '<meta name="robots" content="noindex">'
    assert hidden not in text(client, f"/players/{open_to_all.pk}/")
    assert hidden in text(client, f"/players/{unasked.pk}/")
    assert "Sitemap: http://testserver/sitemap.xml" in text(client, "/robots.txt")
    assert members_only.findable


def test_news_and_the_next_deadline_lead_to_the_round_of_their_stage(client: Client, cast: Cast) -> None:
    competition = in_play(cast)
    competition.stages.get().rounds.update(deadline=datetime(2099, 7, 1, tzinfo=UTC))
    address = f"/competitions/{competition.slug}/rounds/?stage=1&amp;round=1"
    club = f"/clubs/{cast.club.slug}/"
    for page in (f"/competitions/{competition.slug}/feed/", f"{club}feed/", club):
        assert address in text(client, page)


def test_links_to_pages_have_a_title_and_a_description(client: Client, cast: Cast) -> None:
    competition = opened(cast, name="Autumn")
    Details.objects.create(competition=competition, begins_on=date(2030, 5, 3), place="The “pier”")
    page = text(client, f"/competitions/{competition.slug}/")
    assert '<meta property="og:title" content="Autumn">' in page
    assert 'content="Tally at Harbour Cards. Fri 3 May 2030 · The “pier”"' in page
    for address in ("/", "/play/", "/rules/", "/rules/tally/", f"/clubs/{cast.club.slug}/seasons/2030/"):
        assert re.search('<meta property="og:description" content="[^"]', text(client, address)), address
