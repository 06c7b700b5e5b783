"""Opening and reading games: each field of the contract, for each kind of viewer."""

from datetime import UTC, datetime, timedelta

import pytest

from games import log
from tests.api.web import EVERYBODY, NOBODY, ROOT, assert_problem, bearer, get, logged_in, move, say
from tests.factories import Cast, MemberFactory, PlayerFactory


def body(cast: Cast, **changes: object) -> dict[str, object]:
    players = [str(cast.paul_plays.pk), str(cast.petra_plays.pk)]
    return {"club": cast.club.slug, "ruleset": "tally", "players": players, **changes}


def test_an_organiser_opens_a_casual_game_and_gets_it_in_the_response(cast: Cast) -> None:
    answer = bearer(cast.olga).post(f"{ROOT}/games/", body(cast, options={"rounds": 2}, clock={}))
    assert answer.status_code == 201
    shown = answer.json()
    assert shown == get(f"/games/{shown['id']}/", bearer(cast.olga))
    assert (shown["ruleset"], shown["options"], shown["status"]) == ("tally@1", {"rounds": 2}, "active")
    assert (shown["club"], shown["competition"], shown["table"]) == (cast.club.slug, None, None)


def test_the_tag_of_a_new_game_makes_the_look_at_it_a_304(cast: Cast) -> None:
    olga = bearer(cast.olga)
    answer = olga.post(f"{ROOT}/games/", body(cast))
    assert answer["Content-Location"] == answer["Location"]
    again = olga.get(answer["Content-Location"], HTTP_IF_NONE_MATCH=answer["ETag"])
    assert (again.status_code, again["ETag"]) == (304, answer["ETag"])


def test_a_game_has_exactly_the_fields_of_the_contract(cast: Cast) -> None:
    game = cast.game("tally")
    shown = get(f"/games/{game.pk}/", bearer(cast.paul))
    assert shown == {
        "id": str(game.pk),
        "ruleset": "tally@1",
        "options": {"rounds": 1},
        "status": "active",
        "club": cast.club.slug,
        "competition": None,
        "table": None,
        "seats": [
            {
                "seat": 0,
                "player": {"id": str(cast.paul_plays.pk), "name": "Paul Pike", "bot": False},
                "team": 0,
                "out": False,
            },
            {
                "seat": 1,
                "player": {"id": str(cast.petra_plays.pk), "name": "Petra Plum", "bot": False},
                "team": 1,
                "out": False,
            },
        ],
        "seq": 1,
        "head": game.head,
        "commitment": game.commitment,
        "seed": None,
        "to_act": [0],
        "unanswered": [],
        "deadline": None,
        "you": 0,
        "ruled": False,
        "aided": True,
        "view": shown["view"],
        "choices": [{"type": "say", "fields": {"number": {"values": list(range(13))}}}],
        "result": None,
        "imported_at": None,
    }
    assert {"round", "rounds", "scores", "sheet", "turn", "phase"} <= {*shown["view"]}


def test_only_a_seat_sees_its_hand_and_its_choices(cast: Cast) -> None:
    game = cast.game("scoops")
    paul = get(f"/games/{game.pk}/", bearer(cast.paul))
    turn = paul["to_act"][0]
    assert paul["you"] == 0 and len(paul["view"]["hand"]) == 8
    assert bool(paul["choices"]) == (turn == 0)
    for client in (EVERYBODY, bearer(cast.olga), bearer(cast.nora), bearer(cast.paul, "organise")):
        shown = get(f"/games/{game.pk}/", client)
        assert shown["you"] is None and shown["choices"] == [] and not shown["view"].get("hand")


@pytest.mark.parametrize("scope", ["read", "play"])
def test_a_token_with_read_or_play_gets_the_view_of_its_seat(cast: Cast, scope: str) -> None:
    assert get(f"/games/{cast.game('tally').pk}/", bearer(cast.petra, scope))["you"] == 1


