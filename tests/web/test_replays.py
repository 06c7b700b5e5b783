"""The answer from which scripts replay a game that is over."""

import json
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from games import rebuilding
from games.models import Game
from league.models import ClubGame
from league.services.automatic import record_result
from tests.core.ids import uid
from tests.factories import Cast
from tests.league.playing import in_play, play_all, tables
from tests.league.test_ruled_games import rule
from tests.rules.folders import HERE
from tests.web.test_game import page_text

GAMES = ["scoops/the-knocker-leaves", "scamper/a-tie-for-the-deal", "scram_scorecard/six-campers"]


def golden(cast: Cast, name: str) -> Game:
    """Return a golden game in the cast's club, by its ruleset's folder and its name."""
    folder, _, file = name.partition("/")
    lines = (HERE / folder / "logs" / f"{file}.jsonl").read_text().splitlines()
    game_id = UUID(uid(name))
    rebuilding.restore(game_id=game_id, lines=lines)
    ClubGame.objects.create(game_id=game_id, club=cast.club)
    return Game.objects.get(pk=game_id)


def answer_of(client: Client, game: Game) -> Any:
    return json.loads(client.get(f"/games/{game.pk}/frames/").content)


def tidied(html: str) -> str:
    """Return some HTML without what indents its lines."""
    return "\n".join(filter(None, map(str.strip, html.split("\n"))))


@pytest.mark.parametrize("name", GAMES)
def test_every_move_is_as_its_page_shows_it(client: Client, cast: Cast, name: str) -> None:
    game = golden(cast, name)
    answer = answer_of(client, game)
    assert len(answer["tables"]) == len(answer["moves"]) == game.seq
    sheets = dict(answer["sheets"])
    sheet: list[int] = []
    for seq, table in enumerate(answer["tables"], 1):
        page = tidied(page_text(client.get(f"/games/{game.pk}/?at={seq}")))
        sheet = sheets.get(seq, sheet)
        for lines in (table, sheet):
            assert "\n".join(answer["lines"][number] for number in lines) in page, seq
        assert answer["moves"][seq - 1].partition("<a")[2].strip() in page


def test_scores_and_turning_points_are_told_with_names(client: Client, cast: Cast) -> None:
    answer = answer_of(client, golden(cast, "scamper/no-passing"))
    assert answer["scores"] == [[1, [-20, 0]], [11, [-20, 55]], [35, [-10, 55]], [99, [90, 55]]]
    assert answer["rounds"] == [[1, 1], [12, 2], [36, 3]]
    assert answer["points"] == [
        [11, "Seat 1 gains 55 points on Seat 2."],
        [35, "Seat 2 gains 10 points on Seat 1."],
        [99, "Seat 2 takes the lead."],
    ]


def test_the_answer_is_kept_until_a_name_or_the_language_changes(client: Client, cast: Cast) -> None:
    game = golden(cast, "scoops/the-knocker-leaves")
    address = f"/games/{game.pk}/frames/"
    tag = client.get(address)["ETag"]
    assert client.get(address, headers={"If-None-Match": tag}).status_code == 304
    german = client.get(address, headers={"If-None-Match": tag, "Accept-Language": "de"})
    assert "Durchgang" in german.content.decode()
    for name, value in {"timezone": "Pacific/Auckland", "name": "Another name", "slug": "another"}.items():
        setattr(cast.club, name, value)
        cast.club.save()
        changed = client.get(address, headers={"If-None-Match": tag})
        assert changed.status_code == 200
        tag = changed["ETag"]


def test_the_last_table_has_the_result_that_an_organiser_sets(client: Client, cast: Cast) -> None:
    competition = in_play(cast, 2)
    (pk,) = play_all(competition)
    record_result(game_id=pk)
    address = f"/games/{pk}/frames/"
    before = client.get(address)
    rule(cast, competition)
    after = client.get(address, headers={"If-None-Match": before["ETag"]})
    answer = json.loads(after.content)
    last, first = ("".join(answer["lines"][each] for each in answer["tables"][at]) for at in (-1, 0))
    page = page_text(client.get(f"/games/{pk}/"))
    for shown in (last, page):
        assert "The result was set by hand." in shown and "As played:" in shown
    assert "set by hand" not in first
    names = [seat.player.name for seat in tables(competition)[0].seats.order_by("rank")]
    assert f'<meta property="og:description" content="{names[0]} 8, {names[1]} 3. ' in page


def test_a_game_that_is_not_finished_has_none(client: Client, cast: Cast) -> None:
    assert client.get(f"/games/{cast.game('scoops').pk}/frames/").status_code == 404


def test_a_link_to_a_move_says_in_other_programs_what_it_shows(client: Client, cast: Cast) -> None:
    game = golden(cast, "scamper/no-passing")
    page = page_text(client.get(f"/games/{game.pk}/?at=49"))
    assert '<meta property="og:title" content="Scamper · Move 49 of 99">' in page
    assert '<meta property="og:description" content="Seat 1 −10, Seat 2 55. Seat 2 discards A♣">' in page
    assert f'<meta property="og:url" content="http://testserver/games/{game.pk}/?at=49">' in page
