"""What is read off a competition's state and costs something: kept until its log goes on."""

from collections.abc import Mapping, Sequence
from typing import Final

from games.latest import Latest
from league import log, ranking
from league.cross_table import CrossTable, cross_tables
from league.models import Competition

_CROSS_TABLES: Final[Latest[Mapping[int, tuple[CrossTable, ...]]]] = Latest(50)


def cross_tables_of(competition: Competition, stage: int) -> tuple[CrossTable, ...]:
    """Return the cross table of each group of a stage; raise `Illegal` for one not begun."""
    kept = _CROSS_TABLES.of(competition)
    known = kept[2] if kept and kept[:2] == (competition.seq, competition.head) else {}
    if stage not in known:
        known = {**known, stage: cross_tables(log.latest(competition), stage)}
        _CROSS_TABLES.keep(competition, known)
    return known[stage]


def final_order(competition: Competition) -> Sequence[str]:
    """Return the entries' names as a finished competition of several stages leaves them, the winner first.

    None where one stage's standings say it already, or there is more to come.
    """
    if competition.status != Competition.Status.FINISHED or competition.stage < 2:
        return ()
    state = log.latest(competition)
    return tuple(state.entry(entry).name for entry in ranking.final_order(state))
