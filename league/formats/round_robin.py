"""Round robin: everybody meets everybody as evenly as the tables allow, exactly where a design exists."""

from collections.abc import Sequence

from games.engine.chance import Chance
from league.competition.events import Opened, StagePlan
from league.competition.state import Competition, Stage
from league.formats.base import Draw, Format
from league.formats.designs import Class, design, meetings
from league.formats.drawing import Drawing, Part
from league.formats.schedule import MOST_ENTRIES, schedule
from league.formats.sizes import stage_sizes, table_sizes


class RoundRobin(Format):
    """All against all within each group; with 0 rounds as many as that takes."""

    key = "round_robin"
    title = "Round robin"
    summary = "Everybody meets everybody else of the group equally often, or as evenly as numbers allow."
    rounds_asked = False
    late_entries = False

    def rounds(self, state: Competition, stage: Stage) -> int:
        return max(needed_rounds(state.opening, stage.plan, len(group)) for group in stage.groups)

    def propose(self, state: Competition, stage: Stage, number: int, chance: Chance) -> Draw:
        drawing = Drawing(state, stage, number, chance)
        return drawing.each_group(lambda group, playing: _part(drawing, group, playing))


def exact(opening: Opened, plan: StagePlan, entries: int) -> tuple[Class, ...] | None:
    """Return the exact schedule of a group, or None where none is known.

    One in which somebody rests is no help where tables of mixed sizes could seat everybody.
    """
    found = design(entries, plan.table_size)
    if found is None or sum(map(len, found[0])) == entries:
        return found
    seated = sum(table_sizes(entries, stage_sizes(opening, plan), plan.table_size))
    return found if seated < entries else None


def needed_rounds(opening: Opened, plan: StagePlan, entries: int) -> int:
    """Return the rounds asked for, or those of the exact schedule, or so many that all could have met."""
    if plan.rounds:
        return plan.rounds
    schedule = exact(opening, plan, entries)
    return len(schedule) if schedule else max(1, -(-(entries - 1) // (plan.table_size - 1)))


def scheduled(opening: Opened, plan: StagePlan, entries: int, number: int) -> Class | None:
    """Return the tables of a round of the group's schedule, or None for a field too big for any.

    An exact one in which people meet once may be broken off anywhere; others are even only as a whole, and
    give way to the most even one that a search finds.
    """
    whole = exact(opening, plan, entries)
    if whole and (plan.rounds % len(whole) == 0 or meetings(whole) == 1):
        return whole[(number - 1) % len(whole)]
    if entries > MOST_ENTRIES:
        return None
    sizes = table_sizes(entries, stage_sizes(opening, plan), plan.table_size)
    return schedule(entries, sizes, needed_rounds(opening, plan, entries))[number - 1]


def _part(drawing: Drawing, group: int, playing: Sequence[str]) -> Part:
    """Return a group's round: of the exact schedule, or of least cost where that cannot be kept."""
    opening, plan = drawing.state.opening, drawing.stage.plan
    members = drawing.stage.groups[group - 1]
    if drawing.number > needed_rounds(opening, plan, len(members)):
        return Part(idle=tuple(playing))
    one_round = scheduled(opening, plan, len(members), drawing.number)
    if one_round is None:
        return drawing.least_cost(group, playing)
    return _kept(drawing, group, playing, one_round) or drawing.least_cost(group, playing)


def _kept(drawing: Drawing, group: int, playing: Sequence[str], one_round: Class) -> Part | None:
    """Return the schedule's tables without those who are missing, or None where one is then of no legal size.

    Whoever is left alone has a bye.
    """
    members = drawing.stage.groups[group - 1]
    found = [[members[place] for place in block if members[place] in playing] for block in one_round]
    tables = [table for table in found if len(table) > 1]
    if any(len(table) not in drawing.sizes for table in tables):
        return None
    seated = {entry for table in tables for entry in table}
    byes = tuple(entry for entry in playing if entry not in seated)
    return Part(tuple(drawing.seated(group, table) for table in tables), byes)
