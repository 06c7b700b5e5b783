"""Round robin: all meet each other as evenly as the tables allow, exactly evenly where a design exists."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Final

from games.engine.chance import Chance
from games.engine.messages import Message, both, plural, text
from games.engine.refusals import Illegal
from games.engine.shapes import Between, Help, Label
from league.core.drawing.designs import DesignRound
from league.core.drawing.draw import Draw, DrawnTable, GroupDraw, stage_sizes, table_sizes
from league.core.drawing.drawing import Drawing, begun, engine_of
from league.core.drawing.partners import are_two_pairs
from league.core.drawing.schedule import (
    MOST_ENTRIES,
    counting_bound,
    fewest_rounds,
    is_planned,
    schedule,
    unmet_pairs,
)
from league.core.drawing.whist import whist
from league.core.drawing.wishes import counts_in, pairs
from league.core.formats.base import Format
from league.core.state.competition import Competition, Stage
from league.core.state.cut_offs import Sizes, Wish
from league.core.state.plan import Opening, StagePlan

ORDERS: Final = 5
"""From so many other orders numbers of a schedule are exchanged where the first keeps not all wishes."""
ALWAYS: Final = 10**6


@dataclass(frozen=True)
class RoundRobinParams:
    """How often all meet: in every second turn at tables of two with seats exchanged."""

    legs: Annotated[
        int,
        Between(1, 10),
        Label("How often all meet"),
        Help("where the number of rounds is 0; 2 at tables of two: once at home, once away"),
    ] = 1


class RoundRobin(Format):
    """All against all within each group; for 0 rounds as many as that takes."""

    key = "round_robin"
    title = "Round robin"
    summary = "Everybody meets everybody else of the group, as evenly as numbers allow."
    rounds_note = text("as asked, or 0: as many as needed")
    rounds_asked = False
    late_entries = False
    params = RoundRobinParams

    def rounds(self, state: Competition, stage: Stage) -> int:
        return max(needed_rounds(state.opening, stage.plan, len(group)) for group in stage.groups)

    def fewest_rounds(self, opening: Opening, plan: StagePlan, entries: int) -> tuple[int, int] | None:
        sizes = _sizes(opening, plan, entries)
        if not sizes or not is_planned(entries, sizes):
            return None
        return fewest_rounds(entries, sizes), counting_bound(entries, sizes)

    def foretold(self, opening: Opening, plan: StagePlan, entries: int) -> Sequence[Message]:
        known = self.fewest_rounds(opening, plan, biggest_group := -(-entries // plan.groups))
        if known is None:
            return ()
        fewest, bound = known
        schedule_ = _rounds(opening, plan, biggest_group)
        unmet = unmet_pairs(biggest_group, schedule_)
        return (
            plural(
                "Everybody meets everybody in %(fewest)d round, the fewest known for %(entries)d entries; "
                "no schedule can have fewer than %(bound)d. Planned rounds: %(rounds)d; pairs of entries "
                "that do not meet: %(unmet)d.",
                "Everybody meets everybody in %(fewest)d rounds, the fewest known for %(entries)d entries; "
                "no schedule can have fewer than %(bound)d. Planned rounds: %(rounds)d; pairs of entries "
                "that do not meet: %(unmet)d.",
                fewest,
                fewest=fewest,
                entries=biggest_group,
                bound=bound,
                rounds=len(schedule_),
                unmet=unmet,
            ),
        )

    def no_promise(self, plan: StagePlan, wish: Wish) -> Message | None:
        all_meet = not plan.rounds and plan.groups == 1
        return text("In this round robin all meet.") if all_meet and wish.wish == "apart" else None

    def sizes_fixed(self, plan: StagePlan) -> Message | None:
        return text("The schedule of the round robin says who meets at which table.")

    def check_groups(self, opening: Opening, plan: StagePlan, sizes: Sequence[int]) -> None:
        biggest = max(sizes)
        tables = _sizes(opening, plan, biggest)
        if plan.rounds or not tables or is_planned(biggest, tables):
            return
        raise Illegal(
            "A round robin of %(entries)d entries is too big to find the rounds in which all meet. "
            "Set a number of rounds (at least %(bound)d), "
            "or make groups of %(most)d entries at most.",
            entries=biggest,
            bound=counting_bound(biggest, tables),
            most=MOST_ENTRIES,
        )

    def without_absent(self, state: Competition, stage: Stage, number: int) -> Sequence[Message]:
        fields = state.field(stage, number)
        return [
            told
            for members, playing in zip(stage.groups, fields, strict=True)
            for told in _without_absent(state, stage, number, _numbered(state, stage, members), playing)
        ]

    def sizes(self, state: Competition, stage: Stage, number: int) -> Sizes:
        usual, fields = super().sizes(state, stage, number), state.field(stage, number)
        return tuple(
            _sizes_here(state, stage, number, members, playing, each)
            for members, playing, each in zip(stage.groups, fields, usual, strict=True)
        )

    def tables_ahead(self, state: Competition, stage: Stage) -> Iterator[tuple[int, tuple[str, ...]]]:
        for number in range(len(stage.shown_rounds) + 1, self.rounds(state, stage) + 1):
            for members in stage.groups:
                here = [each for each in members if state.entry(each).takes_part((stage.number, number))]
                if number <= needed_rounds(state.opening, stage.plan, len(members)):
                    for table in _of_schedule(state, stage, number, members, here) or ():
                        yield number, tuple(table)

    def propose(self, state: Competition, stage: Stage, number: int, chance: Chance) -> Draw:
        drawing = begun(state, stage, number, chance, self.rounds(state, stage))
        return drawing.each_group(lambda group, playing: _group_round(drawing, group, playing))


def needed_rounds(opening: Opening, plan: StagePlan, entries: int) -> int:
    """Return the number of rounds asked for, else the fewest known in which all meet as often as asked."""
    sizes = _sizes(opening, plan, entries)
    legs: int = plan.params.get("legs", 1)
    return plan.rounds or legs * (fewest_rounds if is_planned(entries, sizes) else counting_bound)(
        entries, sizes
    )


def scheduled(opening: Opening, plan: StagePlan, entries: int, number: int) -> DesignRound | None:
    """Return the tables of a round of the group's schedule, or None where the group is too big for one."""
    sizes = _sizes(opening, plan, entries)
    if not is_planned(entries, sizes):
        return None
    return _rounds(opening, plan, entries)[number - 1]


