"""A league of divisions over seasons: three divisions of three, two seasons, one up and one down."""

from datetime import timedelta
from typing import Any

import pytest

from games.engine.refusals import Illegal, Malformed
from league import log
from league.core.presets import PRESETS
from league.core.standings import ranking
from league.core.verbs.course import FinishCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.stages import AddSeason, StartStage
from league.core.verbs.start import StartCompetition
from league.models import Competition
from league.projections import standings
from league.projections.standings import compute_standings
from league.services.automatic import record_result
from tests.core import deciding as commands
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.playing import opened, play, stands
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
    act(cast.olga, competition, EnterPlayers, players=[player.pk])


def play_season(cast: Cast, competition: Competition) -> None:
    """Play every round of the stage that runs, the stronger always winning."""
    given: dict[str, Any] = {"by": cast.olga, "competition": competition}
    competition.refresh_from_db()
    while commands.next_step(log.latest(competition)) == "draw":
        act(verb=DrawRound, **given)
        act(verb=PublishRound, **given)
        for place in competition.games.filter(recorded=False).select_related("table"):
            assert place.table
            seats = place.table.seats.select_related("player").order_by("number")
            play(place.game, *(STRENGTH[seat.player.name] for seat in seats))
            record_result(game_id=place.pk)
        act(verb=CloseRound, **given)
        competition.refresh_from_db()
    compute_standings(competition.pk)


def divisions(competition: Competition, stage: int) -> list[str]:
    """Return each division of a season, best first, as it stands in the rows that pages read."""
    answer = [(row.group, row.entry.name) for row in stands(competition, stage)]
    return [" ".join(name for group, name in answer if group == number) for number in (1, 2, 3)]


def test_two_seasons_are_played_with_promotion_and_relegation(cast: Cast) -> None:
    competition = league(cast)
    given: dict[str, Any] = {"by": cast.olga, "competition": competition}
    act(verb=StartCompetition, **given)
    play_season(cast, competition)
    assert divisions(competition, 1) == ["Ben Ann Cem", "Finn Eva Dana", "Ivo Hana Gil"]
    act(verb=AddSeason, name="Spring", **given)
    enters(cast, competition, "Zoe")
    act(verb=StartStage, **given)
    play_season(cast, competition)
    assert divisions(competition, 2) == ["Ben Ann Finn", "Cem Eva Ivo", "Dana Hana Gil Zoe"]
    act(verb=FinishCompetition, **given)
    assert [stage.status for stage in competition.stages.all()] == ["finished"] * 2
    compute_standings(competition.pk)
    followed = dumped()
    standings.rebuild(competition.pk)
    assert dumped() == followed
    log.verified(competition)


def test_points_may_be_carried_over(cast: Cast) -> None:
    competition = league(cast)
    given: dict[str, Any] = {"by": cast.olga, "competition": competition}
    act(verb=StartCompetition, **given)
    play_season(cast, competition)
    act(verb=AddSeason, name="Spring", carry="1/2", **given)
    act(verb=StartStage, **given)
    competition.refresh_from_db()
    rows = ranking.standings(log.latest(competition), 2)
    assert [str(row.points) for row in rows][:4] == ["5/4", "5/4", "3/4", "5/4"]


@pytest.mark.parametrize("wrong", [{"name": ""}, {"carry": "half"}, {"promoted": -1}])
def test_an_invalid_season_is_malformed(cast: Cast, wrong: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        act(cast.olga, league(cast), AddSeason, **{"name": "Spring", **wrong})


def test_a_season_can_not_start_during_a_round(cast: Cast) -> None:
    competition = league(cast)
    given: dict[str, Any] = {"by": cast.olga, "competition": competition}
    for verb in (StartCompetition, DrawRound, PublishRound):
        act(verb=verb, **given)
    act(verb=AddSeason, name="Spring", **given)
    with pytest.raises(Illegal, match="still open"):
        act(verb=StartStage, **given)


def test_each_round_of_the_preset_lasts_a_week(cast: Cast) -> None:
    competition = league(cast)
    for verb in (StartCompetition, DrawRound, PublishRound):
        act(cast.olga, competition, verb)
    place = competition.games.select_related("game", "table__round").first()
    assert place and place.table and place.table.round.deadline
    hours = (place.table.round.deadline - place.game.opened_at) / timedelta(hours=1)
    assert 7 * 24 <= hours < 7 * 24 + 1
