"""Score cards: the grid, what is refused because it can't be, and what comes out."""

from typing import Any

import pytest

from games.engine import replay
from games.engine.common_moves import Timeout
from games.engine.refusals import Illegal, Malformed
from games.engine.replay import Actor, Position
from games.rules.scamper_scorecard import ScamperScorecard, score_card
from tests.rules.recording import Recorder, as_recorded
from tests.rules.scamper_scorecard.lines import CARD, NAMES, entry, refused
from tests.rules.scamper_scorecard.scenarios import LOGS, SCENARIOS, held, opened


class TestGrid:
    """A whole card as rows: what is entered, and what is to come."""

    def test_has_a_row_for_each_round_with_what_may_be_written_there(self) -> None:
        game = opened(1, 2, rounds=3)
        game.seat(0, entry(1, "0 15"))
        game.seat(1, {"type": "correct", "replaces": 1, "seats": held("0 25")})
        rows = CARD.grid(game.position.state, 2)
        assert [
            (row.type, row.fields["round" if row.type == "round" else "replaces"].values) for row in rows
        ] == [
            ("correct", (1,)),
            ("round", (2,)),
            ("round", (3,)),
        ]
        assert rows[0].fields["seats"].by_seat[1]["cards"].draft == 25

    def test_ends_with_the_card(self) -> None:
        game = opened(1, 2, rounds=1)
        game.arbiter(entry(1, "0 15"))
        assert [row.type for row in CARD.grid(game.position.state, 5)] == ["correct"]

    @pytest.mark.parametrize(("cards", "same"), [("0 15", True), ("0 20", False)])
    def test_knows_what_is_entered_already(self, cards: str, same: bool) -> None:
        game = opened(1, 2, rounds=1)
        game.arbiter(entry(1, "0 15"))
        move = CARD.read_move({"type": "correct", "replaces": 1, "seats": held(cards)})
        assert CARD.repeats(game.position.state, 1, move) is same


@pytest.mark.parametrize("number", [1, 2], ids=["a-round-confirmed-already", "a-round-not-entered"])
def test_only_an_unconfirmed_round_is_confirmed(number: int) -> None:
    game = opened(1, 2)
    game.seat(0, entry(1, "0 15"))
    game.seat(1, {"type": "confirm", "round": 1})
    assert refused(game, 1, {"type": "confirm", "round": number}) == "S26"


def test_a_confirmed_round_can_be_corrected_until_the_card_is_full() -> None:
    game = opened(1, 2, rounds=2)
    game.seat(0, entry(1, "0 15"))
    game.seat(1, {"type": "confirm", "round": 1})
    game.seat(1, {"type": "correct", "replaces": 1, "seats": held("0 20")})
    assert replay.view(game.position, None)["unconfirmed"] == [1]


@pytest.mark.parametrize(
    ("number", "cards", "names", "rule"),
    [
        pytest.param(1, "0 10", {}, "S1", id="S1-two-of-three-seats"),
        pytest.param(1, "0 10 20 30", {}, "S1", id="S1-four-of-three-seats"),
        pytest.param(1, "0 12 20", {}, "S3", id="S3-no-card-counts-2"),
        pytest.param(1, "0 600 605", {}, "S3", id="S3-more-than-all-cards-count"),
        pytest.param(2, "0 10 20", {}, "S4", id="S4-the-second-round-first"),
        pytest.param(1, "0 0 20", {}, "S25", id="S25-two-went-out"),
        pytest.param(1, "0 10 20", {1: ["first_dealer"]}, "S6", id="S6-another-seat-dealt"),
        pytest.param(1, "0 10 20", {0: ["first_dealer"] * 2}, "S6", id="S6-twice"),
        pytest.param(1, "0 10 20", {1: ["exact_deal"]}, "S5", id="S5-another-seat-dealt"),
        pytest.param(1, "0 10 20", {0: ["exact_deal", "misdeal"]}, "S33", id="S33-exact-and-a-misdeal"),
        pytest.param(1, "0 10 20", {0: ["exact_deal"] * 2}, "S33", id="S33-exact-twice"),
    ],
)
def test_what_cannot_be_is_refused(number: int, cards: str, names: Any, rule: str) -> None:
    game = opened(1, 3)
    assert refused(game, 0, entry(number, cards, names)) == rule
    assert not game.position.state.entries


def test_s6_the_bonus_is_for_round_1_only() -> None:
    game = opened(1, 2)
    game.seat(0, entry(1, "0 15"))
    assert refused(game, 0, entry(2, "0 15", {1: ["first_dealer"]})) == "S6"


