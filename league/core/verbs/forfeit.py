"""Forfeit: an entry leaves its table, or an organiser removes it."""

from collections.abc import Iterable
from dataclasses import dataclass

from league.core.events import AND_SCOREKEEPERS, Ending, EndsGames
from league.core.state import values as v
from league.core.state.competition import Competition
from league.core.verb import UNDECIDED_TABLE, UNDER_WAY, Button, Verb
from league.core.verbs.presence import with_outcome


@dataclass(frozen=True)
class _Fields:
    table: v.TableId
    entry: v.EntryId
    reason: v.Reason


class Forfeited(_Fields, EndsGames, type="forfeited"):
    """An entry left its table or was removed: the policy decides its points; the others keep theirs."""

    title = "Forfeit"
    found_by = "forfeited, gave up, left the table, resigned"
    said_by = AND_SCOREKEEPERS
    text = "%(entry)s forfeits at %(table)s."
    announces = "result"

    def apply(self, state: Competition) -> Competition:
        return with_outcome(state, self.table, self.entry, "forfeit")

    def endings(self, state: Competition) -> Iterable[Ending]:
        return (Ending(self.table, self.reason, self.entry),)


class ForfeitEntry(_Fields, Verb, key="forfeit"):
    """Let an entry forfeit its table, because it left or is removed; for the others as for `no-show`."""

    taken_back_by = ("take-back-outcome",)
    scope = "club:rule"
    event = Forfeited
    audience = "scorekeepers_undecided"
    forfeit = Button(
        "Forfeit",
        "The entry leaves the game and gets the points that the scoring gives for a forfeit. Others play on.",
        "“Take back no-show or forfeit”; the game must then be replayed or its result set.",
        statuses=UNDER_WAY,
        tables=UNDECIDED_TABLE,
        asks=("entry", "reason"),
        danger=True,
    )
