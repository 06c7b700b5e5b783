"""What a seat or an arbiter may do with a score card."""

from typing import Final

from games.engine import shapes
from games.engine.base import Choice, FieldChoice, choice
from games.engine.jsontypes import Json
from games.engine.messages import text
from games.rules.scamper_scorecard.card import SMALLEST_CARD, State, names_for, worth

ABOUT_SEATS: Final = text(
    "For each seat the points of its cards, 0 for who went out, and adjustments by name."
)
ABOUT_CARDS: Final = text("A multiple of %(smallest)s; 0 for who went out.", smallest=SMALLEST_CARD)


def choices(state: State, seat: int | None) -> tuple[Choice, ...]:
    """Return what a seat, or an arbiter (None), may do: enter the next round, confirm and correct others."""
    if state.over:
        return ()
    entries = [*enumerate(state.entries, 1)]
    to_confirm = [number for number, entry in entries if entry.awaits(seat)]
    correct = [_correct(state, number) for number, entry in entries if entry.correctable]
    enter = [_enter(state)] if len(entries) < state.rounds else []
    return (*enter, *([choice("confirm", round=to_confirm)] if to_confirm else []), *correct)


def _enter(state: State) -> Choice:
    """Return the choice to enter the next round, with a possible result as an example."""
    number = len(state.entries) + 1
    example: list[Json] = [{"cards": SMALLEST_CARD * min(seat, 1)} for seat in range(state.seats)]
    drafts: list[list[Json]] = [[] for _ in range(state.seats)]
    if number == 1 and state.options.first_dealer_bonus:
        drafts[state.dealer(1)] = ["first_dealer"]
    lines = [_line(state, number, seat, None, draft) for seat, draft in enumerate(drafts)]
    return choice("round", round=[number], seats=_seats(example, lines))


def _correct(state: State, number: int) -> Choice:
    """Return the choice to correct a round, with its present result as the draft."""
    seats = state.entry(number).seats
    lines = [
        _line(state, number, seat, held.cards, list(held.adjustments)) for seat, held in enumerate(seats)
    ]
    return choice("correct", replaces=[number], seats=_seats([*map(shapes.write, seats)], lines))


def _seats(example: list[Json], lines: list[dict[str, FieldChoice]]) -> FieldChoice:
    return FieldChoice((example,), complete=False, about=ABOUT_SEATS, by_seat=tuple(lines))


def _line(
    state: State, number: int, seat: int, cards: int | None, adjustments: list[Json]
) -> dict[str, FieldChoice]:
    """Return the fields of a seat, with drafts for a form."""
    points, names = worth(state.options), names_for(state, number, seat)
    return {
        "cards": FieldChoice(complete=False, about=ABOUT_CARDS, draft=cards),
        "adjustments": FieldChoice(
            names, optional=True, draft=adjustments or None, worth={name: points[name] for name in names}
        ),
    }
