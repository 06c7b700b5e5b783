"""Competitions written as crosstables: `Ann > Ben = Cem > Dana` is a table and its result.

A round is its tables, joined by `;`. Scores may follow names: `Ann 12 > Ben 7`. Everything goes
through the fold.
"""

import re
from collections.abc import Sequence
from typing import Any

from league.core.events import Event, apply
from league.core.plans import with_editions
from league.core.standings import ranking
from league.core.standings.rows import Row
from league.core.state.competition import Competition, Table
from league.core.state.plan import Placing, StagePlan
from league.core.state.updates import Seating
from league.core.verbs.draw import Drawn
from league.core.verbs.results import ResultRecorded
from league.core.verbs.rounds import OpenedGame, Published, revealed
from league.core.verbs.start import Opened
from tests.core import deciding as commands
from tests.core.committed import committed, reveal_of
from tests.core.ids import uid

HEAD = "0" * 64


def plan(**changes: Any) -> StagePlan:
    usual: dict[str, Any] = {"name": "League", "format": "rounds", "rounds": 3, "table_size": 4, "params": {}}
    return StagePlan(**{**usual, **changes})


def opening(*plans: StagePlan, **changes: Any) -> Opened:
    usual: dict[str, Any] = {
        "name": "Club night",
        "ruleset": "scoops@1",
        "options": {},
        "seats": tuple(range(2, 11)),
        "low_wins": False,
        "stages": tuple(map(with_editions, plans or (plan(),))),
        "root": committed(),
        "clock": {},
    }
    return Opened(**{**usual, **changes})


def after(state: Competition, *events: Event) -> Competition:
    for event in events:
        state = apply(state, event)
    return state


def entered(names: str, *plans: StagePlan, **changes: Any) -> Competition:
    """A competition before its start; a name such as `Reds:Ann,Ben` is a team."""
    state = opening(*plans, **changes).begin()
    for name in names.split():
        state = after(state, *enter(state, name))
    return state


def enter(state: Competition, name: str) -> commands.Events:
    team, _, players = name.partition(":")
    ids = [uid(f"player {player}") for player in (players or team).split(",")]
    return commands.enter(state, entry=uid(team), name=team, players=ids)


def started(names: str, *plans: StagePlan, **changes: Any) -> Competition:
    state = entered(names, *plans, **changes)
    return after(state, *commands.start(state))


def published(state: Competition, round_: str, byes: str = "") -> Competition:
    """The state with a round of the given tables published, the game of each open."""
    assert state.stage
    stage, number = state.stage.number, state.next_round
    at = (stage, number)
    tables = []
    for order, text in enumerate(filter(None, map(str.strip, round_.split(";")))):
        entries = [state.entry(uid(name)) for name in re.findall(r"[A-Z]\w*", text)]
        seats = tuple((entry.id, entry.lineup(at)[0]) for entry in entries)
        group = next((at for at, group in enumerate(state.stage.groups, 1) if entries[0].id in group), 1)
        tables.append(Seating(uid(f"table {stage} {number} {order}"), seats, group))
    games = tuple(OpenedGame(table.table, uid(f"game {table.table}")) for table in tables)
    state = after(state, *commands.cut_off(state))
    state = after(
        state, Drawn(stage, number, tuple(tables), {}, reveal_of(state), tuple(map(uid, byes.split())))
    )
    return after(state, Published(stage, number, games, revealed(state.stages[-1].rounds[-1])))


def result(table: Table, text: str) -> ResultRecorded:
    """The result of a table whose seats are in the order of the text."""
    return ResultRecorded(table.id, table.games[0].id, HEAD, "finished", placings(text))


def placings(text: str) -> tuple[Placing, ...]:
    answer = re.findall(r"([>=]?)\s*[A-Z]\w*\s*(-?\d*)", text)
    found: list[Placing] = []
    for seat, (sign, score) in enumerate(answer):
        rank = found[-1].rank if sign == "=" else seat + 1
        found.append(Placing(seat, rank, int(score or len(answer) - rank)))
    return tuple(found)


def results(state: Competition, round_: str) -> list[ResultRecorded]:
    """The results of tables of the open round, each found by who sits there."""
    texts = filter(None, map(str.strip, round_.split(";")))
    return [result(table_at(state, *re.findall(r"[A-Z]\w*", text)), text) for text in texts]


def played(state: Competition, *rounds: str, byes: str = "") -> Competition:
    """The state with rounds published, played and closed."""
    for round_ in rounds:
        state = published(state, round_, byes)
        state = after(state, *results(state, round_))
        state = after(state, *commands.close_round(state))
    return state


def table_at(state: Competition, *names: str) -> Table:
    """The newest table at which these sit."""
    return next(each for _, _, each in state.tables() if {*map(uid, names)} <= {*each.entries})


def name_of(state: Competition, entry: str) -> str:
    return state.entry(entry).name


def standings(state: Competition, stage: int = 1, through: int | None = None) -> list[str]:
    """The rows of a stage as `Ann 3`, best first."""
    rows = ranking.standings(state, stage, through)
    return [f"{name_of(state, row.entry)} {row.points}" for row in rows]


def row_of(state: Competition, name: str, stage: int = 1) -> Row:
    return next(row for row in ranking.standings(state, stage) if row.entry == uid(name))


def points(state: Competition, name: str) -> str:
    return str(row_of(state, name).points)


def seated(state: Competition) -> Sequence[set[str]]:
    """The names at each table of the latest round."""
    assert state.stage
    return [{name_of(state, entry) for entry in table.entries} for table in state.stage.rounds[-1].tables]
