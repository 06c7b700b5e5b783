"""Wishes for draws on the desk, and tables that an order fills."""

from uuid import uuid4

import pytest
from django.test import Client

from league import hooks, log
from league.core.state.competition import Competition as State
from league.core.verbs.draw import DrawRound
from league.core.verbs.start import StartCompetition
from league.models import Competition, Rating
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import PLAN, opened
from tests.league.test_admin_scope import logged_in
from tests.league.test_desk_verbs import ask, is_done, page, post


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


def state_of(competition: Competition) -> State:
    return log.latest(Competition.objects.get(pk=competition.pk))


def test_wishes_are_set_folded_on_the_desk_and_told_before_the_draw(olga: Client, cast: Cast) -> None:
    competition = opened(cast, 9)
    one, other, *_ = (entry.id for entry in state_of(competition).entries)
    form = ask(olga, competition, "set-wish").content.decode()
    assert "nobody can read why" in form
    assert is_done(post(olga, competition, "set-wish", entries=[one, other], wish="apart", always="on"))
    assert is_done(post(olga, competition, "fix-table", entry=one, table=2))
    told = ask(olga, competition, "start").content.decode()
    assert "Everybody will be able to read in the log" in told
    (_, _, rare), *_ = page(olga, competition).context["parts"]
    assert {each.key for each in rare} >= {"set-wish", "fix-table"}


def test_an_order_of_an_app_fills_the_tables_of_the_first_round(
    olga: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    competition = opened(cast, 8)
    act(cast.olga, competition, StartCompetition)
    assert "seating" not in ask(olga, competition, "draw").context["form"].fields
    backwards = [(entry.id,) for entry in state_of(competition).entries][::-1]
    other = hooks.Ordering("league", "by the league", lambda: tuple(backwards))
    monkeypatch.setattr(hooks, "ORDERS", [lambda _competition, _state: [other]])
    offered = ask(olga, competition, "draw").context["form"].fields["seating"].choices
    assert [key for key, _title in offered] == ["", "given.league", "given.entered"]
    assert "by the league" in ask(olga, competition, "fill-tables").content.decode()
    assert is_done(post(olga, competition, "draw", seating="given.league"))
    drawn = state_of(competition).drawn_round
    assert drawn and {*drawn.tables[0].entries} == {entry for (entry,) in backwards[:4]}


def test_the_first_round_is_seated_by_the_order_that_the_stage_names_also_by_itself(cast: Cast) -> None:
    params = {"first_by": "rating"}
    competition = opened(cast, 8, stages=[{**PLAN, "format": "rounds", "params": params}])
    act(cast.olga, competition, StartCompetition)
    players = [entry.players[0] for entry in state_of(competition).entries]
    for points, player in enumerate(players[4:]):
        row = {"club": cast.club, "player_id": player, "ruleset": "tally", "points": 1500 + points}
        Rating.objects.create(id=uuid4(), uncertainty=1, sure_points=1500 + points, games=3, **row)
    act(cast.olga, competition, DrawRound)
    drawn = state_of(competition).drawn_round
    assert drawn and drawn.origins[-1].cut_off.seating == "given"
    assert {*drawn.tables[0].entries} == {entry.id for entry in state_of(competition).entries[4:]}


def test_lots_are_drawn_where_there_is_no_such_order_yet(cast: Cast) -> None:
    params = {"first_by": "evening"}
    competition = opened(cast, 8, stages=[{**PLAN, "format": "rounds", "params": params}])
    act(cast.olga, competition, StartCompetition)
    act(cast.olga, competition, DrawRound)
    drawn = state_of(competition).drawn_round
    assert drawn and drawn.origins[-1].cut_off.seating == ""
