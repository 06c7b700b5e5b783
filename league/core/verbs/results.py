"""Results of tables: recorded, forfeited, walked over, void, played again."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, Literal

from games.engine.chain import derived_id
from games.engine.messages import text
from games.engine.refusals import Illegal
from games.engine.shapes import Between, Help, Label, Length, Matching
from games.engine.values import replace
from league.core.events import (
    AND_SCOREKEEPERS,
    AND_SERVER,
    Ending,
    EndsGames,
    Event,
    OpensGames,
    TableDecided,
)
from league.core.state import values as v
from league.core.state.competition import Competition, Decision, Outcome, Result, Table, TableGame
from league.core.state.match import MOST_GAMES
from league.core.state.plan import Placing
from league.core.state.updates import decided, published_table, refuse_undecided_in_closed_round, with_table
from league.core.verb import ANY_TABLE, UNDECIDED_TABLE, UNDER_WAY, Button, Caution, Events, Given, Verb
from league.core.verbs.presence import with_outcome

# ---- Result --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _ResultFields:
    table: v.TableId
    game: v.GameId
    head: Annotated[str, Matching(r"[0-9a-f]{64}", "64 hexadecimal digits", example="5d" * 32)]
    status: Literal["finished", "abandoned", "active"]
    seats: Annotated[tuple[Placing, ...], Length(0, 10)]
    by_one: Annotated[bool, Help("whether a scorekeeper entered a part of the card alone")] = False
    number: Annotated[
        int, Between(0, MOST_GAMES), Help("which game of a match; 0: the table has one game")
    ] = 0


class ResultRecorded(_ResultFields, Event, type="result_recorded"):
    """A game is over; ``head`` is the hash of the last entry of its log.

    The result of a finished game counts. An abandoned game has no ``seats``, and its table waits for an
    organiser. A score card that is corrected afterwards is recorded again with its new head: ``active``,
    without ``seats``, if the correction leaves it without an end. ``seats`` are numbered as at the table,
    also where neighbours have changed seats for a game of a match.
    """

    title = "Result"
    found_by = "score entered, set, finished, won, lost, game over, abandoned"
    about = ("table", "game")
    replaces = ("result_recorded",)
    said_by = AND_SERVER
    said_with: ClassVar = {"organiser": "replayed"}
    text = "%(table)s has finished: %(seats)s."
    text_game = "%(table)s, game %(number)s of the match: %(seats)s."
    text_corrected = "%(table)s: the score card is corrected: %(before)s → %(seats)s."
    text_active = "%(table)s (%(at_table)s): the game continues after a correction."
    text_abandoned = (
        "%(table)s (%(at_table)s): the game ends unfinished. The table counts as it is decided "
        "otherwise, such as by totals entered by hand, or not at all."
    )
    text_card_left = (
        "%(table)s (%(at_table)s): the score card is closed. The table counts by totals entered by hand or "
        "as it is decided otherwise, not by the deals on the card."
    )
    announces = emails = "result"

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        match fields:
            case {"status": "abandoned", "on_paper": True}:
                return cls.text_card_left
            case {"status": "abandoned"}:
                return cls.text_abandoned
            case {"status": "active"}:
                return cls.text_active
            case {"before": {"seats": before}, "seats": seats} if before != seats:
                return cls.text_corrected
            case {"number": int(number)} if number:
                return cls.text_game
            case _:
                return cls.text

    def apply(self, state: Competition) -> Competition:
        table = published_table(state, self.table)
        game = next((each for each in table.games if each.id == self.game), None)
        if game is None:
            raise Illegal("This game does not belong to this table.")
        if game.abandoned or game.head == self.head:
            raise Illegal("The result of this game is recorded already.")
        if self.number != (game.number if table.match else 0):
            raise Illegal("This is another game of the match.")
        now = self._recorded(state, table, game)
        games = tuple(now if each.id == game.id else each for each in table.games)
        changed = replace(table, games=games)
        if self.status == "active":
            refuse_undecided_in_closed_round(state, changed)
        return with_table(state, changed)

    def _recorded(self, state: Competition, table: Table, game: TableGame) -> TableGame:
        match self.status:
            case "finished":
                result = Result(in_seat_order(table, self.seats), state.seq + 1, by_one=self.by_one)
                # A match may have dropped the game when it was over already, which is recorded only now.
                return replace(game, result=result, head=self.head, dropped=False)
            case "abandoned":
                return replace(game, abandoned=True, head=self.head)
            case "active" if game.result:
                return replace(game, result=None, head=self.head)
            case _:
                raise Illegal("This game is not over.")


def in_seat_order(table: Table, placings: tuple[Placing, ...]) -> tuple[Placing, ...]:
    """Return the placings in seat order; raise `Illegal` unless every seat has one and ranks fit."""
    ordered = tuple(sorted(placings, key=lambda placing: placing.seat))
    refuse_seats(table, [placing.seat for placing in ordered])
    ranks = [placing.rank for placing in ordered]
    best_first = sorted(ranks)
    if not _nobody_won(ranks) and ranks != [1 + best_first.index(rank) for rank in ranks]:
        raise Illegal("Ranks start at 1. Equal places share the better rank: 1, 1, 3.")
    return ordered


NONE_COUNTS: Final = text(
    "Leave it empty: who did not come or has left is last, and no score counts. "
    "To let one count, choose “Take back no-show or forfeit” first."
)


def refuse_seats(table: Table, seats: Sequence[int]) -> None:
    """Raise `Illegal` unless these are the numbers of the table's seats, in order."""
    if [*seats] != list(range(len(table.seats))):
        raise Illegal("A result needs one line for each seat of the table.")


