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


def asked(world: World, pages: Any) -> Iterator[str]:
    """Yield the address of each state of pages."""
    for route, states in pages.items():
        yield from (state.path(route) for state in states(world))


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
