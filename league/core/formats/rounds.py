"""Formats in which entries meet over rounds: drawn freely each round, Swiss, and tables that players open."""

from collections.abc import Mapping
from fractions import Fraction

from games.engine.chance import Chance
from league.core import scoring
from league.core.drawing.draw import Draw
from league.core.drawing.drawing import begun
from league.core.formats.base import Format
from league.core.state.competition import Competition, Stage

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


class Rounds(Format):
    """The simplest format: a number of rounds with new opponents in each."""

    key = "rounds"
    title = "Rounds for everybody"
    summary = "Everybody plays every round; tables are drawn so that people meet as evenly as possible."

    def propose(self, state: Competition, stage: Stage, number: int, chance: Chance) -> Draw:
        drawing = begun(state, stage, number, chance)
        return drawing.each_group(drawing.least_cost)


# ---- Swiss ---------------------------------------------------------------------------------------

SCALE = 200
"""The level of the first entry; the last has 0."""


class Swiss(Format):
    """A number of rounds in which the draw follows the points."""

    key = "swiss"
    title = "Swiss"
    summary = "A set number of rounds; entries with equal points meet, and the same ones not twice."

    def levels(self, state: Competition, stage: Stage) -> Mapping[str, int]:
        return points_as_levels(state, stage)

    def propose(self, state: Competition, stage: Stage, number: int, chance: Chance) -> Draw:
        drawing = begun(state, stage, number, chance)
        levels = self.levels(state, stage)
        return drawing.each_group(lambda group, playing: drawing.least_cost(group, playing, levels), levels)


def points_as_levels(state: Competition, stage: Stage) -> Mapping[str, int]:
    """Return each entry's points on a scale from 0 (last) to `SCALE` (first)."""
    sign = -1 if scoring.rate_of(state, stage).low_points_win else 1
    points = {entry: sign * record.points for entry, record in scoring.records(state, stage).items()}
    low, high = min(points.values(), default=Fraction(0)), max(points.values(), default=Fraction(0))
    if low == high:
        return dict.fromkeys(points, 0)
    return {entry: int((value - low) * SCALE / (high - low)) for entry, value in points.items()}
