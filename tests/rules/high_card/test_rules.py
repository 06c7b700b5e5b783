"""High card, rule by rule."""

import pytest

from games import rules
from games.engine.cards import parse
from games.engine.chance import Chance
from games.engine.describing import describe
from games.engine.refusals import Illegal, Malformed
from tests.rules.high_card.scenarios import LOGS, SCENARIOS
from tests.toys.high_card import HighCard, Options, Play, State

RULES = HighCard()


def table(*hands: str, rounds: int = 1) -> State:
    """Return a round in which the seats hold these cards."""
    held = tuple(map(parse, hands))
    return State(rounds, Chance(bytes(32)), held, (), (0,) * len(held))


def played(state: State, *cards: str) -> State:
    """Return the state after the seats have played these cards, in turn."""
    for card in cards:
        (seat,) = RULES.to_act(state)
        state = RULES.step(state, seat, Play(*parse(card)))
    return state


@pytest.mark.parametrize("seats", [1, 5])
def test_h1_two_to_four_play(seats: int) -> None:
    with pytest.raises(Malformed):
        RULES.read_options({}, seats)


def test_h2_everybody_is_dealt_two_cards() -> None:
    state = RULES.start(Options(), 4, Chance(bytes(32)))
    assert [len(hand) for hand in state.hands] == [2, 2, 2, 2]
    assert len({*RULES.cards(state)}) == 52


def test_h3_a_card_must_be_held() -> None:
    with pytest.raises(Illegal) as caught:
        played(table("2C 3C", "4C 5C"), "4C")
    assert caught.value.rule == "H3"


@pytest.mark.parametrize(
    ("cards", "scores"),
    [
        pytest.param(("KC", "AD"), (0, 1), id="H4-aces-are-high"),
        pytest.param(("KC", "KD"), (1, 1), id="H4-equal-cards-share"),
        pytest.param(("TC", "9D"), (1, 0), id="H4-ten-beats-nine"),
    ],
)
def test_a_round_is_scored(cards: tuple[str, str], scores: tuple[int, int]) -> None:
    state = played(table(*(f"2S {card}" for card in cards)), *cards)
    assert RULES.scores(state) == scores


def test_h5_the_highest_score_wins() -> None:
    state = played(table("AC 2C", "KC 3C"), "AC", "KC")
    assert RULES.is_over(state)
    assert RULES.ranks(state) == (1, 2)


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_golden_game_is_recorded_to_the_letter(name: str) -> None:
    with rules.registered(RULES):
        recorded = "\n".join(SCENARIOS[name]().lines()) + "\n"
    assert recorded == (LOGS / f"{name}.jsonl").read_text(encoding="utf-8")


def test_moves_are_told() -> None:
    assert describe(RULES, Play(*parse("9C"))) == "plays 9C"
