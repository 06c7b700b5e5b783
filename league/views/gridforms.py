"""Forms with a line for each seat: a whole round's results, entered and sent at once.

They are made from choices that say what each seat's item of a list may hold (`FieldChoice.by_seat`): a number
is written as it is, of a list of names each name is counted. They come back as the JSON of the same move.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from games.engine.base import Choice, FieldChoice
from games.engine.jsontypes import Json, JsonObject

Posted = Mapping[str, str]
Errors = Mapping[str, Sequence[str]]

MOST_LINES: Final = 20
MOST_TIMES: Final = 99


@dataclass(frozen=True)
class Blank:
    """A number to write: ``called`` says what of, ``written`` what stands there."""

    name: str
    called: str
    written: str


@dataclass(frozen=True)
class Line:
    """A seat's line: numbers that it must have, names to be counted, and what is wrong with it."""

    seat: int
    numbers: tuple[Blank, ...]
    counts: tuple[Blank, ...]
    wrong: tuple[str, ...]

    @property
    def counted(self) -> bool:
        """Return whether any name is counted so far."""
        return any(blank.written for blank in self.counts)


@dataclass(frozen=True)
class GridForm:
    """A move of ``type`` with a line for each seat.

    ``value`` tells it from others of its type: the one value of the field ``by``. ``grid`` is the field that
    holds the lines. ``open`` says whether it was asked for or sent before.
    """

    type: str
    by: str
    value: Json
    grid: str
    lines: tuple[Line, ...]
    open: bool

    @property
    def key(self) -> str:
        """Return what an address calls the form: its type and value."""
        return f"{self.type}-{self.value}"

    @property
    def first_wrong(self) -> int | None:
        """Return the seat of the first line in which something is wrong."""
        return next((line.seat for line in self.lines if line.wrong), None)


def is_grid(choice: Choice) -> bool:
    """Return whether the choice has a list with an item for each seat (and one field of one value beside)."""
    return any(field.by_seat for field in choice.fields.values())


def grid_forms(choices: Sequence[Choice], asked: str, typed: Posted, errors: Errors) -> tuple[GridForm, ...]:
    """Return a form for each choice with lines.

    ``asked`` is the key of one to be open, ``typed`` what was sent before, ``errors`` what was wrong with it.
    What was sent of a round fills the form for that round, be it now to enter or, somebody else having been
    first, to correct.
    """
    return tuple(_form(choice, asked, typed, errors) for choice in choices if is_grid(choice))


def _form(choice: Choice, asked: str, typed: Posted, errors: Errors) -> GridForm:
    ((by, told),) = ((name, field) for name, field in choice.fields.items() if not field.by_seat)
    ((grid, lines),) = ((name, field) for name, field in choice.fields.items() if field.by_seat)
    (value,) = told.values
    sent = typed if typed.get("grid") and typed.get("value") == str(value) else {}
    return GridForm(
        choice.type,
        by,
        value,
        grid,
        tuple(_line(seat, fields, grid, sent, errors) for seat, fields in enumerate(lines.by_seat)),
        open=bool(sent) or asked == f"{choice.type}-{value}",
    )


def _line(seat: int, fields: Mapping[str, FieldChoice], grid: str, sent: Posted, errors: Errors) -> Line:
    blanks = [*_blanks(seat, fields, sent)]
    path = f"{grid}.{seat}"
    wrong = [said for at, told in errors.items() if f"{at}.".startswith(f"{path}.") for said in told]
    return Line(
        seat,
        tuple(blank for blank, counted in blanks if not counted),
        tuple(blank for blank, counted in blanks if counted),
        tuple(dict.fromkeys(wrong)) if sent else (),
    )


def _blanks(seat: int, fields: Mapping[str, FieldChoice], sent: Posted) -> Iterator[tuple[Blank, bool]]:
    """Yield the blanks of a line, each with whether it counts a name."""
    for name, field in fields.items():
        if not field.values:
            written = "" if field.draft is None else str(field.draft)
            yield _blank(f"line-{seat}-{name}", name, written, sent), False
        for value in field.values:
            times = field.draft.count(value) if isinstance(field.draft, list) else 0
            yield _blank(f"line-{seat}-{name}-{value}", str(value), str(times or ""), sent), True


def _blank(name: str, called: str, written: str, sent: Posted) -> Blank:
    return Blank(name, called, sent.get(name, "") if sent else written)


# ---- From a posted form to a move ----------------------------------------------------------------


def grid_move(posted: Posted) -> JsonObject:
    """Return the move that a posted grid says; the engine judges it."""
    lines = {name.split("-")[1] for name in posted if name.startswith("line-")}
    return {
        "type": posted.get("type", ""),
        posted.get("by", ""): number(posted.get("value", "")),
        posted.get("grid", ""): [_item(posted, seat) for seat in range(min(len(lines), MOST_LINES))],
    }


def _item(posted: Posted, seat: int) -> dict[str, Json]:
    """Return what one line says: numbers as they are, names as often as they were counted."""
    item: dict[str, Json] = {}
    for name, text in posted.items():
        match name.split("-"):
            case ["line", at, part] if at == str(seat) and text.strip():
                item[part] = number(text.strip())
            case ["line", at, part, value] if at == str(seat) and text.strip():
                so_far = item.get(part)
                item[part] = [*(so_far if isinstance(so_far, list) else []), *_counted(value, text.strip())]
            case _:
                pass
    return item


def _counted(name: str, text: str) -> list[Json]:
    """Return a name so many times; more than any move may hold where the text is no such number."""
    times = number(text)
    return [name] * (min(times, MOST_TIMES) if isinstance(times, int) and times >= 0 else MOST_TIMES)


def number(text: str) -> int | str:
    """Return a whole number, or the text itself for the engine to refuse or know."""
    return int(text) if re.fullmatch(r"-?\d{1,9}", text, re.ASCII) else text
