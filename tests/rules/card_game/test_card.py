"""Score cards of clubs' own games: those that come with the server, worked out by hand, and refusals."""

from typing import Any

import pytest

from games import rules
from games.engine import replay, shapes
from games.engine.refusals import Illegal, Malformed
from games.rules.card_game import CardGame, ruleset_of
from games.rules.card_game.copying import changed
from games.rules.card_game.definition import (
    JUST_POINTS,
    Adds,
    Check,
    Definition,
    Gathers,
    Multiplies,
    Term,
    Worth,
    Written,
)
from games.rules.card_game.score_card import course, in_words, result_of
from games.rules.card_game.shipped import SKAT
from league.words.messages import translated
from tests.rules.card_game.scenarios import (
    SCENARIOS,
    canasta,
    entry,
    jass,
    kept,
    lines,
    opened,
    points,
    shipped,
    skat,
    winners,
)
from tests.rules.recording import Recorder


def scores(game: Recorder) -> tuple[int, ...]:
    return game.position.ruleset.scores(game.position.state)


def ended(game: Recorder) -> bool:
    return course(game.position.state).end is not None


def deals(key: str, seats: int, *results: dict[str, Any]) -> list[list[int]]:
    """Return what each seat scored in each deal of a game that comes with the server."""
    game = kept(opened(1, seats, shipped(key), rounds=len(results)), *results)
    rows: Any = game.position.ruleset.sheet(game.position.state)
    return [row["scores"] for row in rows]


# Figures: `Worked figures` of the field's rules, recomputed by hand.
@pytest.mark.parametrize(
    ("key", "seats", "result", "scored"),
    [
        pytest.param("skat", 4, skat(2, "spades", 2), [0, 0, 72, 0], id="K4-skat-won"),
        pytest.param(
            "skat", 4, skat(1, "hearts", 3, won=False), [30, -110, 30, 30], id="K4-skat-lost-at-four"
        ),
        pytest.param("skat", 3, skat(1, "hearts", 3, won=False), [40, -110, 40], id="K4-skat-lost-at-three"),
        pytest.param("skat", 3, skat(0, "spades", 2, bid=33), [-116, 40, 40], id="K4-skat-overbid"),
        pytest.param("skat", 3, skat(0, "spades", 3, bid=33), [83, 0, 0], id="K4-skat-bid-reached"),
        pytest.param("skat", 4, {}, [0, 0, 0, 0], id="K4-skat-passed-in"),
        pytest.param("skat", 3, skat(0, "diamonds", 2), [68, 0, 0], id="K4-skat-diamonds"),
        pytest.param("skat", 3, skat(1, "null hand", 1), [0, 85, 0], id="K4-skat-null-hand"),
        pytest.param("skat", 3, skat(1, "null open", 1), [0, 96, 0], id="K4-skat-null-open"),
        pytest.param("skat", 3, skat(2, "null open hand", 1), [0, 0, 109], id="K4-skat-null"),
        pytest.param("doppelkopf", 4, winners(3, 0, 2), [3, -3, 3, -3], id="K4-doppelkopf"),
        pytest.param("doppelkopf", 4, winners(3, 1), [-3, 9, -3, -3], id="K4-doppelkopf-alone-won"),
        pytest.param("doppelkopf", 4, winners(3, 0, 1, 2), [3, 3, 3, -9], id="K4-doppelkopf-alone-lost"),
        pytest.param(
            "doppelkopf", 5, winners(2, 1, 3, table=5), [0, 2, -2, 2, -2], id="K4-doppelkopf-of-five"
        ),
        pytest.param(
            "jass", 4, jass(2, 97, 60, stock=0), [234, 120, 234, 120], id="K4-jass-double-with-stock"
        ),
        pytest.param("jass", 4, jass(1, 257, 0), [257, 0, 257, 0], id="K4-jass-match"),
        # Seven kings, three aces (70 + 60); a natural canasta (500), going out (100), two red threes (200)
        # Five sevens and two deuces (25 + 40); a mixed canasta (300); a joker, an ace, a four in hand (75).
        pytest.param("canasta", 2, canasta((130, 800, 0), (65, 300, 75)), [930, 290], id="K4-canasta-of-two"),
        pytest.param(
            "canasta", 4, canasta((130, 800, 0), (65, 300, 75)), [930, 290, 930, 290], id="K4-canasta-of-four"
        ),
        # Out concealed (200) with a mixed canasta (300) and three red threes (300), cards of 95; the fourth
        # red three counts against who has melded nothing (-100), and so do two aces and six kings in hand.
        pytest.param(
            "canasta",
            4,
            canasta((95, 800, 0), (0, -100, 100)),
            [895, -200, 895, -200],
            id="K4-canasta-below-0",
        ),
        pytest.param("jass", 4, jass(3, 57, 100, weis=20), [231, 300, 231, 300], id="K4-jass-weis"),
        pytest.param("cribbage", 2, lines("pegged", 121, 90), [3, 0], id="K4-cribbage-skunk"),
        pytest.param("cribbage", 2, lines("pegged", 121, 60), [3, 0], id="K4-cribbage-no-double-skunk"),
        pytest.param("cribbage", 2, lines("pegged", 91, 121), [0, 2], id="K4-cribbage"),
        pytest.param("hearts", 4, lines("taken", 26, 0, 0, 0), [0, 26, 26, 26], id="K4-hearts-all"),
        pytest.param("hearts", 4, lines("taken", 13, 3, 10, 0), [13, 3, 10, 0], id="K4-hearts"),
    ],
)
def test_a_deal_scores_what_its_rules_say(
    key: str, seats: int, result: dict[str, Any], scored: list[int]
) -> None:
    assert deals(key, seats, result) == [scored]


