"""What each kind of caller may do, and how the logs name it."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from django.core.exceptions import PermissionDenied

from games.engine.clocks import Clock
from league.callers import AsPlayer, ByAccount, ByClock, ByServer, Caller
from league.core.verb import Verb
from league.core.verbs.entering import CloseEntries
from league.core.verbs.entries import WithdrawEntry
from league.core.verbs.presence import CheckInEntry
from league.core.verbs.start import OpenEntries
from league.models import Competition
from league.services.play import make_move
from league.services.verbs import perform
from tests.factories import Cast
from tests.league.acting import act_own, calling
from tests.league.playing import opened

Makes = Callable[[Cast, Competition], Caller]
CALLERS: Final[dict[str, Makes]] = {
    "organiser": lambda cast, _: ByAccount(cast.olga),
    "player": lambda cast, _: AsPlayer(cast.paul),
    "system": lambda _cast, _competition: ByServer(),
}


@pytest.fixture
def competition(cast: Cast) -> Competition:
    """Return a competition with check-in which Paul has entered."""
    made = opened(cast, entering={"check_in": True})
    perform(ByAccount(cast.olga), competition=made, verb=OpenEntries())
    act_own(cast.paul, made, "enter")
    return made


@pytest.mark.parametrize("who", ["organiser", "player"])
def test_the_log_says_who_checked_an_entry_in(cast: Cast, competition: Competition, who: str) -> None:
    caller = CALLERS[who](cast, competition)
    perform(caller, competition=competition, verb=CheckInEntry(str(competition.entries.get().pk)))
    written = competition.events.latest("seq")
    assert (written.role, written.account) == (who, caller.account)
    assert written.account is not None


def test_a_verb_of_organisers_is_for_no_other_person(cast: Cast, competition: Competition) -> None:
    with pytest.raises(PermissionDenied):
        perform(AsPlayer(cast.paul), competition=competition, verb=CloseEntries())
    assert competition.events.latest("seq").event["type"] == "entered"


def test_a_caller_without_declared_rights_may_do_nothing(cast: Cast, competition: Competition) -> None:
    with pytest.raises(PermissionDenied):
        perform(Caller(), competition=competition, verb=CloseEntries())
    with pytest.raises(PermissionDenied):
        make_move(Caller(), game_id=cast.game("tally").pk, seq=2, move={"type": "resign"})


ABANDON: Final = {"type": "abandon", "reason": "lights out"}
FORFEIT: Final = {"type": "forfeit", "seat": 0, "reason": "out of time"}
MOVERS: Final[list[tuple[Callable[[Cast], Caller], dict[str, Any], str, int | None]]] = [
    (lambda cast: ByAccount(cast.paul), {"type": "resign"}, "seat", 0),
    (lambda cast: ByAccount(cast.olga), ABANDON, "arbiter", None),
    (lambda cast: ByServer(str(cast.olga.pk)), ABANDON, "arbiter", None),
    (lambda cast: ByClock(0), FORFEIT, "clock", 0),
    (lambda cast: ByClock(account=str(cast.olga.pk)), {"type": "stop_clocks"}, "clock", None),
]


@pytest.mark.parametrize(("makes", "move", "role", "seat"), MOVERS)
def test_the_log_of_a_game_says_who_made_a_move(
    cast: Cast, makes: Callable[[Cast], Caller], move: dict[str, Any], role: str, seat: int | None
) -> None:
    game = cast.game("tally", clock=Clock(move=60))
    entry = make_move(makes(cast), game_id=game.pk, seq=2, move=move).entry
    assert (entry.role, entry.seat, entry.account) == (role, seat, makes(cast).account)


def test_a_player_acts_for_the_own_entry_whichever_a_verb_names(cast: Cast, competition: Competition) -> None:
    act_own(cast.petra, competition, "enter")
    others = competition.entries.get(members__player=cast.petra_plays)
    perform(AsPlayer(cast.paul), competition=competition, verb=WithdrawEntry(entry=str(others.pk)))
    gone = competition.entries.get(members__player=cast.paul_plays)
    assert (gone.status, competition.entries.get(pk=others.pk).status) == ("withdrawn", "entered")


def test_several_verbs_need_the_rights_for_each(cast: Cast, competition: Competition) -> None:
    verbs = [_of_paul(competition), CloseEntries()]
    with pytest.raises(PermissionDenied):
        perform(ByAccount(calling(cast.olga, "club:rule")), competition=competition, verb=verbs)
    assert not competition.entries.get().checked_in


def _of_paul(competition: Competition) -> Verb:
    return CheckInEntry(str(competition.entries.get().pk))
