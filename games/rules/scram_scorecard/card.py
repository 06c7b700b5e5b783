"""Results of a round on a score card: their scores, and what refuses impossible ones."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from games.engine import messages
from games.engine.messages import text
from games.engine.refusals import Illegal
from games.engine.scorecards import Card, check_filled, check_lines
from games.rules.scram.cards import pack
from games.rules.scram.rounds import last_turns
from games.rules.scram.scoring import round_scores
from games.rules.scram_scorecard.fields import Options, Outcome

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
        yield Illegal(text("So many points are not in the pack."), "B1", fields)


def most_points(seats: int) -> int:
    """Return the points of all cards, each ``=`` beside the highest number (B1, B15)."""
    return sum(HIGHEST if card == "=" else int(card) for card in pack(seats))


def points(state: State, number: int) -> tuple[int, ...]:
    """Return the points of each seat's team in a round, without penalties (B16)."""
    outcome = state.result(number)
    return round_scores(outcome.sums, outcome.scram, (0,) * state.seats)
