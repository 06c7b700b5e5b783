"""The golden games of Scamper as code: `python -m tests.rules.scamper.scenarios` records them all again.

Most are played by bots; a change of the bot may so give other games, which is no reason to record again.
Where bots are too honest or too careful, seats are made to move by hand, knowing all cards.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any, Final

from games.engine import replay
from games.engine.cards import Card, rank
from games.rules.scamper.moves import Swap
from games.rules.scamper.onto import swaps
from games.rules.scamper.options import PRESETS
from games.rules.scamper.scoring import points
from games.rules.scamper.state import Round, State
from tests.rules.recording import Recorder

LOGS: Final = Path(__file__).parent / "logs"
DRAW: Final = {"type": "draw"}
CHALLENGE: Final = {"type": "challenge"}
CONCEDE: Final = {"type": "concede"}
ONE_SET: Final = [{"sets": [3], "runs": []}]


def opened(number: int, seats: int, *, entropy: bool = False, **options: Any) -> Recorder:
    """Return a new game whose secret says this number."""
    return Recorder("scamper", seats, options, secret=number.to_bytes(32, "big"), entropy=entropy)


def state_of(game: Recorder) -> State:
    """Return what the ruleset keeps."""
    state: State = game.position.state
    return state


def table_of(game: Recorder) -> Round:
    """Return the round that is played."""
    return state_of(game).round


def by_bots(number: int, seats: int, **options: Any) -> Recorder:
    """Return a game that bots played."""
    game = opened(number, seats, **options)
    game.play()
    return game


def by_the_clock(game: Recorder) -> Recorder:
    """Return the game after the clock has played it to its end."""
    while game.position.status == "active":
        game.clock(replay.awaited(game.position)[0])
    return game


def until(game: Recorder, shows: Callable[[State], bool]) -> Recorder:
    """Let bots play until the state shows what is wanted."""
    while not shows(state_of(game)):
        game.bot_move()
    return game


def late_until(game: Recorder, shows: Callable[[State], bool]) -> Recorder:
    """Let the clock play until the state shows what is wanted."""
    while not shows(state_of(game)):
        game.clock(replay.awaited(game.position)[0])
    return game


def in_play(state: State) -> bool:
    """Return whether a seat has drawn and may lay."""
    return state.round.phase == "play"


def begin(game: Recorder) -> int:
    """Let the seat in play draw, nobody wanting the discard; return the seat."""
    seat = table_of(game).seat
    game.seat(seat, DRAW)
    if table_of(game).phase == "offer":
        game.seat(table_of(game).left, {"type": "decline"})
    return seat


def lay(game: Recorder, kind: str, cards: Sequence[Card]) -> None:
    """Let the seat in play lay these cards as one meld, whatever they are."""
    game.seat(table_of(game).seat, {"type": "meld", "melds": [{"kind": kind, "cards": [*cards]}]})


def discard(game: Recorder, *cards: Card) -> None:
    """Let the seat in play discard one of the cards or, of none, what the clock would discard."""
    table = table_of(game)
    move = dict(game.ruleset.write_move(game.ruleset.default_move(state_of(game), table.seat)))
    if cards:
        move = {"type": "discard", "card": cards[0], **({"scamper": True} if len(table.hand) == 2 else {})}
    game.seat(table.seat, move)


def naturals(state: State) -> list[Card]:
    """Return the natural cards of the hand in play, each once."""
    return [card for card in dict.fromkeys(state.round.hand) if card not in state.options.wild]


def wilds(state: State) -> list[Card]:
    """Return the wild cards of the hand in play."""
    return [card for card in state.round.hand if card in state.options.wild]


def mixed(state: State) -> list[Card]:
    """Return three natural cards of the hand in play of different ranks: no meld of any kind."""
    by_rank = {rank(card): card for card in naturals(state)}
    return [*by_rank.values()][:3]


def the_doubts() -> Recorder:
    """Return a game with every kind of challenge: wrong melds, too many wild cards, groundless doubts."""
    game = opened(5, 3, melds="challenge", contracts=ONE_SET * 3, passing="off")
    begin(game)
    lay(game, "set", mixed(state_of(game)))
    discard(game)
    game.seat((table_of(game).seat + 1) % 3, CHALLENGE)
    late_until(game, lambda state: in_play_after_timeouts(state, 2))
    begin(game)
    state = state_of(game)
    lay(game, "set", [naturals(state)[0], *wilds(state)[:2]])
    discard(game)
    game.seat(table_of(game).seat, CHALLENGE)
    begin(game)
    discard(game)
    for doubter in (1, 0):
        game.seat((table_of(game).seat + doubter) % 3, CHALLENGE)
    return goes_out_too_soon(game)


def in_play_after_timeouts(state: State, wild: int) -> bool:
    """Return whether the seat that begins has so many wild cards already."""
    return state.round.phase == "begin" and len(wilds(state)) >= wild


def goes_out_too_soon(game: Recorder) -> Recorder:
    """Let a seat go out with nonsense and be caught, then bots play, one going out under a vain doubt."""
    begin(game)
    hand = table_of(game).hand
    lay(game, "run", hand[1:])
    discard(game, hand[0])
    game.seat(table_of(game).left, CHALLENGE)
    until(game, lambda state: state.round.phase == "answer")
    game.seat((table_of(game).seat + 2) % 3, CHALLENGE)
    game.seat(table_of(game).left, CONCEDE)
    until(game, lambda state: state.round.phase == "answer")
    game.seat(table_of(game).left, CHALLENGE)
    game.play()
    return game


def nobody_doubts() -> Recorder:
    """Return a game in which nonsense lies unchallenged, and a hand of wild cards alone discards one."""
    game = opened(6, 2, packs=2, melds="challenge", contracts=ONE_SET, passing="off", max_replays=0)
    late_until(game, lambda state: in_play_after_timeouts(state, 2))
    begin(game)
    state = state_of(game)
    lay(game, "set", [card for card in state.round.hand if card not in state.options.wild])
    discard(game)
    begin(game)
    discard(game)
    return by_the_clock(game)


def doubted_past_a_seat_that_left() -> Recorder:
    """Return a game in which two turns are challenged after the system has played for a seat that left."""
    game = opened(18, 4, melds="challenge", contracts=ONE_SET * 2, passing="off")
    game.seat((table_of(game).seat + 1) % 4, {"type": "resign"})
    begin(game)
    lay(game, "set", mixed(state_of(game)))
    discard(game)
    game.seat((table_of(game).seat + 1) % 4, CHALLENGE)
    until(game, lambda state: state.round.phase == "answer")
    game.seat(state_of(game).next_seat, CHALLENGE)
    game.play()
    return game


def aces_at_both_ends() -> Recorder:
    """Return a game in which bots lay runs from the ace and to the ace."""
    options: Any = {**PRESETS["basic"], "contracts": [{"sets": [], "runs": [3]}] * 2, "melds": "challenge"}
    return by_bots(21, 4, **options)


def level() -> Recorder:
    """Return a game whose first two share the first place, thanks to an arbiter."""
    game = opened(7, 3, melds="challenge", rounds=1)
    until(game, lambda state: state.round.phase == "answer")
    state = state_of(game)
    ends = [total + points(hand) for total, hand in zip(state.totals(), state.round.hands, strict=True)]
    first, second, _ = sorted(range(3), key=lambda seat: ends[seat])
    fine = {"seat": first, "points": ends[second] - ends[first], "reason": "advice"}
    game.arbiter({"type": "penalty", **fine})
    game.play()
    return game


def forgets_to_say_scamper() -> Recorder:
    """Return a game in which a seat keeps one card without a word, and an arbiter punishes advice."""
    game = opened(8, 4, rounds=2)
    until(game, lambda state: in_play(state) and len(state.round.hand) == 2)
    discard_silently(game)
    game.arbiter({"type": "penalty", "seat": 1, "points": 20, "reason": "advice"})
    game.play()
    return game


def discard_silently(game: Recorder) -> None:
    """Let the seat in play discard without the word that is due."""
    move = game.ruleset.write_move(game.ruleset.default_move(state_of(game), table_of(game).seat))
    game.seat(table_of(game).seat, {"type": "discard", "card": move["card"]})


def dealt_again() -> Recorder:
    """Return a game whose stock runs out until no replay is left; points given before a replay stay."""
    game = opened(9, 6, packs=2, hand_size=13, passing="off", rounds=1, max_replays=1)
    game.arbiter({"type": "penalty", "seat": 0, "points": 20, "reason": "advice"})
    return by_the_clock(game)


def nobody_draws() -> Recorder:
    """Return a round that ends at its limit of turns, each seat taking the other's discard."""
    game = opened(10, 2, rounds=1, passing="off")
    while game.position.status == "active":
        seat = table_of(game).seat
        game.seat(seat, {"type": "take"})
        game.seat(seat, {"type": "discard", "card": naturals(state_of(game))[0]})
    return game