def test_a_session_gets_the_view_of_its_seat(cast: Cast) -> None:
    assert get(f"/games/{cast.game('tally').pk}/", logged_in(cast.petra))["you"] == 1


def test_the_view_of_a_seat_is_not_cached_by_proxies(cast: Cast) -> None:
    answer = bearer(cast.paul).get(f"{ROOT}/games/{cast.game('tally').pk}/")
    assert answer["Cache-Control"] == "private, no-cache"


def test_a_game_with_a_clock_has_a_deadline(cast: Cast) -> None:
    shown = bearer(cast.olga).post(f"{ROOT}/games/", body(cast, clock={"move": 3600})).json()
    left = datetime.fromisoformat(shown["deadline"]) - datetime.now(UTC)
    assert timedelta(minutes=50) < left <= timedelta(minutes=60)


def test_a_game_with_entropy_waits_for_its_seats(cast: Cast) -> None:
    opened = bearer(cast.olga).post(f"{ROOT}/games/", body(cast, entropy=True)).json()
    shown = get(f"/games/{opened['id']}/", bearer(cast.paul))
    assert shown["view"]["phase"] == "joining"
    assert shown["to_act"] == [0, 1]
    assert [choice["type"] for choice in shown["choices"]] == ["ready"]


def test_a_finished_game_shows_its_seed_and_result(cast: Cast) -> None:
    game = cast.game("tally")
    move(bearer(cast.paul), game, 2, say(3))
    shown = move(bearer(cast.petra), game, 3, say(9)).json()
    assert (shown["status"], shown["to_act"], shown["choices"]) == ("finished", [], [])
    assert shown["result"]["seats"] == [
        {"seat": 0, "rank": 2, "score": 3},
        {"seat": 1, "rank": 1, "score": 9},
    ]
    game.refresh_from_db()
    assert shown["seed"] == log.published_seed(game)


def test_a_seat_that_resigned_is_out(cast: Cast) -> None:
    game = cast.game("tally", players=[player.pk for player in cast.people(3)])
    shown = move(bearer(cast.petra), game, 2, {"type": "resign"}).json()
    assert [seat["out"] for seat in shown["seats"]] == [False, True, False]


# ---- Who may open, and what ----------------------------------------------------------------------


@pytest.mark.parametrize(("who", "scopes", "status", "code"), [
    ("nora", ("play",), 403, "not_allowed"),
    ("paul", ("read",), 403, "insufficient_scope"),
    (None, (), 401, "not_authenticated"),
])  # fmt: skip
def test_a_refusal_to_open_a_game_gives_the_reason(
    cast: Cast, who: str | None, scopes: tuple[str, ...], status: int, code: str
) -> None:
    client = bearer(getattr(cast, who), *scopes) if who else EVERYBODY
    assert_problem(client.post(f"{ROOT}/games/", body(cast)), status, code)


@pytest.mark.parametrize(("changes", "field"), [
    ({"club": "nowhere"}, "club"),
    ({"club": "\0"}, "club"),
    ({"club": 7}, "club"),
    ({"ruleset": "chess"}, "ruleset"),
    ({"ruleset": ["tally"]}, "ruleset"),
    ({"players": []}, "players"),
    ({"players": "me"}, "players"),
    ({"players": ["me", "you"]}, "players.0"),
    ({"players": [str(NOBODY)] * 2}, "players.0"),
    ({"players": [1, 2]}, "players.0"),
    ({"options": {"rounds": 0}}, "options.rounds"),
    ({"options": {"rounds": 10**400}}, "options.rounds"),
    ({"options": {"stakes": 5}}, "options.stakes"),
    ({"options": []}, "options"),
    ({"options": {"rounds": 1.5}}, "options"),
    ({"clock": {"move": -1}}, "clock.move"),
    ({"clock": {"tick": 30}}, "clock.tick"),
    ({"clock": 30}, "clock"),
    ({"entropy": "yes"}, "entropy"),
    ({"colour": "red"}, "colour"),
])  # fmt: skip
def test_a_wrong_opening_names_the_field(cast: Cast, changes: dict[str, object], field: str) -> None:
    shown = assert_problem(bearer(cast.paul).post(f"{ROOT}/games/", body(cast, **changes)), 400, "malformed")
    assert field in shown["errors"]


