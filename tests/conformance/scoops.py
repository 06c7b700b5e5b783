"""The lines of play of Scoops."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Final

from games.engine.chance import Chance, game_seed
from games.rules.scoops.contract import Contract
from games.rules.scoops.contract import contract as contract_of
from games.rules.scoops.state import Round
from tests.conformance.recorder import Play, Wrong, line
from tests.rules.scoops.tables import groups

TO_COMPARE: Final = 6


def games(
    goal: str, rule: str | None = None, special: str | None = "", seats: int = 2, **options: Any
) -> Iterator[Play]:
    """Yield games whose first round has this goal, rule and special ("" is any)."""
    for number in range(1, 100_000):
        made = terms(number)
        if made.goal.name == goal and rule in (None, made.rule.name) and special in ("", made.special):
            yield Play("scoops", seats, number, **options)


def opened(
    goal: str, rule: str | None = None, special: str | None = "", seats: int = 2, **options: Any
) -> Play:
    """Return the first of such games."""
    return next(games(goal, rule, special, seats, **options))


def terms(number: int) -> Contract:
    """Return the contract that the dice of a secret's first round make."""
    dice = Chance(game_seed(number.to_bytes(32, "big"), ())).dice("round/1/dice", 4)
    return contract_of(dice[0] + dice[1], dice[2], dice[3])


def table(play: Play) -> Round:
    return play.state.round  # type: ignore[no-any-return]


def draw(play: Play, source: str | int = "deck") -> int:
    """Let the seat in play draw; return the seat."""
    seat = table(play).seat
    play.seat(seat, "draw", source=source)
    return seat


def turn(play: Play, **discard: Any) -> int:
    """Draw from the deck and discard that card, with what else the discard says; return the seat."""
    seat = draw(play)
    play.seat(seat, "discard", card=table(play).hand[-1], **discard)
    return seat


def collect(play: Play, seat: int, cards: str) -> None:
    """Play on until the seat has drawn and holds these cards, all others helping it."""
    wanted, number = Counter(cards.split()), table(play).number
    while table(play).number == number:
        missing = wanted - Counter(table(play).hands[seat])
        own = table(play).seat == seat
        draw(play, source_for(play, {*missing}, own=own))
        missing = wanted - Counter(table(play).hands[seat])
        if not missing and own:
            return
        let_go(play, missing, wanted if own else Counter())
    raise Wrong(f"seat {seat} never holds {cards}")


def source_for(play: Play, missing: set[str], *, own: bool) -> str | int:
    """Return from where to draw: what is wanted, or back what would be buried, or from the deck."""
    for pile, cards in enumerate(table(play).discards):
        if cards and cards[-1] in missing and (own or pile == table(play).seat):
            return pile
    return "deck"


def let_go(play: Play, missing: Counter[str], kept: Counter[str]) -> None:
    """Let the seat in play discard: a card that is wanted elsewhere, or one that nobody wants."""
    now = table(play)
    shown = {pile[-1] for pile in now.discards if pile}
    free: list[str] = list((Counter[str](now.hand) - kept).elements())
    free = [card for card in reversed(free) if card != now.taken]
    if not kept:
        given = [card for card in free if card in missing and not shown & {*missing}]
        free = given or [card for card in free if card not in missing] or free
    play.seat(now.seat, "discard", card=free[0])


def having(
    cards: str, goal: str, rule: str, special: str | None = "", seats: int = 2, **options: Any
) -> tuple[Play, int]:
    """Return a game in which the seat in play has drawn and holds these cards, and that seat.

    It is the shortest of the first few such games.
    """
    made = games(goal, rule, special, seats, **options)
    best = prepared(made, lambda play: collect(play, table(play).start, cards))
    return best, table(best).seat


def prepared(made: Iterator[Play], prepare: Callable[[Play], object]) -> Play:
    """Return the shortest of the first few games that could be prepared: not all decks last so long."""
    best = islice((play for play in made if succeeds(prepare, play)), TO_COMPARE)
    return min(best, key=lambda play: len(play.exchanges))


def succeeds(prepare: Callable[[Play], object], play: Play) -> bool:
    """Prepare a game; return whether it could be done."""
    try:
        prepare(play)
    except Wrong:
        return False
    return True


@line("scoops", "C1", "C2", "C3")
def the_deal() -> Play:
    """Packs by seats, eight cards each, a starting seat drawn by chance, who alone may move."""
    play = Play("scoops", 4, 3, round_limit=2)
    start = table(play).start
    play.look()
    play.sees(None, deck=2 * 54 - 4 * 8, hands=[8] * 4, discards=[[]] * 4, start=start, turn=start)
    play.refused((start + 1) % 4, "C2", "draw", source="deck")
    while table(play).number == 1:
        turn(play)
    play.sees(None, round=2, start=(start + 1) % 4)
    return play


@line("scoops", "C1")
def nine_seats() -> Play:
    """Nine seats play with three packs."""
    play = Play("scoops", 9, 1)
    play.look()
    play.sees(None, deck=3 * 54 - 9 * 8)
    return play


def won_bowl(**options: Any) -> tuple[Play, int]:
    """Return a game whose first round the starting seat has just won by three sets, and that seat."""
    play, seat = having("4C 4D 4H 9C 9D 9H JC JD JH", "Bowl", "Vanilla", "7", **options)
    play.seat(seat, "lay_down", groups=groups("book 4C 4D 4H + book 9C 9D 9H + book JC JD JH"))
    return play, seat


@line("scoops", "C4", "C5", "C6", "C12")
def the_lowest_assigns() -> Play:
    """The one seat with the lowest score assigns the dice, each die once, before anyone plays."""
    play, winner = won_bowl(target=2)
    lowest = 1 - winner
    play.row(winner=winner, scores=[int(seat == winner) for seat in range(2)], bonus=0)
    play.look()
    play.sees(lowest, turn=lowest, phase="assign", special=None, rule=None, goal=None)
    play.offered(lowest, "assign")
    play.refused(winner, "C2", "assign", special=[0, 1], rule=2, goal=3)
    play.refused(lowest, "C4", "draw", source="deck")
    play.refused(lowest, "C4", "assign", special=[0, 0], rule=1, goal=2)
    play.refused(lowest, "C4", "assign", special=[0, 1], rule=1, goal=2)
    play.malformed(lowest, "assign", special=[0, 4], rule=1, goal=2)
    dice = table(play).dice
    made = contract_of(dice[3] + dice[1], dice[2], dice[0])
    play.seat(lowest, "assign", special=[3, 1], rule=2, goal=0)
    play.sees(None, special=made.special, rule=made.rule.name, goal=made.goal.name, phase="draw")
    play.refused(table(play).seat, "C4", "assign", special=[0, 1], rule=2, goal=3)
    while table(play).phase != "assign":
        turn(play)
    play.clock(lowest)
    play.sees(None, assigned={"special": [0, 1], "rule": 2, "goal": 3})
    return play
