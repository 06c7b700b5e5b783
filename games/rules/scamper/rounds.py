"""The end of turns and rounds, and the next round (S5, S24 to S29)."""

from typing import Final

from games.engine.cards import JOKER, RANKS, Card, pack, rank
from games.engine.chance import Amount, Chance, Draw, Shuffle, Without
from games.engine.messages import text
from games.engine.values import replace
from games.rules.scamper.options import DEUCES, PACKS, Options
from games.rules.scamper.scoring import points
from games.rules.scamper.state import Adjustment, Draws, Lays, Round, Row, State

# ---- Dealing -------------------------------------------------------------------------------------

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


# ---- Rounds --------------------------------------------------------------------------------------

MOST_TURNS: Final = 60
MOST_ADDED: Final = 6


def turn_ended(state: State, discard: Card) -> State:
    """Return the state after a discard; one that ends the round may be challenged first (S30)."""
    if state.options.melds == "checked":
        return settled(state)
    table = state.round
    lays = table.lays or Lays(table.seat, table.melds, table.down)
    # The turn of a seat that has left does not replace the one that may still be challenged.
    if lays.seat == table.seat:
        lays = replace(lays, discard=discard)
    state = replace(state, round=replace(table, lays=lays))
    return replace(state, round=replace(state.round, phase="answer")) if _ends(state) else settled(state)


def _ends(state: State) -> bool:
    """Return whether the turn ends the deal: a seat is out, or no turn can follow (S24, S28, S29)."""
    return not state.round.hand or _at_limit(state) or (not state.round.stock and not _may_add(state))


def _at_limit(state: State) -> bool:
    return state.round.turn >= MOST_TURNS * state.round.seats


def _may_add(state: State) -> bool:
    return state.options.stock_out == "add_pack" and state.round.added < MOST_ADDED


def settled(state: State) -> State:
    """Return the state after a turn that is challenged no more: the next turn, deal or round."""
    if not _ends(state):
        return _next_turn(state if state.round.stock else _with_pack(state))
    table, options = state.round, state.options
    replays = options.stock_out == "replay" and table.attempt < options.max_replays
    if not table.hand or _at_limit(state) or not replays:
        return _finished(state)
    return _dealt_again(state)


def _next_turn(state: State) -> State:
    table = state.round
    return replace(state, round=replace(table, phase="begin", seat=table.left, turn=table.turn + 1))


def _with_pack(state: State) -> State:
    """Return the state with one more pack as the stock (S28)."""
    table = replace(state.round, stock=another_pack(state), added=state.round.added + 1)
    return replace(state, round=table)


def _dealt_again(state: State) -> State:
    """Return the state after the same dealer has dealt again; adjustments are kept (S28, S32)."""
    table = state.round
    again = dealt(
        state.options,
        state.chance,
        number=table.number,
        dealer=table.dealer,
        seats=table.seats,
        attempt=table.attempt + 1,
    )
    again = replace(again, adjustments=table.adjustments)
    void = replace(state, round=replace(table, phase="over", lays=None), ended=None)
    return replace(state, round=again, turns=state.turns + table.turn, ended=void)


def _finished(state: State) -> State:
    """Return the state after the round is scored and the next one dealt by the seat to the left (S5, S25)."""
    table = state.round
    row = Row(
        number=table.number,
        dealer=table.dealer,
        contract=state.contract,
        out=None if table.hand else table.seat,
        cards=tuple(map(points, table.hands)),
        adjustments=table.adjustments,
    )
    over = replace(table, phase="over", adjustments=(), lays=None)
    scored = replace(state, rows=(*state.rows, row), round=over, ended=None)
    if table.number == len(state.options.played):
        return replace(scored, ended=scored)
    dealer = (table.dealer + 1) % table.seats
    following = dealt(state.options, state.chance, number=table.number + 1, dealer=dealer, seats=table.seats)
    return replace(scored, round=following, turns=state.turns + table.turn, ended=scored)
