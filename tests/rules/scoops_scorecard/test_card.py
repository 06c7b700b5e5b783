"""Score cards of Scoops: what is refused because it cannot be, what the card works out, and when it ends."""

from typing import Any

import pytest

from games.engine import replay, shapes
from games.engine.refusals import Illegal, Malformed
from games.rules.scoops.contract import GOALS
from games.rules.scoops.moves import Options as Dealt
from games.rules.scoops_scorecard import ScoopsScorecard, score_card
from games.rules.scoops_scorecard.score_card import Options
from tests.rules.recording import Recorder
from tests.rules.scoops_scorecard.scenarios import (
    LOGS,
    SCENARIOS,
    confirmation,
    correction,
    entry,
    kept,
    opened,
)

CARD = ScoopsScorecard()


def refused(game: Recorder, seat: int, move: dict[str, Any]) -> Illegal:
    """Return the refusal of a seat's move."""
    with pytest.raises(Illegal) as caught:
        game.seat(seat, move)
    return caught.value


@pytest.mark.parametrize(
    ("seats", "text", "rule", "field"),
    [
        pytest.param(3, "Bowl 3", "C1", "winner", id="C1-a-seat-too-many"),
        pytest.param(3, "Bowl - 1", "C11", "bonus", id="C11-nobody-has-a-bonus"),
        pytest.param(3, "Bowl 0 2", "C11", "bonus", id="C11-one-pack-has-four-of-a-rank"),
        pytest.param(6, "Bowl 0 3", "C11", "bonus", id="C11-two-packs-have-eight"),
        pytest.param(9, "Shake 0 3", "C11", "bonus", id="C11-two-sets-of-four"),
        pytest.param(9, "Cone 0 3", "C11", "bonus", id="C11-a-pair-is-no-book"),
        pytest.param(2, "Sandwich 0 1", "C11", "bonus", id="C11-a-run-and-two-pairs"),
        pytest.param(3, "Float 0 2", "C11", "bonus", id="C11-one-book-of-four-in-float"),
        pytest.param(9, "Coffee 0 3", "C11", "bonus", id="C11-eight-cards-in-coffee"),
    ],
)
def test_what_cannot_be_is_refused_at_its_field(seats: int, text: str, rule: str, field: str) -> None:
    refusal = refused(opened(1, seats), 0, entry(1, text))
    assert (refusal.rule, [*refusal.errors]) == (rule, [field])


@pytest.mark.parametrize(
    ("seats", "text"),
    [
        pytest.param(2, "Bowl 0 1", id="C11-bowl-of-one-pack"),
        pytest.param(3, "Cone 0 1", id="C11-cone-of-one-pack"),
        pytest.param(4, "Cone 0 2", id="C11-cone-of-two-packs"),
        pytest.param(4, "Shake 0 2", id="C11-shake-of-two-packs"),
        pytest.param(7, "Bowl 0 3", id="C11-bowl-of-three-packs"),
        pytest.param(9, "Float 0 3", id="C11-float-of-three-packs"),
    ],
)
def test_each_book_of_nothing_but_specials_is_one_point_more(seats: int, text: str) -> None:
    game = opened(1, seats)
    game.seat(0, entry(1, text))
    assert CARD.scores(game.position.state)[0] == 1 + int(text[-1])


def test_c11_at_most_three_books_are_written_at_all() -> None:
    with pytest.raises(Malformed):
        CARD.read_move(entry(1, "Bowl 0 4"))


def test_c13_a_round_may_have_no_winner() -> None:
    game = kept(1, 2, "Coffee -")
    row: Any = CARD.sheet(game.position.state)[0]
    assert (row["winner"], row["scores"]) == (None, [0, 0])


def test_c16_the_goals_are_those_of_the_game() -> None:
    (choice,) = replay.choices(opened(1, 2).position, 0)
    assert choice.fields["goal"].values == tuple(goal.name for goal in GOALS)
    with pytest.raises(Malformed):
        CARD.read_move(entry(1, "Latte 0"))


def test_c12_a_round_after_the_end_counts_nothing() -> None:
    state = SCENARIOS["over-before-the-table-knew"]().position.state
    rows: Any = CARD.sheet(state)
    assert [(row["counts"], row["scores"]) for row in rows] == [
        (True, [1, 0]),
        (True, [2, 0]),
        (False, [0, 0]),
    ]
    assert CARD.is_over(state)


def test_c12_a_correction_opens_the_game_again() -> None:
    game = opened(1, 2, target=1)
    game.seat(0, entry(1, "Bowl 0"))
    assert [choice.type for choice in replay.choices(game.position, 1)] == ["confirm", "correct"]
    game.seat(1, correction(1, "Bowl -"))
    assert [choice.type for choice in replay.choices(game.position, 0)] == ["round", "confirm", "correct"]


def test_c12_a_penalty_counts_when_the_round_ends() -> None:
    game = opened(1, 2, target=2)
    game.seat(0, entry(1, "Bowl 0"))
    game.arbiter({"type": "penalty", "seat": 0, "points": 1, "reason": "late"})
    game.arbiter({"type": "penalty", "seat": 1, "points": 5, "reason": "advice"})
    assert CARD.scores(game.position.state) == (0, -5)
    game.seat(0, entry(2, "Bowl 0"))
    assert not CARD.complete(game.position.state)
    row: Any = CARD.sheet(game.position.state)[1]
    assert (row["penalties"], row["scores"], row["totals"]) == ([-1, -5], [0, -5], [1, -5])


