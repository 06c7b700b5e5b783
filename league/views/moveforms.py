"""Forms for a seat's moves, made from what a ruleset offers and declares, and read back as moves.

Each type of move has its ready-made moves to pick from and, where not every legal move is listed, fields to
make one's own. Both come back as the same JSON that a client of the API sends; the engine judges it.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from django.utils.translation import gettext as _

from games.engine import shapes
from games.engine.base import Choice, FieldChoice
from games.engine.jsontypes import Json, JsonObject
from games.engine.kinds import AnyOf, Field, Flag, ListOf, OneOf, Record, Shape, Text, Whole
from games.engine.refusals import Malformed
from games.engine.replay import ALLOWED, COMMON, AnyRuleset, describe, read_move
from league.templatetags.cards import SIGNS, is_card
from league.views.gridforms import grid_move, is_grid, number

Posted = Mapping[str, str]

MOST_OFFERS: Final = 60
MOST_ROWS: Final = 4
_WRITTEN: Final = str.maketrans({sign: code for code, sign in SIGNS.items()})


@dataclass(frozen=True)
class Offer:
    """A move to pick: its JSON, its words, and its card where it is about that card alone."""

    move: str
    text: str
    card: str | None

    @property
    def said(self) -> Json:
        """Return the move's JSON as a value."""
        value: Json = json.loads(self.move)
        return value


@dataclass(frozen=True)
class Input:
    """A field of a move of one's own.

    ``kind`` is ``choose`` (from ``values``), ``flag``, ``number``, ``text``, ``cards`` or ``groups``, whose
    ``rows`` hold inputs themselves. ``written`` is what was typed before.
    """

    name: str
    label: str
    help: str
    kind: str
    values: tuple[tuple[str, str], ...] = ()
    rows: tuple[tuple["Input", ...], ...] = ()
    written: str = ""


@dataclass(frozen=True)
class MoveForm:
    """What a seat may do of one type: moves to pick, and inputs to make another (none: all are listed)."""

    type: str
    offers: tuple[Offer, ...]
    inputs: tuple[Input, ...]
    about: tuple[str, ...]

    @property
    def single(self) -> bool:
        """Return whether there is one move and nothing to choose."""
        return len(self.offers) == 1 and not self.inputs

    @property
    def written(self) -> bool:
        """Return whether anything was typed into the inputs before."""
        parts = [part for field in self.inputs for row in field.rows for part in row if part.kind != "choose"]
        return any(field.written for field in (*self.inputs, *parts))


# ---- From choices to forms -----------------------------------------------------------------------


def move_forms(ruleset: AnyRuleset, choices: Sequence[Choice], typed: Posted) -> tuple[MoveForm, ...]:
    """Return a form for each type of move that the choices list, but for those with a line for each seat.

    ``typed`` fills in what was sent before.
    """
    by_type: dict[str, list[Choice]] = {}
    for choice in choices:
        if is_grid(choice):
            continue
        by_type.setdefault(choice.type, []).append(choice)
    return tuple(_form(ruleset, kind, listed, typed) for kind, listed in by_type.items())


def ruling_forms(ruleset: AnyRuleset, names: Mapping[int, str], typed: Posted) -> tuple[MoveForm, ...]:
    """Return a form for each of the arbiter's moves; a seat is chosen by the name of who sits there."""
    return tuple(
        MoveForm(kind, (), tuple(_ruling_input(field, names, typed) for field in _fields(ruleset, kind)), ())
        for kind in ALLOWED["arbiter"]
    )


def _ruling_input(field: Field, names: Mapping[int, str], typed: Posted) -> Input:
    if field.name != "seat":
        return _input(f"own-{field.name}", field, typed)
    seats = tuple((str(seat), name) for seat, name in names.items())
    return Input("pick-seat", "player", "", "choose", seats, written=typed.get("pick-seat", ""))


def _form(ruleset: AnyRuleset, kind: str, choices: Sequence[Choice], typed: Posted) -> MoveForm:
    moves = [move for choice in choices for move in _listed(choice)]
    offers = tuple(_offer(ruleset, move) for move in moves) if len(moves) <= MOST_OFFERS else ()
    fields = [field for choice in choices for field in choice.fields.values()]
    open_ended = not offers or not all(field.complete for field in fields)
    inputs = tuple(_own_inputs(ruleset, kind, choices, typed)) if open_ended and fields else ()
    about = tuple(dict.fromkeys(field.about for field in fields if field.about))
    return MoveForm(kind, offers, inputs, about)


def _listed(choice: Choice) -> Iterator[JsonObject]:
    """Yield the moves that a choice's listed values make, optional fields with values included."""
    told = {name: field for name, field in choice.fields.items() if field.values or not field.optional}
    for values in product(*(field.values for field in told.values())):
        yield {"type": choice.type, **dict(zip(told, values, strict=True))}


