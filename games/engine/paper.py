"""What games on paper share: the rounds of a game with real cards are entered, corrected and confirmed.

A seat enters the rounds in order, and another seat or a scorekeeper confirms each of them. A correction is a
move of its own: it names the round that it replaces, and must be confirmed again. What a scorekeeper or an
organiser enters or corrects counts at once, and they may also correct a card that is over. A seat that has
left the game needs no values any more. A game declares what a result holds, what of that is
impossible, and its points.
"""

from abc import abstractmethod
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, make_dataclass
from itertools import accumulate
from typing import Annotated, Any, ClassVar, Final, Generic, TypeVar, get_type_hints

from games.engine.base import OpenRound, ScoreCard, replaced
from games.engine.chance import Chance
from games.engine.choosing import Choice, FieldChoice, choice
from games.engine.jsontypes import JsonObject
from games.engine.messages import Message, plural, text
from games.engine.refusals import Illegal, Malformed
from games.engine.shapes import Between, Help
from games.engine.values import replace
from games.engine.views import PaperView, View

O = TypeVar("O")  # noqa: E741 - the options of a game
R = TypeVar("R")  # the result of a round

# ---- The state of a card: entered rounds and penalties -------------------------------------------


@dataclass(frozen=True)
class Entry(Generic[R]):
    """The latest result of a round. ``by`` is the seat that entered it, or None for a scorekeeper.

    What a scorekeeper entered is ``agreed`` at once. If a seat's entry is, then ``confirmed`` is the seat
    that confirmed it, or None for a scorekeeper. It is ``disputed`` if a seat replaced what another seat had
    entered, or what was agreed.
    """

    result: R
    by: int | None
    agreed: bool = False
    confirmed: int | None = None
    corrections: int = 0
    disputed: bool = False

    @property
    def version(self) -> int:
        """Return how often the round was written."""
        return self.corrections + 1

    def awaits(self, seat: int | None) -> bool:
        """Return whether the seat, or a scorekeeper (None), may confirm it; who entered it may not."""
        return not self.agreed and self.by != seat

    def replaced(self, result: R, by: int | None) -> "Entry[R]":
        """Return the entry with which a seat, or a scorekeeper (None), corrects this one."""
        disputed = by is not None and (self.disputed or self.agreed or self.by != by)
        return Entry(result, by, by is None, corrections=self.corrections + 1, disputed=disputed)


@dataclass(frozen=True)
class Penalty:
    """An arbiter's points for a seat, and the number of the round in which they count."""

    round: int
    seat: int
    points: int


@dataclass(frozen=True)
class Card(Generic[O, R]):
    """A score card: its options, the entered rounds, the penalties, and the seats that have left the game."""

    options: O
    seats: int
    entries: tuple[Entry[R], ...] = ()
    penalties: tuple[Penalty, ...] = ()
    out: tuple[int, ...] = ()

    @property
    def agreed(self) -> bool:
        """Return whether every entered round is confirmed."""
        return all(entry.agreed for entry in self.entries)

    def result(self, number: int) -> R:
        """Return the result of an entered round."""
        return self.entries[number - 1].result

    def penalties_in(self, number: int) -> tuple[int, ...]:
        """Return the points of each seat's own penalties in a round."""
        given = [each for each in self.penalties if each.round == number]
        return tuple(sum(each.points for each in given if each.seat == seat) for seat in range(self.seats))

    def with_entry(self, number: int, entry: Entry[R]) -> "Card[O, R]":
        """Return the card with another entry for a round."""
        return replace(self, entries=replaced(self.entries, number - 1, entry))


@dataclass(frozen=True)
class Conduct:
    """The rules of a card, which refusals quote, and how often a round may be corrected.

    ``order`` is the rule that rounds come in order, ``confirming`` that somebody else confirms them, and
    ``correcting`` that they are not corrected for ever.
    """

    order: str
    confirming: str
    correcting: str
    corrections: int = 20


def added(parts: Iterable[Sequence[int]]) -> tuple[int, ...]:
    """Return each seat's sum over one or more parts."""
    return tuple(map(sum, zip(*parts, strict=True)))


def check_lines(seats: int, lines: Sequence[object], rule: str, field: str = "seats") -> None:
    """Raise `Illegal` if a result has not one line for each seat."""
    if len(lines) != seats:
        sentence = plural("The card has %(count)s seat.", "The card has %(count)s seats.", seats)
        raise Illegal(sentence, rule, [field])