@pytest.mark.parametrize(
    ("key", "seats", "result"),
    [
        pytest.param("jass", 4, jass(1, 97, 50), id="K2-jass-157-are-dealt"),
        pytest.param("jass", 4, jass(1, 200, 57), id="K2-jass-match-takes-all"),
        pytest.param("hearts", 4, lines("taken", 13, 3, 1, 0), id="K2-hearts-26"),
        pytest.param("cribbage", 2, lines("pegged", 121, 121), id="K2-cribbage-one-wins"),
        pytest.param("cribbage", 2, lines("pegged", 120, 90), id="K2-cribbage-somebody-wins"),
        pytest.param("doppelkopf", 4, winners(3), id="K2-doppelkopf-somebody-wins"),
        pytest.param("doppelkopf", 5, winners(3, 0, 1, table=5), id="K2-doppelkopf-the-dealer-sits-out"),
        pytest.param("skat", 4, skat(0, "spades", 2), id="K2-skat-the-dealer-sits-out"),
        pytest.param("skat", 3, skat(0, "null open hand", 2), id="K2-skat-null-counts-once"),
        pytest.param("skat", 3, skat(0, "null", 2), id="K2-skat-a-plain-null-counts-once"),
        pytest.param("skat", 3, skat(0, "clubs", 1), id="K2-skat-with-or-without-one-and-the-game"),
        pytest.param("skat", 3, skat(0, "grand", 12), id="K2-skat-grand-has-four-jacks"),
        pytest.param("skat", 3, {"base": "clubs", "multiplier": 2}, id="K2-skat-a-game-has-a-declarer"),
        pytest.param("skat", 3, skat(3, "clubs", 2), id="K2-there-is-no-such-seat"),
    ],
)
def test_a_deal_that_cannot_be_is_refused(key: str, seats: int, result: dict[str, Any]) -> None:
    game = opened(1, seats, shipped(key))
    with pytest.raises(Illegal) as caught:
        game.seat(0, entry(1, **result))
    assert caught.value.rule == "K2"


@pytest.mark.parametrize(
    ("result", "field"),
    [
        pytest.param(points(1, 2, 3), "seats.3.points", id="K2-each-seat-has-points"),
        pytest.param(points(1, 2, 3, 5_001), "seats.3.points", id="K2-within-bounds"),
    ],
)
def test_a_value_that_is_missing_or_out_of_bounds_is_refused(result: dict[str, Any], field: str) -> None:
    result["seats"] += [{}] * (4 - len(result["seats"]))
    with pytest.raises(Malformed) as caught:
        opened(1, 4).seat(0, entry(1, **result))
    assert [*caught.value.errors] == [field]


