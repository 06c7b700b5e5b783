"""What a gesture at the table can mean in Scamper."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, product
from typing import Final

from games.engine.cards import (
    JOKER,
    MORE,
    SMALLEST,
    Card,
    as_run,
    described,
    is_begun,
    rank,
    set_readings,
    suit,
)
from games.engine.gestures import Gesture, Judged, Meaning, Note, Standing, cards_in
from games.engine.messages import Message, all_of, both, plural, text
from games.engine.messages import seat as seat_named
from games.engine.refusals import Illegal
from games.rules.scamper.judging import holds, lacks, meld_fault, reading
from games.rules.scamper.moves import (
    Accept,
    Challenge,
    Concede,
    Decline,
    Discard,
    Draw,
    Group,
    LayOff,
    Meld,
    Move,
    Swap,
    Take,
)
from games.rules.scamper.options import Options
from games.rules.scamper.state import POINTS, Round, State, TableMeld, scamper_due
from games.rules.scamper.turns import discardable

# ---- Runs ----------------------------------------------------------------------------------------


def what_is_wrong(group: Group, options: Options) -> Message | None:
    """Return which cards of a run are of another suit, or how many are missing between them.

    None where it is neither, so that the rule itself has to do.
    """
    naturals = [card for card in group.cards if card not in options.wild]
    if len(group.cards) < SMALLEST or len(naturals) < 2:
        return None
    return _other_suit(naturals) or _missing(naturals, len(group.cards) - len(naturals), options)


def _other_suit(naturals: Sequence[Card]) -> Message | None:
    ((most, _), *_) = Counter(map(suit, naturals)).most_common()
    odd = [str(card) for card in naturals if suit(card) != most]
    others = [str(card) for card in naturals if suit(card) == most]
    if not odd:
        return None
    return plural(
        "%(odd)s is not of the suit of %(others)s.",
        "%(odd)s are not of the suit of %(others)s.",
        len(odd),
        odd=both(odd),
        others=both(others),
    )


def _missing(naturals: Sequence[Card], wild: int, options: Options) -> Message | None:
    low, high, gap = _closest(naturals, options.run_order.ranks)
    if gap <= wild:
        return None
    missing = plural("%(count)s card is missing", "%(count)s cards are missing", gap)
    wilds = plural("there is %(count)s wild card", "there are %(count)s wild cards", wild)
    return text(
        "Between %(low)s and %(high)s %(missing)s; %(wilds)s.",
        low=low,
        high=high,
        missing=missing,
        wilds=wilds,
    )


def _closest(naturals: Sequence[Card], ranks: str) -> tuple[Card, Card, int]:
    """Return the lowest and the highest card where they lie closest, and how many are missing."""
    places = [[place for place, each in enumerate(ranks) if each == rank(card)] for card in naturals]
    spread = min(product(*places), key=lambda taken: max(taken) - min(taken))
    low, high = min(spread), max(spread)
    return (
        naturals[spread.index(low)],
        naturals[spread.index(high)],
        high - low + 1 - len(set(spread)),
    )


# ---- Gestures ------------------------------------------------------------------------------------

PLAY: Final = text("Pick the card that you discard, or cards that belong together, to put them aside.")
SAY_SCAMPER: Final = Note(
    plural(
        "This leaves you one card: say Scamper with the discard, or you get %(count)s point.",
        "This leaves you one card: say Scamper with the discard, or you get %(count)s points.",
        POINTS["undeclared"],
    ),
    "S31",
)
OWN_DISCARD: Final = Standing(
    "own discard",
    Decline(),
    text("Always decline my own discard"),
    text("Your own discard is declined for you."),
    text("Ask me about my own discard again"),
)
WILD_DOWN: Final = Note(
    text("Tap a meld to lay it off: a wild card can only be discarded as your last card, going out."), "S23"
)
WILD_EARLY: Final = Note(
    text("Pick the cards that it goes with: a wild card can only be discarded as your last card, going out."),
    "S23",
)
DRAW_FIRST: Final = Note(text("Take a card first: cards are laid and discarded after that."), "S8")
ONE_CARD: Final = Illegal("You discard one card: pick that card alone.", "S10")
ANSWERS: Final = (Accept(), Decline(), Concede(), Challenge())
PILES: Final = {"pile:deck": Draw(), "pile:discard": Take()}


def meaning(state: State, seat: int, gesture: Gesture) -> Meaning:
    """Return what a seat that may move can mean by a gesture."""
    table = state.round
    if table.phase == "play" and seat == table.seat:
        return _play(state, gesture)
    if gesture.onto not in (None, *PILES):
        return Meaning()
    if table.phase == "offer" and seat == table.left:
        accepts = gesture.onto == "pile:discard"
        answers = (Accept(),) if accepts else (Accept(), Decline(), Challenge())
        standing = OWN_DISCARD if table.offers_back else None
        return Meaning(answers, hint=_offered(table), targets=("pile:discard",), standing=standing)
    piles = [PILES[gesture.onto]] if gesture.onto in PILES else [*PILES.values()]
    begins = table.phase == "begin" and seat == table.seat
    early = [DRAW_FIRST] if begins and (gesture.picked or gesture.aside) else []
    hint = _begin(table) if begins else None
    return Meaning((*piles, *ANSWERS), hint=hint, notes=early, targets=tuple(PILES))


def _offered(table: Round) -> Message:
    """Return the question to the seat that the discard is offered to, which may have discarded it (S9)."""
    if table.offers_back:
        return text(
            "%(card)s is your own discard, which nobody took. Do you want it, with a card from the stock?",
            card=table.discards[-1],
        )
    return text(
        "Do you want %(card)s, which %(seat)s leaves? A card from the stock comes with it.",
        card=table.discards[-1],
        seat=seat_named(table.seat),
    )


def _begin(table: Round) -> Message:
    if not table.discards:
        return text("Draw from the stock.")
    return text(
        "Take %(card)s from the discard pile, or leave it and draw from the stock.", card=table.discards[-1]
    )


def _play(state: State, gesture: Gesture) -> Meaning:
    """Return what the seat in play can mean once it has a card."""
    table, cards = state.round, cards_in(gesture.picked)
    if gesture.onto and gesture.onto.startswith("meld:"):
        return Meaning(tuple(_onto(table, gesture.onto.removeprefix("meld:"), cards)))
    if gesture.onto not in (None, "pile:discard"):
        return Meaning([Draw()] if gesture.onto == "pile:deck" else [], hint=PLAY)
    if gesture.onto and len(cards) != 1:
        return Meaning(hint=PLAY, astray=ONE_CARD)
    down = table.seat in table.down
    aside = [_groups(state.options, cards_in(group), limited=not down) for group in gesture.aside if group]
    picked = [_groups(state.options, cards, limited=not down)] if len(cards) > 1 else []
    groups = (*chain.from_iterable((*aside, *picked)),)
    judged = [_judged(state.options, each, limited=not down) for each in aside]
    judged += [_judged_hand(state.options, each, limited=not down) for each in picked]
    note = None if down else _lacks(state, groups, judged)
    said = SAY_SCAMPER if len(cards) == 1 and scamper_due(table, state.options) else None
    targets = _targets(table, cards)
    wild = _wild(state, cards, down=down) if len(cards) == 1 and not gesture.onto else None
    notes = [each for each in (note, said, wild) if each]
    moves = [Meld(groups)] if groups and len(cards) != 1 and _may_lie(state, note) else []
    discards = (*_discards(state, cards[0]),) if len(cards) == 1 and not wild else ()
    costly = discards[1:]
    # A card that fits a meld is added to it rather than discarded.
    adds = [] if gesture.onto or not (discards and down) else _adds(table, cards)
    return Meaning((*moves, *adds, *discards), judged, PLAY, notes, targets, costly=costly)


def _adds(table: Round, cards: tuple[Card, ...]) -> list[Move]:
    return [move for meld in table.melds for move in _onto(table, meld.id, cards)]


def _wild(state: State, cards: Sequence[Card], *, down: bool) -> Note | None:
    """Return what a wild card that can't be discarded can be for (S23), None for any other card."""
    if cards[0] not in state.options.wild or cards[0] in discardable(state.round, state.options):
        return None
    return WILD_DOWN if down else WILD_EARLY


