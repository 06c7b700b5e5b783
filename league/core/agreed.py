"""Rounds that an entry spends without a table: drawn byes, absences, byes on request, and before it came.

A bye on request is an absence that the stage allows and pays (`StagePlan.requested_byes`); a late entry is
paid for the first rounds that it missed (`StagePlan.late_rounds`).
"""

from collections.abc import Iterator, Mapping
from typing import Final, Literal, TypeAlias

from games.engine.messages import Message, plural, text
from league.core.state.competition import Competition, Entry, Point, Round, Stage
from league.core.state.plan import StagePlan
from league.core.state.values import Policy

Kind: TypeAlias = Literal[
    "played", "bye", "absent", "requested", "late", "no_show", "forfeit", "walkover", "void"
]
AWAY: Final[tuple[Kind, ...]] = ("absent", "requested", "late", "no_show")
"""The rounds that an entry missed by its own choice."""
WORTH: Final[Mapping[Policy, Message]] = {
    "win": text("as much as the winner"),
    "middle": text("as much as the middle rank"),
    "average": text("their average of the other rounds"),
    "last": text("as much as the last"),
    "none": text("nothing"),
}
"""What a round without a result is worth by each policy, in words."""


def without_table(state: Competition, stage: Stage, each: Round) -> Iterator[tuple[str, Kind]]:
    """Yield the entries without a table in a published round, with why, that it may give points to."""
    for entry in each.byes:
        yield entry, "bye"
    known = {entry.id: entry for entry in state.entries}
    at = (stage.number, each.number)
    # In an open-ended round an absence can begin after results.
    came = {entry for table in each.tables for entry in table.entries} if each.open else frozenset[str]()
    for entry in stage.entries:
        if entry not in came and state.misses(known[entry], at):
            yield entry, "requested" if at in known[entry].requested else "absent"
        elif each.number <= stage.plan.late_rounds and known[entry].entered_after(at):
            yield entry, "late"


def on_request(state: Competition, at: Point) -> tuple[str, ...]:
    """Return the entries that have a bye on request in a round, in their order."""
    return tuple(entry.id for entry in state.entries if at in entry.requested and state.misses(entry, at))


# ---- Asking for one ------------------------------------------------------------------------------


def plan_now(state: Competition) -> StagePlan:
    """Return the plan of the current stage, or before the start of the first."""
    return state.stage.plan if state.stage else state.plans[0]


def next_free(state: Competition) -> int:
    """Return the first round of the current stage that no cut-off has frozen yet."""
    return state.next_round + (state.frozen_round is not None)


def refusal(state: Competition, entry: Entry, number: int) -> Message | None:
    """Return why an entry can't have a bye on request in a round, None where it can."""
    plan, at = plan_now(state), state.round_point(number)
    if plan.requested_byes == 0:
        return text("Nobody can ask for a bye in this stage.")
    if not entry.takes_part(at) or at in entry.requested or number > plan.rounds:
        return text("Not playing in round %(round)d anyway: %(name)s.", name=entry.name, round=number)
    if number < next_free(state):
        return text("Round %(round)d is drawn already: nobody can ask for a bye in it.", round=number)
    if number > plan.rounds - plan.requested_not_last:
        return plural(
            "Nobody can ask for a bye in the last round.",
            "Nobody can ask for a bye in the last %(count)d rounds.",
            plan.requested_not_last,
        )
    if sum(stage == at[0] for stage, _ in entry.requested) >= plan.requested_byes:
        return plural(
            "Asked for %(count)d bye already, and more are not allowed: %(name)s.",
            "Asked for %(count)d byes already, and more are not allowed: %(name)s.",
            plan.requested_byes,
            name=entry.name,
        )
    return None


def free_rounds(state: Competition, entry: Entry) -> tuple[int, ...]:
    """Return the rounds for which an entry can ask for a bye now."""
    to_come = range(next_free(state), plan_now(state).rounds + 1)
    return tuple(number for number in to_come if refusal(state, entry, number) is None)
