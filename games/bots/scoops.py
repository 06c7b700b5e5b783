"""A bot for Scoops: counts how much of the goal its hand holds, and which unseen cards would add to it.

It plays from its own view and choices alone. Where a lay-down wins, or sets are best for Coffee, `choices`
has computed them exactly; here is only the judgement of what to take and what to throw away.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import Any, Final, TypeAlias

from games.engine.cards import SUITS, Card, rank
from games.engine.jsontypes import JsonObject
from games.engine.shapes import write
from games.rules.scoops.contract import BOWL, COFFEE, FLOAT, Contract, Part, contract, named
from games.rules.scoops.finder import Arrangement, floats, sets
from games.rules.scoops.rounds import full_deck
from games.rules.scoops.state import Laid

Offers: TypeAlias = Sequence[Mapping[str, Any]]

COVERED: Final = 1000
"""What a card that fits the goal weighs, against one unseen card that would fit too."""
GOOD_COUNT: Final = 3
"""The count in Coffee that is held to be as near to winning as a goal that wants no card."""


def knocks_at(seats: int) -> int:
    """Return the highest count with which the bot knocks.

    Among few seats the knocker's tie is worth most: with two or three, copies of the bot that knock at once
    with eight plain cards win more rounds than those that wait; from four on waiting costs nothing.
    """
    return 8 if seats <= 3 else 5


def choose(seat: int, view: Mapping[str, Any], choices: Offers) -> JsonObject:
    """Return the seat's move, from its own view and choices as JSON."""
    if view["phase"] == "assign":
        return _assignment(view, choices)
    terms = named(view["special"], view["rule"], view["goal"])
    prospect = Prospect(_hand(view), terms, _unseen(view))
    if view["phase"] == "draw":
        return _drawn(seat, view, prospect)
    return _played(view, choices, prospect)


def _hand(view: Mapping[str, Any]) -> tuple[Card, ...]:
    return tuple(map(Card, view["hand"]))


def _unseen(view: Mapping[str, Any]) -> Mapping[Card, int]:
    """Return how often each card may still come from the deck or sit in another hand."""
    unseen = Counter(full_deck(len(view["hands"])))
    for cards in (view["hand"], *view["discards"], *(laid["cards"] for laid in view["melds"])):
        unseen.subtract(cards)
    return unseen


@dataclass(frozen=True)
class Partial:
    """Cards of the hand, as a bit mask, that may become one part of the goal; ``outs`` unseen cards help."""

    mask: int
    outs: int


@dataclass(frozen=True)
class Plan:
    """Cards of the hand, as a bit mask, kept for several parts at once, and how good that is."""

    mask: int
    value: int


