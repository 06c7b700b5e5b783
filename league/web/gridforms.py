"""Forms for the result of a whole round, sent at once.

They are made from choices with a list that has an item for each seat (`FieldChoice.by_seat`), or with a field
whose values are seats (`FieldChoice.seats`). Their first field, of one value, tells them apart. Numbers are
typed; of a list of names, the form asks how often each name occurs. A sent form becomes the JSON of the move.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.utils.translation import gettext as _

from games.engine.base import Choice, FieldChoice
from games.engine.jsontypes import Json, JsonObject
from games.engine.kinds import Field, Rows, Shape
from games.engine.refusals import Malformed
from games.engine.textinput import from_text, in_form, rows_in_form

Posted = Mapping[str, str]
Errors = Mapping[str, Sequence[str]]

LINE: Final = "line"
"""The prefix of the names of a line's inputs, before the seat."""
WHOLE: Final = "whole"
"""The prefix of the names of the inputs that are not of one seat."""
NOBODY: Final = "nobody"
UNCHOSEN: Final = "?"
"""Values of an optional seat: chosen to be nobody's, and not chosen yet."""


@dataclass(frozen=True)
class NumberInput:
    """An input for a number: its title, its value, and the points that one of it adds.

    An ``optional`` one may stay empty.
    """

    name: str
    title: str
    value: str
    worth: int = 1
    optional: bool = False


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
class Asked:
    """An input that is not of one seat: a choice if it has ``values``, which may be ``seats``, else a number.

    ``about`` says what is meant, and ``wrong`` are its errors.
    """

    name: str
    title: str
    value: str
    values: tuple[Json, ...]
    seats: bool
    optional: bool
    about: str
    wrong: tuple[str, ...]


@dataclass(frozen=True)
class GridForm:
    """A move of ``type`` with inputs for the whole round, and a line for each seat.

    ``by`` is the field that tells it from other forms of its type, and ``value`` the value of that field.
    ``grid`` is the field of the lines, ``""`` without lines, and ``about`` says what they hold. ``open`` says
    whether to show it open.
    """

    type: str
    by: str
    value: Json
    asked: tuple[Asked, ...]
    grid: str
    about: str
    lines: tuple[Line, ...]
    open: bool

    @property
    def key(self) -> str:
        """Return the form's key in an address: its type and value."""
        return f"{self.type}-{self.value}"

    @property
    def inputs(self) -> Iterator[Asked | NumberInput]:
        """Yield all inputs."""
        yield from self.asked
        for line in self.lines:
            yield from (*line.numbers, *line.counts)

    @property
    def first_wrong(self) -> int | str | None:
        """Return the name of the first input with an error, or the seat of the first such line."""
        named = next((each.name for each in self.asked if each.wrong), None)
        return named or next((line.seat for line in self.lines if line.wrong), None)


def is_grid(choice: Choice) -> bool:
    """Return whether the choice has a list with an item for each seat, or a field whose values are seats."""
    return any(field.by_seat or field.seats for field in choice.fields.values())


def grid_forms(choices: Sequence[Choice], opened: str, typed: Posted, errors: Errors) -> tuple[GridForm, ...]:
    """Return a form for each choice with lines.

    ``opened`` is the key of the form to open; ``typed`` and ``errors`` are those of a refused form. Its
    values fill the form of the same round, even where somebody else has entered the round meanwhile and the
    form has become a correction.
    """
    return tuple(grid_form(choice, opened, typed, errors) for choice in choices if is_grid(choice))


def grid_form(choice: Choice, opened: str, typed: Posted, errors: Errors) -> GridForm:
    """Return the form of a choice with lines, as `grid_forms` does."""
    (by, single), *fields = choice.fields.items()
    (value,) = single.values
    grid, of_seats = next(((name, field) for name, field in fields if field.by_seat), ("", FieldChoice()))
    sent = typed if "grid" in typed and typed.get("value") == str(value) else {}
    return GridForm(
        choice.type,
        by,
        value,
        tuple(
            _asked(name, field, sent, errors, _is_drafted(fields))
            for name, field in fields
            if not field.by_seat
        ),
        grid,
        of_seats.about,
        tuple(_line(seat, parts, grid, sent, errors) for seat, parts in enumerate(of_seats.by_seat)),
        open=bool(sent) or opened == f"{choice.type}-{value}",
    )


def _is_drafted(fields: Sequence[tuple[str, FieldChoice]]) -> bool:
    """Return whether a form starts with a result, which it corrects."""
    parts = [part for _name, field in fields for line in field.by_seat for part in line.values()]
    return any(field.draft is not None for field in (*(field for _name, field in fields), *parts))


def _asked(name: str, field: FieldChoice, sent: Posted, errors: Errors, drafted: bool) -> Asked:
    key = f"{WHOLE}-{name}"
    draft = "" if field.draft is None else str(field.draft)
    if not draft and field.seats and field.optional:
        draft = NOBODY if drafted else UNCHOSEN
    return Asked(
        key,
        name,
        sent.get(key, "") if sent else draft,
        field.values if field.complete else (),
        field.seats,
        field.optional,
        field.about,
        tuple(errors.get(name, ())) if sent else (),
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
            number = _input(f"{LINE}-{seat}-{name}", name, draft, sent)
            yield replace(number, worth=field.worth.get(name, 1), optional=field.optional), False
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
    by, grid = posted.get("by", ""), posted.get("grid", "")
    lines = shapes.get(grid)
    if by not in shapes or (grid and not isinstance(lines, Rows)):
        raise Malformed({"": [_("This form is damaged. Reload the page.")]})
    whole = {name: _whole(name, shape, posted) for name, shape in shapes.items()}
    return {
        by: from_text(shapes[by], posted.get("value", "")),
        **{name: value for name, value in whole.items() if name not in (by, grid) and value is not None},
        **({grid: rows_in_form(lines.item, LINE, posted)} if isinstance(lines, Rows) else {}),
    }


def _whole(name: str, shape: Shape, posted: Posted) -> Json:
    """Return the posted value of a field that is not of one seat, None for nobody and for nothing."""
    key = f"{WHOLE}-{name}"
    match posted.get(key):
        case str(value) if value == UNCHOSEN:
            raise Malformed({name: [_("Choose a player, or “Nobody”.")]})
        case str(value) if value == NOBODY:
            return None
        case _:
            return in_form(shape, key, posted)
