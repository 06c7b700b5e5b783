"""Forms for a seat's moves, made from the choices that a ruleset offers.

Each type of move has a list of moves to pick from and, where the list is not complete, fields to write
another move. A sent form becomes the JSON that a client of the API would send; the engine checks it.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from django.utils.translation import gettext as _

from games.engine import shapes
from games.engine.cards import SMALLEST, Card, order
from games.engine.choosing import Choice, FieldChoice
from games.engine.common_moves import BY_SERVER, COMMON, RULINGS
from games.engine.describing import command, describe
from games.engine.jsontypes import Json, JsonObject
from games.engine.kinds import AnyOf, Field, Kind, ListOf, OneOf, Record, Rows, Shape
from games.engine.refusals import Malformed
from games.engine.replay import AnyRuleset, Position, read_move
from games.engine.textinput import in_form
from league.web.score_rows import Posted, entry_in
from league.words.messages import translated
from league.words.moves import is_card

MOST_OFFERS: Final = 60
USUAL_ROWS: Final = 4
UNCHOSEN: Final = ("", "–")
"""The first value of every list to choose from, so that no form is sent with a value that nobody chose."""


@dataclass(frozen=True)
class Offer:
    """A move to pick: its JSON, its text, and its card if it has no other field.

    The text is a command, or ``told`` of a player, whose name it follows.
    """

    move: str
    text: str
    card: str | None
    told: bool = False

    @property
    def value(self) -> Json:
        """Return the parsed JSON of the move."""
        parsed: Json = json.loads(self.move)
        return parsed


@dataclass(frozen=True)
class Place:
    """An item that a list may have, such as the place of a card: the name and JSON of its checkbox."""

    name: str
    value: str
    checked: bool

    @property
    def record(self) -> Json:
        """Return the parsed JSON of the item."""
        parsed: Json = json.loads(self.value)
        return parsed


@dataclass(frozen=True)
class Input:
    """A field of a move that is not picked but written.

    A ``choice`` has ``values``; ``rows`` have rows of inputs; a list of places has ``places`` to check.
    ``written`` is the value of a refused form.
    """

    name: str
    label: str
    help: str
    kind: Kind
    values: tuple[tuple[str, str], ...] = ()
    rows: tuple[tuple["Input", ...], ...] = ()
    places: tuple[Place, ...] = ()
    written: str = ""


@dataclass(frozen=True)
class MoveForm:
    """The moves of one type: those to pick, and inputs to write another; no inputs where all are listed."""

    type: str
    offers: tuple[Offer, ...]
    inputs: tuple[Input, ...]
    about: tuple[str, ...]

    @property
    def single(self) -> bool:
        """Return whether there is only one move."""
        return len(self.offers) == 1 and not self.inputs

    @property
    def places(self) -> tuple[Place, ...]:
        """Return the places that an input of this form has."""
        return tuple(place for field in self.inputs for place in field.places)

    @property
    def written(self) -> bool:
        """Return whether an input has a value of a refused form."""
        parts = [part for field in self.inputs for row in field.rows for part in row if part.kind != "choice"]
        checked = any(place.checked for place in self.places)
        return checked or any(field.written for field in (*self.inputs, *parts))


# ---- From choices to forms -----------------------------------------------------------------------


@dataclass(frozen=True)
class Chooser:
    """The seat that chooses among moves, with so many cards in hand.

    ``called`` returns what a thing of the table is, or ``""``.
    """

    ruleset: AnyRuleset
    seat: int | None = None
    position: Position | None = None
    called: Callable[[str], str] = lambda thing: ""
    held: int = 0

    @property
    def rows(self) -> int:
        """Return how many rows a list of melds has: as many as the hand can make, and the usual ones."""
        return max(USUAL_ROWS, self.held // SMALLEST)


def move_forms(chooser: Chooser, choices: Sequence[Choice], typed: Posted) -> tuple[MoveForm, ...]:
    """Return a form for each type of move of a seat, the usual types first, except those for a whole round.

    ``typed`` are the values of a refused form.
    """
    by_type: dict[str, list[Choice]] = {}
    for choice in choices:
        if choice.type not in chooser.ruleset.entry_moves:
            by_type.setdefault(choice.type, []).append(choice)
    usual = chooser.ruleset.usual
    kinds = sorted(by_type, key=lambda kind: usual.index(kind) if kind in usual else len(usual))
    return tuple(_form(chooser, kind, by_type[kind], typed) for kind in kinds)


def ruling_forms(ruleset: AnyRuleset, names: Mapping[int, str], typed: Posted) -> tuple[MoveForm, ...]:
    """Return a form for each of the arbiter's moves; seats are chosen by the names of their players."""
    return tuple(
        MoveForm(kind, (), _ruling_inputs(_fields(ruleset, kind), names, typed), ()) for kind in RULINGS
    )


