"""Who waits for a table, where tables open by themselves."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from league import log
from league.core import formats
from league.models import Entry, Round
from league.queries.competitions import entries_of, state_of


@dataclass(frozen=True)
class Waiting:
    """An entry that waits for a table, and since when."""

    entry: Entry
    since: datetime


def who_waits(played: Round) -> Sequence[Waiting]:
    """Return who waits for a table of a round, the longest first; nobody where tables are drawn."""
    if played.status != Round.Status.PUBLISHED or not formats.find(played.stage.format).seats_waiting:
        return ()
    competition = played.stage.competition
    current = state_of(competition).current_round
    queue = current.queue if current else None
    if not queue:
        return ()
    rows = log.rows(competition, withheld=True).filter(seq__in={since for _entry, since in queue})
    times = dict(rows.values_list("seq", "at"))
    entries = {str(entry.pk): entry for entry in entries_of(competition)}
    return [Waiting(entries[entry], times[since]) for entry, since in queue]
