"""What every address does: it names what it made, its parameters, its rates, and describes itself."""

import pytest
import time_machine
from django.utils import timezone

from api.views.docs import document
from tests.api.web import EVERYBODY, ROOT, assert_problem, bearer, get, logged_in, move, say
from tests.factories import Cast


@pytest.mark.parametrize(("path", "known"), [
    ("games/", "status"), ("clubs/", "page_size"), ("rulesets/", "page"), ("games/{game}/moves/", "after"),
    ("games/{game}/events/", "after"), ("players/{player}/games.csv", "status"),
])  # fmt: skip
def test_an_unknown_parameter_is_refused_with_the_known_ones(cast: Cast, path: str, known: str) -> None:
    address = path.format(game=cast.game("tally").pk, player=cast.paul_plays.pk)
    shown = assert_problem(EVERYBODY.get(f"{ROOT}/{address}?colour=red"), 400, "malformed")
    assert known in shown["errors"]["colour"][0] and "Known are" in shown["errors"]["colour"][0]


def test_an_address_without_parameters_says_so(cast: Cast) -> None:
    game = cast.game("tally")
    for answer in (
        EVERYBODY.get(f"{ROOT}/games/{game.pk}/log/?page=1"),
        bearer(cast.paul).post(f"{ROOT}/games/{game.pk}/accept/?after=1", {}),
    ):
        shown = assert_problem(answer, 400, "malformed")
        assert "no parameters" in str([*shown["errors"].values()])


def test_a_wrong_move_is_named_below_move(cast: Cast) -> None:
    game = cast.game("tally")
    wrong = assert_problem(move(bearer(cast.paul), game, 2, {"type": "sing"}), 400, "malformed")
    assert [*wrong["errors"]] == ["move.type"]
    wrong = assert_problem(move(bearer(cast.paul), game, 2, {"type": "say", "number": "x"}), 400, "malformed")
    assert [*wrong["errors"]] == ["move.number"]


def test_what_is_made_has_a_location(cast: Cast) -> None:
    olga = bearer(cast.olga)
    game = {
        "club": cast.club.slug,
        "ruleset": "tally",
        "players": [str(player.pk) for player in cast.people(2)],
    }
    made = olga.post(f"{ROOT}/games/", game)
    assert made["Location"] == f"{ROOT}/games/{made.json()['id']}/"
    for client in (bearer(cast.paul, "play"), bearer(cast.petra, "play")):
        seq = get(made["Location"].removeprefix(ROOT))["seq"] + 1
        moved = client.post(f"{made['Location']}moves/", {"seq": seq, "move": say(3)})
        assert (moved.status_code, moved["Location"]) == (201, f"{made['Location']}at/{seq}/")
    player = olga.post(f"{ROOT}/clubs/{cast.club.slug}/players/", {"name": "Ann"})
    assert olga.get(player["Location"]).json()["name"] == "Ann"
    token = logged_in(cast.paul).post(f"{ROOT}/tokens/", {"name": "x", "scopes": ["read"]})
    assert token["Location"] == f"{ROOT}/tokens/{token.json()['token']['id']}/"
    stage = {"name": "League", "format": "rounds", "rounds": 1, "table_size": 2}
    body = {"club": cast.club.slug, "name": "Autumn", "ruleset": "tally", "stages": [stage]}
    competition = olga.post(f"{ROOT}/competitions/", body)
    assert get(competition["Location"].removeprefix(ROOT))["name"] == "Autumn"


def test_options_do_not_describe_answers_as_input(cast: Cast) -> None:
    shown = bearer(cast.olga).options(f"{ROOT}/games/").json()
    assert shown["name"] and "actions" not in shown


@pytest.mark.parametrize("path", ["games/", "games/00000000-0000-4000-8000-000000000007/"])
def test_an_answer_tells_the_rate_and_what_is_left(cast: Cast, path: str) -> None:
    with time_machine.travel(timezone.now(), tick=False):  # within one window
        first, second = (bearer(cast.paul).get(f"{ROOT}/{path}") for _ in range(2))
    assert first["RateLimit-Policy"] == '"account";q=60000;w=60'
    (policy, left, _), (_, then, _) = (each["RateLimit"].split(";") for each in (first, second))
    assert policy == '"account"' and int(left[2:]) - 1 == int(then[2:])


def test_the_schema_names_its_server_and_headers() -> None:
    assert document()["servers"] == [{"url": "/", "description": "This server."}]
    answers = document()["paths"][f"{ROOT}/games/"]["post"]["responses"]
    assert "Location" in answers["201"]["headers"] and "RateLimit" in answers["400"]["headers"]
