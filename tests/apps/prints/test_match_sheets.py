"""Sheets of matches on paper: both sides, boards in order, games to fill in, both signatures."""

from io import BytesIO
from typing import Any

from django.test import Client
from pypdf import PdfReader

from league.core.verbs.days import SetRoundDay
from league.core.verbs.start import StartCompetition
from league.models import Competition
from league.services.competitions import change_details
from tests.apps.between.leagues import entered, publish, side
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import PLAN
from tests.league.playing import in_play as playing

CLUBS = ("Alder", "Birch", "Cedar", "Damson")
CUP = {**PLAN, "format": "knockout", "rounds": 0, "table_size": 2, "best_of": 3}


def pages(competition: Competition, name: str = "matches.pdf") -> list[str]:
    answer: Any = Client().get(f"/competitions/{competition.slug}/print/{name}")
    assert answer.status_code == 200
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return [page.extract_text() for page in PdfReader(BytesIO(content)).pages]


def test_a_match_of_clubs_is_one_page_with_its_boards_in_order(cast: Cast) -> None:
    league = entered(cast, *map(side, CLUBS))
    act(cast.olga, league, StartCompetition)
    act(cast.olga, league, SetRoundDay, round=1, day="2027-03-11")
    publish(cast, league)
    change_details(by=cast.olga, competition=league, values={"place": "Town hall"})
    told = pages(league)
    assert len(told) == 2
    for page in told:
        home, away = dict.fromkeys(word for word in page.split() if word in CLUBS)
        at = [page.index(f"Board {number}") for number in range(1, 5)]
        assert at == sorted(at)
        for word in ("One", "Two", "Three", "Four"):
            assert f"{home} {word}" in page and f"{away} {word}" in page
        assert f"Captain of {home} team" in page and f"Captain of {away} team" in page
        assert "11 Mar 2027 · Town hall" in page and "A team match earns 2 if won" in page


def test_a_match_of_several_games_has_a_line_for_each(cast: Cast) -> None:
    told = pages(playing(cast, 4, stages=[CUP]))
    assert len(told) == 2
    assert all("Best of 3" in page and "Games won" in page and "Board" not in page for page in told)


def test_rounds_of_single_games_have_no_match_sheets(cast: Cast) -> None:
    competition = playing(cast, 8)
    address = f"/competitions/{competition.slug}"
    assert Client().get(f"{address}/print/matches.pdf").status_code == 404
    assert "match sheets" not in Client().get(f"{address}/rounds/").content.decode()
