"""The page of a challenge, for the tests of every page."""

from typing import Final
from uuid import UUID

from league.apps.challenges.queries import token_of
from tests.league.test_challenges import challenged
from tests.web.every_page.kinds import Kinds, nobody
from tests.web.every_page.world import World


def made(world: World) -> None:
    """Make a ladder on which Petra challenges Paul."""
    world.competitions["challenged"], _number = challenged(world.cast)


def _link(world: World) -> tuple[UUID, int, UUID, str]:
    found, paul = world.competitions["challenged"], world.cast.paul_plays
    return found.pk, found.seq, paul.pk, token_of(found, found.seq, paul)


KINDS: Final[Kinds] = {
    "challenge": lambda world: [
        nobody(*_link(world)),
        nobody(*_link(world)[:3], "wrong", status=404),
    ],
}
POSTED: Final = ()
