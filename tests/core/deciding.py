"""The events that verbs decide on, checked by the fold; the test names entries, tables and games."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from league.core.course import next_step
from league.core.events import Event, apply, changes
from league.core.open_tables import table_opened
from league.core.state.competition import Competition
from league.core.state.cut_offs import Purpose
from league.core.state.plan import StagePlan
from league.core.verb import Given, Verb
from league.core.verb import decide as events_of
from league.core.verbs import cut_off as cut_offs
from league.core.verbs.cut_off import CutOffMade, lots_events
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import ApplyForEntry, ApproveEntry, EnterPlayers
from league.core.verbs.entries import SubstitutePlayer, WithdrawEntry
from league.core.verbs.presence import MarkPresent
from league.core.verbs.results import RecordResult, ResultRecorded
from league.core.verbs.rounds import CloseRound, OpenedGame, Published, revealed
from league.core.verbs.stages import StageAdded, StartStage, checked
from league.core.verbs.start import StartCompetition
from tests.core.committed import TREES
from tests.core.ids import uid

__all__ = ["next_step"]

Events = tuple[Event, ...]
NOW = datetime(2026, 9, 1, 18, tzinfo=UTC)


@dataclass(frozen=True)
class NamedGiven(Given):
    """Facts under which what is made gets the id that the test wants."""

    made: str = ""

    def id_for(self, name: str) -> str:
        return self.made


def decide(state: Competition, verb: Verb, given: Given | None = None) -> Events:
    """Return the events of a verb; raises `Illegal` where the fold refuses one of them."""
    given = replace(given or Given(uid("competition"), NOW), trees=TREES)
    decided = events_of(verb, state, given)
    return tuple(change.event for change in changes(state, decided))


def judged(state: Competition, *events: Event) -> Events:
    """Return the events as they are; raises `Illegal` unless they can happen one after another."""
    for event in events:
        state = apply(state, event)
    return events


def _naming(entry: str, name: str, players: Sequence[str], **more: Any) -> NamedGiven:
    # Other names than the entry's, which is one of its own.
    names = {player: f"Player {number} of {name}" for number, player in enumerate(players, 1)}
    return NamedGiven(uid("competition"), NOW, players=names, made=entry, **more)


def enter(state: Competition, *, entry: str, name: str, players: Sequence[str], **more: Any) -> Events:
    return decide(state, EnterPlayers(tuple(players), name, **more), _naming(entry, name, players))


def apply_for(state: Competition, *, entry: str, name: str, players: Sequence[str]) -> Events:
    given = _naming(entry, name, players, role="player", player=players[0])
    return decide(state, ApplyForEntry(tuple(players), name), given)


def approve(state: Competition, *, entry: str) -> Events:
    return decide(state, ApproveEntry(entry))


def present(state: Competition, *, entry: str) -> Events:
    return decide(state, MarkPresent(entry))


def withdraw(state: Competition, **fields: Any) -> Events:
    return decide(state, WithdrawEntry(**fields))


def substitute(state: Competition, *, into: str, **fields: Any) -> Events:
    given = Given(uid("competition"), NOW, players={into: "Substitute"})
    return decide(state, SubstitutePlayer(into=into, **fields), given)


def start(state: Competition) -> Events:
    return decide(state, StartCompetition())


def start_stage(state: Competition) -> Events:
    return decide(state, StartStage())


def add_stage(state: Competition, *, plan: StagePlan) -> Events:
    return judged(state, StageAdded(checked(state, plan)))


def draw(state: Competition, reason: str = "") -> Events:
    return decide(state, DrawRound(reason))


def draw_lots(state: Competition) -> Events:
    given = Given(uid("competition"), NOW, trees=TREES)
    return judged(state, *lots_events(state, given)[0])


def cut_off(state: Competition, purpose: Purpose = "round", reason: str = "") -> Events:
    return judged(state, CutOffMade(**vars(cut_offs.cut_off(state, purpose, beacon=0, reason=reason))))


def publish(state: Competition, *, games: Mapping[str, Sequence[str]], deadline: str | None = None) -> Events:
    stage = state.stage
    assert stage is not None and stage.open_round is not None
    opened = tuple(OpenedGame(table, game) for table, ids in games.items() for game in ids)
    reveals = revealed(stage.open_round)
    return judged(state, Published(stage.number, stage.open_round.number, opened, reveals, deadline))


def open_table(state: Competition, *, table: str, entries: Sequence[str], games: Sequence[str]) -> Events:
    return judged(state, table_opened(state, table=table, entries=entries, games=games))


def record_result(state: Competition, *, result: ResultRecorded) -> Events:
    return decide(state, RecordResult(**vars(result)))


def close_round(state: Competition, *, void_undecided: str = "") -> Events:
    return decide(state, CloseRound(void_undecided))
