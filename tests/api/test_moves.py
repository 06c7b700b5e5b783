"""Moves: accepted, repeated, stale, illegal, or of another seat; and the log that contains them."""

import json
from typing import Any
from uuid import uuid4

import pytest
from celery import current_app
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import verifier
from games.engine import chance
from games.models import Game
from games.models.moves import Move
from tests.api.web import EVERYBODY, ROOT, assert_problem, bearer, get, logged_in, move, say
from tests.factories import Cast
from tests.factories import cast as a_cast


def finished(cast: Cast) -> Game:
    """Return a game that Petra has won."""
    game = cast.game("tally")
    move(bearer(cast.paul), game, 2, say(3))
    move(bearer(cast.petra), game, 3, say(9))
    return game


def test_the_response_to_a_move_is_the_game_as_its_seat_sees_it(cast: Cast) -> None:
    game, paul = cast.game("tally"), bearer(cast.paul)
    answer = move(paul, game, 2, say(5))
    assert answer.status_code == 201
    assert answer.json() == get(f"/games/{game.pk}/", paul)
    assert (answer.json()["seq"], answer.json()["to_act"]) == (2, [1])


def test_a_repeated_move_gets_200_and_the_current_game(cast: Cast) -> None:
    game, paul = cast.game("tally", {"rounds": 2}), bearer(cast.paul)
    move(paul, game, 2, say(5))
    move(bearer(cast.petra), game, 3, say(6))
    again = move(paul, game, 2, say(5))
    assert again.status_code == 200
    assert again.json() == get(f"/games/{game.pk}/", paul)
    assert Move.objects.filter(game=game).count() == 3


@pytest.mark.parametrize("seq", [0, 1, 2, 4, 99, 2**31 - 1])
def test_another_move_at_a_wrong_seq_is_stale_and_gets_the_next_seq(cast: Cast, seq: int) -> None:
    game, paul = cast.game("tally"), bearer(cast.paul)
    move(paul, game, 2, say(5))
    shown = assert_problem(move(paul, game, seq, say(7)), 409, "stale")
    assert shown["seq"] == 3
    assert ("has changed meanwhile" in shown["detail"]) is (seq in (1, 2))


def test_the_same_move_of_another_seat_is_not_a_retry(cast: Cast) -> None:
    game = cast.game("tally")
    move(bearer(cast.paul), game, 2, say(5))
    assert_problem(move(bearer(cast.petra), game, 2, say(5)), 409, "stale")


def test_an_illegal_move_names_its_rule_and_changes_nothing(cast: Cast) -> None:
    game, paul = cast.game("tally"), bearer(cast.paul)
    response = assert_problem(move(paul, game, 2, say(13)), 422, "illegal")
    assert (response["rule"], response["detail"]) == ("T2", "Thirteen is never said.")
    assert get(f"/games/{game.pk}/")["seq"] == 1


def test_a_move_out_of_turn_is_illegal(cast: Cast) -> None:
    response = assert_problem(move(bearer(cast.petra), cast.game("tally"), 2, say(5)), 422, "illegal")
    assert response["rule"] == "T1"


def test_an_illegal_move_without_a_rule_has_no_rule(cast: Cast) -> None:
    response = assert_problem(move(bearer(cast.paul), finished(cast), 4, say(5)), 422, "illegal")
    assert {"rule", "seq", "errors"}.isdisjoint(response)


@pytest.mark.parametrize("made", [
    {}, {"type": "fly"}, {"type": []}, {"type": {}}, {"type": None}, {"type": "say"}, {"type": "open"},
    {"type": "say", "number": "5"}, {"type": "say", "number": True}, {"type": "say", "number": 5.0},
    {"type": "say", "number": 10**4000}, {"type": "say", "number": 5, "loud": True},
    {"type": "penalty", "seat": 0}, {"type": "ready", "entropy": 7},
])  # fmt: skip
def test_an_invalid_move_is_malformed(cast: Cast, made: object) -> None:
    who = cast.olga if isinstance(made, dict) and made.get("type") == "penalty" else cast.paul
    assert assert_problem(move(bearer(who), cast.game("tally"), 2, made), 400, "malformed")["errors"]


