"""The golden games of Scram! as code: `python -m tests.rules.scram.scenarios` records them all again.

Some are played by bots, who remember well or badly, and some at random; a change of a bot may so give other
games, which is no reason to record again. The rest is scripted.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, count
from pathlib import Path
from typing import Any, Final

from games.engine import replay
from games.rules.scram.bot import Camper
from games.rules.scram.cards import different, total
from games.rules.scram.scoring import team_sums
from games.rules.scram.state import Row, State
from tests.rules.randomplay import some_move
from tests.rules.recording import Recorder

LOGS: Final = Path(__file__).parent / "logs"
DRAW: Final = {"type": "draw", "from": "deck"}
TAKE: Final = {"type": "draw", "from": "discard"}


def opened(number: int, seats: int, *, entropy: bool = False, **options: Any) -> Recorder:
    """Return a new game whose secret says this number."""
    return Recorder("scram", seats, options, secret=number.to_bytes(32, "big"), entropy=entropy)


def state_of(game: Recorder) -> State:
    """Return what the ruleset keeps."""
    state: State = game.position.state
    return state


def remembering(game: Recorder, *recalls: int) -> Recorder:
    """Return the game with bots that remember so well, seat by seat."""
    game.policies |= {seat: Camper(recall) for seat, recall in enumerate(recalls)}
    return game


def by_bots(number: int, *recalls: int, **options: Any) -> Recorder:
    """Return a game that bots played."""
    game = remembering(opened(number, len(recalls), **options), *recalls)
    game.play()
    return game


def first_with(shows: Callable[[Row], bool], *recalls: int) -> Recorder:
    """Return the first game of bots, of one round, that shows what is wanted."""
    played = (by_bots(number, *recalls, rounds=1) for number in count(1))
    return next(game for game in played if shows(state_of(game).rows[0]))


def scrammed(outcome: int, *recalls: int) -> Recorder:
    """Return a round whose Scram was won (-1), level (0) or lost (1)."""

    def shows(row: Row) -> bool:
        if row.scram is None:
            return False
        sums, team = team_sums(row.sums), 0 if row.scores[row.scram] == row.scores[0] else 1
        return (sums[team] > sums[1 - team]) - (sums[team] < sums[1 - team]) == outcome

    return first_with(shows, *recalls)


def at_random(number: int, seats: int, **options: Any) -> Recorder:
    """Return a game that was played at random from what is listed."""
    game, dice = opened(number, seats, **options), random.Random(number)
    while game.position.status == "active":
        seat = state_of(game).seat
        game.seat(seat, some_move(dice.choice(replay.choices(game.position, seat)), dice))
    return game


def scored(seats: int, *scores: tuple[int, int]) -> Recorder:
    """Return a game of the clock's moves whose rounds are brought to these scores by penalties."""
    game = opened(8, seats, rounds=len(scores), turn_limit=1)
    for number, wanted in enumerate(scores):
        penalise_to(game, wanted)
        while game.position.status == "active" and len(state_of(game).rows) == number:
            game.clock(state_of(game).seat)
    return game


def penalise_to(game: Recorder, wanted: Sequence[int]) -> None:
    """Give both teams what is missing to a score; the clock's moves leave the campsites as they are."""
    campsites: Any = replay.full_view(game.position)["campsites"]
    sums = team_sums([total([card["card"] for card in row]) for row in campsites])
    for seat, (score, had) in enumerate(zip(wanted, sums, strict=True)):
        points = score - had
        game.arbiter({"type": "penalty", "seat": seat, "points": points, "reason": "To level the score."})


def until_top(game: Recorder, *faces: str) -> str:
    """Let seats draw and discard until the next one can draw one of these cards; return that card."""
    while (top := face_on_top(game)) not in faces:
        game.seat(state_of(game).seat, DRAW)
        game.seat(state_of(game).seat, {"type": "discard"})
    return top


def face_on_top(game: Recorder) -> str:
    table = state_of(game).table
    return table.faces[table.deck[0]]


def the_clock_finishes_everything() -> Recorder:
    """Return a game in which time runs out before the draw, after it, and in the middle of every action."""
    game = opened(4, 4, rounds=2)
    game.clock(state_of(game).seat)
    for begun in ([TAKE], [DRAW]):
        late(game, *begun)
    for card in ("8", "10"):
        until_top(game, card)
        late(game, DRAW, {"type": "act", "targets": [face_down(game)]})
    until_top(game, "12")
    late(game, DRAW, {"type": "act", "targets": [{"deck": 1}, {"deck": 0}]})
    return by_the_clock(game)


def by_the_clock(game: Recorder) -> Recorder:
    """Return the game after the clock has played it to its end."""
    while game.position.status == "active":
        game.clock(state_of(game).seat)
    return game


def late(game: Recorder, *moves: Mapping[str, Any]) -> None:
    """Let the seat in play make moves and then run out of time."""
    seat = state_of(game).seat
    for move in moves:
        game.seat(seat, move)
    game.clock(seat)


