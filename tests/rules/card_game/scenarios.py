"""The golden score cards of clubs' own games as code.

`python -m tests.rules.card_game.scenarios` records them all again.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from games.engine import shapes
from games.rules.card_game import CardGame
from games.rules.card_game.definition import Definition
from tests.rules.recording import Recorder

LOGS: Final = Path(__file__).parent / "logs"
Result = dict[str, Any]


def opened(number: int, seats: int, game: Definition | None = None, **options: Any) -> Recorder:
    """Return a new card of a definition; its secret is never used but recorded like any game's."""
    defined = {"definition": shapes.write(game)} if game else {}
    secret = number.to_bytes(32, "big")
    return Recorder(CardGame.key, seats, {**defined, **options}, secret=secret)


def shipped(key: str) -> Definition:
    """Return a game that comes with the server."""
    return shapes.read(Definition, CardGame.shipped[key]["definition"])


def entry(number: int, **result: Any) -> Result:
    """Return the move that enters a deal."""
    return {"type": "round", "round": number, **result}


def lines(name: str, *values: Any) -> Result:
    """Return a result with a value for each seat; None leaves it out."""
    return {"seats": [{} if value is None else {name: value} for value in values]}


def points(*values: int | None) -> Result:
    """Return a result of just points."""
    return lines("points", *values)


def kept(game: Recorder, *results: Result) -> Recorder:
    """Let seat 0 enter deals and the last seat confirm them; return the card."""
    for number, result in enumerate(results, 1):
        game.seat(0, entry(number, **result))
        game.seat(len(game.opening.seats) - 1, {"type": "confirm", "round": number})
    return game


def skat(declarer: int, base: str, times: int, *, won: bool = True, bid: int | None = None) -> Result:
    """Return a declared deal of Skat."""
    bids = {} if bid is None else {"bid": bid}
    return {"declarer": declarer, "base": base, "multiplier": times, "won": won, **bids}


def winners(value: int, *seats: int, table: int = 4) -> Result:
    """Return a deal of Doppelkopf, which these seats win."""
    return {"value": value, **lines("won", *(seat in seats for seat in range(table)))}


def jass(times: int, first: int, second: int, *, stock: int | None = None, **weis: int) -> Result:
    """Return a deal of Jass: the card points of both sides, who has Stöck, and what was announced."""
    sides = [{"cards": each, "stock": stock == side} for side, each in enumerate((first, second))]
    sides[0]["weis"] = weis.get("weis", 0)
    return {"times": times, "seats": [*sides, {}, {}]}


def an_evening_of_points() -> Recorder:
    """Return a card with a correction, an organiser's entry and a penalty."""
    game = kept(opened(1, 4, rounds=3), points(10, -5, 0, 20))
    game.seat(1, {"type": "correct", "replaces": 1, **points(10, -5, 5, 20)})
    game.seat(2, {"type": "confirm", "round": 1})
    game.arbiter({"type": "penalty", "seat": 3, "points": 7, "reason": "late"})
    game.arbiter(entry(2, **points(1, 2, 3, 4)))
    game.arbiter(entry(3, **points(0, 0, 0, 0)))
    return game


def somebody_goes_home() -> Recorder:
    """Return a card on which a seat that has left needs no points."""
    game = kept(opened(2, 10, rounds=2), points(*range(10)))
    game.seat(3, {"type": "resign"})
    game.arbiter(entry(2, **points(1, 2, 3, None, 5, 6, 7, 8, 9, 10)))
    return game


def cards_by_the_clock() -> Recorder:
    """Return a card that ends with the deal that is marked as the last one."""
    timed = Definition(title="By the clock", may_end=True, deals=200)
    return kept(opened(3, 2, timed), points(1, 2), {**points(3, 4), "last": True})


def a_correction_ends_it() -> Recorder:
    """Return a card whose second deal turns out to have reached the target; the third counts nothing."""
    game = kept(
        opened(4, 2, shipped("canasta")),
        *(canasta((each, 0, 0), (other, 0, 0)) for each, other in ((2000, 300), (2000, 900), (500, 100))),
    )
    game.arbiter({"type": "correct", "replaces": 2, **canasta((3000, 0, 0), (900, 0, 0))})
    return game


def canasta(*sides: tuple[int, int, int]) -> Result:
    """Return the melds, the bonuses and what is left in hand of both sides."""
    return {"seats": [dict(zip(("melds", "bonuses", "left"), side, strict=True)) for side in sides]}


def level_at_the_target() -> Recorder:
    """Return a card on which another deal decides, since the best were level at the target."""
    game = opened(5, 3, shipped("hearts"))
    hearts = [(1, 0, 25), (0, 1, 25)] * 2 + [(1, 0, 25)]
    return kept(game, *(lines("taken", *each) for each in hearts))


SCENARIOS: Final[Mapping[str, Callable[[], Recorder]]] = {
    "an-evening-of-points": an_evening_of_points,
    "somebody-goes-home": somebody_goes_home,
    "by-the-clock": cards_by_the_clock,
    "a-correction-ends-it": a_correction_ends_it,
    "level-at-the-target": level_at_the_target,
    "two-write-points": lambda: kept(opened(6, 2), *([points(1, 0)] * 12)),
    "skat-at-four": lambda: kept(
        opened(7, 4, shipped("skat"), rounds=4),
        skat(1, "hearts", 3, won=False),
        skat(0, "spades", 2),
        {},
        skat(2, "grand", 2),
    ),
    "skat-at-three": lambda: kept(
        opened(8, 3, shipped("skat"), rounds=2), skat(0, "spades", 2, bid=33), skat(2, "null", 1)
    ),
    "doppelkopf-at-five": lambda: kept(
        opened(9, 5, shipped("doppelkopf"), rounds=3),
        winners(3, 1, table=5),
        winners(2, 0, 2, table=5),
        winners(4, 0, 1, 3, table=5),
    ),
    "jass": lambda: kept(
        opened(10, 4, shipped("jass"), rounds=3),
        jass(2, 97, 60, stock=0),
        jass(1, 257, 0, weis=50),
        jass(3, 57, 100, stock=1),
    ),
    "cribbage": lambda: kept(
        opened(11, 2, shipped("cribbage"), rounds=2), lines("pegged", 121, 90), lines("pegged", 91, 121)
    ),
}


if __name__ == "__main__":
    for name, record in SCENARIOS.items():
        record().save(LOGS / f"{name}.jsonl")
