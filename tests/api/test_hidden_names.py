"""A club that keeps names to its members: no operation tells one, to nobody and to strangers."""

from rest_framework.test import APIClient

from tests.api.desks import Desk
from tests.api.test_tags import PATHS, World
from tests.factories import AccountFactory, Cast
from tests.hidden import hide, told


def test_no_operation_tells_the_public_a_name_that_is_for_members(cast: Cast, desk: Desk) -> None:
    world, foreign = World(cast, desk), APIClient()
    hide(cast)
    foreign.force_login(AccountFactory.create(username="foreign"))
    found = {
        path: [told(client.get(world.address(path))) for client in (APIClient(), foreign)] for path in PATHS
    }
    assert {path: each for path, each in found.items() if any(each)} == {}
    known = [path for path in PATHS if told(world.token.get(world.address(path)))]
    assert len(known) > 10
