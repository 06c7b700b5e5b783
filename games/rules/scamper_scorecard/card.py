"""A score card as it fills: rounds are entered, corrected and confirmed, and checked for what can't be."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from games.engine.cards import JOKER, pack
from games.engine.refusals import Illegal
from games.rules.scamper.scoring import points
from games.rules.scamper.state import POINTS, Adjustment, Row
from games.rules.scamper_scorecard.moves import NAMES, Called, Held, Options

SMALLEST_CARD: Final = 5
MOST_CORRECTIONS: Final = 20
DEALERS: Final[tuple[Called, ...]] = ("exact_deal", "misdeal")
OF_THE_DEAL: Final[tuple[Called, ...]] = ("first_dealer", *DEALERS)


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

    @property
    def correctable(self) -> bool:
        """Return whether the round may be entered anew (S29)."""
        return self.corrections < MOST_CORRECTIONS

    def awaits(self, seat: int | None) -> bool:
        """Return whether the seat, or an arbiter, may agree: whoever entered it may not."""
        return not self.agreed and (seat is None or self.by != seat)

    def open_to(self, seat: int | None) -> bool:
        """Return whether the seat, or an arbiter, may correct or confirm it."""
        return self.correctable or self.awaits(seat)


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

    def may_act(self, seat: int) -> bool:
        """Return whether there is a round to enter or correct, or one to confirm that others entered."""
        open_entries = any(entry.open_to(seat) for entry in self.entries)
        return not self.over and (len(self.entries) < self.rounds or open_entries)

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
    if not old.correctable:
        raise Illegal("This round was corrected too often: confirm it, or ask an organiser.", "S29")
    check(state, number, seats)
    return state.with_entry(number, Entry(seats, by, corrections=old.corrections + 1))


def confirmed(state: State, by: int | None, number: int) -> State:
    """Return the card with a round confirmed: by a seat that did not enter it, or an arbiter."""
    old = state.entry(number)
    if old.agreed:
        raise Illegal(f"Round {number} is confirmed already.", "S26")
    if not old.awaits(by):
        raise Illegal("Somebody else must confirm what you entered.", "S26")
    return state.with_entry(number, replace(old, agreed=True, confirmed=by))


def check(state: State, number: int, seats: Sequence[Held]) -> None:
    """Raise `Illegal` for a round that can't have ended so."""
    for refusal in (*_impossible_cards(state, seats), *_impossible_names(state, number, seats)):
        raise refusal


def _impossible_cards(state: State, seats: Sequence[Held]) -> Iterator[Illegal]:
    if len(seats) != state.seats:
        yield Illegal(f"The card has {state.seats} seats.", "S1", ["seats"])
    if odd := [seat for seat, held in enumerate(seats) if held.cards % SMALLEST_CARD]:
        yield Illegal("The points of cards are multiples of 5.", "S3", _fields(odd, "cards"))
    out = [seat for seat, held in enumerate(seats) if held.cards == 0]
    if len(out) > 1:
        yield Illegal("At most one seat can have gone out.", "S25", _fields(out, "cards"))
    if sum(held.cards for held in seats) > _most_points(state):
        everybody = _fields(range(len(seats)), "cards")
        yield Illegal("So many points are not in the packs.", "S3", everybody)


def _fields(seats: Iterable[int], part: str) -> list[str]:
    """Return the paths of one part of what these seats hold."""
    return [f"seats.{seat}.{part}" for seat in seats]


def _most_points(state: State) -> int:
    """Return what all cards in play count together (S2, S3)."""
    jokers = state.options.wild_cards != "none"
    one_pack = points(card for card in pack() if jokers or card != JOKER)
    return one_pack * state.options.most_packs(state.seats)


def _impossible_names(state: State, number: int, seats: Sequence[Held]) -> Iterator[Illegal]:
    for seat, held in enumerate(seats):
        fields, able = _fields([seat], "adjustments"), names_for(state, number, seat)
        bonus = held.adjustments.count("first_dealer")
        if bonus > ("first_dealer" in able):
            sentence = f"The first dealer's bonus is for seat {state.dealer(1)} in round 1, once."
            yield Illegal(sentence, "S6", fields)
        deals = [name for name in held.adjustments if name in DEALERS]
        if not {*deals} <= {*able}:
            yield Illegal(f"Seat {state.dealer(number)} dealt round {number}.", "S5", fields)
        if len({*deals}) > 1 or deals.count("exact_deal") > 1:
            yield Illegal("A deal is exact once, or it is a misdeal.", "S33", fields)


def names_for(state: State, number: int, seat: int) -> tuple[Called, ...]:
    """Return what a seat can be called in a round: who didn't deal it, nothing about the deal (S5, S6)."""
    dealt = DEALERS if seat == state.dealer(number) else ()
    bonus = ("first_dealer",) if dealt and number == 1 else ()
    return tuple(name for name in NAMES if name not in OF_THE_DEAL or name in (*dealt, *bonus))


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
    points = worth(state.options)
    for seat, held in enumerate(entry.seats):
        for name in held.adjustments:
            yield Adjustment(seat, name, points[name])


def worth(options: Options) -> Mapping[str, int]:
    """Return the points of each adjustment (S6, S30 to S33)."""
    bonus = options.first_dealer_bonus
    return {name: bonus if name == "first_dealer" else POINTS[name] for name in NAMES}


def totals(state: State) -> tuple[int, ...]:
    """Return each seat's total of all rounds entered, and an arbiter's points in those to come (S26)."""
    rows = [row(state, number).scores() for number in range(1, len(state.entries) + 1)]
    to_come = tuple(
        sum(fine.points for at, fine in state.penalties if at > len(rows) and fine.seat == seat)
        for seat in range(state.seats)
    )
    return tuple(map(sum, zip(to_come, *rows, strict=True)))
