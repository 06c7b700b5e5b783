"""A bot for Scamper: keeps what comes nearest to the contract, lays it as soon as it can, then all it can.

It plays from its own view and choices alone. What can be laid, laid off and swapped, `choices` has computed
exactly; here is only the judgement of what to take, what to throw away, and whom to doubt.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, TypeAlias

from games.engine.base import read_typed
from games.engine.cards import RANKS, SUITS, Card, rank
from games.engine.jsontypes import JsonObject
from games.rules.scamper import laying
from games.rules.scamper.finder import EFFORT, NOTHING_ASKED, best_layout
from games.rules.scamper.judging import lay_off_fault, wild_limit
from games.rules.scamper.moves import MOVES, Kind, LayOff
from games.rules.scamper.onto import places
from games.rules.scamper.options import WILD, Contract, Options
from games.rules.scamper.scoring import VALUE
from games.rules.scamper.state import Lays, TableMeld

Offers: TypeAlias = Sequence[Mapping[str, Any]]

COVERED: Final = 1000
"""What a card that fits the contract weighs, against one unseen card that would fit too."""
CONSIDERED: Final = 8
"""How many beginnings of a set or run of the contract are weighed against each other."""


@dataclass(frozen=True)
class Table:
    """What the bot reads off its view; ``unseen`` counts the cards that are in nobody's sight."""

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
        """Return the cards that may stand for others."""
        return self.options.wild

    def with_card(self, card: Card) -> "Table":
        """Return the table with one more card in the bot's hand."""
        return replace(self, hand=(*self.hand, card))


def choose(seat: int, view: Mapping[str, Any], choices: Offers) -> JsonObject:
    """Return the move of a seat for whom the game waits, from its own view and choices as JSON."""
    table = _table(seat, view)
    if _doubts(view, table, choices):
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
    options = Options(wild_cards=named, strict_ratio=view["strict_ratio"])
    contract = Contract(tuple(view["contract"]["sets"]), tuple(view["contract"]["runs"]))
    return Table(
        seat,
        tuple(map(Card, view["hand"])),
        None if view["discard"] is None else Card(view["discard"]),
        contract,
        options,
        _melds(view["melds"]),
        seat in view["down"],
        _unseen(view, options),
    )


def _melds(listed: Sequence[Mapping[str, Any]]) -> tuple[TableMeld, ...]:
    return tuple(
        TableMeld(each["id"], each["seat"], each["kind"], tuple(map(Card, each["cards"]))) for each in listed
    )