def _offer(ruleset: AnyRuleset, move: JsonObject) -> Offer:
    told = [value for name, value in move.items() if name != "type"]
    card = told[0] if len(told) == 1 and is_card(told[0]) else None
    return Offer(json.dumps(move), describe(ruleset, read_move(ruleset, move)), card)  # type: ignore[arg-type]


def _own_inputs(ruleset: AnyRuleset, kind: str, choices: Sequence[Choice], typed: Posted) -> Iterator[Input]:
    """Yield an input for each field that any of the choices has."""
    for field in _fields(ruleset, kind):
        offered = [choice.fields[field.name] for choice in choices if field.name in choice.fields]
        if offered and all(told.complete and told.values for told in offered):
            yield _chosen(field, offered, typed)
        elif offered:
            yield _input(f"own-{field.name}", field, typed)


def _fields(ruleset: AnyRuleset, kind: str) -> tuple[Field, ...]:
    moves = {**COMMON, **ruleset.moves}
    if kind not in moves:
        raise Malformed({"type": [_("There is no such move in this game.")]})
    return shapes.record(moves[kind]).fields


def _chosen(field: Field, offered: Sequence[FieldChoice], typed: Posted) -> Input:
    name = f"pick-{field.name}"
    values = {json.dumps(value): _label(value) for told in offered for value in told.values}
    if not field.required:
        values = {"": "–", **values}
    return Input(name, field.name, field.help, "choose", tuple(values.items()), written=typed.get(name, ""))


def _label(value: Json) -> str:
    match value:
        case bool():
            return _("yes") if value else _("no")
        case list() | tuple():
            return " ".join(map(str, value))
        case _:
            return str(value)


def _input(name: str, field: Field, typed: Posted) -> Input:
    written = typed.get(name, "")
    match _bare(field.shape):
        case Flag():
            return Input(name, field.name, field.help, "flag", written=written)
        case OneOf(values):
            told = tuple((str(value), str(value)) for value in values)
            return Input(name, field.name, field.help, "choose", told, written=written)
        case Whole():
            return Input(name, field.name, field.help, "number", written=written)
        case ListOf(Record(_cls, fields), _low, high):
            rows = tuple(
                tuple(_input(f"{name}-{row}-{part.name}", part, typed) for part in fields)
                for row in range(min(high, MOST_ROWS))
            )
            return Input(name, field.name, field.help, "groups", rows=rows)
        case ListOf():
            return Input(name, field.name, field.help, "cards", written=written)
        case _:
            return Input(name, field.name, field.help, "text", written=written)


def _bare(shape: Shape) -> Shape:
    """Return the shape of a value that may also be absent (None)."""
    if isinstance(shape, AnyOf):
        others = [other for other in shape.shapes if other != OneOf((None,))]
        return others[0] if len(others) == 1 else shape
    return shape


# ---- From a posted form to a move ----------------------------------------------------------------


def posted_move(ruleset: AnyRuleset, posted: Posted) -> JsonObject:
    """Return the JSON of the move that a form says; raises `Malformed` where it says none."""
    if posted.get("grid"):
        return grid_move(posted)
    if offer := posted.get("offer"):
        picked = _json(offer)
        if not isinstance(picked, Mapping):
            raise Malformed({"": [_("Pick a move.")]})
        return picked
    kind = posted.get("type", "")
    read = {field.name: _read(field, posted) for field in _fields(ruleset, kind)}
    return {"type": kind, **{name: value for name, value in read.items() if value is not None}}


def _json(text: str) -> Json:
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        raise Malformed({"": [_("This form is damaged. Reload the page.")]}) from None
    return value


def _read(field: Field, posted: Posted) -> Json:
    """Return what was posted for a field, as JSON, or None for nothing."""
    if picked := posted.get(f"pick-{field.name}"):
        return _json(picked)
    return _read_as(f"own-{field.name}", _bare(field.shape), posted)


def _read_as(name: str, shape: Shape, posted: Posted) -> Json:
    written = posted.get(name, "").strip()
    match shape:
        case Flag():
            return True if written else None
        case ListOf(Record(_cls, fields)):
            return _rows(name, fields, posted) or None
        case ListOf(Whole()):
            return [number(word) for word in written.split()] or None
        case ListOf():
            return [*_cards(written)] or None
        case Text(_low, _high, None):
            return written or None
        case Text():
            return next(iter(_cards(written)), None)
        case _:
            return number(written) if written else None


def _rows(name: str, fields: Sequence[Field], posted: Posted) -> list[Any]:
    rows = []
    for row in range(MOST_ROWS):
        read = {field.name: _read_as(f"{name}-{row}-{field.name}", field.shape, posted) for field in fields}
        if any(isinstance(value, list) for value in read.values()):
            rows.append({part: value for part, value in read.items() if value is not None})
    return rows


def _cards(written: str) -> Iterator[str]:
    """Yield the codes of cards as people write them: "10♥ 9c" gives TH and 9C."""
    for word in re.split(r"[\s,]+", written.translate(_WRITTEN).upper()):
        if word:
            yield re.sub(r"^10(?=.)", "T", word)
