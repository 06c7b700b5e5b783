"""The golden games of Scoops as code: `python -m tests.rules.scoops.scenarios` records them all again.

Most are played by bots, with the first secret whose game shows what its name says; a change of the bot may so
give other games, which is no reason to record again. The rest is scripted down to the move.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any, Final

from games.engine.shapes import write
from games.rules.scoops.contract import COFFEE
from games.rules.scoops.finder import Arrangement
from games.rules.scoops.state import Row, State
from tests.rules.recording import Recorder

LOGS: Final = Path(__file__).parent / "logs"
DRAW: Final = {"type": "draw", "from": "deck"}
ONE_ROUND: Final = {"round_limit": 1}


def opened(number: int, seats: int, options: Mapping[str, Any], *, entropy: bool = False) -> Recorder:
    """Return a new game whose secret says this number."""
    return Recorder("scoops", seats, options, secret=number.to_bytes(32, "big"), entropy=entropy)


def games(
    seats: int, goal: str | None = None, rule: str | None = None, options: Mapping[str, Any] = ONE_ROUND
) -> Iterator[Recorder]:
    """Yield new games whose first round has this goal and rule, where they are given."""
    for number in count(1):
        game = opened(number, seats, options)
        terms = game.position.state.round.contract
        if goal in (None, terms.goal.name) and rule in (None, terms.rule.name):
            yield game


def rows(game: Recorder) -> tuple[Row, ...]:
    """Return the rounds that a game has finished."""
    state: State = game.position.state
    return state.rows


def bots_until(candidates: Iterator[Recorder], shows: Callable[[tuple[Row, ...]], bool]) -> Recorder:
    """Return the first of the games whose rounds, played by bots, show what is wanted."""
    for game in candidates:
        game.play()
        if shows(rows(game)):
            return game
    raise AssertionError("the candidates never end")


def won(seats: int, goal: str, rule: str, ending: str) -> Recorder:
    """Return a round of bots that is won so."""
    return bots_until(games(seats, goal, rule), lambda played: played[0].ending == ending)


def counted(seats: int, rule: str, *, for_knocker: bool) -> Recorder:
    """Return a round of Coffee that the knocker, or another seat, wins."""
    return bots_until(
        games(seats, COFFEE.name, rule),
        lambda played: (played[0].winner == played[0].knocker) == for_knocker,
    )


def a_long_game() -> Recorder:
    """Return a game of bots to ten points in which every special comes up and scoops are paid."""
    return bots_until(
        games(3, options={"target": 10, "round_limit": 100}),
        lambda played: (
            len({row.contract.special for row in played}) == 11
            and any(row.winner is not None and row.scores[row.winner] > 1 for row in played)
        ),
    )


def turn(game: Recorder, **discard: Any) -> None:
    """Draw from the deck and discard the card, with what else the discard says."""
    seat = game.position.state.round.seat
    game.seat(seat, DRAW)
    game.seat(seat, {"type": "discard", "card": game.position.state.round.hand[-1], **discard})


def nobody_comes() -> Recorder:
    """Return two rounds that the clock plays alone until the deck is empty; all share the first place."""
    game = opened(1, 4, {"round_limit": 2})
    while game.position.status == "active":
        game.clock(game.position.state.round.seat)
    return game


def nobody_draws() -> Recorder:
    """Return a round in which two seats take one card to and fro until their turns are used up."""
    game = next(games(2, "Bowl", options={"round_limit": 1, "turn_limit": 4}))
    turn(game)
    while game.position.status == "active":
        take_back(game)
    return game


def take_back(game: Recorder) -> None:
    """Take the other seat's top discard, and discard the oldest other card."""
    seat = game.position.state.round.seat
    game.seat(seat, {"type": "draw", "from": 1 - seat})
    table = game.position.state.round
    game.seat(seat, {"type": "discard", "card": next(card for card in table.hand if card != table.taken)})


def the_knock_comes_too_late() -> Recorder:
    """Return a round of Coffee whose last card is drawn by the seat that knocks (C19)."""
    game = next(games(3, COFFEE.name, "Cherry"))
    while len(game.position.state.round.deck) > 1:
        turn(game)
    turn(game, knock=True)
    return game


def anybody_knocks() -> Recorder:
    """Return a round of Coffee in which a seat knocks out of turn, with a set, where any may (C18)."""
    for game in games(4, COFFEE.name, options={**ONE_ROUND, "knocking": "anybody"}):
        turn(game)
        state: State = game.position.state
        for seat in (each for each in state.may_knock if each != state.round.seat):
            if rest := Arrangement(state.round.hands[seat], state.round.contract).best().sets:
                game.seat(seat, {"type": "knock", "melds": [write(group) for group in rest]})
                game.play()
                return game
    raise AssertionError("the games never end")


