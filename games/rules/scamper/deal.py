"""The draw for the first deal, the deal of a round, and added packs (S5 to S7, S28)."""

from typing import Final

from games.engine.cards import JOKER, RANKS, Card, pack, rank
from games.engine.chance import Chance
from games.engine.draws import Amount, Draw, Shuffle, Without
from games.engine.messages import text
from games.engine.values import replace
from games.rules.scamper.options import DEUCES, PACKS, Options
from games.rules.scamper.state import Adjustment, Draws, Round, State

NOT_COUNTED: Final = frozenset({JOKER}) | DEUCES
_NO_JOKERS: Final = Without((JOKER,), "wild_cards", "none")
_DEAL: Final = Shuffle(
    "round/#/deal", pack(), Amount("packs", PACKS), without=_NO_JOKERS, hands=(Amount("hand_size"),)
)
DRAWS: Final[tuple[Draw, ...]] = (
    Shuffle("first-dealer/draw/#", pack()),
    _DEAL,
    replace(_DEAL, purpose="round/#/deal/attempt/#"),
    Shuffle("round/#/pack/#", pack(), without=_NO_JOKERS),
)
"""What is drawn by chance (S5, S7, S28)."""


def opened(options: Options, seats: int, chance: Chance) -> State:
    """Return the state after the first deal, with the first dealer's bonus (S5, S6)."""
    draws = drawings(chance, seats)
    dealer = _best(draws[-1])[0]
    table = dealt(options, chance, number=1, dealer=dealer, seats=seats)
    if points := options.first_dealer_bonus:
        why = text("A bonus for dealing first; the lowest total wins.")
        table = table.adjusted(Adjustment.of(dealer, "first_dealer", why, points=points))
    return State(options, chance, draws, table)


def drawings(chance: Chance, seats: int) -> tuple[Draws, ...]:
    """Return the draws for the first deal; one seat alone has the highest card in the last (S5)."""
    draws = [_drawing(chance, 1, tuple(range(seats)))]
    while len(best := _best(draws[-1])) > 1:
        draws.append(_drawing(chance, len(draws) + 1, best))
    return tuple(draws)


def _drawing(chance: Chance, number: int, seats: tuple[int, ...]) -> Draws:
    """Return a draw from a new shuffled pack: each seat draws until its card counts."""
    cards = iter(chance.shuffled(f"first-dealer/draw/{number}", pack()))
    drawn = []
    for _ in seats:
        turned = [next(cards)]
        while turned[-1] in NOT_COUNTED:
            turned.append(next(cards))
        drawn.append(tuple(turned))
    return Draws(seats, tuple(drawn))


def _best(draws: Draws) -> tuple[int, ...]:
    """Return the seats that drew the highest rank."""
    ranks = [RANKS.index(rank(cards[-1])) for cards in draws.cards]
    return tuple(seat for seat, drawn in zip(draws.seats, ranks, strict=True) if drawn == max(ranks))


def dealt(
    options: Options, chance: Chance, *, number: int, dealer: int, seats: int, attempt: int = 0
) -> Round:
    """Return a new round (S7); ``attempt`` counts its deals before that were repeated (S28)."""
    again = f"/attempt/{attempt}" if attempt else ""
    cards = chance.shuffled(f"round/{number}/deal{again}", options.all_packs(seats))
    size = options.hand_size
    stock = cards[seats * size :]
    return Round(
        number=number,
        dealer=dealer,
        seat=(dealer + 1) % seats,
        hands=tuple(cards[seat * size : (seat + 1) * size] for seat in range(seats)),
        stock=stock[:-1],
        discards=stock[-1:],
        attempt=attempt,
    )


def another_pack(state: State) -> tuple[Card, ...]:
    """Return the next added pack, shuffled (S28)."""
    number = state.round.added + 1
    return state.chance.shuffled(f"round/{state.round.number}/pack/{number}", state.options.one_pack())
