"""The options and moves of a score card."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias, get_args

from games.engine.messages import text
from games.engine.refusals import Malformed
from games.engine.shapes import Between, Help, Label, Length
from games.rules.scamper.options import (
    CONTRACTS,
    MOST_SEATS,
    PACKS,
    Bonus,
    Contract,
    Contracts,
    Packs,
    Rounds,
    StockOut,
    Wild,
    contract_errors,
)
from games.rules.scamper.rounds import MOST_ADDED
from games.rules.scamper.state import Called

MOST_ROUNDS: Final = 20
MOST_NAMES: Final = 20

Number: TypeAlias = Annotated[int, Between(1, MOST_ROUNDS)]
NAMES: Final[tuple[Called, ...]] = get_args(Called)


@dataclass(frozen=True)
class Options:
    """The options of a score card."""

    contracts: Contracts = CONTRACTS
    rounds: Rounds = None
    wild_cards: Wild = "jokers_and_deuces"
    packs: Packs = None
    stock_out: StockOut = "replay"
    first_dealer: Annotated[
        int,
        Between(0, MOST_SEATS - 1),
        Help("The seat that deals first."),
        Label("First dealer’s seat", from_one=True),
    ] = 0
    first_dealer_bonus: Bonus = -20

    @property
    def played(self) -> tuple[Contract, ...]:
        """Return the contracts of the rounds that are played."""
        return self.contracts[: self.rounds]

    def most_packs(self, seats: int) -> int:
        """Return the maximum number of packs in a round (S2, S28, S29)."""
        return (self.packs or PACKS[seats]) + (MOST_ADDED if self.stock_out == "add_pack" else 0)


def check(options: Options, seats: int) -> None:
    """Raise `Malformed` if a contract, the number of rounds or the first dealer's seat is wrong."""
    errors = contract_errors(options.contracts, options.rounds)
    if options.first_dealer >= seats:
        errors["first_dealer"] = [text("The table has only %(seats)s seats.", seats=seats)]
    if errors:
        raise Malformed(errors)


@dataclass(frozen=True)
class Held:
    """The result of a seat in a round: the points of its cards, and its bonuses and penalties."""

    cards: Annotated[
        Annotated[int, Between(0, 10_000)] | None,
        Help(
            "points of the cards left in hand; 0 for the player who went out; left out for a seat that has "
            "left the game"
        ),
    ] = None
    adjustments: Annotated[
        tuple[Called, ...], Length(0, MOST_NAMES), Help("each as often as it happened")
    ] = ()


AllHeld: TypeAlias = Annotated[tuple[Held, ...], Length(2, MOST_SEATS), Help("one for each seat, in order")]


@dataclass(frozen=True)
class Enter:
    """Enter the result of the next round."""

    round: Annotated[Number, Help("its number, for safety: deals come in order")]
    seats: AllHeld


@dataclass(frozen=True)
class Correct:
    """Correct the result of a round."""

    replaces: Annotated[Number, Help("the deal whose entry was wrong")]
    seats: AllHeld


@dataclass(frozen=True)
class Confirm:
    """Confirm a round that another entered."""

    round: Annotated[Number, Help("the deal that is right")]


Move: TypeAlias = Enter | Correct | Confirm

MOVES: Final[Mapping[str, type]] = {"round": Enter, "correct": Correct, "confirm": Confirm}