@pytest.mark.parametrize(("body", "field"), [
    ({"move": say(5)}, "seq"), ({"seq": "2", "move": say(5)}, "seq"), ({"seq": True, "move": say(5)}, "seq"),
    ({"seq": -1, "move": say(5)}, "seq"), ({"seq": 2.0, "move": say(5)}, "seq"),
    ({"seq": 10**300, "move": say(5)}, "seq"), ({"seq": None, "move": say(5)}, "seq"),
    ({"seq": 2}, "move"), ({"seq": 2, "move": None}, "move"), ({"seq": 2, "move": [say(5)]}, "move"),
    ({"seq": 2, "move": say(5), "seat": 1}, "seat"), ([], ""), ([2], ""), ("move", ""), (7, ""), (None, ""),
])  # fmt: skip
def test_a_malformed_request_is_refused_with_its_wrong_fields(cast: Cast, body: object, field: str) -> None:
    path = f"{ROOT}/games/{cast.game('tally').pk}/moves/"
    answer = bearer(cast.nora).generic("POST", path, json.dumps(body), "application/json")
    assert field in assert_problem(answer, 400, "malformed")["errors"]


@pytest.mark.parametrize("below", ["moves/", "moves/batch/", "accept/", "decline/", "rematch/"])
def test_the_body_of_nobody_known_is_not_read(cast: Cast, below: str) -> None:
    path = f"{ROOT}/games/{cast.game('tally').pk}/{below}"
    for header, code in (("", "not_authenticated"), ("Bearer guess", "bad_token")):
        answer = EVERYBODY.generic("POST", path, "{", "application/json", HTTP_AUTHORIZATION=header)
        assert_problem(answer, 401, code)
    assert_problem(
        bearer(cast.paul, "read").generic("POST", path, "{", "application/json"), 403, "insufficient_scope"
    )


@pytest.mark.parametrize(("made", "field"), [
    ({"type": "ready", "entropy": "a\x07b"}, "entropy"), ({"type": "ready", "entropy": "a\x9fb"}, "entropy"),
    ({"type": "penalty", "seat": 0, "points": 3, "reason": "a\x1bb"}, "reason"),
])  # fmt: skip
def test_a_text_that_cannot_be_printed_is_named(cast: Cast, made: object, field: str) -> None:
    shown = assert_problem(move(bearer(cast.olga), cast.game("tally"), 2, made), 400, "malformed")
    assert shown["errors"] == {f"move.{field}": ["This has a character that cannot be printed."]}


def test_a_move_with_many_unknown_fields_gets_a_short_answer(cast: Cast) -> None:
    made = {**say(5), **{f"x{number}": 1 for number in range(5000)}}
    answer = move(bearer(cast.paul), cast.game("tally"), 2, made)
    errors = assert_problem(answer, 400, "malformed")["errors"]
    assert len(errors) == 21 and "More than 20" in errors["move"][0]


@pytest.mark.parametrize(("who", "scopes", "status", "code"), [
    (None, (), 401, "not_authenticated"),
    ("paul", ("read",), 403, "insufficient_scope"),
    ("nora", ("play",), 403, "not_allowed"),
    ("olga", ("play", "organise"), 403, "not_allowed"),
])  # fmt: skip
def test_a_caller_without_a_seat_is_refused_before_the_seq_is_checked(
    cast: Cast, who: str | None, scopes: tuple[str, ...], status: int, code: str
) -> None:
    client = bearer(getattr(cast, who), *scopes) if who else EVERYBODY
    for seq in (2, 77):
        assert_problem(move(client, cast.game("tally"), seq, say(5)), status, code)


def test_a_seat_belongs_to_an_account_and_not_to_the_club(cast: Cast) -> None:
    game = cast.game("tally", players=[player.pk for player in cast.people(4)[2:]])
    assert_problem(move(bearer(cast.paul), game, 2, say(5)), 403, "not_allowed")


def test_an_organiser_makes_arbiter_moves_with_the_same_call(cast: Cast) -> None:
    game = cast.game("tally")
    penalty = {"type": "penalty", "seat": 1, "points": 3, "reason": "late"}
    response = move(bearer(cast.olga, "organise"), game, 2, penalty)
    assert response.status_code == 201 and response.json()["you"] is None
    entry = get(f"/games/{game.pk}/moves/?after=1")["results"][0]
    assert (entry["role"], entry["seat"]) == ("arbiter", None)