def _whist(opening: Opening, plan: StagePlan, entries: int) -> Sequence[DesignRound]:
    """Return the rounds of a whist tournament in which all meet, none where partners don't change so."""
    if not are_two_pairs(engine_of(plan).sides_at(opening)):
        return ()
    found = whist(entries, _sizes(opening, plan, entries), needed_rounds(opening, plan, entries))
    return () if unmet_pairs(entries, found) else found


def _rounds(opening: Opening, plan: StagePlan, entries: int) -> Sequence[DesignRound]:
    found = _whist(opening, plan, entries)
    return found or schedule(entries, _sizes(opening, plan, entries), needed_rounds(opening, plan, entries))


def _without_absent(
    state: Competition, stage: Stage, number: int, members: Sequence[str], playing: Sequence[str]
) -> Iterator[Message]:
    """Yield who has a bye in a round by somebody's absence, and which pairs then never meet."""
    opening, plan, count = state.opening, stage.plan, len(members)
    if number > needed_rounds(opening, plan, count) or not is_planned(count, _sizes(opening, plan, count)):
        return
    rounds = _rounds(opening, plan, count)
    names = [state.entry(entry).name for entry in members]
    for table in rounds[number - 1]:
        here = [one for one in table if members[one] in playing]
        away = [one for one in table if one not in here]
        if away and len(here) == 1:
            yield text(
                "Bye for %(name)s, in place of a table with %(away)s.",
                name=names[here[0]],
                away=both([names[one] for one in away]),
            )
        for one in away:
            if state.misses(state.entry(members[one]), (stage.number, number)) and (
                never := [other for other in here if _meetings(rounds, one, other) == 1]
            ):
                yield text(
                    "%(away)s and %(names)s will never meet.",
                    away=names[one],
                    names=both([names[other] for other in never]),
                )


def _meetings(rounds: Sequence[DesignRound], one: int, other: int) -> int:
    return sum({one, other} <= {*table} for each in rounds for table in each)


def _numbered(state: Competition, stage: Stage, members: Sequence[str]) -> Sequence[str]:
    """Return a group's entries by their numbers in its schedule: exchanged for the wishes of round 1.

    Those of later rounds find the numbers given.
    """
    first = stage.shown_rounds[0].origins if stage.shown_rounds else ()
    wishes = (first[-1].cut_off.wishes if first else state.wishes).between
    firm = [wish for wish in wishes if not wish.is_hope]
    here = [wish for wish in firm if sum(entry in members for entry in wish.entries) > 1]
    sizes = _sizes(state.opening, stage.plan, len(members))
    if not (here and engine_of(stage.plan).knows_wishes and is_planned(len(members), sizes)):
        return members
    return _exchanged(members, _rounds(state.opening, stage.plan, len(members)), here)