def check_filled(values: Sequence[int | None], out: Container[int], part: str) -> None:
    """Raise `Malformed` if a line has no value and its seat is not ``out`` of the game.

    ``part`` is the field of the value in a line of ``seats``.
    """
    blank = [seat for seat, value in enumerate(values) if value is None and seat not in out]
    if blank:
        raise Malformed({f"seats.{seat}.{part}": [text("This field is required.")] for seat in blank})


# ---- The ruleset ---------------------------------------------------------------------------------


_MOVES: Final = {
    "round": ("Enter the result of the next round.", "round", "its number, for safety: deals come in order"),
    "correct": ("Correct the result of a round.", "replaces", "the deal whose entry was wrong"),
    "confirm": ("Confirm a round that another entered.", "round", "the deal that is right"),
}
"""Of each move what it does, and the name of the number of its round and what that means."""


def _moves(result: type, most_rounds: int) -> Mapping[str, type]:
    """Return the dataclass of each move: it holds a round's number and, but for ``confirm``, its result."""
    number, hints = Annotated[int, Between(1, most_rounds)], get_type_hints(result, include_extras=True)
    own = [(each.name, hints[each.name], each) for each in fields(result)]
    made = {}
    for kind, (about, name, meant) in _MOVES.items():
        held: list[Any] = [(name, Annotated[number, Help(meant)]), *(own if kind != "confirm" else ())]
        made[kind] = make_dataclass(kind.capitalize(), held, frozen=True, namespace={"__doc__": about})
    return made


