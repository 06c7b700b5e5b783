"""Copies of a state with one entry, stage, round or table replaced."""

from dataclasses import replace

from league.core.state.competition import (
    Competition,
    Decision,
    Entry,
    Point,
    Round,
    Stage,
    Table,
)


def with_entry(state: Competition, entry: Entry) -> Competition:
    """Return the state with an entry replaced."""
    entries = tuple(entry if each.id == entry.id else each for each in state.entries)
    return replace(state, entries=entries)


def with_stage(state: Competition, stage: Stage) -> Competition:
    """Return the state with a stage replaced."""
    index = stage.number - 1
    return replace(state, stages=(*state.stages[:index], stage, *state.stages[index + 1 :]))


def with_round(state: Competition, stage: Stage, changed: Round) -> Competition:
    """Return the state with a round of a stage replaced, or added as the next."""
    index = changed.number - 1
    rounds = (*stage.rounds[:index], changed, *stage.rounds[index + 1 :])
    return with_stage(state, replace(stage, rounds=rounds))


def with_table(state: Competition, changed: Table) -> Competition:
    """Return the state with a table replaced."""
    stage, its_round, _ = state.table(changed.id)
    tables = tuple(changed if each.id == changed.id else each for each in its_round.tables)
    return with_round(state, stage, replace(its_round, tables=tables))


def decided(table: Table, decision: Decision) -> Table:
    """Return the table with another decision; the one before can be given back."""
    return replace(table, **vars(decision), earlier=(*table.earlier, table.decision))


def without_decision(table: Table) -> Table:
    """Return the table as it was before its last decision."""
    return replace(table, **vars(table.earlier[-1]), earlier=table.earlier[:-1])


def without_draw(state: Competition, since: Point) -> Competition:
    """Return the state without an unpublished draw of a round from a point on: it must be drawn again."""
    stage = state.stage
    if stage is None or stage.drawn_round is None or since > (stage.number, stage.drawn_round.number):
        return state
    return with_stage(state, replace(stage, rounds=stage.rounds[:-1]))


def in_smallest_group(state: Competition, entry: str) -> Competition:
    """Return the state with a late entry in the smallest group of the current stage."""
    stage = state.stage
    if stage is None:
        return state
    smallest = min(range(len(stage.groups)), key=lambda index: len(stage.groups[index]))
    groups = tuple(
        (*group, entry) if index == smallest else group for index, group in enumerate(stage.groups)
    )
    return with_stage(state, replace(stage, groups=groups))