@pytest.mark.parametrize(
    ("key", "left_out", "result"),
    [
        pytest.param("skat", ["won"], {"declarer": 1, "base": "clubs", "multiplier": 2}, id="K2-skat-won"),
        pytest.param("skat", ["base", "multiplier", "won"], {"declarer": 1}, id="K2-skat-a-game"),
        pytest.param(
            "doppelkopf",
            [f"seats.{seat}.won" for seat in (1, 2, 3)],
            {"value": 2, **lines("won", True, None, None, None)},
            id="K2-doppelkopf-won",
        ),
        pytest.param(
            "canasta",
            ["seats.0.bonuses", "seats.1.bonuses"],
            {"seats": [{"melds": 100}, {"melds": 200}]},
            id="K2-canasta",
        ),
    ],
)
def test_nothing_that_changes_the_score_is_left_out_in_silence(
    key: str, left_out: list[str], result: dict[str, Any]
) -> None:
    seats = {"skat": 3, "canasta": 2}.get(key, 4)
    with pytest.raises(Malformed) as caught:
        opened(1, seats, shipped(key)).seat(0, entry(1, **result))
    assert [*caught.value.errors] == left_out


def test_k2_who_sits_out_needs_no_values() -> None:
    result = {"value": 2, **lines("won", None, True, False, True, False)}
    assert deals("doppelkopf", 5, result) == [[0, 2, -2, 2, -2]]


def test_k2_what_is_yes_or_no_is_offered_as_both_and_needed_where_somebody_plays() -> None:
    game = opened(1, 3, shipped("skat"))
    won = replay.choices(game.position, 0)[0].fields["won"]
    assert (won.offered, won.needed_with) == ((True, False), "declarer")
    game.seat(0, entry(1, **skat(1, "hearts", 3, won=False)))
    correction = next(each for each in replay.choices(game.position, 0) if each.type == "correct")
    assert correction.fields["won"].draft is False


def test_k2_what_is_no_where_it_is_left_out_is_offered_as_yes_alone() -> None:
    game = opened(1, 4, shipped("jass"))
    game.seat(0, entry(1, **jass(2, 97, 60, stock=0)))
    correction = next(each for each in replay.choices(game.position, 0) if each.type == "correct")
    first, second = (line["stock"] for line in correction.fields["seats"].by_seat[:2])
    assert (first.offered, first.draft, second.offered, second.draft) == ((True,), True, (True,), None)


def test_k2_what_a_side_has_stands_in_the_line_of_its_first_seat() -> None:
    written = {"times": 1, "seats": [{"cards": 100}, {"cards": 50}, {"cards": 7}, {}]}
    with pytest.raises(Malformed) as caught:
        opened(1, 4, shipped("jass")).seat(0, entry(1, **written))
    assert [*caught.value.errors] == ["seats.2.cards"]


@pytest.mark.parametrize(("seats", "fits"), [(2, True), (4, True), (1, False)])
def test_k2_lines_of_partners_in_which_nothing_is_written_can_be_left_out(seats: int, fits: bool) -> None:
    game = opened(1, 4, shipped("jass"), rounds=1)
    whole = jass(2, 97, 60, stock=0)
    move = entry(1, **{**whole, "seats": whole["seats"][:seats]})
    if not fits:
        with pytest.raises(Malformed):
            game.arbiter(move)
        return
    game.arbiter(move)
    assert game.position.ruleset.scores(game.position.state) == (234, 120, 234, 120)


def test_k1_deals_come_in_order() -> None:
    with pytest.raises(Illegal) as caught:
        opened(1, 3).seat(0, entry(2, **points(1, 2, 3)))
    assert caught.value.rule == "K1"


def test_k3_somebody_else_confirms_what_was_entered() -> None:
    game = opened(1, 3)
    game.seat(0, entry(1, **points(1, 2, 3)))
    with pytest.raises(Illegal) as caught:
        game.seat(0, {"type": "confirm", "round": 1})
    assert caught.value.rule == "K3"


