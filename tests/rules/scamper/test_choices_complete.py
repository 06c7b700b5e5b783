"""Every type of move that a step accepts is among the choices, in random positions of every mode (S30)."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from games.engine import replay
from games.engine.cards import pack
from games.engine.refusals import Illegal
from games.engine.replay import Position
from games.rules.scamper.moves import MOVES
from games.rules.scamper.onto import ENDS
from games.rules.scamper.options import PRESETS
from games.rules.scamper.state import Round, State, TableMeld
from tests.rules.randomplay import plays
from tests.rules.scamper.tables import SCAMPER, table

TRIES = 12
MODES: dict[str, Any] = {
    "checked": {},
    "checked-strict": {"strict_ratio": True, "passing": "off"},
    "challenge": {"melds": "challenge"},
    "as-printed": PRESETS["as_printed"],
    "basic-challenge": {**PRESETS["basic"], "melds": "challenge", "stock_out": "add_pack"},
    "nothing-wild": {"wild_cards": "none", "melds": "challenge", "passing": "forced"},
}


def tries(table_: Round, dice: random.Random) -> Iterator[dict[str, Any]]:
    """Yield moves of every type, sensible and not, as a client could send them."""
    yield from ({"type": kind} for kind in ("take", "draw", "accept", "decline", "challenge", "concede"))
    held = [*table_.hand, dice.choice(pack())]
    for card in {*held}:
        yield {"type": "discard", "card": card}
        yield {"type": "discard", "card": card, "scamper": True}
    for _ in range(TRIES):
        cards = dice.sample(held, dice.randrange(1, len(held) + 1))
        yield {"type": "meld", "melds": [{"kind": dice.choice(["set", "run"]), "cards": cards}]}
        for meld in table_.melds:
            yield {"type": "lay_off", "meld": meld.id, "cards": cards[:2], **_end(meld, dice)}
            yield _swap(meld, cards[0], dice)


def _end(meld: TableMeld, dice: random.Random) -> dict[str, Any]:
    return {} if meld.kind == "set" else {"end": dice.choice(ENDS)}


def _swap(meld: TableMeld, card: str, dice: random.Random) -> dict[str, Any]:
    place = dice.randrange(len(meld.cards))
    where = {} if meld.kind == "set" else {"place": place}
    return {"type": "swap", "meld": meld.id, "card": card, "wild": meld.cards[place], **where}


def accepted(state: State, seat: int, dice: random.Random) -> set[str]:
    """Return the types of the tries that a step accepts."""
    return {str(each["type"]) for each in tries(state.round, dice) if takes(state, seat, each)}


def takes(state: State, seat: int, move: dict[str, Any]) -> bool:
    try:
        SCAMPER.step(state, seat, SCAMPER.read_move(move))
    except Illegal:
        return False
    return True


def offered(state: State, seat: int) -> set[str]:
    return {each.type for each in SCAMPER.choices(state, seat)}


def positions(seats: int, options: Any) -> list[Position]:
    """Return positions spread over a random game."""
    every = [position for position, _, _ in plays(SCAMPER, seats, 5, {**options, "rounds": 2})]
    return every[:: max(1, len(every) // 120)]


@pytest.mark.parametrize("mode", MODES)
def test_what_is_accepted_is_among_the_choices(mode: str) -> None:
    dice, seen = random.Random(mode), set[str]()
    for position in positions(3, MODES[mode]):
        for seat in replay.to_act(position):
            found = accepted(position.state, seat, dice)
            assert found <= offered(position.state, seat), position.state.round
            seen |= found
    assert seen >= {"take", "draw", "discard"}
    assert seen >= {"meld", "lay_off", "swap"} or "melds" not in MODES[mode]


def test_in_random_games_every_type_of_move_is_made() -> None:
    options: Any = {"melds": "challenge", "rounds": 2}
    made = {move["type"] for seed in (1, 2) for _, _, move in plays(SCAMPER, 3, seed, options)}
    assert made == {*MOVES}


ON_TABLE = "1 run 6H 7H 8H; 1 set 9C 9D JK; 0 set KC KS JK"


@pytest.mark.parametrize(
    ("held", "down", "types"),
    [
        pytest.param("3C 4D 5S", (), {"meld", "lay_off", "swap"}, id="S30-before-the-contract"),
        pytest.param("3C 4D", (), {"meld", "swap"}, id="S24-two-cards-before-it"),
        pytest.param("3C 4D", (0,), {"meld", "lay_off", "swap"}, id="S30-two-cards-after-it"),
        pytest.param("3C", (0,), {"swap"}, id="S11-one-card-after-it"),
    ],
)
def test_where_melds_are_not_checked_these_may_be_laid(held: str, down: Any, types: set[str]) -> None:
    state = table(held, melds=ON_TABLE, down=down, options={"melds": "challenge"})
    assert offered(state, 0) == {*types, "discard"} == accepted(state, 0, random.Random(1))


def test_s30_every_card_on_the_table_is_offered_for_a_swap() -> None:
    state = table("3C 4D 5S", melds=ON_TABLE, down=(), options={"melds": "challenge"})
    swaps = [each.fields for each in SCAMPER.choices(state, 0) if each.type == "swap"]
    names = ("meld", "wild", "place")
    taken = [[value for name in names if name in each for value in each[name].values] for each in swaps]
    runs = [["m1", "6H", 0], ["m1", "7H", 1], ["m1", "8H", 2]]
    assert taken == [*runs, ["m2", "9C", "9D", "JK"], ["m3", "KC", "KS", "JK"]]
