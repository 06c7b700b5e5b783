"""Publish: the drawn round becomes public, and its games are opened."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from games.engine.ids import derived_id
from games.engine.refusals import Illegal
from games.engine.shapes import Label, Length
from games.engine.values import replace
from league.core import deadlines
from league.core.commitment import LEAVES
from league.core.events import AND_SERVER, OpensGames
from league.core.state import values as v
from league.core.state.checks import begun_stage, drawn_round
from league.core.state.competition import Competition, Round, TableGame, Tables
from league.core.state.cut_off import PublishedReveal
from league.core.state.seating import refuse_known_games
from league.core.state.updates import with_round
from league.core.verb import RUNNING, Button, Caution, Events, Given, Verb
from league.core.weighing import left_since_draw


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
    announces = notice = "round_published"
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
        "Everybody sees the tables, and a game is opened at each of them.",
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
        return [Caution(each, "redraw") for each in left_since_draw(state)]

    def decide(self, state: Competition, given: Given) -> Events:
        until = deadlines.read(self.deadline, given.now)
        stage = begun_stage(state)
        drawn = stage.open_round
        if drawn and drawn.status == "published" and until in (None, drawn.deadline):
            return ()
        if drawn is None or drawn.status != "drawn":
            raise Illegal("No round is drawn.")
        if not (drawn.tables or drawn.byes or drawn.open):
            raise Illegal("Nobody would play in this round. Discard the draw, or mark entries as present.")
        games = tuple(
            OpenedGame(table.id, first_game(table.id, given.now, order))
            for order, table in enumerate(drawn.tables)
        )
        deadline = until or deadlines.planned(stage.plan, given.now, given.zone)
        return (Published(stage.number, drawn.number, games, revealed(drawn), deadline),)


def first_game(table: str, now: datetime, order: int = 0) -> str:
    """Return the id of a table's first game: of the time when it is opened, and derived from the table's id.

    Games that are opened together are in ``order``. A retry, which decides at the time of the entry that it
    repeats, gives the same id.
    """
    return str(derived_id(now, f"{table} game 1", order))
