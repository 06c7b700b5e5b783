"""A draw: who meets at which table in a round, and who does not play."""

from dataclasses import dataclass, field

from games.engine.jsontypes import JsonObject


@dataclass(frozen=True)
class DrawnTable:
    """Entries that meet, in seat order."""

    entries: tuple[str, ...]
    group: int = 1
    label: str = ""


@dataclass(frozen=True)
class GroupDraw:
    """The tables of one group, its byes, and its idle entries: those who are out or have no more rounds."""

    tables: tuple[DrawnTable, ...] = ()
    byes: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()


@dataclass(frozen=True)
class Draw(GroupDraw):
    """A proposed round, all groups together, with the report on its quality (see `cost.report`)."""

    report: JsonObject = field(default_factory=dict)