def _nobody_won(ranks: Sequence[int]) -> bool:
    """Return whether all share one rank other than 1, as in a game with only losers."""
    return len({*ranks}) == 1 and 1 < ranks[0] <= len(ranks)


class RecordResult(_ResultFields, Verb, key="record-result"):
    """Record how a game ended; nothing changes if this is recorded already or the competition is over.

    A corrected score card is recorded again, unless it would leave a table of a closed round undecided.
    """

    event = ResultRecorded
    audience = "system"

    def decide(self, state: Competition, given: Given) -> Events:
        if state.over or is_recorded(state, self.table, self.game, self.head):
            return ()
        if self.status == "active" and not self._goes_on(state):
            return ()
        return [in_table_order(state, recorded) for recorded in super().decide(state, given)]

    def _goes_on(self, state: Competition) -> bool:
        """Return whether the recorded end of a game can be taken back."""
        _stage, its_round, table = state.table(self.table)
        ended = any(game.id == self.game and game.result for game in table.games)
        return ended and its_round.status == "published"


def in_table_order(state: Competition, recorded: Event) -> Event:
    """Return the end of a game as the table has it, whose seats may have changed for this game."""
    assert isinstance(recorded, ResultRecorded)
    table = state.table(recorded.table)[2]
    game = next((each for each in table.games if each.id == recorded.game), None)
    if game is None or table.match is None:
        return recorded
    turned = sorted((replace(each, seat=each.seat ^ game.turn) for each in recorded.seats), key=_seat)
    return replace(recorded, seats=tuple(turned), number=game.number)


def _seat(placing: Placing) -> int:
    return placing.seat


def is_recorded(state: Competition, table: str, game: str, head: str) -> bool:
    """Return whether a game's end is recorded with this head; raise `Illegal` if there is no such table."""
    its_games = state.table(table)[2].games
    return any(each.id == game and (each.abandoned or each.head == head) for each in its_games)


# ---- Forfeit -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _ForfeitFields:
    table: v.TableId
    entry: v.EntryId
    reason: v.Reason


