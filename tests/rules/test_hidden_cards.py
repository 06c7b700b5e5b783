"""Hidden cards change nothing that a seat, or everybody, is told; a registered ruleset is tested here."""

import itertools
import random
from collections import Counter
from typing import Any

import pytest

from games.engine import replay
from games.engine.describing import told
from games.engine.policy import LEVELS, Level, decided
from games.engine.refusals import Illegal
from games.engine.replay import Actor, Position
from games.packages import has_bot, policy_of
from tests.rules.recording import as_clients_see, with_state
from tests.rules.test_contract import Table, table, viewers

__all__ = ["table"]

pytestmark = pytest.mark.usefixtures("toys")


def codes_in(value: Any, codes: set[str]) -> int:
    """Return how many strings of a view are card codes."""
    if isinstance(value, str):
        return value in codes
    if isinstance(value, dict):
        return sum(codes_in(part, codes) for part in value.values())
    return sum(codes_in(part, codes) for part in value) if isinstance(value, list | tuple) else 0


def test_what_a_viewer_cannot_see_changes_nothing_it_is_told(table: Table) -> None:
    ruleset = table.ruleset
    dice = random.Random(9)
    for position, _, _ in table.sampled(25):
        for viewer in viewers(table.seats):
            hidden = list(ruleset.hidden(position.state, viewer))
            if hidden:  # on paper nothing is
                dice.shuffle(hidden)
                other = with_state(position, ruleset.with_hidden(position.state, viewer, hidden))
                assert knowledge(position, viewer) == knowledge(other, viewer)


def test_what_is_told_of_a_move_depends_on_nothing_that_spectators_cannot_see(table: Table) -> None:
    ruleset, dice = table.ruleset, random.Random(3)
    for position, seat, move in table.sampled(60):
        hidden = list(ruleset.hidden(position.state, None))
        dice.shuffle(hidden)
        other = with_state(position, ruleset.with_hidden(position.state, None, hidden))
        made = replay.read_move(ruleset, move)
        try:
            here, there = (replay.played(each, Actor("seat", seat), made) for each in (position, other))
        except Illegal:  # the seat has not the cards there that it plays here
            continue
        if replay.view(here, None) == replay.view(there, None):
            assert told_of(position, seat, made, here) == told_of(other, seat, made, there)


def told_of(before: Position, seat: int, move: Any, after: Position) -> Any:
    """Return what everybody reads of a move, which stays readable after its cards have been covered."""
    ruleset = before.ruleset
    outcome = ruleset.outcome(before.state, move, after.state)
    consequences = ruleset.consequences(before.state, after.state)
    return [outcome, told(ruleset, move, seat, outcome), consequences]


def test_the_past_of_a_running_game_shows_nothing_that_was_hidden_then_and_is_now(table: Table) -> None:
    ruleset, dice = table.ruleset, random.Random(4)
    sampled = [position for position, _, _ in table.sampled(25)]
    for past, now in itertools.pairwise(sampled):
        for viewer in viewers(table.seats):
            hidden = list(ruleset.hidden(past.state, viewer))
            dice.shuffle(hidden)
            other = with_state(past, ruleset.with_hidden(past.state, viewer, hidden))
            assert replay.past_view(past, now, viewer) == replay.past_view(other, now, viewer)


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_of_each_level_chooses_the_same_whatever_it_cannot_see(table: Table, level: Level) -> None:
    dice = random.Random(7)
    for position, seat, _ in table.sampled(4) if has_bot(table.ruleset) else ():
        hidden = list(table.ruleset.hidden(position.state, seat))
        dice.shuffle(hidden)
        other = with_state(position, table.ruleset.with_hidden(position.state, seat, hidden))
        policy = policy_of(table.ruleset, level)
        move = decided(policy, position, seat)
        assert move == decided(policy, other, seat)
        replay.played(position, Actor("seat", seat), replay.read_move(table.ruleset, move))


def test_a_move_that_can_be_foreseen_tells_its_seat_nothing_new(table: Table) -> None:
    ruleset, dice = table.ruleset, random.Random(5)
    foreseen = [step for step in table.steps if step[2]["type"] in ruleset.foreseen]
    for position, seat, move in foreseen[:: 1 + len(foreseen) // 25]:
        hidden = list(ruleset.hidden(position.state, seat))
        dice.shuffle(hidden)
        other = with_state(position, ruleset.with_hidden(position.state, seat, hidden))
        made = replay.read_move(ruleset, move)
        here, there = (replay.played(each, Actor("seat", seat), made) for each in (position, other))
        dealt_anew = {replay.view(each, None)["round"] for each in (position, here, there)}
        assert len(dealt_anew) == 2 or knowledge(here, seat) == knowledge(there, seat)


def knowledge(position: Position, viewer: int | None) -> Any:
    choices = [choice.as_json() for choice in replay.choices(position, viewer)] if viewer is not None else []
    acting = (replay.to_act(position), replay.awaited(position))
    return as_clients_see([replay.view(position, viewer), choices, acting, position.status])


def test_after_the_deal_all_that_a_view_does_not_show_is_hidden(table: Table) -> None:
    position, _, _ = table.steps[0]
    everywhere = table.ruleset.cards(position.state)
    for viewer in viewers(table.seats):
        hidden = table.ruleset.hidden(position.state, viewer)
        assert not Counter(hidden) - Counter(everywhere)
        seen = codes_in(table.ruleset.view(position.state, viewer), {*everywhere})
        assert len(hidden) >= len(everywhere) - seen


def test_hidden_cards_put_back_give_the_same_state(table: Table) -> None:
    ruleset = table.ruleset
    for position, _, _ in table.sampled(25):
        for viewer in viewers(table.seats):
            hidden = ruleset.hidden(position.state, viewer)
            assert ruleset.with_hidden(position.state, viewer, hidden) == position.state
