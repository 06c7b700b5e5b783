"""Lots: announced before a competition is finished, and named wherever they decided a rank."""

import re

import pytest
from django.test import Client

from league.core.details import Prize
from league.core.verbs.course import FinishCompetition
from league.core.verbs.rounds import CloseRound
from league.models import Competition
from league.projections.standings import compute_standings
from league.queries.pictures import places_of
from league.services.automatic import record_result
from league.services.competitions import change_details
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import PLAN, in_play, play, tables
from tests.league.test_admin_scope import logged_in
from tests.league.test_desk_previews import preview
from tests.league.test_desk_verbs import ask, page_text
from tests.league.walking import text_of

LEGEND = "* by lot: everything else is equal"


@pytest.fixture
def level(cast: Cast) -> Competition:
    """A competition before its end: two are level on places 1 and 2, one is third and one last."""
    competition = in_play(cast, 4, stages=[{**PLAN, "rounds": 1}])
    (table,) = tables(competition)
    game = table.games.get().game
    play(game, 7, 7, 3, 1)
    record_result(game_id=game.pk)
    act(cast.olga, competition, CloseRound)
    compute_standings(competition.pk)
    competition.refresh_from_db()
    return competition


@pytest.fixture
def drawn(cast: Cast, level: Competition) -> Competition:
    """The same after its end, with a lot for its winner."""
    act(cast.olga, level, FinishCompetition)
    compute_standings(level.pk)
    level.refresh_from_db()
    return level


def page(competition: Competition, part: str = "") -> str:
    return Client().get(f"/competitions/{competition.slug}/{part}").content.decode()


def test_the_form_and_the_preview_of_a_finish_tell_that_a_lot_decides(cast: Cast, level: Competition) -> None:
    olga = logged_in(cast.olga)
    told = "are level on ranks 1 and 2, and no tie-break separates them: a lot decides."
    form = page_text(ask(olga, level, "finish"))
    assert told in form and "add a stage that the best 2 of this one play" in form
    shown = page_text(preview(olga, level, "finish"))
    assert shown.count(told) == 2
    assert "All other ranks, and all points, stay as they are." in shown
    assert "Ranks and points stay as they are." not in shown


def test_standings_mark_the_ranks_that_a_lot_decided(level: Competition, drawn: Competition) -> None:
    ranks = re.findall(r'<tr id="row-[^"]*">\n<td[^>]*>(.*?) ?</td>', page(drawn))
    mark = '<abbr class="lot" title="by lot: everything else is equal">*</abbr>'
    assert ranks == [f"1{mark}", f"2{mark}", "3", "4"]
    assert LEGEND in page(drawn)


def test_standings_without_lots_have_no_legend(level: Competition) -> None:
    assert LEGEND not in page(level)


def test_the_printed_standings_mark_them_too(drawn: Competition) -> None:
    printed = text_of(Client().get(f"/competitions/{drawn.slug}/print/standings.pdf"))
    assert "1*." in printed and LEGEND in printed


def test_winners_prizes_text_and_certificates_say_that_a_lot_decided(cast: Cast, drawn: Competition) -> None:
    change_details(by=cast.olga, competition=drawn, values={"prizes": (Prize("a cup", 1, 1),)})
    first = places_of(drawn)[0].name
    shown = page(drawn, "winners/")
    assert shown.count("by lot</p>") == 2
    assert f"{first} (by lot)</strong>" in shown
    assert f"1st place (by lot): {first}" in shown
    assert "3rd place: " in shown and LEGEND in shown
    path = f"/admin/league/competition/{drawn.pk}/print/certificates.pdf"
    assert "1st place (by lot)" in text_of(logged_in(cast.olga).get(path))


def test_the_club_and_the_file_say_it_too(cast: Cast, drawn: Competition) -> None:
    club = Client().get(f"/clubs/{cast.club.slug}/").content.decode()
    podium = club[club.index("Last winners") : club.index("</ol>", club.index("Last winners"))]
    assert podium.count("(by lot)") == 2
    listed = Client().get(f"/api/v1/competitions/{drawn.pk}/standings.csv").content.decode().splitlines()
    at = listed[0].split(",").index("by_lot")
    assert [line.split(",")[at] == "true" for line in listed[1:]] == [True, True, False, False]
