"""Where an entry goes from a stage into the next one, and why."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, assert_never

from games.engine.messages import Message, plural, text
from games.engine.shapes import Between, Help
from league.core.state import values as v
from league.core.state.values import WhyDivision


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


_LINE: Final[Mapping[v.Decider, str]] = {
    "lots": text("lots decided"),
    "lots_to_come": text("lots decide, which are drawn when the next stage starts"),
    "tie_breaks": text("the tie-breaks decided"),
    "seed": text("the better seed decided"),
    "all": text("all of them advance"),
    "play_off": text("the play-off decided"),
}

PLAY_OFF_DECIDES: Final = text("Level on the last place: a play-off decides.")


def sentence(move: Move) -> Message:
    """Return why an entry goes where it goes, in one or two sentences."""
    why = _why(move)
    if not move.line:
        return why
    level = plural(
        "Level with %(count)s other on the last place: %(how)s.",
        "Level with %(count)s others on the last place: %(how)s.",
        move.level,
        how=_LINE[move.line],
    )
    return level if move.line == "lots_to_come" else text("%(why)s %(level)s", why=why, level=level)


def _why(move: Move) -> Message:
    rank, before, group = move.rank, move.before, move.group
    match move.why:
        case "qualified":
            return text("Qualified: rank %(rank)s of group %(before)s.", rank=rank, before=before)
        case "out":
            return text("Does not qualify: rank %(rank)s of group %(before)s.", rank=rank, before=before)
        case "new":
            return text("New: begins in the last division.")
        case "placed":
            return text(
                "Placed by the organiser in group %(group)s: %(reason)s", group=group, reason=move.reason
            )
        case _:
            return _why_division(move.why, rank, before, group)


def _why_division(why: WhyDivision, rank: int, before: int, group: int) -> Message:
    match why:
        case "promoted":
            return text("Promoted: rank %(rank)s of division %(before)s.", rank=rank, before=before)
        case "next_best":
            return text(
                "Promoted to fill division %(group)s: next best, rank %(rank)s of division %(before)s.",
                group=group,
                rank=rank,
                before=before,
            )
        case "relegated":
            return text("Relegated: rank %(rank)s of division %(before)s.", rank=rank, before=before)
        case "stays":
            return text("Stays in division %(group)s: rank %(rank)s.", group=group, rank=rank)
        case "kept":
            return text("Not relegated, to fill division %(group)s: rank %(rank)s.", group=group, rank=rank)
        case "surplus":
            return text(
                "Relegated to keep the size of division %(before)s: rank %(rank)s, the last who stayed.",
                before=before,
                rank=rank,
            )
        case "no_place":
            return text("Not promoted: rank %(rank)s, but the division above has no place left.", rank=rank)
        case _:
            assert_never(why)
