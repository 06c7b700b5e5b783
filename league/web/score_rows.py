"""The rows of score cards: inputs for each round, made from what the rules say of its result.

A sheet shows all rows of a card, and the page of a game one of them as a form; the result of a whole table is
a row, too. The name of an input is the key of its card, the number of the round and the path of the value in
the move, separated by dots: ``….2.seats-0-cards``, or ``….2.seats-0-adjustments-misdeal`` for how often a
name occurs. On a sheet each row has an input ``seen`` with the version of the round that the page shows and a
digest of its values: so a posted row is known to be untouched, and nobody overwrites what somebody else has
written meanwhile without having seen it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from typing import Any, Final, Literal, TypeAlias
from uuid import UUID

from django.utils.translation import gettext as _

from games.engine import shapes
from games.engine.choosing import Choice, FieldChoice
from games.engine.jsontypes import Json, JsonObject
from games.engine.kinds import Rows
from games.engine.paper import PaperCard
from games.engine.refusals import Malformed
from games.engine.replay import AnyRuleset, Position
from games.engine.textinput import in_form, rows_in_form
from league.core.state.entries import JOIN
from league.words.messages import translated

Posted: TypeAlias = Mapping[str, str]
Errors: TypeAlias = Mapping[str, Sequence[str]]
State: TypeAlias = Literal["coming", "agreed", "unconfirmed", "disputed"]
NOBODY: Final = "nobody"
UNCHOSEN: Final = "?"
"""Values of an optional seat: chosen to be nobody's, and not chosen yet."""
BLANK_ROWS: Final = 8
"""The most rounds to come that a grid shows of a game that mostly ends before its last round."""
FULL_ROWS: Final = 20
"""The most rounds of a game whose grid shows them all."""
_TIMES: Final = FieldChoice(optional=True)
_NAME: Final = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){4}[0-9a-f]{8})\.(\d{1,3})\.([\w-]{1,80})", re.ASCII)
_SEEN: Final = re.compile(r"(\d{1,4})\.([0-9a-f]{16})", re.ASCII)


@dataclass(frozen=True)
class Refused:
    """What was typed into a row and not saved: sentences about the row, and errors by the path of a field.

    ``conflict`` says that somebody else has written the round meanwhile.
    """

    values: Posted
    sentences: Sequence[str] = ()
    errors: Errors = field(default_factory=dict)
    conflict: bool = False


@dataclass(frozen=True)
class Cell:
    """An input of a row: what it may hold, its text, and what is wrong with that.

    ``seat`` is whose it is, None for one of the whole round, and ``worth`` is what 1 of it adds to the score;
    one that ``counts`` asks how often the name in its title occurs.
    """

    name: str
    title: str
    value: str
    choice: FieldChoice
    worth: int = 0
    seat: int | None = None
    counts: bool = False
    wrong: tuple[str, ...] = ()

    @property
    def values(self) -> tuple[Json, ...]:
        """Return what it is chosen from; nothing where a number is typed."""
        return self.choice.offered or (self.choice.values if self.choice.complete else ())

    @property
    def two_way(self) -> bool:
        """Return whether it is yes, or no where it is left empty."""
        return self.values == (True,) and self.values[0] is True

    @property
    def needed(self) -> bool:
        """Return whether it must be filled in; where no seat is meant, that is chosen as well."""
        return self.choice.seats or not self.choice.optional

    @property
    def absent(self) -> bool:
        """Return whether it can be left empty since its seat has left the game."""
        return self.choice.left or (self.choice.optional and not self.choice.title)

    @property
    def part(self) -> str:
        """Return the name of the field in its line."""
        return self.name.split("-")[2]

    def typed(self, refused: Refused) -> Cell:
        """Return the input with what was typed into it, and the errors of its field or its seat's line."""
        place = ".".join(self.name.split("-")[:2])
        found = [
            each
            for path, several in refused.errors.items()
            if f"{path}.".startswith(f"{place}.")
            for each in several
        ]
        return replace(self, value=refused.values.get(self.name, ""), wrong=tuple(dict.fromkeys(found)))


@dataclass(frozen=True)
class Line:
    """The inputs of a seat in a row."""

    seat: int
    cells: tuple[Cell, ...]

    @property
    def numbers(self) -> tuple[Cell, ...]:
        """Return those in which a number of the seat is typed."""
        return tuple(cell for cell in self.cells if not cell.counts)

    @property
    def counts(self) -> tuple[Cell, ...]:
        """Return those that ask how often a name occurs."""
        return tuple(cell for cell in self.cells if cell.counts)

    @property
    def heading(self) -> str:
        """Return the title of the counts."""
        return ", ".join(dict.fromkeys(cell.part for cell in self.counts))

    @property
    def counted(self) -> bool:
        """Return whether any count is filled in."""
        return any(cell.value for cell in self.counts)

    @property
    def wrong(self) -> tuple[str, ...]:
        """Return what is wrong in the line."""
        return self.cells[0].wrong


