"""Round robin: everybody meets everybody as evenly as the tables allow, exactly where a design exists."""

from collections.abc import Sequence

from games.engine.chance import Chance
from league.competition.state import Competition, Stage
from league.formats.base import Draw, Format
from league.formats.designs import Class, design, meetings
from league.formats.drawing import Drawing, Part


class RoundRobin(Format):
    """All against all within each group; with 0 rounds as many as that takes."""

    key = "round_robin"
    title = "Round robin"
    summary = "Everybody meets everybody else of the group equally often, or as evenly as numbers allow."
    rounds_asked = False
    late_entries = False

    def rounds(self, state: Competition, stage: Stage) -> int:
        return max(_rounds_of(stage, group) for group in stage.groups)

    def propose(self, state: Competition, stage: Stage, number: int, chance: Chance) -> Draw:
        drawing = Drawing(state, stage, number, chance)
        return drawing.each_group(lambda group, playing: _part(drawing, group, playing))


def needed_rounds(entries: int, size: int) -> int:
    """Return the rounds of the exact schedule, else the fewest in which everybody could meet everybody."""
    exact = design(entries, size)
    return len(exact) if exact else max(1, -(-(entries - 1) // (size - 1)))


def scheduled(entries: int, size: int, rounds: int, number: int) -> Class | None:
    """Return the exact schedule's tables of a round, or None where there is no schedule or it is no help.

    One in which people meet once may be broken off anywhere; others are even only as a whole.
    """
    exact = design(entries, size)
    if exact is None or (rounds % len(exact) and meetings(exact) > 1):
        return None
    return exact[(number - 1) % len(exact)]


def _rounds_of(stage: Stage, group: Sequence[str]) -> int:
    return stage.plan.rounds or needed_rounds(len(group), stage.plan.table_size)


def _part(drawing: Drawing, group: int, playing: Sequence[str]) -> Part:
    """Return a group's round: of the exact schedule, or of least cost where that cannot be kept."""
    stage = drawing.stage
    members = stage.groups[group - 1]
    rounds = _rounds_of(stage, members)
    if drawing.number > rounds:
        return Part(idle=tuple(playing))
    one_round = scheduled(len(members), stage.plan.table_size, rounds, drawing.number)
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
