"""A bot for Scamper: it collects the contract, lays it down at once, and then lays all it can.

It uses only its view and choices. The choices list what can be laid, laid off and swapped; the bot decides
what to take, what to discard and when to challenge.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import chain
from typing import Any, Final, NamedTuple, TypeAlias

from games.engine.base import read_typed
from games.engine.cards import RANKS, SUITS, Card, rank
from games.engine.jsontypes import JsonObject
from games.engine.policy import Level
from games.engine.values import replace
from games.rules.scamper import laying
from games.rules.scamper.finder import EFFORT, NOTHING_ASKED, best_layout
from games.rules.scamper.judging import lay_off_fault, wild_limit
from games.rules.scamper.moves import MOVES, Kind, LayOff
from games.rules.scamper.onto import targets
from games.rules.scamper.options import WILD, Contract, Options
from games.rules.scamper.scoring import VALUE
from games.rules.scamper.state import Lays, TableMeld

Offers: TypeAlias = Sequence[Mapping[str, Any]]

SLIPS: Final[Mapping[Level, int]] = {"easy": 65, "medium": 30}
"""In how many of 100 decisions the weaker bots make any legal move."""
COVERED: Final = 1000
"""The value of a card that fits the contract; an unseen card that would fit has value 1."""
CONSIDERED: Final = 8
"""How many ways to begin each set or run of the contract are compared."""


@dataclass(frozen=True)
class Table:
    """What the bot knows from its view; ``unseen`` counts the cards that it cannot see."""

    seat: int
    hand: tuple[Card, ...]
    top: Card | None
    contract: Contract
    options: Options
    melds: tuple[TableMeld, ...]
    down: bool
    unseen: Mapping[Card, int]

    @property
    def wild(self) -> frozenset[Card]:
        """Return the wild cards."""
        return self.options.wild

    def with_card(self, card: Card) -> "Table":
        """Return the table with one more card in the bot's hand."""
        return replace(self, hand=(*self.hand, card))


def choose(seat: int, view: Mapping[str, Any], choices: Offers) -> JsonObject:
    """Return the move of an awaited seat from its view and choices, given as JSON."""
    table = _table(seat, view)
    if _should_challenge(view, table, choices):
        return {"type": "challenge"}
    match view["phase"]:
        case "begin":
            takes = table.top is not None and _wants(table, table.top)
            return {"type": "take" if takes else "draw"}
        case "offer":
            return {"type": "accept" if _accepts(table) else "decline"}
        case "answer":
            return {"type": "concede"}
        case _:
            return _laid(table, choices) or _discard(table, choices)


def _table(seat: int, view: Mapping[str, Any]) -> Table:
    wild = frozenset(map(Card, view["wild"]))
    named = next(name for name, cards in WILD.items() if cards == wild)
    options = Options(wild_cards=named, aces=view["aces"], strict_ratio=view["strict_ratio"])
    contract = Contract(tuple(view["contract"]["sets"]), tuple(view["contract"]["runs"]))
    hand = tuple(map(Card, view["hand"]))
    melds, down = _melds(view["melds"]), seat in view["down"]
    return Table(seat, hand, view["discard"], contract, options, melds, down, _unseen(view, options))


def _melds(listed: Sequence[Mapping[str, Any]]) -> tuple[TableMeld, ...]:
    return tuple(TableMeld(**{**each, "cards": tuple(map(Card, each["cards"]))}) for each in listed)


