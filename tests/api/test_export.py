"""The export of a competition with its games in one file."""

import json
from typing import Any

import pytest

from games.verifier import GOOD
from league.core import portable, verifier
from tests.api.web import EVERYBODY, ROOT, assert_problem, bearer, move, say
from tests.factories import Cast
from tests.league.playing import finished


def test_the_export_is_one_file_that_verifies(cast: Cast) -> None:
    competition = finished(cast)
    answer = EVERYBODY.get(f"{ROOT}/competitions/{competition.pk}/export/")
    assert answer["Content-Disposition"] == 'attachment; filename="autumn.trefoil.jsonl"'
    lines = b"".join(answer).decode().splitlines()
    assert verifier.check(portable.read(lines)).code == GOOD


def test_the_log_page_links_to_the_export(cast: Cast) -> None:
    competition = finished(cast)
    page = EVERYBODY.get(f"/competitions/{competition.slug}/log/").content.decode()
    assert f'href="{ROOT}/competitions/{competition.pk}/export/"' in page


def test_games_are_lines_with_the_logs_of_those_that_are_over(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.views.games.AT_ONCE", 2)
    games = [cast.game("tally") for _ in range(5)]
    for seq, account in enumerate((cast.paul, cast.petra), 2):
        for game in games[:3]:
            assert move(bearer(account), game, seq, say(seq)).status_code == 201
    paths = (
        f"{ROOT}/clubs/{cast.club.slug}/games.ndjson",
        f"{ROOT}/players/{cast.paul_plays.pk}/games.ndjson",
    )
    whole, same = (lines(EVERYBODY.get(path)) for path in paths)
    assert [each["id"] for each in whole] == [str(game.pk) for game in games] and whole == same
    for each in whole:
        over = each["status"] == "finished"
        text = EVERYBODY.get(f"{ROOT}/games/{each['id']}/log/").content.decode().splitlines()
        assert (each["log"], each["seed"] is not None) == (
            [*map(json.loads, text[:-1])] if over else None,
            over,
        )
    rest = lines(EVERYBODY.get(f"{paths[0]}?cursor={whole[1]['cursor']}"))
    assert rest == whole[2:]
    assert lines(EVERYBODY.get(f"{paths[0]}?cursor={whole[-1]['cursor']}")) == []
    assert lines(EVERYBODY.get(f"{paths[0]}?status=active")) == whole[3:]
    for wrong in ("?cursor=x", "?ordering=opened_at", "?page_size=2", "?page=1"):
        assert_problem(EVERYBODY.get(f"{paths[0]}{wrong}"), 400, "malformed")


def lines(answer: Any) -> list[Any]:
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/x-ndjson")
    return [json.loads(line) for line in b"".join(answer).splitlines()]
