"""The hall page: what it shows at each point of an evening, and what never."""

import re
from html import unescape
from pathlib import Path
from typing import Any, Final

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.apps.hall import services
from league.core.verbs.draw import DrawRound
from league.core.verbs.entries import SubstitutePlayer
from league.core.verbs.presence import CheckInEntry
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.rulings import SetResult
from league.core.verbs.start import StartCompetition
from league.models import Bye, Competition
from league.ops.folders import TOP
from league.projections.standings import compute_standings
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.brackets import in_round
from tests.league.playing import PLAN, finished, in_play, left_by_two, opened, pairs_in_play, tables
from tests.league.test_correcting_names import RIGHT, WRONG, correct
from tests.league.test_lots_shown import LEGEND, drawn, level
from tests.league.test_two_of_one_name import NAME, of_two
from tests.web.conftest import Outline, Visit, record_all

__all__ = ["drawn", "level"]


def address(competition: Competition) -> str:
    return f"/competitions/{competition.slug}/hall/"


def shown(client: Client, competition: Competition, **query: Any) -> str:
    answer = client.get(address(competition), query)
    assert answer.status_code == 200
    return answer.content.decode()


NEWER_THAN_ES5: Final = re.compile(
    r"=>|`|\.\.\.|\?\.|\?\?|,\s*\)|\b(?:const|let|class|async|await|import|export)\b"
)


def screens(html: str) -> list[str]:
    return [each["data-key"] for each in Outline(html).all("section") if "data-key" in each]


def test_has_the_right_name_after_a_correction(client: Client, cast: Cast) -> None:
    competition = in_play(cast)
    compute_standings(competition.pk)
    assert WRONG in shown(client, competition)
    correct(cast)
    page = shown(client, competition)
    assert RIGHT in page and WRONG not in page


def test_marks_ranks_that_a_lot_decided(client: Client, drawn: Competition) -> None:
    page = shown(client, drawn, show="standings")
    assert re.findall(r'class="place">([^<]*)<', page) == ["1*", "2*", "3", "4"]
    assert LEGEND in page


def test_tells_people_of_one_name_apart(client: Client, cast: Cast) -> None:
    page = shown(client, of_two(cast, StartCompetition(), DrawRound(), PublishRound()))
    assert f"{NAME} (2)" in page
    assert f"<small>{NAME}" not in page and f'<span class="why">{NAME}' not in page


def test_names_a_team_with_a_bye_as_it_was_in_the_round(client: Client, cast: Cast) -> None:
    competition = pairs_in_play(cast, 3, stages=[{**PLAN, "rounds": 2, "table_size": 2}])
    resting = Bye.objects.get().entry
    stays, leaves = (member.player for member in resting.members.order_by("number"))
    new = PlayerFactory.create(club=cast.club)
    act(cast.olga, competition, SubstitutePlayer, entry=resting.pk, out=leaves.pk, into=new.pk)
    client.force_login(cast.olga)  # to others who never sat at a table is known by a number
    page = unescape(shown(client, competition))
    assert f"{stays} & {leaves}" in page and f"{stays} & {new}" not in page


def test_shows_no_tie_break_of_several_numbers_nor_those_after_it(client: Client, cast: Cast) -> None:
    competition = in_play(cast, 7, stages=[{**PLAN, "tie_breaks": ["places", "score_difference"]}])
    record_all(competition)
    page = shown(client, competition, show="standings")
    assert 'class="points"' in page and 'class="tie-break"' not in page


def test_shows_the_first_tie_break_that_separates(client: Client, cast: Cast) -> None:
    competition = in_play(cast, 8, stages=[{**PLAN, "tie_breaks": ["head_to_head", "score_difference"]}])
    for at, table in enumerate(tables(competition)):
        seats = [{"seat": seat, "rank": seat + 1, "score": (4 - seat) * (at + 1)} for seat in range(4)]
        act(cast.olga, competition, SetResult, table=table.pk, seats=seats, reason="real cards")
    act(cast.olga, competition, CloseRound)
    compute_standings(competition.pk)
    page = shown(client, competition)
    assert "Points · Score difference" in page and 'class="tie-break"' in page