def test_k5_whoever_reaches_the_target_ends_the_game_and_later_deals_count_nothing() -> None:
    game = SCENARIOS["a-correction-ends-it"]()
    rows: Any = game.position.ruleset.sheet(game.position.state)
    assert [(row["counts"], row["scores"]) for row in rows] == [
        (True, [2000, 300]),
        (True, [3000, 900]),
        (False, [0, 0]),
    ]


# Each row: what each has taken, and the totals after it, added up by hand; ranks are the last of a column.
HEARTS_BY_HAND = {
    "K4-a-moon-spares-nobody-else": (
        [
            ((13, 3, 10, 0), (13, 3, 10, 0)),
            ((0, 0, 0, 26), (39, 29, 36, 0)),
            ((26, 0, 0, 0), (39, 55, 62, 26)),
            ((0, 20, 6, 0), (39, 75, 68, 26)),
            ((0, 0, 0, 26), (65, 101, 94, 26)),
        ],
        (2, 4, 3, 1),
    ),
    "K4-at-three-a-moon-counts-52": (
        [
            ((0, 26, 0), (26, 0, 26)),
            ((13, 0, 13), (39, 0, 39)),
            ((0, 26, 0), (65, 0, 65)),
            ((25, 1, 0), (90, 1, 65)),
            ((9, 4, 13), (99, 5, 78)),
            ((1, 20, 5), (100, 25, 83)),
        ],
        (3, 1, 2),
    ),
    "K5-a-moon-ends-it-for-all-and-two-share-the-last-place": (
        [
            ((26, 0, 0, 0), (0, 26, 26, 26)),
            ((26, 0, 0, 0), (0, 52, 52, 52)),
            ((26, 0, 0, 0), (0, 78, 78, 78)),
            ((1, 1, 12, 12), (1, 79, 90, 90)),
            ((26, 0, 0, 0), (1, 105, 116, 116)),
        ],
        (1, 2, 3, 3),
    ),
}


@pytest.mark.parametrize(("rows", "ranks"), HEARTS_BY_HAND.values(), ids=HEARTS_BY_HAND)
def test_a_game_of_hearts_has_the_totals_that_were_added_up_by_hand(
    rows: list[tuple[tuple[int, ...], tuple[int, ...]]], ranks: tuple[int, ...]
) -> None:
    game = opened(1, len(ranks), shipped("hearts"))
    for number, (taken, totals) in enumerate(rows, 1):
        assert replay.result(game.position) is None
        game.arbiter(entry(number, **lines("taken", *taken)))
        assert scores(game) == totals
    result = replay.result(game.position)
    assert result is not None and tuple(seat.rank for seat in result.seats) == ranks


def test_k5_level_at_the_target_they_play_on() -> None:
    result = replay.result(SCENARIOS["level-at-the-target"]().position)
    assert result is not None
    assert [(seat.rank, seat.score) for seat in result.seats] == [(2, 3), (1, 2), (3, 125)]


def test_k6_a_penalty_worsens_the_score_whichever_wins() -> None:
    for key, seats, worse in (("hearts", 3, 5), ("canasta", 2, -5)):
        game = opened(1, seats, shipped(key))
        game.arbiter({"type": "penalty", "seat": 1, "points": 5, "reason": "late"})
        assert scores(game)[1] == worse


def test_k5_bonuses_and_cards_left_decide_when_canasta_ends() -> None:
    game = kept(opened(1, 2, shipped("canasta")), canasta((1000, 200, 50), (4000, 1200, 250)))
    assert (scores(game), ended(game)) == ((1150, 4950), False)
    game.seat(0, entry(2, **canasta((300, 100, 0), (25, 100, 75))))
    assert (scores(game), ended(game)) == ((1550, 5000), True)


@pytest.mark.parametrize(
    ("seats", "expected"), [(3, (112, -110, 138)), (4, (102, -110, 128, 30))], ids=["at three", "at four"]
)
def test_k4_a_list_of_skat_adds_its_deals(seats: int, expected: tuple[int, ...]) -> None:
    lost, won = skat(1, "hearts", 3, won=False), skat(0, "spades", 2)
    results: list[Any] = [lost, won, {}, skat(2, "grand", 2)]
    assert scores(kept(opened(1, seats, shipped("skat"), rounds=4), *results)) == expected


