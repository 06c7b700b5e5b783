"""A bot for Scoops: it counts how much of the goal its hand has, and which unseen cards would help.

It uses only its view and choices. The choices list winning lay-downs and the best sets for Coffee; the bot
decides what to take and what to discard.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import Any, Final, TypeAlias

from games.engine.cards import SUITS, Card, rank
from games.engine.jsontypes import JsonObject
from games.engine.policy import Level
from games.engine.shapes import write
from games.rules.scoops.contract import BOWL, COFFEE, FLOAT, Contract, Part, contract, named
from games.rules.scoops.finder import Arrangement, floats, sets
from games.rules.scoops.rounds import full_deck
from games.rules.scoops.state import Laid

Offers: TypeAlias = Sequence[Mapping[str, Any]]

SLIPS: Final[Mapping[Level, int]] = {"easy": 50, "medium": 25}
"""In how many of 100 decisions the weaker bots make any legal move."""
COVERED: Final = 1000
"""The value of a card that fits the goal; an unseen card that would fit has value 1."""
GOOD_COUNT: Final = 3
"""The count in Coffee that is rated like a goal without missing cards."""


def knocks_at(seats: int) -> int:
    """Return the highest count with which the bot knocks.

    With few seats winning ties is worth most: in games of two or three bots, knocking at once with eight
    plain cards wins more rounds than waiting; with four or more, waiting costs nothing.
    """
    return 8 if seats <= 3 else 5


def choose(seat: int, view: Mapping[str, Any], choices: Offers) -> JsonObject:
    """Return the move of the seat from its view and choices, given as JSON."""
    if view["phase"] == "assign":
        return _assignment(view, choices)
    terms = named(view["special"], view["rule"], view["goal"])
    prospect = Prospect(_hand(view), terms, _unseen(view))
    if view["phase"] == "draw":
        if knock := _knock(view, choices, prospect):
            return knock
        return _drawn(seat, view, prospect)
    return _played(view, choices, prospect)


def _hand(view: Mapping[str, Any]) -> tuple[Card, ...]:
    return tuple(map(Card, view["hand"]))


def _unseen(view: Mapping[str, Any]) -> Mapping[Card, int]:
    """Return how many of each card are in the deck and the other hands together."""
    unseen = Counter(full_deck(len(view["hands"])))
    for cards in (view["hand"], *view["discards"], *(laid["cards"] for laid in view["melds"])):
        unseen.subtract(cards)
    return unseen


@dataclass(frozen=True)
class Partial:
    """Cards of the hand, as a bit mask, that may become a part of the goal with ``outs`` unseen cards."""

    mask: int
    outs: int


@dataclass(frozen=True)
class Plan:
    """Cards of the hand, as a bit mask, to keep for several parts, and the value of this plan."""

    mask: int
    value: int


class Prospect:
    """How near a hand is to its goal. Plans for Float and Coffee are sets of three, as for Bowl."""

    def __init__(self, hand: Sequence[Card], terms: Contract, unseen: Mapping[Card, int]) -> None:
        self.hand = tuple(hand)
        self.terms = terms
        self.unseen = unseen
        self._parts = terms.goal.parts or BOWL.parts
        wild = [index for index, card in enumerate(hand) if terms.is_wild(card)]
        self._wild = wild[: len(self._parts)]

    def with_card(self, card: Card) -> "Prospect":
        """Return the prospect of the hand with one more card."""
        return Prospect((*self.hand, card), self.terms, self.unseen)

    @cached_property
    def plans(self) -> tuple[Plan, ...]:
        """Return all plans, the best first."""
        offered = {part: self._partials(part) for part in {*self._parts}}
        made = [self._plan(chosen) for chosen in _chosen(self._parts, offered)]
        return tuple(sorted(made, key=lambda plan: -plan.value))

    @property
    def covered(self) -> int:
        """Return how many cards fit the best plan."""
        return self.plans[0].value // COVERED

    def without(self, index: int) -> int:
        """Return the value of the best plan that does not need the card at an index of the hand."""
        if index in self._wild:
            return self.plans[-1].value - COVERED
        return next(plan.value for plan in self.plans if not plan.mask >> index & 1)

    def _plan(self, chosen: Sequence[tuple[Part, Partial]]) -> Plan:
        mask = sum(partial.mask for _, partial in chosen)
        open_parts = [each for each in chosen if each[1].mask.bit_count() < each[0].size]
        empty = len(self._parts) - len(chosen)
        # Any card begins a part, but in Float and Coffee, which have no parts, that has no value.
        spare = len(self.hand) - len(self._wild) - mask.bit_count()
        begun = min(empty, spare) if self.terms.goal.parts else 0
        covered = mask.bit_count() + begun + min(len(self._wild), len(open_parts) + empty)
        return Plan(mask, COVERED * covered + sum(partial.outs for _, partial in open_parts))

    def _partials(self, part: Part) -> tuple[Partial, ...]:
        """Return the ways to begin or complete a part with two or more natural cards."""
        missing: dict[int, set[Card]] = {}
        kinds = {"run": self._runs, "book": self._books, "pair": self._books}
        for kind in part.kinds:
            for indexes, wanted in kinds[kind](part.size):
                missing.setdefault(sum(1 << index for index in indexes), set()).update(wanted)
        return tuple(
            Partial(mask, sum(self.unseen[card] for card in cards)) for mask, cards in missing.items()
        )

    def _naturals(self) -> Iterator[tuple[int, Card]]:
        return ((index, card) for index, card in enumerate(self.hand) if index not in self._wild)

    def _books(self, size: int) -> Iterator[tuple[tuple[int, ...], Iterator[Card]]]:
        by_rank: dict[str, list[int]] = {}
        for index, card in self._naturals():
            by_rank.setdefault(rank(card), []).append(index)
        for named_rank, indexes in by_rank.items():
            for held in range(2, size + 1):
                for chosen in combinations(indexes, held):
                    yield chosen, (card for card in self.unseen if rank(card) == named_rank)

    def _runs(self, size: int) -> Iterator[tuple[tuple[int, ...], list[Card]]]:
        indexes = {card: index for index, card in self._naturals()}
        order = self.terms.rule.order
        for suit, start in product(SUITS, range(len(order.ranks))):
            cards = [Card(each + suit) for each in order.sequence(start, size) or ""]
            held = [card for card in cards if card in indexes]
            for count in range(2, len(held) + 1):
                for chosen in combinations(held, count):
                    yield tuple(indexes[card] for card in chosen), [c for c in cards if c not in chosen]


def _chosen(
    parts: Sequence[Part], offered: Mapping[Part, Sequence[Partial]], start: int = 0, mask: int = 0
) -> Iterator[tuple[tuple[Part, Partial], ...]]:
    """Yield every combination of disjoint partials for some of the parts, equal parts in one order only."""
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
    """Return the assignment of the dice with the contract nearest to the hand."""
    moves = [_first(choice) for choice in choices]
    return min(moves, key=lambda move: _distance(view, move))


def _distance(view: Mapping[str, Any], move: Mapping[str, Any]) -> int:
    """Return about twice the number of turns that the hand needs to win with these dice."""
    dice = view["dice"]
    terms = contract(sum(dice[index] for index in move["special"]), dice[move["rule"]], dice[move["goal"]])
    prospect = Prospect(_hand(view), terms, _unseen(view))
    if terms.goal == COFFEE:
        return Arrangement(prospect.hand, terms).best().count - GOOD_COUNT
    wanted = sum(part.size for part in terms.goal.parts) or len(prospect.hand)
    return 2 * (wanted - prospect.covered)


def _drawn(seat: int, view: Mapping[str, Any], prospect: Prospect) -> JsonObject:
    """Return the draw of the discard that helps most, or from the deck if none helps."""
    tops = {pile: Card(cards[-1]) for pile, cards in enumerate(view["discards"]) if cards}
    helps = {pile: _help(seat, view, prospect, card) for pile, card in tops.items()}
    best = max(helps, key=lambda pile: (helps[pile], -pile), default=None)
    return {"type": "draw", "from": "deck" if best is None or helps[best] <= 0 else best}


def _help(seat: int, view: Mapping[str, Any], prospect: Prospect, card: Card) -> int:
    """Return how much the card helps; 0 or less if it does not."""
    longer = prospect.with_card(card)
    if prospect.terms.goal == COFFEE:
        return _lowest_count(prospect) - _lowest_count(longer)
    if prospect.terms.goal == FLOAT:
        return _help_in_float(seat, view, prospect, longer)
    return longer.covered - prospect.covered


def _help_in_float(seat: int, view: Mapping[str, Any], prospect: Prospect, longer: Prospect) -> int:
    """Return how much the last card of the longer hand helps, laid at once or kept."""
    if floats(longer.hand[-1:], seat, _laid(view, prospect.terms), prospect.terms):
        return len(longer.hand)
    if sets(longer.hand, prospect.terms):
        return len(longer.hand)
    return max(map(longer.without, range(len(prospect.hand)))) // COVERED - prospect.covered


def _lowest_count(prospect: Prospect) -> int:
    """Return the count of the hand in Coffee after the best sets and, with nine cards, the best discard."""
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
    """Return the move after the draw, by goal."""
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
    cards = offered["discard"]["fields"]["card"]["values"]
    return {"type": "discard", "card": max(cards, key=lambda card: _value_without(prospect, card))}


def _float(choices: Offers, prospect: Prospect) -> JsonObject | None:
    """Return a float that wins or that the best plan does not need, or None."""
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
    """Return the discard that leaves the lowest count, with a knock if the count is low enough."""
    arrangement = Arrangement(prospect.hand, prospect.terms)
    cards = {
        choice["fields"]["card"]["values"][0]: choice for choice in choices if "melds" in choice["fields"]
    }
    card = min(cards, key=lambda card: (arrangement.best(card).count, -_value_without(prospect, card)))
    rest = arrangement.best(card)
    sets = {"melds": [write(group) for group in rest.sets]} if rest.sets else {}
    if view["knocker"] is not None:
        return {"type": "discard", "card": card, **sets}
    if rest.count <= knocks_at(len(view["hands"])):
        return {"type": "discard", "card": card, "knock": True, **sets}
    return {"type": "discard", "card": card}


def _knock(view: Mapping[str, Any], choices: Offers, prospect: Prospect) -> JsonObject | None:
    """Return a knock before the next draw where any player may, with a count that is low enough (C18)."""
    if all(choice["type"] != "knock" for choice in choices):
        return None
    rest = Arrangement(prospect.hand, prospect.terms).best()
    if rest.count > knocks_at(len(view["hands"])):
        return None
    return {"type": "knock", "melds": [write(group) for group in rest.sets]}


def _value_without(prospect: Prospect, card: Card) -> int:
    return prospect.without(prospect.hand.index(card))


def _first(choice: Mapping[str, Any]) -> dict[str, Any]:
    """Return the move with the first value of each required field."""
    fields = {
        name: field["values"][0] for name, field in choice["fields"].items() if not field.get("optional")
    }
    return {"type": choice["type"], **fields}
