"""Score cards of Scram!: what is refused because it cannot be, and what the card works out."""

from typing import Any

import pytest

from games.engine import replay, shapes
from games.engine.refusals import Illegal, Malformed
from games.rules.scram.moves import Options as Dealt
from games.rules.scram_scorecard import ScramScorecard, score_card
from games.rules.scram_scorecard.score_card import Options
from tests.rules.recording import Recorder
from tests.rules.scram_scorecard.scenarios import (
    LOGS,
    SCENARIOS,
    confirmation,
    correction,
    entry,
    kept,
    opened,
)

CARD = ScramScorecard()


def refused(game: Recorder, seat: int, move: dict[str, Any]) -> Illegal:
    """Return the refusal of a seat's move."""
    with pytest.raises(Illegal) as caught:
        game.seat(seat, move)
    return caught.value


@pytest.mark.parametrize(
    ("seats", "move", "rule", "fields"),
    [
        pytest.param(4, entry(1, "5 5 5"), "B2", ["seats"], id="B2-a-camper-is-missing"),
        pytest.param(3, entry(1, "5 5 5 5"), "B2", ["seats"], id="B2-a-camper-too-many"),
        pytest.param(3, {**entry(1, "5 5 5"), "scram": 3}, "B2", ["scram"], id="B2-nobody-sits-there"),
        pytest.param(
            3,
            entry(1, "200 100 117"),
            "B1",
            ["seats.0.sum", "seats.1.sum", "seats.2.sum"],
            id="B1-more-than-56-cards-hold",
        ),
        pytest.param(
            6, entry(1, "521 0 0 0 0 0"), "B1", [*(f"seats.{n}.sum" for n in range(6))], id="B1-of-70"
        ),
        pytest.param(3, entry(1, "53! 9 9"), "B14", ["seats.0.sum", "scram"], id="B14-solo-two-last-turns"),
        pytest.param(3, entry(1, "9 66! 9"), "B14", ["seats.1.sum", "scram"], id="B14-duo-three-last-turns"),
        pytest.param(4, entry(1, "9 9 9 66!"), "B14", ["seats.3.sum", "scram"], id="B14-four-campers"),
        pytest.param(6, entry(1, "9 9 92! 9 9 9"), "B14", ["seats.2.sum", "scram"], id="B14-six-campers"),
        pytest.param(4, entry(2, "5 5 5 5"), "B4", [], id="B4-the-second-round-first"),
    ],
)
def test_what_cannot_be_is_refused_at_its_fields(
    seats: int, move: dict[str, Any], rule: str, fields: list[str]
) -> None:
    refusal = refused(opened(1, seats), 0, move)
    assert (refusal.rule, [*refusal.errors]) == (rule, fields)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("200 100 116", id="B1-all-that-56-cards-hold"),
        pytest.param("0 0 520 0 0 0", id="B1-all-that-70-cards-hold"),
        pytest.param("52! 0 0", id="B14-the-most-of-a-solo"),
        pytest.param("0 65! 0 0", id="B14-the-most-of-four"),
        pytest.param("0 0 0", id="B15-empty-campsites"),
    ],
)
def test_what_can_just_be_is_taken(text: str) -> None:
    game = opened(1, len(text.split()))
    game.seat(0, entry(1, text))
    assert len(game.position.state.entries) == 1


@pytest.mark.parametrize(
    ("text", "scores"),
    [
        pytest.param("10 20 5 7", (15, 27, 15, 27), id="B15-nobody-declared"),
        pytest.param("10! 20 5 7", (0, 27, 0, 27), id="B16-the-lower-team-declared"),
        pytest.param("10 20! 5 7", (15, 37, 15, 37), id="B16-the-higher-team-declared"),
        pytest.param("10 8! 5 7", (15, 0, 15, 0), id="B16-level"),
        pytest.param("20! 8 13", (0, 21, 21), id="B16-the-solo-declared"),
        pytest.param("20 8 13!", (20, 31, 31), id="B16-one-of-the-duo-declared"),
        pytest.param("1 2 3 4 5 6!", (9, 22, 9, 22, 9, 22), id="B16-six-campers"),
    ],
)
def test_the_card_works_out_what_each_team_scores(text: str, scores: tuple[int, ...]) -> None:
    game = opened(1, len(scores))
    game.seat(0, entry(1, text))
    assert CARD.scores(game.position.state) == scores


@pytest.mark.parametrize(("seats", "rounds"), [(3, 3), (4, 4), (6, 3)])
def test_b4_the_rounds_are_the_rulebooks_or_the_clubs(seats: int, rounds: int) -> None:
    assert replay.view(opened(1, seats).position, None)["rounds"] == rounds
    assert replay.view(opened(1, seats, rounds=10).position, None)["rounds"] == 10


def test_b4_no_round_follows_the_last() -> None:
    game = opened(1, 3, rounds=1)
    game.seat(0, entry(1, "1 2 3"))
    assert refused(game, 0, entry(2, "1 2 3")).rule == "B4"


@pytest.mark.parametrize(
    ("rounds", "ranks"),
    [
        pytest.param(("5 9 5 9",), [1, 3, 1, 3], id="B17-the-lowest-total"),
        pytest.param(("10 12 10 10", "11 10 11 10"), [3, 1, 3, 1], id="B17-level-the-last-round"),
        pytest.param(("9 10 0 0", "6 5 0 0", "4 4 0 0"), [3, 1, 3, 1], id="B17-level-the-round-before"),
        pytest.param(("9 8 1 2",), [3, 3, 3, 3], id="B17-level-in-every-round"),
        pytest.param(("20 10 10",), [1, 2, 2], id="B17-level-for-the-solo"),
    ],
)
def test_the_lowest_total_wins_and_level_teams_are_told_apart(
    rounds: tuple[str, ...], ranks: list[int]
) -> None:
    result = replay.result(kept(1, *rounds, rounds=len(rounds)).position)
    assert result is not None
    assert [placing.rank for placing in result.seats] == ranks


