"""How the first dealer is found, how a round is dealt, and where another pack comes from (S5 to S7, S28)."""

from typing import Final

from games.engine.cards import RANKS, Card, pack, rank
from games.engine.chance import Chance
from games.rules.scamper.options import DEUCES, Options
from games.rules.scamper.state import Draws, Round, State

NOT_COUNTED: Final = frozenset({Card("JK")}) | DEUCES


def opened(options: Options, seats: int, chance: Chance) -> State:
    """Return the state after the first deal, the first dealer's bonus given (S5, S6)."""
    draws = drawings(chance, seats)
    dealer = _best(draws[-1])[0]
    table = dealt(options, chance, number=1, dealer=dealer, seats=seats)
    bonus = options.first_dealer_bonus
    return State(options, chance, draws, table.adjusted(dealer, "first_dealer", bonus) if bonus else table)


def drawings(chance: Chance, seats: int) -> tuple[Draws, ...]:
    """Return the drawings for the first deal, the last of them won by one seat alone (S5)."""
    found = [_drawing(chance, 1, tuple(range(seats)))]
    while len(best := _best(found[-1])) > 1:
        found.append(_drawing(chance, len(found) + 1, best))
    return tuple(found)


def _drawing(chance: Chance, number: int, seats: tuple[int, ...]) -> Draws:
    """Return a drawing from a freshly shuffled pack: each seat draws until its card counts."""
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
    """Return a round as it begins (S7); ``attempt`` counts the deals of it that came to nothing (S28)."""
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
    """Return one more shuffled pack, as the round's stock (S28)."""
    number = state.round.added + 1
    return state.chance.shuffled(f"round/{state.round.number}/pack/{number}", state.options.one_pack())
