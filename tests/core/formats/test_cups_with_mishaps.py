"""Cups by lot in which people leave, come back, are away or change seats, and results are set or corrected.

Whatever happens at whatever moment, a cup ends with a rank for everybody and one winner, if anybody stays;
nobody who is out plays on, and its log is verified.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final

import pytest

from games.engine.refusals import Refusal
from league.core import formats, verifier
from league.core.course import next_step, too_few_present
from league.core.drawing.bracket import beside, finishing
from league.core.events import Event, apply, read, write
from league.core.standings import ranking
from league.core.state.competition import Competition, Round, Table
from league.core.state.plan import Editions, Intake, Placing, StagePlan
from league.core.verb import Given, Verb
from league.core.verbs.course import FinishCompetition
from league.core.verbs.draw import DiscardDraw, DrawRound
from league.core.verbs.entries import ExpelEntry, ReturnEntry, SubstitutePlayer, WithdrawEntry
from league.core.verbs.move_seat import MoveSeat
from league.core.verbs.presence import MarkAbsent, MarkNoShow, MarkPresent
from league.core.verbs.results import AwardWalkover, ForfeitEntry, RecordResult, ReplayGame, VoidTable
from league.core.verbs.rounds import CloseRound, PublishRound, ReopenRound, WithdrawRound
from league.core.verbs.rulings import RuledSeat, SetResult, TakeBackOutcome
from league.core.verbs.tables import ReopenTable
from tests.core import deciding as commands
from tests.core.crosstable import enter, opening, plan
from tests.core.formats.played import names, stage_of
from tests.core.ids import uid

LONGEST: Final = 500
"""The most steps of a cup; each may have a mishap before it."""
CUPS: Final = 5
"""How many are played of each kind."""
KINDS: Final = ("bracket", "losers play on", "double elimination", "heats", "edition 1", "edition 2")


def a_plan(kind: str, rng: Random) -> tuple[StagePlan, int]:
    """A stage of a kind by lot, and how many enter."""
    count = rng.randint(2, 16)
    params: dict[str, object] = {"ties": rng.choice(["seed", "seed", "play_off"])}
    if kind == "double elimination":
        params["second_final"] = rng.random() < 0.7
    else:
        params["third_place"] = rng.random() < 0.7
    if kind == "losers play on":
        params |= {"placing": rng.choice([0, 8, 16]), "consolation": rng.random() < 0.7}
    stage = plan(
        format="double_elimination" if kind == "double elimination" else "knockout",
        rounds=0,
        table_size=rng.choice([3, 4]) if kind == "heats" else 2,
        params=params,
        groups=2 if count > 7 and rng.random() < 0.2 else 1,
        intake=Intake(seeding="order"),
        editions=Editions(format=int(kind[-1]) if kind.startswith("edition") else 0),
    )
    return stage, count


# ---- What happens --------------------------------------------------------------------------------


def at_a_table(table: Table, rng: Random) -> Verb:
    """Something that an organiser decides about a table."""
    one = rng.choice(table.entries)
    return rng.choice(
        [
            MarkNoShow(table.id, one),
            ForfeitEntry(table.id, one, "Left"),
            TakeBackOutcome(table.id, one, "Came after all"),
            AwardWalkover(table.id, (one,)),
            AwardWalkover(table.id, ()),
            VoidTable(table.id, "Wrong cards"),
            ReopenTable(table.id, "Not so"),
            ReplayGame(table.id),
            *[ruling(table, rng)] * 4,
        ]
    )


def ruling(table: Table, rng: Random) -> Verb:
    seats = tuple(RuledSeat(seat, rng.randint(0, 2)) for seat in range(len(table.seats)))
    return SetResult(table.id, seats, "Wrong score")


def to_an_entry(state: Competition, rng: Random) -> Verb:
    """Something that happens to an entry."""
    entry = rng.choice(state.entries)
    return rng.choice(
        [
            *[WithdrawEntry(entry.id)] * 3,
            *[ReturnEntry(entry.id)] * 2,
            *[MarkAbsent(entry.id)] * 2,
            MarkPresent(entry.id),
            ExpelEntry(entry.id, "Cheated", annul=rng.random() < 0.5),
            SubstitutePlayer(entry.id, entry.players[0], uid(f"stand-in {state.seq}")),
        ]
    )


def with_a_round(state: Competition, rng: Random) -> Verb:
    """Something that an organiser does with the last round."""
    rounds = stage_of(state).rounds
    labels = [table.label for table in rounds[-1].tables] if rounds else []
    if labels and rng.random() < 0.5:
        label = rng.choice(labels)
        alike = [one for table in rounds[-1].tables if table.label == label for one in table.entries]
        return MoveSeat(1, len(rounds), ((alike[0], rng.choice(alike)),), "Siblings")
    verbs = DrawRound("Again"), DiscardDraw("No"), WithdrawRound("No"), ReopenRound("No"), CloseRound("Late")
    return rng.choice(verbs)


class Cup:
    """A cup in play, with its log.

    ``late``: closed rounds are corrected, too, which cups of the first editions did not stand. ``lost`` are
    the rounds and losers of tables, as they stood when one of their entries was drawn for a later round.
    """

    def __init__(self, kind: str, seed: int) -> None:
        self.rng = Random(f"{kind} {seed}")
        stage, count = a_plan(kind, self.rng)
        self.late = not kind.startswith("edition")
        self.log: list[Event] = [opening(stage, seats=(2, 3, 4, 5) if kind == "heats" else (2,))]
        self.state = self.log[0].begin()
        for name in names(count).split():
            self.say(*enter(self.state, name))
        self.say(*commands.start(self.state))
        self.lost: dict[str, tuple[int, str]] = {}

    def play(self) -> None:
        """Play the cup to its end."""
        for _ in range(LONGEST):
            if next_step(self.state) == "finish":
                self.does(FinishCompetition())
                return
            if self.rng.random() < 0.4:
                self._mishap()
            else:
                self._step()
        raise AssertionError("The cup does not end.")

    def say(self, *events: Event) -> None:
        for event in events:
            self.state = apply(self.state, event)
            self.log.append(event)

    def can(self, verb: Verb) -> bool:
        """Let the verb happen; return whether it could."""
        given = Given(uid("competition"), commands.NOW)
        if isinstance(verb, SubstitutePlayer):
            given = Given(uid("competition"), commands.NOW, players={verb.into: "Stand-in"})
        try:
            self.say(*commands.decide(self.state, verb, given))
        except Refusal:
            return False
        if isinstance(verb, DrawRound):
            self._note()
        return True

    def does(self, verb: Verb) -> None:
        assert self.can(verb), verb

    def _mishap(self) -> None:
        state = self.state
        stage = stage_of(state)
        current = [stage.current_round] if stage.current_round else []
        tables = [table for each in (stage.shown_rounds if self.late else current) for table in each.tables]
        what = self.rng.random()
        if what < 0.5 and tables:
            self.can(at_a_table(self.rng.choice(tables), self.rng))
        elif what < 0.9:
            self.can(to_an_entry(state, self.rng))
        else:
            self.can(with_a_round(state, self.rng))

    def _step(self) -> None:
        match next_step(self.state):
            case "draw":
                if too_few_present(self.state):
                    for entry in self.state.entries:
                        self.can(MarkPresent(entry.id))
                self.does(DrawRound())
            case "publish":
                drawn = stage_of(self.state).rounds[-1]
                nobody = not (drawn.tables or drawn.byes)
                self.does(DiscardDraw("Nobody would play") if nobody else PublishRound())
            case "close_round":
                self.does(CloseRound())
            case _:
                self._decide()

    def _decide(self) -> None:
        """Play a game at the first table that is not decided, or set its result where there is none."""
        current = stage_of(self.state).current_round
        assert current
        table = current.undecided[0]
        game = next((game for game in table.games if not game.over), None)
        if game is None:
            self.does(ruling(table, self.rng))
            return
        scores = [self.rng.randint(0, 2) for _ in table.seats]
        ranks = [1 + sum(other > score for other in scores) for score in scores]
        placings = tuple(map(Placing, range(len(scores)), ranks, scores))
        self.does(RecordResult(table.id, game.id, f"{len(self.log):064x}", "finished", placings))

    def _note(self) -> None:
        stage = stage_of(self.state)
        *closed, _drawn = stage.rounds
        for each in closed:
            since = {entry for later in closed[each.number :] for entry in playing(later)}
            for table in each.tables:
                if since.isdisjoint(table.entries):
                    order = finishing(self.state, stage, stage.groups[table.group - 1], [table])
                    self.lost[table.id] = each.number, order[-1]


def playing(each: Round) -> Sequence[str]:
    """Who was drawn for a round."""
    return [*each.placed_byes, *(entry for table in each.placed for entry in table.entries)]


# ---- What holds ----------------------------------------------------------------------------------


def one_winner_and_a_rank_for_everybody(cup: Cup) -> None:
    state, stage = cup.state, stage_of(cup.state)
    format_ = formats.of(stage.plan)
    reached = format_.reached(state, stage, len(stage.rounds))
    here = {entry.id for entry in state.entries if entry.status == "entered"}
    for group in stage.groups:
        assert {*group} <= reached.keys()
        shared = Counter(reached[entry].rank for entry in group)
        assert shared.keys() == {1 + sum(each < rank for each in shared.elements()) for rank in shared}
        if stage.plan.table_size == 2 and cup.late:
            best = {entry for entry in group if reached[entry].rank == 1}
            assert len(best) == 1 or not best & here
            going_on = ("Still in", "Plays for") if best & here else ("Still in",)
            told = (str(reached[entry].words) for entry in here.intersection(group))
            assert not [words for words in told if words.startswith(going_on)]
    rows = ranking.standings(state, 1)
    assert {row.entry for row in rows} == {*stage.entries}
    assert len(rows) == len(stage.entries)


def nobody_who_is_out_plays_on(cup: Cup) -> None:
    stage = stage_of(cup.state)
    if stage.plan.format == "double_elimination":
        nobody_plays_who_has_lost_twice(cup)
    elif stage.plan.table_size == 2:
        tables = [(each.number, table) for each in stage.rounds if not each.play_off for table in each.tables]
        for number, table in tables:
            later = {
                one
                for at, each in tables
                if at > number and lane(each) == lane(table)
                for one in each.entries
            }
            assert lane(table) == "places" or len(later & {*table.entries}) < 2


def lane(table: Table) -> str:
    """What a table is for: the cup, its consolation, or places."""
    if not beside(table.label):
        return "cup"
    return "consolation" if table.label.startswith("consolation") else "places"


def nobody_plays_who_has_lost_twice(cup: Cup) -> None:
    stage = stage_of(cup.state)
    for each in stage.rounds if stage.plan.params["ties"] == "seed" else ():
        lost = Counter(entry for number, entry in cup.lost.values() if number < each.number)
        assert all(lost[entry] < 2 for entry in playing(each))


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_happens_a_cup_ends_well(kind: str) -> None:
    for seed in range(CUPS):
        cup = Cup(kind, seed)
        cup.play()
        one_winner_and_a_rank_for_everybody(cup)
        nobody_who_is_out_plays_on(cup)
        assert verifier.verified(read(write(event)) for event in cup.log) == cup.state
