"""Where an entry goes from a stage into the next one, and why."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from games.engine.messages import Message, Param, plural, text
from games.engine.shapes import Between, Help
from league.core.state import values as v


@dataclass(frozen=True)
class Move:
    """An entry's way into a stage, or why it is not in it.

    ``line`` is what decided where the entry was level with ``level`` others on the last place that counts.
    """

    entry: v.EntryId
    group: Annotated[int, Between(0, 100), Help("its group or division in the stage; 0: it is out")]
    why: v.Why
    before: Annotated[int, Between(0, 100), Help("its group in the stage before; 0: none")] = 0
    rank: Annotated[int, Between(0, v.MAX_ENTRIES), Help("its rank in that group")] = 0
    line: Annotated[v.Decider, Help("what decided a tie on the last place; empty without a tie")] = ""
    level: Annotated[int, Between(0, v.MAX_ENTRIES), Help("how many others it was level with there")] = 0
    reason: v.Note = ""


_WHY: Final[Mapping[v.Why, str]] = {
    "qualified": text("Qualified: rank %(rank)s of group %(before)s."),
    "out": text("Does not qualify: rank %(rank)s of group %(before)s."),
    "promoted": text("Promoted: rank %(rank)s of division %(before)s."),
    "next_best": text(
        "Promoted to fill division %(group)s: next best, rank %(rank)s of division %(before)s."
    ),
    "relegated": text("Relegated: rank %(rank)s of division %(before)s."),
    "stays": text("Stays in division %(group)s: rank %(rank)s."),
    "kept": text("Not relegated, to fill division %(group)s: rank %(rank)s."),
    "surplus": text(
        "Relegated to keep the size of division %(before)s: rank %(rank)s, the last of those who stayed."
    ),
    "no_place": text("Not promoted: rank %(rank)s, but the division above has no place left."),
    "new": text("New: begins in the last division."),
    "placed": text("Placed by the organiser in group %(group)s: %(reason)s"),
}
_LINE: Final[Mapping[v.Decider, str]] = {
    "lots": text("lots decided"),
    "lots_to_come": text("lots decide, which are drawn when the next stage starts"),
    "tie_breaks": text("the tie-breaks decided"),
    "seed": text("the better seed decided"),
    "all": text("all of them go on"),
    "play_off": text("the play-off decided"),
}

PLAY_OFF_DECIDES: Final = text("Level on the last place: a play-off decides.")


def sentence(move: Move) -> Message:
    """Return why an entry goes where it goes, in one or two sentences."""
    facts: dict[str, Param] = {
        "rank": move.rank,
        "before": move.before,
        "group": move.group,
        "reason": move.reason,
    }
    why = Message(_WHY[move.why], facts)
    if not move.line:
        return why
    level = plural(
        "Level with %(count)s other on the last place: %(how)s.",
        "Level with %(count)s others on the last place: %(how)s.",
        move.level,
        how=_LINE[move.line],
    )
    return level if move.line == "lots_to_come" else text("%(why)s %(level)s", why=why, level=level)
