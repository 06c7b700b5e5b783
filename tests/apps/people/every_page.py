"""The pages of privacy, for the tests of every page."""

from typing import Final

from tests.web.every_page.kinds import Kinds, State, olga, paul
from tests.web.every_page.world import World, account


def made(world: World) -> None:
    """Make what the account has."""
    account(world)


KINDS: Final[Kinds] = {
    "privacy": lambda world: [paul(), State("stranger")],
    "delete_account": lambda world: [paul(), olga()],
}
POSTED: Final = ("own_data", "renew_calendar")
NO_PAGES: Final = ()