class TestBeforeTheStart:
    def test_shows_who_is_missing_and_that_phones_can_not_check_in(self, client: Client, cast: Cast) -> None:
        competition = opened(cast, 3, entering={"check_in": True})
        first, *_ = competition.entries.order_by("number")
        act(cast.olga, competition, CheckInEntry, entry=first.pk)
        page = shown(client, competition)
        assert screens(page) == ["check-in"]
        assert "1 of 3 checked in" in page
        assert "Paul Pike" not in page
        assert "Petra Plum" in page
        assert "own phone is off" in page
        assert "<svg" not in page

    def test_invites_phones_once_that_is_on(self, client: Client, cast: Cast) -> None:
        competition = opened(cast, 3, entering={"check_in": True})
        services.set_self_check_in(by=cast.olga, competition=competition, on=True)
        page = client.get(address(competition), headers={"host": "cards.example"}).content.decode()
        assert f">cards.example/in/{competition.slug}<" in page
        assert "<svg" in page
        assert (
            client.get(f"/in/{competition.slug}/")["Location"]
            == f"/competitions/{competition.slug}/check-in/"
        )

    @pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost", "[::1]:8000"])
    def test_invites_nobody_to_an_address_that_phones_can_not_reach(
        self, client: Client, cast: Cast, host: str
    ) -> None:
        competition = opened(cast, 3, entering={"check_in": True})
        services.set_self_check_in(by=cast.olga, competition=competition, on=True)
        page = client.get(address(competition), headers={"host": host}).content.decode()
        assert "can’t reach this page" in page
        assert "<svg" not in page

    def test_shows_the_entries_where_there_is_no_check_in(self, client: Client, cast: Cast) -> None:
        assert screens(shown(client, opened(cast, 3))) == ["entries"]


class TestARound:
    def test_is_shown_by_name_and_by_table(self, client: Client, cast: Cast) -> None:
        competition = in_play(cast, 8)
        page = shown(client, competition)
        assert screens(page) == ["names", "tables", "missing"]
        assert "No table has a result yet." in page
        seated = [seat.player.name for table in tables(competition) for seat in table.seats.all()]
        assert all(page.count(name) == 3 for name in seated)

    def test_is_shown_with_those_who_have_no_table(self, client: Client, cast: Cast) -> None:
        plan = {"name": "L", "format": "rounds", "rounds": 2, "table_size": 2}
        competition = in_play(cast, 5, stages=[plan])
        assert shown(client, competition, show="names").count("no table") == 1
        cast.club.players.update(bot=True)
        assert shown(client, competition, show="names").count("(bot)") == 5

    def test_shows_standings_once_there_are_results(self, client: Client, cast: Cast) -> None:
        competition = in_play(cast, 8)
        record_all(competition)
        page = shown(client, competition)
        assert screens(page) == ["names", "tables", "missing", "standings"]
        assert "All tables have a result." in page

    def test_that_is_drawn_and_not_published_is_never_shown(self, client: Client, cast: Cast) -> None:
        competition = in_play(cast, 8)
        record_all(competition)
        act(cast.olga, competition, CloseRound)
        before = shown(client, competition)
        act(cast.olga, competition, DrawRound)
        page = shown(client, competition)
        assert screens(page) == screens(before) == ["standings"]
        assert "Round 1" in page
        assert "Round 2" not in page

    def test_that_is_drawn_first_shows_nothing_yet(self, client: Client, cast: Cast) -> None:
        competition = opened(cast, 8)
        for verb in (StartCompetition, DrawRound):
            act(cast.olga, competition, verb)
        page = shown(client, competition)
        assert screens(page) == []
        assert "nothing to show yet" in page


