"""What a gesture at the table can mean in Scoops."""

from collections.abc import Iterator, Sequence
from typing import Final

from games.engine.cards import Card, rank
from games.engine.gestures import Gesture, Judged, Meaning, cards_in, numbers_in
from games.engine.melds import as_run, described
from games.engine.messages import text
from games.engine.refusals import Illegal
from games.rules.scoops.contract import COFFEE, FLOAT, Contract
from games.rules.scoops.groups import check
from games.rules.scoops.moves import Assign, Discard, Draw, Float, Group, Keep, LayDown, Meld, Move
from games.rules.scoops.state import Round, State

DICE: Final = 4
ASSIGN: Final = text("Pick the two dice of the special, then the die of the rule. The last is the goal’s.")
DRAW: Final = text("Draw from the deck or from a discard pile.")
PLAY: Final = text("Pick the card that you discard. Cards that belong together you pick and put aside first.")


def meaning(state: State, gesture: Gesture) -> Meaning:
    """Return what the seat in play can mean by a gesture."""
    table = state.round
    match table.phase:
        case "assign":
            return Meaning(_assignments(gesture.picked), hint=ASSIGN)
        case "draw":
            return Meaning(_draws(gesture.onto), hint=DRAW)
        case _:
            return _play(table, gesture)


def _assignments(picked: Sequence[str]) -> Sequence[Move]:
    """Return the assignment of dice picked as special, special, rule; the last one is the goal (C4)."""
    dice = [number for (number,) in numbers_in(picked, "die") if number < DICE]
    if not DICE - 1 <= len({*dice}) == len(dice):
        return ()
    first, second, rule = dice[:3]
    (goal,) = {*range(DICE)} - {first, second, rule}
    return (Assign((first, second), rule, goal),)


def _draws(onto: str | None) -> Sequence[Move]:
    if onto in (None, "pile:deck"):
        return (Draw("deck"),)
    return tuple(Draw(pile) for (pile,) in numbers_in([onto or ""], "pile"))


def _play(table: Round, gesture: Gesture) -> Meaning:
    contract, cards = table.contract, cards_in(gesture.picked)
    aside = [_group(contract, cards_in(group)) for group in gesture.aside if cards_in(group)]
    picked = [_group(contract, cards)] if len(cards) > 1 else []
    if gesture.onto and gesture.onto.startswith("meld:"):
        return Meaning(tuple(_floats(gesture.onto, cards, contract)))
    moves = tuple(_moves(table, aside, picked, cards))
    return Meaning(moves, [_judged(contract, group) for group in (*aside, *picked)], PLAY)


def _moves(
    table: Round, aside: Sequence[Group], picked: Sequence[Group], cards: Sequence[Card]
) -> Iterator[Move]:
    """Yield the moves with the groups put aside and the picked cards, for the goal of the round."""
    groups, card = (*aside, *picked), cards[0] if len(cards) == 1 else None
    match table.contract.goal:
        case goal if goal == FLOAT:
            if groups:
                yield Meld(groups)
            if len(table.hand) == 1:
                yield Keep()
            elif card:
                yield Discard(card)
        case goal if goal == COFFEE:
            if card:
                yield from _coffee_discards(table, card, tuple(aside))
        case _:
            if groups:
                yield LayDown(groups, card)
            if card:
                yield Discard(card)


def _coffee_discards(table: Round, card: Card, melds: tuple[Group, ...]) -> Iterator[Move]:
    if table.knocker is not None:
        yield Discard(card, melds=melds)
        return
    yield Discard(card, knock=True, melds=melds)
    yield Discard(card)


def _floats(onto: str, cards: tuple[Card, ...], contract: Contract) -> Iterator[Move]:
    for (meld,) in numbers_in([onto], "meld"):
        if cards:
            yield Float(meld, cards)
            yield Float(meld, cards, "high")
            yield Float(meld, cards, "low")
            yield Float(meld, cards[::-1], "low")


def _group(contract: Contract, cards: tuple[Card, ...]) -> Group:
    """Return the cards as the group that they are, or are nearest to."""
    if len(cards) <= 2:
        return Group("pair", cards)
    if contract.readings("book", cards):
        return Group("book", cards)
    run = as_run(cards, contract.rule.order, contract.is_wild)
    if contract.readings("run", run) or len({rank(card) for card in cards}) == len(cards):
        return Group("run", run)
    return Group("book", cards)


def _judged(contract: Contract, group: Group) -> Judged:
    words = described(group.kind, group.cards)
    try:
        check(contract, group)
    except Illegal as refusal:
        return Judged(words, refusal)
    scoop = contract.is_scoop(group.kind, group.cards)
    return Judged(text("%(group)s, a scoop", group=words) if scoop else words)
