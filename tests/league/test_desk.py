"""The desk's first page: what needs attention, what is running, and the latest events."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from games import log as games
from games.engine.replay import Actor
from league.admin import needs
from league.admin.needs import needs_of
from league.core.verbs.course import CancelCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import OpenEntries, StartCompetition
from league.core.verbs.tables import OpenTable
from league.models import Account, Club, Competition, Member, Player, TableSeat
from league.projections import standings
from league.queries.verbs import own_part
from league.services.automatic import record_result
from league.services.competitions import open_competition
from league.words import competitions
from tests import factories
from tests.factories import Cast
from tests.league.acting import act, act_own
from tests.league.playing import PLAN, in_play, opened, play_all
from tests.league.test_admin_scope import logged_in
from tests.league.test_deadlines import OPEN, later, with_hours


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


def page_text(answer: Any) -> str:
    return str(answer.content.decode())


def texts(club: Club) -> list[str]:
    return [str(need.text) for need in needs_of(Club.objects.filter(pk=club.pk))]


class TestFirstPage:
    def test_says_what_each_competition_waits_for(self, olga: Client, cast: Cast) -> None:
        opened(cast, name="Summer")
        opened(cast, 4, name="Spring")
        in_play(cast, name="Autumn")
        page = page_text(olga.get("/admin/"))
        assert "Nobody has entered yet." in page
        assert "Enter all players, then start." in page
        assert "Games are being played." in page

    def test_says_how_many_have_entered_where_that_is_too_few(self, olga: Client, cast: Cast) -> None:
        opened(cast, 1)
        page = page_text(olga.get("/admin/"))
        assert "There is only one entry yet." in page and "Nobody has entered yet." not in page

    def test_links_a_new_club_to_its_first_steps(self, olga: Client) -> None:
        page = page_text(olga.get("/admin/"))
        assert "/admin/league/player/add/" in page
        assert "/admin/league/competition/add/" in page

    def test_redirects_anonymous_users_to_the_login_form(self, client: Client, db: None) -> None:
        assert client.get("/admin/", follow=True).redirect_chain[-1][0] == "/account/login/?next=/admin/"

    def test_shows_times_in_the_zone_of_the_club(self, olga: Client, cast: Cast) -> None:
        Club.objects.filter(pk=cast.club.pk).update(timezone="Pacific/Auckland")
        cast.club.refresh_from_db()
        competition = opened(cast)
        page = page_text(olga.get("/admin/league/event/"))
        assert f"{competition.opened_at.astimezone(cast.club.zone):%H:%M}" in page

    def test_can_show_one_of_several_clubs(self, cast: Cast) -> None:
        second = factories.ClubFactory.create(name="Hillside", slug="hillside")
        factories.MemberFactory.create(club=second, account=cast.olga, role=Member.Role.OWNER)
        opened(cast, name="Spring")
        open_competition(by=cast.olga, club=second, name="Uphill", ruleset="tally", options={}, stages=STAGES)
        page = page_text(logged_in(cast.olga).get("/admin/?club=hillside"))
        assert "Uphill" in page
        assert "Spring" not in page

    def test_shows_competitions_that_wait_for_their_organiser_first(
        self, olga: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        close(in_play(cast, name="Decided"))
        for name in ("Playing", "Playing too"):
            in_play(cast, name=name)
        monkeypatch.setattr("league.admin.site.COMPETITIONS_SHOWN", 2)
        page = olga.get("/admin/")
        names = [each.competition.name for each in page.context["competitions"]]
        assert names == ["Decided", "Playing too"]
        assert "More competitions" in page_text(page)

    def test_shows_nothing_of_other_clubs(self, cast: Cast) -> None:
        opened(cast, name="Spring")
        page = page_text(logged_in(cast.nora).get(f"/admin/?club={cast.club.slug}"))
        assert "Spring" not in page
        assert "Harbour Cards" not in page

    def test_shows_no_tasks_to_a_superuser_without_a_club(self, cast: Cast) -> None:
        competition = in_play(cast)
        close(competition)
        page = logged_in(Account.objects.create_superuser("root")).get("/admin/")
        assert page.context["needs"] == []
        assert "Autumn" in page_text(page)


STAGES = [{"name": "League", "format": "rounds", "rounds": 1, "table_size": 4}]


def close(competition: Competition) -> None:
    for game in play_all(competition):
        record_result(game_id=game)


def abandon(competition: Competition) -> None:
    game = competition.games.all()[0].game
    move = {"type": "abandon", "reason": "fire alarm"}
    games.append(game_id=game.pk, seq=2, actor=Actor("arbiter"), move=move, account=None)
    record_result(game_id=game.pk)


class TestNeeds:
    def test_there_are_none_while_games_are_played(self, cast: Cast) -> None:
        in_play(cast)
        assert texts(cast.club) == []

    def test_applications_are_counted(self, cast: Cast) -> None:
        competition = opened(cast, entering={"approval": True})
        act(cast.olga, competition, OpenEntries)
        for account in (cast.paul, cast.petra):
            act_own(account, competition, "enter")
        assert texts(cast.club) == ["2 entries wait for approval."]

    def test_a_draw_waits_for_review(self, cast: Cast) -> None:
        competition = opened(cast, 4)
        act(cast.olga, competition, StartCompetition)
        act(cast.olga, competition, DrawRound)
        assert texts(cast.club) == ["Review and publish the draw."]

    def test_nothing_is_drawn_for_a_ladder(self, cast: Cast) -> None:
        competition = opened(cast, 4, stages=[{**PLAN, "format": "ladder", "rounds": 1}])
        desk, olga = f"/admin/league/competition/{competition.pk}/change/", logged_in(cast.olga)
        act(cast.olga, competition, StartCompetition)
        assert texts(cast.club) == ["The round can be prepared and published."]
        page = olga.get(desk).content.decode()
        assert "Prepare the round" in page and "Draw the round" not in page
        act(cast.olga, competition, DrawRound)
        assert texts(cast.club) == ["Publish the round: then its tables are opened."]
        page = olga.get(desk).content.decode()
        assert "Draw again" not in page and "is drawn" not in page

    def test_a_decided_round_waits_to_be_closed(self, cast: Cast) -> None:
        close(in_play(cast))
        assert texts(cast.club) == ["All tables are decided. The round can be closed."]

    def test_an_abandoned_table_waits_for_a_result_while_others_play(self, cast: Cast) -> None:
        abandon(in_play(cast))
        (text,) = texts(cast.club)
        assert "the game was abandoned" in text

    def test_an_automatic_competition_needs_attention_only_if_it_is_stuck(self, cast: Cast) -> None:
        competition = opened(cast, 4, pace="automatic")
        act(cast.olga, competition, StartCompetition)
        assert texts(cast.club) == []
        with time_machine.travel(timezone.now() + timedelta(minutes=3)):
            (text,) = texts(cast.club)
        assert "should have happened automatically" in text

    def test_a_table_past_its_deadline_shows_who_must_move(self, cast: Cast) -> None:
        competition = opened(cast, 4)
        for verb in (StartCompetition, DrawRound):
            act(cast.olga, competition, verb)
        due = timezone.now() + timedelta(days=2)
        act(cast.olga, competition, PublishRound, deadline=due)
        assert texts(cast.club) == []
        with time_machine.travel(due + timedelta(minutes=1)):
            (text,) = texts(cast.club)
        first = TableSeat.objects.get(table__round__stage__competition=competition, number=0)
        assert text == f"Round 1, table 1 is late; waiting for {first.player.name}."

    def test_no_table_is_offered_to_be_opened_past_the_deadline(self, cast: Cast) -> None:
        competition, olga = with_hours(cast, 4, stages=[OPEN]), logged_in(cast.olga)
        desk = f"/admin/league/competition/{competition.pk}/change/"
        pair = tuple(str(entry.pk) for entry in competition.entries.order_by("number")[:2])
        with later(23):
            act(cast.olga, competition, OpenTable, entries=pair)
            assert "/do/open-table/" in olga.get(desk).content.decode()
        with later(25):
            page = olga.get(desk).content.decode()
        assert "/do/open-table/" not in page and "/do/set-deadline/" in page

    def test_a_table_without_a_deadline_is_late_after_a_time_without_moves(self, cast: Cast) -> None:
        in_play(cast, 4)
        with time_machine.travel(timezone.now() + timedelta(days=8)):
            (text,) = texts(cast.club)
        assert text.startswith("Round 1, table 1 is late")

    def test_a_finished_competition_needs_no_attention(self, cast: Cast) -> None:
        competition = in_play(cast)
        abandon(competition)
        act(cast.olga, competition, CancelCompetition, reason="snow")
        assert texts(cast.club) == []

    def test_there_are_none_of_other_clubs(self, cast: Cast) -> None:
        abandon(in_play(cast))
        assert needs_of(Club.objects.exclude(pk=cast.club.pk)) == []


class TestNextStep:
    def test_follows_the_log_and_survives_a_rebuild(self, cast: Cast) -> None:
        competition = in_play(cast)
        assert competition.step == "play"
        close(competition)
        Competition.objects.update(step="none")
        standings.rebuild(competition.pk)
        competition.refresh_from_db()
        assert competition.step == "close_round"


def queries(client: Client, address: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert client.get(address).status_code == 200
    return len(asked)


def test_the_number_of_queries_does_not_depend_on_competitions_and_players(
    olga: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("One", "Two"):
        close(in_play(cast, 4, name=name))
    few = queries(olga, "/admin/")
    players = [
        Player(club=cast.club, name=f"P {n}", public_name=f"P {n}", search_name=f"p {n}") for n in range(500)
    ]
    Player.objects.bulk_create(players)
    for number in range(4):  # a query for each would be more than two of any kind
        close(in_play(cast, 4, name=f"Played {number}"))
        opened(cast, 4, name=f"Coming {number}")
        abandon(in_play(cast, 4, name=f"Abandoned {number}"))
    assert Competition.objects.count() == 14
    monkeypatch.setattr("league.log.latest", _unread)
    assert queries(olga, "/admin/") <= min(few + 2, 33)


def _unread(competition: Competition) -> Any:
    raise AssertionError("a list reads a log")


class TestAnOpenEndedRoundAfterItsDeadline:
    def test_can_be_closed_and_no_table_is_offered(self, olga: Client, cast: Cast) -> None:
        competition = with_hours(cast, stages=[OPEN])
        page = f"/admin/league/competition/{competition.pk}/change/"
        with later(23):
            assert "Open a table" in page_text(olga.get(page))
            assert "open-table" in own_part(cast.paul, competition).may
            assert own_part(cast.paul, competition).next_round == 1
            rounds = page_text(olga.get(f"/competitions/{competition.slug}/rounds/"))
            assert "No tables were drawn: they are opened one by one" in rounds
            assert "How was this drawn?" not in rounds
        with later(26):
            shown = page_text(olga.get(page))
            assert "All tables are decided. The round can be closed." in shown
            assert "Open a table" not in shown and "set the results of its tables" not in shown
            assert texts(cast.club) == ["All tables are decided. The round can be closed."]
            assert "open-table" not in own_part(cast.paul, competition).may


def test_every_text_about_the_next_step_is_german_in_german() -> None:
    in_words = {each for step in needs.STEPS.values() for each in (step.text, step.action) if each}
    more = (needs.PAUSED, needs.CANCELLED, needs.EMPTY, needs.ALONE)
    in_words |= {each for step in more for each in (step.text, step.action) if each} | {*needs.NOW.values()}
    in_words |= {needs.CHECK_IN, needs.PUT_OFF, needs.TOO_FEW, needs.STUCK}
    competition = Competition(round=2, club=Club(timezone="Europe/Berlin"))
    said: dict[str, list[str]] = {}
    for language in ("en-gb", "de"):
        with translation.override(language):
            said[language] = [str(each) for each in sorted(in_words, key=repr)]
            for step in ("start_stage", "draw", "publish", "close_round", "finish"):
                competition.step = step
                said[language].append(competitions.does_soon(competition))
            for step in ("close_round", "finish"):
                competition.step = step
                said[language].append(competitions.does_later(competition, timezone.now()))
    assert len(said["de"]) > 30
    assert [one for one, other in zip(*said.values(), strict=True) if one == other] == []
