"""The result of a score card that was corrected after its end is recorded again."""

from dataclasses import replace
from typing import Literal

import pytest

from games.engine.refusals import Illegal
from league.core.state.competition import Competition
from league.core.verbs.results import RecordResult, ResultRecorded
from tests.core.crosstable import after, placings, played, published, result, standings, started, table_at
from tests.core.deciding import decide

FOUR = "Ann Ben Cem Dana"
LATER = "f" * 64
Status = Literal["finished", "abandoned", "active"]


@pytest.fixture
def decided() -> Competition:
    """Ann has beaten Ben in round 1, which is open."""
    state = published(started("Ann Ben"), "Ann > Ben")
    return after(state, result(table_at(state, "Ann"), "Ann > Ben"))


def again(state: Competition, text: str = "", status: Status = "finished") -> ResultRecorded:
    """Return what a card's log says of its end after a correction."""
    first = result(table_at(state, "Ann"), "Ann > Ben")
    seats = placings(text) if text else ()
    return replace(first, head=LATER, status=status, seats=seats)


def recorded(state: Competition, event: ResultRecorded) -> Competition:
    return after(state, *decide(state, RecordResult(**vars(event))))


def test_the_corrected_result_counts(decided: Competition) -> None:
    corrected = recorded(decided, again(decided, "Ann 1 = Ben 1"))
    assert standings(decided)[0] != standings(corrected)[0]
    assert decide(corrected, RecordResult(**vars(again(decided, "Ann 1 = Ben 1")))) == ()


def test_a_correction_without_an_end_lets_the_table_play_on(decided: Competition) -> None:
    goes_on = recorded(decided, again(decided, status="active"))
    assert table_at(goes_on, "Ann").status == "playing"
    ended = replace(again(decided, "Ben > Ann"), head="e" * 64, seats=placings("Ann > Ben"))
    assert table_at(recorded(goes_on, ended), "Ann").status == "played"


def test_a_table_of_a_closed_round_stays_decided() -> None:
    state = played(started("Ann Ben"), "Ann > Ben")
    table = state.stages[0].rounds[0].tables[0]
    event = ResultRecorded(table.id, table.games[0].id, LATER, "active", ())
    assert decide(state, RecordResult(**vars(event))) == ()
    with pytest.raises(Illegal, match="is closed"):
        event.apply(state)


def test_a_game_that_has_not_ended_does_not_go_on() -> None:
    state = published(started("Ann Ben"), "Ann > Ben")
    event = again(state, status="active")
    assert decide(state, RecordResult(**vars(event))) == ()
    with pytest.raises(Illegal, match="not over"):
        event.apply(state)


def test_an_abandoned_game_is_recorded_once(decided: Competition) -> None:
    state = published(started("Ann Ben"), "Ann > Ben")
    over = after(state, again(state, status="abandoned"))
    assert decide(over, RecordResult(**vars(replace(again(state, "Ann > Ben"), head="e" * 64)))) == ()
