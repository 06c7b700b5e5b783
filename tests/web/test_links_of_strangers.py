"""A club that keeps names to its members: no page has a link that the public can't open."""

import re
from http import HTTPStatus
from typing import Any, Final

import pytest
from django.test import Client

from tests import factories
from tests.hidden import hide
from tests.web.every_page.world import made
from tests.web.test_hidden_names import AREAS, asked

LINK: Final = re.compile(r'<(?:a|link)\b[^>]*?\bhref="(/[^"#]*)')
CLOSED: Final = (HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND)


def links(answer: Any) -> frozenset[str]:
    """Return the pages of this site that a page which opened leads to."""
    if answer.status_code != HTTPStatus.OK or answer.streaming:
        return frozenset()
    found = LINK.findall(answer.content.decode(errors="replace"))
    return frozenset(each.replace("&amp;", "&") for each in found if not each.startswith("/static/"))


@pytest.mark.django_db
@pytest.mark.parametrize("area", AREAS)
def test_the_public_can_open_every_page_that_a_page_leads_to(area: str) -> None:
    pages, parts = AREAS[area]
    world = made(factories.cast(), parts)
    addresses = {*asked(world, pages)}
    hide(world.cast)
    public = Client()
    leads_to = {address: links(public.get(address)) for address in sorted(addresses)}
    closed = {
        link for link in frozenset().union(*leads_to.values()) if public.get(link).status_code in CLOSED
    }
    assert {address: found & closed for address, found in leads_to.items() if found & closed} == {}


@pytest.mark.django_db
def test_the_club_says_that_names_are_for_members() -> None:
    cast = factories.cast()
    hide(cast)
    for address in (f"/clubs/{cast.club.slug}/", f"/clubs/{cast.club.slug}/players/"):
        page = Client().get(address).content.decode()
        assert "Names and pages of those who play here are for members of the club only." in page
        assert "No players" not in page
        organiser = Client()
        organiser.force_login(cast.olga)
        assert "members of the club only" not in organiser.get(address).content.decode()
