"""The first two editions of the knockout, as stages that were announced with them are still played.

Who goes on is told by the results as they now are: after a correction in an earlier round the next draw may
have an empty slot where somebody had gone on. Two who don't play for third place share it.
"""

from collections.abc import Iterator, Sequence

from games.engine.values import replace
from league.core.drawing.bracket import FINAL, THIRD_PLACE, Heats, Played, played_rounds, seeded
from league.core.drawing.double_bracket import paired
from league.core.drawing.draw import DrawnTable, GroupDraw, stage_sizes
from league.core.drawing.drawing import Drawing
from league.core.drawing.placing import LABELS
from league.core.formats.knockout import Cup, Knockout
from league.core.state.plan import Opening, StagePlan


class SharedThird(Knockout):
    """The second edition: who won what was played last is ranked by it, whoever should have played."""

    edition = 2

    def in_parts(self, plan: StagePlan) -> bool:
        return False

    def heats(self, opening: Opening, plan: StagePlan) -> Heats:
        return replace(super().heats(opening, plan), as_corrected=True)

    def heat(self, drawing: Drawing, heats: Heats, group: int, playing: Sequence[str]) -> GroupDraw:
        if drawing.stage.plan.table_size > 2:
            return super().heat(drawing, heats, group, playing)
        seeds = drawing.stage.groups[group - 1]
        rounds = played_rounds(drawing.state, drawing.stage, group, heats, drawing.number - 1)
        slots = [entry if entry in playing else None for entry in _slots_after(seeds, rounds)]
        if len(slots) < 2:
            return GroupDraw(idle=tuple(playing))
        label = LABELS.get(len(slots), "")
        pairs = [[entry for entry in pair if entry] for pair in paired(slots)]
        tables = [drawing.seated(group, pair, label) for pair in pairs if len(pair) == 2]
        cup: Cup = self.read_params(drawing.stage.plan)
        if label == FINAL and cup.third_place:
            tables += _third_place(drawing, group, rounds, playing)
        byes = tuple(pair[0] for pair in pairs if len(pair) == 1)
        involved = {entry for table in tables for entry in table.entries} | {*byes}
        return GroupDraw(tuple(tables), byes, tuple(entry for entry in playing if entry not in involved))


class AnyFinal(SharedThird):
    """The first edition: the final is of those left, and ties can let everybody at a table advance."""

    edition = 1

    def heats(self, opening: Opening, plan: StagePlan) -> Heats:
        cup: Cup = self.read_params(plan)
        allowed = stage_sizes(opening, plan)
        return Heats(cup.advance, cup.ties, allowed=allowed, all_may_stay=True, as_corrected=True)


def _slots_after(entries: Sequence[str], rounds: Sequence[Played]) -> tuple[str | None, ...]:
    """Return a bracket's slots after rounds: of every two neighbours the one that advanced."""
    slots = tuple(None if seed is None else entries[seed] for seed in seeded(len(entries)))
    for each in rounds[: len(slots).bit_length() - 1]:
        slots = tuple(next((one for one in pair if one in each.advancing), None) for pair in paired(slots))
    return slots


def _third_place(
    drawing: Drawing, group: int, rounds: Sequence[Played], playing: Sequence[str]
) -> Iterator[DrawnTable]:
    losers = [entry for entry in rounds[-1].out if entry in playing] if rounds else []
    if len(losers) == 2:
        yield drawing.seated(group, losers, THIRD_PLACE)