def a_tie_for_the_deal() -> Recorder:
    """Return a game in which the first dealer is found by a second drawing, and cards were drawn again."""
    return next(game for game in map(_drawn, count(1)) if _drew_again(state_of(game)))


def _drawn(number: int) -> Recorder:
    return opened(number, 4, rounds=1)


def _drew_again(state: State) -> bool:
    return len(state.draws) > 1 and any(len(cards) > 1 for draws in state.draws for cards in draws.cards)


def two_leave() -> Recorder:
    """Return a game of four that one seat gives up and another is taken out of, while it must answer."""
    game = opened(11, 4, rounds=2)
    game.play(until=30)
    game.seat(0, {"type": "resign"})
    until(game, lambda state: state.round.phase == "offer")
    game.arbiter({"type": "forfeit", "seat": table_of(game).left, "reason": "Left the table."})
    game.play()
    return game


def all_but_one_resign() -> Recorder:
    """Return a game that ends because one seat is left."""
    game = opened(12, 3)
    game.play(until=40)
    for seat in (2, 0):
        game.seat(seat, {"type": "resign"})
    return game


def the_hall_closes() -> Recorder:
    """Return a game that is abandoned."""
    game = opened(13, 2)
    game.play(until=40)
    game.arbiter({"type": "abandon", "reason": "The hall closes."})
    return game