def _ruling_inputs(fields: Sequence[Field], names: Mapping[int, str], typed: Posted) -> tuple[Input, ...]:
    return tuple(_ruling_input(field, names, typed) for field in fields if field.name not in BY_SERVER)


def _ruling_input(field: Field, names: Mapping[int, str], typed: Posted) -> Input:
    if field.name != "seat":
        return _input(f"own-{field.name}", field, typed)
    seats = (UNCHOSEN, *((str(seat), name) for seat, name in names.items()))
    return Input("pick-seat", _("Player"), "", "choice", seats, written=typed.get("pick-seat", ""))


def _form(chooser: Chooser, kind: str, choices: Sequence[Choice], typed: Posted) -> MoveForm:
    ruleset = chooser.ruleset
    moves = _by_card([move for choice in choices for move in _listed(choice)])
    offers = tuple(_offer(chooser, move) for move in moves) if len(moves) <= MOST_OFFERS else ()
    fields = [field for choice in choices for field in choice.fields.values()]
    of_places = any(each.name in choice.fields for choice in choices for each in _place_fields(ruleset, kind))
    open_ended = of_places or not offers or not all(field.complete for field in fields)
    inputs = tuple(_own_inputs(chooser, kind, choices, typed)) if open_ended and fields else ()
    about = tuple(dict.fromkeys(field.about for field in fields if field.about))
    return MoveForm(kind, offers, inputs, about)


def _listed(choice: Choice) -> Iterator[JsonObject]:
    """Yield the moves that a choice lists, one for each combination of values."""
    listed = {name: field for name, field in choice.fields.items() if field.values or not field.optional}
    for values in product(*(field.values for field in listed.values())):
        yield {"type": choice.type, **dict(zip(listed, values, strict=True))}


def _by_card(moves: Sequence[JsonObject]) -> list[JsonObject]:
    """Return moves with their cards in the order of a hand, other values in the order of the rules.

    Moves with the same fields are next to each other.
    """
    fields = list(dict.fromkeys(tuple(move) for move in moves))
    texts = list(dict.fromkeys(json.dumps(value) for move in moves for value in move.values()))
    places = {text: place for place, text in enumerate(texts)}

    def key(move: JsonObject) -> tuple[Any, ...]:
        values = (_cards_of(value) or [(places[json.dumps(value)],)] for value in move.values())
        return fields.index(tuple(move)), *values

    return sorted(moves, key=key)


def _cards_of(value: Json) -> list[tuple[int, ...]]:
    """Return the sort keys of a card or a list of cards, nothing for another value."""
    cards = value if isinstance(value, list) else [value]
    return [order(Card(str(card))) for card in cards] if all(map(is_card, cards)) else []


def _offer(chooser: Chooser, move: JsonObject) -> Offer:
    values = [value for name, value in move.items() if name != "type"]
    card = values[0] if len(values) == 1 and is_card(values[0]) else None
    made, seat = read_move(chooser.ruleset, move), chooser.seat
    told = command(chooser.position, seat, made) if chooser.position and seat is not None else None
    words = told or describe(chooser.ruleset, made, seat)
    return Offer(json.dumps(move), words, card, told=told is None)  # type: ignore[arg-type]


def _own_inputs(chooser: Chooser, kind: str, choices: Sequence[Choice], typed: Posted) -> Iterator[Input]:
    """Yield an input for each field of the choices."""
    for field in _fields(chooser.ruleset, kind):
        offered = [choice.fields[field.name] for choice in choices if field.name in choice.fields]
        if offered and _holds_places(field.shape.bare):
            yield _placed(chooser, field, offered, typed)
        elif offered and all(each.complete and each.values for each in offered):
            yield _chosen(chooser, field, offered, typed)
        elif offered:
            yield _input(f"own-{field.name}", field, typed, chooser.rows)


def _fields(ruleset: AnyRuleset, kind: str) -> tuple[Field, ...]:
    moves = {**COMMON, **ruleset.moves}
    if kind not in moves:
        raise Malformed({"type": [_("There is no such move in this game.")]})
    return shapes.record(moves[kind]).fields