def _lacks(state: State, groups: Sequence[Group], judged: Sequence[Judged]) -> Note | None:
    """Return what legal melds lack for the contract (S15), None where nothing lacks or one is illegal."""
    if not groups or any(each.refusal for each in judged) or holds(groups, state.contract):
        return None
    return Note(lacks(groups, state.contract, state.options), "S15")


def _may_lie(state: State, note: Note | None) -> bool:
    """Return whether melds can be laid that lack something: only where nobody checks them (S30)."""
    return note is None or state.options.melds == "challenge"


def _targets(table: Round, cards: Sequence[Card]) -> tuple[str, ...]:
    """Return where picked cards can go: onto melds once the contract is down (S16), one to the discards."""
    melds = [f"meld:{meld.id}" for meld in table.melds] if cards and table.seat in table.down else []
    return (*melds, *(["pile:discard"] if len(cards) == 1 else []))


def _discards(state: State, card: Card) -> Iterator[Move]:
    if scamper_due(state.round, state.options):
        yield Discard(card, scamper=True)
    yield Discard(card)


def _onto(table: Round, name: str, cards: tuple[Card, ...]) -> Iterator[Move]:
    """Yield the lay-offs and swaps onto a meld."""
    meld = next((meld for meld in table.melds if meld.id == name), None)
    if meld is None or not cards:
        return
    if meld.kind == "set":
        yield LayOff(name, cards)
    else:
        yield LayOff(name, cards, "high")
        yield LayOff(name, cards, "low")
        if len(cards) > 1:
            yield LayOff(name, cards[::-1], "high")
            yield LayOff(name, cards[::-1], "low")
    # Who gives a card that fits nowhere meant to add it, so that is refused first.
    if len(cards) == 1:
        yield from _swaps(meld, cards[0])


