"""What a format is: it proposes each round's tables from the log and the seed, and nothing else."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from games.engine import shapes
from games.engine.chance import Chance
from games.engine.jsontypes import JsonObject
from league.competition.events import StagePlan
from league.competition.state import Competition, Stage
from league.scoring import Reached


@dataclass(frozen=True)
class DrawnTable:
    """Entries that meet, in seat order."""

    entries: tuple[str, ...]
    group: int = 1
    label: str = ""


@dataclass(frozen=True)
class Draw:
    """A proposed round: its tables, the entries that numbers leave without one, and those it asks no more."""

    tables: tuple[DrawnTable, ...]
    report: JsonObject
    byes: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()


@dataclass(frozen=True)
class NoParams:
    """A format that asks nothing of its own."""


class Format(ABC):
    """A way to run a stage. A new one is a file and a line in the registry."""

    key: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    params: ClassVar[type] = NoParams
    late_entries: ClassVar[bool] = True
    """Whether an entry may join once the stage has begun."""
    rounds_asked: ClassVar[bool] = True
    """Whether the organiser says how many rounds there are; otherwise the format knows."""
    open_tables: ClassVar[bool] = False
    """Whether tables are opened one by one at any time instead of being drawn; then `check_table` judges."""

    def read_params(self, plan: StagePlan) -> Any:
        """Return the stage's parameters as this format declares them; raise `Malformed`."""
        return shapes.read(self.params, plan.params)

    def rounds(self, state: Competition, stage: Stage) -> int:
        """Return how many rounds the stage has."""
        return stage.plan.rounds

    def check_table(self, state: Competition, stage: Stage, entries: Sequence[str]) -> None:  # noqa: B027
        """Raise `Illegal` where these entries may not open a table with each other."""

    def levels(self, state: Competition, stage: Stage) -> Mapping[str, int] | None:
        """Return each entry's standing as a whole number, where the format lets equals meet."""
        return None

    @abstractmethod
    def propose(self, state: Competition, stage: Stage, number: int, chance: Chance) -> Draw:
        """Return the draw of a round, the same for the same log and seed."""

    def reached(self, state: Competition, stage: Stage, through: int) -> Mapping[str, Reached]:
        """Return the places that the format itself gives after a round; entries left out share place 0.

        Points and tie-breaks decide only between entries of equal place.
        """
        return {}
