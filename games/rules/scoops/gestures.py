"""What a gesture at the table can mean in Scoops."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from games.engine.cards import MORE, SMALLEST, Card, as_run, described, is_begun, rank
from games.engine.gestures import Gesture, Judged, Meaning, Note, cards_in, numbers_in
from games.engine.messages import all_of, both, text
from games.engine.refusals import Illegal
from games.engine.values import replace
from games.rules.scoops import dice
from games.rules.scoops.contract import COFFEE, FLOAT, PAIR, Contract
from games.rules.scoops.finder import Arrangement
from games.rules.scoops.groups import check, check_no_pair
from games.rules.scoops.moves import Discard, Draw, Float, Group, Keep, Knock, LayDown, Meld, Move
from games.rules.scoops.state import Round, State
from games.rules.scoops.turns import lacking

DRAW: Final = text("Draw from the deck, or take the top card of a discard pile.")
ONLY_DECK: Final = text("Draw from the deck.")
DRAW_FIRST: Final = Note(text("Draw first: cards are laid and discarded after that."), "C14")
PLAY: Final = text("Pick the card that you discard, or cards that belong together, to put them aside.")
DISCARD_TOO: Final = Note(text("Now pick the card that you discard with it."), "C16")
KNOCK: Final = Note(
    text("Now pick the card that you discard; these sets are laid when you knock with it."), "C18"
)
KNOCK_NOW: Final = text("You may knock until the next card is drawn: pick the sets that you lay with it.")
LAST_TURN: Final = Note(text("Now pick the card that you discard; these sets are laid with it."), "C18")
ASSIGN_FIRST: Final = Note(text("First assign the dice."), "C4")
ONE_CARD: Final = Illegal("You discard one card: pick that card alone.", "C15")
OTHERS_PILE: Final = Illegal("You discard onto your own pile.", "C15")
MOST_APART: Final = 10
"""Of so many picked cards several sets are told apart: more are in no hand."""


def meaning(state: State, seat: int, gesture: Gesture) -> Meaning:
    """Return what a seat that may move can mean by a gesture."""
    table = state.round
    if seat != table.seat:
        return _knock(table.contract, gesture)
    match table.phase:
        case "assign":
            return _assign(table, gesture)
        case "draw" if seat in state.may_knock:
            return _draw_or_knock(table, gesture)
        case "draw":
            return _draw(table, gesture)
        case _:
            return _play(table, gesture)


def _knock(contract: Contract, gesture: Gesture) -> Meaning:
    """Return the knock of a seat that has not drawn, with the groups put aside and picked (C18)."""
    if gesture.onto:
        return Meaning(hint=KNOCK_NOW)
    aside, picked, judged = _groups(contract, gesture)
    return Meaning((Knock((*aside, *picked)),), judged, hint=KNOCK_NOW)


def _draw_or_knock(table: Round, gesture: Gesture) -> Meaning:
    knock, draw = _knock(table.contract, gesture), _draw(table, gesture)
    return knock if knock.groups else replace(draw, moves=(*draw.moves, *knock.moves))


def _assign(table: Round, gesture: Gesture) -> Meaning:
    """Return what dice mean; cards and piles are for later (C4)."""
    if gesture.onto:
        return Meaning(astray=Illegal(ASSIGN_FIRST.text, ASSIGN_FIRST.rule))
    if cards_in(gesture.picked) or gesture.aside:
        return Meaning(hint=dice.ASSIGN, notes=[ASSIGN_FIRST])
    return dice.meaning(table.dice, gesture.picked)


def _draw(table: Round, gesture: Gesture) -> Meaning:
    """Return where a card can be drawn from; picked cards are for later (C14)."""
    piles = [f"pile:{seat}" for seat, pile in enumerate(table.discards) if pile]
    hint = DRAW if piles else ONLY_DECK
    early = [DRAW_FIRST] if gesture.picked or gesture.aside else []
    if early and gesture.onto == f"pile:{table.seat}" and gesture.onto not in piles:
        return Meaning(astray=Illegal(DRAW_FIRST.text, DRAW_FIRST.rule))
    return Meaning(_draws(gesture.onto), hint=hint, notes=early, targets=("pile:deck", *piles))


def _draws(onto: str | None) -> Sequence[Move]:
    if onto in (None, "pile:deck"):
        return (Draw("deck"),)
    return tuple(Draw(pile) for (pile,) in numbers_in([onto or ""], "pile"))


def _play(table: Round, gesture: Gesture) -> Meaning:
    contract, cards = table.contract, cards_in(gesture.picked)
    own_pile = f"pile:{table.seat}"
    if gesture.onto and gesture.onto.startswith("meld:"):
        return Meaning(tuple(_floats(gesture.onto, cards, contract)))
    if gesture.onto not in (None, own_pile):
        is_pile = bool(numbers_in([gesture.onto or ""], "pile"))
        late = () if is_pile and cards else _draws(gesture.onto)
        return Meaning(late, hint=PLAY, astray=OTHERS_PILE if is_pile else None)
    if gesture.onto and len(cards) != 1:
        return Meaning(hint=PLAY, astray=ONE_CARD)
    aside, picked, judged = _groups(contract, gesture)
    note = None if any(each.refusal for each in judged) else _note(table, (*aside, *picked), cards)
    moves = tuple(_moves(table, aside, picked, cards))
    if note:
        moves = tuple(move for move in moves if not isinstance(move, LayDown))
    targets = (*_floatable(table, cards), *([own_pile] if len(cards) == 1 else []))
    return Meaning(moves, judged, PLAY, [note] if note else [], targets)


def _groups(contract: Contract, gesture: Gesture) -> tuple[list[Group], list[Group], list[Judged]]:
    """Return the groups put aside, the one of several picked cards, and how all are judged."""
    cards = cards_in(gesture.picked)
    aside = [_apart(contract, cards_in(group)) for group in gesture.aside if cards_in(group)]
    picked = _apart(contract, cards) if len(cards) > 1 else []
    judged = [_judged_together(contract, groups) for groups in aside]
    in_hand = [_judged_hand(contract, picked)] if picked else []
    return [group for groups in aside for group in groups], picked, [*judged, *in_hand]


def _apart(contract: Contract, cards: tuple[Card, ...]) -> list[Group]:
    """Return cards that are several sets together as these, others as the group that they are nearest to."""
    whole = _group(contract, cards)
    if 2 * SMALLEST <= len(cards) <= MOST_APART and _judged(contract, whole).refusal:
        found = Arrangement(cards, contract).best().sets
        if sum(len(group.cards) for group in found) == len(cards):
            return [*found]
    return [whole]


def _floatable(table: Round, cards: Sequence[Card]) -> tuple[str, ...]:
    """Return the sets that cards can be floated onto (C17)."""
    if table.contract.goal != FLOAT or not cards or all(laid.seat != table.seat for laid in table.melds):
        return ()
    return tuple(f"meld:{laid.id}" for laid in table.melds if laid.seat != table.seat)


def _note(table: Round, groups: Sequence[Group], cards: Sequence[Card]) -> Note | None:
    """Return what legal groups still lack for the goal, None where nothing lacks or one is too much."""
    goal = table.contract.goal
    if not groups:
        return None
    if goal == COFFEE:
        return None if len(cards) == 1 else KNOCK if table.knocker is None else LAST_TURN
    open_parts = lacking(goal.parts, groups) if goal.parts else None
    if open_parts:
        counted = [part.counted(count) for part, count in Counter(open_parts).items()]
        still = text("%(goal)s still lacks %(parts)s.", goal=goal.name, parts=both(counted))
        return Note(still, "C16")
    return DISCARD_TOO if open_parts == [] and goal.discards and len(cards) != 1 else None


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
    yield Discard(card)
    yield Discard(card, knock=True, melds=melds)


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


def _judged_together(contract: Contract, groups: Sequence[Group]) -> Judged:
    """Return what is judged of cards that lie together: of several sets, which they are."""
    if len(groups) == 1:
        return _judged(contract, groups[0])
    *before, last = (described(group.kind, group.cards) for group in groups)
    return Judged(text("%(before)s, %(part)s", before=all_of(before), part=last))


def _judged_hand(contract: Contract, groups: Sequence[Group]) -> Judged:
    """Return what is judged of picked cards: two of one rank or suit can be the beginning of a set."""
    judged, group = _judged_together(contract, groups), groups[0]
    if judged.refusal is None or not is_begun(group.cards, contract.rule.order, contract.is_wild):
        return judged
    return Judged(judged.text, Illegal(MORE, "C10"), begun=True)


def _judged(contract: Contract, group: Group) -> Judged:
    words = described(group.kind, group.cards)
    try:
        if PAIR not in contract.goal.parts:
            check_no_pair([group])
        check(contract, group)
    except Illegal as refusal:
        return Judged(words, refusal)
    scoop = contract.is_scoop(group.kind, group.cards)
    return Judged(text("%(group)s, a scoop", group=words) if scoop else words)
