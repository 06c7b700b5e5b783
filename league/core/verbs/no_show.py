"""No-show: an entry did not come to its table."""

from collections.abc import Iterable
from dataclasses import dataclass

from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.events import AND_SCOREKEEPERS, Ending, EndsGames
from league.core.state import values as v
from league.core.state.checks import published_table
from league.core.state.competition import Competition, Outcome
from league.core.state.updates import with_table
from league.core.verb import UNDECIDED_TABLE, UNDER_WAY, Button, Verb


@dataclass(frozen=True)
class _Fields:
    table: v.TableId
    entry: v.EntryId
    reason: v.Note = ""


class NoShow(_Fields, EndsGames, type="no_show"):
    """An entry did not come: the policy decides its points; the others keep theirs."""

    title = "No-show"
    found_by = "did not come, absent, missing, not there"
    said_by = AND_SCOREKEEPERS
    text = "%(entry)s is a no-show at %(table)s."
    announces = "result"

    def apply(self, state: Competition) -> Competition:
        return with_outcome(state, self.table, self.entry, "no_show")

    def endings(self, state: Competition) -> Iterable[Ending]:
        return (Ending(self.table, self.reason, self.entry),)


def with_outcome(state: Competition, table: str, entry: str, outcome: Outcome) -> Competition:
    """Return the state with the outcome of an entry at a table; raise `Illegal`."""
    played = published_table(state, table)
    if entry not in played.entries:
        raise Illegal("This entry has no seat at this table.")
    if played.walked_over or played.void is not None:
        raise Illegal("This table is void or a walkover.")
    others = tuple(each for each in played.outcomes if each[0] != entry)
    running = tuple(game.id for game in played.games if game.result is None and not game.abandoned)
    left = played.left if entry in dict(played.left) else (*played.left, (entry, running))
    return with_table(state, replace(played, outcomes=(*others, (entry, outcome)), left=left))


class MarkNoShow(_Fields, Verb, key="no-show"):
    """Mark an entry as a no-show at its table: its seats leave the game, the policy decides its points.

    The others play on; the game ends if only one entry is left.
    """

    taken_back_by = ("take-back-outcome",)
    scope = "club:rule"
    event = NoShow
    audience = "scorekeepers_undecided"
    no_show = Button(
        "No-show",
        "The entry leaves the game and gets the points that the scoring gives for a no-show. Others play on.",
        "“Take back no-show or forfeit”; the game must then be replayed or its result set.",
        statuses=UNDER_WAY,
        tables=UNDECIDED_TABLE,
        asks=("entry", "reason"),
        danger=True,
    )
