"""The choices of a seat, and the default move of the clock."""

from collections.abc import Sequence
from typing import assert_never

from games.engine.cards import Card
from games.engine.choosing import Choice, FieldChoice, choice
from games.engine.jsontypes import Json
from games.engine.messages import text
from games.engine.shapes import write
from games.rules.scoops.contract import COFFEE, FLOAT
from games.rules.scoops.finder import Arrangement, Rest, floats, sets, winning_lay_down
from games.rules.scoops.moves import Discard, Draw, Group, Keep, Move
from games.rules.scoops.state import IN_ORDER, Round, State

ABOUT_SETS = text("Any sets of your hand, several at once too. Books in any order, runs from low to high.")
ABOUT_GROUPS = text("Any groups of your hand that are what the goal asks for; this is one way.")
ABOUT_OWN_GROUPS = text("Any groups of your hand that are what the goal asks for.")
ABOUT_FLOATS = text("Several cards at once too; for a run written from low to high.")
ABOUT_OWN_MELDS = text("Any sets of the cards left after the discard.")
ABOUT_KNOCK = text("Any sets of your hand. The listed ones leave the fewest points in hand.")
ABOUT_MELDS = text(
    "Any sets of the cards left after the discard. The listed ones leave the fewest points in hand."
)


def choices(state: State, seat: int) -> tuple[Choice, ...]:
    """Return what the seat may do now; lay-downs and sets for Coffee are computed exactly."""
    knock = (_knocks(state.round, seat),) if seat in state.may_knock else ()
    return (*_in_turn(state.round, seat), *knock)


def _in_turn(table: Round, seat: int) -> tuple[Choice, ...]:
    if table.phase == "over" or seat != table.seat:
        return ()
    match table.phase:
        case "assign":
            return _assignments()
        case "draw":
            return (_draws(table),)
        case "play":
            return _plays(table)
        case _:
            assert_never(table.phase)


def unaided(state: State, seat: int) -> tuple[Choice, ...]:
    """Return what the seat may do now, whatever its hand makes: the player finds that out."""
    table = state.round
    if seat in state.may_knock:
        return (*_in_turn(table, seat), choice("knock", melds=_own(ABOUT_SETS, optional=True)))
    if table.phase != "play" or seat != table.seat:
        return choices(state, seat)
    goal = table.contract.goal
    match goal:
        case _ if goal == FLOAT:
            onto = [meld.id for meld in table.melds if meld.seat != table.seat]
            floats = choice(
                "float", meld=onto, cards=_own(ABOUT_FLOATS), end=FieldChoice(("low", "high"), optional=True)
            )
            return (choice("meld", groups=_own(ABOUT_SETS)), *([floats] if onto else []), _float_end(table))
        case _ if goal == COFFEE:
            melds = _own(ABOUT_OWN_MELDS, optional=True)
            with_sets = choice("discard", card=discardable(table), melds=melds, knock=_knock(table))
            return (with_sets,) if table.knocker is not None else (_discards(table), with_sets)
        case _:
            card = FieldChoice((*discardable(table),), optional=True) if goal.discards else None
            return (choice("lay_down", groups=_own(ABOUT_OWN_GROUPS), discard=card), _discards(table))


def _own(about: str, *, optional: bool = False) -> FieldChoice:
    """Return a field for cards that the player puts together."""
    return FieldChoice(complete=False, optional=optional, about=about)


def _assignments() -> tuple[Choice, ...]:
    """Return the twelve ways to assign the dice, each as a choice (C4)."""
    pairs = [(first, second) for first in range(4) for second in range(first + 1, 4)]
    return tuple(
        choice("assign", special=[list(pair)], rule=[rule], goal=[goal])
        for pair in pairs
        for rule in range(4)
        for goal in range(4)
        if len({*pair, rule, goal}) == 4
    )


def _draws(table: Round) -> Choice:
    sources: list[Json] = ["deck", *(seat for seat, pile in enumerate(table.discards) if pile)]
    return choice("draw", **{"from": sources})


