"""Copies of a state with one entry, stage, round or table replaced."""

from games.engine.values import replace
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
    """Return the state with an entry replaced, which notes by which event it came or left at once."""
    at, before = state.round_point(state.next_change), state.entry(entry.id)
    came = entry.takes_part(at)
    if state.started and came != before.takes_part(at):
        entry = replace(entry, turns=(*entry.turns, (state.seq + 1, came)))
    return replace(state, entries=state.entries.changed(entry))


def arrived(state: Competition, entry: Entry, since: Point) -> Entry:
    """Return an entry that is here from a round on, or already was; before the start it has to check in."""
    if entry.here(since) or not state.started:
        return entry
    return replace(entry, checked_in=True, here_from=since)


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
    """Return the state with a table replaced, which notes when it first has a result that counts."""
    stage, its_round, before = state.table(changed.id)
    walkovers = stage.plan.editions.rung_is_rank
    if walkovers and before.walked_over and not changed.decided:
        changed = replace(changed, finished=0, gone=())
    if (changed.status == "played" or (walkovers and changed.walked_over)) and not changed.finished:
        at = (stage.number, its_round.number)
        gone = tuple(entry for entry in changed.entries if not state.entry(entry).takes_part(at))
        changed = replace(changed, finished=state.seq + 1, gone=gone)
    return with_round(state, stage, replace(its_round, tables=its_round.tables.changed(changed)))


def decided(table: Table, decision: Decision) -> Table:
    """Return the table with another decision; the one before can be given back."""
    return replace(table, **vars(decision), earlier=(*table.earlier, table.decision))


def without_decision(table: Table) -> Table:
    """Return the table as it was before its last decision."""
    return replace(table, **vars(table.earlier[-1]), earlier=table.earlier[:-1])


def without_draft(state: Competition, reason: str) -> Competition:
    """Return the state without a cut-off, and without an unpublished draw, which is kept with the reason."""
    *before, last = state.drafts or (None,)
    if last and not last.dropped:
        drafts = (*(draft for draft in before if draft), replace(last, dropped=reason))
        state = replace(state, drafts=drafts)
    state = replace(state, pending=None)
    stage = state.stage
    if stage is None or stage.drawn_round is None:
        return state
    return with_stage(state, replace(stage, rounds=stage.rounds[:-1]))


def discarded(state: Competition, reason: str) -> Competition:
    """Return the state in which an unpublished draw is thrown away, for a reason; it is public now."""
    return replace(without_draft(state, reason), drafted_at=None)


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
