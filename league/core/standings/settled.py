"""What of an entry's rank people or a rule decided, beside the results of its games."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from games import rules
from games.engine.messages import Message, text
from league.core import formats
from league.core.standings.notes import in_rounds
from league.core.state.competition import Competition, Outcome, Result, Stage

How: TypeAlias = Outcome | None
"""What a walkover was for an entry; None for a result that was set."""


@dataclass(frozen=True)
class Settled:
    """What organisers decided of an entry, in sentences, and whether a rule decided a tie of it."""

    by_organiser: tuple[Message, ...] = ()
    by_rule: bool = False


def settled(state: Competition, stage: Stage, through: int) -> Mapping[str, Settled]:
    """Return what was decided of the entries of a stage up to a round; who had nothing of it is left out."""
    told: dict[str, list[Message]] = {}
    ruled: dict[tuple[str, How], list[int]] = {}
    game = rules.known(state.opening.ruleset)
    dealt = game is None or game.dealt
    for each in (each for each in stage.shown_rounds if each.number <= through):
        for table in each.tables:
            if table.void is None and (table.walked_over or _is_decision(table.ruling, dealt=dealt)):
                for entry in table.entries:
                    how: How = table.outcome_of.get(entry) if table.walked_over else None
                    ruled.setdefault((entry, how), []).append(each.number)
    for (entry, how), numbers in ruled.items():
        rounds = in_rounds(sorted({*numbers}))
        told.setdefault(entry, []).append(_decided(how, rounds))
    for change in stage.adjustments:
        if change.round <= through:
            told.setdefault(change.entry, []).append(_changed(change.points, change.reason))
    reached = formats.of(stage.plan).reached(state, stage, through)
    by_rule = {entry for entry, how in reached.items() if how.by_seed}
    return {entry: Settled(tuple(told.get(entry, ())), entry in by_rule) for entry in {*told, *by_rule}}


def _decided(how: How, rounds: Message) -> Message:
    match how:
        case "walkover":
            return text("%(rounds)s: won without a game, as an organiser noted.", rounds=rounds)
        case "no_show":
            return text("%(rounds)s: did not come, as an organiser noted.", rounds=rounds)
    return text("%(rounds)s: an organiser set the result.", rounds=rounds)


def _is_decision(ruling: Result | None, *, dealt: bool) -> bool:
    """Return whether an organiser decided a result; clubs or who kept the card may just have typed it in."""
    if ruling is None or ruling.side:
        return False
    return bool(dealt or ruling.reason or ruling.against_scores)


def _changed(points: Fraction, reason: str) -> Message:
    by = f"+{points}" if points > 0 else str(points)
    return text("An organiser changed the points by %(points)s: %(reason)s.", points=by, reason=reason)