def _swaps(meld: TableMeld, card: Card) -> Iterator[Move]:
    for place, wild in enumerate(meld.cards):
        if rank(wild) in ("2", rank(JOKER)):
            yield Swap(meld.id, card, wild, None if meld.kind == "set" else place)


def _groups(options: Options, cards: tuple[Card, ...], *, limited: bool) -> tuple[Group, ...]:
    """Return cards that are several sets together as these, others as the meld that they are nearest to."""
    ranks = Counter(map(rank, cards))
    sets = [Group("set", tuple(card for card in cards if rank(card) == each)) for each in ranks]
    if len(sets) > 1 and not any(meld_fault(each, options, limited=limited) for each in sets):
        return tuple(sets)
    return (_group(options, cards),)


def _group(options: Options, cards: tuple[Card, ...]) -> Group:
    """Return the cards as the set or run that they are, or are nearest to."""
    is_wild = options.wild.__contains__
    run = as_run(cards, options.run_order, is_wild)
    as_set, in_run = reading("set", cards, options), reading("run", run, options)
    # A deuce is natural in its own place of a run (S14).
    if as_set and in_run and len(in_run.wild) < len(as_set.wild):
        return Group("run", run)
    if any(found.rank for found in set_readings(cards, is_wild)):
        return Group("set", cards)
    naturals = [card for card in cards if not is_wild(card)]
    if len({rank(card) for card in naturals}) == len(naturals):
        return Group("run", run)
    return Group("set", cards)


def _judged_hand(options: Options, groups: Sequence[Group], *, limited: bool) -> Judged:
    """Return what is judged of picked cards: two of one rank or suit are the beginning of a meld."""
    (group, *others) = groups
    if others or not is_begun(group.cards, options.run_order, options.wild.__contains__):
        return _judged(options, groups, limited=limited)
    rule = "S12" if group.kind == "set" else "S13"
    return Judged(described(group.kind, group.cards), Illegal(MORE, rule), begun=True)


def _judged(options: Options, groups: Sequence[Group], *, limited: bool) -> Judged:
    (group, *others) = groups
    if others:
        *before, last = (described(each.kind, each.cards) for each in groups)
        return Judged(text("%(before)s, %(part)s", before=all_of(before), part=last))
    fault = meld_fault(group, options, limited=limited)
    wrong = what_is_wrong(group, options) if fault and fault.rule == "S13" else None
    refusal = Illegal(wrong or fault.sentence, fault.rule) if fault else None
    return Judged(described(group.kind, group.cards), refusal)
