"""Promotion with reasons: what the desk, the public page and the API tell about who goes where and why."""

from typing import Any

import pytest
from django.test import Client

from league import log
from league.core.verbs.adjustments import PlaceEntry
from league.core.verbs.rounds import CloseRound
from league.core.verbs.rulings import SetResult
from league.core.verbs.stages import AddSeason, StartStage
from league.models import Competition, Entry, Table
from league.projections import standings
from league.projections.standings import compute_standings
from league.queries.standings import Standing
from league.services.automatic import advance
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import in_play, stands
from tests.league.test_admin_scope import logged_in
from tests.league.test_desk_verbs import DIVISIONS, ask, is_done, kinds, offers, page_text, post
from tests.league.test_projections import dumped

PLAY_OFF = {**DIVISIONS, "line": "play_off"}


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


def ruled(cast: Cast, competition: Competition, *ranks: tuple[int, ...]) -> None:
    """Set the results of the open round's tables and close it."""
    tables = Table.objects.filter(round__stage__competition=competition, round__status="published")
    for table, of_seats in zip(tables.order_by("number"), ranks, strict=True):
        seats = [{"seat": seat, "rank": rank, "score": -rank} for seat, rank in enumerate(of_seats)]
        act(cast.olga, competition, SetResult, table=table.pk, seats=seats, reason="played")
    act(cast.olga, competition, CloseRound)
    competition.refresh_from_db()


def tied(cast: Cast, stage: dict[str, Any]) -> Competition:
    """Two divisions of four; in the second the first two are level."""
    competition = in_play(cast, 8, stages=[stage])
    ruled(cast, competition, (1, 2, 3, 4), (1, 1, 3, 4))
    act(cast.olga, competition, AddSeason, name="Spring")
    compute_standings(competition.pk)
    return competition


def rows(competition: Competition, stage: int = 1) -> list[Standing]:
    compute_standings(competition.pk)
    return stands(competition, stage)


def shown(competition: Competition, query: str = "") -> str:
    return page_text(Client().get(f"/competitions/{competition.slug}/{query}"))


def test_standings_say_where_each_entry_goes_and_why(cast: Cast) -> None:
    competition = tied(cast, DIVISIONS)
    assert [row.next_group for row in rows(competition)] == [1, 1, 1, 2, None, None, 2, 2]
    text = shown(competition)
    assert "Relegated: rank 4 of division 1." in text
    assert "on the last place: lots decide, which are drawn when the next stage starts." in text
    answer = Client().get(f"/api/v1/competitions/{competition.pk}/standings/").json()["results"]
    assert [row["next_group"] for row in answer] == [1, 1, 1, 2, None, None, 2, 2]
    assert answer[3]["next_why"] == "Relegated: rank 4 of division 1."


def test_a_started_season_keeps_the_reasons(cast: Cast) -> None:
    competition = tied(cast, DIVISIONS)
    last = rows(competition)[-1].entry
    act(cast.olga, competition, PlaceEntry, entry=last.id, group=1, reason="won <the> cup")
    act(cast.olga, competition, StartStage)
    competition.refresh_from_db()
    text = shown(competition)
    assert "Placed by the organiser in group 1: won &lt;the&gt; cup" in text
    assert "an entry among both is promoted" in text
    assert rows(competition)[-1].next_why == "Placed by the organiser in group 1: won <the> cup"
    first, second = Client().get(f"/api/v1/competitions/{competition.pk}/stages/").json()["results"]
    assert first["moves"] == []
    assert {move["why"] for move in second["moves"]} == {"stays", "relegated", "promoted", "placed"}
    (placed,) = [move for move in second["moves"] if move["why"] == "placed"]
    assert placed["entry"] == str(last.id)
    assert placed["group"] == 1
    assert placed["sentence"] == "Placed by the organiser in group 1: won <the> cup"
    followed = dumped()
    standings.rebuild(competition.pk)
    assert dumped() == followed
    log.verified(competition)


