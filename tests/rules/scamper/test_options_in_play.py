"""Under every option Scamper keeps the contract of all rulesets: random games, held to the same checks."""

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from games.engine import replay
from games.rules.scamper.options import PRESETS
from tests.rules import test_contract as contract
from tests.rules import test_hidden_cards as hidden
from tests.rules.scamper.tables import SCAMPER
from tests.rules.test_contract import Table

OPTIONS: dict[str, Any] = {
    "challenge": {"melds": "challenge"},
    "challenge-strict": {"melds": "challenge", "strict_ratio": True, "stock_out": "add_pack"},
    "forced-add-pack": {"passing": "forced", "stock_out": "add_pack"},
    "no-passing-strict": {"passing": "off", "strict_ratio": True, "max_replays": 1},
    "nothing-wild": {"wild_cards": "none", "packs": 2, "hand_size": 11},
    "first-turn-only": {"passing": "first", "packs": 2, "hand_size": 13, "stock_out": "add_pack"},
    "basic": {**PRESETS["basic"], "hand_size": 6},
    "basic-challenge": {**PRESETS["basic"], "melds": "challenge"},
    "as-printed": PRESETS["as_printed"],
}

CHECKS: list[Callable[[Table], None]] = [
    contract.test_random_legal_play_ends_with_a_result_for_every_seat,
    hidden.test_what_a_viewer_cannot_see_changes_nothing_it_is_told,
    hidden.test_what_is_told_of_a_move_depends_on_nothing_that_spectators_cannot_see,
    hidden.test_the_past_of_a_running_game_shows_nothing_that_was_hidden_then_and_is_now,
    hidden.test_after_the_deal_all_that_a_view_does_not_show_is_hidden,
    hidden.test_hidden_cards_put_back_give_the_same_state,
    contract.test_every_combination_of_listed_values_is_legal,
    contract.test_a_view_is_json_and_has_the_common_names,
    contract.test_a_step_mutates_nothing,
    contract.test_another_seats_moves_are_refused_or_legal_and_change_nothing,
    contract.test_the_clock_alone_ends_the_game,
    contract.test_the_game_waits_for_a_seat_where_cards_are_dealt_and_for_none_elsewhere,
]


@cache
def random_game(name: str) -> Table:
    return Table(SCAMPER, 3, {**OPTIONS[name], "rounds": 2})


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("test_"))
@pytest.mark.parametrize("name", OPTIONS)
def test_the_contract_is_kept(name: str, check: Callable[[Table], None]) -> None:
    check(random_game(name))


@pytest.mark.parametrize("name", OPTIONS)
def test_no_card_is_lost_and_only_whole_packs_are_added(name: str) -> None:
    steps = random_game(name).steps
    one_pack = len(steps[0][0].options.one_pack())
    for (before, _, _), (after, _, _) in pairwise(steps):
        table, new = before.state.round, after.state.round
        if (table.number, table.attempt) == (new.number, new.attempt):
            more = len(SCAMPER.cards(after.state)) - len(SCAMPER.cards(before.state))
            assert more == one_pack * (new.added - table.added)


@pytest.mark.parametrize("name", OPTIONS)
def test_a_turn_passes_left_or_a_deal_begins(name: str) -> None:
    for before, after in pairwise(random_game(name).steps):
        old, new = before[0].state.round, after[0].state.round
        if old.seat != new.seat and (old.number, old.attempt) == (new.number, new.attempt):
            assert new.seat == old.left
        assert SCAMPER.turn_number(after[0].state) >= SCAMPER.turn_number(before[0].state)


@pytest.mark.parametrize("name", OPTIONS)
def test_scores_are_the_sum_of_the_sheet_and_of_what_this_round_has_given(name: str) -> None:
    for position, _, _ in random_game(name).sampled(60):
        rows: Any = SCAMPER.sheet(position.state)
        given = position.state.round.adjustments
        for seat, score in enumerate(SCAMPER.scores(position.state)):
            assert score == sum(row["scores"][seat] for row in rows) + sum(
                each.points for each in given if each.seat == seat
            )
    assert replay.view(random_game(name).end, None)["turn"] is None
