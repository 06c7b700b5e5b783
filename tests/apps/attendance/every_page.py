"""The pages of who is coming, for the tests of every page."""

from typing import Final
from uuid import UUID, uuid4

from django.test import Client
from django.urls import reverse

from league.apps.attendance.models import Answer, Asking, Guest
from league.apps.attendance.queries import token_at_door, token_of
from league.apps.attendance.services import answer_by_pass, answer_myself, arrive, open_door
from league.apps.my_evening.queries import code_of
from league.apps.my_evening.services import make_passes
from tests.apps.attendance.conftest import evening
from tests.factories import PlayerFactory
from tests.web.every_page.kinds import Kinds, State, nobody, paul, petra, send
from tests.web.every_page.world import World


def made(world: World) -> None:
    """Make an evening that asks, with an answer, somebody who fills in, and a door."""
    cast = world.cast
    found = world.competitions["evening"] = evening(cast, name="Thursday")
    answer_myself(by=cast.petra, competition=found, reply="guest", wish="fills_in")
    open_door(by=cast.olga, competition=found)
    here = _door(world)
    arrive(competition_id=here[0], token=here[1], key=uuid4(), name="Gus Gale", client="")
    seeking(world)


def seeking(world: World) -> None:
    """Make an evening of pairs with two who look for a partner, of whom one has the own evening open."""
    cast = world.cast
    found = world.competitions["pairs"] = evening(cast, name="Friday", lineup="partners", team_size=2)
    answer_myself(by=cast.petra, competition=found, reply="yes", wish="partner")
    seeker = PlayerFactory.create(club=cast.club, name="Ruth Rye")
    answer_by_pass(player=seeker, competition=found, reply="yes", wish="partner")
    (held,) = make_passes(by=cast.olga, competition=found, people=[seeker]).values()
    world.visitors["seeker"] = Client()
    world.visitors["seeker"].post(reverse("enter"), {"code": code_of(held)})


def _door(world: World) -> tuple[UUID, str]:
    asking = Asking.objects.get(competition=world.competitions["evening"])
    assert asking.competition_id
    return asking.competition_id, token_at_door(asking)


def _link(world: World) -> tuple[UUID, str]:
    answer = Answer.objects.get(competition=world.competitions["evening"], player=world.cast.petra_plays)
    return answer.pk, token_of(answer)


def _slug(world: World) -> str:
    return world.competitions["evening"].slug


KINDS: Final[Kinds] = {
    "answer": lambda world: [
        nobody(*_link(world)),
        nobody(*_link(world), query="?reply=no"),
        nobody(_link(world)[0], "wrong", status=410),
    ],
    "coming": lambda world: [
        paul(_slug(world)),
        petra(_slug(world)),
        State("stranger", (_slug(world),), status=403),
        State("seeker", (world.competitions["pairs"].slug,)),
    ],
    "my_evening": lambda world: [State("seeker", (world.competitions["pairs"].slug,))],
    "door": lambda world: [
        nobody(*_door(world)),
        nobody(*_door(world), do=send(name=" ")),
        nobody(*_door(world), query=f"?here={Guest.objects.exclude(key=None)[0].key}"),
        nobody(_door(world)[0], "wrong", status=410),
    ],
    "competition": lambda world: [paul(_slug(world))],
}
POSTED: Final = ()
