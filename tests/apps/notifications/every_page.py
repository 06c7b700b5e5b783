"""The pages of notifications, for the tests of every page."""

from typing import Final

from league.apps.notifications.queries import token_to_stop
from tests.web.every_page.kinds import Kinds, nobody
from tests.web.every_page.world import World


def made(_world: World) -> None:
    """Make nothing: the pages need no rows."""


KINDS: Final[Kinds] = {
    "stop_emails": lambda world: [
        nobody(token_to_stop(world.cast.paul, "your_turn")),
        nobody("wrong", status=404),
    ],
}
POSTED: Final = ("choose_emails",)
NO_PAGES: Final = ("push",)
