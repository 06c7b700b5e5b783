"""A club that keeps names to its members: no page tells one, to nobody and to strangers."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.test import Client

from tests import factories
from tests.apps import of_site
from tests.factories import AccountFactory
from tests.hidden import hide, told
from tests.web.every_page import kinds
from tests.web.every_page.world import World, logged_in, made

OF_APPS: Final = of_site("every_page")
AREAS: Final = {**kinds.AREAS, **{app: (each.KINDS, (each.made,)) for app, each in OF_APPS.items()}}


OF_ONE_PERSON: Final = ("answer", "invitation")
"""Pages behind the links of one person's emails, who reads the club's names there."""


def asked(world: World, pages: Any) -> Iterator[str]:
    """Yield the address of each state of pages."""
    for route in pages.keys() - {*OF_ONE_PERSON}:
        yield from (state.path(route) for state in pages[route](world))


@pytest.mark.django_db
@pytest.mark.parametrize("area", AREAS)
def test_no_page_tells_the_public_a_name_that_is_for_members(area: str) -> None:
    pages, parts = AREAS[area]
    world = made(factories.cast(), parts)
    addresses = {*asked(world, pages)}
    hide(world.cast)
    public = (Client(), logged_in(AccountFactory.create(username="foreign")))
    told_there = {address: [*map(told, (each.get(address) for each in public))] for address in addresses}
    assert {address: found for address, found in told_there.items() if any(found)} == {}


@pytest.mark.django_db
def test_who_opens_a_link_of_an_email_reads_the_own_name_whole() -> None:
    found = dict.fromkeys(OF_ONE_PERSON, False)
    areas = [area for area, (pages, _parts) in AREAS.items() if {*pages} & {*OF_ONE_PERSON}]
    world = made(factories.cast(), [*dict.fromkeys(part for area in areas for part in AREAS[area][1])])
    links = [(route, AREAS[area][0]) for area in areas for route in OF_ONE_PERSON if route in AREAS[area][0]]
    addresses = [(route, state.path(route)) for route, pages in links for state in pages[route](world)]
    hide(world.cast)
    for route, address in addresses:
        found[route] |= bool(told(Client().get(address)))
    assert all(found.values()), found