@pytest.mark.parametrize("who", ["paul", "nora"])
def test_only_organisers_make_arbiter_moves(cast: Cast, who: str) -> None:
    ruling = {"type": "abandon", "reason": "I lose"}
    assert_problem(move(bearer(getattr(cast, who)), cast.game("tally"), 2, ruling), 403, "not_allowed")


def test_a_move_in_an_unknown_game_is_not_found(cast: Cast) -> None:
    answer = bearer(cast.paul).post(f"{ROOT}/games/{uuid4()}/moves/", {"seq": 2, "move": say(5)})
    assert_problem(answer, 404, "not_found")


def test_a_session_needs_a_csrf_token_to_move(cast: Cast) -> None:
    game = cast.game("tally")
    assert_problem(move(logged_in(cast.paul, csrf=False), game, 2, say(5)), 403, "not_allowed")
    assert move(logged_in(cast.paul), game, 2, say(5)).status_code == 201


MOST_QUERIES = 11


@pytest.mark.parametrize("length", [2, 60])
def test_the_number_of_queries_of_a_move_does_not_depend_on_the_length_of_the_game(
    cast: Cast, length: int
) -> None:
    game, clients = cast.game("tally", {"rounds": 100}), (bearer(cast.paul), bearer(cast.petra))
    for seq in range(2, length + 2):
        move(clients[seq % 2], game, seq, say(1))
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert move(clients[length % 2], game, length + 2, say(1)).status_code == 201
    assert len(queries) <= MOST_QUERIES, "\n".join(query["sql"][:160] for query in queries)


# ---- The log -------------------------------------------------------------------------------------


def test_each_log_entry_has_a_text(cast: Cast) -> None:
    rows = get(f"/games/{finished(cast).pk}/moves/")["results"]
    assert [{*row} for row in rows] == [{"ruleset", "seq", "seat", "role", "move", "at", "hash", "text"}] * 3
    assert [(row["seq"], row["seat"], row["role"]) for row in rows] == [
        (1, None, "system"), (2, 0, "seat"), (3, 1, "seat"),
    ]  # fmt: skip
    assert [row["text"] for row in rows] == ["The game is opened", "Paul Pike says 3", "Petra Plum says 9"]
    assert rows[1]["move"] == say(3)


def test_the_log_can_be_read_from_a_given_entry_on(cast: Cast) -> None:
    game = finished(cast)
    assert [row["seq"] for row in get(f"/games/{game.pk}/moves/?after=1")["results"]] == [2, 3]
    assert get(f"/games/{game.pk}/moves/?after=3")["results"] == []


