"""What exactly a seat is offered, phase by phase and goal by goal."""

import pytest

from games.rules.scoops import offers
from games.rules.scoops.state import State
from tests.rules.offered import about, lines
from tests.rules.scoops.tables import SCOOPS, table, with_melds

THREE_BOOKS = "2C 2D 2H 3C 3D 3H 4C 4D 4H"
SHAKE = "2C 2D 2H 2S 5S 6S 7S 8S KD"
COFFEE = "6C 6D 6H KC"
BOOK = "book:6C,6D,6H"
FLOATING = with_melds(
    table("Float", "Vanilla", None, "7D 3D 3D 8C 8D 8H"),
    (0, "book 9C 9D 9H"),
    (1, "run 4D 5D 6D"),
    (1, "book 8C 8S 8H"),
)
LAST_CARD = with_melds(table("Float", "Vanilla", None, "7D"), (0, "book 9C 9D 9H"))


@pytest.mark.parametrize(
    ("state", "offered"),
    [
        pytest.param(table(phase="draw", piles=("", "2C", "")), ["draw from=deck|1"], id="C13"),
        pytest.param(table(phase="draw"), ["draw from=deck"], id="C13-no-pile"),
        pytest.param(
            table("Bowl", "Vanilla", None, THREE_BOOKS),
            [
                "lay_down groups…=book:2C,2D,2H,book:3C,3D,3H,book:4C,4D,4H",
                "discard card=2C|2D|2H|3C|3D|3H|4C|4D|4H",
            ],
            id="C16-Bowl",
        ),
        pytest.param(
            table("Shake", "Vanilla", None, SHAKE),
            [
                "lay_down groups…=book:2C,2D,2H,2S,run:5S,6S,7S,8S discard=KD",
                "discard card=2C|2D|2H|2S|5S|6S|7S|8S|KD",
            ],
            id="C16-Shake",
        ),
        pytest.param(
            table("Shake", "Vanilla", None, SHAKE, taken="KD"),
            ["discard card=2C|2D|2H|2S|5S|6S|7S|8S"],
            id="C15-Shake",
        ),
        pytest.param(
            table("Cone", "Vanilla", None, "2C 2D 2H 2S 5S 6S 7S KC KD"),
            [
                "lay_down groups…=book:2C,2D,2H,2S,run:5S,6S,7S,pair:KC,KD",
                "discard card=2C|2D|2H|2S|5S|6S|7S|KC|KD",
            ],
            id="C16-Cone",
        ),
        pytest.param(
            table("Bowl", "Vanilla", None, "2C 2C 3D", taken="3D"), ["discard card=2C"], id="C15-Bowl"
        ),
        pytest.param(
            FLOATING,
            [
                "meld groups…=book:8C,8D,8H",
                "float meld=1 cards…=3D end=low",
                "float meld=1 cards…=7D end=high",
                "float meld=2 cards…=8C|8D|8H",
                "discard card=7D|3D|8C|8D|8H",
            ],
            id="C17",
        ),
        pytest.param(LAST_CARD, ["keep"], id="C17-the-last-card"),
        pytest.param(
            table("Coffee", "Vanilla", None, COFFEE),
            [
                "discard card=6C|6D|6H|KC",
                *(f"discard card={card} melds?…= knock=True" for card in ("6C", "6D", "6H")),
                f"discard card=KC melds?…={BOOK} knock=True",
            ],
            id="C18",
        ),
        pytest.param(
            table("Coffee", "Vanilla", None, COFFEE, knocker=1),
            [
                *(f"discard card={card} melds?…=" for card in ("6C", "6D", "6H")),
                f"discard card=KC melds?…={BOOK}",
            ],
            id="C18-a-last-turn",
        ),
        pytest.param(table(phase="over"), [], id="over"),
    ],
)
def test_the_seat_in_play_is_offered_exactly(state: State, offered: list[str]) -> None:
    assert lines(SCOOPS.choices(state, 0)) == offered
    assert SCOOPS.choices(state, 1) == ()


def test_c4_the_twelve_ways_to_assign_the_dice_are_offered() -> None:
    offered = lines(SCOOPS.choices(table(phase="assign"), 0))
    assert len({*offered}) == 12
    assert offered[:2] == ["assign special=0,1 rule=2 goal=3", "assign special=0,1 rule=3 goal=2"]
    assert "assign special=1,3 rule=0 goal=2" in offered
    assert offered[-1] == "assign special=2,3 rule=1 goal=0"


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (table("Bowl", "Vanilla", None, THREE_BOOKS), {"lay_down.groups": offers.ABOUT_GROUPS}),
        (FLOATING, {"meld.groups": offers.ABOUT_SETS, "float.cards": offers.ABOUT_FLOATS}),
        (table("Coffee", "Vanilla", None, COFFEE), {"discard.melds": offers.ABOUT_MELDS}),
    ],
    ids=["Bowl", "Float", "Coffee"],
)
def test_what_is_not_listed_is_told(state: State, words: dict[str, str]) -> None:
    assert about(SCOOPS.choices(state, 0)) == words


@pytest.mark.parametrize(
    ("state", "move"),
    [
        (table(phase="assign"), {"type": "assign", "special": [0, 1], "rule": 2, "goal": 3}),
        (table(phase="draw", piles=("", "2C")), {"type": "draw", "from": "deck"}),
        (table("Bowl", "Vanilla", None, "2C 3D 4H"), {"type": "discard", "card": "4H"}),
        (table("Bowl", "Vanilla", None, "2C 3D 4H", taken="4H"), {"type": "discard", "card": "3D"}),
        (table("Bowl", "Vanilla", None, "2C 3D 4H 4H", taken="4H"), {"type": "discard", "card": "3D"}),
        (LAST_CARD, {"type": "keep"}),
        (table("Bowl", "Vanilla", None, "7D"), {"type": "discard", "card": "7D"}),
        (table("Coffee", "Vanilla", None, COFFEE), {"type": "discard", "card": "KC"}),
    ],
)
def test_the_clock_plays(state: State, move: object) -> None:
    assert SCOOPS.write_move(SCOOPS.default_move(state, 0)) == move