def test_a_finished_competition_shows_its_standings(client: Client, cast: Cast) -> None:
    competition = finished(cast)
    compute_standings(competition.pk)
    assert screens(shown(client, competition)) == ["standings"]


def test_who_has_withdrawn_or_was_expelled_is_marked_in_the_standings(client: Client, cast: Cast) -> None:
    competition = left_by_two(cast)
    page = shown(client, competition, show="standings")
    assert (page.count("(withdrawn)"), page.count("(expelled)")) == (1, 1)


def test_who_waits_for_their_table_is_told_that_the_competition_is_over(client: Client, cast: Cast) -> None:
    competition = finished(cast)
    compute_standings(competition.pk)
    page = shown(client, competition, show="names")
    assert "The competition is over." in page
    assert f'<a href="/competitions/{competition.slug}/">See the standings</a>' in page
    assert "nothing to show yet" not in page


def test_who_waits_for_their_next_table_is_told_that_the_round_is_over(client: Client, cast: Cast) -> None:
    competition = in_play(cast, 8)
    record_all(competition)
    act(cast.olga, competition, CloseRound)
    assert "Round 1 is over. The next round appears here" in shown(client, competition, show="names")


def test_only_the_screens_asked_for_are_shown(client: Client, cast: Cast) -> None:
    assert screens(shown(client, in_play(cast), show="tables,missing")) == ["tables", "missing"]


class TestTheTimer:
    def test_tells_the_browser_when_it_ends(self, client: Client, cast: Cast) -> None:
        competition = in_play(cast)
        services.start_timer(by=cast.olga, competition=competition, minutes=50)
        (timer,) = (
            each for each in Outline(shown(client, competition)).all("div") if each.get("id") == "timer"
        )
        now = next(each["data-now"] for each in Outline(shown(client, competition)).all("footer"))
        assert 0 <= int(now) + 50 * 60 - int(timer["data-ends"]) <= 5

    def test_says_how_much_is_left_while_it_is_paused(self, client: Client, cast: Cast) -> None:
        competition = in_play(cast)
        services.start_timer(by=cast.olga, competition=competition, minutes=50)
        services.pause_timer(by=cast.olga, competition=competition)
        (timer,) = (
            each for each in Outline(shown(client, competition)).all("div") if each.get("id") == "timer"
        )
        assert timer["data-left"] == "3000"
        assert "50:00" in shown(client, competition)


def test_announcements_are_on_the_hall_page_and_on_the_competition_s(client: Client, cast: Cast) -> None:
    competition = in_play(cast)
    pages = (address(competition), f"/competitions/{competition.slug}/")
    tags = [client.get(page).headers.get("ETag") for page in pages]
    made = services.announce(by=cast.olga, competition=competition, words="Soup <b> is ready")
    for page, tag in zip(pages, tags, strict=True):
        answer = client.get(page, headers={"if-none-match": tag or "x"})
        assert "Soup &lt;b&gt; is ready" in answer.content.decode()
    services.remove_announcement(by=cast.olga, competition=competition, announcement=made.pk)
    assert all("Soup" not in client.get(page).content.decode() for page in pages)


class TestWithoutAScript:
    def refresh(self, html: str) -> tuple[str, str]:
        (found,) = (
            each["content"] for each in Outline(html).all("meta") if each.get("http-equiv") == "refresh"
        )
        seconds, _, url = found.partition("; url=")
        return seconds, url

    def test_the_page_leads_from_page_to_page_and_round_again(self, client: Client, cast: Cast) -> None:
        competition = in_play(cast, 20)
        assert self.refresh(shown(client, competition)) == ("0", "?page=1")
        seen, query = [], {"page": "1"}
        for _ in range(5):
            page = shown(client, competition, **query)
            seen += screens(page)
            seconds, url = self.refresh(page)
            assert seconds == "12"
            query = {"page": url.removeprefix("?page=")}
        assert seen == ["names", "names", "tables", "missing", "names"]
        assert "Page 2 of 4" in shown(client, competition, page="2")

    def test_the_seconds_of_a_page_can_be_chosen(self, client: Client, cast: Cast) -> None:
        page = shown(client, in_play(cast), page="1", seconds="30")
        assert self.refresh(page) == ("30", "?page=2&seconds=30")

    @pytest.mark.parametrize("number", ["99", "0"])
    def test_a_page_that_is_gone_leads_to_another(self, client: Client, cast: Cast, number: str) -> None:
        assert screens(shown(client, in_play(cast), page=number))


