"""The page of days away, for the tests of every page."""

from datetime import timedelta
from typing import Final

from league.apps.away.services import say_away
from tests.web.every_page.kinds import Kinds, State, paul, petra, send
from tests.web.every_page.world import World, account


def made(world: World) -> None:
    """Let Petra be away for a while."""
    account(world)
    cast, today = world.cast, world.cast.club.today
    say_away(by=cast.petra, player=cast.petra_plays, since=today, until=today + timedelta(days=9))


KINDS: Final[Kinds] = {
    "away": lambda world: [paul(), paul(do=send(until="")), petra(), State("stranger")],
}
POSTED: Final = ()
NO_PAGES: Final = ()