class Prospect:
    """How near a hand is to its goal. Float and Coffee are planned like Bowl, as sets of three."""

    def __init__(self, hand: Sequence[Card], terms: Contract, unseen: Mapping[Card, int]) -> None:
        self.hand = tuple(hand)
        self.terms = terms
        self.unseen = unseen
        self._parts = terms.goal.parts or BOWL.parts
        wild = [place for place, card in enumerate(hand) if terms.is_wild(card)]
        self._wild = wild[: len(self._parts)]

    def with_card(self, card: Card) -> "Prospect":
        """Return the prospect of the hand with one more card."""
        return Prospect((*self.hand, card), self.terms, self.unseen)

    @cached_property
    def plans(self) -> tuple[Plan, ...]:
        """Return every plan, the best first."""
        offered = {part: self._partials(part) for part in {*self._parts}}
        made = [self._plan(chosen) for chosen in _chosen(self._parts, offered)]
        return tuple(sorted(made, key=lambda plan: -plan.value))

    @property
    def covered(self) -> int:
        """Return how many cards fit the best plan."""
        return self.plans[0].value // COVERED

    def without(self, place: int) -> int:
        """Return the value of the best plan that can spare the card in that place of the hand."""
        if place in self._wild:
            return self.plans[-1].value - COVERED
        return next(plan.value for plan in self.plans if not plan.mask >> place & 1)

    def _plan(self, chosen: Sequence[tuple[Part, Partial]]) -> Plan:
        mask = sum(partial.mask for _, partial in chosen)
        open_parts = [each for each in chosen if each[1].mask.bit_count() < each[0].size]
        empty = len(self._parts) - len(chosen)
        # Any card begins a part; where a hand need not be nine cards, that alone is worth nothing.
        begun = (
            min(empty, len(self.hand) - len(self._wild) - mask.bit_count()) if self.terms.goal.parts else 0
        )
        covered = mask.bit_count() + begun + min(len(self._wild), len(open_parts) + empty)
        return Plan(mask, COVERED * covered + sum(partial.outs for _, partial in open_parts))

    def _partials(self, part: Part) -> tuple[Partial, ...]:
        """Return the ways to begin, or complete, a part with two or more natural cards."""
        missing: dict[int, set[Card]] = {}
        kinds = {"run": self._runs, "book": self._books, "pair": self._books}
        for kind in part.kinds:
            for places, wanted in kinds[kind](part.size):
                missing.setdefault(sum(1 << place for place in places), set()).update(wanted)
        return tuple(
            Partial(mask, sum(self.unseen[card] for card in cards)) for mask, cards in missing.items()
        )

    def _naturals(self) -> Iterator[tuple[int, Card]]:
        return ((place, card) for place, card in enumerate(self.hand) if place not in self._wild)

    def _books(self, size: int) -> Iterator[tuple[tuple[int, ...], Iterator[Card]]]:
        by_rank: dict[str, list[int]] = {}
        for place, card in self._naturals():
            by_rank.setdefault(rank(card), []).append(place)
        for named_rank, places in by_rank.items():
            for held in range(2, size + 1):
                for chosen in combinations(places, held):
                    yield chosen, (card for card in self.unseen if rank(card) == named_rank)

    def _runs(self, size: int) -> Iterator[tuple[tuple[int, ...], list[Card]]]:
        places = {card: place for place, card in self._naturals()}
        order = self.terms.rule.order
        for suit, start in product(SUITS, range(len(order.ranks))):
            cards = [Card(each + suit) for each in order.sequence(start, size) or ""]
            held = [card for card in cards if card in places]
            for count in range(2, len(held) + 1):
                for chosen in combinations(held, count):
                    yield tuple(places[card] for card in chosen), [c for c in cards if c not in chosen]


def _chosen(
    parts: Sequence[Part], offered: Mapping[Part, Sequence[Partial]], start: int = 0, mask: int = 0
) -> Iterator[tuple[tuple[Part, Partial], ...]]:
    """Yield every choice of disjoint partials for some of the parts, equal parts in one order only."""
    if not parts:
        yield ()
        return
    part, left = parts[0], parts[1:]
    same = left[:1] == parts[:1]
    yield from _chosen([each for each in left if each != part], offered, 0, mask)
    for index in range(start, len(offered[part])):
        partial = offered[part][index]
        if not partial.mask & mask:
            for rest in _chosen(left, offered, index + 1 if same else 0, mask | partial.mask):
                yield ((part, partial), *rest)


def _assignment(view: Mapping[str, Any], choices: Offers) -> JsonObject:
    """Return the assignment of the dice whose contract the hand is nearest to."""
    moves = [_first(choice) for choice in choices]
    return min(moves, key=lambda move: _distance(view, move))


def _distance(view: Mapping[str, Any], move: Mapping[str, Any]) -> int:
    """Return about how many turns, doubled, the hand is away from winning with these dice."""
    dice = view["dice"]
    terms = contract(sum(dice[index] for index in move["special"]), dice[move["rule"]], dice[move["goal"]])
    prospect = Prospect(_hand(view), terms, _unseen(view))
    if terms.goal == COFFEE:
        return Arrangement(prospect.hand, terms).best().count - GOOD_COUNT
    wanted = sum(part.size for part in terms.goal.parts) or len(prospect.hand)
    return 2 * (wanted - prospect.covered)


def _drawn(seat: int, view: Mapping[str, Any], prospect: Prospect) -> JsonObject:
    """Return the draw: the top card that helps most, or else an unknown one."""
    tops = {pile: Card(cards[-1]) for pile, cards in enumerate(view["discards"]) if cards}
    helps = {pile: _help(seat, view, prospect, card) for pile, card in tops.items()}
    best = max(helps, key=lambda pile: (helps[pile], -pile), default=None)
    return {"type": "draw", "from": "deck" if best is None or helps[best] <= 0 else best}


