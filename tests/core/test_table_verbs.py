"""Verbs of tables and of the whole competition: what each event does, and when it is refused."""

from dataclasses import replace
from typing import Any

import pytest

from games.engine.refusals import Illegal
from league.core.events import Event
from league.core.state.competition import Competition
from league.core.state.plan import Placing
from league.core.verbs.adjustments import Adjusted
from league.core.verbs.course import Cancelled, Finished, Paused, Resumed
from league.core.verbs.entering import EntriesClosed
from league.core.verbs.presence import NoShow
from league.core.verbs.results import Replayed, ResultRecorded, Voided, WalkedOver
from league.core.verbs.rulings import Ruled
from league.core.verbs.stages import StageStarted
from league.core.verbs.start import EntriesOpened, Started
from tests.core import deciding as commands
from tests.core.crosstable import (
    after,
    entered,
    placings,
    played,
    published,
    result,
    standings,
    started,
    table_at,
)
from tests.core.ids import uid

FOUR = "Ann Ben Cem Dana"


def refused(state: Competition, *events: Event, match: str) -> None:
    with pytest.raises(Illegal, match=match):
        after(state, *events)


# ---- Tables --------------------------------------------------------------------------------------


@pytest.fixture
def at_table() -> Competition:
    return published(started("Ann Ben"), "Ann > Ben")


def test_a_result_is_recorded_once(at_table: Competition) -> None:
    recorded = result(table_at(at_table, "Ann"), "Ann > Ben")
    state = after(at_table, recorded)
    assert commands.record_result(state, result=recorded) == ()
    refused(state, recorded, match="recorded already")


@pytest.mark.parametrize("text", ["Ann > Ben > Cem", "Ann"])
def test_a_result_names_every_seat(at_table: Competition, text: str) -> None:
    refused(at_table, result(table_at(at_table, "Ann"), text), match="each seat")


@pytest.mark.parametrize("ranks", [(3, 3), (1, 3), (2, 3)])
def test_ranks_start_at_one_without_gaps(at_table: Competition, ranks: tuple[int, int]) -> None:
    wrong = tuple(Placing(seat, rank, 0) for seat, rank in enumerate(ranks))
    refused(at_table, Ruled(table_at(at_table, "Ann").id, wrong, "so be it"), match="start at 1")


def test_a_ruling_says_nothing_of_who_left_a_game(at_table: Competition) -> None:
    first, *others = placings("Ann > Ben")
    left = (replace(first, left="resigned"), *others)
    refused(at_table, Ruled(table_at(at_table, "Ann").id, left, "so be it"), match="who left")


def test_the_table_of_an_abandoned_game_needs_a_ruling(at_table: Competition) -> None:
    table = table_at(at_table, "Ann")
    over = ResultRecorded(table.id, table.games[0].id, "0" * 64, "abandoned", ())
    state = after(at_table, over)
    assert commands.next_step(state) == "rule"
    assert commands.next_step(after(state, Voided(table.id, "no time"))) == "close_round"
    assert commands.next_step(after(state, Ruled(table.id, placings("Ann > Ben"), "clear"))) == "close_round"
    again = after(state, Replayed(table.id, table.games[0].id, uid("again")))
    assert commands.next_step(again) == "play"


def test_outcomes_are_only_for_entries_at_the_table(at_table: Competition) -> None:
    refused(at_table, NoShow(table_at(at_table, "Ann").id, uid("Cem")), match="no seat")
    refused(at_table, WalkedOver(table_at(at_table, "Ann").id, (uid("Cem"),)), match="of the table")


def test_a_ruling_can_be_replaced_and_a_void_table_ruled_on(at_table: Competition) -> None:
    table = table_at(at_table, "Ann").id
    other_way = (Placing(0, 2, 0), Placing(1, 1, 1))
    state = after(at_table, Voided(table, "a wrong pack"), Ruled(table, other_way, "found it"))
    assert standings(state)[0] == "Ben 3"
    assert standings(after(state, Ruled(table, placings("Ann > Ben"), "no, the other")))[0] == "Ann 3"


def test_a_table_is_voided_once(at_table: Competition) -> None:
    table = table_at(at_table, "Ann").id
    refused(after(at_table, Voided(table, "why")), Voided(table, "why"), match="already")
    refused(at_table, Voided(uid("elsewhere"), "why"), match="no such table")


def test_verbs_on_a_table_are_refused_before_its_round_is_published() -> None:
    state = started("Ann Ben")
    state = after(state, *commands.draw(state))
    refused(state, Voided(table_at(state, "Ann").id, "why"), match="not published")


# ---- The whole -----------------------------------------------------------------------------------


def test_a_pause_stops_rounds_but_not_games(at_table: Competition) -> None:
    state = after(at_table, Paused("dinner"), result(table_at(at_table, "Ann"), "Ann > Ben"))
    assert commands.next_step(state) == "none"
    with pytest.raises(Illegal, match="not running"):
        commands.close_round(state)
    assert commands.next_step(after(state, Resumed())) == "close_round"


@pytest.mark.parametrize("last", [Cancelled("snow"), Finished()])
def test_no_verb_is_possible_after_the_end(last: Any) -> None:
    state = after(played(started("Ann Ben"), "Ann > Ben"), last)
    refused(state, Adjusted(uid("Ann"), "1", "too late"), match="over")
    assert commands.next_step(state) == "none"


def test_a_competition_can_not_finish_during_a_round(at_table: Competition) -> None:
    refused(at_table, Finished(), match="still open")


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (Paused(), "Only a running"),
        (Resumed(), "not paused"),
        (Finished(), "Only a running"),
        (StageStarted(1, ((uid("Ann"),),)), "not running"),
    ],
)
def test_no_round_is_possible_before_the_start(event: Event, sentence: str) -> None:
    refused(entered("Ann Ben"), event, match=sentence)


def test_a_competition_needs_two_entries_to_start() -> None:
    refused(entered("Ann"), Started(), match="too few")


def test_verbs_before_the_start_are_refused_after_it() -> None:
    for event in (EntriesOpened(), EntriesClosed(), Started()):
        refused(started("Ann Ben"), event, match="has started")