def test_a_player_can_not_have_two_seats(cast: Cast) -> None:
    twice = [str(cast.paul_plays.pk)] * 2
    shown = assert_problem(
        bearer(cast.paul).post(f"{ROOT}/games/", body(cast, players=twice)), 400, "malformed"
    )
    assert "players.1" in shown["errors"]


# ---- Lists ---------------------------------------------------------------------------------------


def test_games_are_listed_with_the_last_opened_first(cast: Cast) -> None:
    games = [cast.game("tally") for _ in range(3)]
    rows = get("/games/")["results"]
    assert [row["id"] for row in rows] == [str(game.pk) for game in reversed(games)]
    assert rows[0]["awaited"] == [0] and rows[0]["seats"][1]["player"]["name"] == "Petra Plum"


def test_pages_link_to_the_next_and_previous_page(cast: Cast) -> None:
    games = [str(cast.game("tally").pk) for _ in range(3)]
    first = get("/games/?page_size=2&ordering=opened_at")
    second = get(first["next"].removeprefix("http://testserver/api/v1"))
    assert [row["id"] for row in (*first["results"], *second["results"])] == games
    assert second["next"] is None and second["previous"] is not None


def test_games_are_filtered_by_their_fields(cast: Cast) -> None:
    mine, other = cast.game("tally"), cast.game("scoops")
    over = cast.game("tally", players=[player.pk for player in cast.people(4)[2:]])
    services_abandon = move(bearer(cast.olga), over, 2, {"type": "abandon", "reason": "rain"})
    assert services_abandon.status_code == 201
    for query, found in {
        "status=abandoned": {over},
        "ruleset=scoops": {other},
        "ruleset=tally@1": {mine, over},
        f"player={cast.paul_plays.pk}": {mine, other},
        f"club={cast.club.slug}&status=active": {mine, other},
        "club=elsewhere": set(),
        f"competition={NOBODY}": set(),
    }.items():
        assert {row["id"] for row in get(f"/games/?{query}")["results"]} == {str(game.pk) for game in found}


@pytest.mark.parametrize("query", [
    "status=lost", "player=me", "competition=%00", "club=%00", "ordering=secret", "page_size=0",
    "page_size=x", "page_size=1001", "page_size=" + "9" * 5000,
])  # fmt: skip
def test_a_wrong_query_is_malformed(cast: Cast, query: str) -> None:
    shown = assert_problem(EVERYBODY.get(f"{ROOT}/games/?{query}"), 400, "malformed")
    assert query.partition("=")[0] in shown["errors"]


@pytest.mark.parametrize("page", ["0", "-1", "x", "", "%00", "9" * 5000])
def test_a_page_that_is_not_a_number_is_malformed(cast: Cast, page: str) -> None:
    assert_problem(EVERYBODY.get(f"{ROOT}/games/?page={page}"), 400, "malformed")


def test_an_unknown_page_is_not_found(cast: Cast) -> None:
    assert_problem(EVERYBODY.get(f"{ROOT}/games/?page=2"), 404, "not_found")


def test_the_number_of_queries_does_not_depend_on_the_number_of_games(
    cast: Cast, django_assert_max_num_queries: object
) -> None:
    for _ in range(8):
        cast.game("tally", players=[player.pk for player in PlayerFactory.create_batch(3, club=cast.club)])
    with django_assert_max_num_queries(4):  # type: ignore[operator]
        assert len(get("/games/")["results"]) == 8


def test_members_of_any_role_can_open_a_casual_game(cast: Cast) -> None:
    scorekeeper = MemberFactory.create(club=cast.club, role="scorekeeper").account
    assert bearer(scorekeeper, "organise").post(f"{ROOT}/games/", body(cast)).status_code == 201
