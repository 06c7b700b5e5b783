"""The pages of a person's evening, for the tests of every page."""

from typing import Final

from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page

from league.apps.my_evening.queries import code_of
from league.apps.my_evening.services import make_passes
from league.core.verbs.presence import CheckInEntry
from league.models import Player
from tests.league.acting import act
from tests.league.playing import in_play, opened
from tests.web.conftest import record_all
from tests.web.every_page.kinds import Kinds, State, at_all, olga
from tests.web.every_page.world import World


def made(world: World) -> None:
    """Make an evening that somebody follows on a phone, and one before which somebody has checked in."""
    cast, found = world.cast, world.competitions
    found["tonight"] = in_play(cast, 8, name="Tonight")
    record_all(found["tonight"])
    coming = found["tomorrow"] = opened(cast, 4, name="Tomorrow", entering={"check_in": True})
    act(cast.olga, coming, CheckInEntry, entry=str(coming.entries.get(number=1).pk))
    player = Player.objects.filter(entered__entry__competition=found["tonight"]).earliest("pk")
    held = make_passes(by=cast.olga, competition=found["tonight"], people=[player])[player.pk]
    world.visitors["evening"] = Client()
    world.visitors["evening"].post(reverse("enter"), {"code": code_of(held)})


def _door(world: World) -> tuple[str, object]:
    coming = world.competitions["tomorrow"]
    return coming.slug, coming.entries.get(number=1).pk


def _press(page: Page) -> None:
    with page.expect_navigation():
        page.locator("main form button").first.click()


KINDS: Final[Kinds] = {
    "my_evening": lambda world: at_all(world, "tonight", who="evening"),
    "evening_code": lambda world: [olga(*_door(world)), State("olga", _door(world), do=_press)],
}
POSTED: Final = (
    "break_evening",
    "bye_evening",
    "challenge_evening",
    "leave_evening",
    "object_evening",
    "push_evening",
    "seat_code_evening",
)
