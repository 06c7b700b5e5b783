"""Any life of a competition: after each step the rows are those that a rebuilding writes."""

from collections.abc import Callable
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db.models import Q

from games import log as games
from games.engine.refusals import Refusal
from games.engine.replay import Actor
from games.models import Game
from league import log, projections, services
from league.competition import commands
from league.competition.state import Competition as State
from league.models import Competition, Entry, Player, Table
from tests.factories import Cast, PlayerFactory
from tests.league.playing import PLAN, opened
from tests.league.test_projections import dumped

FORMATS = ("rounds", "round_robin", "swiss", "knockout", "open_play", "ladder")
SECOND = ({"source": "entries", "carry": "1/2"}, {"source": "best", "best": 2}, {"source": "promotion"})
ENTERING: tuple[dict[str, Any], ...] = ({}, {"approval": True}, {"places": 4, "check_in": True})
OF_ENTRY = ("approve", "reject", "admit", "check_in", "absent", "present", "withdraw", "return_entry")
OF_TABLE = ("void", "rule", "replay", "no_show", "forfeit", "walk_over")
STEPS = 30
NEXT: dict[str, Callable[..., object]] = {
    "start": services.start,
    "start_stage": services.start_stage,
    "draw": services.draw,
    "publish": services.publish,
    "close_round": services.close_round,
    "finish": services.finish,
}


class Life:
    """A competition in the hands of chance, through the services alone; what is refused changes nothing."""

    def __init__(self, cast: Cast, format_: str) -> None:
        self.cast, self.chance = cast, Random(format_)
        size = self.chance.choice([2, 4])
        plan = {**PLAN, "format": format_, "table_size": size, "rounds": 0 if format_ == "knockout" else 2}
        final = {**PLAN, "rounds": 1, "table_size": size, "intake": self.chance.choice(SECOND)}
        entering = self.chance.choice(ENTERING)
        self.competition = opened(cast, stages=[plan, final], entering=entering)
        self.says(services.open_entries)
        for account in (cast.paul, cast.petra):
            self.says(services.enter_self, by=account)
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
        self.says(services.enter, players=[player.pk])

    def speak_for_oneself(self) -> None:
        verb = self.chance.choice(["enter", "withdraw", "check_in", "absent", "present"])
        self.says(getattr(services, f"{verb}_self"), by=self.chance.choice([self.cast.paul, self.cast.petra]))

    def see_to_an_entry(self) -> None:
        self.says(getattr(services, self.chance.choice(OF_ENTRY)), entry=self.entry().pk)

    def substitute(self) -> None:
        into: Player = PlayerFactory.create(club=self.cast.club)
        entry = self.entry()
        out = entry.members.all()[0].player_id
        self.says(services.substitute, entry=entry.pk, out=out, into=into.pk)

    # ---- Rounds and tables -----------------------------------------------------------------------

    def go_on(self) -> None:
        step = commands.next_step(self.state())
        if step in NEXT:
            self.says(NEXT[step])

    def play_one(self) -> None:
        place = self.competition.games.filter(game__status="active").order_by("game__opened_at").first()
        if place is None:
            self.go_on()
            return
        game = place.game
        while not game.is_over:
            actor = Actor("seat", game.awaited[0])
            move = {"type": "say", "number": self.chance.randint(0, 3)}
            game = games.append(game_id=game.pk, seq=game.seq + 1, actor=actor, move=move, account=None).game
        services.record_result(game_id=game.pk)

    def record_what_ended(self) -> None:
        for place in self.competition.games.filter(recorded=False):
            services.record_result(game_id=place.pk)

    def judge(self) -> None:
        table, verb = self.table(), self.chance.choice(OF_TABLE)
        if table is None:
            return
        seats = list(table.seats.order_by("number"))
        entry = self.chance.choice(seats).entry_id
        told: dict[str, Any] = {"table": table.pk, "reason": "chance"}
        if verb == "rule":
            told["seats"] = [{"seat": seat.number, "rank": seat.number + 1, "score": 0} for seat in seats]
        elif verb == "walk_over":
            told["entries"] = [entry]
        elif verb in ("no_show", "forfeit"):
            told["entry"] = entry
        self.says(getattr(services, verb), **told)

    def change_places(self) -> None:
        state = self.state()
        pair = self.entry().pk, self.entry().pk
        stage, number = len(state.stages) or 1, commands.next_round(state)
        self.says(services.move_seat, stage=stage, round=number, swaps=[pair], reason="chance")

    def meet(self) -> None:
        """Open a table where that is how it is played."""
        self.says(services.open_table, entries=[self.entry().pk, self.entry().pk])

    def decide_the_rest(self) -> None:
        """Walk over what is undecided, and close the round."""
        undecided = Table.objects.filter(
            round__stage__competition=self.competition, status__in=["playing", "abandoned"]
        )
        for table in undecided:
            self.says(
                services.walk_over, table=table.pk, entries=[table.seats.order_by("number")[0].entry_id]
            )
        self.says(services.close_round)

    def adjust(self) -> None:
        points = self.chance.choice(["1", "-1/2"])
        self.says(services.adjust, entry=self.entry().pk, points=points, reason="chance")

    def steer(self) -> None:
        match self.chance.choice(["pause", "resume", "season", "void the rest", "deadline"]):
            case "season":
                self.says(services.add_season, name="Another")
            case "void the rest":
                self.says(services.close_round, void_undecided="chance")
            case "deadline":
                self.says(services.set_deadline, deadline=datetime(2099, 1, 1, tzinfo=UTC))
            case "pause":
                self.says(services.pause)
                self.says(services.resume)
            case _:
                self.says(services.resume)


def kinds(competition: Competition) -> list[str]:
    """Return what has happened, for whoever looks why it went wrong."""
    return [entry.event["type"] for entry in log.entries(competition)]


@pytest.mark.parametrize("format_", FORMATS)
def test_any_life_leaves_the_rows_that_a_rebuilding_writes(cast: Cast, format_: str) -> None:
    life = Life(cast, format_)
    for _ in range(STEPS):
        life.step()
        projections.compute_standings(life.competition.pk)
        followed = dumped()
        projections.rebuild(life.competition.pk)
        assert dumped() == followed, kinds(life.competition)
        decided = Table.objects.filter(Q(status__in=["walkover", "void"]) | Q(ruled=True))
        assert not Game.objects.filter(status="active", place__table__in=decided).exists()