def _exchanged(
    members: Sequence[str], rounds: Sequence[DesignRound], wishes: Sequence[Wish]
) -> Sequence[str]:
    """Return the members with numbers exchanged as long as more wishes are kept, from a few orders."""
    met: dict[frozenset[int], list[int]] = {}
    for number, each in enumerate(rounds, 1):
        for pair in (frozenset(pair) for table in each for pair in combinations(table, 2)):
            met.setdefault(pair, []).append(number)
    numbers = _Numbers(met, len(rounds), wishes)
    best = numbers.exchanged(members)
    for start in range(ORDERS if best[0] else 0):
        best = min(best, numbers.exchanged(Chance(b"").shuffled(str(start), members)))
    return best[1]


@dataclass(frozen=True)
class _Numbers:
    """The rounds in which every two numbers of a schedule meet, and the wishes of who gets the numbers."""

    met: Mapping[frozenset[int], Sequence[int]]
    last: int
    wishes: Sequence[Wish]

    def exchanged(self, members: Sequence[str]) -> tuple[int, list[str]]:
        """Return the members after every exchange that keeps more wishes, and how many then are not kept."""
        order, named = [*members], {entry for wish in self.wishes for entry in wish.entries}
        now, better = self._broken(order), True
        while now and better:
            better = False
            for one, other in combinations(range(len(order)), 2):
                if named.isdisjoint((order[one], order[other])):
                    continue
                order[one], order[other] = order[other], order[one]
                if (then := self._broken(order)) < now:
                    now, better = then, True
                else:
                    order[one], order[other] = order[other], order[one]
        return now, order

    def _broken(self, order: Sequence[str]) -> int:
        """Return how often wishes are not kept; those that hold always count more than all others."""
        return sum(
            (ALWAYS if wish.always else 1) * self._times(wish, frozenset(map(order.index, pair)))
            for wish in self.wishes
            for pair in pairs(wish)
            if pair.issubset(order)
        )

    def _times(self, wish: Wish, numbers: frozenset[int]) -> int:
        rounds = self.met.get(numbers, ())
        if wish.wish == "together":
            return self.last - len(rounds)
        return sum(counts_in(wish, number, self.last) for number in rounds)


def _sizes(opening: Opening, plan: StagePlan, entries: int) -> tuple[int, ...]:
    return table_sizes(entries, stage_sizes(opening, plan), plan.table_size)


def _group_round(drawing: Drawing, group: int, playing: Sequence[str]) -> GroupDraw:
    """Return a group's round: that of its schedule, or one of least cost where that is not possible.

    An entry left alone at a table has a bye.
    """
    state, stage, number = drawing.state, drawing.stage, drawing.number
    members = stage.groups[group - 1]
    if number > needed_rounds(state.opening, stage.plan, len(members)):
        return GroupDraw(idle=tuple(playing))
    tables = _of_schedule(state, stage, number, members, playing)
    if tables is None:
        return drawing.least_cost(group, playing)
    seated = {entry for table in tables for entry in table}
    byes = tuple(entry for entry in playing if entry not in seated)
    sides = bool(_whist(drawing.state.opening, drawing.stage.plan, len(members)))
    return GroupDraw(tuple(_seated(drawing, group, table, sides) for table in tables), byes)


def _sizes_here(
    state: Competition,
    stage: Stage,
    number: int,
    members: Sequence[str],
    playing: Sequence[str],
    usual: tuple[int, ...],
) -> tuple[int, ...]:
    if number > needed_rounds(state.opening, stage.plan, len(members)):
        return ()
    tables = _of_schedule(state, stage, number, members, playing)
    return usual if tables is None else tuple(sorted(map(len, tables), reverse=True))


def _of_schedule(
    state: Competition, stage: Stage, number: int, members: Sequence[str], playing: Sequence[str]
) -> list[list[str]] | None:
    """Return the tables of a group's schedule in a round, without missing entries.

    None where the group is too big for a schedule, or a table then has no legal size.
    """
    one_round = scheduled(state.opening, stage.plan, len(members), number)
    if one_round is None:
        return None
    members = _numbered(state, stage, members)
    present = [[members[one] for one in table if members[one] in playing] for table in one_round]
    tables = [table for table in present if len(table) > 1]
    allowed = stage_sizes(state.opening, stage.plan)
    return tables if all(len(table) in allowed for table in tables) else None


def _seated(drawing: Drawing, group: int, table: Sequence[str], sides: bool) -> DrawnTable:
    """Return a table in seat order: that of the schedule at tables of two, where it is even.

    With ``sides`` a table of four has the partners of the schedule.
    """
    if len(table) == 2:
        return DrawnTable(tuple(table), group)
    return drawing.seated(group, table, sides=sides and len(table) == 4)
