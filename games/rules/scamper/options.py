"""The options of Scamper: contracts, packs and how strictly melds are checked."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

from games.engine.cards import JOKER, RANKS, SUITS, Card, RunOrder, pack
from games.engine.jsontypes import Json, JsonObject
from games.engine.lengths import GameLength
from games.engine.messages import all_of, plural, text
from games.engine.refusals import Malformed
from games.engine.shapes import Between, Help, Label, Length

FEWEST_ASKED: Final = 3
MOST_ASKED: Final = 16
MOST_SEATS: Final = 10
FEWEST_PACKS: Final = 2

Size: TypeAlias = Annotated[int, Between(3, 13)]
WildCards: TypeAlias = Literal["jokers_and_deuces", "jokers", "none"]

DEUCES: Final = frozenset(Card(f"2{suit}") for suit in SUITS)
WILD: Final[Mapping[WildCards, frozenset[Card]]] = {
    "jokers_and_deuces": frozenset({JOKER}) | DEUCES,
    "jokers": frozenset({JOKER}),
    "none": frozenset(),
}
RUN_ORDERS: Final[Mapping[str, RunOrder]] = {"high": RunOrder(RANKS), "both": RunOrder(f"A{RANKS}")}
"""The ranks of a run from low to high (S13)."""


@dataclass(frozen=True)
class Contract:
    """The contract of a round: the minimum size of each set and each run (S15)."""

    sets: Annotated[tuple[Size, ...], Length(0, 5), Help("the size of each set")]
    runs: Annotated[tuple[Size, ...], Length(0, 5), Help("the size of each run")]

    @property
    def asked(self) -> int:
        """Return the minimum number of cards for the contract."""
        return sum(self.sets) + sum(self.runs)

    def in_words(self) -> str:
        """Return the contract in words: ``"2 sets of 3, 1 run of 4"``."""
        sets = [
            plural("%(count)s set of %(size)s", "%(count)s sets of %(size)s", count, size=size)
            for size, count in sorted(Counter(self.sets).items())
        ]
        runs = [
            plural("%(count)s run of %(size)s", "%(count)s runs of %(size)s", count, size=size)
            for size, count in sorted(Counter(self.runs).items())
        ]
        return all_of([*sets, *runs])

    def as_json(self) -> JsonObject:
        """Return ``{"sets": [sizes], "runs": [sizes]}``."""
        return {"sets": list(self.sets), "runs": list(self.runs)}


Contracts: TypeAlias = Annotated[
    tuple[Contract, ...], Length(1, 20), Help("What each deal asks for, in order; 3 to 16 cards each.")
]
Rounds: TypeAlias = Annotated[
    Annotated[int, Between(1, 20)] | None,
    Help("Play only so many of the contracts; empty plays all."),
    Label("Deals in a game"),
]
Wild: TypeAlias = Annotated[
    WildCards,
    Help("Which cards may stand for others. With none, jokers stay out of the packs."),
    Label(
        "Wild cards",
        (
            ("jokers_and_deuces", text("Jokers and twos are wild")),
            ("jokers", text("Only jokers are wild")),
            ("none", text("No card is wild")),
        ),
    ),
]
Packs: TypeAlias = Annotated[
    Annotated[int, Between(FEWEST_PACKS, 8)] | None,
    Help("Packs in play; empty takes 2 for 2 or 3 seats, 3 for 4 to 6, 4 for 7 or 8, 6 for 9 or 10."),
]
Aces: TypeAlias = Annotated[
    Literal["high", "both"],
    Help("The ace follows the king only, or also comes before the two; no run goes round the corner."),
    Label("Aces in runs", (("high", text("High only")), ("both", text("High and low")))),
]
Passing: TypeAlias = Annotated[
    Literal["offer", "forced", "first", "off"],
    Help(
        "Whether a discard that is not wanted is offered to the left, goes there unasked, does so in the "
        "first turn of a deal only, or stays."
    ),
    Label(
        "Unwanted discards",
        (
            ("offer", text("Offered to the left")),
            ("forced", text("Go to the left unasked")),
            ("first", text("Go to the left unasked, in the first turn of a deal only")),
            ("off", text("Stay")),
        ),
    ),
]
StockOut: TypeAlias = Annotated[
    Literal["replay", "add_pack"],
    Help("When the stock is empty: the cards are dealt again, or another pack is added."),
    Label(
        "When the stock is empty",
        (
            ("replay", text("The cards are dealt again")),
            ("add_pack", text("Another pack is added")),
        ),
    ),
]
Bonus: TypeAlias = Annotated[int, Between(-100, 100), Help("Added to the first dealer's score in deal 1.")]
AdvancedPoints: TypeAlias = Annotated[
    bool,
    Help(
        "The points printed for advanced play only: 20 for too many wild cards instead of 50 and for Scamper "
        "not declared; with real cards for the deal too."
    ),
    Label("Points of advanced play"),
]

CONTRACTS: Final = (
    Contract((3, 3), ()),
    Contract((), (3, 3)),
    Contract((3,), (4,)),
    Contract((3, 3, 3), ()),
    Contract((3,), (5,)),
    Contract((3, 3), (4,)),
    Contract((3,), (7,)),
    Contract((), (4, 5)),
    Contract((), (8,)),
    Contract((8,), ()),
)
"""The ten rounds (S4)."""

PACKS: Final[Mapping[int, int]] = {2: 2, 3: 2, 4: 3, 5: 3, 6: 3, 7: 4, 8: 4, 9: 6, 10: 6}
"""Packs by the number of seats (S2)."""


@dataclass(frozen=True)
class Options:
    """The options of a game; the defaults are the advanced game."""

    contracts: Contracts = CONTRACTS
    rounds: Rounds = None
    wild_cards: Wild = "jokers_and_deuces"
    hand_size: Annotated[int, Between(6, 13), Help("Cards dealt to each seat.")] = 8
    packs: Packs = None
    aces: Aces = "high"
    passing: Passing = "offer"
    stock_out: StockOut = "replay"
    melds: Annotated[
        Literal["checked", "challenge"],
        Help("An illegal meld is refused, or lies until another player challenges it."),
        Label(
            "Illegal melds",
            (
                ("checked", text("Are refused")),
                ("challenge", text("Lie until a player challenges them")),
            ),
        ),
    ] = "checked"
    strict_ratio: Annotated[
        bool, Help("More natural than wild cards in every meld, not only in the contract's.")
    ] = False
    declare_scamper: Annotated[
        bool, Help("A player who keeps one card must say Scamper, or gets 20 points.")
    ] = True
    first_dealer_bonus: Bonus = -20
    max_replays: Annotated[
        int, Between(0, 20), Help("How often a deal may be dealt again; after that it ends.")
    ] = 2
    advanced_points: AdvancedPoints = True

    @property
    def played(self) -> tuple[Contract, ...]:
        """Return the contracts of the rounds that are played."""
        return self.contracts[: self.rounds]

    @property
    def wild(self) -> frozenset[Card]:
        """Return the wild cards."""
        return WILD[self.wild_cards]

    @property
    def run_order(self) -> RunOrder:
        """Return the ranks of a run; with both aces the ace is at either end (S13)."""
        return RUN_ORDERS[self.aces]

    def one_pack(self) -> tuple[Card, ...]:
        """Return one pack: 52 cards, and two jokers unless no card is wild (S2)."""
        return tuple(card for card in pack() if card != JOKER or self.wild_cards != "none")

    def all_packs(self, seats: int) -> tuple[Card, ...]:
        """Return the packs in play, unshuffled (S2)."""
        return self.one_pack() * (self.packs or PACKS[seats])


LENGTHS: Final = (
    GameLength("short", plural("%(count)s deal", "%(count)s deals", 3), {"rounds": 3}),
    GameLength("medium", plural("%(count)s deal", "%(count)s deals", 5), {"rounds": 5}),
    GameLength("full", text("all %(count)s deals", count=len(CONTRACTS)), {"rounds": None}),
)
"""The first of the ten contracts, or all of them (S4)."""
PRESETS: Final[Mapping[str, JsonObject]] = {
    "advanced": {},
    "basic": {"wild_cards": "jokers", "aces": "both", "declare_scamper": False},
    "as_printed": {"passing": "first", "melds": "challenge"},
}


def check(options: Options, seats: int) -> None:
    """Raise `Malformed` if a contract is too small or too large, or the packs have too few cards."""
    errors = contract_errors(options.contracts, options.rounds)
    # S7: a card is turned up after the deal, and one must be left to draw.
    if seats * options.hand_size + 2 > len(options.all_packs(seats)):
        size = options.hand_size
        few = text("These are too few cards for %(seats)s hands of %(size)s.", seats=seats, size=size)
        errors["packs"] = [few]
    if errors:
        raise Malformed(errors)


def contract_errors(contracts: Sequence[Contract], rounds: int | None) -> dict[str, list[str]]:
    """Return the errors of contracts and the number of rounds, by option."""
    errors: dict[str, list[str]] = {
        f"contracts.{index}": [
            text("A contract asks for %(fewest)s to %(most)s cards.", fewest=FEWEST_ASKED, most=MOST_ASKED)
        ]
        for index, contract in enumerate(contracts)
        if not FEWEST_ASKED <= contract.asked <= MOST_ASKED
    }
    if (rounds or 0) > len(contracts):
        errors["rounds"] = [
            plural("There is only %(count)s contract.", "There are only %(count)s contracts.", len(contracts))
        ]
    return errors


def only_played(options: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return the JSON of options with the contracts that are played and no others."""
    contracts, rounds = options.get("contracts"), options.get("rounds")
    if not isinstance(contracts, list | tuple) or not isinstance(rounds, int):
        return options
    return {**options, "contracts": [*contracts[:rounds]]}
