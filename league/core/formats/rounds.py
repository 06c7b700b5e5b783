"""Formats in which entries meet over rounds: drawn freely each round, Swiss, and tables that players open."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias

from games.engine.chance import Chance
from games.engine.messages import Message, text
from games.engine.shapes import Between, Help, Label
from games.engine.values import replace
from league.core.drawing.cost import history_of
from league.core.drawing.cost import points_as_levels as points_as_levels
from league.core.drawing.draw import Draw
from league.core.drawing.drawing import begun
from league.core.formats.base import AGREED_BYES, Format, NoParams
from league.core.records import ZERO
from league.core.scoring import rate_of, records
from league.core.state import values as v
from league.core.state.competition import Competition, Stage
from league.core.state.cut_offs import Sizes
from league.core.state.plan import StagePlan, by_series

# ---- Open play -----------------------------------------------------------------------------------


class OpenPlay(Format):
    """No tables are drawn; the scoring can let only the best results count."""

    key = "open_play"
    title = "Open play"
    summary = "Play when and with whom you like while the round lasts; the best results can be made to count."
    open_tables = True
    heeds_wishes = False
    ignores = AGREED_BYES | {"scoring.bye"}

    def sizes(self, state: Competition, stage: Stage, number: int) -> Sizes:
        return ((),) * len(stage.groups)

    def propose(self, state: Competition, stage: Stage, number: int, chance: Chance) -> Draw:
        return Draw(idle=tuple(entry for group in state.field(stage, number) for entry in group))


# ---- Rounds --------------------------------------------------------------------------------------


FirstBy: TypeAlias = Literal["", "evening", "series", "rating", "entered"] | v.SeriesAddress
FIRST_BY: Final[Mapping[str, Message]] = {
    "": text("by lots"),
    "evening": text("by the last evening"),
    "series": text("by the year’s table"),
    "rating": text("by the ratings"),
    "entered": text("in the order of entering"),
}
"""By what the first round of a stage can be seated; by one of several series, too."""


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
    ignores = Format.ignores - AGREED_BYES
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
            how = by_series(by) or FIRST_BY[by]
            found.append(text("Round 1 is seated %(how)s: the best at the first table.", how=how))
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


@dataclass(frozen=True)
class Paired:
    """The parameters of Swiss."""

    byes: Annotated[
        Literal["lots", "lowest"],
        Help(
            "who has a bye among those who had the fewest: by lot, so that it says nothing of how an entry "
            "stands, or who has the fewest points. A latecomer has none in the round for which they came, if "
            "that can be, and the first bye later does not count"
        ),
        Label("Byes", (("lots", text("by lots")), ("lowest", text("to who has the fewest points")))),
    ] = "lots"


class Swiss(Format):
    """A number of rounds in which the draw follows the points."""

    key = "swiss"
    edition = 3
    title = "Swiss"
    summary = "A set number of rounds; entries with equal points meet, and the same ones not twice."
    params: ClassVar[type] = Paired
    ignores = Format.ignores - AGREED_BYES
    fills_by_order = True
    numbers_by_standing = True
    new_have_tables = True
    """Whether who comes late has no bye in the round for which they came, as long as others can have it."""

    def rules(self, plan: StagePlan) -> Sequence[Message]:
        paired: Paired = self.read_params(plan)
        if paired.byes == "lots":
            return ()
        return (text("A bye goes to who has the fewest points of those who had the fewest byes."),)

    def levels(self, state: Competition, stage: Stage) -> Mapping[str, int]:
        return points_as_levels(state, stage)

    def bye_turns(self, state: Competition, stage: Stage) -> Mapping[str, Any] | None:
        paired: Paired = self.read_params(stage.plan)
        had = history_of(stage).byes
        late = {entry.id for entry in state.entries if entry.came_late(stage.number)}
        points = dict.fromkeys(stage.entries, ZERO)
        if paired.byes == "lowest":
            sign = -1 if rate_of(state, stage).low_points_win else 1
            points = {entry: sign * record.points for entry, record in records(state, stage).items()}
        seated = {entry for each in stage.shown_rounds for table in each.tables for entry in table.entries}
        new = late - seated - {*had} if self.new_have_tables else set[str]()
        return {
            entry: (entry in new, max(0, had[entry] - (entry in late)), points[entry])
            for entry in stage.entries
        }

    def propose(self, state: Competition, stage: Stage, number: int, chance: Chance) -> Draw:
        drawing = replace(begun(state, stage, number, chance), turns=self.bye_turns(state, stage))
        levels = self.levels(state, stage)
        return drawing.each_group(lambda group, playing: drawing.least_cost(group, playing, levels), levels)


class NewHaveByes(Swiss):
    """The second edition: a latecomer can have the bye of the round for which they came."""

    edition = 2
    new_have_tables = False


class InDrawnOrder(Swiss):
    """The first edition: tables in the order in which they are drawn, byes by lot, a latecomer's too."""

    edition = 1
    params = NoParams
    numbers_by_standing = False

    def rules(self, plan: StagePlan) -> Sequence[Message]:
        return ()

    def bye_turns(self, state: Competition, stage: Stage) -> Mapping[str, Any] | None:
        return None
