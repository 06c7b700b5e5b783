"""The moves of a turn (C4, C14 to C18): each function returns the next state and may raise `Illegal`."""

from collections import Counter
from collections.abc import Sequence

from games.engine.base import replaced
from games.engine.cards import Card, holds, without
from games.engine.messages import either, seat_first, text
from games.engine.refusals import Illegal
from games.engine.values import replace
from games.rules.scoops.contract import COFFEE, FLOAT, Contract, Part
from games.rules.scoops.groups import check, check_no_pair
from games.rules.scoops.moves import Assign, Discard, Draw, Float, Group, Knock, LayDown, Meld
from games.rules.scoops.rounds import ended, next_turn
from games.rules.scoops.state import Laid, Round, State


def assign(state: State, move: Assign) -> State:
    """Choose the dice for the special, the rule and the goal (C4)."""
    if state.round.phase != "assign":
        raise Illegal("The dice of this deal have been assigned already.", "C4")
    if len({*move.special, move.rule, move.goal}) != 4:
        raise Illegal("Each of the four dice must be used once.", "C4")
    return next_turn(state, replace(state.round, assigned=move))


def draw(state: State, move: Draw) -> State:
    """Take a card from the deck or from a discard pile (C14)."""
    table = state.round
    if table.phase == "assign":
        raise Illegal("First assign the dice.", "C4")
    if table.phase != "draw":
        raise Illegal("You have drawn a card already.", "C14")
    drawn = _from_deck(table) if move.source == "deck" else _from_pile(table, move.source)
    return replace(state, round=drawn)


def _from_deck(table: Round) -> Round:
    hands = table.hands_with((*table.hand, table.deck[-1]))
    return replace(table, hands=hands, deck=table.deck[:-1], phase="play")


def _from_pile(table: Round, pile: int) -> Round:
    if pile >= table.seats or not table.discards[pile]:
        raise Illegal("There is no card on that discard pile.", "C14")
    card = table.discards[pile][-1]
    discards = replaced(table.discards, pile, table.discards[pile][:-1])
    # C15: the card may not be discarded again, unless the hand already had an equal one.
    taken = None if card in table.hand else card
    hands = table.hands_with((*table.hand, card))
    return replace(table, hands=hands, discards=discards, taken=taken, phase="play")


def lay_down(state: State, move: LayDown) -> State:
    """Lay everything that the goal needs, and win the round (C16)."""
    table = state.round
    _check_drawn(table)
    _check_goal(table.contract, move)
    cards = _cards_of(move.groups)
    _check_held(table.hand, cards if move.discard is None else (*cards, move.discard), "C16")
    if move.discard is not None:
        table = _discarded(table, move.discard)
    return ended(replace(state, round=_laid(table, move.groups)), "lay_down", table.seat)


def _check_goal(contract: Contract, move: LayDown) -> None:
    goal = contract.goal
    if not goal.parts:
        refused = text(
            "%(goal)s is not won by one lay-down: it asks for %(asks)s.", goal=goal.name, asks=goal.asks
        )
        raise Illegal(refused, "C16")
    if not fits(goal.parts, move.groups):
        refused = text("%(goal)s asks for exactly %(asks)s.", goal=goal.name, asks=goal.asks)
        raise Illegal(refused, "C16")
    if goal.discards and move.discard is None:
        raise Illegal("%(goal)s is won with a discard.", "C16", ["discard"], goal=goal.name)
    if move.discard is not None and not goal.discards:
        raise Illegal("%(goal)s is won without a discard.", "C16", ["discard"], goal=goal.name)


def fits(parts: Sequence[Part], groups: Sequence[Group]) -> bool:
    """Return whether the groups have the kinds and exact sizes of the parts, in any order (C16)."""
    return lacking(parts, groups) == []


def lacking(parts: Sequence[Part], groups: Sequence[Group]) -> list[Part] | None:
    """Return the parts that the groups leave open, None where a group is no part (C16)."""
    wanted = list(parts)
    for group in groups:
        found = next((p for p in wanted if len(group.cards) == p.size and group.kind in p.kinds), None)
        if found is None:
            return None
        wanted.remove(found)
    return wanted


def meld(state: State, move: Meld) -> State:
    """Lay sets in Float; an empty hand wins (C17)."""
    table = state.round
    _check_drawn(table)
    _check_float(table)
    _check_held(table.hand, _cards_of(move.groups), "C17")
    check_no_pair(move.groups)
    laid = replace(state, round=_laid(table, move.groups))
    return laid if laid.round.hand else ended(laid, "meld", table.seat)


def float_cards(state: State, move: Float) -> State:
    """Add cards to another seat's set in Float; an empty hand wins (C17)."""
    table = state.round
    _check_drawn(table)
    _check_float(table)
    target = _floatable(table, move)
    _check_held(table.hand, move.cards, "C17")
    grown = _extended(table.contract, target, move)
    hands = table.hands_with(without(table.hand, move.cards))
    left = replace(table, hands=hands, melds=replaced(table.melds, target.id, grown))
    floated = replace(state, round=left)
    return floated if floated.round.hand else ended(floated, "float", table.seat)