class Forfeited(_ForfeitFields, EndsGames, type="forfeited"):
    """An entry left its table or was removed: the policy decides its points; the others keep theirs."""

    title = "Forfeit"
    found_by = "forfeited, gave up, left the table, resigned"
    said_by = AND_SCOREKEEPERS
    text = "%(table)s: forfeit of %(entry)s."
    announces = "result"

    def apply(self, state: Competition) -> Competition:
        return with_outcome(state, self.table, self.entry, "forfeit")

    def endings(self, state: Competition) -> Iterable[Ending]:
        return (Ending(self.table, self.reason, self.entry),)


class ForfeitEntry(_ForfeitFields, Verb, key="forfeit"):
    """Let an entry forfeit its table, because it left or is removed; for the others as for `no-show`."""

    taken_back_by = ("take-back-outcome",)
    scope = "club:rule"
    event = Forfeited
    audience = "scorekeepers_undecided"
    forfeit = Button(
        "Forfeit",
        "The entry leaves the game and gets the points that the scoring gives for a forfeit. "
        "The others play on; the game ends if only one entry is left.",
        "“Take back no-show or forfeit”; the game must then be replayed or its result set.",
        statuses=UNDER_WAY,
        tables=UNDECIDED_TABLE,
        asks=("entry", "reason"),
        danger=True,
    )

    @classmethod
    def cautions(cls, state: Competition) -> Sequence[Caution]:
        if not state.stage or state.stage.plan.scoring.by != "score":
            return ()
        told = text(
            "A forfeit earns what the set-up says, however good their score is now. If that should count, "
            "don’t let them forfeit: choose “Set the result”, with the scores of all as they are."
        )
        return (Caution(told),)


# ---- Walk over -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _WalkOverFields:
    table: v.TableId
    entries: Annotated[tuple[v.EntryId, ...], Length(1, 10), Label("Present entries")]
    reason: v.Note = ""


class WalkedOver(_WalkOverFields, TableDecided, type="walked_over"):
    """A table is not played: ``entries`` were present and have a walkover, the others are no-shows."""

    title = "Walkover"
    found_by = "won without playing, did not come, no-show"
    said_by = AND_SCOREKEEPERS
    text = "%(table)s is a walkover for %(entries)s."
    text_others = "%(table)s is a walkover for %(entries)s. Not there: %(others)s."
    announces = "result"

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        return cls.text_others if fields.get("others") else cls.text

    def apply(self, state: Competition) -> Competition:
        table = published_table(state, self.table)
        if not {*self.entries} <= {*table.entries}:
            raise Illegal("Only an entry of the table can be given a walkover.")
        outcomes: list[tuple[str, Outcome]] = [
            (entry, "walkover" if entry in self.entries else "no_show") for entry in table.entries
        ]
        decision = Decision(outcomes=tuple(outcomes), walked_over=True, walked=state.seq + 1)
        return with_table(state, decided(table, decision))


class AwardWalkover(_WalkOverFields, Verb, key="walk-over"):
    """Decide a table without a game: ``entries`` were present and have a walkover, the others are no-shows.

    A game that is still running is abandoned.
    """

    taken_back_by = ("reopen-table",)
    scope = "club:rule"
    event = WalkedOver
    audience = "scorekeepers_undecided"
    walk_over = Button(
        "Walkover",
        "The table is not played. The entries you tick were present, the others were not. Its game ends.",
        "“Reverse the walkover” or “Reopen”; a game that it ended must then be replayed or get a result.",
        statuses=UNDER_WAY,
        tables=UNDECIDED_TABLE,
        asks=("entries", "reason"),
        danger=True,
    )
    turn_round = Button(
        "Reverse the walkover",
        "The walkover was given to the wrong entry: those you tick were present, the others were not.",
        "Reverse it again, or “Reopen”.",
        statuses=UNDER_WAY,
        tables=("walkover",),
        asks=("entries", "reason"),
        danger=True,
    )


# ---- Void ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _VoidFields:
    table: v.TableId
    reason: v.Reason


