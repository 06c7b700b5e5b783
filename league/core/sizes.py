"""How many entries sit at each table of the next round: as planned, or as an organiser chooses."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from games.engine.messages import Message, both, plural, text
from games.engine.refusals import Illegal
from league.core import formats
from league.core.drawing.bracket import PlayOff
from league.core.drawing.draw import boards_of, even_sizes, stage_sizes, table_sizes
from league.core.drawing.drawing import engine_of
from league.core.intake import due_play_offs, taken_in
from league.core.state.competition import Competition, Stage
from league.core.state.cut_offs import Sizes
from league.core.state.plan import Opening, StagePlan


def fixed(state: Competition) -> Message | None:
    """Return why sizes of the next round's tables can't be chosen; None where they can."""
    return _fixed(state, state.stage) if state.stage else text("No stage has begun.")


def _fixed(state: Competition, stage: Stage) -> Message | None:
    plan = stage.plan
    if not engine_of(plan).knows_sizes:
        return text("This stage was announced before sizes of tables could be chosen.")
    if why := formats.of(plan).sizes_fixed(plan):
        return why
    if len(allowed := stage_sizes(state.opening, plan)) == 1:
        return text(
            "All tables of this stage have the same size, %(size)s.", size=state.opening.sized(*allowed)
        )
    return text("The next round is a play-off.") if coming_play_offs(state, stage) else None


def coming_play_offs(state: Competition, stage: Stage) -> tuple[PlayOff, ...]:
    """Return the play-offs of which the next round of a stage consists, none for a usual round."""
    format_ = formats.of(stage.plan)
    if stage.current_round:
        return ()
    if due := format_.due_play_offs(state, stage):
        return due
    return due_play_offs(state) if state.next_round > format_.rounds(state, stage) else ()


def playing(state: Competition, stage: Stage) -> Sequence[int]:
    """Return, group by group, from how many entries the next round is drawn."""
    return [len(group) for group in formats.of(stage.plan).playing(state, stage, state.next_round)]


def planned(state: Competition, stage: Stage) -> Sizes:
    """Return, group by group, the sizes of the next round's tables as the stage plans them."""
    if ties := coming_play_offs(state, stage):
        groups = range(1, len(stage.groups) + 1)
        return tuple(tuple(len(tie.entries) for tie in ties if tie.group == group) for group in groups)
    return formats.of(stage.plan).sizes(state, stage, state.next_round)


def coming(state: Competition) -> Sizes:
    """Return, group by group, the sizes of the tables that the next draw makes if nobody chooses others.

    Before the first stage they are those of it as it would begin now. None where no stage can begin.
    """
    stage = coming_stage(state)
    return (by_itself(state).sizes or planned(state, stage)) if stage else ()


@dataclass(frozen=True)
class ByItself:
    """The sizes that a draw has if nobody chooses any, and what they are from; none where as planned."""

    sizes: Sizes
    source: Literal["set", "rooms", ""]


def by_itself(state: Competition, *, ahead: bool = True) -> ByItself:
    """Return the sizes that the next draw has without any: set ahead, or as the rooms allow; else none.

    Without ``ahead`` nothing that was set counts.
    """
    if ahead and (found := set_ahead(state)):
        return ByItself(found, "set")
    found = fitting(state)
    return ByItself(found, "rooms" if found else "")


def coming_stage(state: Competition) -> Stage | None:
    """Return the stage that runs, or the first as it would begin now."""
    if state.stage or state.over:
        return state.stage
    try:
        return Stage(1, state.plans[0], taken_in(state, 1)[0])
    except Illegal:
        return None


def _planned(count: int, opening: Opening, plan: StagePlan) -> tuple[int, ...]:
    return table_sizes(count, stage_sizes(opening, plan), plan.table_size)


def chosen(state: Competition, sizes: Sizes) -> Sizes:
    """Return the sizes of a cut-off for those that an organiser chooses: none where they are as planned.

    Raises `Illegal` where the next round can't have such tables.
    """
    ordered, stage = checked(state, sizes), state.stage
    return () if stage and ordered == planned(state, stage) else ordered


def checked(state: Competition, sizes: Sizes) -> Sizes:
    """Return sizes for the next round, the biggest of each group first; raise `Illegal` where it can't be."""
    if not sizes:
        return ()
    stage = coming_stage(state)
    if stage is None:
        raise Illegal("No stage can begin now.", fields=["sizes"])
    if why := _fixed(state, stage):
        raise Illegal(why, fields=["sizes"])
    counts, usual = playing(state, stage), planned(state, stage)
    if len(sizes) != len(counts):
        groups = plural(
            "Give the sizes of the tables of the only group.",
            "Give the sizes of the tables of each of %(count)d groups.",
            len(counts),
        )
        raise Illegal(groups, fields=["sizes"])
    ordered = tuple(tuple(sorted(group, reverse=True)) for group in sizes)
    for group, (count, asked, default) in enumerate(zip(counts, ordered, usual, strict=True)):
        _check(state.opening, stage.plan, count, asked, default, f"sizes.{group}")
    return ordered