def face_down(game: Recorder) -> dict[str, int]:
    """Return the first face-down card of the last campsite."""
    campsites = state_of(game).table.campsites
    seat = len(campsites) - 1
    return {"seat": seat, "index": next(i for i, lying in enumerate(campsites[seat]) if not lying.up)}


def a_team_leaves() -> Recorder:
    """Return a game that two partners leave, one of them with an action half done."""
    game = opened(3, 4)
    game.play(until=20)
    until_top(game, "7", "8")
    seat = state_of(game).seat
    game.seat(seat, DRAW)
    game.seat(seat, {"type": "act", "targets": [face_down(game)]})
    game.seat(seat, {"type": "resign"})
    game.play(until=60)
    game.arbiter({"type": "penalty", "seat": seat, "points": 15, "reason": "Left without a word."})
    game.seat((seat + 2) % 4, {"type": "resign"})
    return game


def the_solo_leaves() -> Recorder:
    """Return a game that the solo gives up."""
    game = opened(4, 3)
    game.play(until=30)
    game.seat(0, {"type": "resign"})
    return game


def one_of_three_is_forfeited() -> Recorder:
    """Return a game of six to the end, one of them being out, with a penalty for another."""
    game = opened(5, 6, rounds=2)
    game.play(until=25)
    game.arbiter({"type": "forfeit", "seat": 2, "reason": "Left the table."})
    game.play(until=50)
    game.arbiter({"type": "penalty", "seat": 5, "points": 10, "reason": "Told what was under a card."})
    game.play()
    return game


def the_rain_comes() -> Recorder:
    """Return a game that is abandoned."""
    game = opened(6, 4)
    game.play(until=40)
    game.arbiter({"type": "abandon", "reason": "The rain came through the roof."})
    return game


def everybody_adds_to_the_seed() -> Recorder:
    """Return a game with entropy of two seats; one adds nothing, and the clock is ready for the last."""
    game = opened(7, 4, entropy=True, rounds=1)
    for seat, text in enumerate(("pine cones", "an owl, twice", "")):
        game.seat(seat, {"type": "ready", "entropy": text} if text else {"type": "ready"})
    game.clock(3)
    game.play()
    return game


def a_look_at_the_last_cards() -> Recorder:
    """Return a round in which a 6, 7 or 8 looks at a deck that has fewer cards than its number."""
    game = next(game for game in map(with_two_cards_left, count(1)) if face_on_top(game) in ("6", "7", "8"))
    seat = state_of(game).seat
    game.seat(seat, DRAW)
    game.seat(seat, {"type": "act", "targets": [{"deck": 0}]})
    return by_the_clock(game)


def with_two_cards_left(number: int) -> Recorder:
    """Return a round in which the clock has played all but the last two cards of the deck."""
    game = opened(number, 4, rounds=1)
    while len(state_of(game).table.deck) > 2:
        game.clock(state_of(game).seat)
    return game


def a_13_in_an_empty_campsite() -> Recorder:
    """Return the first round of bots in which a 13 is put where no card is left."""
    for number in count(1):
        game = remembering(opened(number, 6, rounds=1), *[100] * 6)
        while game.position.status == "active":
            campsites = state_of(game).table.campsites
            game.bot_move()
            move = game.entries[-1]["move"]
            if "seat" in move and not campsites[move["seat"]]:
                game.play()
                return game
    raise AssertionError("the numbers never end")


def a_13_by(whose: str, further: int) -> Recorder:
    """Return a round in which a 13 is put in a campsite so many seats further, as a club's option says."""
    game = opened(2, 4, rounds=1, thirteen=whose)
    until_top(game, "13")
    seat = state_of(game).seat
    game.seat(seat, DRAW)
    game.seat(seat, {"type": "act", "seat": (seat + further) % 4, "end": "left"})
    return by_the_clock(game)


def by_hand() -> Recorder:
    """Return a game of moves that bots and chance seldom make, made by seats that see everything."""
    game = opened(1, 4, rounds=2)
    for moves in (
        [("5", {"targets": [{"deck": 0}]})],
        [("6", {"targets": [{"deck": 1}]}), ("", {"targets": [{"deck": 0}]})],
        [("8", {"targets": [{"deck": depth} for depth in range(4)]})],
        [("12", {"targets": [{"seat": 3, "index": 4}]}), ("", {"targets": [{"deck": 1}]})],
        [("11", {"targets": [{"seat": 2, "index": 1}, {"deck": 0}]})],
        [("13", {"seat": 0, "end": "right"})],
    ):
        until_top(game, moves[0][0])
        seat = state_of(game).seat
        game.seat(seat, DRAW)
        for _, fields in moves:
            game.seat(seat, {"type": "act", **fields})
        if state_of(game).phase == "exchange":
            game.seat(seat, {"type": "exchange", "do": True})
    replace_by_hand(game, numbers=1, slot=True)
    replace_by_hand(game, numbers=3, slot=False)
    return by_the_clock(game)


