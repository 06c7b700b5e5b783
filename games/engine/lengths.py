"""The lengths of a game that people choose from, each with the options that make it so."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from games.engine.jsontypes import Json, JsonObject
from games.engine.messages import Message

LengthName: TypeAlias = Literal["short", "medium", "full"]
FULL: Final[LengthName] = "full"


@dataclass(frozen=True)
class GameLength:
    """A length of a game: what it means in this game, and the options that make it so.

    One is ``proposed`` to whoever plays the game for the first time; where none is, the shortest.
    """

    name: LengthName
    title: Message
    options: JsonObject
    proposed: bool = False

    def fits(self, options: Mapping[str, Json]) -> bool:
        """Return whether a game with these options, all of which are given, has this length."""
        return all(options.get(name) == value for name, value in self.options.items())


def length_named(lengths: Sequence[GameLength], name: str) -> GameLength | None:
    """Return the length of a name, None where the game has none of that name."""
    return next((each for each in lengths if each.name == name), None)


def length_proposed(lengths: Sequence[GameLength]) -> GameLength | None:
    """Return the length for whoever plays the game for the first time, None for a game without lengths."""
    return next((each for each in lengths if each.proposed), next(iter(lengths), None))


def length_of(lengths: Sequence[GameLength], options: Mapping[str, Json]) -> GameLength | None:
    """Return the length of a game with these options, None where it has another one."""
    return next((each for each in lengths if each.fits(options)), None)