@pytest.mark.parametrize(
    ("seat", "move"),
    [
        pytest.param(0, entry(3, "Bowl 0"), id="C20-a-round-is-skipped"),
        pytest.param(0, entry(1, "Bowl 0"), id="C20-a-round-again"),
        pytest.param(0, confirmation(1), id="C20-with-oneself"),
        pytest.param(1, confirmation(2), id="C20-a-round-not-entered"),
        pytest.param(1, correction(2, "Bowl 0"), id="C20-what-is-not-there"),
    ],
)
def test_the_order_of_entries_is_kept(seat: int, move: dict[str, Any]) -> None:
    game = opened(1, 2)
    game.seat(0, entry(1, "Bowl 0"))
    assert refused(game, seat, move).rule == "C20"


def test_c20_a_round_is_not_corrected_for_ever() -> None:
    game = opened(1, 2)
    game.seat(0, entry(1, "Bowl 0"))
    for number in range(20):
        game.seat(0, correction(1, f"Bowl {number % 2}"))
    assert refused(game, 0, correction(1, "Bowl 0")).rule == "C20"


def test_the_options_are_those_of_the_game() -> None:
    ours, theirs = (
        {field.name: field.described(field.shape.schema()) for field in shapes.record(cls).fields}
        for cls in (Options, Dealt)
    )
    assert ours == {name: theirs[name] for name in ours}


@pytest.mark.parametrize(
    ("move", "words"),
    [
        pytest.param(entry(2, "Bowl 1"), "enters deal 2: Bowl, seat 1 wins", id="round"),
        pytest.param(entry(2, "Cone -"), "enters deal 2: Cone, no winner", id="no-winner"),
        pytest.param(
            correction(2, "Shake 0 +2"),
            "corrects deal 2: Shake, seat 0 wins with 2 scoop bonuses",
            id="correct",
        ),
        pytest.param(confirmation(2), "confirms deal 2", id="confirm"),
    ],
)
def test_a_move_is_told_in_words(move: dict[str, Any], words: str) -> None:
    assert CARD.describe(CARD.read_move(move)) == words


@pytest.mark.parametrize(("limit", "rows"), [(30, 12), (5, 5)])
def test_the_printed_form_has_rows_for_rounds_and_goals_to_circle(limit: int, rows: int) -> None:
    form = CARD.form(CARD.read_options({"round_limit": limit, "target": 4}, 4))
    assert len(form.rows) == rows
    assert all(goal.name in form.rows[0].task + form.rows[0].hint for goal in GOALS)
    assert form.first_dealer is None
    assert any("First to 4" in line for line in form.legend)


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_golden_card_is_recorded_to_the_letter(name: str) -> None:
    recorded = "\n".join(SCENARIOS[name]().lines()) + "\n"
    assert recorded == (LOGS / f"{name}.jsonl").read_text(encoding="utf-8")


def test_the_golden_cards_have_every_size_goal_role_and_move() -> None:
    assert {path.stem for path in LOGS.glob("*.jsonl")} == {*SCENARIOS}
    games = [record() for record in SCENARIOS.values()]
    made = [(each["role"], each["move"]) for game in games for each in game.entries]
    assert {game.position.seats for game in games} == {*CARD.seats}
    assert {move["goal"] for _, move in made if "goal" in move} == {goal.name for goal in GOALS}
    assert {(role, move["type"]) for role, move in made} >= {
        (role, kind) for role in ("seat", "arbiter") for kind in CARD.moves
    }


def result_fields(**drafts: Any) -> dict[str, Any]:
    """Return what is offered of a result at a table of four, with these drafts."""
    fields: dict[str, Any] = {
        "goal": {"values": [goal.name for goal in GOALS]},
        "winner": {"values": [0, 1, 2, 3], "optional": True, "seats": True},
        "bonus": {"values": [0], "complete": False, "optional": True, "about": score_card.ABOUT_BONUS},
    }
    return {
        name: {**field, **({"draft": drafts[name]} if name in drafts else {})}
        for name, field in fields.items()
    }


def test_c20_a_seat_is_offered_exactly() -> None:
    game = kept(1, 4, "Bowl 2 1")
    game.seat(0, entry(2, "Cone - 0"))
    entering = {"type": "round", "fields": {"round": {"values": [3]}, **result_fields()}}
    confirming = {"type": "confirm", "fields": {"round": {"values": [2]}}}
    correcting = [
        {
            "type": "correct",
            "fields": {"replaces": {"values": [1]}, **result_fields(goal="Bowl", winner=2, bonus=1)},
        },
        {"type": "correct", "fields": {"replaces": {"values": [2]}, **result_fields(goal="Cone")}},
    ]
    assert [each.as_json() for each in replay.choices(game.position, 0)] == [entering, *correcting]
    everything = [entering, confirming, *correcting]
    assert [each.as_json() for each in replay.choices(game.position, 1)] == everything
    assert [each.as_json() for each in replay.ruling_choices(game.position)] == everything