@dataclass(frozen=True)
class Row:
    """A round of a card: its inputs, each seat's score once it is entered, and its state.

    ``type`` is that of the move that writes it, and ``about`` says what its lines hold. ``now`` are the
    values of its inputs as the round is entered, where ``cells`` have others that were ``refused``. ``doubt``
    asks about an entered round that is possible but unusual, ``open`` says whether to show it open, and
    ``dealer`` is the seat that deals, None where the card does not say.
    """

    prefix: str
    number: int
    cells: tuple[Cell, ...]
    now: Posted
    refused: Refused | None = None
    type: str = ""
    about: str = ""
    version: int = 0
    state: State = "coming"
    scores: Sequence[int] = ()
    doubt: str = ""
    open: bool = False
    dealer: int | None = None

    @property
    def key(self) -> str:
        """Return the row's key in an address: its type and number."""
        return f"{self.type}-{self.number}"

    @property
    def seen(self) -> str:
        """Return what recognises the version of the round and its values."""
        return seen(self.version, self.now)

    @property
    def asked(self) -> tuple[Cell, ...]:
        """Return the inputs that are not of one seat."""
        return tuple(cell for cell in self.cells if cell.seat is None)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Return the inputs of each seat."""
        of_seats = [cell for cell in self.cells if cell.seat is not None]
        by_seat = groupby(of_seats, lambda cell: cell.seat or 0)
        return tuple(Line(seat, tuple(cells)) for seat, cells in by_seat)

    @property
    def line_of(self) -> Mapping[int, Line]:
        """Return the inputs by seat."""
        return {line.seat: line for line in self.lines}

    def turned(self, turn: int) -> Row:
        """Return the row with the seats' inputs as those sit at the table, where a match changes seats."""
        order = sorted(self.cells, key=lambda cell: -1 if cell.seat is None else cell.seat ^ turn)
        return replace(self, cells=tuple(order))

    @property
    def marked(self) -> tuple[str, ...]:
        """Return the names of the inputs that are wrong."""
        return tuple(cell.name for cell in self.cells if cell.wrong and not cell.counts)

    def as_json(self) -> JsonObject:
        """Return what the page's script shows of it."""
        no = self.refused or Refused({})
        return {
            "prefix": self.prefix,
            "seen": self.seen,
            "values": {**self.now},
            "wrong": [*no.sentences],
            "conflict": no.conflict,
            "state": self.state,
            "scores": [*self.scores],
            "marked": [*self.marked],
            "doubt": self.doubt,
        }


# ---- From what a result may be to rows -----------------------------------------------------------


def row_of(
    key: object,
    number: int,
    fields: Mapping[str, FieldChoice],
    refused: Refused | None = None,
    *,
    entered: bool = False,
    **more: Any,
) -> Row:
    """Return the row of a card with these fields; ``refused`` is what was typed into it and not saved."""
    cells = tuple(_cells(fields, entered=entered))
    now = {cell.name: cell.value for cell in cells}
    if refused is not None:
        cells = tuple(cell.typed(refused) for cell in cells)
    return Row(f"{key}.{number}.", number, cells, now, refused, **more)


def _cells(fields: Mapping[str, FieldChoice], *, entered: bool) -> Iterator[Cell]:
    for name, each in fields.items():
        if not each.by_seat:
            unnamed = (NOBODY if entered else UNCHOSEN) if each.seats and each.optional else ""
            yield Cell(name, each.title or name, unnamed if each.draft is None else str(each.draft), each)
        for seat, parts in enumerate(each.by_seat):
            for part, its in parts.items():
                yield from _parts(f"{name}-{seat}-{part}", part, its, seat)


def _parts(path: str, title: str, its: FieldChoice, seat: int) -> Iterator[Cell]:
    """Yield the input for a value of a seat, or one for each name that may occur; none for a line's blank."""
    if its.offered or not its.complete:
        text = "" if its.draft is None else str(its.draft)
        yield Cell(path, its.title or title, text, its, its.worth.get(title, 1), seat)
        return
    for value in its.values:
        times = its.draft.count(value) if isinstance(its.draft, list) else 0
        worth = its.worth.get(str(value), 0)
        yield Cell(f"{path}-{value}", str(value), str(times or ""), _TIMES, worth, seat, counts=True)


def _of_choice(key: object, choice: Choice, refused: Mapping[int, Refused], **more: Any) -> Row:
    (by, single), *fields = choice.fields.items()
    number = int(str(single.values[0]))
    about = next((each.about for _name, each in fields if each.by_seat), "")
    more |= {"entered": by == "replaces", "type": choice.type, "about": about}
    return row_of(key, number, dict(fields), refused.get(number), **more)