def test_s4_no_round_follows_the_last() -> None:
    game = opened(1, 2, rounds=1)
    game.seat(0, entry(1, "0 15"))
    assert refused(game, 0, entry(2, "0 15")) == "S4"


def test_s3_added_packs_hold_more_points() -> None:
    game = opened(1, 3, stock_out="add_pack")
    game.seat(0, entry(1, "0 600 605"))
    assert CARD.scores(game.position.state) == (0, 600, 605)


def test_s3_where_nothing_is_wild_there_are_no_jokers_to_count() -> None:
    game = opened(1, 3, wild_cards="none")
    assert refused(game, 0, entry(1, "0 500 505")) == "S3"


@pytest.mark.parametrize(
    ("name", "points"),
    [
        pytest.param("first_dealer", -20, id="S6-first-dealer"),
        pytest.param("exact_deal", -20, id="S33-exact-deal"),
        pytest.param("misdeal", 20, id="S33-misdeal"),
        pytest.param("wrong_meld", 50, id="S30-wrong-meld"),
        pytest.param("too_many_wilds", 20, id="S30-too-many-wild-cards"),
        pytest.param("wrong_challenge", 20, id="S30-wrong-challenge"),
        pytest.param("undeclared", 20, id="S31-scamper-not-said"),
        pytest.param("advice", 20, id="S33-advice"),
    ],
)
def test_each_adjustment_has_its_points(name: str, points: int) -> None:
    game = opened(1, 2)
    game.seat(0, entry(1, "15 0", {0: [name]}))
    assert CARD.scores(game.position.state) == (15 + points, 0)
    assert name in NAMES


def test_s30_a_name_counts_as_often_as_it_is_called() -> None:
    game = opened(1, 2)
    game.seat(0, entry(1, "15 0", {1: ["wrong_challenge"] * 3}))
    assert CARD.scores(game.position.state) == (15, 60)


@pytest.mark.parametrize(
    ("options", "path"),
    [
        pytest.param({"first_dealer": 3}, "first_dealer", id="no-such-seat"),
        pytest.param({"rounds": 11}, "rounds", id="too-many-rounds"),
        pytest.param({"contracts": [{"sets": [], "runs": []}]}, "contracts.0", id="nothing-asked"),
    ],
)
def test_options_that_make_no_card_are_malformed(options: Any, path: str) -> None:
    with pytest.raises(Malformed) as caught:
        CARD.read_options(options, 3)
    assert f"options.{path}" in caught.value.errors


def test_s26_the_lowest_total_wins_and_equal_totals_share() -> None:
    game = opened(1, 3, rounds=2)
    for number, cards in enumerate(("0 5 30", "10 5 0"), 1):
        game.seat(0, entry(number, cards))
        game.seat(1, {"type": "confirm", "round": number})
    result = replay.result(game.position)
    assert result is not None
    assert [placing.rank for placing in result.seats] == [1, 1, 3]


def test_s32_an_arbiters_points_count_in_the_round_that_is_played() -> None:
    game = opened(1, 2, rounds=2)
    game.arbiter({"type": "penalty", "seat": 1, "points": 20, "reason": "advice"})
    assert CARD.scores(game.position.state) == (0, 20)
    for number, cards in enumerate(("0 5", "0 10"), 1):
        game.seat(0, entry(number, cards))
    game.arbiter({"type": "penalty", "seat": 0, "points": 5, "reason": "late"})
    rows: Any = CARD.sheet(game.position.state)
    assert [row["scores"] for row in rows] == [[0, 25], [5, 10]]


def test_s32_they_stay_when_the_round_is_corrected() -> None:
    game = opened(1, 2)
    game.arbiter({"type": "penalty", "seat": 1, "points": 20, "reason": "advice"})
    game.seat(0, entry(1, "0 5"))
    game.seat(0, {"type": "correct", "replaces": 1, "seats": held("5 0")})
    assert CARD.scores(game.position.state) == (5, 20)


def test_s25_the_sheet_has_the_rows_of_a_game_on_the_server() -> None:
    game = opened(1, 2)
    game.seat(0, entry(1, "35 0", {0: ["first_dealer"]}))
    on_server: Any = Recorder("scamper", 2, {"rounds": 1, "passing": "off"})
    while on_server.position.status == "active":
        on_server.clock(replay.awaited(on_server.position)[0])
    theirs: Any = on_server.ruleset.sheet(on_server.position.state)[0]
    row: Any = CARD.sheet(game.position.state)[0]
    assert {*theirs} == {*row} - {"entered_by", "confirmed", "confirmed_by", "corrections"}
    assert row["adjustments"] == [{"seat": 0, "name": "first_dealer", "points": -20}]
    assert (row["out"], row["cards"], row["scores"], row["totals"]) == (1, [35, 0], [15, 0], [15, 0])


