"""Wishes for draws on the desk, and tables that an order fills."""

from uuid import uuid4

import pytest
from django.test import Client

from league import hooks, log
from league.core.state.competition import Competition as State
from league.core.verbs.draw import DrawRound
from league.core.verbs.start import StartCompetition, TakeBackStart
from league.models import Competition, Rating
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import PLAN, opened
from tests.league.test_admin_scope import logged_in
from tests.league.test_desk_verbs import ask, is_done, page, page_text, post


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
    numbers = {entry: at for at, (entry,) in enumerate(backwards)}
    other = hooks.Ordering("league", "by the league", lambda: numbers, name="Reds")
    monkeypatch.setattr(hooks, "ORDERS", [lambda _competition, _state: [other]])
    offered = ask(olga, competition, "draw").context["form"].fields["seating"].choices
    assert [key for key, _title in offered] == ["", "given.league", "given.entered"]
    assert "by the league" in ask(olga, competition, "fill-tables").content.decode()
    assert is_done(post(olga, competition, "draw", seating="given.league"))
    drawn = state_of(competition).drawn_round
    assert drawn and {*drawn.tables[0].entries} == {entry for (entry,) in backwards[:4]}
    said = "The tables are filled by another order (Reds), the best at table 1."
    assert said in page_text(page(olga, competition))
    swap = {"one": backwards[0][0], "other": backwards[4][0], "reason": "they share a car"}
    assert said in page_text(post(olga, competition, "move-seat", **swap))


def test_the_first_round_is_seated_by_the_order_that_the_stage_names_also_by_itself(cast: Cast) -> None:
    params = {"first_by": "rating"}
    competition = opened(cast, 8, stages=[{**PLAN, "format": "rounds", "params": params}])
    act(cast.olga, competition, StartCompetition)
    rate(cast, state_of(competition))
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


def rate(cast: Cast, state: State) -> None:
    """Rate all but the first four, the last best."""
    for points, entry in enumerate(state.entries[4:]):
        row = {"club": cast.club, "player_id": entry.players[0], "ruleset": "tally", "points": 1500 + points}
        Rating.objects.create(id=uuid4(), uncertainty=1, sure_points=1500 + points, games=3, **row)


def test_a_cup_is_seeded_by_the_ratings_and_by_hand_and_the_log_says_so(olga: Client, cast: Cast) -> None:
    intake = {"seeding": "rating"}
    stage = {"name": "Cup", "format": "knockout", "rounds": 0, "table_size": 2, "intake": intake}
    competition = opened(cast, 8, stages=[stage])
    ids = [entry.id for entry in state_of(competition).entries]
    rate(cast, state_of(competition))
    act(cast.olga, competition, StartCompetition)
    state = state_of(competition)
    assert state.seeds.values == (1503, 1502, 1501, 1500)
    assert state.stages[0].groups == ((*ids[:3:-1], *ids[:4]),)
    told = olga.get(f"/competitions/{competition.slug}/log/").content.decode()
    assert "The seeds are set by the ratings" in told
    act(cast.olga, competition, TakeBackStart, reason="a mistake")
    form = ask(olga, competition, "set-seed").content.decode()
    assert "those from there on move down" in form
    assert is_done(post(olga, competition, "set-seed", entry=ids[0], seed=1))
    act(cast.olga, competition, StartCompetition)
    assert state_of(competition).stages[0].groups[0][:2] == (ids[0], ids[7])


def test_seeds_by_an_order_that_there_is_not_are_refused(olga: Client, cast: Cast) -> None:
    competition = opened(cast, 8, stages=[{**PLAN, "intake": {"seeding": "order"}}])
    assert "no such order yet" in post(olga, competition, "set-seeds", by="series").content.decode()
    rate(cast, state_of(competition))
    assert is_done(post(olga, competition, "set-seeds", by="rating"))
    assert state_of(competition).seeds.by == "rating"
