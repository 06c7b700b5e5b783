"""Random competitions: after each step the rows are those that a rebuild writes."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from random import Random
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db.models import Q

from games import log as games
from games.engine.refusals import Refusal
from games.engine.replay import Actor
from games.models import Game
from league import log
from league.core import formats
from league.core.state.competition import Competition as State
from league.core.verb import Verb
from league.core.verbs.adjustments import AdjustPoints
from league.core.verbs.byes import RequestBye
from league.core.verbs.course import FinishCompetition, PauseCompetition, ResumeCompetition
from league.core.verbs.deadlines import SetDeadline
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import AdmitEntry, ApproveEntry, EnterPlayers, RejectEntry
from league.core.verbs.entries import CorrectName, ReturnEntry, SubstitutePlayer, WithdrawEntry
from league.core.verbs.move_seat import MoveSeat
from league.core.verbs.presence import CheckInEntry, MarkAbsent, MarkNoShow, MarkPresent
from league.core.verbs.results import AwardWalkover, ForfeitEntry, ReplayGame, VoidTable
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.rulings import SetResult
from league.core.verbs.stages import AddSeason, StartStage
from league.core.verbs.start import OpenEntries, StartCompetition
from league.core.verbs.tables import EndPostponement, OpenTable, PostponeTable
from league.models import Account, Competition, Entry, Player, Table
from league.projections import standings
from league.projections.standings import compute_standings
from league.services.automatic import record_result
from tests.core import deciding as commands
from tests.core.formats.played import CUPS
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act, act_own
from tests.league.playing import PLAN, opened
from tests.league.test_projections import dumped

SECOND = ({"source": "entries", "carry": "1/2"}, {"source": "best", "best": 2}, {"source": "promotion"})
ENTERING: tuple[dict[str, Any], ...] = ({}, {"approval": True}, {"places": 4, "check_in": True})
OF_ENTRY: list[type[Verb]] = [
    *(ApproveEntry, RejectEntry, AdmitEntry, CheckInEntry),
    *(MarkAbsent, RequestBye, MarkPresent, WithdrawEntry, ReturnEntry),
]
OF_TABLE: list[type[Verb]] = [
    *(VoidTable, SetResult, ReplayGame, MarkNoShow, ForfeitEntry, AwardWalkover),
    *(PostponeTable, EndPostponement),
]
STEPS = 30
NEXT: dict[str, type[Verb]] = {
    "start": StartCompetition,
    "start_stage": StartStage,
    "draw": DrawRound,
    "publish": PublishRound,
    "close_round": CloseRound,
    "finish": FinishCompetition,
}


class Life:
    """A competition in the hands of chance, through the services alone; what is refused changes nothing."""

    def __init__(self, cast: Cast, format_: str) -> None:
        self.cast, self.chance = cast, Random(format_)
        size = 2 if format_ == "double_elimination" else self.chance.choice([2, 4])
        plan = {**PLAN, "format": format_, "table_size": size, "rounds": 0 if format_ in CUPS else 2}
        plan["best_of"] = 3 if size == 2 else 1
        if format_ in ("rounds", "swiss"):
            plan |= {"requested_byes": 2, "requested_not_last": 0, "late_rounds": 1}
        final = {**PLAN, "rounds": 1, "table_size": size, "intake": self.chance.choice(SECOND)}
        entering = self.chance.choice(ENTERING)
        self.competition = opened(cast, stages=[plan, final], entering=entering)
        self.says(OpenEntries)
        for account in (cast.paul, cast.petra):
            self.says_own("enter", account)
        for _ in range(5):
            self.enter()

    def step(self) -> None:
        """Let one thing happen, going on being the likeliest."""
        usual = [self.go_on] * 4 + [self.play_one] * 3 + [self.judge] * 2
        rare = [
            *(self.enter, self.speak_for_oneself, self.see_to_an_entry, self.substitute, self.meet),
            *(self.change_places, self.adjust, self.steer, self.decide_the_rest, self.record_what_ended),
        ]
        self.chance.choice(usual + rare)()

    def says(self, verb: type[Verb], **fields: Any) -> None:
        """Carry out an organiser's verb; a refusal leaves the log where it was."""
        self.tries(partial(act, self.cast.olga, self.competition, verb, **fields))

    def says_own(self, key: str, by: Account) -> None:
        self.tries(partial(act_own, by, self.competition, key))

    def tries(self, call: Callable[[], object]) -> None:
        before = self.read().seq
        try:
            call()
        except (Refusal, PermissionDenied):
            assert self.read().seq == before

    def read(self) -> Competition:
        self.competition.refresh_from_db()
        return self.competition

    def state(self) -> State:
        return log.latest(self.read())

    def entry(self) -> Entry:
        """Return any entry."""
        return self.chance.choice(list(Entry.objects.filter(competition=self.competition).order_by("number")))

    def table(self) -> Table | None:
        """Return a table of a published round, as a rule one that is undecided."""
        shown = Table.objects.filter(round__stage__competition=self.competition).exclude(status="drawn")
        undecided = shown.filter(status__in=["playing", "abandoned"])
        found = list((undecided if self.chance.random() < 0.7 else shown).order_by("pk"))
        return self.chance.choice(found) if found else None

    # ---- Entries ---------------------------------------------------------------------------------

    def enter(self) -> None:
        player = PlayerFactory.create(club=self.cast.club)
        self.says(EnterPlayers, players=[player.pk])

    def speak_for_oneself(self) -> None:
        key = self.chance.choice(["enter", "withdraw", "check-in", "absent", "present"])
        self.says_own(key, self.chance.choice([self.cast.paul, self.cast.petra]))

    def see_to_an_entry(self) -> None:
        self.says(self.chance.choice(OF_ENTRY), entry=self.entry().pk)

    def substitute(self) -> None:
        into: Player = PlayerFactory.create(club=self.cast.club)
        entry = self.entry()
        out = entry.members.all()[0].player_id
        self.says(SubstitutePlayer, entry=entry.pk, out=out, into=into.pk)

    # ---- Rounds and tables -----------------------------------------------------------------------

    def go_on(self) -> None:
        step = commands.next_step(self.state())
        if step in NEXT:
            self.says(NEXT[step])

    def play_one(self) -> None:
        active = self.competition.games.filter(game__status="active")
        place = active.order_by("game__opened_at", "table__number").first()
        if place is None:
            self.go_on()
            return
        game = place.game
        while not game.is_over:
            actor = Actor("seat", game.awaited[0])
            move = {"type": "say", "number": self.chance.randint(0, 3)}
            game = games.append(game_id=game.pk, seq=game.seq + 1, actor=actor, move=move, account=None).game
        record_result(game_id=game.pk)

    def record_what_ended(self) -> None:
        ended = self.competition.games.filter(recorded=False)
        for place in ended.order_by("game__opened_at", "table__number"):
            record_result(game_id=place.pk)

    def judge(self) -> None:
        table, verb = self.table(), self.chance.choice(OF_TABLE)
        if table is None:
            return
        seats = list(table.seats.order_by("number"))
        entry = self.chance.choice(seats).entry_id
        answer: dict[str, Any] = {"table": table.pk, "reason": "chance"}
        if verb is SetResult:
            answer["seats"] = [{"seat": seat.number, "rank": seat.number + 1, "score": 0} for seat in seats]
        elif verb is AwardWalkover:
            answer["entries"] = [entry]
        elif verb in (MarkNoShow, ForfeitEntry):
            answer["entry"] = entry
        self.says(verb, **answer)

    def change_places(self) -> None:
        state = self.state()
        pair = self.entry().pk, self.entry().pk
        stage, number = len(state.stages) or 1, state.next_round
        self.says(MoveSeat, stage=stage, round=number, swaps=[pair], reason="chance")

    def meet(self) -> None:
        """Open a table where that is how it is played."""
        self.says(OpenTable, entries=[self.entry().pk, self.entry().pk])

    def decide_the_rest(self) -> None:
        """Walk over what is undecided, and close the round."""
        undecided = Table.objects.filter(
            round__stage__competition=self.competition, status__in=["playing", "postponed", "abandoned"]
        )
        for table in undecided:
            self.says(AwardWalkover, table=table.pk, entries=[table.seats.order_by("number")[0].entry_id])
        self.says(CloseRound)

    def adjust(self) -> None:
        points = self.chance.choice(["1", "-1/2"])
        self.says(AdjustPoints, entry=self.entry().pk, points=points, reason="chance")

    def steer(self) -> None:
        match self.chance.choice(["pause", "resume", "season", "void the rest", "deadline", "name"]):
            case "season":
                self.says(AddSeason, name="Another")
            case "void the rest":
                self.says(CloseRound, void_undecided="chance")
            case "deadline":
                self.says(SetDeadline, deadline=datetime(2099, 1, 1, tzinfo=UTC))
            case "name":
                self.says(CorrectName, entry=self.entry().pk, name=f"Name {self.chance.randrange(9)}")
            case "pause":
                self.says(PauseCompetition)
                self.says(ResumeCompetition)
            case _:
                self.says(ResumeCompetition)


def kinds(competition: Competition) -> list[str]:
    """Return what has happened, for whoever looks why it went wrong."""
    return [entry.event["type"] for entry in log.entries(competition)]


@pytest.mark.parametrize("format_", formats.BY_KEY)
def test_random_events_leave_the_rows_that_a_rebuild_writes(cast: Cast, format_: str) -> None:
    life = Life(cast, format_)
    for _ in range(STEPS):
        life.step()
        compute_standings(life.competition.pk)
        followed = dumped()
        standings.rebuild(life.competition.pk)
        assert dumped() == followed, kinds(life.competition)
        decided = Table.objects.filter(Q(status__in=["walkover", "void"]) | Q(ruled=True))
        assert not Game.objects.filter(status="active", club_game__table__in=decided).exists()
