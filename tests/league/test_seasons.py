"""A league of divisions over seasons: three divisions of three, two seasons, one up and one down."""

from datetime import timedelta
from typing import Any

import pytest

from games.engine.refusals import Illegal, Malformed
from league import log, projections, ranking, services
from league.competition import commands
from league.formats.presets import PRESETS
from league.models import Competition, Standing
from tests.factories import Cast, PlayerFactory
from tests.league.playing import opened, play
from tests.league.test_projections import dumped

NAMES = ("Ann", "Ben", "Cem", "Dana", "Eva", "Finn", "Gil", "Hana", "Ivo")
BY_STRENGTH = ("Ben", "Ann", "Cem", "Finn", "Eva", "Dana", "Ivo", "Hana", "Gil", "Zoe")
STRENGTH = {name: 90 - 10 * number for number, name in enumerate(BY_STRENGTH)}


def league(cast: Cast, **announced: Any) -> Competition:
    """Return a league of nine, entered in the order of their names, three to a division."""
    preset = PRESETS["divisions"].announced()
    competition = opened(cast, name="League", stages=preset["stages"], **announced)
    for name in NAMES:
        enters(cast, competition, name)
    return competition


def enters(cast: Cast, competition: Competition, name: str) -> None:
    player = PlayerFactory.create(club=cast.club, name=name)
    services.enter(by=cast.olga, competition=competition, players=[player.pk])


def play_season(cast: Cast, competition: Competition) -> None:
    """Play every round of the stage that runs, the stronger always winning."""
    given: dict[str, Any] = {"by": cast.olga, "competition": competition}
    competition.refresh_from_db()
    while commands.next_step(log.latest(competition)) == "draw":
        services.draw(**given)
        services.publish(**given)
        for place in competition.games.filter(recorded=False).select_related("table"):
            assert place.table
            seats = place.table.seats.select_related("player").order_by("number")
            play(place.game, *(STRENGTH[seat.player.name] for seat in seats))
            services.record_result(game_id=place.pk)
        services.close_round(**given)
        competition.refresh_from_db()
    projections.compute_standings(competition.pk)


def divisions(competition: Competition, stage: int) -> list[str]:
    """Return each division of a season, best first, as it stands in the rows that pages read."""
    rows = Standing.objects.filter(stage__competition=competition, stage__number=stage, round=None)
    told = rows.order_by("group", "rank").values_list("group", "entry__name")
    return [" ".join(name for group, name in told if group == number) for number in (1, 2, 3)]


def test_two_seasons_are_played_with_promotion_and_relegation(cast: Cast) -> None:
    competition = league(cast)
    given: dict[str, Any] = {"by": cast.olga, "competition": competition}
    services.start(**given)
    play_season(cast, competition)
    assert divisions(competition, 1) == ["Ben Ann Cem", "Finn Eva Dana", "Ivo Hana Gil"]
    services.add_season(**given, name="Spring")
    enters(cast, competition, "Zoe")
    services.start_stage(**given)
    play_season(cast, competition)
    assert divisions(competition, 2) == ["Ben Ann Finn", "Cem Eva Ivo", "Dana Hana Gil Zoe"]
    services.finish(**given)
    assert [stage.status for stage in competition.stages.all()] == ["finished"] * 2
    projections.compute_standings(competition.pk)
    followed = dumped()
    projections.rebuild(competition.pk)
    assert dumped() == followed
    log.verified(competition)


def test_points_may_be_carried_over(cast: Cast) -> None:
    competition = league(cast)
    given: dict[str, Any] = {"by": cast.olga, "competition": competition}
    services.start(**given)
    play_season(cast, competition)
    services.add_season(**given, name="Spring", carry="1/2")
    services.start_stage(**given)
    competition.refresh_from_db()
    rows = ranking.standings(log.latest(competition), 2)
    assert [str(row.points) for row in rows][:4] == ["1", "1", "1/2", "1"]


@pytest.mark.parametrize("wrong", [{"name": ""}, {"carry": "half"}, {"promoted": -1}])
def test_a_season_that_makes_no_sense_is_malformed(cast: Cast, wrong: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        services.add_season(by=cast.olga, competition=league(cast), **{"name": "Spring", **wrong})


def test_no_season_begins_in_mid_round(cast: Cast) -> None:
    competition = league(cast)
    given: dict[str, Any] = {"by": cast.olga, "competition": competition}
    for verb in (services.start, services.draw, services.publish):
        verb(**given)
    services.add_season(**given, name="Spring")
    with pytest.raises(Illegal, match="round open"):
        services.start_stage(**given)


def test_each_round_of_the_preset_lasts_a_week(cast: Cast) -> None:
    competition = league(cast)
    for verb in (services.start, services.draw, services.publish):
        verb(by=cast.olga, competition=competition)
    place = competition.games.select_related("game", "table__round").first()
    assert place and place.table and place.table.round.deadline
    hours = (place.table.round.deadline - place.game.opened_at) / timedelta(hours=1)
    assert 7 * 24 <= hours < 7 * 24 + 1
