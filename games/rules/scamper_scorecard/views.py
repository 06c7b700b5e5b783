"""What is seen of a score card, what may be done with it, and how that is told."""

from typing import Final, assert_never

from games.engine.base import Choice, FieldChoice, choice
from games.engine.jsontypes import Json, JsonObject
from games.rules.scamper.views import row_json
from games.rules.scamper_scorecard.card import MOST_CORRECTIONS, SMALLEST_CARD, State, row, totals
from games.rules.scamper_scorecard.moves import Confirm, Correct, Enter, Move

ABOUT_SEATS: Final = "For each seat the points of its cards, 0 for who went out, and adjustments by name."


def view(state: State) -> JsonObject:
    """Return the card, which is open to everybody; ``turn`` is nobody's.

    Beyond the common names: ``contract`` and ``dealer`` of the round that is played, ``first_dealer``, and
    ``unconfirmed`` (numbers of rounds that wait for somebody to agree).
    """
    entries = enumerate(state.entries, 1)
    return {
        "round": state.present,
        "rounds": state.rounds,
        "scores": list(totals(state)),
        "sheet": list(rows(state)),
        "turn": None,
        "phase": _phase(state),
        "contract": state.options.contracts[state.present - 1].as_json(),
        "dealer": state.dealer(state.present),
        "first_dealer": state.options.first_dealer,
        "unconfirmed": [number for number, entry in entries if not entry.agreed],
    }


def _phase(state: State) -> str:
    if state.over:
        return "over"
    return "enter" if len(state.entries) < state.rounds else "confirm"


def rows(state: State) -> tuple[JsonObject, ...]:
    """Return a row for each round entered, as of a game on the server, and who entered and confirmed it.

    ``entered_by`` and ``confirmed_by`` are seats; None is a scorekeeper, or nobody if ``confirmed`` is false.
    """
    so_far, found = [0] * state.seats, []
    for number, entry in enumerate(state.entries, 1):
        each = row(state, number)
        so_far = [total + score for total, score in zip(so_far, each.scores(), strict=True)]
        found.append(
            {
                **row_json(each, so_far),
                "entered_by": entry.by,
                "confirmed": entry.agreed,
                "confirmed_by": entry.confirmed,
                "corrections": entry.corrections,
            }
        )
    return tuple(found)


def choices(state: State, seat: int) -> tuple[Choice, ...]:
    """Return what a seat may do: enter the next round, correct one, confirm what others entered."""
    if state.over:
        return ()
    entries = [*enumerate(state.entries, 1)]
    to_confirm = [number for number, entry in entries if not entry.agreed and entry.by != seat]
    to_correct = [number for number, entry in entries if entry.corrections < MOST_CORRECTIONS]
    enter = [_entry("round", "round", [len(entries) + 1], state)] if len(entries) < state.rounds else []
    correct = [_entry("correct", "replaces", to_correct, state)] if to_correct else []
    return (*enter, *([choice("confirm", round=to_confirm)] if to_confirm else []), *correct)


def _entry(kind: str, name: str, numbers: list[int], state: State) -> Choice:
    """Return the choice to enter a round; what it holds only the table knows, so a plain one is shown."""
    plain: list[Json] = [{"cards": SMALLEST_CARD * min(seat, 1)} for seat in range(state.seats)]
    seats = FieldChoice((plain,), complete=False, about=ABOUT_SEATS)
    return Choice(kind, {name: FieldChoice(tuple(numbers)), "seats": seats})


def describe(move: Move) -> str:
    """Return the move as the rest of a sentence that begins with a name."""
    match move:
        case Enter():
            return f"enters round {move.round}: {_points(move)}"
        case Correct():
            return f"corrects round {move.replaces}: {_points(move)}"
        case Confirm():
            return f"confirms round {move.round}"
        case _:
            assert_never(move)


def _points(move: Enter | Correct) -> str:
    return ", ".join(" ".join((str(held.cards), *held.adjustments)) for held in move.seats)
