"""The state of a score card: rounds are entered, corrected and confirmed, and impossible ones refused."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from games.engine import messages
from games.engine.base import OpenRound, replaced
from games.engine.cards import JOKER, pack
from games.engine.messages import Message, plural, text
from games.engine.refusals import Illegal
from games.rules.scamper.scoring import points
from games.rules.scamper.state import POINTS, Adjustment, Called, Row, adjusted
from games.rules.scamper_scorecard.moves import NAMES, Held, Options

SMALLEST_CARD: Final = 5
MOST_CORRECTIONS: Final = 20
DEALERS: Final[tuple[Called, ...]] = ("exact_deal", "misdeal")
OF_THE_DEAL: Final[tuple[Called, ...]] = ("first_dealer", *DEALERS)


@dataclass(frozen=True)
class Entry:
    """The latest result of a round. ``by`` is the seat that entered it, or None for a scorekeeper.

    If ``agreed``, then ``confirmed`` is the seat that confirmed it, or None for an organiser.
    """

    seats: tuple[Held, ...]
    by: int | None
    agreed: bool = False
    confirmed: int | None = None
    corrections: int = 0

    @property
    def correctable(self) -> bool:
        """Return whether the round may be corrected (S29)."""
        return self.corrections < MOST_CORRECTIONS

    def awaits(self, seat: int | None) -> bool:
        """Return whether the seat, or an arbiter (None), may confirm it; who entered it may not."""
        return not self.agreed and (seat is None or self.by != seat)

    def open_to(self, seat: int | None) -> bool:
        """Return whether the seat, or an arbiter (None), may correct or confirm it."""
        return self.correctable or self.awaits(seat)


@dataclass(frozen=True)
class State:
    """A score card: its options, the entered rounds, and an arbiter's penalties by round number."""

    options: Options
    seats: int
    entries: tuple[Entry, ...] = ()
    penalties: tuple[tuple[int, Adjustment], ...] = ()

    @property
    def rounds(self) -> int:
        return len(self.options.played)

    @property
    def present(self) -> int:
        """Return the number of the round in play; of the last round, if all are entered."""
        return min(len(self.entries) + 1, self.rounds)

    @property
    def over(self) -> bool:
        """Return whether every round is entered and confirmed."""
        return len(self.entries) == self.rounds and all(entry.agreed for entry in self.entries)

    def may_act(self, seat: int) -> bool:
        """Return whether the seat can enter, correct or confirm a round."""
        open_entries = any(entry.open_to(seat) for entry in self.entries)
        return not self.over and (len(self.entries) < self.rounds or open_entries)

    def dealer(self, number: int) -> int:
        """Return the seat that deals a round (S5)."""
        return (self.options.first_dealer + number - 1) % self.seats

    def entry(self, number: int) -> Entry:
        """Return the entry of a round; raise `Illegal` if it is not entered."""
        if not 1 <= number <= len(self.entries):
            raise Illegal(text("Round %(round)s is not entered yet.", round=number), "S26")
        return self.entries[number - 1]

    def with_entry(self, number: int, entry: Entry) -> "State":
        """Return the card with another entry for a round."""
        return replace(self, entries=replaced(self.entries, number - 1, entry))


def entered(state: State, by: int | None, number: int, seats: tuple[Held, ...]) -> State:
    """Return the card with an entry for the next round; raise `Illegal`."""
    if number != len(state.entries) + 1 or number > state.rounds:
        raise Illegal(_out_of_order(state), "S4")
    check(state, number, seats)
    return replace(state, entries=(*state.entries, Entry(seats, by)))


def _out_of_order(state: State) -> Message:
    following = len(state.entries) + 1
    if following > state.rounds:
        return text("The rounds come in order: all of them are entered.")
    return text("The rounds come in order: round %(round)s is next.", round=following)


def corrected(state: State, by: int | None, number: int, seats: tuple[Held, ...]) -> State:
    """Return the card with a corrected round, which must be confirmed again; raise `Illegal`."""
    old = state.entry(number)
    if not old.correctable:
        raise Illegal("This round was corrected too often: confirm it, or ask an organiser.", "S29")
    check(state, number, seats)
    return state.with_entry(number, Entry(seats, by, corrections=old.corrections + 1))


def confirmed(state: State, by: int | None, number: int) -> State:
    """Return the card with a round confirmed by another seat or an arbiter; raise `Illegal`."""
    old = state.entry(number)
    if old.agreed:
        raise Illegal(text("Round %(round)s is confirmed already.", round=number), "S26")
    if not old.awaits(by):
        raise Illegal("Somebody else must confirm what you entered.", "S26")
    return state.with_entry(number, replace(old, agreed=True, confirmed=by))


