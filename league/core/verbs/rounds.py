"""Publish, close, withdraw and reopen rounds."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from games.engine.messages import Message, both, plural, text
from games.engine.refusals import Illegal
from games.engine.shapes import Help, Label, Length
from games.engine.values import replace
from league.core import course, formats
from league.core.commitment import LEAVES
from league.core.events import AND_SERVER, Ending, EndsGames, Event, OpensGames
from league.core.state import values as v
from league.core.state.competition import Competition, Round, Table, TableGame, Tables
from league.core.state.cut_offs import PublishedReveal
from league.core.state.updates import (
    begun_stage,
    discarded,
    drawn_round,
    played_round,
    refuse_known_games,
    refuse_unless_running,
    refuse_unless_under_way,
    with_round,
    with_stage,
)
from league.core.verb import RUNNING, UNDER_WAY, Button, Caution, Events, Given, Verb
from league.core.verbs.course import held
from league.core.verbs.days import put_off
from league.core.verbs.presence import Present
from league.core.verbs.results import Voided
from league.core.weighing import arrived_since_draw, latecomers, left_since_draw

# ---- Publish -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OpenedGame:
    """A game that is played at a table."""

    table: v.TableId
    game: v.GameId


class Published(OpensGames, type="published"):
    """The round is public, with the secret values of its draw and of the drafts that it replaced."""

    title = "Round published"
    found_by = "pairings published, seating published"
    said_by = AND_SERVER
    text = "Round %(round)s is published."
    text_deadline = "Round %(round)s is published. Deadline: %(deadline)s."
    announces = emails = "round_published"
    stage: v.Count
    round: v.Count
    games: Annotated[tuple[OpenedGame, ...], Length(0, v.MAX_ENTRIES * 10)]
    reveals: Annotated[tuple[PublishedReveal, ...], Length(1, LEAVES)]
    deadline: v.Time | None = None

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        return cls.text_deadline if fields.get("deadline") else cls.text

    def apply(self, state: Competition) -> Competition:
        stage, drawn = drawn_round(state, self.stage, self.round)
        games: dict[str, tuple[TableGame, ...]] = {table.id: () for table in drawn.tables}
        for each in self.games:
            if each.table not in games:
                raise Illegal("Each game must belong to a table of the round.")
            games[each.table] += (TableGame(each.game),)
        if any(not its_games for its_games in games.values()):
            raise Illegal("Every table of the round needs a game.")
        refuse_known_games(state, [each.game for each in self.games])
        if self.reveals != revealed(drawn):
            raise Illegal("The round must be published with the secret values of all its draws.")
        tables = Tables(replace(table, games=games[table.id]) for table in drawn.tables)
        shown = replace(drawn, status="published", tables=tables, deadline=self.deadline)
        state = with_round(state, stage, shown)
        return replace(state, pending=None, drafts=(), drafted_at=None)

    def opened_games(self) -> Iterable[tuple[str, str]]:
        return ((each.table, each.game) for each in self.games)


def revealed(drawn: Round) -> tuple[PublishedReveal, ...]:
    """Return what the drafts of a round used, in order, with the reasons why they were replaced."""
    return tuple(PublishedReveal(**vars(origin.reveal), reason=origin.dropped) for origin in drawn.origins)


class PublishRound(Verb, key="publish"):
    """Publish the drawn round and open its games, one at each table.

    By default the ``deadline`` follows from the stage's plan, if it has one: days are counted in the club's
    time zone, to the same time of day, up to a full hour. While the round is played, nothing changes.
    """

    taken_back_by = ("withdraw-round",)
    publish = Button(
        "Publish the round",
        "Everybody sees the round, and a game is opened at each table that it has.",
        "“Withdraw the round” works until a game has begun. After that you can void tables.",
        statuses=RUNNING,
        part="round",
        steps=("publish",),
        asks=("deadline",),
    )

    deadline: Annotated[v.Instant | None, Label("Deadline")] = None

    @classmethod
    def draws(cls, state: Competition) -> bool:
        return True

    @classmethod
    def cautions(cls, state: Competition) -> Sequence[Caution]:
        told, remedy = [*left_since_draw(state)], "redraw"
        if state.stage and formats.of(state.stage.plan).open_tables:
            remedy = "discard-draw"
        if arrived := arrived_since_draw(state):
            told.append(
                text(
                    "Here since the draw: %(names)s. Without a new draw they miss round %(round)d.",
                    names=both([entry.name for entry in arrived]),
                    round=state.next_round,
                )
            )
        return [Caution(each, remedy) for each in told]

    def decide(self, state: Competition, given: Given) -> Events:
        until = course.read_deadline(self.deadline, given.now)
        stage = begun_stage(state)
        drawn = stage.open_round
        if drawn and drawn.status == "published" and until in (None, drawn.deadline):
            return ()
        if drawn is None or drawn.status != "drawn":
            raise Illegal("No round waits to be published.")
        if not (drawn.tables or drawn.byes or drawn.open):
            raise Illegal("Nobody would play in this round. Discard the draw, or mark entries as present.")
        games = tuple(
            OpenedGame(table.id, given.first_game(table.id, order))
            for order, table in enumerate(drawn.tables)
        )
        deadline = until or course.planned_deadline(stage.plan, given.now, given.zone)
        published = Published(stage.number, drawn.number, games, revealed(drawn), deadline)
        return published, *put_off(state, drawn, given.away)


# ---- Close round ---------------------------------------------------------------------------------


class RoundClosed(Event, type="round_closed"):
    """The round is over; all its tables are decided, void or put off."""

    title = "Round closed"
    found_by = "end of the round"
    said_by = AND_SERVER
    text = "Round %(round)s is closed."
    announces = "round_closed"
    stage: v.Count
    round: v.Count
    reason: Annotated[v.Note, Help("why undecided tables would have become void")] = ""

    def apply(self, state: Competition) -> Competition:
        refuse_unless_running(state)
        stage, played = played_round(state, self.stage, self.round)
        if undecided := len(played.undecided):
            raise Illegal(
                plural(
                    "%(count)d of the round's tables is not decided.",
                    "%(count)d of the round's tables are not decided.",
                    undecided,
                )
            )
        return with_round(state, stage, replace(played, status="closed"))


class CloseRound(Verb, key="close-round"):
    """Close the current round; tables that are put off stay undecided.

    With a reason in ``void_undecided``, the other undecided tables become void. Where there are none, the log
    has the reason beside the end of the round.
    """

    taken_back_by = ("reopen-round",)
    close_round = Button(
        "Close the round",
        "The round is over, once all its tables are decided or put off.",
        "“Reopen the round” works until a later round is published.",
        statuses=RUNNING,
        part="round",
        steps=("play", "rule", "close_round"),
    )
    close_early = Button(
        "Close the round with undecided tables",
        "The round is over. Tables that are not decided become void, for the reason you give.",
        "“Reopen the round” works until a later round is published; then reopen the void tables.",
        statuses=RUNNING,
        part="round",
        steps=("play", "rule"),
        asks=("void_undecided",),
        needs=("void_undecided",),
        danger=True,
    )

    void_undecided: Annotated[v.Note, Label("Reason"), Help("why undecided tables become void")] = ""

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        current = state.current_round
        return current is not None and bool(current.undecided) == (button.key == "close-early")

    @classmethod
    def ends(cls, state: Competition, button: Button, table: str) -> Iterable[Table]:
        early = button.key == "close-early"
        return state.current_round.undecided if early and state.current_round else ()

    def decide(self, state: Competition, given: Given) -> Events:
        stage = begun_stage(state)
        if stage.open_round is None:
            raise Illegal("No round is being played.")
        undecided = stage.open_round.undecided if self.void_undecided else ()
        voided = [Voided(table.id, self.void_undecided) for table in undecided]
        reason = "" if voided else self.void_undecided
        return *voided, RoundClosed(stage.number, stage.open_round.number, reason)


# ---- Withdraw round ------------------------------------------------------------------------------


class RoundWithdrawn(EndsGames, type="round_withdrawn"):
    """A published round that nobody has played does not take place; its number is free again.

    Its games are abandoned and count for nothing. The next draw of the round is a new draw.
    """

    title = "Round withdrawn"
    found_by = "unpublished, taken back, undone"
    text = "Round %(round)s is withdrawn."
    announces = emails = "round_withdrawn"
    stage: v.Count
    round: v.Count
    reason: v.Reason

    def apply(self, state: Competition) -> Competition:
        refuse_unless_under_way(state)
        stage, published = played_round(state, self.stage, self.round)
        refuse_begun(published, frozenset())
        before = with_stage(state, replace(stage, rounds=stage.rounds[:-1]))
        return replace(before, withdrawn=(*state.withdrawn, published))

    def endings(self, state: Competition) -> Iterable[Ending]:
        return (Ending(table.id, self.reason) for table in state.withdrawn[-1].tables)


def refuse_begun(published: Round, begun: frozenset[str]) -> None:
    """Raise `Illegal` where a table of the round has a result or is one of those that have begun."""
    numbers = [
        number
        for number, table in published.numbered
        if table.id in begun or table.ruling or any(game.result for game in table.games)
    ]
    if numbers:
        raise Illegal(lost_at(numbers))


def lost_at(numbers: Sequence[int]) -> Message:
    """Return that what was played at the tables of a round with these numbers would be lost."""
    listed = ", ".join(map(str, numbers))
    return plural(
        "The game at table %(tables)s has begun; what was played there would be lost.",
        "The games at tables %(tables)s have begun; what was played there would be lost.",
        len(numbers),
        tables=listed,
    )


class WithdrawRound(Verb, key="withdraw-round"):
    """Withdraw the current round, which was published by mistake and which nobody has played.

    Its games are abandoned, its players are told, and its number is free again: the next draw is a new one,
    with those who have checked in or entered meanwhile. Refused once a game has begun. With the automatic
    pace the competition is paused too.
    """

    taken_back_by = ("draw",)
    withdraw_round = Button(
        "Withdraw the round",
        "The round does not take place: its games end without a result, and its players are told.",
        "The round can be prepared and published again.",
        statuses=UNDER_WAY,
        part="round",
        asks=("reason",),
        danger=True,
    )

    reason: v.Reason

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        published = state.current_round
        return published is not None and not any(
            table.ruling or game.result for table in published.tables for game in table.games
        )

    @classmethod
    def cautions(cls, state: Competition) -> Sequence[Caution]:
        published = state.current_round
        if published is None:
            return ()
        running = [table for table in published.tables if not table.decided]
        games = sum(not (game.result or game.abandoned) for table in running for game in table.games)
        return (Caution(plural("%(count)d game ends.", "%(count)d games end.", games)),) if games else ()

    @classmethod
    def ends(cls, state: Competition, button: Button, table: str) -> Iterable[Table]:
        return state.current_round.tables if state.current_round else ()

    def decide(self, state: Competition, given: Given) -> Events:
        stage = begun_stage(state)
        if stage.current_round is None:
            raise Illegal("No round is being played.")
        refuse_begun(stage.current_round, given.begun)
        number = stage.current_round.number
        withdrawn = RoundWithdrawn(stage.number, number, self.reason)
        arrived = (Present(entry.id, number) for entry in latecomers(state, (stage.number, number)))
        return withdrawn, *arrived, *held(state, self.reason)


# ---- Reopen round --------------------------------------------------------------------------------


class RoundReopened(Event, type="round_reopened"):
    """The round that was closed last is played again: its tables can be replayed and decided."""

    title = "Round reopened"
    found_by = "correction after the round, open again"
    text = "Round %(round)s is reopened."
    stage: v.Count
    round: v.Count
    reason: v.Reason

    def apply(self, state: Competition) -> Competition:
        refuse_unless_under_way(state)
        _refuse_followed(state, self.stage, self.round)
        state = discarded(state, self.reason)
        stage = state.stage_numbered(self.stage)
        closed = stage.rounds[self.round - 1]
        return with_round(state, stage, replace(closed, status="published"))


def _refuse_followed(state: Competition, stage: int, number: int) -> None:
    """Raise `Illegal` unless the round is closed and nothing that is public came after it."""
    its_stage = state.stage_numbered(stage)
    if len(state.stages) > stage:
        raise Illegal(
            plural(
                "Stage %(stage)d was made from these standings; its groups and %(count)d published round "
                "would be lost.",
                "Stage %(stage)d was made from these standings; its groups and %(count)d published rounds "
                "would be lost.",
                sum(len(each.shown_rounds) for each in state.stages[stage:]),
                stage=stage + 1,
            )
        )
    if not 1 <= number <= len(its_stage.rounds) or its_stage.rounds[number - 1].status != "closed":
        raise Illegal("Round %(round)d is not closed.", round=number)
    if later := len(its_stage.shown_rounds) - number:
        raise Illegal(
            plural(
                "%(count)d round was published after it and would be lost.",
                "%(count)d rounds were published after it and would be lost.",
                later,
            )
        )


class ReopenRound(Verb, key="reopen-round"):
    """Reopen the round that was closed last, as long as no later one is published.

    An unpublished draw of the next round is discarded. With the automatic pace the competition is paused too.
    """

    taken_back_by = ("close-round",)
    reopen_round = Button(
        "Reopen the round",
        "The round that was closed last is played again. Its tables can be reopened, replayed and decided.",
        "Close the round again.",
        statuses=UNDER_WAY,
        part="round",
        asks=("reason",),
        danger=True,
    )

    reason: v.Reason

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        stage = state.stage
        return bool(stage and stage.shown_rounds and stage.shown_rounds[-1].status == "closed")

    @classmethod
    def cautions(cls, state: Competition) -> Sequence[Caution]:
        drawn = state.drawn_round
        if drawn is None:
            return ()
        return (Caution(text("The unpublished round %(round)d is discarded.", round=drawn.number)),)

    def decide(self, state: Competition, given: Given) -> Events:
        stage = next((each for each in reversed(state.stages) if each.shown_rounds), begun_stage(state))
        reopened = RoundReopened(stage.number, len(stage.shown_rounds), self.reason)
        return reopened, *held(state, self.reason)
