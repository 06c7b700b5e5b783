"""A club's desk over the API: it reads its own matches, enters results, confirms and objects."""

from typing import Any

import pytest

from league.apps.between.services import let_in
from league.core.verbs.objections import PostResults
from league.models import Account, Club, Competition, Player
from tests.api.web import ROOT, bearer
from tests.apps.between.leagues import Side, boards, county, in_play, side, state
from tests.factories import Cast
from tests.league.acting import act


@pytest.fixture
def alder(cast: Cast) -> Side:
    return side("Alder")


@pytest.fixture
def birch(cast: Cast) -> Side:
    return side("Birch")


@pytest.fixture
def league(cast: Cast, alder: Side, birch: Side) -> Competition:
    return in_play(cast, alder, birch, side("Cedar"), side("Damson"))


def desk(each: Side, competition: Competition) -> str:
    return f"{ROOT}/competitions/{competition.pk}/clubs/{each.club.slug}"


def matches(by: Account, each: Side, competition: Competition) -> list[dict[str, Any]]:
    answer = bearer(by).get(f"{desk(each, competition)}/matches/")
    assert answer.status_code == 200, answer.content
    found: list[dict[str, Any]] = answer.json()
    return found


def other(each: Side, competition: Competition) -> Side:
    """The club that the club meets, by a new desk of its own."""
    now = state(competition)
    clubs = {now.entry(entry).club for entry in boards(each, competition)[0].entries}
    (its_club,) = clubs - {str(each.club.pk)}
    return named(Club.objects.get(pk=its_club).name)


def named(name: str) -> Side:
    by = Account.objects.get(username=name.lower())
    return Side(by.memberships.get().club, by, [])


def entered(each: Side, competition: Competition, home: int, away: int) -> dict[str, Any]:
    """The first board after a club has entered its result."""
    board = matches(each.by, each, competition)[0]["boards"][0]
    scores = (home, away) if board["home_seat"] == 0 else (away, home)
    seats = [{"seat": seat, "score": score} for seat, score in enumerate(scores)]
    body = {"table": board["table"], "seats": seats}
    assert bearer(each.by).post(f"{desk(each, competition)}/rule/", body).status_code == 201
    board = matches(each.by, each, competition)[0]["boards"][0]
    return dict(board)


def test_a_club_reads_its_own_matches_alone(alder: Side, league: Competition) -> None:
    (match,) = matches(alder.by, alder, league)
    assert "Alder team" in (match["home"]["name"], match["away"]["name"])
    assert [board["number"] for board in match["boards"]] == [1, 2, 3, 4]
    named = {player for board in match["boards"] for player in (board["home"], board["away"])}
    assert {"Alder One", "Alder Two", "Alder Three", "Alder Four"} <= named
    assert all(board["scores"] is board["waiting"] is None for board in match["boards"])


class TestATeam:
    @pytest.fixture
    def league(self, cast: Cast, alder: Side) -> Competition:
        """A league that no team has entered yet, in which one club takes part."""
        found = county(cast)
        let_in(by=cast.olga, competition=found, club=alder.club)
        return found

    def body(self, each: Side, *numbers: int, **more: Any) -> dict[str, Any]:
        return {"players": [str(each.people[number].pk) for number in numbers], **more}

    def test_is_entered_and_lined_up_with_the_clubs_own_people(
        self, alder: Side, league: Competition
    ) -> None:
        address, team = desk(alder, league), self.body(alder, 0, 1, 2, 3, name="Alder A")
        assert bearer(alder.by).post(f"{address}/enter/", team).status_code == 201
        assert bearer(alder.by).post(f"{address}/enter/", team).status_code == 200
        (entry,) = state(league).entries
        assert (entry.name, entry.club) == ("Alder A", str(alder.club.pk))
        line = self.body(alder, 4, 1, 2, 0, entry=entry.id)
        assert bearer(alder.by).post(f"{address}/set-line-up/", line).status_code == 201
        (entry,) = state(league).entries
        assert Player.objects.get(pk=entry.players[0]).name.startswith("Alder Five")

    def test_has_no_people_of_another_club(self, alder: Side, birch: Side, league: Competition) -> None:
        team = self.body(birch, 0, 1, 2, 3, name="Alder A")
        answer = bearer(alder.by).post(f"{desk(alder, league)}/enter/", team)
        assert answer.status_code == 400 and "no such active player" in answer.content.decode()
        refused = bearer(birch.by).post(
            f"{desk(alder, league)}/enter/", self.body(alder, 0, 1, 2, 3, name="A")
        )
        assert refused.status_code == 403

    def test_needs_a_name(self, alder: Side, league: Competition) -> None:
        answer = bearer(alder.by).post(f"{desk(alder, league)}/enter/", self.body(alder, 0, 1, 2, 3))
        assert answer.status_code == 400 and "Give the team a name." in answer.content.decode()


def test_what_one_club_enters_the_other_confirms(alder: Side, league: Competition) -> None:
    board = entered(alder, league, 9, 4)
    assert (board["scores"], board["points"], board["own"]) == ([9, 4], ["1", "0"], True)
    body = {"table": board["table"], "result": board["waiting"]}
    refused = bearer(alder.by).post(f"{desk(alder, league)}/check-result/", body)
    assert refused.status_code == 422
    them = other(alder, league)
    assert not matches(them.by, them, league)[0]["boards"][0]["own"]
    assert bearer(them.by).post(f"{desk(them, league)}/check-result/", body).status_code == 201
    assert matches(alder.by, alder, league)[0]["boards"][0]["waiting"] is None


def test_a_club_objects_for_its_own_team_alone(cast: Cast, alder: Side, league: Competition) -> None:
    board, (match,) = entered(alder, league, 9, 4), matches(alder.by, alder, league)
    act(cast.olga, league, PostResults, until="2100-01-01T12:00:00Z")
    for team in (match["home"], match["away"]):
        body = {"entry": team["id"], "table": board["table"], "what": "It was 4 to 9."}
        answer = bearer(alder.by).post(f"{desk(alder, league)}/object/", body)
        assert answer.status_code == (201 if team["name"] == "Alder team" else 422), answer.content


def test_nobody_else_uses_a_club_s_desk(cast: Cast, alder: Side, birch: Side, league: Competition) -> None:
    body = {"table": boards(alder, league)[0].id, "seats": [{"seat": 0, "score": 9}, {"seat": 1, "score": 4}]}
    for by in (cast.olga, birch.by, alder.people[0].account):
        assert by
        assert bearer(by).get(f"{desk(alder, league)}/matches/").status_code == 403
        assert bearer(by).post(f"{desk(alder, league)}/rule/", body).status_code == 403
    own = f"{ROOT}/competitions/{league.pk}/clubs/{cast.club.slug}/matches/"
    assert bearer(cast.olga).get(own).status_code == 403
    assert bearer(cast.olga).get(own.replace(cast.club.slug, "nobody")).status_code == 404