def _floatable(table: Round, move: Float) -> Laid:
    """Return the set that the seat floats onto; raise `Illegal`."""
    if all(laid.seat != table.seat for laid in table.melds):
        raise Illegal("You may float cards once you have laid a set of your own.", "C17")
    if move.meld >= len(table.melds):
        raise Illegal("There is no set %(set)s on the table.", "C17", ["meld"], set=move.meld)
    target = table.melds[move.meld]
    if target.seat == table.seat:
        raise Illegal("Cards are floated onto the sets of other seats only.", "C17")
    if target.kind == "run" and move.end is None:
        raise Illegal("Say to which end of the run the cards go.", "C17", ["end"])
    if target.kind == "book" and move.end is not None:
        raise Illegal("A book has no ends.", "C17", ["end"])
    return target


def _extended(contract: Contract, target: Laid, move: Float) -> Laid:
    cards = (*move.cards, *target.cards) if move.end == "low" else (*target.cards, *move.cards)
    return replace(target, cards=cards, reading=check(contract, Group(target.kind, cards)))


def discard(state: State, move: Discard) -> State:
    """End the turn with a discard (C15), in Coffee maybe with a knock and sets (C18)."""
    table = state.round
    _check_drawn(table)
    _check_coffee(table, move)
    _check_held(table.hand, [*_cards_of(move.melds), move.card], "C18" if move.melds else "C15")
    if len(table.hand) == 1 and table.contract.goal == FLOAT:
        raise Illegal("You may not discard your last card: keep it.", "C17")
    check_no_pair(move.melds)
    table = _laid(_discarded(table, move.card), move.melds)
    if move.knock:
        table = replace(table, knocker=table.seat)
    return next_turn(state, table)


def knock(state: State, seat: int, move: Knock) -> State:
    """Knock after a discard, laying any sets; all others have a last turn, from the seat's left (C18)."""
    if seat not in state.may_knock:
        raise Illegal("You may knock in Coffee only, and with your discard.", "C18", ["type"])
    table = replace(state.round, seat=seat, knocker=seat)
    _check_held(table.hand, _cards_of(move.melds), "C18")
    check_no_pair(move.melds)
    return next_turn(state, _laid(table, move.melds))


def _check_coffee(table: Round, move: Discard) -> None:
    """Raise `Illegal` for a knock or sets where they are not allowed (C18)."""
    if (move.knock or move.melds) and table.contract.goal != COFFEE:
        raise Illegal("You may knock or lay sets with a discard in Coffee only.", "C18")
    if move.knock and table.knocker is not None:
        raise Illegal(
            "%(seat)s has knocked already: this is your last turn.", "C18", seat=seat_first(table.knocker)
        )
    if move.melds and not move.knock and table.knocker is None:
        raise Illegal("You may lay sets with a knock or in your last turn only.", "C18")


def keep(state: State) -> State:
    """Keep the last card in Float, which ends the turn (C17)."""
    table = state.round
    _check_drawn(table)
    _check_float(table)
    if len(table.hand) > 1:
        raise Illegal("You have more than one card left: end your turn with a discard.", "C17")
    return next_turn(state, table)


def _check_drawn(table: Round) -> None:
    if table.phase == "assign":
        raise Illegal("First assign the dice.", "C4")
    if table.phase == "draw":
        raise Illegal("First draw a card.", "C14")


def _check_float(table: Round) -> None:
    goal = table.contract.goal
    if goal != FLOAT:
        refused = text("This is a move of Float; the goal of this deal is %(goal)s.", goal=goal.name)
        raise Illegal(refused, "C17")


def _check_held(hand: Sequence[Card], cards: Sequence[Card], rule: str) -> None:
    """Raise `Illegal` with the cards that the hand lacks, counting equal ones."""
    if not holds(hand, cards):
        lacking = list((Counter(cards) - Counter(hand)).elements())
        raise Illegal("You do not hold %(cards)s.", rule, cards=either(lacking))


def _cards_of(groups: Sequence[Group]) -> Sequence[Card]:
    return [card for group in groups for card in group.cards]


def _discarded(table: Round, card: Card) -> Round:
    """Put a card of the hand on the seat's pile (C15)."""
    if card == table.taken:
        refused = text("You took %(card)s from a discard pile: you can't discard it in this turn.", card=card)
        raise Illegal(refused, "C15")
    pile = (*table.discards[table.seat], card)
    hands = table.hands_with(without(table.hand, (card,)))
    return replace(table, hands=hands, discards=replaced(table.discards, table.seat, pile))


def _laid(table: Round, groups: Sequence[Group]) -> Round:
    """Move groups from the hand to the table; the id of a group is its index there."""
    if not groups:
        return table
    laid = [_as_laid(table, number, group) for number, group in enumerate(groups, len(table.melds))]
    hands = table.hands_with(without(table.hand, _cards_of(groups)))
    return replace(table, hands=hands, melds=(*table.melds, *laid))


def _as_laid(table: Round, number: int, group: Group) -> Laid:
    contract = table.contract
    reading = check(contract, group)
    return Laid(
        number, table.seat, group.kind, group.cards, reading, contract.is_scoop(group.kind, group.cards)
    )
