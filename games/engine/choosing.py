"""What a seat may do now, as data that clients build their interface from and bots choose from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from games.engine.jsontypes import Json, JsonObject


@dataclass(frozen=True)
class FieldChoice:
    """What one field of a move may hold.

    Each of ``values`` can be sent unchanged. If ``complete`` is false, other values may be legal too, and
    ``about`` describes them: of all possible melds only a few are listed. An ``optional`` field may be left
    out. If the values are ``seats``, a form shows the players' names. If the field is a list with one item
    per seat, ``by_seat`` holds the fields of each item. For forms, ``draft`` is the initial value, and
    ``worth`` is what each name in ``values`` adds to the score; of a number, by its own name, what 1 adds.
    ``left`` says that it can be left out since its seat has left the game, ``needed_with`` names a field that
    makes this one required where it is filled in, and ``title`` stands above it where its name does not say
    enough. From those ``offered`` one is picked: each is possible, but not with all values of other fields. A
    complete field of a line without values is blank.
    """

    values: tuple[Json, ...] = ()
    complete: bool = True
    optional: bool = False
    about: str = ""
    draft: Json = None
    seats: bool = False
    by_seat: tuple[Mapping[str, "FieldChoice"], ...] = ()
    worth: Mapping[str, int] = field(default_factory=dict)
    title: str = ""
    offered: tuple[Json, ...] = ()
    left: bool = False
    needed_with: str = ""

    def as_json(self) -> JsonObject:
        """Return the JSON for clients: ``values``, and each other attribute that is not at its default."""
        return {
            "values": list(self.values),
            **({} if self.complete else {"complete": False}),
            **({"optional": True} if self.optional else {}),
            **({"about": self.about} if self.about else {}),
            **({} if self.draft is None else {"draft": self.draft}),
            **({"seats": True} if self.seats else {}),
            **({"by_seat": [fields_as_json(fields) for fields in self.by_seat]} if self.by_seat else {}),
            **({"worth": dict(self.worth)} if self.worth else {}),
            **({"title": self.title} if self.title else {}),
            **({"offered": list(self.offered)} if self.offered else {}),
            **({"left": True} if self.left else {}),
            **({"needed_with": self.needed_with} if self.needed_with else {}),
        }


def fields_as_json(fields: Mapping[str, FieldChoice]) -> JsonObject:
    """Return the JSON of what each field of a move, or of a seat's line in it, may hold."""
    return {name: field.as_json() for name, field in fields.items()}


@dataclass(frozen=True)
class Choice:
    """A move that a seat may make now: its type, and the values of its fields by name.

    Any combination of listed values, one for each required field and at most one for each optional field, is
    a legal move. Fields that depend on each other are split into several choices of the same type.
    """

    type: str
    fields: Mapping[str, FieldChoice]

    def as_json(self) -> JsonObject:
        """Return ``{"type": …, "fields": {name: {"values": […], …}}}``."""
        return {"type": self.type, "fields": fields_as_json(self.fields)}


def choice(kind: str, **fields: FieldChoice | Sequence[Json] | None) -> Choice:
    """Return the choice of a move; a sequence lists all values of a required field.

    A field that is None is left out: the move is made without it.
    """
    given = {name: field for name, field in fields.items() if field is not None}
    return Choice(
        kind,
        {name: f if isinstance(f, FieldChoice) else FieldChoice(tuple(f)) for name, f in given.items()},
    )
