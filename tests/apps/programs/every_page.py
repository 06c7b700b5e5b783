"""The pages of programs, for the tests of every page."""

from typing import Final

from django.test import Client
from django.urls import reverse

from tests.apps.programs.test_oauth import asking, connected, registered
from tests.web.every_page.kinds import Kinds, paul, petra, send
from tests.web.every_page.world import World


def made(world: World) -> None:
    """Connect Paul with a program of Nora, and let one ask that can't keep a secret."""
    cast, made = world.cast, world.of_apps
    made["app"], made["own"] = registered(cast.nora).program, registered(cast.paul).program
    connected(cast.paul, made["app"])
    device = registered(cast.nora, kind="device", redirect_uris="").program
    asked, form = f"client_id={device.client_id}&scope=play:move", "application/x-www-form-urlencoded"
    made["code"] = Client().post(reverse("oauth-device"), asked, form).json()["user_code"]


KINDS: Final[Kinds] = {
    "authorize": lambda world: [
        paul(query=asking(world.of_apps["app"]).partition("authorize/")[2]),
        paul(query="?code_challenge=x", status=400),
    ],
    "device": lambda world: [paul(), paul(do=send(code=world.of_apps["code"]))],
    "programs": lambda world: [paul(), petra()],
    "program": lambda world: [paul(world.of_apps["own"].pk)],
}
POSTED: Final = ("disconnect", "oauth-device", "oauth-revoke", "oauth-token")
NO_PAGES: Final = ("oauth-metadata",)
