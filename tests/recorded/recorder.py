"""Plays a competition without database or server, with games of bots, and keeps its file."""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import Any

from games import verifier as games
from games.engine import chain, replay
from league.core import portable
from league.core.events import Event, OpensGames, apply, write
from league.core.open_tables import tables_of_waiting
from league.core.state.competition import Table
from league.core.state.cut_offs import NO_WISHES
from league.core.state.plan import Opening, Placing, StagePlan
from league.core.verbs.course import FinishCompetition
from league.core.verbs.results import ResultRecorded
from league.core.verbs.start import opening_of
from tests.core import deciding as commands
from tests.core.committed import committed
from tests.core.ids import uid
from tests.rules.recording import Recorder

START = datetime(2026, 11, 1, 18, tzinfo=UTC)
SHORT = {"round_limit": 1, "turn_limit": 8}
TABLES_OPENED = 4
"""How many tables are opened in a round without a draw."""


class League:
    """A competition in play, and the log of each of its games."""

    def __init__(self, name: str, entries: int, plans: Sequence[StagePlan], **announced: Any) -> None:
        self.name = name
        self.log: list[dict[str, Any]] = []
        self.head = chain.ORIGIN
        self.games: dict[str, list[str]] = {}
        self.opened_by: dict[str, str | None] = {}
        self.before_close: Callable[[League], None] = lambda _league: None
        self.after_result: Callable[[League], None] = lambda _league: None
        self.before_publish: Callable[[League], None] = lambda _league: None
        self.before_play: Callable[[Recorder], None] = lambda _game: None
        size = announced.get("team_size", 1)
        self.players: dict[str, str] = {}
        self.game = {"ruleset": "scoops", "options": SHORT, **announced}
        opening = opening_of(
            Opening(
                name, seats=(), low_wins=False, stages=tuple(plans), root=committed(), clock={}, **self.game
            )
        )
        self.state = opening.begin()
        self._write(opening)
        self.size = size
        for number in range(1, entries + 1):
            self.enter(number)

    def enter(self, number: int) -> None:
        """Enter the next player, or team of players, by the number of its entry."""
        first = (number - 1) * self.size + 1
        names = {uid(f"player {each}"): f"Player {each}" for each in range(first, first + self.size)}
        self.players |= names
        entry, name = uid(f"entry {number}"), " & ".join(names.values())
        self.say(commands.enter(self.state, entry=entry, name=name, players=[*names]))

    def say(self, events: Sequence[Event], role: str = "") -> None:
        """Append events, in the role that usually says each, or in the one given."""
        for event in events:
            self.state = apply(self.state, event)
            self._write(event, role)

    def play(self) -> None:
        """Play everything to the end of the competition."""
        while not self.state.over:
            self._step()

    def lines(self) -> Iterator[str]:
        """Yield the lines of its file."""
        header = portable.Header(uid(self.name), self.name.lower().replace(" ", "-"), "Recorded")
        log = (json.dumps(entry, ensure_ascii=False) for entry in self.log)
        return portable.written(header, self.players, log, self.games)

    def _step(self) -> None:
        state = self.state
        match commands.next_step(state):
            case "start":
                self.say(commands.start(state))
            case "start_stage":
                self.say(commands.start_stage(state))
            case "draw":
                self.say(commands.draw(state))
            case "publish":
                self._publish()
            case "play":
                self._play_round()
            case "close_round":
                self.say(commands.close_round(state))
            case "finish":
                self.say(commands.decide(state, FinishCompetition()))
            case step:
                raise AssertionError(step)

    def _publish(self) -> None:
        self.before_publish(self)
        drawn = self.state.drawn_round
        assert drawn
        games = {table.id: [uid(f"game {table.id}")] for table in drawn.tables}
        self.say(commands.publish(self.state, games=games))
        if drawn.queue is not None:
            self.say([*tables_of_waiting(self.state, START, NO_WISHES)])
        elif drawn.open:
            self._open_tables()

    def _open_tables(self) -> None:
        """Open tables of neighbours in the order of entering."""
        pairs = (pair for pair in combinations((entry.id for entry in self.state.entries), 2))
        for number, pair in enumerate(list(pairs)[:TABLES_OPENED]):
            self._open_table(f"{self.name} opened {number}", pair)

    def play_table(self, name: str, entries: Sequence[str]) -> None:
        """Open a table of a round without a draw and play it."""
        self._open_table(name, entries)
        current = self.state.current_round
        assert current
        (table,) = current.undecided
        self.say(commands.record_result(self.state, result=self._played(table)))

    def _open_table(self, name: str, entries: Sequence[str]) -> None:
        table = uid(name)
        games = [uid(f"game {table}")]
        self.say(commands.open_table(self.state, table=table, entries=entries, games=games))

    def _play_round(self) -> None:
        current = self.state.current_round
        assert current
        while undecided := self.state.current_round and self.state.current_round.undecided:
            self.say(commands.record_result(self.state, result=self._played(undecided[0])))
            self.after_result(self)
        self.before_close(self)
        if current.open:
            self.say(commands.close_round(self.state))

    def _played(self, table: Table) -> ResultRecorded:
        """Play the game of a table; return its result."""
        *_, game = table.games
        secret = hashlib.sha256(game.id.encode()).digest()
        players = [*table.players_of(game.id)]
        recorder = Recorder(
            self.game["ruleset"],
            len(players),
            self.game["options"],
            secret=secret,
            players=players,
            accounts=[uid(f"account of {player}") for player in players],
            opened_by=self.opened_by[game.id],
        )
        self.before_play(recorder)
        recorder.play()
        self.games[game.id] = [*recorder.lines()]
        result = replay.result(recorder.position)
        assert result
        left = games.check(self.games[game.id]).left
        placings = tuple(
            Placing(each.seat, each.rank, each.score, left.get(each.seat)) for each in result.seats
        )
        return ResultRecorded(table.id, game.id, recorder.head, "finished", placings)

    def _write(self, event: Event, role: str = "") -> None:
        """Append an event: the server's in its own role, any other by an account."""
        own = [role for role in event.said_by if role != "club"]
        seq, usual = len(self.log) + 1, "system" if "system" in own else own[-1]
        role = role or usual
        account = None if role == "system" else uid(role)
        if isinstance(event, OpensGames):
            self.opened_by |= {game: account for _table, game in event.opened_games()}
        entry: dict[str, Any] = {
            "seq": seq,
            "role": role,
            "account": account,
            "event": write(event),
            "at": chain.stamp(START + timedelta(minutes=seq)),
        }
        self.head = chain.link(self.head, entry)
        self.log.append({**entry, "hash": self.head})
