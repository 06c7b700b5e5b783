"""A format says all about itself: a double elimination is played, shown and printed as any."""

import pytest
from django.test import Client

from league.core.verbs.course import FinishCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Competition
from league.projections.standings import compute_standings
from league.queries.competitions import state_of, step_now
from league.queries.standings import standings_of
from league.services.automatic import record_result
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import opened, play_all
from tests.league.test_admin_scope import logged_in
from tests.league.walking import text_of

PLAN = {"name": "Cup", "format": "double_elimination", "rounds": 0, "table_size": 2}


@pytest.fixture
def cup(cast: Cast) -> Competition:
    """A competition of five that ended when four had lost twice."""
    competition = opened(cast, 5, stages=[PLAN])
    act(cast.olga, competition, StartCompetition)
    competition.refresh_from_db()
    number = 0
    while step_now(state_of(competition)) == "draw":
        number += 1
        act(cast.olga, competition, DrawRound)
        act(cast.olga, competition, PublishRound)
        for game in play_all(competition, number):
            record_result(game_id=game)
        act(cast.olga, competition, CloseRound)
        competition.refresh_from_db()
    act(cast.olga, competition, FinishCompetition)
    compute_standings(competition.pk)
    competition.refresh_from_db()
    return competition


def test_it_is_played_until_one_is_left(cup: Competition) -> None:
    first, second, *others = standings_of(cup.stages.get())
    assert (first.rank, str(first.explanation).split(",")[0]) == (1, "Won the final")
    assert second.rank == 2
    assert len(others) == 3


def test_its_brackets_are_on_the_page_of_pictures_and_in_print(client: Client, cup: Competition) -> None:
    shown = client.get(f"/competitions/{cup.slug}/charts/").content.decode()
    printed = text_of(client.get(f"/competitions/{cup.slug}/print/bracket.pdf"))
    for half in ("Upper bracket", "Lower bracket"):
        assert f"Bracket: {half}" in shown
        assert half in printed


def test_the_desk_offers_its_print(cast: Cast, cup: Competition) -> None:
    page = logged_in(cast.olga).get(f"/admin/league/competition/{cup.pk}/change/").content.decode()
    assert "/print/bracket.pdf" in page


def test_the_form_of_a_stage_says_that_it_needs_no_number_of_rounds(cast: Cast) -> None:
    form = logged_in(cast.olga).get(
        "/admin/league/competition/add/?ruleset=tally&plan=only-double_elimination"
    )
    page = form.content.decode()
    assert '<option value="double_elimination" selected>' in page
    assert "Double elimination: as many as needed" in page
