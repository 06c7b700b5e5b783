"""An organiser chooses at what tables a round is drawn."""

import pytest
from django.test import Client

from league.core.verbs.draw import DrawRound
from league.core.verbs.start import StartCompetition
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import PLAN, opened
from tests.league.test_admin_scope import logged_in
from tests.league.test_desk_verbs import ask, is_done, page, post
from tests.league.test_wished_draws import state_of


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


def now(competition: object) -> list[int]:
    drawn = state_of(competition).drawn_round  # type: ignore[arg-type]
    assert drawn
    return sorted((len(table.entries) for table in drawn.tables), reverse=True)


def test_sizes_are_chosen_among_proposals_or_typed(olga: Client, cast: Cast) -> None:
    competition = opened(cast, 11, stages=[{**PLAN, "format": "swiss"}])
    act(cast.olga, competition, StartCompetition)
    parts = page(olga, competition).context["parts"]
    assert "draw-sizes" in {each.key for _, _, rare in parts for each in rare}
    form = ask(olga, competition, "draw-sizes").content.decode()
    assert "as planned, 3 tables: 2 × 4 and 1 × 3" in form
    offered = ask(olga, competition, "draw-sizes").context["form"].fields["tables-1"].choices
    assert ("5,4,2" not in dict(offered)) and dict(offered)["3,2,2,2,2"] == "5 tables: 1 × 3 and 4 × 2"
    assert is_done(post(olga, competition, "draw-sizes", **{"tables-1": "3,2,2,2,2"}))
    assert now(competition) == [3, 2, 2, 2, 2]
    again = ask(olga, competition, "redraw").context["form"].fields["tables-1"]
    assert again.initial == "3,2,2,2,2"
    answer = post(olga, competition, "redraw", reason="more room", **{"tables-1": "", "own-1": "4 4 9"})
    assert "These tables have 17 seats, and 11 entries play" in answer.content.decode()
    answer = post(olga, competition, "redraw", reason="more room", **{"own-1": "4, x"})
    assert "Write the size of each table" in answer.content.decode()
    assert is_done(post(olga, competition, "redraw", reason="more room", **{"own-1": "3, 4, 4"}))
    assert now(competition) == [4, 4, 3]
    assert state_of(competition).drawn_round.origins[-1].cut_off.sizes == ()  # type: ignore[union-attr]


def test_groups_have_sizes_of_their_own(olga: Client, cast: Cast) -> None:
    competition = opened(cast, 12, stages=[{**PLAN, "format": "swiss", "groups": 2}])
    act(cast.olga, competition, StartCompetition)
    fields = ask(olga, competition, "draw-sizes").context["form"].fields
    assert [*fields] == ["tables-1", "own-1", "tables-2", "own-2"]
    assert is_done(post(olga, competition, "draw-sizes", **{"tables-2": "2,2,2"}))
    assert now(competition) == [3, 3, 2, 2, 2]


def test_a_schedule_has_no_sizes_to_choose(olga: Client, cast: Cast) -> None:
    competition = opened(cast, 8, stages=[{**PLAN, "format": "round_robin"}])
    act(cast.olga, competition, StartCompetition)
    parts = page(olga, competition).context["parts"]
    assert not any(each.key == "draw-sizes" for _, _, rare in parts for each in rare)
    act(cast.olga, competition, DrawRound)
    assert [*ask(olga, competition, "redraw").context["form"].fields] == ["reason"]
