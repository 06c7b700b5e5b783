"""The pages of a hall, for the tests of every page."""

from typing import Final

from django.test import Client
from django.urls import reverse

from league.apps.hall.models import Kiosk
from league.apps.hall.queries import link_to
from league.apps.hall.services import (
    announce,
    call_organiser,
    make_codes,
    make_kiosk,
    set_self_check_in,
    start_timer,
)
from tests.league.playing import finished, in_play, opened, tables
from tests.web.conftest import record_all
from tests.web.every_page.kinds import Kinds, State, at_all, nobody, olga, send
from tests.web.every_page.world import World, paper


def made(world: World) -> None:
    """Make competitions that people check in for, play and have won, and one with scores to enter."""
    cast, found = world.cast, world.competitions
    coming = found["coming"] = opened(cast, 6, name="Spring", entering={"check_in": True})
    set_self_check_in(by=cast.olga, competition=coming, on=True)
    announce(by=cast.olga, competition=coming, words="The door is open")
    make_kiosk(by=cast.olga, competition=coming, name="Door")
    plan = {"name": "League", "format": "rounds", "rounds": 3, "table_size": 4, "tie_breaks": ["wins"]}
    running = found["running"] = in_play(cast, 11, stages=[plan], name="Autumn")
    record_all(running)
    announce(by=cast.olga, competition=running, words="Soup is ready")
    start_timer(by=cast.olga, competition=running, minutes=50)
    found["won"] = finished(cast, name="Winter")
    paper(world)
    _on_paper(world)


def _on_paper(world: World) -> None:
    found, by = world.competitions["paper"], world.cast.olga
    first, second = tables(found)
    codes = make_codes(by=by, competition=found, tables=[first])
    call_organiser(table=second, seat=1, account=None)
    world.visitors["kiosk"], world.visitors["phone"] = Client(), Client()
    world.visitors["kiosk"].post(link_to(make_kiosk(by=by, competition=found, name="Bar")))
    world.visitors["phone"].post(reverse("enter"), {"code": min(codes.items())[1]})


def _door() -> Kiosk:
    return Kiosk.objects.select_related("competition").get(name="Door")


KINDS: Final[Kinds] = {
    "competition": lambda world: at_all(world, "coming", "running", who="olga"),
    "competition_check_in": lambda world: [
        *(each for who in ("nobody", "paul", "olga") for each in at_all(world, "coming", who=who)),
        *at_all(world, "won"),
    ],
    "competition_hall": lambda world: [
        *at_all(world, "coming", "running", "to check"),
        *at_all(world, "running", query="?show=standings"),
    ],
    "open_kiosk": lambda world: [
        nobody(*link_to(_door()).split("/")[2:4]),
        nobody(_door().pk, "used", status=410),
    ],
    "kiosk": lambda world: [
        *at_all(world, "paper", who="kiosk"),
        *at_all(world, "paper", status=403),
    ],
    "kiosk_table": lambda world: [State("kiosk", (world.games["second"].pk,))],
    "table_totals": lambda world: [State("phone", (world.games["first"].pk,))],
    "enter": lambda world: [nobody(), nobody(do=send(code="AAAA-AAAA"))],
    "game": lambda world: [State("phone", (world.games["first"].pk,))],
    "scores": lambda world: [olga()],
}
POSTED: Final = ("call", "leave_seat", "see_call", "take_totals")
NO_PAGES: Final = ("check_in", "competition_hall_screens")
"""What leads to another page, and a part that scripts put into one."""
