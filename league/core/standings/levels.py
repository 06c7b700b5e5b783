"""Who is level on which ranks when a stage closes, where lots will decide."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from games.engine.messages import Message, both, text
from league.core.standings import ranking
from league.core.state.competition import Competition, Stage

MOST_NAMED: Final = 6
"""The most names in a sentence; of more it says how many they are."""


@dataclass(frozen=True)
class Level:
    """Entries of a group that share the ranks ``first`` to ``last`` as long as no lots are drawn."""

    group: int
    first: int
    entries: tuple[str, ...]

    @property
    def last(self) -> int:
        """Return the last of the ranks."""
        return self.first + len(self.entries) - 1


def levels_of(state: Competition, stage: Stage) -> tuple[Level, ...]:
    """Return the entries of a stage whose ranks lots would decide now; none once these are drawn."""
    return () if stage.lots else tuple(_levels(state, stage))


def _levels(state: Competition, stage: Stage) -> Iterator[Level]:
    ranks = ranking.order(state, stage.number).ranks()
    for (group, rank), level in groupby(ranks, key=lambda row: (row[0], row[2])):
        entries = tuple(entry for _group, entry, _rank in level)
        if len(entries) > 1:
            yield Level(group, rank, entries)


def lots_to_draw(state: Competition, stage: Stage, level: Level) -> Message:
    """Return the sentence that says who is level on which ranks, and that lots decide."""
    told = _told(state, level)
    return text("Group %(group)d: %(told)s", group=level.group, told=told) if len(stage.groups) > 1 else told


def _told(state: Competition, level: Level) -> Message:
    first, last, count = level.first, level.last, len(level.entries)
    if count > MOST_NAMED:
        return text(
            "%(count)d entries are level on ranks %(first)d to %(last)d, and no tie-break separates them: "
            "lots decide.",
            count=count,
            first=first,
            last=last,
        )
    names = both([state.entry(entry).name for entry in level.entries])
    if count == 2:
        return text(
            "%(names)s are level on ranks %(first)d and %(last)d, and no tie-break separates them: "
            "a lot decides.",
            names=names,
            first=first,
            last=last,
        )
    return text(
        "%(names)s are level on ranks %(first)d to %(last)d, and no tie-break separates them: lots decide.",
        names=names,
        first=first,
        last=last,
    )
