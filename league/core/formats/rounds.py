"""Formats in which entries meet over rounds: drawn freely each round, Swiss, and tables that players open."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

from games.engine.chance import Chance
from games.engine.messages import Message, text
from games.engine.shapes import Between, Help, Label
from league.core.drawing.cost import points_as_levels as points_as_levels
from league.core.drawing.draw import Draw
from league.core.drawing.drawing import begun
from league.core.formats.base import Format
from league.core.state.competition import Competition, Stage
from league.core.state.plan import StagePlan

# ---- Open play -----------------------------------------------------------------------------------


class OpenPlay(Format):
    """No tables are drawn; the scoring can let only the best results count."""

    key = "open_play"
    title = "Open play"
    summary = "Play when and with whom you like while the round lasts; the best results can be made to count."
    open_tables = True
    ignores = frozenset({"scoring.bye"})

    def propose(self, state: Competition, stage: Stage, number: int, chance: Chance) -> Draw:
        return Draw(idle=tuple(entry for group in state.field(stage, number) for entry in group))


# ---- Rounds --------------------------------------------------------------------------------------


FirstBy: TypeAlias = Literal["", "evening", "series", "rating", "entered"]
FIRST_BY: Final[Mapping[str, Message]] = {
    "": text("by lots"),
    "evening": text("by the last evening"),
    "series": text("by the year’s table"),
    "rating": text("by the ratings"),
    "entered": text("in the order of entering"),
}
"""By what the first round of a stage can be seated."""


@dataclass(frozen=True)
class Seated:
    """The parameters of rounds."""

    by_standing_from: Annotated[
        int,
        Between(0, 1000),
        Help(
            "from this round on the best of the standings sit at the first table, the next at the second and "
            "so on, whoever met before; 0: in none"
        ),
        Label("Seated by standing from round"),
    ] = 0
    first_by: Annotated[
        FirstBy,
        Help(
            "what seats the first round, the best at the first table, whoever met before; by lots where "
            "there is no such order yet"
        ),
        Label("Round 1 is seated", tuple(FIRST_BY.items())),
    ] = ""


class Rounds(Format):
    """The simplest format: a number of rounds with new opponents in each."""

    key = "rounds"
    title = "Rounds for everybody"
    summary = "Everybody plays every round; tables are drawn so that people meet as evenly as possible."
    params = Seated
    fills_by_order = True

    def by_standing_from(self, plan: StagePlan) -> int:
        seated: Seated = self.read_params(plan)
        return seated.by_standing_from

    def first_by(self, plan: StagePlan) -> str:
        seated: Seated = self.read_params(plan)
        return seated.first_by

    def rules(self, plan: StagePlan) -> Sequence[Message]:
        found = []
        if by := self.first_by(plan):
            found.append(text("Round 1 is seated %(how)s: the best at the first table.", how=FIRST_BY[by]))
        if first := self.by_standing_from(plan):
            found.append(
                text(
                    "From round %(round)d on tables are filled by the standings: the best at the first one.",
                    round=first,
                )
            )
        return found

    def propose(self, state: Competition, stage: Stage, number: int, chance: Chance) -> Draw:
        drawing = begun(state, stage, number, chance)
        return drawing.each_group(drawing.least_cost)


# ---- Swiss ---------------------------------------------------------------------------------------


class Swiss(Format):
    """A number of rounds in which the draw follows the points."""

    key = "swiss"
    title = "Swiss"
    summary = "A set number of rounds; entries with equal points meet, and the same ones not twice."
    fills_by_order = True

    def levels(self, state: Competition, stage: Stage) -> Mapping[str, int]:
        return points_as_levels(state, stage)

    def propose(self, state: Competition, stage: Stage, number: int, chance: Chance) -> Draw:
        drawing = begun(state, stage, number, chance)
        levels = self.levels(state, stage)
        return drawing.each_group(lambda group, playing: drawing.least_cost(group, playing, levels), levels)