class PaperCard(ScoreCard[O, Card[O, R], Any], Generic[O, R]):
    """A score card on which people enter, correct and confirm the rounds of a game with real cards.

    Its moves are ``round``, with a field ``round`` and the result; ``correct``, with ``replaces`` and the
    result; and ``confirm``, with ``round``. Who makes one is a seat, or None for an arbiter.
    """

    result: ClassVar[type]
    """The dataclass of a round's result, whose fields the moves have."""
    most_rounds: ClassVar[int]
    """The highest number that a round can have, whatever the options."""

    arbiter_moves = ("round", "correct", "confirm")
    scorekeeper_moves = arbiter_moves
    entry_moves = ("round", "correct")
    amendments = ("correct",)
    view_shape: ClassVar[type[View]] = PaperView
    conduct: ClassVar[Conduct]

    # ---- What a game declares ----

    @abstractmethod
    def rounds(self, card: Card[O, R]) -> int:
        """Return the number of rounds of the game, or the most that it can have."""

    def complete(self, card: Card[O, R]) -> bool:
        """Return whether no round follows those that are entered."""
        return len(card.entries) == self.rounds(card)

    @abstractmethod
    def check_result(self, card: Card[O, R], number: int, result: R) -> None:
        """Raise `Illegal` for a result that the round cannot have, `Malformed` where a value is missing."""

    @abstractmethod
    def result_fields(self, card: Card[O, R], number: int, result: R | None) -> dict[str, FieldChoice]:
        """Return the fields of a result, drafted from a present one: in all their values a legal one."""

    @abstractmethod
    def points(self, card: Card[O, R], number: int) -> Sequence[int]:
        """Return each seat's points (its team's, in a team game) in an entered round, without penalties."""

    @abstractmethod
    def row(self, card: Card[O, R], number: int) -> JsonObject:
        """Return the game's own part of a row of the score sheet."""

    def doubt(self, card: Card[O, R], number: int) -> Message | None:
        """Return a question about an entered round that is possible but unusual, None for no doubt."""
        return None

    @abstractmethod
    def in_words(self, result: R) -> str:
        """Return a result in words, for the text of the move that writes it."""

    def facts(self, card: Card[O, R]) -> JsonObject:
        """Return the game's own part of the view."""
        return {}

    # ---- Moves ----

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        cls.moves = _moves(cls.result, cls.most_rounds)

    def start(self, options: O, seats: int, chance: Chance) -> Card[O, R]:
        """Return an empty card."""
        return Card(options, seats)

    def step(self, state: Card[O, R], seat: int, move: Any) -> Card[O, R]:
        return self.written(state, seat, move)

    def ruling(self, state: Card[O, R], move: Any) -> Card[O, R]:
        return self.written(state, None, move)

    def written(self, card: Card[O, R], by: int | None, move: Any) -> Card[O, R]:
        """Return the card after a move: `entered`, `corrected` or `confirmed`; raise `Illegal`."""
        if self._is(move, "confirm"):
            return self.confirmed(card, by, move.round)
        if self._is(move, "correct"):
            return self.corrected(card, by, move.replaces, self._result_of(move))
        return self.entered(card, by, move.round, self._result_of(move))

    def _is(self, move: Any, kind: str) -> bool:
        return type(move) is self.moves[kind]

    def _result_of(self, move: Any) -> R:
        result: R = self.result(**{each.name: getattr(move, each.name) for each in fields(self.result)})
        return result

    def describe(self, move: Any) -> Message:
        """Return the move in words that follow the actor's name."""
        if self._is(move, "confirm"):
            return text("confirms deal %(round)s", round=move.round)
        result = self.in_words(self._result_of(move))
        if self._is(move, "correct"):
            return text("corrects deal %(round)s: %(result)s", round=move.replaces, result=result)
        return text("enters deal %(round)s: %(result)s", round=move.round, result=result)

    def entered(self, card: Card[O, R], by: int | None, number: int, result: R) -> Card[O, R]:
        """Return the card with an entry for the next round; raise `Illegal`."""
        if number != len(card.entries) + 1 or self.complete(card):
            raise Illegal(self._out_of_order(card), self.conduct.order)
        self.check_result(card, number, result)
        return replace(card, entries=(*card.entries, Entry(result, by, agreed=by is None)))

    def _out_of_order(self, card: Card[O, R]) -> Message:
        if self.complete(card):
            return text("The deals come in order: all of them are entered.")
        return text("The deals come in order: deal %(round)s is next.", round=len(card.entries) + 1)

    def corrected(self, card: Card[O, R], by: int | None, number: int, result: R) -> Card[O, R]:
        """Return the card with a corrected round; a seat's correction awaits another; raise `Illegal`."""
        old = self._entry(card, number)
        if not self._correctable(old, by):
            sentence = text("This deal was corrected too often: confirm it, or ask an organiser.")
            raise Illegal(sentence, self.conduct.correcting)
        self.check_result(card, number, result)
        return card.with_entry(number, old.replaced(result, by))

    def confirmed(self, card: Card[O, R], by: int | None, number: int) -> Card[O, R]:
        """Return the card with a round confirmed by another seat or a scorekeeper; raise `Illegal`."""
        old = self._entry(card, number)
        if old.agreed:
            sentence = text("Deal %(round)s is confirmed already.", round=number)
            raise Illegal(sentence, self.conduct.confirming)
        if not old.awaits(by):
            raise Illegal("Somebody else must confirm what you entered.", self.conduct.confirming)
        return card.with_entry(number, replace(old, agreed=True, confirmed=by))

    def _entry(self, card: Card[O, R], number: int) -> Entry[R]:
        if not 1 <= number <= len(card.entries):
            raise Illegal("Deal %(round)s is not entered yet.", self.conduct.confirming, round=number)
        return card.entries[number - 1]

    def _correctable(self, entry: Entry[R], by: int | None) -> bool:
        return by is None or entry.corrections < self.conduct.corrections

    def left(self, state: Card[O, R], seat: int) -> Card[O, R]:
        """Return the card without a need for values of a seat that has left."""
        return replace(state, out=(*state.out, seat))

    def penalise(self, state: Card[O, R], seat: int, points: int) -> Card[O, R]:
        """Return the card with an arbiter's points in the round in play."""
        return replace(state, penalties=(*state.penalties, Penalty(self.present(state), seat, points)))

    # ---- What may be done ----

    def to_act(self, state: Card[O, R]) -> tuple[int, ...]:
        """Return the seats that can enter, correct or confirm something."""
        if self.is_over(state):
            return ()
        if not self.complete(state):
            return tuple(range(state.seats))
        return tuple(seat for seat in range(state.seats) if self._may_change(state, seat))

    def _may_change(self, card: Card[O, R], seat: int) -> bool:
        return any(self._correctable(entry, seat) or entry.awaits(seat) for entry in card.entries)

    def choices(self, state: Card[O, R], seat: int) -> tuple[Choice, ...]:
        return self._offers(state, seat)

    def ruling_choices(self, state: Card[O, R]) -> tuple[Choice, ...]:
        return self._offers(state, None)

    def _offers(self, card: Card[O, R], by: int | None) -> tuple[Choice, ...]:
        """Return what may be done: enter the next round, confirm and correct others."""
        if self.is_over(card):
            return ()
        entries = [*enumerate(card.entries, 1)]
        following = () if self.complete(card) else (len(entries) + 1,)
        to_confirm = [number for number, entry in entries if entry.awaits(by)]
        return (
            *(self._entering(card, new) for new in following),
            *([choice("confirm", round=to_confirm)] if to_confirm else []),
            *(
                self._correcting(card, number, entry)
                for number, entry in entries
                if self._correctable(entry, by)
            ),
        )

    def _entering(self, card: Card[O, R], number: int) -> Choice:
        return choice("round", round=[number], **self.result_fields(card, number, None))

    def _correcting(self, card: Card[O, R], number: int, entry: Entry[R]) -> Choice:
        return choice("correct", replaces=[number], **self.result_fields(card, number, entry.result))

    # ---- The whole card at once ----

    def dealer(self, card: Card[O, R], number: int) -> int | None:
        """Return the seat that deals a round; None where the card does not say."""
        return None

    def grid(self, card: Card[O, R], most: int) -> tuple[Choice, ...]:
        """Return the moves that correct the rounds entered, then those that enter up to ``most`` to come."""
        entered, last = len(card.entries), self.rounds(card)
        coming = range(entered + 1, entered + 1 if self.complete(card) else min(entered + most, last) + 1)
        return (
            *(self._correcting(card, number, entry) for number, entry in enumerate(card.entries, 1)),
            *(self._entering(card, number) for number in coming),
        )

    def repeats(self, card: Card[O, R], number: int, move: Any) -> bool:
        """Return whether a correction of a round says what is entered already; raise `Illegal`."""
        return self.written(card, None, move).result(number) == card.result(number)

    # ---- What is told ----

    def present(self, card: Card[O, R]) -> int:
        """Return the number of the round in play; of the last round, if all are entered."""
        return len(card.entries) + (not self.complete(card))

    def is_over(self, state: Card[O, R]) -> bool:
        """Return whether every round is entered and confirmed."""
        return self.complete(state) and state.agreed

    def open_rounds(self, state: Card[O, R]) -> tuple[OpenRound, ...]:
        """Return the rounds that must still be confirmed; `Entry` says which are disputed."""
        return tuple(
            OpenRound(number, entry.disputed)
            for number, entry in enumerate(state.entries, 1)
            if not entry.agreed
        )

    def round_scores(self, card: Card[O, R], number: int) -> tuple[int, ...]:
        """Return each seat's score of an entered round, with its team's penalties."""
        return added((self.points(card, number), self._penalties(card, number)))

    def _penalties(self, card: Card[O, R], number: int) -> tuple[int, ...]:
        teams = self.teams(card.seats)
        given = [(teams[each.seat], each.points) for each in card.penalties if each.round == number]
        return tuple(sum(points for other, points in given if other == team) for team in teams)

    def all_scores(self, card: Card[O, R]) -> list[tuple[int, ...]]:
        """Return each seat's score of every entered round, and last its penalties in the round in play."""
        entered = len(card.entries)
        scores = [self.round_scores(card, number) for number in range(1, entered + 1)]
        return [*scores, self._penalties(card, entered + 1)]

    def scores(self, state: Card[O, R]) -> tuple[int, ...]:
        return added(self.all_scores(state))

    def sheet(self, state: Card[O, R]) -> tuple[JsonObject, ...]:
        """Return a row for each entered round: the game's part, scores, totals so far, and who wrote it.

        ``entered_by`` and ``confirmed_by`` are seats, or None for a scorekeeper or organiser;
        ``confirmed_by`` is also None if ``confirmed`` is false.
        """
        scores = self.all_scores(state)[:-1]
        totals = accumulate(scores, lambda before, own: added((before, own)))
        rows = enumerate(zip(state.entries, scores, totals, strict=True), 1)
        return tuple(
            {
                "round": number,
                **self.row(state, number),
                "scores": list(own),
                "totals": list(total),
                "entered_by": entry.by,
                "confirmed": entry.agreed,
                "confirmed_by": entry.confirmed,
                "corrections": entry.corrections,
            }
            for number, (entry, own, total) in rows
        )

    def view(self, state: Card[O, R], viewer: int | None) -> JsonObject:
        """Return the card, which everybody may see; ``turn`` is None, ``unconfirmed`` numbers rounds."""
        return {
            "round": self.present(state),
            "rounds": self.rounds(state),
            "scores": list(self.scores(state)),
            "sheet": list(self.sheet(state)),
            "turn": None,
            "phase": self._phase(state),
            "unconfirmed": [each.number for each in self.open_rounds(state)],
            **self.facts(state),
        }

    def _phase(self, card: Card[O, R]) -> str:
        if self.is_over(card):
            return "over"
        return "confirm" if self.complete(card) else "enter"