def _place_fields(ruleset: AnyRuleset, kind: str) -> tuple[Field, ...]:
    return tuple(field for field in _fields(ruleset, kind) if _holds_places(field.shape.bare))


def _holds_places(shape: Shape) -> bool:
    """Return whether a shape is a list whose items are records of numbers."""
    if not isinstance(shape, ListOf):
        return False
    items = shape.item.shapes if isinstance(shape.item, AnyOf) else (shape.item,)
    return all(
        isinstance(item, Record) and all(part.shape.bare.kind == "number" for part in item.fields)
        for item in items
    )


def _placed(chooser: Chooser, field: Field, offered: Sequence[FieldChoice], typed: Posted) -> Input:
    """Return the input with a checkbox for each item of the lists that are offered."""
    lists: list[Any] = [value for each in offered for value in each.values]
    items = _in_groups({json.dumps(item): item for value in lists for item in value}, chooser.seat)
    names = ((f"pick-{field.name}-{number}", item) for number, item in enumerate(items))
    places = tuple(Place(name, item, typed.get(name) == item) for name, item in names)
    return Input(
        f"pick-{field.name}", translated(field.title), field.help, field.shape.bare.kind, places=places
    )


def _in_groups(items: Mapping[str, Mapping[str, int]], own: int | None) -> list[str]:
    """Return the JSON of places in order, those of the seat itself first, and those of no seat last."""

    def key(text: str) -> tuple[Any, ...]:
        seat = items[text].get("seat")
        return seat is None, seat != own, *items[text].values()

    return sorted(items, key=key)


def _chosen(chooser: Chooser, field: Field, offered: Sequence[FieldChoice], typed: Posted) -> Input:
    name = f"pick-{field.name}"
    listed = {
        json.dumps(value): chooser.called(f"{field.name}:{value}") or _label(value)
        for each in offered
        for value in each.values
    }
    values = (UNCHOSEN, *listed.items())
    return Input(name, translated(field.title), field.help, "choice", values, written=typed.get(name, ""))


def _label(value: Json) -> str:
    match value:
        case bool():
            return _("yes") if value else _("no")
        case list() | tuple():
            return " ".join(map(str, value))
        case _:
            return str(value)


def _input(name: str, field: Field, typed: Posted, rows: int = USUAL_ROWS) -> Input:
    shape = field.shape.bare
    more: Mapping[str, Any] = {}
    if isinstance(shape, OneOf):
        more = {"values": (UNCHOSEN, *((str(value), str(value)) for value in shape.values))}
    elif isinstance(shape, Rows):
        more = {"rows": tuple(_row(shape, f"{name}-{row}", typed) for row in range(min(shape.high, rows)))}
    return Input(name, translated(field.title), field.help, shape.kind, written=typed.get(name, ""), **more)


def _row(shape: Rows, name: str, typed: Posted) -> tuple[Input, ...]:
    return tuple(_input(f"{name}-{part.name}", part, typed) for part in shape.item.fields)


# ---- From a posted form to a move ----------------------------------------------------------------


def posted_move(ruleset: AnyRuleset, posted: Posted) -> JsonObject:
    """Return the JSON of the move in a posted form; raise `Malformed` where there is none.

    Nothing chosen and nothing written is no move, unless the move has no field that must be filled in.
    """
    if offer := posted.get("offer"):
        picked = _json(offer)
        if not isinstance(picked, Mapping):
            raise Malformed({"": [_("Pick a move.")]})
        return picked
    kind = posted.get("type", "")
    if kind in ruleset.entry_moves:
        return entry_in(ruleset, kind, posted)
    fields = _fields(ruleset, kind)
    read = {field.name: _read(field, posted) for field in fields}
    filled = {name: value for name, value in read.items() if value is not None}
    if not filled and any(field.required for field in fields):
        raise Malformed({"": [_nothing_chosen(posted)]})
    return {"type": kind, **filled}


def _nothing_chosen(posted: Posted) -> str:
    if "offers" in posted:
        return _("Choose one of these, or write your own below.")
    return _("Fill in the fields.")


def _json(text: str) -> Json:
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        raise Malformed({"": [_("This form is damaged. Reload the page.")]}) from None
    return value


def _read(field: Field, posted: Posted) -> Json:
    """Return the posted value of a field as JSON, None where it was left empty."""
    if picked := posted.get(f"pick-{field.name}"):
        return _json(picked)
    if checked := [_json(item) for name, item in posted.items() if name.startswith(f"pick-{field.name}-")]:
        return checked
    return in_form(field.shape, f"own-{field.name}", posted)