def test_k5_a_game_of_skat_has_twelve_deals_for_each_who_sits_at_the_table() -> None:
    ruleset = CardGame().of_options(CardGame.shipped["skat"])
    for seats, count in ((3, 36), (4, 48)):
        state = replay.opened(ruleset, opened(1, seats, shipped("skat")).opening, bytes([0] * 31 + [1])).state
        assert ruleset.rounds(state) == count


# ---- Definitions ---------------------------------------------------------------------------------

FIELD = JUST_POINTS.fields[0]
A_MILLION = tuple(
    Multiplies(f"power{n}", ("points" if n == 0 else f"power{n - 1}", "points")) for n in range(4)
)


@pytest.mark.parametrize(
    ("changes", "paths"),
    [
        pytest.param({"seats": (4, 3)}, {"seats"}, id="seats-in-order"),
        pytest.param({"sides": 1}, {"sides"}, id="one-side"),
        pytest.param({"sides": 2, "seats": (3, 4)}, {"sides"}, id="sides-of-three"),
        pytest.param({"players": 3, "seats": (3, 5)}, {"players"}, id="two-sit-out"),
        pytest.param({"fields": (FIELD, FIELD)}, {"fields.1.name"}, id="a-name-twice"),
        pytest.param({"fields": (FIELD, Written("dealer", "Dealer"))}, {"fields.1.name"}, id="a-taken-name"),
        pytest.param(
            {"fields": (FIELD, Written("a", "A", least=2, most=1))}, {"fields.1.least"}, id="no-bounds"
        ),
        pytest.param(
            {"fields": (FIELD, Written("a", "A", kind="choice"))}, {"fields.1.values"}, id="no-values"
        ),
        pytest.param(
            {"fields": (FIELD, Written("a", "A", values=(Worth("x", 1),)))},
            {"fields.1.values"},
            id="a-number",
        ),
        pytest.param({"fields": (FIELD, Written("a", "A", per="side"))}, {"fields.1.per"}, id="no-sides"),
        pytest.param(
            {"fields": (FIELD, Written("a", "A", kind="player"))}, {"fields.1.per"}, id="a-player-each"
        ),
        pytest.param(
            {"fields": (FIELD, Written("a", "A", per="deal", optional=True, needed_with="points"))},
            {"fields.1.needed_with"},
            id="needed-with-what-each-has",
        ),
        pytest.param({"score": "nothing"}, {"score"}, id="no-score"),
        pytest.param({"steps": (Adds("a", (Term(1, "b"),)),)}, {"steps.0"}, id="an-unknown-name"),
        pytest.param({"steps": (Gathers("points", "most", "points"),)}, {"steps.0.name"}, id="a-step-twice"),
        pytest.param({"checks": (Check("b", (0,), "No."),)}, {"checks.0.of"}, id="a-check-of-nothing"),
        pytest.param({"steps": A_MILLION}, {f"steps.{n}" for n in range(4)}, id="without-limit"),
        pytest.param(
            {"fields": (Written("points", "Points", most=5001),), "deals": 200},
            {"score"},
            id="too-many-deals",
        ),
    ],
)
def test_a_definition_that_cannot_be_played_is_refused(changes: dict[str, Any], paths: set[str]) -> None:
    wrong = {**shapes.write(Definition()), **shapes.write(Definition(**changes))}
    with pytest.raises(Malformed) as caught:
        rules.of(CardGame.key, {"definition": wrong})
    assert {*caught.value.errors} == {f"options.definition.{path}" for path in paths}


def test_a_game_has_a_key_of_its_own_which_depends_on_all_of_its_definition() -> None:
    keys = {rules.of(CardGame.key, options).key for options in CardGame.shipped.values()}
    changed = shapes.write(Definition(title="Hearts", low_wins=True))
    assert len(keys) == len(CardGame.shipped)
    assert rules.of(CardGame.key, {"definition": changed}).key not in {*keys, CardGame.key}
    assert rules.of(CardGame.key, {"definition": shapes.write(JUST_POINTS)}).key == CardGame.key


