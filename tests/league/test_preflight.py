"""The pages of Start and Finish on the desk: what would happen, and the remedy as a button."""

import re
from html import unescape

import pytest
from django.test import Client

from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import CloseRound
from league.models import Player
from league.models.events import DrawSecret
from tests.factories import Cast
from tests.league.acting import act, enter
from tests.league.playing import PLAN, finished, in_play, opened, tables
from tests.league.test_admin_scope import logged_in
from tests.league.test_desk_verbs import ask, kinds, page_text, post
from tests.web.conftest import record_all


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


def test_an_evening_where_nobody_is_checked_in_tells_so_and_has_the_remedy_on_its_page(
    olga: Client, cast: Cast
) -> None:
    competition = opened(cast, 5, entering={"check_in": True})
    page = page_text(ask(olga, competition, "start"))
    assert "Nobody has checked in: all 5 entries would miss round 1." in page
    assert 'name="_remedy" value="check-in-all"' in page
    assert not re.search(r'type="submit">\s*Start<', page)
    assert "a table needs at least 2" in page_text(post(olga, competition, "start"))
    answer = post(olga, competition, "start", _remedy="check-in-all")
    assert answer.redirect_chain[-1][0].endswith("/do/start/")
    page = page_text(ask(olga, competition, "start"))
    assert "would miss round 1" not in page
    assert re.search(r'type="submit">\s*Start<', page)
    said = page_text(post(olga, competition, "start"))
    assert f"The competition starts. {competition.stages.get().name} begins." in said
    assert "cut-off" not in said.partition("Log")[0]
    assert kinds(competition)[-3:] == ["started", "cut_off", "stage_started"]


def test_an_online_competition_names_who_has_no_account_and_offers_to_invite_them(
    olga: Client, cast: Cast
) -> None:
    people, competition = cast.people(5), opened(cast)
    enter(cast.olga, competition, people)
    anna, ben, bot = (each for each in people if each.account_id is None)
    Player.objects.filter(pk=bot.pk).update(bot=True)
    page = page_text(ask(olga, competition, "start"))
    names = f"{anna.name} and {ben.name}"
    assert f"The games are played online, and 2 players have no account: {names}." in unescape(page)
    (link,) = re.findall(r'href="(/admin/league/invitation/many/[^"]*)"', page)
    ticked = re.findall(r'value="([^"]*)" checked', page_text(olga.get(unescape(link))))
    assert ticked == [str(anna.pk), str(ben.pk)]


def test_with_real_cards_nobody_needs_an_account(olga: Client, cast: Cast) -> None:
    competition = opened(cast, 5, ruleset="scamper-scorecard")
    assert "no account" not in page_text(ask(olga, competition, "start"))


@pytest.mark.parametrize("other", ["cancel", "check-in", "nothing"])
def test_a_page_carries_out_no_remedy_that_it_does_not_offer(olga: Client, cast: Cast, other: str) -> None:
    competition = opened(cast, 5, entering={"check_in": True})
    before = kinds(competition)
    post(olga, competition, "start", _remedy=other)
    assert kinds(competition) == before


def test_a_remedy_that_ends_the_step_leads_back_to_the_competition(olga: Client, cast: Cast) -> None:
    competition = opened(cast, 5)
    post(olga, competition, "start")
    answer = post(olga, competition, "finish", _remedy="draw")
    assert answer.redirect_chain[-1][0].endswith(f"/{competition.pk}/change/")
    assert kinds(competition)[-1] == "drawn"


def test_a_drawn_table_names_the_pairs_that_meet_again(olga: Client, cast: Cast) -> None:
    competition = in_play(cast, 2, stages=[{**PLAN, "table_size": 2, "rounds": 2}])
    record_all(competition)
    act(cast.olga, competition, CloseRound)
    act(cast.olga, competition, DrawRound)
    shown = page_text(olga.get(f"/admin/league/competition/{competition.pk}/change/"))
    one, other = competition.entries.order_by("number")
    assert re.search(rf"({one.name} and {other.name}|{other.name} and {one.name}) meet again", shown)


def test_another_secret_is_offered_only_where_the_server_has_lost_it(olga: Client, cast: Cast) -> None:
    competition = opened(cast, 5)
    page = f"/admin/league/competition/{competition.pk}/change/"
    assert "do/recommit/" not in page_text(olga.get(page))
    DrawSecret.objects.filter(competition=competition).delete()
    assert "do/recommit/" in page_text(olga.get(page))


def test_the_page_of_an_automatic_start_says_how_it_is_undone(olga: Client, cast: Cast) -> None:
    page = page_text(ask(olga, opened(cast, 4, pace="automatic"), "start"))
    assert "Round 1 is published at once" in page and "works until round 1" not in page
    assert "“Withdraw the round” works until a game has begun" in page


def test_a_finish_before_the_last_round_tells_how_many_are_played(olga: Client, cast: Cast) -> None:
    competition = opened(cast, 5)
    post(olga, competition, "start")
    assert "Rounds played:" in page_text(ask(olga, competition, "finish"))


def test_a_finished_competition_offers_to_reopen_it_before_anything_is_typed(
    olga: Client, cast: Cast
) -> None:
    competition = finished(cast, 4)
    page = page_text(ask(olga, competition, "void", f"?table={tables(competition)[0].pk}"))
    assert "The competition is finished. Reopen it first." in page
    assert f'href="/admin/league/competition/{competition.pk}/do/reopen/"' in page
    assert 'class="tf-button primary" type="submit"' not in page


def test_a_page_can_ask_whether_it_is_out_of_date(olga: Client, cast: Cast) -> None:
    competition = opened(cast, 2)
    assert olga.get(f"/admin/league/competition/{competition.pk}/seq/").json() == {"seq": competition.seq}
