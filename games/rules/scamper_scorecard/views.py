"""What is seen of a score card, what may be done with it, and how that is told."""

from collections.abc import Mapping
from typing import Final, assert_never

from games.engine import shapes
from games.engine.base import Choice, FieldChoice, choice
from games.engine.jsontypes import Json, JsonObject
from games.rules.scamper.views import row_json
from games.rules.scamper_scorecard.card import (
    SMALLEST_CARD,
    Entry,
    State,
    names_for,
    row,
    totals,
    worth,
)
from games.rules.scamper_scorecard.moves import Confirm, Correct, Enter, Move

ABOUT_SEATS: Final = "For each seat the points of its cards, 0 for who went out, and adjustments by name."
ABOUT_CARDS: Final = f"A multiple of {SMALLEST_CARD}; 0 for who went out."


def view(state: State) -> JsonObject:
    """Return the card, which is open to everybody; ``turn`` is nobody's.

    Beyond the common names: ``contract`` and ``dealer`` of the round that is played, ``first_dealer``,
    ``unconfirmed`` (numbers of rounds that wait for somebody to agree), and ``worth`` (points of each
    adjustment by name).
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
        "worth": worth(state.options),
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


def choices(state: State, seat: int | None) -> tuple[Choice, ...]:
    """Return what a seat, or an arbiter (None), may do: enter the next round, confirm and correct others."""
    if state.over:
        return ()
    entries = [*enumerate(state.entries, 1)]
    to_confirm = [number for number, entry in entries if entry.awaits(seat)]
    correct = [_correction(state, number, entry) for number, entry in entries if entry.correctable]
    enter = [_next(state)] if len(entries) < state.rounds else []
    return (*enter, *([choice("confirm", round=to_confirm)] if to_confirm else []), *correct)


def _next(state: State) -> Choice:
    """Return the choice to enter the next round; what it holds only the table knows, so any one is shown."""
    number = len(state.entries) + 1
    shown: list[Json] = [{"cards": SMALLEST_CARD * min(seat, 1)} for seat in range(state.seats)]
    bonus = state.options.first_dealer_bonus != 0
    drafts = [_due(state, number, seat) if bonus else [] for seat in range(state.seats)]
    lines = tuple(_line(state, number, seat, None, drafts[seat]) for seat in range(state.seats))
    return _whole("round", "round", number, FieldChoice((shown,), False, about=ABOUT_SEATS, by_seat=lines))


def _due(state: State, number: int, seat: int) -> list[Json]:
    """Return what a seat is called without anybody's doing: the first dealer (S6)."""
    return [name for name in names_for(state, number, seat) if name == "first_dealer"]


def _correction(state: State, number: int, entry: Entry) -> Choice:
    """Return the choice to enter a round anew, beginning with what stands."""
    stands: list[Json] = [shapes.write(held) for held in entry.seats]
    lines = tuple(
        _line(state, number, seat, held.cards, list(held.adjustments))
        for seat, held in enumerate(entry.seats)
    )
    seats = FieldChoice((stands,), False, about=ABOUT_SEATS, by_seat=lines)
    return _whole("correct", "replaces", number, seats)


def _whole(kind: str, name: str, number: int, seats: FieldChoice) -> Choice:
    return Choice(kind, {name: FieldChoice((number,)), "seats": seats})


def _line(
    state: State, number: int, seat: int, cards: int | None, called: list[Json]
) -> Mapping[str, FieldChoice]:
    """Return what one seat's line may hold, and what a form may begin it with."""
    return {
        "cards": FieldChoice(complete=False, about=ABOUT_CARDS, draft=cards),
        "adjustments": FieldChoice(names_for(state, number, seat), optional=True, draft=called or None),
    }


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
    return ", ".join(" ".join((str(held.cards), *held.adjustments)) for held in move.seats).replace("_", " ")