def test_a_play_off_is_drawn_played_and_told(cast: Cast, olga: Client) -> None:
    competition = tied(cast, PLAY_OFF)
    level = [row for row in rows(competition) if row.next_why.startswith("Level on the last place")]
    assert [row.next_group for row in level] == [None, None]
    refused = page_text(ask(olga, competition, "start-stage"))
    assert "A play-off decides who advances: draw it first." in refused
    assert all(row.entry.name in refused for row in level)
    asked = page_text(ask(olga, competition, "draw"))
    assert "play off for the last place; the others do not play." in asked
    for verb in ("draw", "publish"):
        assert is_done(post(olga, competition, verb))
    table = Table.objects.get(label="play-off")
    assert "Play-off" in page_text(Client().get(f"/competitions/{competition.slug}/rounds/"))
    before = {row.entry_id: row.points for row in rows(competition)}
    ruled(cast, competition, (2, 1))
    winner = table.seats.get(number=1).entry
    after = rows(competition)
    assert {row.entry_id: row.points for row in after} == before
    (promoted,) = [row for row in after if row.group == 2 and row.next_group == 1]
    assert promoted.entry_id == winner.pk
    assert promoted.next_why.endswith("Level with 1 other on the last place: the play-off decided.")
    assert is_done(post(olga, competition, "start-stage"))
    log.verified(competition)


def test_an_automatic_competition_draws_its_play_off(cast: Cast) -> None:
    final = {**DIVISIONS, "name": "Final", "groups": 1, "rounds": 1, "table_size": 2}
    stages = [PLAY_OFF, {**final, "intake": {"source": "best", "best": 1}}]
    competition = in_play(cast, 8, stages=stages, pace="automatic")
    ruled(cast, competition, (1, 2, 3, 4), (1, 1, 3, 4))
    advance(competition_id=competition.pk)
    table = Table.objects.get(label="play-off")
    assert table.status == "playing"
    ruled(cast, competition, (1, 2))
    advance(competition_id=competition.pk)
    competition.refresh_from_db()
    assert competition.stage == 2


def test_an_entry_is_placed_on_the_desk_and_taken_back(cast: Cast, olga: Client) -> None:
    competition = tied(cast, DIVISIONS)
    entry = Entry.objects.filter(competition=competition).latest("number")
    asked = page_text(ask(olga, competition, "place"))
    assert "1 is the first" in asked
    wrong = post(olga, competition, "place", entry=entry.pk, group=3, reason="won the cup")
    assert "The next stage has 2 groups." in page_text(wrong)
    assert is_done(post(olga, competition, "place", entry=entry.pk, group=1, reason="won the cup"))
    assert "won the cup" in page_text(ask(olga, competition, "start-stage"))
    assert "won the cup" in page_text(Client().get(f"/competitions/{competition.slug}/log/"))
    assert "take-back-placement" in offers(olga, competition)
    assert is_done(post(olga, competition, "take-back-placement", entry=entry.pk))
    assert "won the cup" not in page_text(ask(olga, competition, "start-stage"))
    assert kinds(competition)[-2:] == ["placed", "placement_taken_back"]


def test_the_form_of_a_season_has_the_line_and_the_sizes(cast: Cast, olga: Client) -> None:
    competition = in_play(cast, 8, stages=[DIVISIONS])
    ruled(cast, competition, (1, 2, 3, 4), (1, 2, 3, 4))
    asked = ask(olga, competition, "add-stage")
    assert "an entry among both is promoted" in page_text(asked)
    usual = {field.html_name: field.value() for field in asked.context["form"].stage}
    sent = {name: value for name, value in usual.items() if value not in (None, False, "")}
    wrong = post(olga, competition, "add-stage", **{**sent, "stages.1.intake.sizes": "4, 4"})
    assert "at most 1 size" in page_text(wrong)
    changes = {"intake.sizes": "3", "intake.fill": "keep", "line": "play_off", "line_level": "points"}
    more = {f"stages.1.{name}": value for name, value in changes.items()}
    assert is_done(post(olga, competition, "add-stage", **{**sent, **more}))
    competition.refresh_from_db()
    plan = log.latest(competition).plans[-1]
    assert (plan.intake.sizes, plan.intake.fill) == ((3,), "keep")
    assert (plan.line, plan.line_level) == ("play_off", "points")
