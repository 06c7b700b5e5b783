"""The pages of seeks, for the tests of every page."""

from typing import Any, Final
from uuid import UUID

from django.urls import reverse
from playwright.sync_api import Page

from league.apps.seeks.models import Seek
from league.apps.seeks.queries import token_to_seat
from league.apps.seeks.services import create_seek, invite_to_seek
from tests.web.every_page.kinds import Kinds, State, States, club_of, nobody, paul, petra
from tests.web.every_page.world import World


def made(world: World) -> None:
    cast = world.cast
    given: dict[str, Any] = {"club": cast.club, "ruleset": "scoops", "seats": 4}
    create_seek(by=cast.paul, private=True, **given)
    create_seek(by=cast.petra, **given)
    create_seek(by=cast.paul, **{**given, "seats": 9})


def seat_link(world: World) -> tuple[UUID, str]:
    """Return what is in the address of a new link to a seat at Paul's open table."""
    seek = Seek.objects.get(made_by=world.cast.paul, seats=9)
    made = invite_to_seek(by=world.cast.paul, seek_id=seek.pk)
    return made.pk, token_to_seat(made)


def _invitations_to_seats(world: World) -> States:
    pk, token = seat_link(world)

    def declined(page: Page) -> None:
        page.goto(reverse("seat_invitation", args=seat_link(world)))
        with page.expect_navigation():
            page.click("button[value=decline]")

    known = [State(who, (pk, token)) for who in ("nobody", "petra", "stranger")]
    return [*known, nobody(pk, "wrong", status=410), nobody(pk, token, do=declined)]


KINDS: Final[Kinds] = {
    "seeks": lambda world: [
        paul(club_of(world)),
        petra(club_of(world)),
        State("stranger", (club_of(world),), status=403),
    ],
    "seat_invitation": _invitations_to_seats,
}
POSTED: Final = ("fill_seek", "invite_to_seek", "join_seek", "withdraw_seek", "withdraw_seek_link")