class Voided(_VoidFields, TableDecided, type="voided"):
    """A table does not count, as if it had not been drawn."""

    title = "Table void"
    found_by = "voided, annulled, does not count"
    text = "%(table)s (%(at_table)s) is void."
    announces = "result"

    def apply(self, state: Competition) -> Competition:
        table = published_table(state, self.table)
        if table.void is not None:
            raise Illegal("This table is void already.")
        return with_table(state, decided(table, replace(table.decision, void=self.reason)))


class VoidTable(_VoidFields, Verb, key="void"):
    """Void a table: it does not count. A game that is still running is abandoned."""

    taken_back_by = ("reopen-table",)
    scope = "club:rule"
    ends_its_game = True
    event = Voided
    void = Button(
        "Void",
        "The table does not count, as if it had not been there. A game that is still running ends.",
        "“Reopen”, or set the result of the table.",
        statuses=UNDER_WAY,
        tables=tuple(status for status in ANY_TABLE if status != "void"),
        asks=("reason",),
        danger=True,
    )


# ---- Replay --------------------------------------------------------------------------------------


class Replayed(OpensGames, type="replayed"):
    """A new game replaces an abandoned one at an undecided table."""

    title = "Game replayed"
    found_by = "played again, rematch"
    text = "%(table)s (%(at_table)s) plays its abandoned game again."
    table: v.TableId
    abandoned: v.GameId
    game: v.GameId
    reason: v.Note = ""

    def apply(self, state: Competition) -> Competition:
        table = published_table(state, self.table)
        if any(game.id == self.game for _, _, each in state.tables() for game in each.games):
            raise Illegal("A game can belong to only one table.")
        if table.decided:
            raise Illegal("The table is decided. Only setting its result can change that.")
        if not any(game.id == self.abandoned and game.abandoned for game in table.needed):
            raise Illegal("Only a game that was abandoned is replayed.")
        games = tuple(
            TableGame(self.game, number=each.number) if each.id == self.abandoned else each
            for each in table.games
        )
        return with_table(state, replace(table, games=games))

    def opened_games(self) -> Iterable[tuple[str, str]]:
        return ((self.table, self.game),)


class ReplayGame(Verb, key="replay"):
    """Open a new game at an undecided table; the present game is abandoned if it is still running.

    With ``game``, the game to replace, a retry writes nothing.
    """

    taken_back_by = ("rule",)
    scope = "club:rule"
    ends_its_game = True
    replay = Button(
        "Replay",
        "A new game is opened at the table. The present game is abandoned and does not count.",
        "The old game is over and can’t be continued; set the result if the new one should not be played.",
        statuses=UNDER_WAY,
        tables=UNDECIDED_TABLE,
        asks=("reason",),
        danger=True,
    )

    table: v.TableId
    game: Annotated[v.GameId | None, Help("the game to replace: a retry opens no second one")] = None
    reason: v.Note = ""

    def decide(self, state: Competition, given: Given) -> Events:
        current = {game.id for game in state.table(self.table)[2].needed}
        if self.game and self.game not in current:
            if self.game not in given.games:
                raise Illegal("This game does not belong to this table.")
            return ()
        recorded = [
            in_table_order(state, result)
            for result in given.ended
            if isinstance(result, ResultRecorded)
            and result.game in current
            and not is_recorded(state, self.table, result.game, result.head)
        ]
        abandoned = self._abandoned(state, recorded)
        # The id depends on the number and time of the event, so that a retry opens no second game.
        game = str(derived_id(given.now, f"{self.table} game after {state.seq + len(recorded)}"))
        return *recorded, Replayed(self.table, abandoned, game, self.reason)

    def _abandoned(self, state: Competition, recorded: Iterable[Event]) -> str:
        ends = (each for each in recorded if isinstance(each, ResultRecorded))
        over = {result.game for result in ends if result.status == "abandoned"}
        for game in state.table(self.table)[2].needed:
            if game.abandoned or game.id in over:
                return game.id
        raise Illegal("Only a game that was abandoned is replayed.")
