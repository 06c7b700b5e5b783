"""The score card of Scram!: its fields, what is written on it, and its printed sheet."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias

from games.engine import messages, shapes
from games.engine.base import Form, FormRow
from games.engine.choosing import FieldChoice
from games.engine.messages import Message, all_of, text
from games.engine.paper import Card, check_filled, check_lines
from games.engine.refusals import Illegal
from games.engine.shapes import Between, Help, Length
from games.engine.views import MANY, EnteredRow, PaperView, PerSeat, Seat
from games.rules.scram import moves
from games.rules.scram.cards import pack
from games.rules.scram.rounds import last_turns
from games.rules.scram.scoring import round_scores
from games.rules.scram.state import usual_rounds

# ---- Fields --------------------------------------------------------------------------------------

MOST_SEATS: Final = 6
MOST_SUM: Final = 1000


@dataclass(frozen=True)
class Options:
    """The options of a score card."""

    rounds: moves.Rounds = None


@dataclass(frozen=True)
class Camper:
    """The result of a camper in a round."""

    sum: Annotated[
        Annotated[int, Between(0, MOST_SUM)] | None,
        Help("sum of the cards in the campsite (B15); left out for a seat that has left the game"),
    ] = None


@dataclass(frozen=True)
class Outcome:
    """The result of a round (B19)."""

    seats: Annotated[
        tuple[Camper, ...], Length(3, MOST_SEATS), Help("one for each seat, in order, without Scram's points")
    ]
    scram: Annotated[moves.Seat | None, Help("the seat that declared Scram; left out if nobody did")] = None

    @property
    def sums(self) -> tuple[int, ...]:
        """Return each camper's sum, 0 where it is left out."""
        return tuple(camper.sum or 0 for camper in self.seats)


def in_words(outcome: Outcome) -> Message:
    """Return a result in words."""
    sums = all_of(["–" if camper.sum is None else str(camper.sum) for camper in outcome.seats])
    if outcome.scram is None:
        return text("%(sums)s, nobody declared Scram", sums=sums)
    return text("%(sums)s, %(seat)s declared Scram", sums=sums, seat=messages.seat(outcome.scram))


# ---- Views -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row(EnteredRow):
    """An entered round."""

    scram: Annotated[Seat | None, Help("the seat that declared Scram, null if nobody did")]
    sums: Annotated[PerSeat, Help("the sum of each camper's cards")]
    penalties: Annotated[PerSeat, Help("the arbiter's points for each camper")]


@dataclass(frozen=True)
class View(PaperView):
    """The fields of a view."""

    sheet: Annotated[tuple[Row, ...], Length(0, MANY), Help("a row for each entered deal")]
    teams: Annotated[tuple[Annotated[int, Between(0, 1)], ...], Length(3, 6), Help("the team of each seat")]


# ---- The card ------------------------------------------------------------------------------------

State: TypeAlias = Card[Options, Outcome]

HIGHEST: Final = 13
MOST_AT_SCRAM: Final = 2


@dataclass(frozen=True)
class Scores:
    """The score of each seat's team in a round, for the rule on equal totals (B17)."""

    scores: tuple[int, ...]


def check_result(state: State, outcome: Outcome) -> None:
    """Raise `Illegal` for an impossible result, `Malformed` where a sum is missing."""
    check_lines(state.seats, outcome.seats, "B2")
    check_filled([camper.sum for camper in outcome.seats], state.out, "sum")
    for refusal in (*_wrong_scram(state, outcome), *_wrong_sums(state, outcome)):
        raise refusal


def _wrong_scram(state: State, outcome: Outcome) -> Iterator[Illegal]:
    scram = outcome.scram
    if scram is not None and scram >= state.seats:
        sentence = text("There is no %(seat)s at this table.", seat=messages.seat(scram))
        yield Illegal(sentence, "B2", ["scram"])
    elif scram is not None and outcome.sums[scram] > most_of_declarer(scram, state.seats):
        sentence = text(
            "%(seat)s declared Scram with two cards or fewer and cannot have so many points.",
            seat=messages.seat_first(scram),
        )
        yield Illegal(sentence, "B14", [f"seats.{scram}.sum", "scram"])


def most_of_declarer(scram: int, seats: int) -> int:
    """Return the highest sum of who declared: two cards, and one more from each last turn (B14, A0)."""
    return HIGHEST * (MOST_AT_SCRAM + len(last_turns(scram, seats)))


def _wrong_sums(state: State, outcome: Outcome) -> Iterator[Illegal]:
    if sum(outcome.sums) > most_points(state.seats):
        fields = [f"seats.{seat}.sum" for seat in range(state.seats)]
        yield Illegal("So many points are not in the pack.", "B1", fields)


def most_points(seats: int) -> int:
    """Return the points of all cards, each ``=`` beside the highest number (B1, B15)."""
    return sum(HIGHEST if card == "=" else int(card) for card in pack(seats))


def points(state: State, number: int) -> tuple[int, ...]:
    """Return the points of each seat's team in a round, without penalties (B16)."""
    outcome = state.result(number)
    return round_scores(outcome.sums, outcome.scram, (0,) * state.seats)


# ---- The printed sheet ---------------------------------------------------------------------------

ABOUT_SEATS: Final = text(
    "For each camper the sum of the own campsite; the card works out what Scram brings."
)
ABOUT_SCRAM: Final = text("Who declared Scram, or nobody.")
ABOUT_SUM: Final = text("The sum of the cards in the campsite, each = as the lowest number there.")


def result_fields(state: State, outcome: Outcome | None) -> dict[str, FieldChoice]:
    """Return the fields of a result, drafted from the present one; ``scram`` is left out for nobody."""
    campers = outcome.seats if outcome else tuple(map(Camper, range(state.seats)))
    lines = tuple(
        {
            "sum": FieldChoice(
                complete=False,
                optional=seat in state.out,
                about=ABOUT_SUM,
                draft=camper.sum if outcome else None,
                worth={"sum": 0},
            )
        }
        for seat, camper in enumerate(campers)
    )
    shown = [*map(shapes.write, campers)]
    return {
        "scram": FieldChoice(
            tuple(range(state.seats)),
            optional=True,
            seats=True,
            about=ABOUT_SCRAM,
            draft=outcome.scram if outcome else None,
        ),
        "seats": FieldChoice((shown,), complete=False, about=ABOUT_SEATS, by_seat=lines),
    }


# ---- On paper ------------------------------------------------------------------------------------

DECLARED: Final = text("Scram declared by:")
FOUR: Final = 4


def form(options: Options) -> Form:
    """Return a row for each round; where the rulebook's number counts, the fourth is for 4 campers (B4)."""
    rounds = options.rounds or usual_rounds(FOUR)
    legend = (
        text("In the upper row each camper's own sum, in the lower the team's total so far."),
        text("Each = counts as the lowest number of its campsite, 0 where there is none."),
        text(
            "Scram: the declaring team scores 0 if its sum is lower or equal, else its sum and 10 more. "
            "The other team scores its sum."
        ),
    )
    return Form(
        tuple(FormRow(number, DECLARED, _hint(options, number)) for number in range(1, rounds + 1)),
        legend,
        first_dealer=None,
        heading=text("Scram"),
        placing=text("Place (lowest team total wins)"),
    )


def _hint(options: Options, number: int) -> Message | str:
    fourth = options.rounds is None and number == FOUR
    return text("with 4 campers only") if fourth else ""