@pytest.mark.parametrize(
    ("values", "same"),
    [
        pytest.param({"summary": "As we count.", "source": "The club."}, True, id="texts"),
        pytest.param({"fields.1.title": "Extra", "fields.1.about": "Red threes."}, True, id="of-a-field"),
        pytest.param({"steps.0.name": "total", "score": "total"}, True, id="name-of-a-line"),
        pytest.param({"fields.0.by": "dealer"}, True, id="who-enters"),
        pytest.param({"title": "Samba"}, False, id="title"),
        pytest.param({"target": 10_000}, False, id="target"),
        pytest.param({"low_wins": True}, False, id="who-wins"),
        pytest.param({"seats": [4]}, False, id="tables"),
        pytest.param({"fields.2.most": 4000}, False, id="bounds"),
        pytest.param({"steps.0.sum.1.times": 2}, False, id="formula"),
        pytest.param({"steps.0.sum.1.of": "left"}, False, id="what-counts"),
        pytest.param({"score": "melds"}, False, id="score"),
    ],
)
def test_a_game_stays_the_same_when_only_its_words_change(values: dict[str, Any], same: bool) -> None:
    before, whole = shipped("canasta"), changed(shipped("canasta"), values)
    own = CardGame().of_options({"definition": whole})
    assert (own.game_key == rules.of(CardGame.key, {"definition": shapes.write(before)}).game_key) == same
    assert own.key not in (own.game_key, ruleset_of(before).key)
    assert rules.of(own.game_key, {"definition": whole}).name == own.name
    assert rules.find(own.game_key).game_key == rules.game_key(own.name) == own.game_key


def test_values_of_a_choice_count_by_their_numbers_and_just_points_by_its_key() -> None:
    skat = shipped("skat")
    at = next(at for at, each in enumerate(skat.fields) if each.kind == "choice")
    for values, same in (({"name": "♣"}, True), ({"worth": 99}, False)):
        own = changed(skat, {f"fields.{at}.values.0.{name}": value for name, value in values.items()})
        own_key = rules.of(CardGame.key, {"definition": own}).game_key
        assert (own_key == ruleset_of(skat).game_key) == same
    own = shapes.write(Definition(summary="As at home."))
    assert rules.of(CardGame.key, {"definition": own}).game_key == CardGame.key


def test_an_unknown_name_reads_no_definition_again(monkeypatch: pytest.MonkeyPatch) -> None:
    rules.games()
    monkeypatch.setattr(rules, "_LOOK_UPS", [])
    monkeypatch.setattr(CardGame, "of_options", pytest.fail)
    assert rules.known("card-game-0000000000000000") is None
    hearts = rules.find(next(ruleset.key for ruleset in rules.games() if ruleset.title == "Hearts"))
    assert hearts.low_wins


def test_a_game_is_not_opened_with_the_definition_of_another() -> None:
    skat, hearts = (rules.of(CardGame.key, CardGame.shipped[key]) for key in ("skat", "hearts"))
    with pytest.raises(Malformed) as caught:
        skat.read_options(CardGame.shipped["hearts"], 4)
    assert [*caught.value.errors] == ["options.definition"]
    with pytest.raises(KeyError):
        rules.of(hearts.name, CardGame.shipped["skat"])


def test_longer_games_than_totals_can_hold_are_refused() -> None:
    with pytest.raises(Malformed) as caught:
        opened(1, 2, shipped("canasta"), rounds=200)
    assert [*caught.value.errors] == ["options.rounds"]


@pytest.mark.parametrize(
    ("result", "told"),
    [
        pytest.param(skat(1, "hearts", 3, won=False), "lost", id="lost"),
        pytest.param(skat(1, "hearts", 3), "Won", id="won"),
        pytest.param({}, "passed in", id="passed-in"),
    ],
)
def test_a_deal_in_words_says_whether_it_was_won_lost_or_passed_in(result: dict[str, Any], told: str) -> None:
    words = translated(in_words(SKAT, shapes.read(result_of(SKAT), result)))
    assert [each for each in ("Won", "lost", "passed in", "nothing") if each in words] == [told]
