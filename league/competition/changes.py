"""Small replacements inside a state that several effects share; each returns a new value."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from league.competition.state import Competition, Entry, Point, Round, Stage, Table

T = TypeVar("T", Entry, Table)


def with_one(items: Sequence[T], changed: T) -> tuple[T, ...]:
    """Return the items with the one of the same id changed."""
    return tuple(changed if item.id == changed.id else item for item in items)


def with_entry(state: Competition, entry: Entry) -> Competition:
    """Return the state with an entry changed."""
    return replace(state, entries=with_one(state.entries, entry))


def with_stage(state: Competition, stage: Stage) -> Competition:
    """Return the state with a stage changed."""
    at = stage.number - 1
    return replace(state, stages=(*state.stages[:at], stage, *state.stages[at + 1 :]))


def with_round(state: Competition, stage: Stage, changed: Round) -> Competition:
    """Return the state with a round of a stage changed, or added as its next."""
    at = changed.number - 1
    return with_stage(state, replace(stage, rounds=(*stage.rounds[:at], changed, *stage.rounds[at + 1 :])))


def with_table(state: Competition, changed: Table) -> Competition:
    """Return the state with a table changed."""
    stage, its_round, _ = state.table(changed.id)
    tables = with_one(its_round.tables, changed)
    return with_round(state, stage, replace(its_round, tables=tables))


def without_proposal(state: Competition, since: Point) -> Competition:
    """Return the state without a drawn, unpublished round whose field changes: it must be drawn again."""
    stage = state.stage
    if stage is None or stage.open_round is None or stage.open_round.status != "drawn":
        return state
    if since > (stage.number, stage.open_round.number):
        return state
    return with_stage(state, replace(stage, rounds=stage.rounds[:-1]))


def grouped(state: Competition, entry: str) -> Competition:
    """Put a late entry into the smallest group of the stage that runs."""
    stage = state.stage
    if stage is None:
        return state
    smallest = min(range(len(stage.groups)), key=lambda at: (len(stage.groups[at]), at))
    groups = tuple((*group, entry) if at == smallest else group for at, group in enumerate(stage.groups))
    return with_stage(state, replace(stage, groups=groups))