def the_last_turns_are_late() -> Recorder:
    """Return a round of Coffee in whose last turns one seat runs out of time and another is out."""
    game = next(games(4, COFFEE.name, "Vanilla"))
    turn(game, knock=True)
    first = game.position.state.round.seat
    game.arbiter({"type": "forfeit", "seat": (first + 1) % 4, "reason": "left the table"})
    game.clock(first)
    game.play()
    return game


def the_knocker_leaves() -> Recorder:
    """Return a round of Coffee whose knocker has left: another seat wins with no lower count (C18)."""
    return next(game for game in map(knocked_and_left, games(3, COFFEE.name, "Cherry")) if level(game))


def knocked_and_left(game: Recorder) -> Recorder:
    """Return the round after its first seat has knocked and resigned, and the clock played the rest."""
    knocker = game.position.state.round.seat
    turn(game, knock=True)
    game.seat(knocker, {"type": "resign"})
    while game.position.status == "active":
        game.clock(game.position.state.round.seat)
    return game


def level(game: Recorder) -> bool:
    """Return whether the knocker's hand would have been counted no higher than the winner's."""
    table, (row,) = game.position.state.round, rows(game)
    counts = [sum(map(row.contract.worth, hand)) for hand in table.hands]
    return row.knocker is not None and row.winner is not None and counts[row.knocker] <= counts[row.winner]


def all_but_one_resign() -> Recorder:
    """Return a game that is over when two of three seats have resigned, one of them in its own turn."""
    game = opened(2, 3, {})
    game.play(until=20)
    seat = game.position.state.round.seat
    game.seat(seat, {"type": "resign"})
    game.play(until=40)
    game.seat((seat + 1) % 3, {"type": "resign"})
    return game


def all_but_one_are_forfeited() -> Recorder:
    """Return a game from which the arbiter takes one seat and the clock another."""
    game = opened(3, 3, {})
    game.arbiter({"type": "forfeit", "seat": 0, "reason": "did not come"})
    game.play(until=20)
    game.clock(2, {"type": "forfeit", "seat": 2, "reason": "out of time"})
    return game


def the_lights_go_out() -> Recorder:
    """Return a game that is abandoned in its second round."""
    game = opened(4, 4, {})
    while not rows(game):
        game.bot_move()
    game.arbiter({"type": "abandon", "reason": "The lights went out."})
    return game


def everybody_adds_to_the_seed() -> Recorder:
    """Return a game with entropy of three seats; the clock is ready for the fourth."""
    game = opened(5, 4, ONE_ROUND, entropy=True)
    for seat, text in enumerate(("rain on the roof", "", "a cup of tea ☕")):
        game.seat(seat, {"type": "ready", "entropy": text} if text else {"type": "ready"})
    game.clock(3)
    game.play()
    return game


def the_rubber_band() -> Recorder:
    """Return a game whose seat with the lowest score assigns: once itself, once the clock for it."""
    game = opened(6, 3, {"round_limit": 3})
    game.arbiter({"type": "penalty", "seat": 1, "points": 5, "reason": "Played with an open hand."})
    while game.position.state.round.phase != "assign":
        game.clock(game.position.state.round.seat)
    game.seat(1, {"type": "assign", "special": [1, 3], "rule": 2, "goal": 0})
    while game.position.state.round.phase != "assign":
        game.bot_move()
    game.clock(1)
    game.play()
    return game


SCENARIOS: Final[Mapping[str, Callable[[], Recorder]]] = {
    "bowl-vanilla": lambda: won(2, "Bowl", "Vanilla", "lay_down"),
    "shake-cherry": lambda: won(3, "Shake", "Cherry", "lay_down"),
    "cone-banana": lambda: won(4, "Cone", "Banana", "lay_down"),
    "sandwich-raspberry": lambda: won(5, "Sandwich", "Raspberry", "lay_down"),
    "float-strawberry-last-meld": lambda: won(6, "Float", "Strawberry", "meld"),
    "float-chocolate-last-float": lambda: won(7, "Float", "Chocolate", "float"),
    "coffee-for-the-knocker": lambda: counted(8, "Banana", for_knocker=True),
    "coffee-for-another": lambda: counted(9, "Strawberry", for_knocker=False),
    "anybody-knocks": anybody_knocks,
    "a-long-game": a_long_game,
    "nobody-comes": nobody_comes,
    "nobody-draws": nobody_draws,
    "the-knock-comes-too-late": the_knock_comes_too_late,
    "the-last-turns-are-late": the_last_turns_are_late,
    "the-knocker-leaves": the_knocker_leaves,
    "all-but-one-resign": all_but_one_resign,
    "all-but-one-are-forfeited": all_but_one_are_forfeited,
    "the-lights-go-out": the_lights_go_out,
    "everybody-adds-to-the-seed": everybody_adds_to_the_seed,
    "the-rubber-band": the_rubber_band,
}


if __name__ == "__main__":
    for name, record in SCENARIOS.items():
        record().save(LOGS / f"{name}.jsonl")