def check(state: State, number: int, seats: Sequence[Held]) -> None:
    """Raise `Illegal` for an impossible result."""
    for refusal in (*_wrong_points(state, seats), *_wrong_adjustments(state, number, seats)):
        raise refusal


def _wrong_points(state: State, seats: Sequence[Held]) -> Iterator[Illegal]:
    if len(seats) != state.seats:
        sentence = plural("The card has %(count)s seat.", "The card has %(count)s seats.", state.seats)
        yield Illegal(sentence, "S1", ["seats"])
    if odd := [seat for seat, held in enumerate(seats) if held.cards % SMALLEST_CARD]:
        yield Illegal("The points of cards are multiples of 5.", "S3", _fields(odd, "cards"))
    out = [seat for seat, held in enumerate(seats) if held.cards == 0]
    if len(out) > 1:
        yield Illegal("At most one seat can have gone out.", "S25", _fields(out, "cards"))
    if sum(held.cards for held in seats) > _most_points(state):
        yield Illegal("So many points are not in the packs.", "S3", _fields(range(len(seats)), "cards"))


def _fields(seats: Iterable[int], part: str) -> list[str]:
    """Return the paths of a field of these seats."""
    return [f"seats.{seat}.{part}" for seat in seats]


def _most_points(state: State) -> int:
    """Return the points of all cards in play (S2, S3)."""
    jokers = state.options.wild_cards != "none"
    one_pack = points(card for card in pack() if jokers or card != JOKER)
    return one_pack * state.options.most_packs(state.seats)


def _wrong_adjustments(state: State, number: int, seats: Sequence[Held]) -> Iterator[Illegal]:
    for seat, held in enumerate(seats):
        fields, able = _fields([seat], "adjustments"), names_for(state, number, seat)
        if held.adjustments.count("first_dealer") > ("first_dealer" in able):
            dealer = messages.seat(state.dealer(1))
            sentence = text("The first dealer's bonus is for %(seat)s in round 1, once.", seat=dealer)
            yield Illegal(sentence, "S6", fields)
        deals = [name for name in held.adjustments if name in DEALERS]
        if not {*deals} <= {*able}:
            dealer = messages.seat_first(state.dealer(number))
            yield Illegal(text("%(seat)s dealt round %(round)s.", seat=dealer, round=number), "S5", fields)
        if len({*deals}) > 1 or deals.count("exact_deal") > 1:
            yield Illegal("A deal is exact once, or it is a misdeal.", "S33", fields)


def names_for(state: State, number: int, seat: int) -> tuple[Called, ...]:
    """Return the adjustments that a seat can have in a round; those of the deal are the dealer's (S5, S6)."""
    dealt = DEALERS if seat == state.dealer(number) else ()
    bonus = ("first_dealer",) if dealt and number == 1 else ()
    return tuple(name for name in NAMES if name not in OF_THE_DEAL or name in (*dealt, *bonus))


def open_rounds(state: State) -> tuple[OpenRound, ...]:
    """Return the rounds that must still be confirmed; corrected ones are disputed."""
    return tuple(
        OpenRound(number, disputed=entry.corrections > 0)
        for number, entry in enumerate(state.entries, 1)
        if not entry.agreed
    )


def row(state: State, number: int) -> Row:
    """Return the row of a round, as in games on the server; a seat with 0 points went out (S25)."""
    entry = state.entry(number)
    cards = tuple(held.cards for held in entry.seats)
    penalties = (penalty for in_round, penalty in state.penalties if in_round == number)
    return Row(
        number=number,
        dealer=state.dealer(number),
        contract=state.options.contracts[number - 1],
        out=cards.index(0) if 0 in cards else None,
        cards=cards,
        adjustments=(*_adjustments(state, entry), *penalties),
    )


def rows(state: State) -> list[Row]:
    """Return the rows of the entered rounds."""
    return [row(state, number) for number in range(1, len(state.entries) + 1)]


def _adjustments(state: State, entry: Entry) -> Iterator[Adjustment]:
    points = worth(state.options)
    for seat, held in enumerate(entry.seats):
        yield from (Adjustment(seat, name, points[name]) for name in held.adjustments)


def worth(options: Options) -> Mapping[str, int]:
    """Return the points of each adjustment (S6, S30 to S33)."""
    bonus = options.first_dealer_bonus
    return {name: bonus if name == "first_dealer" else POINTS[name] for name in NAMES}


def totals(state: State) -> tuple[int, ...]:
    """Return each seat's total of the entered rounds, and its penalties in the round in play (S26)."""
    scores = [each.scores() for each in rows(state)]
    penalties = tuple(penalty for number, penalty in state.penalties if number > len(scores))
    current = tuple(adjusted(penalties, seat) for seat in range(state.seats))
    return tuple(map(sum, zip(current, *scores, strict=True)))