def everybody_adds_to_the_seed() -> Recorder:
    """Return a game with entropy of two seats; the clock is ready for the third."""
    game = opened(14, 3, entropy=True, rounds=1)
    game.seat(0, {"type": "ready", "entropy": "seven of hearts"})
    game.seat(1, {"type": "ready"})
    game.clock(2)
    game.play()
    return game


def the_clock_plays_along() -> Recorder:
    """Return a game in which time runs out in every phase, after a take too."""
    game = opened(15, 3, melds="challenge", rounds=1)
    game.clock(table_of(game).seat)
    game.clock(table_of(game).left)
    game.clock(table_of(game).seat)
    game.seat(table_of(game).seat, {"type": "take"})
    game.clock(table_of(game).seat)
    until(game, lambda state: state.round.phase == "answer")
    game.clock(table_of(game).left)
    return game


def wild_cards_change_hands() -> Recorder:
    """Return a game in which a seat swaps on a set and one on a run, as soon as it can."""
    game = opened(17, 6, rounds=8)
    for kind in ("set", "run"):
        until(game, lambda state, kind=kind: bool(swaps_on(state, kind)))  # type: ignore[misc]
        table = table_of(game)
        game.seat(table.seat, game.ruleset.write_move(swaps_on(state_of(game), kind)[0]))
    game.play()
    return game


def swaps_on(state: State, kind: str) -> list[Swap]:
    """Return the swaps that the seat in play can make on sets or on runs."""
    table = state.round
    if not in_play(state) or table.seat not in table.down:
        return []
    melds = [meld for meld in table.melds if meld.kind == kind]
    return [*swaps(table.hand, table.seat, melds, state.options)]


BY_BOTS: Final[Mapping[str, Callable[[], Recorder]]] = {
    "two-seats": lambda: by_bots(1, 2),
    "three-seats": lambda: by_bots(2, 3, rounds=5),
    "four-seats": lambda: by_bots(3, 4),
    "six-seats": lambda: by_bots(4, 6, rounds=5),
    "ten-seats": lambda: by_bots(5, 10, rounds=3),
    "without-advanced-points": lambda: by_bots(22, 3, advanced_points=False, melds="challenge", rounds=2),
    "basic": lambda: by_bots(6, 4, **PRESETS["basic"], rounds=3),
    "as-printed": lambda: by_bots(20, 3, **PRESETS["as_printed"], rounds=3),
    "nothing-wild": lambda: by_bots(7, 3, wild_cards="none", rounds=2, first_dealer_bonus=0),
    "passed-on-unasked": lambda: by_bots(8, 3, passing="forced", rounds=2),
    "no-passing": lambda: by_bots(9, 2, passing="off", rounds=3, max_replays=0),
    "strict": lambda: by_bots(10, 4, strict_ratio=True, melds="challenge", rounds=4),
    "contracts-of-the-club": lambda: by_bots(
        11,
        4,
        contracts=[{"sets": [4], "runs": [4]}, {"sets": [3, 3], "runs": [3, 3]}, {"sets": [], "runs": [11]}],
        hand_size=11,
        packs=4,
    ),
    "a-tie-for-the-deal": lambda: played(a_tie_for_the_deal()),
    "two-leave": two_leave,
    "all-but-one-resign": all_but_one_resign,
    "the-hall-closes": the_hall_closes,
    "everybody-adds-to-the-seed": everybody_adds_to_the_seed,
    "the-clock-plays-along": the_clock_plays_along,
    "the-doubts": the_doubts,
    "wild-cards-change-hands": wild_cards_change_hands,
    "doubted-past-a-seat-that-left": doubted_past_a_seat_that_left,
    "aces-at-both-ends": aces_at_both_ends,
    "level": level,
    "forgets-to-say-scamper": forgets_to_say_scamper,
}

WITHOUT_BOTS: Final[Mapping[str, Callable[[], Recorder]]] = {
    "nobody-doubts": nobody_doubts,
    "dealt-again": dealt_again,
    "packs-are-added": lambda: by_the_clock(
        opened(16, 10, packs=2, passing="off", rounds=1, stock_out="add_pack")
    ),
    "nobody-draws": nobody_draws,
}

SCENARIOS: Final = {**BY_BOTS, **WITHOUT_BOTS}


def played(game: Recorder) -> Recorder:
    """Return the game after bots have played it to its end."""
    game.play()
    return game


if __name__ == "__main__":
    for name, record in SCENARIOS.items():
        record().save(LOGS / f"{name}.jsonl")
