"""Take back a no-show or a forfeit."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.events import Ending, EndsGames
from league.core.state import values as v
from league.core.state.checks import published_table, refuse_undecided_in_closed_round
from league.core.state.competition import Competition, Table
from league.core.state.updates import with_table
from league.core.verb import ANY_TABLE, UNDER_WAY, Button, Verb


@dataclass(frozen=True)
class _Fields:
    table: v.TableId
    entry: v.EntryId
    reason: v.Reason


class OutcomeTakenBack(_Fields, EndsGames, type="outcome_taken_back"):
    """A no-show or a forfeit of an entry is taken back.

    A seat that left a game can't come back to it: such a game ends, and it counts as abandoned even if it was
    finished without the entry. The table then waits for an organiser.
    """

    title = "No-show or forfeit taken back"
    found_by = "came after all, undone"
    text = "%(entry)s at %(table)s: the no-show or forfeit is taken back."
    text_before = "Taken back: %(before)s"
    about = ("table", "entry")
    replaces = ("no_show", "forfeited")
    takes_back = True
    announces = "result"

    def apply(self, state: Competition) -> Competition:
        table = published_table(state, self.table)
        if table.walked_over or table.void is not None or self.entry not in table.outcome_of:
            raise Illegal("This entry has no no-show or forfeit at this table.")
        before = _without_outcome(table, self.entry)
        refuse_undecided_in_closed_round(state, before)
        return with_table(state, before)

    def endings(self, state: Competition) -> Iterable[Ending]:
        return (Ending(self.table, self.reason),)


def _without_outcome(table: Table, entry: str) -> Table:
    left: Mapping[str, tuple[str, ...]] = dict(table.left)
    games = tuple(
        replace(game, abandoned=True, result=None) if game.result and game.id in left.get(entry, ()) else game
        for game in table.games
    )
    return replace(
        table,
        games=games,
        outcomes=tuple(each for each in table.outcomes if each[0] != entry),
        left=tuple(each for each in table.left if each[0] != entry),
    )


class TakeBackOutcome(_Fields, Verb, key="take-back-outcome"):
    """Take back the no-show or the forfeit of an entry at its table.

    The game that it left can't go on with it: it is abandoned, and the table needs a replay or a ruling. A
    ruling made without the entry stays until it is set again.
    """

    taken_back_by = ("no-show", "forfeit")
    scope = "club:rule"
    ends_its_game = True
    event = OutcomeTakenBack
    take_back_outcome = Button(
        "Take back no-show or forfeit",
        "The entry takes part after all. The game that it left ends without a result: replay it, or set the "
        "result. A result that was set already must be set again.",
        "Mark it as a no-show or let it forfeit again.",
        statuses=UNDER_WAY,
        tables=tuple(status for status in ANY_TABLE if status not in ("walkover", "void")),
        asks=("entry", "reason"),
        danger=True,
    )

    @classmethod
    def fits(cls, table: Table) -> bool:
        return bool(table.outcomes)

    @classmethod
    def entries_at(cls, table: Table) -> Sequence[str]:
        return [entry for entry in table.entries if entry in table.outcome_of]