def _help(seat: int, view: Mapping[str, Any], prospect: Prospect, card: Card) -> int:
    """Return how much the card adds to the hand; 0 where it does not."""
    longer = prospect.with_card(card)
    if prospect.terms.goal == COFFEE:
        return _lowest_count(prospect) - _lowest_count(longer)
    if prospect.terms.goal == FLOAT:
        return _help_in_float(seat, view, prospect, longer)
    return longer.covered - prospect.covered


def _help_in_float(seat: int, view: Mapping[str, Any], prospect: Prospect, longer: Prospect) -> int:
    """Return how much the last card of the longer hand helps: gone at once, or kept with the others."""
    if floats(longer.hand[-1:], seat, _laid(view, prospect.terms), prospect.terms):
        return len(longer.hand)
    if sets(longer.hand, prospect.terms):
        return len(longer.hand)
    return max(map(longer.without, range(len(prospect.hand)))) // COVERED - prospect.covered


def _lowest_count(prospect: Prospect) -> int:
    """Return what the hand counts in Coffee after the best sets and, with nine cards, the best discard."""
    arrangement = Arrangement(prospect.hand, prospect.terms)
    if len(prospect.hand) % 2 == 0:
        return arrangement.best().count
    return min(arrangement.best(card).count for card in prospect.hand[:-1])


def _laid(view: Mapping[str, Any], terms: Contract) -> tuple[Laid, ...]:
    laid = []
    for each in view["melds"]:
        cards = tuple(map(Card, each["cards"]))
        reading = terms.reading(each["kind"], cards)
        assert reading is not None
        laid.append(Laid(each["id"], each["seat"], each["kind"], cards, reading, scoop=False))
    return tuple(laid)


def _played(view: Mapping[str, Any], choices: Offers, prospect: Prospect) -> JsonObject:
    """Return what the seat does with nine cards, by goal."""
    offered = {choice["type"]: choice for choice in reversed(choices)}
    if "lay_down" in offered:
        return _first(offered["lay_down"])
    if prospect.terms.goal == COFFEE:
        return _coffee(view, choices, prospect)
    if "meld" in offered:
        sets = Arrangement(prospect.hand, prospect.terms).best().sets
        return {"type": "meld", "groups": [write(group) for group in sets]}
    if "float" in offered and (float_move := _float(choices, prospect)):
        return float_move
    if "keep" in offered:
        return {"type": "keep"}
    return {
        "type": "discard",
        "card": _least_missed(prospect, offered["discard"]["fields"]["card"]["values"]),
    }


def _float(choices: Offers, prospect: Prospect) -> JsonObject | None:
    """Return a float that wins or that costs no plan, or None: two of a kind wait better than one card."""
    moves = [
        {**_first(choice), "cards": cards}
        for choice in choices
        if choice["type"] == "float"
        for cards in choice["fields"]["cards"]["values"]
    ]
    if {*prospect.hand} <= {move["cards"][0] for move in moves}:
        return moves[0]
    best = prospect.plans[0].mask
    spare = [move for move in moves if not best >> prospect.hand.index(move["cards"][0]) & 1]
    return spare[0] if spare else None


def _coffee(view: Mapping[str, Any], choices: Offers, prospect: Prospect) -> JsonObject:
    """Return the discard that leaves the lowest count, with a knock where that is low enough."""
    arrangement = Arrangement(prospect.hand, prospect.terms)
    cards = {
        choice["fields"]["card"]["values"][0]: choice for choice in choices if "melds" in choice["fields"]
    }
    card = min(cards, key=lambda card: (arrangement.best(card).count, -_spared(prospect, card)))
    rest = arrangement.best(card)
    sets = {"melds": [write(group) for group in rest.sets]} if rest.sets else {}
    if view["knocker"] is not None:
        return {"type": "discard", "card": card, **sets}
    if rest.count <= knocks_at(len(view["hands"])):
        return {"type": "discard", "card": card, "knock": True, **sets}
    return {"type": "discard", "card": card}


def _least_missed(prospect: Prospect, cards: Sequence[Card]) -> Card:
    return max(cards, key=lambda card: _spared(prospect, card))


def _spared(prospect: Prospect, card: Card) -> int:
    """Return how good the hand stays without the card."""
    return prospect.without(prospect.hand.index(card))


def _first(choice: Mapping[str, Any]) -> dict[str, Any]:
    """Return the move with the first value of each required field."""
    fields = {
        name: field["values"][0] for name, field in choice["fields"].items() if not field.get("optional")
    }
    return {"type": choice["type"], **fields}
