"""Wishes for draws on the desk, and tables that an order fills."""

import pytest
from django.test import Client

from league import hooks, log
from league.core.state.competition import Competition as State
from league.core.verbs.start import StartCompetition
from league.models import Competition
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import opened
from tests.league.test_admin_scope import logged_in
from tests.league.test_desk_verbs import ask, is_done, offers, page, post


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
    assert "fill-tables" not in offers(olga, competition)
    backwards = [(entry.id,) for entry in state_of(competition).entries][::-1]
    monkeypatch.setattr(hooks, "ORDERS", [lambda _competition, _state: tuple(backwards)])
    assert "filled by the series" in ask(olga, competition, "fill-tables").content.decode()
    assert is_done(post(olga, competition, "fill-tables", seating="given"))
    drawn = state_of(competition).drawn_round
    assert drawn and {*drawn.tables[0].entries} == {entry for (entry,) in backwards[:4]}
