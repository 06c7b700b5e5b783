"""The contract of a format: it proposes each round's tables from the log and a seed."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from games.engine import shapes
from games.engine.chance import Chance
from games.engine.messages import Message
from league.core.drawing.bracket import PlayOff
from league.core.drawing.draw import Draw
from league.core.scoring import Reached
from league.core.state.competition import Competition, Stage
from league.core.state.plan import Opening, StagePlan


@dataclass(frozen=True)
class NoParams:
    """A format without parameters."""


class Format(ABC):
    """A way to run a stage. A new one is a file and a line in the registry."""

    key: ClassVar[str]
    edition: ClassVar[int] = 1
    """What an edition does never changes. Another behaviour is another edition, with a class of its own."""
    title: ClassVar[str]
    summary: ClassVar[str]
    rounds_note: ClassVar[str] = "as asked"
    """How many rounds there are, for the docs."""
    params: ClassVar[type] = NoParams
    late_entries: ClassVar[bool] = True
    """Whether an entry may join once the stage has begun."""
    rounds_asked: ClassVar[bool] = True
    """Whether the organiser chooses the number of rounds; otherwise the format knows it."""
    open_tables: ClassVar[bool] = False
    """Whether tables are opened one by one at any time, if `check_table` allows, instead of being drawn."""

    postponable: ClassVar[bool] = True
    """Whether a table can be put off: not where the next round needs its result."""

    def read_params(self, plan: StagePlan) -> Any:
        """Return the stage's parameters, an instance of `params`; raise `Malformed`."""
        return shapes.read(self.params, plan.params)

    def rounds(self, state: Competition, stage: Stage) -> int:
        """Return how many rounds the stage has."""
        return stage.plan.rounds

    def fewest_rounds(self, opening: Opening, plan: StagePlan, entries: int) -> tuple[int, int] | None:
        """Return the fewest rounds known in which all meet, and a bound by counting; None where it is no aim.

        ``entries`` is the size of the biggest group.
        """
        return None

    def foretold(self, opening: Opening, plan: StagePlan, entries: int) -> Sequence[Message]:
        """Return what an organiser should know of a stage's rounds before it starts."""
        return ()

    def without_absent(self, state: Competition, stage: Stage, number: int) -> Sequence[Message]:
        """Return what it means for a round that is to be drawn that entries are absent from it."""
        return ()

    def check_groups(self, opening: Opening, plan: StagePlan, sizes: Sequence[int]) -> None:  # noqa: B027
        """Raise `Illegal` where the stage can't be planned with groups of these sizes."""

    def check_table(self, state: Competition, stage: Stage, entries: Sequence[str]) -> None:  # noqa: B027
        """Raise `Illegal` where these entries may not open a table with each other."""

    def levels(self, state: Competition, stage: Stage) -> Mapping[str, int] | None:
        """Return each entry's standing as a whole number, where the format lets equals meet."""
        return None

    def playing(self, state: Competition, stage: Stage, number: int) -> Sequence[Sequence[str]]:
        """Return, group by group, the present entries from which a round is drawn."""
        return state.field(stage, number)

    def due_play_offs(self, state: Competition, stage: Stage) -> tuple[PlayOff, ...]:
        """Return the play-offs that have to be drawn before the format's next round."""
        return ()

    @abstractmethod
    def propose(self, state: Competition, stage: Stage, number: int, chance: Chance) -> Draw:
        """Return the draw of a round, the same for the same log and seed."""

    def reached(self, state: Competition, stage: Stage, through: int) -> Mapping[str, Reached]:
        """Return the ranks that the format itself gives after a round; entries left out share rank 0.

        Points and tie-breaks decide only between entries of equal rank.
        """
        return {}