def test_b18_a_penalty_is_the_teams_after_scram_and_stays() -> None:
    game = opened(1, 4)
    game.arbiter({"type": "penalty", "seat": 2, "points": 5, "reason": "talk"})
    assert CARD.scores(game.position.state) == (5, 0, 5, 0)
    game.seat(0, entry(1, "3! 9 3 9"))
    game.seat(1, correction(1, "4! 9 4 9"))
    row: Any = CARD.sheet(game.position.state)[0]
    assert (row["scores"], row["penalties"]) == ([5, 18, 5, 18], [0, 0, 5, 0])


@pytest.mark.parametrize(
    ("seat", "move"),
    [
        pytest.param(0, confirmation(1), id="B19-with-oneself"),
        pytest.param(1, confirmation(2), id="B19-a-round-not-entered"),
        pytest.param(1, correction(2, "1 2 3"), id="B19-what-is-not-there"),
    ],
)
def test_somebody_else_confirms_what_is_entered(seat: int, move: dict[str, Any]) -> None:
    game = opened(1, 3)
    game.seat(0, entry(1, "1 2 3"))
    assert refused(game, seat, move).rule == "B19"


def test_b19_a_round_is_not_corrected_for_ever() -> None:
    game = opened(1, 3)
    game.seat(0, entry(1, "1 2 3"))
    for number in range(20):
        game.seat(0, correction(1, f"{number} 2 3"))
    assert refused(game, 0, correction(1, "1 2 3")).rule == "B19"


def test_a_sum_is_a_number_from_0() -> None:
    with pytest.raises(Malformed) as caught:
        CARD.read_move(entry(1, "-1 2 3"))
    assert [*caught.value.errors] == ["seats.0.sum"]


def test_the_options_are_those_of_the_game() -> None:
    ours, theirs = (
        {field.name: field.described(field.shape.schema()) for field in shapes.record(cls).fields}
        for cls in (Options, Dealt)
    )
    assert ours == {name: theirs[name] for name in ours}


@pytest.mark.parametrize(
    ("move", "words"),
    [
        pytest.param(entry(2, "5 6! 7"), "enters deal 2: 5, 6, 7, seat 1 declared Scram", id="round"),
        pytest.param(correction(2, "5 6 7"), "corrects deal 2: 5, 6, 7, nobody declared Scram", id="correct"),
        pytest.param(confirmation(2), "confirms deal 2", id="confirm"),
    ],
)
def test_a_move_is_told_in_words(move: dict[str, Any], words: str) -> None:
    assert CARD.describe(CARD.read_move(move)) == words


@pytest.mark.parametrize(
    ("rounds", "hints"),
    [(None, ["", "", "", "with 4 campers only"]), (5, [""] * 5)],
)
def test_the_printed_form_has_a_row_for_each_round(rounds: int | None, hints: list[str]) -> None:
    form = CARD.form(CARD.read_options({"rounds": rounds}, 6))
    assert [row.hint for row in form.rows] == hints
    assert form.first_dealer is None


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_golden_card_is_recorded_to_the_letter(name: str) -> None:
    recorded = "\n".join(SCENARIOS[name]().lines()) + "\n"
    assert recorded == (LOGS / f"{name}.jsonl").read_text(encoding="utf-8")


def test_the_golden_cards_have_every_size_role_and_move() -> None:
    assert {path.stem for path in LOGS.glob("*.jsonl")} == {*SCENARIOS}
    games = [record() for record in SCENARIOS.values()]
    made = {(each["role"], each["move"]["type"]) for game in games for each in game.entries}
    assert {game.position.seats for game in games} == {*CARD.seats}
    assert made >= {(role, kind) for role in ("seat", "arbiter") for kind in CARD.moves}


def result_fields(shown: list[int], *, drafted: bool, **scram: int) -> dict[str, Any]:
    """Return what is offered of a result at a table of three: these sums, as drafts or as an example."""
    line = {"values": [], "complete": False, "about": score_card.ABOUT_SUM, "worth": {"sum": 0}}
    return {
        "scram": {
            "values": [0, 1, 2],
            "optional": True,
            "seats": True,
            "about": score_card.ABOUT_SCRAM,
            **({"draft": scram["scram"]} if scram else {}),
        },
        "seats": {
            "values": [[{"sum": each} for each in shown]],
            "complete": False,
            "about": score_card.ABOUT_SEATS,
            "by_seat": [{"sum": {**line, **({"draft": each} if drafted else {})}} for each in shown],
        },
    }


def test_b19_a_seat_is_offered_exactly() -> None:
    game = kept(1, "5 9! 0")
    game.seat(0, entry(2, "1 2 3"))
    entering = {
        "type": "round",
        "fields": {"round": {"values": [3]}, **result_fields([0, 1, 2], drafted=False)},
    }
    confirming = {"type": "confirm", "fields": {"round": {"values": [2]}}}
    correcting = [
        {
            "type": "correct",
            "fields": {"replaces": {"values": [1]}, **result_fields([5, 9, 0], drafted=True, scram=1)},
        },
        {
            "type": "correct",
            "fields": {"replaces": {"values": [2]}, **result_fields([1, 2, 3], drafted=True)},
        },
    ]
    assert [each.as_json() for each in replay.choices(game.position, 0)] == [entering, *correcting]
    everything = [entering, confirming, *correcting]
    assert [each.as_json() for each in replay.choices(game.position, 2)] == everything
