"""What is the same in every game, shown with High card: who may make which entry, and what it changes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from games.engine import chance, replay
from games.engine.common_moves import Ready, Role
from games.engine.jsontypes import JsonObject
from games.engine.refusals import Illegal, Malformed
from games.engine.replay import Actor, Opening, Position
from tests.rules.recording import SECRET, with_state
from tests.toys.high_card import HighCard

ARBITER, CLOCK, SYSTEM = Actor("arbiter"), Actor("clock", 0), Actor("system", 0)
SEATS = [Actor("seat", seat) for seat in range(4)]
GONE = "This seat is out of the game."


def opened(seats: int = 3, *, entropy: bool = False, **changes: Any) -> Position:
    opening = Opening("high-card@1", {}, (None,) * seats, entropy, chance.commitment(SECRET), {})
    return replay.opened(HighCard(), replace(opening, **changes), SECRET)


def after(position: Position, *entries: tuple[Actor, Mapping[str, Any]]) -> Position:
    return replay.folded(position, entries)


def lowest(position: Position, seat: int) -> dict[str, Any]:
    return {"type": "play", "card": position.state.hands[seat][0]}


@pytest.mark.parametrize(
    ("changes", "errors"),
    [
        ({"ruleset": "high-card@2"}, {"ruleset": ["This must be high-card@1."]}),
        ({"commitment": "0" * 64}, {"commitment": ["The seed is not the one that was committed to."]}),
        ({"options": {"rounds": 10}}, {"options.rounds": ["This must be between 1 and 9."]}),
        ({"options": {"round": 1}}, {"options.round": ["This field is not known here."]}),
        ({"seats": 1}, {"players": ["High card is for 2 to 4 players."]}),
    ],
)
def test_an_opening_that_cannot_be_is_refused_at_its_field(changes: Any, errors: object) -> None:
    with pytest.raises(Malformed) as caught:
        opened(**changes)
    assert caught.value.errors == errors


@pytest.mark.parametrize(
    ("before", "actor", "move", "sentence"),
    [
        ([], ARBITER, {"type": "ready"}, "This is not a move for the arbiter."),
        ([], SEATS[0], {"type": "timeout"}, "This is not a move for the seat."),
        ([], CLOCK, {"type": "resign"}, "This is not a move for the clock."),
        (
            [],
            Actor("code", 0),
            {"type": "ready"},
            "This needs an account: a seat’s code is for its score card only.",
        ),
        (
            [],
            Actor("kiosk", 0),
            {"type": "resign"},
            "This needs an account: a kiosk is for score cards only.",
        ),
        ([], SEATS[3], {"type": "ready"}, "There is no such seat at this table."),
        ([], Actor("seat", -1), {"type": "ready"}, "There is no such seat at this table."),
        ([], Actor("seat"), {"type": "ready"}, "This move needs a seat."),
        ([], Actor("seat"), {"type": "resign"}, "This move needs a seat."),
        ([], Actor("clock"), {"type": "timeout"}, "This move needs a seat."),
        ([], SYSTEM, {"type": "ready"}, "The next entry must be the system's move for a seat that is out."),
        ([], SEATS[0], {"type": "play", "card": "2C"}, "The cards are dealt when every seat is ready."),
        ([], ARBITER, {"type": "play", "card": "2C"}, "Only a seat may make this move."),
        ([], CLOCK, {"type": "play", "card": "2C"}, "Only a seat may make this move."),
        (
            [],
            ARBITER,
            {"type": "penalty", "seat": 0, "points": 1, "reason": "late"},
            "There is no deal yet to score a penalty in.",
        ),
        ([], ARBITER, {"type": "forfeit", "seat": 3}, "There is no such seat at this table."),
        ([(SEATS[0], {"type": "ready"})], SEATS[0], {"type": "ready"}, "This seat is ready already."),
        (
            [(SEATS[0], {"type": "ready"})],
            CLOCK,
            {"type": "timeout"},
            "The game does not wait for this seat.",
        ),
        (
            [(SEATS[0], {"type": "ready"}), (SEATS[0], {"type": "resign"})],
            SEATS[0],
            {"type": "resign"},
            "This seat is out of the game already.",
        ),
    ],
)
def test_before_the_deal_an_entry_that_cannot_be_is_refused(
    before: Sequence[Any], actor: Actor, move: Any, sentence: str
) -> None:
    position = after(opened(entropy=True), *before)
    with pytest.raises(Illegal) as caught:
        after(position, (actor, move))
    assert str(caught.value) == sentence


def test_the_deal_waits_until_the_last_seat_is_ready() -> None:
    position = opened(entropy=True)
    assert (position.joining, position.entries, replay.awaited(position)) == (True, 1, (0, 1, 2))
    position = after(position, (SEATS[1], {"type": "ready", "entropy": "rain"}))
    assert (position.joining, replay.awaited(position), replay.to_act(position)) == (True, (0, 2), (0, 2))
    assert position.texts == (None, "rain", None)
    assert replay.choices(position, 1) == ()
    assert [each.as_json() for each in replay.choices(position, 0)] == [
        {
            "type": "ready",
            "fields": {
                "entropy": {"values": [], "complete": False, "optional": True, "about": "any text of yours"}
            },
        }
    ]
    position = after(position, (CLOCK, {"type": "timeout"}), (SEATS[2], {"type": "ready"}))
    assert (position.joining, position.texts, position.entries) == (False, ("", "rain", ""), 4)
    seed = chance.game_seed(SECRET, ["", "rain", ""])
    assert position.state == HighCard().start(position.options, 3, chance.Chance(seed))


def test_while_joining_views_say_who_is_ready_and_hide_nothing_else() -> None:
    position = after(opened(entropy=True), (SEATS[1], {"type": "ready"}))
    joining = {"round": 0, "rounds": None, "scores": [0, 0, 0], "sheet": [], "turn": None, "phase": "joining"}
    seen = {**joining, "ready": [1], "penalties_given": []}
    assert replay.view(position, 0) == replay.past_view(position, position, 0) == seen
    nothing: JsonObject = {"hands": [[], [], []], "deck": [], "hidden": []}
    over = after(position, (ARBITER, {"type": "abandon", "reason": "rain"}))
    assert replay.past_view(position, over, 0) == replay.full_view(position) == {**seen, "open": nothing}


def test_all_who_leave_before_the_deal_end_the_game_with_equal_scores() -> None:
    position = after(opened(entropy=True), (SEATS[0], {"type": "resign"}))
    assert replay.due(position) == (Actor("system", 0), Ready())
    position = after(position, (Actor("system", 0), {"type": "ready"}), (SEATS[2], {"type": "resign"}))
    assert (position.status, position.teams_left, position.out) == ("finished", (1,), (0, 2))
    assert (replay.due(position), replay.awaited(position), replay.to_act(position)) == (None, (), ())
    result = replay.result(position)
    assert result is not None
    assert result.as_json() == {
        "seats": [
            {"seat": 0, "rank": 2, "score": 0},
            {"seat": 1, "rank": 1, "score": 0},
            {"seat": 2, "rank": 2, "score": 0},
        ],
        "sheet": [],
    }


@pytest.mark.parametrize(
    ("actor", "move", "sentence", "rule"),
    [
        (SEATS[0], {"type": "ready"}, "The cards have been dealt.", None),
        (SEATS[1], {"type": "play", "card": "2C"}, "It is not your turn.", "H3"),
        (ARBITER, {"type": "play", "card": "2C"}, "Only a seat may make this move.", None),
        (Actor("clock", 1), {"type": "timeout"}, "The game does not wait for this seat.", None),
        (
            ARBITER,
            {"type": "penalty", "seat": 3, "points": 1, "reason": "late"},
            "There is no such seat at this table.",
            None,
        ),
    ],
)
def test_after_the_deal_an_entry_that_cannot_be_is_refused(
    actor: Actor, move: Any, sentence: str, rule: str | None
) -> None:
    with pytest.raises(Illegal) as caught:
        after(opened(), (actor, move))
    assert (str(caught.value), caught.value.rule) == (sentence, rule)


def test_the_system_plays_for_a_seat_that_is_out_and_nobody_before() -> None:
    position = after(opened(), (SEATS[0], {"type": "resign"}))
    assert replay.to_act(position) == ()
    move = HighCard().default_move(position.state, 0)
    assert replay.due(position) == (Actor("system", 0), move)
    wrong = {"type": "play", "card": position.state.hands[0][1]}
    for entry in ((SEATS[1], {"type": "resign"}), (Actor("system", 0), wrong), (SEATS[0], wrong)):
        with pytest.raises(Illegal, match="must be the system's move"):
            after(position, entry)
    position = after(position, (Actor("system", 0), replay.write_move(position.ruleset, move)))
    assert (replay.due(position), replay.to_act(position)) == (None, (1,))


def test_a_seat_that_is_out_makes_no_move_and_cannot_leave_again() -> None:
    position = after(opened(), (ARBITER, {"type": "forfeit", "seat": 1, "reason": "absent"}))
    with pytest.raises(Illegal, match=GONE):
        after(position, (SEATS[1], lowest(position, 1)))
    for entry in ((SEATS[1], {"type": "resign"}), (ARBITER, {"type": "forfeit", "seat": 1})):
        with pytest.raises(Illegal, match="out of the game already"):
            after(position, entry)


def test_a_penalty_worsens_the_score_and_is_told() -> None:
    penalties = [(0, 2, "late"), (1, 5, "advice")]
    moves = [
        {"type": "penalty", "seat": seat, "points": points, "reason": why} for seat, points, why in penalties
    ]
    position = after(opened(), *((ARBITER, move) for move in moves))
    view = replay.view(position, None)
    assert view["scores"] == [-2, -5, 0]
    assert view["penalties_given"] == [
        {"round": 1, "seat": seat, "points": points, "reason": why} for seat, points, why in penalties
    ]
    assert position.entries == 3


def test_the_last_seat_that_stays_wins_whatever_the_scores() -> None:
    fined = {"type": "penalty", "seat": 1, "points": 9, "reason": "late"}
    left = [(seat, {"type": "resign"}) for seat in (SEATS[2],)]
    position = after(opened(), (ARBITER, fined), *left)
    assert position.status == "active"
    position = after(position, (ARBITER, {"type": "forfeit", "seat": 0}))
    result = replay.result(position)
    assert result is not None
    assert [(each.seat, each.rank, each.score) for each in result.seats] == [(0, 2, 0), (1, 1, -9), (2, 2, 0)]


def test_an_abandoned_game_has_no_result_and_open_cards() -> None:
    before = opened()
    over = after(before, (ARBITER, {"type": "abandon", "reason": "rain"}))
    assert (over.status, over.abandoned, replay.result(over)) == ("abandoned", "rain", None)
    assert replay.result(before) is None
    for position in (before, over):
        seen = replay.past_view(position, over, 1)
        assert seen == replay.full_view(position)
        assert seen["hand"] is None
        assert seen["open"] == {
            "hands": [[*hand] for hand in before.state.hands],
            "deck": [*before.state.stock],
            "hidden": [*HighCard().hidden(before.state, None)],
        }
    assert replay.past_view(before, before, 1)["hand"] is None
    with pytest.raises(Illegal, match=r"^The game is over\.$"):
        after(over, (SEATS[0], lowest(over, 0)))


def test_consequences_have_the_number_of_the_entry_that_they_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HighCard, "consequences", lambda _, before, after: [f"{len(after.played)} played"])
    position = after(opened(), (SEATS[1], {"type": "resign"}))
    assert position.consequences == ((1, "0 played"),)
    position = after(position, (SEATS[0], lowest(position, 0)))
    position = after(position, (Actor("system", 1), lowest(position, 1)))
    assert position.consequences[1:] == ((3, "1 played"), (4, "2 played"))


def test_consequences_of_the_first_deal_follow_the_entry_that_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HighCard, "consequences", lambda _, before, after: [] if before else ["dealt"])
    position = opened(entropy=True)
    for seat in range(position.seats):
        assert position.consequences == ()
        position = after(position, (SEATS[seat], {"type": "ready"}))
    assert position.consequences == ((position.seats + 1, "dealt"),)


def test_a_timeout_plays_default_moves_until_the_turn_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    position = opened()
    played = after(position, (CLOCK, {"type": "timeout"}))
    assert played.state == after(position, (SEATS[0], lowest(position, 0))).state
    monkeypatch.setattr(HighCard, "turn_number", lambda *_: 1)
    assert after(position, (CLOCK, {"type": "timeout"})).state == played.state
    monkeypatch.setattr(HighCard, "awaited", lambda *_: (0,))
    monkeypatch.setattr(HighCard, "step", lambda _self, state, _seat, _move: state)
    with pytest.raises(AssertionError, match="default moves never end the turn of seat 0"):
        after(position, (CLOCK, {"type": "timeout"}))


def test_a_game_over_by_its_rules_has_its_ranks_and_its_sheet() -> None:
    position = opened(2)
    while position.status == "active":
        seat = replay.awaited(position)[0]
        position = after(position, (Actor("seat", seat), lowest(position, seat)))
    ruleset, state = position.ruleset, position.state
    result = replay.result(position)
    assert result is not None
    assert tuple(each.score for each in result.seats) == ruleset.scores(state)
    assert tuple(each.rank for each in result.seats) == ruleset.ranks(state)
    assert result.sheet == ruleset.sheet(state)
    assert (replay.choices(position, 0), replay.ruling_choices(position)) == ((), ())


def test_rulings_and_open_rounds_are_those_of_the_ruleset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HighCard, "ruling_choices", lambda _self, state: (f"ruling in {state.round}",))
    monkeypatch.setattr(HighCard, "open_rounds", lambda _self, state: (f"round {state.round}",))
    joining, dealt = opened(entropy=True), opened()
    over = after(dealt, (ARBITER, {"type": "abandon", "reason": "rain"}))
    rulings: list[object] = [replay.ruling_choices(each) for each in (joining, dealt, over)]
    rounds: list[object] = [replay.open_rounds(each) for each in (joining, dealt)]
    assert (rulings, rounds) == ([(), ("ruling in 1",), ()], [(), ("round 1",)])


def test_an_arbiter_makes_those_moves_of_the_ruleset_that_it_declares(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(HighCard, "arbiter_moves", ("play",))
    monkeypatch.setattr(HighCard, "ruling", lambda _self, state, move: replace(state, played=(move.card,)))
    move = {"type": "play", "card": "2C"}
    position = after(opened(), (ARBITER, move))
    assert position == with_state(position, replace(opened().state, played=("2C",)))
    with pytest.raises(Illegal, match="The game starts when every seat is ready"):
        after(opened(entropy=True), (ARBITER, move))


@pytest.mark.parametrize("role", ["code", "kiosk"])
def test_nobody_plays_dealt_cards_without_an_account(role: Role) -> None:
    position = opened()
    with pytest.raises(Illegal) as caught:
        after(position, (Actor(role, 0), lowest(position, 0)))
    assert str(caught.value).startswith("This needs an account")