def _unseen(view: Mapping[str, Any], options: Options) -> Mapping[Card, int]:
    """Return how many of each card are in the stock and the other hands together."""
    seen = [*view["hand"], *view["discards"], *(card for meld in view["melds"] for card in meld["cards"])]
    hidden = view["stock"] + sum(view["hands"]) - len(view["hand"])
    pack = options.one_pack()
    unseen = Counter(pack * ((len(seen) + hidden) // len(pack)))
    unseen.subtract(map(Card, seen))
    return unseen


def _should_challenge(view: Mapping[str, Any], table: Table, choices: Offers) -> bool:
    """Return whether the last turn can be challenged and laid something illegal (S30)."""
    last = view["challenge"]
    if last is None or all(choice["type"] != "challenge" for choice in choices):
        return False
    moves = tuple(read_typed(MOVES, move) for move in last["laid"])
    lays = Lays(last["seat"], _melds(last["melds"]), tuple(last["down"]), moves)
    return laying.turn_fault(lays, table.contract, table.options) is not None


def _accepts(table: Table) -> bool:
    """Return whether to accept the offered discard with the extra card (S9)."""
    if table.down or table.top is None:
        return False
    return len(table.hand) < table.contract.asked or _wants(table, table.top)


def _wants(table: Table, card: Card) -> bool:
    """Return whether the card helps with the contract, or can be laid if that is down."""
    if card in table.wild:
        return True
    if table.down:
        return _can_lay_off(table, card) or _makes_meld(table, card)
    return Prospect(table.with_card(card)).covered > Prospect(table).covered


def _can_lay_off(table: Table, card: Card) -> bool:
    """Return whether the card can be laid off by itself (S19)."""
    return any(
        lay_off_fault(target.meld, LayOff(target.meld.id, (card,), target.end), table.options) is None
        for target in targets(table.melds)
    )


def _makes_meld(table: Table, card: Card) -> bool:
    """Return whether the card makes a new meld with other cards in hand (S20)."""
    before, after = (_left(table, hand) for hand in (table.hand, (*table.hand, card)))
    return after < before + VALUE[card]


def _left(table: Table, hand: tuple[Card, ...]) -> int:
    """Return the points left in a hand after the best melds, if the contract is down (S20)."""
    layout = best_layout(hand, NOTHING_ASKED, table.options, effort=EFFORT)
    assert layout is not None, "the empty layout is always possible"
    return layout.left


def _laid(table: Table, choices: Offers) -> JsonObject | None:
    """Return the next melds to lay, else a swap for a wild card, else a lay-off, or None."""
    by_type: dict[str, list[JsonObject]] = {"meld": [], "swap": [], "lay_off": []}
    for choice in choices:
        if choice["type"] in by_type:
            by_type[choice["type"]] += _moves(choice)
    stays = cache(partial(_can_lay_off, table))
    swaps = (move for move in by_type["swap"] if not stays(Card(str(move["card"]))))
    lay_offs = sorted(by_type["lay_off"], key=lambda move: -len(move["cards"]))  # type: ignore[arg-type]
    offered = chain(by_type["meld"], () if table.options.strict_ratio else swaps, lay_offs)
    return next((move for move in offered if _is_legal(table, move)), None)


def _moves(choice: Mapping[str, Any]) -> Iterator[JsonObject]:
    """Yield the moves of a choice of which one field at most has several values."""
    firsts = {name: field["values"][0] for name, field in choice["fields"].items()}
    several = max(choice["fields"], key=lambda name: len(choice["fields"][name]["values"]))
    for value in choice["fields"][several]["values"]:
        yield {"type": choice["type"], **firsts, several: value}


def _is_legal(table: Table, move: JsonObject) -> bool:
    """Return whether the move is legal; where melds are not checked, choices also list illegal ones."""
    laid = read_typed(MOVES, move)
    fault = laying.fault(table.melds, table.seat, laid, table.contract, table.options, down=table.down)
    return fault is None


def _discard(table: Table, choices: Offers) -> JsonObject:
    """Return the discard of the least useful card; of several, that which counts most."""
    fields = next(choice["fields"] for choice in choices if choice["type"] == "discard")
    able = [Card(card) for card in fields["card"]["values"]]
    if table.down:
        card = max(able, key=lambda card: (VALUE[card], card))
    else:
        prospect = Prospect(table)
        card = max(able, key=lambda card: (prospect.without(card), VALUE[card], card))
    return {"type": "discard", "card": card, **({"scamper": True} if "scamper" in fields else {})}


class Plan(NamedTuple):
    """Cards of the hand, as a bit mask, to keep for the contract, their value, and the gaps for wild ones."""

    mask: int
    worth: int
    gaps: int


@dataclass(frozen=True)
class Partial:
    """Natural cards of the hand, as a bit mask, that may become one meld of the contract.

    ``held`` of them count towards its ``size``, and so would each of ``outs`` unseen cards.
    """

    mask: int
    held: int
    size: int
    outs: int

    def as_plan(self) -> Plan:
        """Return the plan of keeping these cards alone."""
        missing = max(self.size - self.held, 0)
        worth = COVERED * min(self.held, self.size) + (self.outs if missing else 0)
        return Plan(self.mask, worth, min(missing, wild_limit(self.size)))


class Prospect:
    """How near a hand is to the contract."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.naturals = [(index, card) for index, card in enumerate(table.hand) if card not in table.wild]
        self.wild = len(table.hand) - len(self.naturals)

    @cached_property
    def plans(self) -> Mapping[int, int]:
        """Return the value of the best plan that keeps these cards of the hand, given as a bit mask."""
        contract = self.table.contract
        parts: list[tuple[Kind, int]] = [("set", size) for size in contract.sets]
        parts += [("run", size) for size in contract.runs]
        values: dict[int, int] = {}
        for mask, worth, gaps in _chosen([self._partials(kind, size) for kind, size in parts]):
            value = worth + COVERED * min(self.wild, gaps)
            values[mask] = max(value, values.get(mask, value))
        return values

    @property
    def covered(self) -> int:
        """Return how many cards of the contract the best plan has."""
        return max(self.plans.values()) // COVERED

    def without(self, card: Card) -> int:
        """Return the value of the best plan that does not need one of these cards, or -1."""
        needed = sum(1 << index for index, held in enumerate(self.table.hand) if held == card)
        return max((value for mask, value in self.plans.items() if mask & needed != needed), default=-1)

    def _partials(self, kind: Kind, size: int) -> list[Partial]:
        """Return the best ways to begin or complete a meld of the contract, and last that of not doing so."""
        found = self._sets(size) if kind == "set" else self._runs(size)
        best = sorted(found, key=lambda each: (-each.held, -each.outs, each.mask))
        return [*best[:CONSIDERED], Partial(0, 0, size, 0)]

    def _sets(self, size: int) -> Iterator[Partial]:
        for named in RANKS[1:]:
            held = [index for index, card in self.naturals if rank(card) == named]
            if held:
                outs = sum(self.table.unseen[Card(named + suit)] for suit in SUITS)
                yield Partial(sum(1 << index for index in held), len(held), size, outs)

    def _runs(self, size: int) -> Iterator[Partial]:
        where = {card: index for index, card in enumerate(self.table.hand)}
        ranks = self.table.options.run_order.ranks
        for suit in SUITS:
            for low in range(len(ranks) - size + 1):
                cards = [Card(named + suit) for named in ranks[low : low + size]]
                held = [where[card] for card in cards if card in where]
                if held:
                    outs = sum(self.table.unseen[card] for card in cards if card not in where)
                    yield Partial(sum(1 << index for index in held), len(held), size, outs)


def _chosen(offered: Sequence[Sequence[Partial]]) -> Sequence[tuple[int, int, int]]:
    """Return a plan for every way to choose a partial for each meld that uses no card twice."""
    plans: list[tuple[int, int, int]] = [Plan(0, 0, 0)]
    for partials in offered:
        added = [each.as_plan() for each in partials]
        plans = [
            (mask | more, worth + its_worth, gaps + its_gaps)
            for mask, worth, gaps in plans
            for more, its_worth, its_gaps in added
            if not mask & more
        ]
    return plans
