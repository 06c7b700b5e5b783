"""Properties of every competition, tested with random verbs by a state machine."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games.engine.chance import Chance
from games.engine.refusals import Illegal
from league.core import events, formats, scoring
from league.core.events import Event, apply
from league.core.standings import outlook, ranking, rows, tie_breaks
from league.core.standings.rows import Divide, Placed, Row
from league.core.state.competition import Competition, Stage, Table
from league.core.state.plan import Entering, Placing, Scoring
from league.core.state.updates import with_stage
from league.core.verbs.presence import Absent, NoShow
from league.core.verbs.results import Forfeited, ResultRecorded, Voided, WalkedOver
from tests.core import deciding as commands
from tests.core.crosstable import HEAD, opening
from tests.core.formats.played import planned
from tests.core.ids import uid

KEYS = [*formats.BY_KEY]
TIE_BREAKS = tuple(tie_breaks.BY_KEY)
REASON = "chance would have it"


def levels(placed: Sequence[Placed]) -> list[tuple[Divide | None, set[str]]]:
    """The entries that share a rank, with what separates them from those above."""
    found: list[tuple[Divide | None, set[str]]] = []
    for each in placed:
        if each.divide or not found:
            found.append((each.divide, set()))
        found[-1][1].add(each.entry)
    return found


class AnyCompetition(RuleBasedStateMachine):
    """A competition in the hands of chance; every refusal must leave it as it was."""

    log: list[Event]
    state: Competition
    made: int = 0

    @initialize(
        key=st.sampled_from(KEYS),
        size=st.integers(2, 4),
        by=st.sampled_from(["place", "win", "score"]),
        fair=st.booleans(),
        low=st.booleans(),
        best=st.integers(0, 2),
        best_of=st.integers(1, 3),
        places=st.sampled_from([0, 0, 7]),
        entries=st.integers(3, 9),
        started=st.booleans(),
    )
    def open(
        self,
        key: str,
        size: int,
        by: Any,
        fair: bool,
        low: bool,
        best: int,
        best_of: int,
        places: int,
        entries: int,
        started: bool,
    ) -> None:
        paid = Scoring(by=by, fair=fair, best=best)
        stage = replace(planned(key, 3, size), scoring=paid, tie_breaks=TIE_BREAKS)
        stage = replace(stage, best_of=best_of if stage.table_size == 2 else 1)
        self.log = [opening(stage, low_wins=low, entering=Entering(places=places))]
        self.state = events.fold(self.log)
        for _ in range(entries):
            self.enter()
        for _ in range(3 if started else 0):
            self.go_on()

    def say(self, events: commands.Events) -> None:
        """Append what a command gave: the fold takes all of it."""
        for event in events:
            self.state = apply(self.state, event)
            self.log.append(event)

    def new(self, what: str) -> str:
        self.made += 1
        return uid(f"{what} {self.made}")

    def some(self, data: st.DataObject, items: Any) -> Any:
        return data.draw(st.sampled_from(list(items)))

    def open_tables(self) -> list[Table]:
        stage = self.state.stage
        return list(stage.open_round.tables) if stage and stage.open_round else []

    @rule()
    def enter(self) -> None:
        entry = self.new("entry")
        try:
            self.say(
                commands.enter(self.state, entry=entry, name=f"N{self.made}", players=[self.new("player")])
            )
        except Illegal:
            assert self.state.started

    @rule(data=st.data())
    def withdraw(self, data: st.DataObject) -> None:
        entry = self.some(data, self.state.entries)
        try:
            self.say(commands.withdraw(self.state, entry=entry.id))
        except Illegal:
            assert self.state.over or not entry.live

    @rule(data=st.data())
    def stay_away(self, data: st.DataObject) -> None:
        entry = self.some(data, self.state.entries)
        try:
            self.say(commands.judged(self.state, Absent(entry.id, self.state.next_round)))
        except Illegal:
            assert self.state.over or entry.absences or entry.status != "entered" or self.state.started

    @rule()
    def go_on(self) -> None:
        step = commands.next_step(self.state)
        if step == "start" and sum(entry.status == "entered" for entry in self.state.entries) > 2:
            self.say(commands.start(self.state))
        if step == "draw":
            try:
                self.say(commands.draw(self.state))
            except Illegal as refusal:
                assert "Too few entries" in refusal.sentence
        if step == "publish":
            games = {table.id: [self.new("game")] for table in self.open_tables()}
            self.say(commands.publish(self.state, games=games))
        if step == "close_round":
            self.say(commands.close_round(self.state))

    @precondition(lambda self: any(table.status == "playing" for table in self.open_tables()))
    @rule(data=st.data())
    def finish_a_game(self, data: st.DataObject) -> None:
        table = self.some(data, [table for table in self.open_tables() if table.status == "playing"])
        self.finish(table, data.draw(st.lists(st.integers(0, 3), min_size=10, max_size=10)))

    @rule(scores=st.lists(st.integers(0, 3), min_size=10, max_size=10))
    def play_the_round(self, scores: list[int]) -> None:
        self.go_on()
        for table in self.open_tables():
            if table.status == "playing":
                self.finish(table, scores)
        self.go_on()

    def finish(self, table: Table, any_scores: list[int]) -> None:
        scores = any_scores[: len(table.seats)]
        low = self.state.opening.low_wins
        ranks = [1 + sum((other < own) if low else (other > own) for other in scores) for own in scores]
        placings = tuple(map(Placing, range(len(scores)), ranks, scores))
        game = next(each for each in table.needed if not each.over)
        ended = ResultRecorded(table.id, game.id, HEAD, "finished", placings)
        self.say(commands.record_result(self.state, result=ended))
        assert commands.record_result(self.state, result=ended) == ()

    @precondition(lambda self: bool(self.open_tables()))
    @rule(data=st.data(), kind=st.sampled_from(["void", "walkover", "no show", "forfeit"]))
    def judge(self, data: st.DataObject, kind: str) -> None:
        table = self.some(data, self.open_tables())
        entry = self.some(data, table.entries)
        verdicts: dict[str, Event] = {
            "void": Voided(table.id, REASON),
            "walkover": WalkedOver(table.id, (entry,)),
            "no show": NoShow(table.id, entry),
            "forfeit": Forfeited(table.id, entry, REASON),
        }
        try:
            self.say(commands.judged(self.state, verdicts[kind]))
        except Illegal:
            assert self.state.over or not table.games or table.void is not None or table.walked_over

    @precondition(lambda self: self.state.stage is not None and self.state.stage.open_round is not None)
    @rule(data=st.data())
    def open_a_table(self, data: st.DataObject) -> None:
        entries = data.draw(st.lists(st.sampled_from(self.state.entries), min_size=2, max_size=3))
        ids = [entry.id for entry in entries]
        try:
            self.say(
                commands.open_table(
                    self.state, table=self.new("table"), entries=ids, games=[self.new("game")]
                )
            )
        except Illegal as refusal:
            assert refusal.sentence

    @rule()
    def give_up_the_rest(self) -> None:
        try:
            self.say(commands.close_round(self.state, void_undecided=REASON))
        except Illegal:
            assert commands.next_step(self.state) not in ("play", "rule", "close_round")

    @invariant()
    def the_log_says_it_all(self) -> None:
        assert events.fold([events.read(events.write(event)) for event in self.log]) == self.state

    @invariant()
    def standings_are_a_total_order(self) -> None:
        for stage in self.state.stages:
            found = ranking.standings(self.state, stage.number)
            self.rows_follow_from_the_written_order(stage, found)
            assert sorted(row.entry for row in found) == sorted(stage.entries)
            places = {row.rank: place for place, row in reversed([*enumerate(found, 1)])}
            assert all(rank == place for rank, place in places.items())
            assert [row.rank for row in found] == sorted(row.rank for row in found)
            assert all(row.explanation for row in found)

    def rows_follow_from_the_written_order(self, stage: Stage, expected: tuple[Row, ...]) -> None:
        names = {entry.id: entry.name for entry in self.state.entries}
        number = len(stage.shown_rounds)
        order = ranking.order(self.state, stage.number)
        again = rows.read(json.loads(json.dumps(order.as_json())))
        assert again == order
        before = ranking.order(self.state, stage.number, number - 1).ranks() if number > 1 else ()
        earlier = {entry: rank for _group, entry, rank in before}
        assert tuple(rows.rows(again, names, earlier)) == expected
        assert tuple(rows.rows(again, names, earlier, slice(1, 3))) == expected[1:3]
        assert [*order.ranks()] == [(row.group, row.entry, row.rank) for row in expected]

    @invariant()
    def ranks_in_reach_do_not_depend_on_how_they_are_counted(self) -> None:
        """Where the best of more rounds than there are count, sums are made round by round."""
        for stage in self.state.stages:
            if not stage.plan.scoring.best:
                scoring_ = replace(stage.plan.scoring, best=99)
                other = with_stage(self.state, replace(stage, plan=replace(stage.plan, scoring=scoring_)))
                assert outlook.outlook(self.state, stage.number) == outlook.outlook(other, stage.number)

    @invariant()
    def the_order_of_entries_changes_nothing(self) -> None:
        for stage in self.state.stages:
            accounts = ranking.accounts_of(self.state, stage, len(stage.shown_rounds))
            by = ranking.criteria(stage)
            entries = Chance(bytes([len(self.log) % 256])).shuffled("order", stage.entries)
            one, other = (ranking.ordered(accounts, given, by) for given in (entries, stage.entries))
            assert levels(one) == levels(other)

    @invariant()
    def points_are_what_the_lines_say(self) -> None:
        for stage in self.state.stages:
            for record in scoring.records(self.state, stage).values():
                assert record.points == sum(line.points for line in record.lines if line.counts)


AnyCompetition.TestCase.settings = settings(max_examples=30, stateful_step_count=40)
TestAnyCompetition = pytest.mark.long(AnyCompetition.TestCase)