def _unseen(view: Mapping[str, Any], options: Options) -> Mapping[Card, int]:
    """Return how often each card may still come from the stock or sit in another hand."""
    seen = [*view["hand"], *view["discards"], *(card for meld in view["melds"] for card in meld["cards"])]
    hidden = view["stock"] + sum(view["hands"]) - len(view["hand"])
    pack = options.one_pack()
    unseen = Counter(pack * ((len(seen) + hidden) // len(pack)))
    unseen.subtract(map(Card, seen))
    return unseen


def _doubts(view: Mapping[str, Any], table: Table, choices: Offers) -> bool:
    """Return whether something laid in the last turn was not legal, and may be challenged (S30)."""
    last = view["challenge"]
    if last is None or all(choice["type"] != "challenge" for choice in choices):
        return False
    moves = tuple(read_typed(MOVES, move) for move in last["laid"])
    lays = Lays(last["seat"], _melds(last["melds"]), tuple(last["down"]), moves)  # type: ignore[arg-type]
    return laying.turn_fault(lays, table.contract, table.options) is not None


def _accepts(table: Table) -> bool:
    """Return whether the offered discard is worth the card that comes with it (S9)."""
    if table.down or table.top is None:
        return False
    return len(table.hand) < table.contract.asked or _wants(table, table.top)


def _wants(table: Table, card: Card) -> bool:
    """Return whether the card helps: towards the contract, or after it at once onto the table."""
    if card in table.wild:
        return True
    if table.down:
        return _goes_onto(table, card) or _goes_with(table, card)
    return Prospect(table.with_card(card)).covered > Prospect(table).covered


def _goes_onto(table: Table, card: Card) -> bool:
    """Return whether the card can be laid off by itself (S19)."""
    return any(
        lay_off_fault(place.meld, LayOff(place.meld.id, (card,), place.end), table.options) is None
        for place in places(table.melds)
    )


def _goes_with(table: Table, card: Card) -> bool:
    """Return whether the card makes a new meld with others of the hand (S20)."""
    before, after = (_left(table, hand) for hand in (table.hand, (*table.hand, card)))
    return after < before + VALUE[card]


def _left(table: Table, hand: tuple[Card, ...]) -> int:
    """Return the points that the best melds beside the contract leave of a hand (S20)."""
    strict = table.options.strict_ratio
    layout = best_layout(hand, NOTHING_ASKED, table.wild, strict=strict, effort=EFFORT)
    assert layout is not None, "to lay nothing is a layout"
    return layout.left


def _laid(table: Table, choices: Offers) -> JsonObject | None:
    """Return what to lay next: melds, then swaps for wild cards that go on at once, then lay-offs."""
    by_type: dict[str, list[JsonObject]] = {"meld": [], "swap": [], "lay_off": []}
    for choice in choices:
        if choice["type"] in by_type:
            by_type[choice["type"]] += _moves(choice)
    swaps = [move for move in by_type["swap"] if not _goes_onto(table, Card(str(move["card"])))]
    lay_offs = sorted(by_type["lay_off"], key=lambda move: -len(move["cards"]))  # type: ignore[arg-type]
    offered = (*by_type["meld"], *([] if table.options.strict_ratio else swaps), *lay_offs)
    return next((move for move in offered if _is_legal(table, move)), None)


def _moves(choice: Mapping[str, Any]) -> Iterator[JsonObject]:
    """Yield the moves of a choice of which one field at most has several values."""
    firsts = {name: field["values"][0] for name, field in choice["fields"].items()}
    several = max(choice["fields"], key=lambda name: len(choice["fields"][name]["values"]))
    for value in choice["fields"][several]["values"]:
        yield {"type": choice["type"], **firsts, several: value}


def _is_legal(table: Table, move: JsonObject) -> bool:
    """Return whether a challenge would find nothing wrong: where melds aren't checked anything is offered."""
    said: Any = read_typed(MOVES, move)
    found = laying.fault(table.melds, table.seat, said, table.contract, table.options, down=table.down)
    return found is None


def _discard(table: Table, choices: Offers) -> JsonObject:
    """Return the discard that is missed least; of those the one that counts most."""
    fields = next(choice["fields"] for choice in choices if choice["type"] == "discard")
    able = [Card(card) for card in fields["card"]["values"]]
    if table.down:
        card = max(able, key=lambda card: (VALUE[card], card))
    else:
        prospect = Prospect(table)
        card = max(able, key=lambda card: (prospect.without(card), VALUE[card], card))
    return {"type": "discard", "card": card, **({"scamper": True} if "scamper" in fields else {})}


@dataclass(frozen=True)
class Partial:
    """Natural cards of the hand, as a bit mask, that may become one meld of the contract.

    ``held`` of them count towards its ``size``; ``outs`` unseen cards would too.
    """

    mask: int
    held: int
    size: int
    outs: int


@dataclass(frozen=True)
class Plan:
    """Cards of the hand, as a bit mask, kept for all the melds of the contract, and how good that is."""

    mask: int
    value: int


class Prospect:
    """How near a hand is to the contract."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.naturals = [(place, card) for place, card in enumerate(table.hand) if card not in table.wild]
        self.wild = len(table.hand) - len(self.naturals)

    @cached_property
    def plans(self) -> tuple[Plan, ...]:
        """Return every plan considered, the best first."""
        contract = self.table.contract
        parts: list[tuple[Kind, int]] = [("set", size) for size in contract.sets]
        parts += [("run", size) for size in contract.runs]
        offered = [self._partials(kind, size) for kind, size in parts]
        made = [self._plan(chosen) for chosen in _chosen(offered)]
        return tuple(sorted(made, key=lambda plan: (-plan.value, plan.mask)))

    @property
    def covered(self) -> int:
        """Return how many cards of the contract the best plan has."""
        return self.plans[0].value // COVERED

    def without(self, card: Card) -> int:
        """Return the value of the best plan that can spare one such card."""
        places = [place for place, held in enumerate(self.table.hand) if held == card]
        spared = (plan.value for plan in self.plans if any(not plan.mask >> place & 1 for place in places))
        return next(spared, -1)

    def _plan(self, chosen: Sequence[Partial]) -> Plan:
        held = sum(min(each.held, each.size) for each in chosen)
        filled = sum(min(max(each.size - each.held, 0), wild_limit(each.size)) for each in chosen)
        outs = sum(each.outs for each in chosen if each.held < each.size)
        mask = sum(each.mask for each in chosen)
        return Plan(mask, COVERED * (held + min(self.wild, filled)) + outs)

    def _partials(self, kind: Kind, size: int) -> list[Partial]:
        """Return the best ways to begin, or complete, a meld of the contract; last that of beginning none."""
        found = self._sets(size) if kind == "set" else self._runs(size)
        best = sorted(found, key=lambda each: (-each.held, -each.outs, each.mask))
        return [*best[:CONSIDERED], Partial(0, 0, size, 0)]

    def _sets(self, size: int) -> Iterator[Partial]:
        for named in RANKS[1:]:
            held = [place for place, card in self.naturals if rank(card) == named]
            if held:
                outs = sum(self.table.unseen[Card(named + suit)] for suit in SUITS)
                yield Partial(sum(1 << place for place in held), len(held), size, outs)

    def _runs(self, size: int) -> Iterator[Partial]:
        where = {card: place for place, card in enumerate(self.table.hand)}
        for suit in SUITS:
            for low in range(len(RANKS) - size + 1):
                cards = [Card(named + suit) for named in RANKS[low : low + size]]
                held = [where[card] for card in cards if card in where]
                if held:
                    outs = sum(self.table.unseen[card] for card in cards if card not in where)
                    yield Partial(sum(1 << place for place in held), len(held), size, outs)


def _chosen(offered: Sequence[Sequence[Partial]], mask: int = 0) -> Iterator[tuple[Partial, ...]]:
    """Yield every choice of one partial for each meld of the contract, no card used twice."""
    if not offered:
        yield ()
        return
    for partial in offered[0]:
        if not partial.mask & mask:
            for rest in _chosen(offered[1:], mask | partial.mask):
                yield (partial, *rest)
