"""An example of a format: the Danish system, in which neighbours of the standings meet in every round."""

from collections.abc import Mapping, Sequence

from games.engine.chance import Chance
from league.core.drawing.draw import Draw, GroupDraw, table_sizes
from league.core.drawing.drawing import Drawing, begun
from league.core.formats.base import Format
from league.core.formats.rounds import points_as_levels
from league.core.state.competition import Competition, Stage


class Danish(Format):
    """The leaders meet at the first table, whoever met before."""

    key = "danish"
    title = "Danish"
    summary = "A set number of rounds; neighbours of the standings meet, even if they have met before."

    def propose(self, state: Competition, stage: Stage, number: int, chance: Chance) -> Draw:
        drawing = begun(state, stage, number, chance)
        levels = points_as_levels(state, stage)
        return drawing.each_group(lambda group, playing: _neighbours(drawing, group, playing, levels), levels)


def _neighbours(drawing: Drawing, group: int, playing: Sequence[str], levels: Mapping[str, int]) -> GroupDraw:
    sizes = table_sizes(len(playing), drawing.sizes, drawing.stage.plan.table_size)
    byes = drawing.resting(playing, len(playing) - sum(sizes))
    lots = drawing.chance.shuffled("neighbours", sorted({*playing} - {*byes}))
    best_first = iter(sorted(lots, key=lambda entry: levels[entry], reverse=True))
    tables = [[next(best_first) for _ in range(size)] for size in sizes]
    return GroupDraw(tuple(drawing.seated(group, table) for table in tables), byes)