def test_s29_a_seat_that_can_neither_correct_nor_confirm_is_not_to_act() -> None:
    game = opened(1, 2, rounds=1)
    game.seat(0, entry(1, "0 5"))
    for points in [5, 10] * 10:
        game.seat(0, {"type": "correct", "replaces": 1, "seats": held(f"0 {points}")})
    assert replay.to_act(game.position) == (1,)
    assert [choice.type for choice in replay.choices(game.position, 1)] == ["confirm"]


def test_an_arbiter_is_offered_what_a_seat_is_and_may_confirm_every_entry() -> None:
    game = opened(1, 2, rounds=2)
    game.seat(0, entry(1, "0 5"))
    assert [choice.type for choice in replay.ruling_choices(game.position)] == ["round", "confirm", "correct"]
    assert replay.ruling_choices(opened(1, 2, entropy=True).position) == ()


def test_s6_the_first_dealers_bonus_stands_in_the_draft_and_a_correction_begins_with_what_stands() -> None:
    game = opened(1, 2, rounds=2, first_dealer=1)
    assert drafts(game, 0) == [(None, None), (None, ["first_dealer"])]
    game.seat(0, entry(1, "15 0", {0: ["advice"]}))
    assert drafts(game, 0) == [(None, None), (None, None)]
    assert drafts(game, -1) == [(15, ["advice"]), (0, None)]


def drafts(game: Recorder, which: int) -> list[Any]:
    """Return what a form for one of the choices begins with, seat by seat."""
    lines = replay.choices(game.position, 0)[which].fields["seats"].by_seat
    return [(line["cards"].draft, line["adjustments"].draft) for line in lines]


def test_s5_only_the_dealer_can_be_called_names_of_the_deal() -> None:
    game = opened(1, 2, rounds=2)
    (choice,) = replay.choices(game.position, 0)
    offered = [{*line["adjustments"].values} for line in choice.fields["seats"].by_seat]
    assert offered == [{*NAMES}, {*NAMES} - {"first_dealer", "exact_deal", "misdeal"}]
    shown: Any = choice.as_json()
    assert shown["fields"]["seats"]["by_seat"][0]["adjustments"]["draft"] == ["first_dealer"]


@pytest.mark.parametrize(
    ("cards", "names", "fields"),
    [
        pytest.param("0 7 5", {}, ["seats.1.cards"], id="S3-not-a-multiple-of-five"),
        pytest.param("0 0 5", {}, ["seats.0.cards", "seats.1.cards"], id="S25-two-went-out"),
        pytest.param("0 5 9995", {}, [f"seats.{seat}.cards" for seat in range(3)], id="S3-too-many-points"),
        pytest.param("0 5 5", {1: ["misdeal"]}, ["seats.1.adjustments"], id="S5-did-not-deal"),
        pytest.param("0 5 5", {1: ["first_dealer"]}, ["seats.1.adjustments"], id="S6-did-not-deal-first"),
        pytest.param("0 5 5", {0: ["exact_deal"] * 2}, ["seats.0.adjustments"], id="S33-exact-twice"),
        pytest.param("0 5", {}, ["seats"], id="S1-a-seat-is-missing"),
    ],
)
def test_a_refusal_names_the_fields_that_cannot_be(cards: str, names: Any, fields: list[str]) -> None:
    with pytest.raises(Illegal) as caught:
        opened(1, 3).seat(0, entry(1, cards, names))
    assert [*caught.value.errors] == fields


def test_the_view_tells_what_is_next() -> None:
    game = opened(1, 2, rounds=2)
    game.seat(0, entry(1, "0 5"))
    view: Any = replay.view(game.position, 1)
    answer = {name: view[name] for name in ("round", "rounds", "phase", "dealer", "contract", "unconfirmed")}
    assert answer == {
        "round": 2,
        "rounds": 2,
        "phase": "enter",
        "dealer": 1,
        "contract": {"sets": [], "runs": [3, 3]},
        "unconfirmed": [1],
    }
    game.seat(0, entry(2, "0 5"))
    assert replay.view(game.position, 1)["phase"] == "confirm"
    nothing: dict[str, list[str]] = {"hands": [], "deck": [], "hidden": []}
    assert replay.full_view(game.position) == {**replay.view(game.position, 0), "open": nothing}


