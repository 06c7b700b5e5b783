"""Games of clubs made at random: each is checked, played with random deals, and stays within its bounds."""

import json
import random
from typing import Any

import jsonschema_rs
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games import rules
from games.engine import replay, shapes
from games.engine.refusals import Refusal
from games.engine.replay import Actor, Position
from games.rules.card_game import CardGame, copying, ruleset_of, telling
from games.rules.card_game.definition import Definition, Options
from games.rules.card_game.formula import ranges_of
from tests.rules.card_game.definitions import definitions, some_result
from tests.rules.randomplay import opened

MADE = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
TRIES = 60


def played(game: Definition, seats: int, dice: random.Random) -> Position:
    """Return a game after random deals, entered by whoever may and confirmed by another; some are refused."""
    ruleset = ruleset_of(game)
    position = opened(ruleset, seats, 1)
    for _ in range(TRIES):
        if position.status != "active":
            break
        assert replay.to_act(position), "somebody can do something"
        seat = dice.choice([*replay.to_act(position), None])
        offered = replay.choices(position, seat) if seat is not None else replay.ruling_choices(position)
        assert offered, "a seat in `to_act` has a choice"
        choice = dice.choice(offered)
        (name, single), *_result = choice.fields.items()
        result = some_result(game, seats, dice) if choice.type != "confirm" else {}
        move = {"type": choice.type, name: single.values[0], **result}
        actor = Actor("arbiter") if seat is None else Actor("seat", seat)
        try:
            position = replay.played(position, actor, replay.read_move(ruleset, move))
        except Refusal as refusal:
            assert refusal.errors or refusal.rule, refusal  # type: ignore[attr-defined]
    return position


@MADE
@given(game=definitions(), seed=st.integers(0, 2**32))
def test_k4_what_random_deals_score_is_within_the_bounds_that_were_worked_out(
    game: Definition, seed: int
) -> None:
    dice = random.Random(seed)
    seats = dice.choice(game.seats)
    position = played(game, seats, dice)
    low, high = ranges_of(game)[game.score]
    ruleset: Any = position.ruleset
    card = position.state
    for number in range(1, len(card.entries) + 1):
        scored = ruleset.round_scores(card, number)
        assert all(low <= each <= high for each in scored) or scored == (0,) * seats
        assert all(scored[seat] == scored[team] for seat, team in enumerate(game.teams(seats)))
    view = ruleset.view(card, None)
    jsonschema_rs.Draft202012Validator({**shapes.schema(ruleset.view_shape)}).validate(
        json.loads(json.dumps(view))
    )


@MADE
@given(game=definitions())
def test_k4_a_definition_is_read_as_it_is_written_and_told_in_words(game: Definition) -> None:
    options = {CardGame.defined_by: shapes.write(game)}
    ruleset = rules.of(CardGame.key, json.loads(json.dumps(options)))
    assert isinstance(ruleset, CardGame) and ruleset.game == game
    assert len(telling.told(game)) == len(game.steps)
    assert ruleset.form(Options(game)).rows


@MADE
@given(game=definitions())
def test_k4_a_copy_of_it_without_changes_counts_the_same(game: Definition) -> None:
    copy = shapes.read(Definition, copying.changed(game, {}))
    assert copy == game
    assert ranges_of(copy) == ranges_of(game)