def grid(key: object, position: Position, refused: Mapping[int, Refused]) -> tuple[Row, ...]:
    """Return the rows of a card; ``refused`` is what was typed and not saved, by round."""
    ruleset, card = position.ruleset, position.state
    assert isinstance(ruleset, PaperCard)
    all_rounds, entered = ruleset.rounds(card), len(card.entries)
    choices = ruleset.grid(card, all_rounds if all_rounds <= FULL_ROWS else BLANK_ROWS)
    written = [
        _of_choice(key, choice, refused, **_written(ruleset, card, number))
        for number, choice in enumerate(choices[:entered], 1)
    ]
    rows = (*written, *(_of_choice(key, choice, refused) for choice in choices[entered:]))
    return tuple(replace(row, dealer=ruleset.dealer(card, row.number)) for row in rows)


def _written(ruleset: PaperCard[Any, Any], card: Any, number: int) -> dict[str, Any]:
    entry, doubt = card.entries[number - 1], ruleset.doubt(card, number)
    unconfirmed = "disputed" if entry.disputed else "unconfirmed"
    return {
        "version": entry.version,
        "state": "agreed" if entry.agreed else unconfirmed,
        "scores": ruleset.round_scores(card, number),
        "doubt": translated(doubt) if doubt else "",
    }


def heads(names: Mapping[int, str], teams: Sequence[int], rows: Sequence[Row]) -> Mapping[int, str]:
    """Return the names beside inputs by their seat: all, or of sides for which one line is written."""
    sides: dict[int, list[int]] = {}
    for seat in names:
        sides.setdefault(teams[seat], []).append(seat)
    first = {None, *(its[0] for its in sides.values())}
    if not rows or any(cell.seat not in first for row in rows for cell in row.cells):
        return names
    return {its[0]: JOIN.join(names[seat] for seat in its) for its in sides.values()}


def grid_forms(
    key: object, ruleset: AnyRuleset, choices: Sequence[Choice], opened: str, typed: Posted, errors: Errors
) -> tuple[Row, ...]:
    """Return a row for each round that may be written, to show it as a form.

    ``opened`` is the key of the one to open; ``typed`` and ``errors`` are those of a refused form. Its values
    fill the form of the same round, even where somebody else has entered the round meanwhile and the form has
    become a correction.
    """
    refused = {row.number: Refused(row.values, errors=errors) for row in posted_rows(typed)}
    rows = [_of_choice(key, choice, refused) for choice in choices if choice.type in ruleset.entry_moves]
    return tuple(replace(row, open=row.refused is not None or row.key == opened) for row in rows)


def seen(version: int, values: Posted) -> str:
    """Return what recognises a version of a round and the values that were shown of it."""
    filled = sorted(
        (name, text.strip()) for name, text in values.items() if text.strip() not in ("", UNCHOSEN)
    )
    return f"{version}.{hashlib.sha256(json.dumps(filled).encode()).hexdigest()[:16]}"


# ---- What was posted -----------------------------------------------------------------------------


@dataclass(frozen=True)
class PostedRow:
    """The inputs of a row that was posted, by the paths of their values."""

    card: UUID
    number: int
    values: Posted
    seen: str

    @property
    def version(self) -> int:
        """Return the version of the round that the page showed; 0 for a damaged row."""
        known = _SEEN.fullmatch(self.seen)
        return int(known[1]) if known else 0

    @property
    def touched(self) -> bool:
        """Return whether the values are other than those that the page showed."""
        return seen(self.version, self.values) != self.seen


def posted_rows(posted: Posted) -> Iterator[PostedRow]:
    """Yield the rows in a posted form, card by card and in order."""
    rows: dict[tuple[str, int], dict[str, str]] = {}
    for name, text in posted.items():
        if found := _NAME.fullmatch(name):
            rows.setdefault((found[1], int(found[2])), {})[found[3]] = text
    for (card, number), values in sorted(rows.items()):
        seen = values.pop("seen", "")
        yield PostedRow(UUID(card), number, values, seen)


def entry_in(ruleset: AnyRuleset, kind: str, posted: Posted) -> JsonObject:
    """Return the move in a form with one row; raise `Malformed`."""
    row = next(posted_rows(posted), None)
    if row is None:
        raise Malformed({"": [_("This form is damaged. Reload the page.")]})
    by, *_fields = shapes.record(ruleset.moves[kind]).fields
    return {"type": kind, by.name: row.number, **result_in(ruleset.moves[kind], row)}


def result_in(shape: type, row: PostedRow) -> JsonObject:
    """Return the fields of a move in a posted row, all but the number of the round; raise `Malformed`."""
    _by, *fields = shapes.record(shape).fields
    values = {name: text for name, text in row.values.items() if text != NOBODY}
    if unchosen := [each.name for each in fields if values.get(each.name) == UNCHOSEN]:
        raise Malformed({name: [_("Choose a player, or “Nobody”.")] for name in unchosen})
    found = {
        each.name: rows_in_form(each.shape.item, each.name, values)
        if isinstance(each.shape, Rows)
        else in_form(each.shape, each.name, values)
        for each in fields
    }
    return {name: value for name, value in found.items() if value is not None}
