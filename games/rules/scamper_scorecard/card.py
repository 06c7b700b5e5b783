"""A score card as it fills: rounds are entered, corrected and confirmed, and checked for what can't be."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from games.engine.cards import JOKER, pack
from games.engine.refusals import Illegal
from games.rules.scamper.scoring import points
from games.rules.scamper.state import POINTS, Adjustment, Row
from games.rules.scamper_scorecard.moves import Called, Held, Options

SMALLEST_CARD: Final = 5
MOST_CORRECTIONS: Final = 20
DEALERS: Final[tuple[Called, ...]] = ("exact_deal", "misdeal")


@dataclass(frozen=True)
class Entry:
    """What stands on the card for a round. ``by`` entered it and ``confirmed`` agreed: a seat, or None.

    None as ``by`` is a scorekeeper; whether anybody has agreed says ``agreed``.
    """

    seats: tuple[Held, ...]
    by: int | None
    agreed: bool = False
    confirmed: int | None = None
    corrections: int = 0


@dataclass(frozen=True)
class State:
    """A whole card: what was agreed, the rounds entered, and points by an arbiter with their round."""

    options: Options
    seats: int
    entries: tuple[Entry, ...] = ()
    penalties: tuple[tuple[int, Adjustment], ...] = ()

    @property
    def rounds(self) -> int:
        """Return how many rounds are played."""
        return len(self.options.played)

    @property
    def present(self) -> int:
        """Return the number of the round that is played at the table, the last one once all are entered."""
        return min(len(self.entries) + 1, self.rounds)

    @property
    def over(self) -> bool:
        """Return whether every round is entered and confirmed."""
        return len(self.entries) == self.rounds and all(entry.agreed for entry in self.entries)

    def dealer(self, number: int) -> int:
        """Return the seat that deals a round (S5)."""
        return (self.options.first_dealer + number - 1) % self.seats

    def entry(self, number: int) -> Entry:
        """Return the entry of a round; raise `Illegal` where there is none."""
        if not 1 <= number <= len(self.entries):
            raise Illegal(f"Round {number} is not entered yet.", "S26")
        return self.entries[number - 1]

    def with_entry(self, number: int, entry: Entry) -> "State":
        """Return the card with another entry in the place of a round's."""
        return replace(self, entries=(*self.entries[: number - 1], entry, *self.entries[number:]))


def entered(state: State, by: int | None, number: int, seats: tuple[Held, ...]) -> State:
    """Return the card with the next round's entry; raise `Illegal`."""
    if number != len(state.entries) + 1 or number > state.rounds:
        raise Illegal(f"The rounds come in order: {_next(state)}.", "S4")
    check(state, number, seats)
    return replace(state, entries=(*state.entries, Entry(seats, by)))


def _next(state: State) -> str:
    left = len(state.entries) < state.rounds
    return f"round {len(state.entries) + 1} is next" if left else "all of them are entered"


def corrected(state: State, by: int | None, number: int, seats: tuple[Held, ...]) -> State:
    """Return the card with a round entered anew, to be confirmed anew; raise `Illegal`."""
    old = state.entry(number)
    if old.corrections == MOST_CORRECTIONS:
        raise Illegal("This round was corrected too often: confirm it, or ask an organiser.", "S29")
    check(state, number, seats)
    return state.with_entry(number, Entry(seats, by, corrections=old.corrections + 1))


def confirmed(state: State, by: int | None, number: int) -> State:
    """Return the card with a round confirmed: by a seat that did not enter it, or an arbiter."""
    old = state.entry(number)
    if old.agreed:
        raise Illegal(f"Round {number} is confirmed already.", "S26")
    if by is not None and by == old.by:
        raise Illegal("Somebody else must confirm what you entered.", "S26")
    return state.with_entry(number, replace(old, agreed=True, confirmed=by))


def check(state: State, number: int, seats: Sequence[Held]) -> None:
    """Raise `Illegal` for a round that can't have ended so."""
    for sentence, rule in (*_impossible_cards(state, seats), *_impossible_names(state, number, seats)):
        raise Illegal(sentence, rule)


def _impossible_cards(state: State, seats: Sequence[Held]) -> Iterator[tuple[str, str]]:
    if len(seats) != state.seats:
        yield f"The card has {state.seats} seats.", "S1"
    if any(held.cards % SMALLEST_CARD for held in seats):
        yield "The points of cards are multiples of 5.", "S3"
    if sum(held.cards == 0 for held in seats) > 1:
        yield "At most one seat can have gone out.", "S25"
    if sum(held.cards for held in seats) > _most_points(state):
        yield "So many points are not in the packs.", "S3"


def _most_points(state: State) -> int:
    """Return what all cards in play count together (S2, S3)."""
    jokers = state.options.wild_cards != "none"
    one_pack = points(card for card in pack() if jokers or card != JOKER)
    return one_pack * state.options.most_packs(state.seats)


def _impossible_names(state: State, number: int, seats: Sequence[Held]) -> Iterator[tuple[str, str]]:
    dealer = state.dealer(number)
    for seat, held in enumerate(seats):
        bonus = held.adjustments.count("first_dealer")
        if bonus and (number > 1 or seat != dealer or bonus > 1):
            yield f"The first dealer's bonus is for seat {state.dealer(1)} in round 1, once.", "S6"
        deals = [name for name in held.adjustments if name in DEALERS]
        if deals and seat != dealer:
            yield f"Seat {dealer} dealt round {number}.", "S5"
        if len({*deals}) > 1 or deals.count("exact_deal") > 1:
            yield "A deal is exact once, or it is a misdeal.", "S33"


def penalised(state: State, seat: int, points: int) -> State:
    """Return the card with an arbiter's points in the round that is played (S32)."""
    fine = (state.present, Adjustment(seat, "penalty", points))
    return replace(state, penalties=(*state.penalties, fine))


def row(state: State, number: int) -> Row:
    """Return a round as games on the server have it; who has no cards left went out (S25)."""
    entry = state.entry(number)
    cards = tuple(held.cards for held in entry.seats)
    fines = [fine for at, fine in state.penalties if at == number]
    return Row(
        number=number,
        dealer=state.dealer(number),
        contract=state.options.contracts[number - 1],
        out=cards.index(0) if 0 in cards else None,
        cards=cards,
        adjustments=(*_adjustments(state, entry), *fines),
    )


def _adjustments(state: State, entry: Entry) -> Iterator[Adjustment]:
    for seat, held in enumerate(entry.seats):
        for name in held.adjustments:
            bonus = state.options.first_dealer_bonus
            yield Adjustment(seat, name, bonus if name == "first_dealer" else POINTS[name])


def totals(state: State) -> tuple[int, ...]:
    """Return each seat's total of all rounds entered, and an arbiter's points in those to come (S26)."""
    rows = [row(state, number).scores() for number in range(1, len(state.entries) + 1)]
    to_come = tuple(
        sum(fine.points for at, fine in state.penalties if at > len(rows) and fine.seat == seat)
        for seat in range(state.seats)
    )
    return tuple(map(sum, zip(to_come, *rows, strict=True)))