def a_12_in_one_campsite() -> Recorder:
    """Return a round in which a 12 looks at two cards of one campsite, and the turn ends."""
    game = opened(9, 4, rounds=1)
    until_top(game, "12")
    seat = state_of(game).seat
    game.seat(seat, DRAW)
    game.seat(seat, {"type": "act", "targets": [{"seat": 1, "index": 0}]})
    game.seat(seat, {"type": "act", "targets": [{"seat": 1, "index": 4}]})
    return by_the_clock(game)


def cards_at_both_ends() -> Recorder:
    """Return a round in which a failed match adds two cards of the deck, one at each end."""
    game = opened(10, 4, rounds=1)
    replace_by_hand(game, numbers=4, slot=False, extra_ends=["left", "right"])
    return by_the_clock(game)


def replace_by_hand(game: Recorder, *, numbers: int, slot: bool, extra_ends: Sequence[str] = ()) -> None:
    """Let the first seat that can replace cards of its own with so many different numbers, two at least."""
    while not (places := own_places(game, numbers)):
        game.clock(state_of(game).seat)
    seat = state_of(game).seat
    game.seat(seat, DRAW)
    into = {"slot": places[-1]["index"]} if slot else {}
    ends = {"end": "right", "extra_ends": list(extra_ends)}
    game.seat(seat, {"type": "replace", "cards": places, **ends, **into})


def own_places(game: Recorder, numbers: int) -> list[dict[str, int]]:
    """Return places of the seat in play whose cards show so many different numbers, or none."""
    table, seat = state_of(game).table, state_of(game).seat
    for size in range(2, 6):
        for indexes in combinations(range(len(table.campsites[seat])), size):
            if different(table.face(table.campsites[seat][index]) for index in indexes) == numbers:
                return [{"seat": seat, "index": index} for index in indexes]
    return []


BY_BOTS: Final[Mapping[str, Callable[[], Recorder]]] = {
    "four-campers": lambda: by_bots(1, 100, 100, 100, 100),
    "six-campers": lambda: by_bots(1, 100, 60, 100, 60, 100, 60),
    "three-campers": lambda: by_bots(1, 100, 100, 100),
    "memory-aid": lambda: by_bots(2, 0, 0, 0, 0, rounds=2, memory_aid=True),
    "corrected-numbers": lambda: by_bots(3, 100, 100, 100, 100, rounds=1, seven=5, eight=2, ten=3),
    "scram-won": lambda: scrammed(-1, 100, 100, 100, 100),
    "scram-level": lambda: scrammed(0, 100, 100, 100, 100),
    "scram-lost": lambda: scrammed(1, 100, 0, 100, 0),
    "scram-then-the-deck": lambda: first_with(
        lambda row: (row.scram is not None, row.ended) == (True, "deck"), 100, 0, 100, 0
    ),
    "scram-of-the-solo": lambda: first_with(lambda row: row.scram == 0, 100, 100, 100),
    "scram-of-the-duo": lambda: first_with(lambda row: row.scram in (1, 2), 100, 100, 100),
    "a-team-leaves": a_team_leaves,
    "the-solo-leaves": the_solo_leaves,
    "one-of-three-is-forfeited": one_of_three_is_forfeited,
    "the-rain-comes": the_rain_comes,
    "everybody-adds-to-the-seed": everybody_adds_to_the_seed,
    "a-13-in-an-empty-campsite": a_13_in_an_empty_campsite,
}

WITHOUT_BOTS: Final[Mapping[str, Callable[[], Recorder]]] = {
    "a-13-for-the-own-team": lambda: a_13_by("own_team", 2),
    "a-13-for-the-other-team": lambda: a_13_by("other_team", 1),
    "a-13-for-a-campsite-with-a-card": lambda: a_13_by("not_empty", 0),
    "three-at-random": lambda: at_random(1, 3, rounds=1),
    "four-at-random": lambda: at_random(2, 4, rounds=2),
    "six-at-random": lambda: at_random(3, 6, rounds=1, memory_aid=True),
    "level-but-for-the-last-round": lambda: scored(4, (205, 207), (207, 205)),
    "level-but-for-a-round-before": lambda: scored(6, (205, 207), (207, 205), (206, 206)),
    "level-for-the-solo": lambda: scored(3, (205, 207), (207, 205)),
    "nobody-wins": lambda: scored(4, (206, 206), (209, 209)),
    "the-clock-finishes-everything": the_clock_finishes_everything,
    "by-hand": by_hand,
    "a-look-at-the-last-cards": a_look_at_the_last_cards,
    "a-12-in-one-campsite": a_12_in_one_campsite,
    "cards-at-both-ends": cards_at_both_ends,
}

SCENARIOS: Final = {**BY_BOTS, **WITHOUT_BOTS}


if __name__ == "__main__":
    for name, record in SCENARIOS.items():
        record().save(LOGS / f"{name}.jsonl")
