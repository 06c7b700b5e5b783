"""A season with every kind of incident is restored completely from its logs alone."""

from collections.abc import Mapping
from datetime import UTC, datetime
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models import Model

from games import log as games
from games.engine.replay import Actor
from games.models import Game
from games.verifier import GOOD
from league import tasks
from league.core.verbs import ORGANISER_VERBS
from league.models import ClubGame, Competition, Entry, Table
from league.projections import ratings as rating_lists
from league.projections.standings import compute_standings
from league.services.automatic import record_result
from league.services.competitions import open_competition
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.playing import tables
from tests.league.test_projections import DERIVED, dumped, of_logs
from tests.league.test_verify import checked, exported

GROUPS = {
    "name": "Groups",
    "format": "swiss",
    "rounds": 3,
    "table_size": 2,
    "groups": 2,
    "tie_breaks": ["wins"],
}
CUP = {
    "name": "Cup",
    "format": "knockout",
    "rounds": 0,
    "table_size": 2,
    "params": {"third_place": True},
    "intake": {"source": "best", "best": 2, "carry": "1/2"},
}

BLANK: Mapping[str, object] = {
    **dict.fromkeys(("CharField", "TextField"), ""),
    **dict.fromkeys(("PositiveIntegerField", "PositiveSmallIntegerField"), 0),
    "BooleanField": False,
    "JSONField": {},
    "ArrayField": [],
    "BigIntegerField": 0,
    "DateTimeField": datetime.fromtimestamp(0, UTC),
}


class Season:
    """Eight pairs, groups and then a cup; Olga directs, and says what her desk can say."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        self.competition = open_competition(
            by=cast.olga, club=cast.club, name="Season", ruleset="tally", options={}, stages=[GROUPS, CUP],
            lineup="partners", team_size=2, entering={"check_in": True},
        )  # fmt: skip
        people = cast.people(16)
        for one, other in zip(people[::2], people[1::2], strict=True):
            self.says("enter", players=[one.pk, other.pk])
        for number in range(1, 8):
            self.says("check-in", entry=self.entry(number))
        self.says("start")

    def says(self, verb: str, **given: Any) -> None:
        act(self.cast.olga, self.competition, ORGANISER_VERBS[verb], **given)

    def entry(self, number: int) -> Any:
        return Entry.objects.get(competition=self.competition, number=number).pk

    def round(self, number: int, stage: int = 1) -> list[Table]:
        """Return the tables of a round that has just been drawn and published."""
        self.says("draw")
        self.says("publish")
        return [table for table in tables(self.competition, number) if table.round.stage.number == stage]

    def played(self, *those: Table) -> None:
        """Let the clock play out the games of tables, and record them."""
        for place in ClubGame.objects.filter(table__in=those, recorded=False).select_related("game"):
            game = place.game
            while not game.is_over:
                actor, move = Actor("clock", game.awaited[0]), {"type": "timeout"}
                game = games.append(
                    game_id=game.pk, seq=game.seq + 1, actor=actor, move=move, account=None
                ).game
            record_result(game_id=game.pk)


def first_entry(table: Table) -> Any:
    return table.seats.order_by("number")[0].entry_id


def ranks(table: Table) -> list[dict[str, int]]:
    return [{"seat": seat, "score": 10 - seat} for seat in range(table.seats.count())]


def first_round(season: Season) -> None:
    """One pair has not checked in; a table is played, one is given away."""
    played, *_, missed = season.round(1)
    season.says("no-show", table=missed.pk, entry=first_entry(missed), reason="the train")
    season.says(
        "walk-over",
        table=tables(season.competition)[1].pk,
        entries=[first_entry(tables(season.competition)[1])],
    )
    season.played(played, missed)
    season.says("close-round", void_undecided="the hall closed")


def second_round(season: Season) -> None:
    """Who was missing comes, somebody leaves, a substitute comes; results are ruled, voided and forfeited."""
    season.says("present", entry=season.entry(8))
    season.says("withdraw", entry=season.entry(7), reason="moved away")
    team = Entry.objects.get(pk=season.entry(1))
    into = PlayerFactory.create(club=season.cast.club).pk
    season.says("substitute", entry=team.pk, out=team.members.all()[0].player_id, into=into)
    first, second, *others = season.round(2)
    season.says("replay", table=first.pk, reason="a card was found on the floor")
    season.says("rule", table=second.pk, seats=ranks(second), reason="misdeal")
    season.says("forfeit", table=others[0].pk, entry=first_entry(others[0]), reason="walked out")
    season.played(first, *others)
    season.says("void", table=first.pk, reason="marked cards")
    season.says("close-round")


def third_round(season: Season) -> None:
    """Who left returns; points are given and taken; a ruling comes late."""
    season.says("return-entry", entry=season.entry(7))
    season.says("absent", entry=season.entry(2))
    season.played(*season.round(3))
    season.says("adjust", entry=season.entry(3), points="-7/3", reason="late")
    season.says("close-round")
    season.says(
        "rule",
        table=tables(season.competition, 2)[0].pk,
        seats=ranks(tables(season.competition, 2)[0]),
        reason="appeal",
    )


def cup(season: Season) -> None:
    season.says("start-stage")
    for number in (1, 2):
        season.played(*season.round(number, stage=2))
        season.says("close-round")
    season.says("finish")


@pytest.fixture
def season(cast: Cast) -> Competition:
    """Return a finished season to which everything has happened."""
    answer = Season(cast)
    for part in (first_round, second_round, third_round, cup):
        part(answer)
    compute_standings(answer.competition.pk)
    rating_lists.rebuild(cast.club.pk)
    return answer.competition


def everything() -> tuple[Mapping[str, list[str]], Mapping[str, list[str]]]:
    return of_logs(), dumped()


def nothing_left() -> None:
    """Remove every row that follows a log, and of the two that carry one all but their ids."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        emptied = [table for table in DERIVED if table not in ("league_competition", "games_game")]
        cursor.execute(f"TRUNCATE {', '.join([*emptied, 'games_seat'])}")
    blanked(Competition, "id", "club", "slug", "renamed")
    blanked(Game, "id")


def blanked(model: type[Model], *kept: str) -> None:
    """Empty every column of a table but those that nothing can tell again."""
    fields = [field for field in model._meta.concrete_fields if field.name not in kept]
    model._default_manager.update(
        **{field.name: None if field.null else BLANK[field.get_internal_type()] for field in fields}
    )


class TestASeason:
    def test_is_rebuilt_from_its_logs_to_the_byte(self, season: Competition) -> None:
        before = everything()
        assert [table for table, rows in before[1].items() if not rows] == []
        nothing_left()
        assert dumped()["league_roundstandings"] == []
        call_command("rebuild", stdout=StringIO())
        assert everything() == before

    def test_is_verified_without_the_server(self, season: Competition) -> None:
        report = checked(exported(season))
        assert (report.code, report.running, report.events_with("different")) == (GOOD, 0, [])
        assert report.games == Game.objects.count()

    def test_leaves_no_tasks_waiting(self, season: Competition) -> None:
        before = everything()
        tasks.sweep()
        assert everything() == before
