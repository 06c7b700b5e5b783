"""Two clubs that lend each other people rename or forget some at the same moment: none waits for ever."""

from collections.abc import Callable
from dataclasses import replace
from threading import Barrier
from typing import Any

import pytest

from league.apps.between import services
from league.apps.between.models import Lent
from league.apps.between.services import let_in
from league.services import players
from league.services.players import change_player, remove_player
from tests import patience
from tests.api.test_races import at_once
from tests.apps.between.leagues import Side, county, enter, side
from tests.factories import cast as a_cast

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def both(transactional_db: None) -> tuple[Side, Side]:
    """Two clubs, each with a team in a league of the other."""
    cast = a_cast()
    alder, birch = side("Alder"), side("Birch")
    for host, guest in ((alder, birch), (birch, alder)):
        competition = county(replace(cast, club=host.club, olga=host.by))
        let_in(by=host.by, competition=competition, club=guest.club)
        enter(guest, competition)
    return alder, birch


def meeting(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> None:
    """Let the first two calls of a function wait until both are made."""
    both_here, real = Barrier(2), getattr(module, name)
    calls = iter(range(2))

    def met(*args: Any, **kwargs: Any) -> Any:
        if next(calls, None) is not None:
            both_here.wait(patience.SECONDS)
        return real(*args, **kwargs)

    monkeypatch.setattr(module, name, met)


def test_while_both_lock_their_club_a_person_of_each_is_forgotten_in_both(
    both: tuple[Side, Side], monkeypatch: pytest.MonkeyPatch
) -> None:
    there = [Lent.objects.get(home=each.people[1]).player for each in both]
    meeting(monkeypatch, players, "forget_read_files")
    at_once([forgetting(each) for each in both])
    for each in there:
        each.refresh_from_db()
        assert each.anonymous
    assert Lent.objects.count() == 6


def forgetting(each: Side) -> Callable[[], object]:
    return lambda: remove_player(by=each.by, player=each.people[1])


def test_while_both_lock_the_other_club_a_person_of_each_is_renamed_in_both(
    both: tuple[Side, Side], monkeypatch: pytest.MonkeyPatch
) -> None:
    meeting(monkeypatch, services, "bring_up")
    at_once([renaming(each) for each in both])
    for each in both:
        assert Lent.objects.get(home=each.people[1]).player.name == f"{each.club.name} Twelve"


def renaming(each: Side) -> Callable[[], object]:
    name = f"{each.club.name} Twelve"
    return lambda: change_player(by=each.by, player=each.people[1], name=name, account=None, active=True)
