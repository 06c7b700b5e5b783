"""Matches of the rounds to come: in the order of the schedule, home and away, with their days."""

import re
from typing import Any

import pytest
from django.test import Client

from league.apps.between.queries import fixtures
from league.core.team_matches import team_matches
from league.core.verbs.days import SetRoundDay
from league.core.verbs.entries import WithdrawEntry
from league.core.verbs.rounds import CloseRound
from league.files import calendars
from league.models import Competition
from tests.api.web import ROOT
from tests.apps.between.leagues import Side, in_play, publish, side, state
from tests.factories import Cast
from tests.league.acting import act
from tests.league.test_admin_scope import logged_in


@pytest.fixture
def clubs(cast: Cast) -> list[Side]:
    return [side(name) for name in ("Alder", "Birch", "Cedar", "Damson")]


@pytest.fixture
def league(cast: Cast, clubs: list[Side]) -> Competition:
    return in_play(cast, *clubs)


def pairs(competition: Competition, number: int) -> list[tuple[str, str]]:
    """Return who is at home and who is away in a round to come."""
    told = fixtures(state(competition))
    return [(each.home.name, each.away.name) for each in told if each.round == number]


def test_all_meet_at_home_and_away_in_rounds_to_come(league: Competition) -> None:
    ahead = fixtures(state(league))
    assert [each.round for each in ahead] == [2, 2, 3, 3, 4, 4, 5, 5, 6, 6]
    assert len({(each.home.id, each.away.id) for each in ahead}) == 10


def test_the_draw_is_the_one_that_was_told(cast: Cast, league: Competition) -> None:
    told = pairs(league, 2)
    act(cast.olga, league, CloseRound, void_undecided="Snow")
    publish(cast, league)
    now = state(league)
    assert now.stage
    drawn = [match.teams for match in team_matches(now.stage.rounds[1].tables)]
    assert [(now.entry(home).name, now.entry(away).name) for home, away in drawn] == told
    assert not pairs(league, 2)


def test_who_has_left_meets_nobody_any_more(cast: Cast, league: Competition) -> None:
    gone = state(league).entries[0]
    act(cast.olga, league, WithdrawEntry, entry=gone.id, reason="No team")
    ahead = fixtures(state(league))
    assert len(ahead) == 5 and gone.name not in {each.home.name for each in ahead}


def unfolded(content: bytes) -> str:
    return content.decode().replace("\r\n ", "")


def calendar(address: str) -> str:
    answer: Any = Client().get(address)
    return unfolded(b"".join(answer))


class TestAreShown:
    @pytest.fixture(autouse=True)
    def day(self, cast: Cast, league: Competition) -> None:
        act(cast.olga, league, SetRoundDay, round=3, day="2027-03-11")

    def test_on_the_page_with_their_days(self, league: Competition) -> None:
        page = Client().get(f"/competitions/{league.slug}/").content.decode()
        told = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page[page.index('id="fixtures"') :]))
        home, away = pairs(league, 3)[0]
        assert f"Round 3, 11 Mar 2027: {home} – {away}" in told

    def test_in_the_calendar_on_their_days(self, league: Competition) -> None:
        folded = calendar(f"{ROOT}/competitions/{league.pk}/calendar.ics")
        home, away = pairs(league, 3)[0]
        assert folded.count("DTSTART;VALUE=DATE:20270311") == 2
        assert f"SUMMARY:{league.name}: {home} – {away}" in folded

    def test_in_the_calendars_of_the_federation_its_clubs_and_their_players(
        self, cast: Cast, clubs: list[Side], league: Competition
    ) -> None:
        alder = clubs[0]
        whole = calendar(f"/clubs/{cast.club.slug}/calendar.ics")
        own = calendar(f"/clubs/{alder.club.slug}/calendar.ics")
        assert whole.count("DTSTART;VALUE=DATE:20270311") == 2
        assert own.count("DTSTART;VALUE=DATE:20270311") == 1 == own.count("Alder team")
        two, reserve = (unfolded(calendars.of_player(alder.people[at], str)) for at in (1, 4))
        assert two.count("Alder team") == 1 and "Alder team" not in reserve

    def test_by_the_api_by_club_team_and_day(self, clubs: list[Side], league: Competition) -> None:
        def told(query: str = "") -> list[dict[str, Any]]:
            answer: Any = Client().get(f"{ROOT}/competitions/{league.pk}/fixtures/{query}")
            return list(answer.json())

        team = next(each for each in state(league).entries if each.name == "Alder team")
        assert len(told()) == 10
        for query in (f"?club={clubs[0].club.slug}", f"?team={team.id}"):
            assert [each["round"] for each in told(query)] == [2, 3, 4, 5, 6]
        (match,) = told(f"?team={team.id}&since=2027-03-11&until=2027-03-11")
        assert match["day"] == "2027-03-11" and team.id in (match["home"]["id"], match["away"]["id"])
        assert told("?until=2027-03-10") == told("?since=2027-03-12") == []
        assert Client().get(f"{ROOT}/competitions/{league.pk}/fixtures/?club=nowhere").status_code == 400

    def test_in_calendars_once_their_round_is_published(self, cast: Cast, league: Competition) -> None:
        for _round in (1, 2):
            act(cast.olga, league, CloseRound, void_undecided="Snow")
            publish(cast, league)
        now = state(league)
        assert now.stage
        home, away = (now.entry(each).name for each in team_matches(now.stage.rounds[2].tables)[0].teams)
        assert f"SUMMARY:{league.name}: {home} – {away}" in calendar(
            f"{ROOT}/competitions/{league.pk}/calendar.ics"
        )

    def test_on_a_clubs_desk_those_of_its_teams(self, clubs: list[Side], league: Competition) -> None:
        alder = clubs[0]
        address = f"/admin/league/competition/between/{league.pk}/{alder.club.pk}/"
        page = logged_in(alder.by).get(address).content.decode()
        told = page[page.index('id="fixtures"') :]
        told = told[: told.index("</section>")]
        assert told.count("<li>") == 5 == told.count("Alder team")
