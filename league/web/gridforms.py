"""Forms with a line for each seat: the results of a whole round, sent at once.

They are made from choices with a list that has an item for each seat (`FieldChoice.by_seat`). Numbers are
typed; of a list of names, the form asks how often each name occurs. A sent form becomes the JSON of the move.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.utils.translation import gettext as _

from games.engine.base import Choice, FieldChoice
from games.engine.jsontypes import Json, JsonObject
from games.engine.kinds import Field, Rows
from games.engine.refusals import Malformed
from games.engine.textinput import from_text, rows_in_form

Posted = Mapping[str, str]
Errors = Mapping[str, Sequence[str]]

LINE: Final = "line"
"""The prefix of the names of a line's inputs, before the seat."""


@dataclass(frozen=True)
class NumberInput:
    """An input for a number: its title, its value, and the points that one of it adds."""

    name: str
    title: str
    value: str
    worth: int = 1


@dataclass(frozen=True)
class Line:
    """A seat's line: its required numbers, its counts of names, and its errors.

    ``heading`` is the title of the counts.
    """

    seat: int
    numbers: tuple[NumberInput, ...]
    counts: tuple[NumberInput, ...]
    heading: str
    wrong: tuple[str, ...]

    @property
    def counted(self) -> bool:
        """Return whether any count is filled in."""
        return any(field.value for field in self.counts)


@dataclass(frozen=True)
class GridForm:
    """A move of ``type`` with a line for each seat.

    ``by`` is the field that tells it from other forms of its type, and ``value`` the value of that field.
    ``grid`` is the field of the lines. ``open`` says whether to show it open.
    """

    type: str
    by: str
    value: Json
    grid: str
    lines: tuple[Line, ...]
    open: bool

    @property
    def key(self) -> str:
        """Return the form's key in an address: its type and value."""
        return f"{self.type}-{self.value}"

    @property
    def first_wrong(self) -> int | None:
        """Return the seat of the first line with an error."""
        return next((line.seat for line in self.lines if line.wrong), None)


def is_grid(choice: Choice) -> bool:
    """Return whether the choice has a list with an item for each seat, besides one field of one value."""
    return any(field.by_seat for field in choice.fields.values())


def grid_forms(choices: Sequence[Choice], opened: str, typed: Posted, errors: Errors) -> tuple[GridForm, ...]:
    """Return a form for each choice with lines.

    ``opened`` is the key of the form to open; ``typed`` and ``errors`` are those of a refused form. Its
    values fill the form of the same round, even where somebody else has entered the round meanwhile and the
    form has become a correction.
    """
    return tuple(_form(choice, opened, typed, errors) for choice in choices if is_grid(choice))


def _form(choice: Choice, opened: str, typed: Posted, errors: Errors) -> GridForm:
    ((by, single),) = ((name, field) for name, field in choice.fields.items() if not field.by_seat)
    ((grid, lines),) = ((name, field) for name, field in choice.fields.items() if field.by_seat)
    (value,) = single.values
    sent = typed if typed.get("grid") and typed.get("value") == str(value) else {}
    return GridForm(
        choice.type,
        by,
        value,
        grid,
        tuple(_line(seat, fields, grid, sent, errors) for seat, fields in enumerate(lines.by_seat)),
        open=bool(sent) or opened == f"{choice.type}-{value}",
    )


def _line(seat: int, fields: Mapping[str, FieldChoice], grid: str, sent: Posted, errors: Errors) -> Line:
    inputs = [*_inputs(seat, fields, sent)]
    path = f"{grid}.{seat}"
    wrong = [each for at, several in errors.items() if f"{at}.".startswith(f"{path}.") for each in several]
    return Line(
        seat,
        tuple(field for field, counted in inputs if not counted),
        tuple(field for field, counted in inputs if counted),
        ", ".join(name for name, field in fields.items() if field.values),
        tuple(dict.fromkeys(wrong)) if sent else (),
    )


def _inputs(seat: int, fields: Mapping[str, FieldChoice], sent: Posted) -> Iterator[tuple[NumberInput, bool]]:
    """Yield the inputs of a line, each with whether it counts a name."""
    for name, field in fields.items():
        if not field.values:
            draft = "" if field.draft is None else str(field.draft)
            yield _input(f"{LINE}-{seat}-{name}", name, draft, sent), False
        for value in field.values:
            times = field.draft.count(value) if isinstance(field.draft, list) else 0
            field_input = _input(f"{LINE}-{seat}-{name}-{value}", str(value), str(times or ""), sent)
            yield replace(field_input, worth=field.worth.get(str(value), 0)), True


def _input(name: str, title: str, draft: str, sent: Posted) -> NumberInput:
    return NumberInput(name, title, sent.get(name, "") if sent else draft)


# ---- From a posted form to a move ----------------------------------------------------------------


def grid_move(fields: Sequence[Field], posted: Posted) -> JsonObject:
    """Return the fields of the move in a posted form, unchecked; raise `Malformed` for a damaged form."""
    shapes = {field.name: field.shape for field in fields}
    by, grid = shapes.get(posted.get("by", "")), shapes.get(posted.get("grid", ""))
    if not isinstance(grid, Rows) or not by:
        raise Malformed({"": [_("This form is damaged. Reload the page.")]})
    return {
        posted["by"]: from_text(by, posted.get("value", "")),
        posted["grid"]: rows_in_form(grid.item, LINE, posted),
    }