@pytest.mark.parametrize(
    ("move", "words"),
    [
        pytest.param(entry(2, "0 15", {1: ["advice"]}), "enters deal 2: 0, 15 (advice)", id="round"),
        pytest.param(
            {"type": "correct", "replaces": 2, "seats": held("5 0", {0: ["wrong_meld"]})},
            "corrects deal 2: 5 (wrong meld), 0",
            id="correct",
        ),
        pytest.param({"type": "confirm", "round": 2}, "confirms deal 2", id="confirm"),
    ],
)
def test_a_move_is_told_in_words(move: Any, words: str) -> None:
    assert CARD.describe(CARD.read_move(move)) == words


def test_the_printed_form_has_a_row_for_each_round() -> None:
    form = CARD.form(CARD.read_options({"rounds": 3, "first_dealer": 2}, 4))
    assert [row.round for row in form.rows] == [1, 2, 3]
    assert form.first_dealer == 2


@pytest.mark.parametrize("role", ["clock", "system"])
def test_neither_clock_nor_system_writes_on_a_card(role: Any) -> None:
    position: Position = opened(1, 2).position
    with pytest.raises(Illegal):
        replay.played(position, Actor(role, 0), CARD.read_move(entry(1, "0 5")))


def test_no_time_runs_out_on_a_card() -> None:
    with pytest.raises(Illegal):
        replay.played(opened(1, 2).position, Actor("clock", 0), Timeout())
    with pytest.raises(AssertionError):
        CARD.default_move(opened(1, 2).position.state, 0)


def test_an_arbiter_waits_until_every_seat_is_ready() -> None:
    game = opened(1, 2, entropy=True)
    with pytest.raises(Illegal):
        game.arbiter(entry(1, "0 5"))


def test_every_golden_card_has_its_scenario_and_is_recorded_to_the_letter() -> None:
    assert {path.stem for path in LOGS.glob("*.jsonl")} == {*SCENARIOS}
    for name, record in SCENARIOS.items():
        assert as_recorded(record(), LOGS / f"{name}.jsonl"), name


def test_the_golden_cards_call_every_name_and_see_every_kind_of_entry() -> None:
    entries = [entry for record in SCENARIOS.values() for entry in record().entries]
    seen = {(entry["role"], entry["move"]["type"]) for entry in entries}
    names = {
        name
        for entry in entries
        for each in entry["move"].get("seats", ()) if entry["move"]["type"] != "open"
        for name in each.get("adjustments", ())
    }  # fmt: skip
    assert names == {*NAMES}
    assert seen >= {(role, kind) for role in ("seat", "arbiter") for kind in ScamperScorecard.moves}
    assert seen >= {("arbiter", kind) for kind in ("penalty", "forfeit", "abandon")}


def test_s26_a_seat_is_offered_exactly() -> None:
    game = opened(1, 2)
    game.seat(0, entry(1, "0 15", {1: ["advice"]}))
    entering, confirming, correcting = (each.as_json() for each in replay.choices(game.position, 1))
    worth = {"wrong_meld": 50, "too_many_wilds": 20, "wrong_challenge": 20, "undeclared": 20, "advice": 20}
    dealt = {"exact_deal": -20, "misdeal": 20}
    cards: Any = {"values": [], "complete": False, "about": score_card.ABOUT_CARDS}
    assert confirming == {"type": "confirm", "fields": {"round": {"values": [1]}}}
    assert entering == {
        "type": "round",
        "fields": {
            "round": {"values": [2]},
            "seats": {
                "values": [[{"cards": 0}, {"cards": 5}]],
                "complete": False,
                "about": score_card.ABOUT_SEATS,
                "by_seat": [
                    {"cards": cards, "adjustments": adjustments(worth)},
                    {"cards": cards, "adjustments": adjustments({**dealt, **worth})},
                ],
            },
        },
    }
    assert correcting == {
        "type": "correct",
        "fields": {
            "replaces": {"values": [1]},
            "seats": {
                "values": [[{"cards": 0}, {"cards": 15, "adjustments": ["advice"]}]],
                "complete": False,
                "about": score_card.ABOUT_SEATS,
                "by_seat": [
                    {
                        "cards": {**cards, "draft": 0},
                        "adjustments": adjustments({"first_dealer": -20, **dealt, **worth}),
                    },
                    {
                        "cards": {**cards, "draft": 15},
                        "adjustments": {**adjustments(worth), "draft": ["advice"]},
                    },
                ],
            },
        },
    }


def adjustments(worth: dict[str, int]) -> dict[str, Any]:
    return {"values": [*worth], "optional": True, "worth": worth}


