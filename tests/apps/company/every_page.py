"""The pages of company, for the tests of every page."""

from typing import Final

from league.apps.company.services import accept_friend, ask_friend, mute
from tests.web.every_page.kinds import Kinds, State, paul, petra, send
from tests.web.every_page.world import World


def made(world: World) -> None:
    """Let Paul and Petra be friends, and Petra mute him."""
    cast = world.cast
    row = ask_friend(by=cast.paul, player_id=cast.petra_plays.pk)
    accept_friend(by=cast.petra, friendship_id=row.pk)
    mute(by=cast.petra, player_id=cast.paul_plays.pk)


KINDS: Final[Kinds] = {
    "friends": lambda world: [paul(), petra(), State("stranger")],
    "report_person": lambda world: [
        paul(world.cast.petra_plays.pk),
        paul(world.cast.petra_plays.pk, do=send(words=" ")),
        State("stranger", (world.cast.petra_plays.pk,), status=404),
    ],
}
POSTED: Final = ("say",)
NO_PAGES: Final = ()
