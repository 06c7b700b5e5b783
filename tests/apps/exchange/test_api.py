"""Imports by API: an organiser sends a file, a worker verifies it, and its log is here and marked."""

import json
from typing import Any

import pytest

from games.models import Game
from league.apps.exchange.services import MOST_BYTES, MOST_LINES
from league.callers import ByAccount
from league.models import Competition, Import, Job
from league.queries import verification
from league.services.play import make_move
from tests.api.web import ROOT, assert_problem, bearer, get
from tests.core.ids import uid
from tests.factories import Cast
from tests.league.playing import finished
from tests.league.test_projections import wiped
from tests.league.test_verify import exported

NAMED = json.dumps({"player": uid("one"), "name": "One"})


@pytest.fixture(autouse=True)
def _no_beat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the thread of a job quiet: it would wait for the tables that the test itself has emptied."""
    monkeypatch.setattr("league.services.jobs._BEAT_SECONDS", 60)


@pytest.fixture
def sends(cast: Cast, django_capture_on_commit_callbacks: Any) -> Any:
    """Return what sends a file and follows it to its end."""
    olga = bearer(cast.olga, "club:organise")

    def send(data: Any, club: str = "") -> dict[str, Any]:
        path = f"{ROOT}/clubs/{club or cast.club.slug}/imports/"
        with django_capture_on_commit_callbacks(execute=True):
            begun = olga.generic("POST", path, data, "application/jsonl")
        assert (begun.status_code, begun.json()["created"]) == (202, None), begun.content
        told: dict[str, Any] = olga.get(begun["Location"]).json()
        return told

    return send


def over(cast: Cast) -> Game:
    game = cast.game("tally")
    make_move(ByAccount(cast.paul), game_id=game.pk, seq=2, move={"type": "resign"})
    return Game.objects.get(pk=game.pk)


def test_a_competition_is_imported_once_and_marked(cast: Cast, sends: Any) -> None:
    competition = finished(cast)
    lines = exported(competition)
    assert get(f"/competitions/{competition.pk}/")["imported_at"] is None
    wiped()
    told = sends("\n".join(lines))
    assert (told["status"], told["competition"], told["created"]) == ("done", str(competition.pk), True)
    assert get(f"/competitions/{competition.pk}/")["imported_at"]
    assert exported(Competition.objects.get()) == lines
    game = Game.objects.all()[0]
    assert get(f"/games/{game.pk}/")["imported_at"]
    assert sends("\n".join(lines))["created"] is False
    assert not Job.objects.exclude(upload=None).exists()


def test_a_game_is_imported_once_and_marked(cast: Cast, sends: Any) -> None:
    game = over(cast)
    lines = [*verification.game_lines(game)]
    assert get(f"/games/{game.pk}/")["imported_at"] is None
    wiped()
    told = sends("\ufeff" + "\n".join(lines))
    assert (told["status"], told["created"], told["competition"]) == ("done", True, None)
    assert [*verification.game_lines(Game.objects.get())] == lines
    here = get(f"/games/{told['game']}/")
    assert here["status"] == "finished" and here["imported_at"] < told["ended_at"]
    assert Import.objects.get().by == cast.olga
    again = sends("\n".join(lines))
    assert (again["game"], again["created"]) == (told["game"], False)
    assert Import.objects.count() == 1


def test_a_game_of_unknown_players_needs_their_names(cast: Cast, sends: Any) -> None:
    lines = [*verification.game_lines(over(cast))]
    wiped(players=True)
    refused = sends("\n".join(lines))
    assert refused["status"] == "failed" and "does not name this player" in refused["error"]
    named = [
        json.dumps({"player": str(player.pk), "name": player.name})
        for player in (cast.paul_plays, cast.petra_plays)
    ]
    told = sends("\n".join([*named, *lines]))
    seats = get(f"/games/{told['game']}/")["seats"]
    assert [seat["player"]["name"] for seat in seats] == ["Paul Pike", "Petra Plum"]


@pytest.mark.parametrize(("change", "why"), [
    (lambda lines: [*lines[:1], lines[1].replace("resign", "retire"), *lines[2:]], "entry 2"),
    (lambda lines: lines[:-1], "over"),
    (lambda lines: ["[" * 9000, *lines], "nested"),
    (lambda lines: ['{"player": 5}', *lines], "names no player"),
    (lambda lines: [NAMED, NAMED, *lines], "names this player twice"),
    (lambda lines: [lines[0].replace('"seq": 1', '"seq": "\\u0000"'), *lines[1:]], "it is numbered ?"),
    (lambda lines: ["\udc80"], "UTF-8"),
    (lambda lines: ["{}"] * (MOST_LINES + 1), "100000 lines"),
    (lambda lines: [], ""),
])  # fmt: skip
def test_what_does_not_hold_is_refused(cast: Cast, sends: Any, change: Any, why: str) -> None:
    text = "\n".join(change([*verification.game_lines(over(cast))]))
    told = sends(text.encode(errors="surrogateescape"))
    assert told["status"] == "failed" and why in told["error"] and told["error"]
    assert not Import.objects.exists()


def test_a_file_has_bounds_and_a_club_few_at_once(cast: Cast) -> None:
    olga, path = bearer(cast.olga), f"{ROOT}/clubs/{cast.club.slug}/imports/"
    big = olga.generic("POST", path, b" " * (MOST_BYTES + 1), "application/jsonl")  # type: ignore[arg-type]
    assert_problem(big, 413, "too_large")
    first, again, *others = (olga.generic("POST", path, data, "application/jsonl") for data in "aabc")
    assert first.json()["id"] == again.json()["id"] and {each.status_code for each in others} == {202}
    assert_problem(olga.generic("POST", path, "d", "application/jsonl"), 422, "illegal")
    assert_problem(bearer(cast.paul).get(first["Location"]), 403, "not_allowed")