class TestTheScript:
    def test_gets_the_screens_again_only_when_something_changed(self, client: Client, cast: Cast) -> None:
        competition = in_play(cast)
        news = f"{address(competition)}screens/"
        tag = client.get(news).headers["ETag"]
        assert client.get(news, headers={"if-none-match": tag}).status_code == 304
        services.start_timer(by=cast.olga, competition=competition, minutes=50)
        assert client.get(news, headers={"if-none-match": tag}).status_code == 200

    def test_gets_them_in_few_queries(self, client: Client, cast: Cast) -> None:
        competition = in_play(cast, 20)
        record_all(competition)
        client.get(address(competition))
        with CaptureQueriesContext(connection) as queries:
            client.get(f"{address(competition)}screens/")
        assert len(queries) <= 22


def test_an_unknown_competition_is_not_found(client: Client, cast: Cast) -> None:
    assert client.get("/competitions/nothing/hall/").status_code == 404
    assert client.get("/competitions/nothing/hall/screens/").status_code == 404


def test_its_only_script_is_in_the_language_of_old_browsers(client: Client, cast: Cast) -> None:
    scripts = [each["src"] for each in Outline(shown(client, in_play(cast, 4))).all("script")]
    assert [Path(each).name.partition(".")[0] for each in scripts] == ["hall"]
    source = re.sub(r"//.*|/\*.*?\*/|\"[^\"\n]*\"", "0", (TOP / "static/trefoil/hall.js").read_text())
    assert NEWER_THAN_ES5.findall(source) == []


def test_without_scripts_pages_that_follow_an_evening_load_again(cast: Cast, as_account: Visit) -> None:
    for page in ("/admin/", "/scores/", address(in_play(cast, 4))):
        html = as_account(cast.olga).get(page).content.decode()
        assert re.search(r'<noscript><meta http-equiv="refresh" content="[0-9]', html), page


def test_bots_are_marked_on_every_screen_of_a_round(client: Client, cast: Cast) -> None:
    competition = in_play(cast)
    cast.paul_plays.bot = True
    cast.paul_plays.save()
    shown = client.get(f"/competitions/{competition.slug}/hall/screens/").content.decode()
    assert shown.count("Paul Pike (bot)") == shown.count("Paul Pike") == 3


def test_a_cup_has_both_halves_of_its_bracket_from_the_running_round_on(client: Client, cast: Cast) -> None:
    competition = in_round(cast, 11, 3)
    page = shown(client, competition, show="bracket")
    titles = [unescape(each) for each in re.findall(r'<h2 id="screen-\d+">([^<]*)<', page)]
    assert titles == ["Bracket: Upper bracket", "Bracket: Lower bracket"]
    assert "Upper semi-finals" in page and ">Round 1<" not in page
    assert "winner of table 1" in page


def test_a_big_bracket_has_several_screens_with_titles_of_their_own(client: Client, cast: Cast) -> None:
    page = shown(client, in_round(cast, 20, 1), show="bracket")
    titles = re.findall(r'<h2 id="screen-\d+">([^<]*)<', page)
    assert titles[:2] == ["Bracket: Upper bracket (1/3)", "Bracket: Upper bracket (2/3)"]
    assert len({*titles}) == len(titles)


def test_a_league_has_no_screen_of_a_bracket(client: Client, cast: Cast) -> None:
    assert "bracket" not in screens(shown(client, in_play(cast)))
