"""What the lines of Scamper are made from: cards found in a hand, and games in whose deals they are."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

from games.engine.cards import RANKS, Card, rank
from games.rules.scamper.state import Round
from tests.conformance.recorder import Missing as Missing
from tests.conformance.recorder import Play, searched

ONE_SET: Final = [{"sets": [3], "runs": []}]
SHORT: Final[dict[str, Any]] = {"hand_size": 13, "passing": "off", "contracts": ONE_SET, "packs": 2}
"""Options for a hand in which much can be found, and a contract that is soon laid."""


def scamper(
    *shows: str, seats: int = 2, start: int = 1, **options: Any
) -> Callable[[Callable[[Play], None]], None]:
    """Register a line of Scamper, with these options beside `SHORT`; ``...`` leaves one at its default."""
    given = {name: value for name, value in {**SHORT, **options}.items() if value is not ...}
    return searched("scamper", *shows, seats=seats, start=start, **given)


def table(play: Play) -> Round:
    return play.state.round  # type: ignore[no-any-return]


def hand(play: Play, seat: int | None = None) -> list[Card]:
    """Return a hand, that of the seat in play unless another is named."""
    now = table(play)
    return [*now.hands[now.seat if seat is None else seat]]


def wild(play: Play, cards: Sequence[Card], number: int, kind: str = "") -> list[Card]:
    """Return so many wild cards; ``kind`` is the rank, empty for any."""
    found = [card for card in cards if card in play.state.options.wild and (not kind or rank(card) == kind)]
    return enough(found, number)


def enough(found: Sequence[Card], number: int) -> list[Card]:
    if len(found) < number:
        raise Missing
    return [*found[:number]]


def without(cards: Sequence[Card], *used: Sequence[Card]) -> list[Card]:
    """Return the cards without those that are used."""
    return [*(Counter(cards) - sum((Counter(each) for each in used), Counter())).elements()]


def naturals(play: Play, cards: Sequence[Card]) -> list[Card]:
    return [card for card in cards if card not in play.state.options.wild]


def same(cards: Sequence[Card], number: int) -> list[Card]:
    """Return so many cards of one rank from 3 to ace."""
    for each in RANKS[1:]:
        found = [card for card in cards if rank(card) == each]
        if len(found) >= number:
            return found[:number]
    raise Missing


def straight(cards: Sequence[Card], ranks: str | int) -> list[Card]:
    """Return cards of one suit with these ranks, or so many in sequence, the deuce left out."""
    wanted = [ranks] if isinstance(ranks, str) else [RANKS[low : low + ranks] for low in range(1, 14 - ranks)]
    for each in wanted:
        for one in "CDHS":
            run = [Card(f"{named}{one}") for named in each]
            if not Counter(run) - Counter(cards):
                return run
    raise Missing


def mixed(cards: Sequence[Card], number: int = 3) -> list[Card]:
    """Return so many cards of ranks from 3 to ace that are all different."""
    return enough([*{rank(card): card for card in cards if rank(card) in RANKS[1:]}.values()], number)


def begin(play: Play) -> int:
    """Let the seat in play draw; return the seat."""
    seat = table(play).seat
    play.seat(seat, "draw")
    return seat


def groups(*laid: tuple[str, Sequence[Card]]) -> list[dict[str, Any]]:
    """Return the JSON of melds, each a kind and its cards."""
    return [{"kind": kind, "cards": [*cards]} for kind, cards in laid]


def lay(play: Play, *laid: tuple[str, Sequence[Card]]) -> None:
    """Let the seat in play lay melds."""
    play.seat(table(play).seat, "meld", melds=groups(*laid))


def no_meld(play: Play, rule: str, *laid: tuple[str, Sequence[Card]]) -> None:
    """Let the seat in play try melds that a rule forbids."""
    play.refused(table(play).seat, rule, "meld", melds=groups(*laid))


def go_down(play: Play) -> list[Card]:
    """Let the seat in play draw and lay a set as its contract; return what it still holds."""
    begin(play)
    laid = same(naturals(play, hand(play)), 3)
    lay(play, ("set", laid))
    return hand(play)


def discard(play: Play, *cards: Card, **fields: Any) -> None:
    """Let the seat in play discard a card, of none a natural one."""
    held = hand(play)
    card = cards[0] if cards else enough(naturals(play, held) or held, 1)[0]
    said = {"scamper": True} if len(held) == 2 and play.state.options.declare_scamper else {}
    play.seat(table(play).seat, "discard", card=card, **said, **fields)


def turn(play: Play) -> None:
    """Let the seat in play draw and discard."""
    begin(play)
    discard(play)


def collect(play: Play, seat: int, number: int) -> list[Card]:
    """Play on until the seat has drawn and holds so many cards of one rank, the other seat helping."""
    while True:
        if table(play).seat == seat:
            top = table(play).discards[-1:]
            of_ranks = Counter(rank(card) for card in naturals(play, hand(play)))
            if top and of_ranks[rank(top[0])] >= 2 and top[0] not in play.state.options.wild:
                play.seat(seat, "take")
            else:
                begin(play)
            if any(many >= number for each, many in of_ranks.items() if each != "2"):
                return same(naturals(play, hand(play)), number)
            keep = {each for each, many in of_ranks.items() if many >= 2}
            loose = [card for card in naturals(play, hand(play)) if rank(card) not in keep]
            discard(play, *loose[:1])
        else:
            turn(play)


POINTS: Final = {"": 50, "2": 20, "A": 20, **dict.fromkeys("34567", 5)}


def points(cards: Sequence[Card]) -> int:
    """Return the points of cards as a scorekeeper counts them (S3)."""
    return sum(POINTS.get(rank(card), 10) for card in cards)
