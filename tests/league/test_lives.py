"""Any life of a competition: after each step the rows are those that a rebuilding writes."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import transaction
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from games import log as games
from games.engine.refusals import Refusal
from games.engine.replay import Actor
from games.models import Game
from league import log, projections, services
from league.competition import commands
from league.competition.state import Competition as State
from league.models import Competition, Entry, Player, Table
from tests import factories
from tests.factories import Cast, PlayerFactory
from tests.league.playing import PLAN
from tests.league.test_projections import dumped

SEATS = st.integers(0, 3)
CHOICE = st.integers(0, 999)
FORMATS = ("rounds", "round_robin", "swiss", "knockout", "open_play", "ladder")
SECOND = ({"source": "entries", "carry": "1/2"}, {"source": "best", "best": 2}, {"source": "promotion"})
OF_ENTRY = ("approve", "reject", "admit", "check_in", "absent", "present", "withdraw", "return_entry")
OF_TABLE = ("void", "rule", "replay", "no_show", "forfeit", "walk_over")
NEXT: dict[str, Callable[..., object]] = {
    "start": services.start,
    "start_stage": services.start_stage,
    "draw": services.draw,
    "publish": services.publish,
    "close_round": services.close_round,
    "finish": services.finish,
}


class AnyLife(RuleBasedStateMachine):
    """A competition in the hands of chance, through the services alone; what is refused changes nothing."""

    cast: Cast
    competition: Competition

    def __init__(self) -> None:
        super().__init__()
        # A life leaves nothing behind for the next.
        self.transaction = transaction.atomic()
        self.transaction.__enter__()

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.transaction.__exit__(None, None, None)

    @initialize(
        format_=st.sampled_from(FORMATS),
        size=st.sampled_from([2, 4]),
        second=st.sampled_from([None, *SECOND]),
        entering=st.sampled_from([{}, {"approval": True}, {"places": 4, "check_in": True}]),
        players=st.integers(3, 6),
        steps=st.sampled_from([0, 3, 3, 3, 4]),
    )
    def open(self, format_: str, size: int, second: Any, entering: Any, players: int, steps: int) -> None:
        self.cast = factories.cast()
        plan = {**PLAN, "format": format_, "table_size": size, "rounds": 0 if format_ == "knockout" else 2}
        stages = [plan, {**PLAN, "rounds": 1, "table_size": size, "intake": second}] if second else [plan]
        self.competition = services.open_competition(
            by=self.cast.olga,
            club=self.cast.club,
            name="Any",
            ruleset="tally",
            options={},
            stages=stages,
            entering=entering,
        )
        self.says(services.open_entries)
        for account in (self.cast.paul, self.cast.petra):
            self.says(services.enter_self, by=account)
        for _ in range(players):
            self.enter()
        for _ in range(steps):
            self.go_on()

    def says(self, service: Callable[..., Any], by: Any = None, **told: Any) -> None:
        """Call a service; a refusal leaves the log where it was."""
        before = self.read().seq
        try:
            service(by=by or self.cast.olga, competition=self.competition, **told)
        except (Refusal, PermissionDenied):
            assert self.read().seq == before

    def read(self) -> Competition:
        self.competition.refresh_from_db()
        return self.competition

    def state(self) -> State:
        return log.latest(self.read())

    def some(self, model: Any, choice: int, **where: Any) -> Any:
        """Return one of the competition's rows, None where there is none."""
        found = list(model.objects.filter(**where).order_by("pk"))
        return found[choice % len(found)] if found else None

    def entry(self, choice: int) -> Entry:
        found: Entry = self.some(Entry, choice, competition=self.competition)
        return found

    def table(self, choice: int) -> Table | None:
        """Return a table, as a rule one that is undecided."""
        where = {"round__stage__competition": self.competition, "round__status": "published"}
        undecided = {"status__in": ["playing", "abandoned"]} if choice % 4 else {}
        found: Table | None = self.some(Table, choice, **where, **undecided)
        return found

    # ---- Entries ---------------------------------------------------------------------------------

    @rule()
    def enter(self) -> None:
        player = PlayerFactory.create(club=self.cast.club)
        self.says(services.enter, players=[player.pk])

    @rule(
        who=st.sampled_from(["paul", "petra"]),
        verb=st.sampled_from(["enter", "withdraw", "check_in", "absent"]),
    )
    def speak_for_oneself(self, who: str, verb: str) -> None:
        self.says(getattr(services, f"{verb}_self"), by=getattr(self.cast, who))

    @rule(choice=CHOICE, verb=st.sampled_from(OF_ENTRY))
    def see_to_an_entry(self, choice: int, verb: str) -> None:
        self.says(getattr(services, verb), entry=self.entry(choice).pk)

    @rule(choice=CHOICE)
    def substitute(self, choice: int) -> None:
        into: Player = PlayerFactory.create(club=self.cast.club)
        entry = self.entry(choice)
        out = entry.members.all()[0].player_id
        self.says(services.substitute, entry=entry.pk, out=out, into=into.pk)

    # ---- Rounds and tables -----------------------------------------------------------------------

    @rule()
    def go_on(self) -> None:
        step = commands.next_step(self.state())
        if step in NEXT:
            self.says(NEXT[step])

    @rule()
    def go_through_a_round(self) -> None:
        for _ in range(3):
            self.go_on()
        self.play_all(numbers=[1, 2, 3, 4, 5])
        self.go_on()

    @rule(numbers=st.lists(st.integers(0, 3), min_size=5, max_size=5))
    def play_all(self, numbers: list[int]) -> None:
        for place in self.competition.games.filter(game__status="active"):
            self.finish(place.game, numbers)

    @rule(choice=CHOICE, numbers=st.lists(st.integers(0, 3), min_size=5, max_size=5))
    def play_one(self, choice: int, numbers: list[int]) -> None:
        game = self.some(Game, choice, place__competition=self.competition, status="active")
        if game:
            self.finish(game, numbers)

    def finish(self, game: Game, numbers: list[int]) -> None:
        while not game.is_over:
            seat = game.awaited[0]
            move = {"type": "say", "number": numbers[seat % 5]}
            actor = Actor("seat", seat)
            game = games.append(game_id=game.pk, seq=game.seq + 1, actor=actor, move=move, account=None).game
        services.record_result(game_id=game.pk)

    @rule()
    def record_what_ended(self) -> None:
        for place in self.competition.games.filter(recorded=False):
            services.record_result(game_id=place.pk)

    @rule(choice=CHOICE, verb=st.sampled_from(OF_TABLE), at=SEATS)
    def judge(self, choice: int, verb: str, at: int) -> None:
        table = self.table(choice)
        if table is None:
            return
        seats = list(table.seats.order_by("number"))
        entry = seats[at % len(seats)].entry_id
        told: dict[str, Any] = {"table": table.pk, "reason": "chance"}
        if verb == "rule":
            told["seats"] = [{"seat": seat.number, "rank": seat.number + 1, "score": 0} for seat in seats]
        elif verb == "walk_over":
            told["entries"] = [entry]
        elif verb in ("no_show", "forfeit"):
            told["entry"] = entry
        self.says(getattr(services, verb), **told)

    @rule(one=CHOICE, other=CHOICE)
    def change_places(self, one: int, other: int) -> None:
        """Draw where that is due, and let two change places."""
        if commands.next_step(self.state()) == "draw":
            self.go_on()
        state = self.state()
        pair = self.entry(one).pk, self.entry(other).pk
        round_ = commands.next_round(state)
        stage = len(state.stages) or 1
        self.says(services.move_seat, stage=stage, round=round_, swaps=[pair], reason="chance")

    @rule(one=CHOICE, apart=st.integers(1, 3))
    def meet(self, one: int, apart: int) -> None:
        """Open a table where that is how it is played."""
        pair = self.entry(one).pk, self.entry(one + apart).pk
        self.says(services.open_table, entries=pair)

    @rule()
    def decide_the_rest(self) -> None:
        """Walk over what is undecided, and close the round."""
        where = {"round__stage__competition": self.competition, "status__in": ["playing", "abandoned"]}
        for table in Table.objects.filter(**where):
            seat = table.seats.order_by("number")[0]
            self.says(services.walk_over, table=table.pk, entries=[seat.entry_id])
        self.says(services.close_round)

    @rule(choice=CHOICE, points=st.sampled_from(["1", "-1/2"]))
    def adjust(self, choice: int, points: str) -> None:
        self.says(services.adjust, entry=self.entry(choice).pk, points=points, reason="chance")

    @rule(verb=st.sampled_from(["pause", "resume", "season", "void the rest", "no deadline"]))
    def steer(self, verb: str) -> None:
        match verb:
            case "season":
                self.says(services.add_season, name="Another")
            case "void the rest":
                self.says(services.close_round, void_undecided="chance")
            case "no deadline":
                self.says(services.set_deadline, deadline=None)
            case _:
                self.says(getattr(services, verb))

    # ---- What holds after each step --------------------------------------------------------------

    @invariant()
    def rows_are_those_that_a_rebuilding_writes(self) -> None:
        projections.compute_standings(self.competition.pk)
        followed = dumped()
        projections.rebuild(self.competition.pk)
        assert dumped() == followed

    @invariant()
    def nobody_plays_on_at_a_table_that_is_decided(self) -> None:
        decided = Table.objects.filter(status__in=["walkover", "void"])
        assert not Game.objects.filter(status="active", place__table__in=decided).exists()
        ruled = Table.objects.filter(ruled=True)
        assert not Game.objects.filter(status="active", place__table__in=ruled).exists()


@pytest.mark.django_db
def test_any_life_leaves_the_rows_that_a_rebuilding_writes() -> None:
    run_state_machine_as_test(
        AnyLife, settings=settings(max_examples=5, stateful_step_count=16, deadline=None)
    )