def _check(
    opening: Opening, plan: StagePlan, count: int, asked: Sequence[int], default: Sequence[int], path: str
) -> None:
    allowed = stage_sizes(opening, plan)
    if wrong := [size for size in asked if size not in allowed]:
        raise Illegal(
            "A table can’t have %(size)s here, only %(sizes)s.",
            fields=[path],
            size=opening.sized(wrong[0]),
            sizes=both([str(size) for size in allowed]),
        )
    if not sum(default) <= sum(asked) <= count:
        raise Illegal(
            plural(
                "These tables have %(seats)d seats, and %(count)d entry plays.",
                "These tables have %(seats)d seats, and %(count)d entries play.",
                count,
                seats=sum(asked),
            ),
            fields=[path],
        )


def proposals(count: int, opening: Opening, plan: StagePlan) -> Iterator[tuple[int, ...]]:
    """Yield what sizes so many entries could have: as planned, then for each number of tables as even ones.

    None leaves more entries without a table than the plan does.
    """
    allowed, usual = stage_sizes(opening, plan), _planned(count, opening, plan)
    if usual:
        yield usual
    for tables in range(-(-count // max(allowed)), count // min(allowed) + 1):
        sizes = even_sizes(count, allowed, tables)
        if sizes and sizes != usual and sum(sizes) >= sum(usual):
            yield sizes


# ---- Set ahead -----------------------------------------------------------------------------------


def fixed_ahead(state: Competition) -> Message | None:
    """Return why sizes of the next round can't be set before it is drawn; None where they can."""
    stage, number = coming_stage(state), state.next_round
    if stage is None:
        return text("No stage can begin now.")
    if state.pending_for("round", stage.number, number):
        return text("Round %(round)s is drawn.", round=number)
    if number > formats.of(stage.plan).rounds(state, stage):
        return text("All rounds of this stage have been played.")
    if stage.current_round and formats.of(stage.plan).still_in(state, stage) is not None:
        return text("Results of this round decide who plays the next one.")
    return _fixed(state, stage)


def set_ahead(state: Competition) -> Sizes:
    """Return the sizes that were set for the next round, for those who play in it now.

    Where they are more or fewer it has as many tables, as even ones as there can be. None where nothing was
    set, or these tables would leave out more than planned ones.
    """
    stage, ahead = coming_stage(state), None if state.over else state.ahead
    if not stage or not ahead or ahead.at != (stage.number, state.next_round) or _fixed(state, stage):
        return ()
    groups = zip(playing(state, stage), ahead.sizes, strict=True)
    found = [_for_now(count, asked, state.opening, stage.plan) for count, asked in groups]
    return () if None in found else tuple(each for each in found if each is not None)


def _for_now(count: int, asked: tuple[int, ...], opening: Opening, plan: StagePlan) -> tuple[int, ...] | None:
    fewest = sum(_planned(count, opening, plan))
    even = even_sizes(count, stage_sizes(opening, plan), len(asked))
    return next((each for each in (asked, even) if fewest <= sum(each) <= count), None)


# ---- In the rooms --------------------------------------------------------------------------------


def fitting(state: Competition) -> Sizes:
    """Return the sizes with which the next round fits into its rooms; none where it does as planned.

    Where no sizes make it fit, the round stays as planned, too.
    """
    stage = coming_stage(state)
    if not state.rooms.tables or stage is None or _fixed(state, stage):
        return ()
    found = fitted(playing(state, stage), state.opening, stage.plan, state.rooms.tables)
    return () if found == planned(state, stage) else found


def fitted(counts: Sequence[int], opening: Opening, plan: StagePlan, room: int) -> Sizes:
    """Return sizes for groups of so many entries in rooms of so many tables: as planned where those fit.

    Otherwise tables are taken from the group in which the others grow least. As planned, too, where that is
    not enough, and where the rooms are 0 tables: those have as many as are needed.
    """
    usual = tuple(_planned(count, opening, plan) for count in counts)
    found, boards = usual, boards_of(opening)
    while room and sum(map(len, found)) * boards > room:
        fewer = [
            (sum(each) / len(each), group, each)
            for group, count in enumerate(counts)
            if (each := _with_fewer(count, opening, plan, len(found[group])))
        ]
        if not fewer:
            return usual
        _, group, each = min(fewer)
        found = (*found[:group], each, *found[group + 1 :])
    return found


def _with_fewer(count: int, opening: Opening, plan: StagePlan, tables: int) -> tuple[int, ...]:
    """Return the most tables below a number of which a group can have even ones; empty for none."""
    some = [each for each in proposals(count, opening, plan) if len(each) < tables]
    return max(some, key=len, default=())


def too_many(state: Competition) -> Message | None:
    """Return that the next round needs more tables than its rooms have; None where they are enough."""
    room = state.rooms.tables
    needed = sum(map(len, coming(state))) * boards_of(state.opening) if room else 0
    if needed <= room:
        return None
    return plural(
        "The rooms have %(count)d table, and this round needs %(needed)d. The others have no room.",
        "The rooms have %(count)d tables, and this round needs %(needed)d. The others have no room.",
        room,
        needed=needed,
    )


# ---- In words ------------------------------------------------------------------------------------


def in_words(sizes: Sequence[int]) -> Message:
    """Return sizes of tables as people say them: "5 tables: 3 × 5 and 2 × 4"."""
    each = [
        text("%(count)d × %(size)d", count=sizes.count(size), size=size)
        for size in sorted({*sizes}, reverse=True)
    ]
    return plural("%(count)d table: %(sizes)s", "%(count)d tables: %(sizes)s", len(sizes), sizes=both(each))
