"""The page of the signed log, for the tests of every page."""

from typing import Final

from league.apps.signed_log import signing
from tests.web.every_page.kinds import Kinds, nobody
from tests.web.every_page.world import World


def made(world: World) -> None:
    world.cast.game("tally")
    signing.enter_and_sign()


KINDS: Final[Kinds] = {"signed_log": lambda world: [nobody()]}
NO_PAGES: Final = ("signed_log_feed",)
POSTED: Final = ()