def test_a_long_log_comes_in_pages(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.lists.Entries.page_size", 2)
    first = get(f"/games/{finished(cast).pk}/moves/")
    second = get(first["next"].removeprefix("http://testserver/api/v1"))
    assert [row["seq"] for row in (*first["results"], *second["results"])] == [1, 2, 3]
    assert second["next"] is None


@pytest.mark.parametrize("after", ["-1", "x", "", "1.5", "%00", "2147483648", "9" * 5000, "٣"])
def test_a_wrong_after_is_malformed(cast: Cast, after: str) -> None:
    answer = EVERYBODY.get(f"{ROOT}/games/{cast.game('tally').pk}/moves/?after={after}")
    assert "after" in assert_problem(answer, 400, "malformed")["errors"]


def test_the_first_line_tells_the_first_dealers_bonus(cast: Cast) -> None:
    game = cast.game("scamper")
    rows = EVERYBODY.get(f"{ROOT}/games/{game.pk}/moves/").json()["results"]
    bonus = (
        "The game is opened. Seat {} gets -20 points (S6): A bonus for dealing first; the lowest total wins."
    )
    assert rows[0]["text"] == bonus.format(get(f"/games/{game.pk}/")["view"]["dealer"])


def exported(game: Game) -> Any:
    return EVERYBODY.get(f"{ROOT}/games/{game.pk}/log/")


def test_the_exported_log_of_a_finished_game_verifies(cast: Cast) -> None:
    answer = exported(finished(cast))
    assert answer["Content-Type"] == "application/jsonl"
    report = verifier.check(answer.content.decode().split("\n"))
    assert report.replayed and report.result is not None


def test_the_exported_log_of_a_running_game_has_no_seed(cast: Cast) -> None:
    lines = exported(cast.game("tally")).content.decode().splitlines()
    assert len(lines) == 1 and "seed" not in json.loads(lines[0])


def test_the_draws_of_a_game_are_listed_once_it_is_over(cast: Cast) -> None:
    game = cast.game("scoops")
    assert get(f"/games/{game.pk}/draws/") == {"draws": []}
    move(bearer(cast.paul), game, 2, {"type": "resign"})
    draws = get(f"/games/{game.pk}/draws/")["draws"]
    chances = chance.Chance(chance.game_seed(bytes.fromhex(get(f"/games/{game.pk}/")["seed"]), ()))
    assert [each["purpose"] for each in draws] == ["first-seat", "round/1/deal", "round/1/dice"]
    assert draws[0]["gives"] == chances.below("first-seat", draws[0]["bound"])
    assert draws[1]["gives"] == list(chances.shuffled("round/1/deal", draws[1]["items"]))
    assert draws[2]["gives"] == list(chances.dice("round/1/dice", draws[2]["count"]))


def test_the_log_ignores_the_accept_header(cast: Cast) -> None:
    path = f"{ROOT}/games/{cast.game('tally').pk}/log/"
    assert EVERYBODY.get(path, HTTP_ACCEPT="application/json").status_code == 200


# ---- The table after an entry --------------------------------------------------------------------


def test_a_finished_game_is_shown_with_all_cards_after_each_entry(cast: Cast) -> None:
    game = cast.game("scoops")
    move(bearer(cast.paul), game, 2, {"type": "resign"})
    shown = get(f"/games/{game.pk}/at/1/")
    assert "C" in json.dumps(shown["hand"]) or len(json.dumps(shown)) > len(json.dumps(spectators(cast)))


def spectators(cast: Cast) -> Any:
    """Return what spectators see of a game of Scoops just begun."""
    return get(f"/games/{cast.game('scoops').pk}/at/1/")


def test_a_running_game_is_shown_as_spectators_see_it_to_its_players_too(cast: Cast) -> None:
    game = cast.game("scoops")
    public = get(f"/games/{game.pk}/")["view"]
    for client in (EVERYBODY, bearer(cast.paul), bearer(cast.olga)):
        assert get(f"/games/{game.pk}/at/1/", client) == public


@pytest.mark.parametrize("seq", ["0", "2", "2147483648", "9" * 5000, "-1", "x", "1.0", "%00"])
def test_an_unknown_entry_is_not_found(cast: Cast, seq: str) -> None:
    assert_problem(EVERYBODY.get(f"{ROOT}/games/{cast.game('tally').pk}/at/{seq}/"), 404, "not_found")


@pytest.mark.django_db(transaction=True)
def test_the_last_move_of_a_game_is_kept_when_the_broker_is_down(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(current_app.conf, "task_always_eager", False)
    cast = a_cast()
    assert finished(cast).pk and Game.objects.get().status == "finished"


class TestScopes:
    """A token moves as a seat with `play:move`, as the arbiter with `club:rule`; one is not the other."""

    def test_a_ruling_needs_club_rule(self, cast: Cast) -> None:
        game = cast.game("tally")
        ruling = {"type": "penalty", "seat": 1, "points": 5, "reason": "advice"}
        answer = move(bearer(cast.olga, "play", "club:organise"), game, 2, ruling)
        assert "club:rule" in assert_problem(answer, 403, "insufficient_scope")["detail"]
        assert answer["WWW-Authenticate"].endswith('error="insufficient_scope", scope="club:rule"')
        assert get(f"/games/{game.pk}/")["seq"] == 1
        assert move(bearer(cast.olga, "organise"), game, 2, ruling).status_code == 201

    def test_a_seat_needs_play(self, cast: Cast) -> None:
        game = cast.game("tally")
        organising = bearer(cast.paul, "organise")
        for each in (say(5), {"type": "resign"}):
            assert_problem(move(organising, game, 2, each), 403, "insufficient_scope")
        assert move(bearer(cast.paul, "play"), game, 2, say(5)).status_code == 201
