"""A planned competition played through with invented results: pure, so nothing is stored and nobody told.

The draws are made as they will be, from a secret that is invented too: the competition's own is never asked.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from uuid import UUID, uuid5

from games import rules
from games.engine.base import ranked
from games.engine.chance import Chance
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core import formats
from league.core.commitment import Tree
from league.core.course import Step, next_step
from league.core.events import changes
from league.core.state.competition import Competition, Entry, Table, TableGame
from league.core.state.plan import Entering, Placing
from league.core.verb import Given, Verb, decide
from league.core.verbs.course import FinishCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.results import RecordResult
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.stages import StartStage
from league.core.verbs.start import Opened, StartCompetition
from league.core.verbs.tables import OpenTable

MOST_ENTRIES: Final = 200
"""So many take part at most: a round of more takes longer than a page may."""
_TABLES_EACH: Final = 3
"""How many tables each entry has where they open one by one, on average."""
_MOST_TABLES: Final = 100
"""So many open one by one in a round at most: more take longer than a page may."""
_TRIED: Final = 20
"""So often a table is looked for that rungs or wishes allow."""
_MOST_STEPS: Final = 5_000
_NOON: Final = datetime(2001, 1, 1, 12, tzinfo=UTC)
_SPREAD: Final = 10
"""How much of a result is luck: beside the strength of an entry, which is its place in a drawn order."""
_UNIT: Final = 5
"""Invented scores are multiples of it, and nobody is level where the game itself invents none."""
_STEPS: Final[Mapping[str, type[Verb]]] = {
    "start": StartCompetition,
    "start_stage": StartStage,
    "draw": DrawRound,
    "publish": PublishRound,
    "close_round": CloseRound,
    "finish": FinishCompetition,
}


def opens_by_itself(planned: Competition) -> bool:
    """Return whether in a stage tables open by themselves as long as somebody waits: it has no end."""
    return any(formats.of(plan).seats_waiting for plan in planned.plans)


@dataclass(frozen=True)
class Rehearsal:
    """What is rehearsed: a competition that has not begun, with so many entries, the ``number``-th time.

    Those who have entered take part; others are invented, named by ``stranger``, which has a place for a
    number. ``names`` are those of players by id, and ``informed`` adds to what a verb may know what draws
    depend on besides the log. The same rehearsal always gives the same rounds.
    """

    planned: Competition
    competition: str
    entries: int
    number: int
    names: Mapping[str, str]
    stranger: str
    informed: Callable[[Given, Verb, Competition], Given] = lambda given, _verb, _state: given

    def begun(self) -> Competition:
        """Return the competition with all its entries; raise `Illegal` where there is nothing to rehearse."""
        if self.planned.started:
            raise Illegal("This competition has begun: only a planned one can be rehearsed.")
        if opens_by_itself(self.planned):
            raise Illegal("Where tables are opened at any time, there is nothing to rehearse.")
        opening = self.planned.opening
        changed = {"root": self._tree.root, "entering": Entering(), "entropy": "texts", "pace": "manual"}
        state = Opened(**{**vars(opening), "stages": self.planned.plans, **changed}).begin()
        state = replace(state, rooms=self.planned.rooms)
        for entry in self._entered:
            state = self._after(state, EnterPlayers(entry.players, entry.own_name, entry.affiliation))
        for name, players in self._strangers.items():
            state = self._after(state, EnterPlayers(players, name))
        return state

    def after_a_round(self, state: Competition) -> Competition:
        """Return the state after another round, over after the last; raise `Illegal` where none can be."""
        for _step in range(_MOST_STEPS):
            step = next_step(state)
            if step == "play" and state.current_round and not state.current_round.undecided:
                opened = self._with_a_table(state)
                state, step = opened or state, step if opened else "close_round"
            if step in ("none", "rule"):
                return state
            state = self._on(state, step)
            if step == "close_round" and next_step(state) != "finish":
                return state
        raise Illegal("This competition does not end: it can't be rehearsed.")

    @property
    def _entered(self) -> Sequence[Entry]:
        """Return those who have entered, as many as take part."""
        return [entry for entry in self.planned.entries if entry.status == "entered"][: self.entries]

    @property
    def _strangers(self) -> Mapping[str, tuple[str, ...]]:
        """Return the players of each invented entry by its name."""
        places, known = range(self.planned.opening.team_size), len(self._entered)
        return {
            self.stranger % {"number": number}: tuple(self._id(f"player {number} {at}") for at in places)
            for number in range(known + 1, self.entries + 1)
        }

    @property
    def known(self) -> Mapping[str, str]:
        """Return the names of all players by id, with those that are invented."""
        strangers = {player: name for name, players in self._strangers.items() for player in players}
        return {**self.names, **strangers}

    @property
    def _seed(self) -> bytes:
        return hashlib.sha256(f"rehearsal {self.number} of {self.competition}".encode()).digest()

    @property
    def _tree(self) -> Tree:
        return Tree(self._seed)

    def _id(self, name: str) -> str:
        return str(uuid5(UUID(self.competition), f"rehearsal {name}"))

    def _after(self, state: Competition, verb: Verb) -> Competition:
        given = Given(
            self.competition,
            _NOON,
            role="organiser" if verb.audience != "system" else "system",
            players=self.known,
            trees={self._tree.root: self._tree},
        )
        for change in changes(state, decide(verb, state, self.informed(given, verb, state))):
            state = change.after
        return state

    def _on(self, state: Competition, step: Step) -> Competition:
        """Return the state after the next step, where it waits for results after that of one table."""
        if step != "play":
            return self._after(state, _STEPS[step]())
        current = state.current_round
        assert current is not None
        table = current.undecided[0]
        game = next(game for game in table.games if not game.result)
        head = hashlib.sha256(game.id.encode()).hexdigest()
        placings = self._placings(state, table, game)
        return self._after(state, RecordResult(table.id, game.id, head, "finished", placings))

    def _with_a_table(self, state: Competition) -> Competition | None:
        """Return the state with further tables of a round in which they open one by one; None at its end.

        One challenges others, who accept.
        """
        stage = state.stage
        assert stage is not None and stage.current_round is not None
        size, opened = stage.plan.table_size, len(stage.current_round.tables)
        if opened >= min(_MOST_TABLES, _TABLES_EACH * len(stage.entries) // size):
            return None
        format_, chance = formats.of(stage.plan), Chance(self._seed)
        for number in range(_TRIED):
            by = chance.shuffled(f"challenger {opened} {number}", stage.entries)[0]
            others = chance.shuffled(
                f"challenged {by} {opened} {number}", format_.opponents(state, stage, by)
            )
            entries = (by, *others[: size - 1])
            try:
                return self._after(state, OpenTable(entries))
            except Illegal:
                continue
        return None

    def _placings(self, state: Competition, table: Table, its: TableGame) -> tuple[Placing, ...]:
        """Return an invented result: the stronger is often better, and who shares a side shares its place."""
        game, chance = rules.of(state.opening.ruleset, state.opening.options), Chance(self._seed)
        order = chance.shuffled("strength", [entry.id for entry in state.entries])
        entries = [seat.entry for seat in table.seats_of(its.id)]
        sides = game.teams(len(entries))
        if state.opening.lineup == "partners":
            sides = tuple(entries.index(entry) for entry in entries)
        strength = {
            side: order.index(entries[sides.index(side)]) * _SPREAD // len(order) for side in sorted({*sides})
        }
        tried = {side: strength[side] + chance.below(f"{its.id} {side}", 2 * _SPREAD) for side in strength}
        best = sorted(tried, key=lambda side: (tried[side], side))
        scores = game.invented_totals(
            game.read_options(state.opening.options, len(sides)),
            len(sides),
            [_SPREAD - strength[side] for side in sides],
            Chance(hashlib.sha256(self._seed + its.id.encode()).digest()),
        ) or [
            _UNIT * (best.index(side) + 1 if game.low_wins else len(best) - best.index(side))
            for side in sides
        ]
        sign = 1 if game.low_wins else -1
        keys = [
            min(sign * score for other, score in zip(entries, scores, strict=True) if other == entry)
            for entry in entries
        ]
        placed = zip(ranked(keys), scores, strict=True)
        return tuple(Placing(seat, rank, score) for seat, (rank, score) in enumerate(placed))