def _plays(table: Round) -> tuple[Choice, ...]:
    goal = table.contract.goal
    if goal == FLOAT:
        return (*_melds(table), *_floats(table), _float_end(table))
    if goal == COFFEE:
        return _coffee_plays(table)
    return (*_lay_downs(table), _discards(table))


def discardable(table: Round) -> list[Card]:
    """Return the distinct cards that the seat in play may discard (C15), in the order of the hand."""
    return [card for card in dict.fromkeys(table.hand) if card != table.taken]


def _discards(table: Round) -> Choice:
    return choice("discard", card=discardable(table))


def _lay_downs(table: Round) -> tuple[Choice, ...]:
    """Return a winning lay-down, if there is one (C16)."""
    found = winning_lay_down(table.hand, table.contract, table.taken)
    if found is None:
        return ()
    groups = FieldChoice((_groups(found.groups),), complete=False, about=ABOUT_GROUPS)
    return (choice("lay_down", groups=groups, discard=found.discard and [found.discard]),)


def _groups(groups: tuple[Group, ...]) -> list[Json]:
    return [write(group) for group in groups]


def _float_end(table: Round) -> Choice:
    """Return how a turn in Float may end: the last card is kept."""
    return choice("keep") if len(table.hand) == 1 else _discards(table)


def _melds(table: Round) -> tuple[Choice, ...]:
    found = sets(table.hand, table.contract)
    if not found:
        return ()
    groups = tuple(_groups((group,)) for group in found)
    return (choice("meld", groups=FieldChoice(groups, complete=False, about=ABOUT_SETS)),)


def _floats(table: Round) -> tuple[Choice, ...]:
    """Return a choice for each set, and each end of a run, that a card of the hand goes onto."""
    targets: dict[tuple[int, str | None], list[list[Card]]] = {}
    for found in floats(table.hand, table.seat, table.melds, table.contract):
        targets.setdefault((found.meld, found.end), []).append([*found.cards])
    return tuple(_float_onto(meld, end, cards) for (meld, end), cards in targets.items())


def _float_onto(meld: int, end: str | None, cards: list[list[Card]]) -> Choice:
    values = FieldChoice(tuple(cards), complete=False, about=ABOUT_FLOATS)
    return choice("float", meld=[meld], cards=values, end=end and [end])


def _coffee_plays(table: Round) -> tuple[Choice, ...]:
    """Return the discards in Coffee: alone and with a knock, or with sets in a last turn (C18)."""
    arrangement = Arrangement(table.hand, table.contract)
    best = {card: arrangement.best(card) for card in discardable(table)}
    with_sets = tuple(_coffee_discard(table, card, rest) for card, rest in best.items())
    return with_sets if table.knocker is not None else (_discards(table), *with_sets)


def _coffee_discard(table: Round, card: Card, rest: Rest) -> Choice:
    values = (_groups(rest.sets),) if rest.sets else ()
    melds = FieldChoice(values, complete=False, optional=True, about=ABOUT_MELDS)
    return choice("discard", card=[card], melds=melds, knock=_knock(table))


def _knocks(table: Round, seat: int) -> Choice:
    """Return a knock after a discard, with the sets that leave the lowest count (C18)."""
    rest = Arrangement(table.hands[seat], table.contract).best()
    values = (_groups(rest.sets),) if rest.sets else ()
    return choice("knock", melds=FieldChoice(values, complete=False, optional=True, about=ABOUT_KNOCK))


def _knock(table: Round) -> Sequence[Json] | None:
    return [True] if table.knocker is None else None


def default_move(state: State) -> Move:
    """Return the move of the clock: assign the dice as rolled, draw from the deck, discard that card.

    If that card is gone or may not be discarded (C15), it discards the newest other card.
    """
    table = state.round
    if table.phase == "assign":
        return IN_ORDER
    if table.phase == "draw":
        return Draw("deck")
    if table.contract.goal == FLOAT and len(table.hand) == 1:
        return Keep()
    return Discard(next(card for card in reversed(table.hand) if card != table.taken))