def test_s6_without_points_for_the_first_dealer_nothing_is_drafted() -> None:
    assert drafts(opened(1, 2, first_dealer_bonus=0), 0) == [(None, None), (None, None)]
    assert drafts(opened(1, 2, first_dealer_bonus=1), 0) == [(None, ["first_dealer"]), (None, None)]


def test_without_wild_cards_the_form_says_so() -> None:
    rows = CARD.form(CARD.read_options({"wild_cards": "none"}, 4)).rows
    assert {row.hint for row in rows} == {"no wild cards"}
    assert all("wild, at most" in row.hint for row in CARD.form(CARD.read_options({}, 4)).rows)


def test_s3_all_points_of_the_packs_can_be_in_hand() -> None:
    game = opened(1, 3)
    assert refused(game, 0, entry(1, "0 600 605")) == "S3"
    game.seat(0, entry(1, "0 600 600"))
    assert CARD.scores(game.position.state) == (0, 600, 600)


class TestSeatsThatHaveLeft:
    """A no-show or a leaver: the others write on without its values."""

    def game(self) -> Recorder:
        game = opened(1, 3, rounds=2, first_dealer_bonus=0)
        game.arbiter({"type": "forfeit", "seat": 1, "reason": "No-show."})
        return game

    def test_need_no_values(self) -> None:
        game = self.game()
        optional = [
            line["cards"].optional for line in replay.choices(game.position, 0)[0].fields["seats"].by_seat
        ]
        assert optional == [False, True, False]
        for number in (1, 2):
            game.arbiter({"type": "round", "round": number, "seats": [{"cards": 0}, {}, {"cards": 20}]})
        result = replay.result(game.position)
        assert result is not None
        assert [(each.rank, each.score) for each in result.seats] == [(1, 0), (3, 0), (2, 40)]

    @pytest.mark.parametrize("typed", [0, 5, 200])
    def test_rank_last_whatever_is_written(self, typed: int) -> None:
        game = self.game()
        for number in (1, 2):
            seats = [{"cards": 0}, {"cards": typed}, {"cards": 20}]
            game.arbiter({"type": "round", "round": number, "seats": seats})
        result = replay.result(game.position)
        assert result is not None
        assert [each.rank for each in result.seats] == [1, 3, 2]
        assert game.position.state.entries[0].result.seats[1].cards == typed

    def test_leave_the_values_of_the_others_required(self) -> None:
        game = self.game()
        with pytest.raises(Malformed) as refusal:
            game.arbiter({"type": "round", "round": 1, "seats": [{"cards": 0}, {}, {}]})
        assert [*refusal.value.errors] == ["seats.2.cards"]


@pytest.mark.parametrize("name", score_card.ADVANCED_ONLY)
def test_what_is_printed_for_advanced_play_only_can_be_left_out(name: str) -> None:
    game = opened(1, 2, advanced_points=False)
    assert refused(game, 0, entry(1, "0 15", {0: [name]})) == "S33"
    assert all(name not in score_card.names_for(game.position.state, 1, seat) for seat in range(2))


@pytest.mark.parametrize(
    ("name", "points"), [("wrong_meld", 50), ("wrong_challenge", 20), ("advice", 20), ("first_dealer", -20)]
)
def test_what_the_text_prints_for_every_game_stays_without_the_points_of_advanced_play(
    name: str, points: int
) -> None:
    game = opened(1, 2, advanced_points=False)
    game.seat(0, entry(1, "15 0", {0: [name]}))
    assert CARD.scores(game.position.state) == (15 + points, 0)
    assert name in score_card.names_for(game.position.state, 1, 0)


def test_the_sheet_without_the_points_of_advanced_play_has_no_line_about_them() -> None:
    sentences = {
        advanced: " ".join(CARD.form(opened(1, 2, advanced_points=advanced).position.state.options).legend)
        for advanced in (True, False)
    }
    for told in ("Exact deal", "misdeal", "too many wild cards", "Scamper not declared"):
        assert told in sentences[True] and told not in sentences[False]
    for told in ("rong meld +50", "wrong challenge +20", "advice +20", "First dealer: −20"):
        assert all(told in each for each in sentences.values())


@pytest.mark.parametrize(("advanced", "told"), [(True, True), (False, False)])
def test_the_printed_sheet_names_only_what_can_be_written(advanced: bool, told: bool) -> None:
    card = opened(1, 2, advanced_points=advanced)
    assert any("misdeal" in line for line in CARD.form(card.position.state.options).legend) == told
