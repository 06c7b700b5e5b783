"""A competition from its opening to its final standings over the API; and who is allowed to run it."""

import csv
import json
from io import StringIO
from typing import Any

import pytest
from rest_framework.test import APIClient

from games.models import Game
from league import tasks
from league.core.verbs import ORGANISER_VERBS, PLAYER_VERBS
from league.models import Competition, Player, Standing, Standings
from tests.api.web import EVERYBODY, NOBODY, ROOT, assert_problem, bearer, get, move, say
from tests.factories import Cast, MemberFactory

STAGE = {"name": "League", "format": "rounds", "rounds": 2, "table_size": 2}


def opening(cast: Cast, **changes: object) -> dict[str, object]:
    response = {"club": cast.club.slug, "name": "Winter", "ruleset": "tally", "stages": [STAGE]}
    return {**response, **changes}


class Desk:
    """Olga's desk: a competition that she directs over the API."""

    def __init__(self, cast: Cast, **changes: object) -> None:
        self.olga = bearer(cast.olga, "organise")
        answer = self.olga.post(f"{ROOT}/competitions/", opening(cast, **changes))
        assert answer.status_code == 201, answer.content
        self.path = f"/competitions/{answer.json()['id']}"

    def does(self, verb: str, status: int = 201, **body: object) -> Any:
        answer = self.olga.post(f"{ROOT}{self.path}/{verb}/", body)
        assert answer.status_code == status, answer.content
        return answer.json()

    def reads(self, what: str) -> Any:
        return get(f"{self.path}/{what}")

    def enters(self, players: list[Player]) -> None:
        for player in players:
            self.does("enter", players=[str(player.pk)])

    def plays(self, cast: Cast) -> None:
        """Let Paul and Petra, alone in the club, play the round that is published: Petra always wins."""
        (game,) = Game.objects.filter(status="active")
        for seq in (2, 3):
            seat = get(f"/games/{game.pk}/")["to_act"][0]
            sits = game.seats.get(number=seat).player
            paul = sits == cast.paul_plays.pk
            move(bearer(cast.paul if paul else cast.petra), game, seq, say(1 if paul else 9))
        tasks.sweep()


@pytest.fixture
def desk(cast: Cast) -> Desk:
    """Return a competition of Paul against Petra, started and not drawn."""
    desk = Desk(cast)
    desk.enters([cast.paul_plays, cast.petra_plays])
    desk.does("start")
    return desk


def test_a_competition_is_opened_and_listed(cast: Cast) -> None:
    desk = Desk(cast, slug="winter")
    response = get(f"{desk.path}/")
    assert {*response} == {
        "id", "club", "slug", "name", "ruleset", "options", "pace", "status", "stage", "round", "seq", "head",
        "opened_at", "changed_at", "acts_at",
    }  # fmt: skip
    assert (response["club"], response["slug"], response["status"], response["seq"]) == (
        cast.club.slug,
        "winter",
        "preparing",
        1,
    )
    assert get("/competitions/?slug=winter")["results"] == [response]


def test_a_competition_is_played_over_the_api_from_entry_to_the_last_standings(
    cast: Cast, desk: Desk
) -> None:
    for _ in range(2):
        desk.does("draw")
        desk.does("publish")
        desk.plays(cast)
        desk.does("close-round")
    assert desk.does("finish")["status"] == "finished"
    tasks.sweep()
    rows = desk.reads("standings/")["results"]
    assert [(row["rank"], row["entry"]["name"], row["played"]) for row in rows] == [
        (1, "Petra Plum", 2), (2, "Paul Pike", 2),
    ]  # fmt: skip


def test_entries_stages_rounds_tables_and_games_show_who_sits_where(cast: Cast, desk: Desk) -> None:
    desk.does("draw")
    desk.does("publish")
    assert [entry["players"][0]["name"] for entry in desk.reads("entries/")["results"]] == [
        "Paul Pike",
        "Petra Plum",
    ]
    assert desk.reads("stages/")["results"][0]["plan"]["rounds"] == 2
    (response,), (table,), (game,) = (
        desk.reads(f"{what}/")["results"] for what in ("rounds", "tables", "games")
    )
    assert (response["stage"], response["number"], response["status"], response["byes"]) == (
        1,
        1,
        "published",
        [],
    )
    assert response["tables"] == [table["id"]] and table["games"] == [game["id"]]
    assert {seat["player"]["name"] for seat in table["seats"]} == {"Paul Pike", "Petra Plum"}
    shown = get(f"/games/{game['id']}/")
    assert (shown["competition"], shown["table"]) == (desk.path.split("/")[-1], table["id"])


def test_only_organisers_see_a_drawn_round_until_it_is_published(cast: Cast, desk: Desk) -> None:
    desk.does("draw")
    for what in ("rounds/", "tables/"):
        assert desk.reads(what)["results"] == get(f"{desk.path}/{what}", bearer(cast.nora))["results"] == []
        assert len(get(f"{desk.path}/{what}", desk.olga)["results"]) == 1


def test_standings_have_the_fields_of_the_contract_and_the_last_event_included(
    cast: Cast, desk: Desk
) -> None:
    desk.does("draw")
    desk.does("publish")
    desk.plays(cast)
    response = desk.reads("standings/?stage=1")
    assert {"rank", "entry", "played", "points", "tiebreaks", "decided_by", "movement"} <= {
        *response["results"][0]
    }
    assert response["as_of"] == Competition.objects.get().seq
    assert [row["points"] for row in response["results"]] == ["1", "0"]
    assert get(f"{desk.path}/standings.json") == response["results"]


def test_as_of_is_that_of_the_rows_even_if_newer_standings_are_written_meanwhile(
    cast: Cast, desk: Desk
) -> None:
    desk.does("draw")
    desk.does("publish")
    desk.plays(cast)
    before = Standing.objects.first()
    assert before
    Standings.objects.update(as_of=before.as_of + 5)
    assert desk.reads("standings/")["as_of"] == before.as_of


def test_the_order_of_tie_breaks_is_that_of_the_plan(cast: Cast) -> None:
    order = ["score_difference", "wins", "head_to_head", "game_score"]
    desk = Desk(cast, stages=[{**STAGE, "tie_breaks": order}])
    desk.enters([cast.paul_plays, cast.petra_plays])
    desk.does("start")
    desk.does("draw")
    desk.does("publish")
    desk.plays(cast)
    rows = desk.reads("standings/")["results"]
    assert [row["tiebreak_order"] for row in rows] == [order, order]
    assert [{*row["tiebreaks"]} for row in rows] == [{*order}, {*order}]
    answer = EVERYBODY.get(f"{ROOT}{desk.path}/standings.csv").content.decode()
    header = answer.splitlines()[0].lstrip("\ufeff").replace('"', "").split(",")
    assert [name for name in header if name in order] == order


def test_standings_after_each_round_are_kept(cast: Cast, desk: Desk) -> None:
    for _ in range(2):
        desk.does("draw")
        desk.does("publish")
        desk.plays(cast)
        desk.does("close-round")
        tasks.sweep()
    assert [row["played"] for row in desk.reads("standings/?round=1")["results"]] == [1, 1]
    assert [row["best_rank"] for row in desk.reads("standings/?round=1")["results"]] == [None, None]
    now = desk.reads("standings/")["results"]
    assert [(row["best_rank"], row["worst_rank"]) for row in now] == [(1, 1), (2, 2)]
    assert [row["played"] for row in desk.reads("standings/?round=2")["results"]] == [2, 2]


def test_the_standings_csv_has_a_column_for_each_tie_break(cast: Cast) -> None:
    desk = Desk(cast, stages=[{**STAGE, "tie_breaks": ["wins", "lot"]}])
    cast.paul_plays.name = "=cmd()"
    cast.paul_plays.save()
    desk.enters([cast.paul_plays, cast.petra_plays])
    desk.does("start")
    desk.does("draw")
    desk.does("publish")
    desk.plays(cast)
    answer = EVERYBODY.get(f"{ROOT}{desk.path}/standings.csv")
    assert answer["Content-Type"].startswith("text/csv")
    rows = list(csv.DictReader(StringIO(answer.content.decode())))
    assert [row["entry"] for row in rows] == ["Petra Plum", "'=cmd()"]
    assert [row["wins"] for row in rows] == ["1", "0"]
    last = ["decided_by", "movement", "best_rank", "worst_rank", "to_come", "corrected"]
    assert [*rows[0]][-6:] == last


def test_the_log_is_listed_and_exported_entry_by_entry(cast: Cast, desk: Desk) -> None:
    rows = desk.reads("events/")["results"]
    assert [row["seq"] for row in rows] == list(range(1, len(rows) + 1))
    assert [row["event"]["type"] for row in rows][:3] == ["opened", "entered", "entered"]
    assert [row["seq"] for row in desk.reads("events/?after=2")["results"]] == [
        row["seq"] for row in rows[2:]
    ]
    lines = EVERYBODY.get(f"{ROOT}{desk.path}/log/").content.decode().splitlines()
    assert [json.loads(line)["hash"] for line in lines] == [row["hash"] for row in rows]


def test_corrections_are_events_with_their_reasons(cast: Cast, desk: Desk) -> None:
    desk.does("draw")
    desk.does("publish")
    (table,) = desk.reads("tables/")["results"]
    seats = [{"seat": seat, "rank": 1 + seat, "score": 0} for seat in (0, 1)]
    desk.does("rule", table=table["id"], seats=seats, reason="cards were lost")
    desk.does("adjust", entry=table["seats"][0]["entry"]["id"], points="-1/2", reason="late")
    desk.does("void", table=table["id"], reason="wrong pack")
    assert [row["event"]["type"] for row in desk.reads("events/")["results"]][-3:] == [
        "ruled",
        "adjusted",
        "voided",
    ]
    assert desk.reads("tables/")["results"][0]["status"] == "void"


def test_a_repeated_verb_with_the_same_seq_changes_nothing(cast: Cast) -> None:
    desk, paul = Desk(cast), str(cast.paul_plays.pk)
    first = desk.does("enter", players=[paul], seq=2)
    assert desk.does("enter", 200, players=[paul], seq=2) == first
    other = desk.olga.post(f"{ROOT}{desk.path}/enter/", {"players": [str(cast.petra_plays.pk)], "seq": 2})
    assert assert_problem(other, 409, "stale")["seq"] == 3


def test_a_verb_that_the_state_forbids_is_illegal(cast: Cast) -> None:
    desk = Desk(cast)
    for verb in ("draw", "publish", "close-round", "finish", "resume"):
        assert_problem(desk.olga.post(f"{ROOT}{desk.path}/{verb}/", {}), 422, "illegal")


# ---- Previews ------------------------------------------------------------------------------------


def previewed(desk: Desk, verb: str, status: int = 200, **body: object) -> Any:
    answer = desk.olga.post(f"{ROOT}{desk.path}/{verb}/preview/", body)
    assert answer.status_code == status, answer.content
    return answer.json()


def test_a_preview_shows_standings_before_and_after_and_writes_nothing(cast: Cast, desk: Desk) -> None:
    desk.does("draw")
    desk.does("publish")
    table = desk.reads("tables/")["results"][0]
    before, head = Game.objects.count(), get(desk.path + "/")["head"]
    seats = [{"seat": seat, "rank": 2 - seat, "score": 0} for seat in (0, 1)]
    found = previewed(desk, "rule", table=table["id"], seats=seats, reason="cards were lost")
    assert found["events"] == ["Round 1, table 1: the result is set. (cards were lost)"]
    winner = table["seats"][1]["entry"]
    first = found["standings"]["after"][0]
    assert (first["rank"], first["entry"], first["stage"]) == (1, winner, 1)
    assert {row["points"] for row in found["standings"]["before"]} == {"0"}
    assert found["qualifiers"] == found["divisions"] == {"before": [], "after": []}
    assert (Game.objects.count(), get(desk.path + "/")["head"]) == (before, head)
    desk.does("rule", table=table["id"], seats=seats, reason="cards were lost")


def test_a_preview_of_a_replay_leaves_the_game_running(cast: Cast, desk: Desk) -> None:
    desk.does("draw")
    desk.does("publish")
    table = desk.reads("tables/")["results"][0]
    found = previewed(desk, "replay", table=table["id"], reason="torn card")
    assert found["events"][-1] == "Round 1, table 1 plays its abandoned game again. (torn card)"
    assert set(Game.objects.values_list("status", flat=True)) == {"active"}


def test_a_preview_refuses_as_the_verb_does(cast: Cast, desk: Desk) -> None:
    entry = desk.reads("entries/")["results"][0]["id"]
    url = f"{ROOT}{desk.path}/adjust/preview/"
    body = {"entry": entry, "points": "1", "reason": "x"}
    assert (
        "points" in assert_problem(desk.olga.post(url, {**body, "points": "?"}), 400, "malformed")["errors"]
    )
    assert_problem(desk.olga.post(url, {**body, "entry": str(NOBODY)}), 422, "illegal")
    assert_problem(desk.olga.post(url, {**body, "seq": 2}), 409, "stale")
    draws = assert_problem(desk.olga.post(f"{ROOT}{desk.path}/draw/preview/", {}), 422, "illegal")
    assert draws["detail"] == "A draw can't be previewed."


def test_a_scorekeeper_previews_the_verbs_of_scorekeepers(cast: Cast, desk: Desk) -> None:
    sam = bearer(MemberFactory.create(club=cast.club, role="scorekeeper").account, "organise")
    desk.does("draw")
    desk.does("publish")
    table = desk.reads("tables/")["results"][0]
    entry = table["seats"][0]["entry"]["id"]
    body = {"table": table["id"], "entries": [entry]}
    assert sam.post(f"{ROOT}{desk.path}/walk-over/preview/", body).status_code == 200
    void = sam.post(f"{ROOT}{desk.path}/void/preview/", {"table": table["id"], "reason": "x"})
    assert_problem(void, 403, "not_allowed")


# ---- Who, and what -------------------------------------------------------------------------------

OF_ENTRY = (
    *("approve", "reject", "admit", "check-in", "check-out", "absent", "present", "withdraw", "return-entry"),
    *("take-back-adjustment", "take-back-decision"),
)
OF_REASON = (
    *("cancel", "discard-draw", "reopen", "reopen-round", "take-back-stage", "take-back-start"),
    "withdraw-round",
)

BODIES: dict[str, dict[str, object]] = {
    "enter": {"players": [str(NOBODY)]},
    **{verb: {"entry": str(NOBODY)} for verb in OF_ENTRY},
    **{verb: {"reason": "x"} for verb in OF_REASON},
    "reopen-table": {"table": str(NOBODY), "reason": "x"},
    "take-back-outcome": {"table": str(NOBODY), "entry": str(NOBODY), "reason": "x"},
    "add-stage": {"stage": STAGE},
    "add-season": {"name": "Spring"},
    "place": {"entry": str(NOBODY), "group": 1, "reason": "x"},
    "take-back-placement": {"entry": str(NOBODY)},
    "set-deadline": {"deadline": None},
    "open-table": {"entries": [str(NOBODY)]},
    "no-show": {"table": str(NOBODY), "entry": str(NOBODY)},
    "forfeit": {"table": str(NOBODY), "entry": str(NOBODY), "reason": "x"},
    "walk-over": {"table": str(NOBODY), "entries": [str(NOBODY)]},
    "replay": {"table": str(NOBODY)},
    "postpone": {"table": str(NOBODY), "reason": "x"},
    "end-postponement": {"table": str(NOBODY)},
    "substitute": {"entry": str(NOBODY), "out": str(NOBODY), "into": str(NOBODY)},
    "move-seat": {"stage": 1, "round": 1, "swaps": [[str(NOBODY), str(NOBODY)]], "reason": "x"},
    "rule": {"table": str(NOBODY), "seats": [{"seat": 0, "rank": 1, "score": 0}], "reason": "x"},
    "adjust": {"entry": str(NOBODY), "points": "1", "reason": "x"},
    "void": {"table": str(NOBODY), "reason": "x"},
    "give-text": {"text": "x"},
    "recommit": {"reason": "x"},
}


@pytest.mark.parametrize("verb", ORGANISER_VERBS)
@pytest.mark.parametrize("tail", ["", "preview/"])
def test_only_an_organiser_of_the_club_can_run_a_competition(cast: Cast, verb: str, tail: str) -> None:
    its_path = Desk(cast).path
    path, body = f"{ROOT}{its_path}/{verb}/{tail}", BODIES.get(verb, {})
    assert_problem(EVERYBODY.post(path, body), 401, "not_authenticated")
    assert_problem(bearer(cast.olga, "read", "play").post(path, body), 403, "insufficient_scope")
    assert_problem(bearer(cast.nora, "organise").post(path, body), 403, "not_allowed")
    assert_problem(bearer(cast.paul, "organise").post(path, body), 403, "not_allowed")
    assert get(f"{its_path}/")["seq"] == 1


@pytest.mark.parametrize(
    "verb",
    [
        verb
        for verb in BODIES
        if verb not in (*OF_REASON, "move-seat", "add-stage", "add-season", "set-deadline")
    ],
)
def test_unknown_ids_are_refused(cast: Cast, desk: Desk, verb: str) -> None:
    desk.does("draw")
    answer = desk.olga.post(f"{ROOT}{desk.path}/{verb}/", BODIES[verb])
    assert answer.status_code in (400, 422), answer.content


@pytest.mark.parametrize(("verb", "body", "field"), [
    ("publish", {"deadline": "tomorrow"}, "deadline"),
    ("publish", {"deadline": "2026-02-30T10:00:00Z"}, "deadline"),
    ("publish", {"deadline": "9999-99-99T10:00:00Z"}, "deadline"),
    ("publish", {"deadline": "2099-12-01T18:00:00"}, "deadline"),
    ("publish", {"deadline": "0001-01-01T00:00+01:00"}, "deadline"),
    ("enter", {"players": []}, "players"),
    ("enter", {"players": ["x"]}, "players.0"),
    ("enter", {}, "players"),
    ("enter", {"players": [str(NOBODY)], "seq": 0}, "seq"),
    ("adjust", {"entry": "x", "points": "1.5", "reason": ""}, "points"),
    ("rule", {"table": str(NOBODY), "seats": [{"seat": 0}], "reason": "x"}, "seats.0.score"),
    ("move-seat", {"stage": 1, "round": 1, "swaps": [[1]], "reason": "x"}, "swaps.0"),
    ("start", {"now": True}, "now"),
])  # fmt: skip
def test_a_wrong_body_names_the_field(cast: Cast, verb: str, body: dict[str, object], field: str) -> None:
    desk = Desk(cast)
    answer = desk.olga.post(f"{ROOT}{desk.path}/{verb}/", body)
    assert field in assert_problem(answer, 400, "malformed")["errors"]


@pytest.mark.parametrize(("changes", "field"), [
    ({"stages": []}, "stages"),
    ({"stages": [{**STAGE, "format": "chaos"}]}, "stages.0.format"),
    ({"stages": [{**STAGE, "rounds": -1}]}, "stages.0.rounds"),
    ({"stages": [7]}, "stages.0"),
    ({"ruleset": "chess"}, "ruleset"),
    ({"options": {"rounds": 0}}, "options.rounds"),
    ({"slug": "no slug"}, "slug"),
    ({"name": ""}, "name"),
    ({"club": "nowhere"}, "club"),
    ({"pace": "hurried"}, "pace"),
    ({"clock": {"move": "fast"}}, "clock.move"),
])  # fmt: skip
def test_a_wrong_opening_names_the_field(cast: Cast, changes: dict[str, object], field: str) -> None:
    answer = bearer(cast.olga).post(f"{ROOT}/competitions/", opening(cast, **changes))
    assert field in assert_problem(answer, 400, "malformed")["errors"]


def test_a_stranger_can_not_open_a_competition(cast: Cast) -> None:
    answer = bearer(cast.nora).post(f"{ROOT}/competitions/", opening(cast))
    assert_problem(answer, 403, "not_allowed")


BELOW = (
    "", "entries/", "stages/", "rounds/", "tables/", "games/", "standings/", "standings.json",
    "standings.csv", "results.csv", "entries.csv", "events.csv", "cross-table/", "events/", "log/", "export/",
)  # fmt: skip


@pytest.mark.parametrize("what", BELOW)
@pytest.mark.django_db
def test_addresses_below_an_unknown_competition_are_not_found(what: str) -> None:
    assert_problem(EVERYBODY.get(f"{ROOT}/competitions/{NOBODY}/{what}"), 404, "not_found")


@pytest.mark.parametrize(
    "query", ["stage=0", "stage=x", "round=0", "round=-1", "round=%00", "stage=" + "9" * 99]
)
def test_an_invalid_stage_or_round_is_malformed(cast: Cast, desk: Desk, query: str) -> None:
    assert_problem(EVERYBODY.get(f"{ROOT}{desk.path}/standings/?{query}"), 400, "malformed")


def test_a_deadline_that_has_passed_is_malformed(cast: Cast, desk: Desk) -> None:
    desk.does("draw")
    response = desk.does("publish", 400, deadline="2020-01-01T10:00:00Z")
    assert list(response["errors"]) == ["deadline"]


@pytest.mark.parametrize("query", ["stage=2", "round=2", "stage=1&round=2", "stage=2&round=1"])
@pytest.mark.parametrize("name", ["standings/", "standings.json", "standings.csv"])
def test_standings_of_an_unknown_stage_or_unpublished_round_are_not_found(
    cast: Cast, desk: Desk, name: str, query: str
) -> None:
    desk.does("draw")
    desk.does("publish")
    desk.plays(cast)
    desk.does("close-round")
    desk.does("draw")
    assert EVERYBODY.get(f"{ROOT}{desk.path}/{name}?round=1").status_code == 200
    assert_problem(EVERYBODY.get(f"{ROOT}{desk.path}/{name}?{query}"), 404, "not_found")


@pytest.mark.parametrize("what", BELOW)
def test_the_number_of_queries_does_not_depend_on_the_number_of_entries(
    cast: Cast, what: str, django_assert_max_num_queries: Any
) -> None:
    desk = Desk(cast)
    desk.enters(cast.people(12))
    desk.does("start")
    desk.does("draw")
    desk.does("publish")
    with django_assert_max_num_queries(9):
        assert EVERYBODY.get(f"{ROOT}{desk.path}/{what}").status_code == 200


# ---- For oneself ---------------------------------------------------------------------------------


def my(client: APIClient, desk: Desk, verb: str, status: int = 201, **body: object) -> Any:
    answer = client.post(f"{ROOT}{desk.path}/me/{verb}/", body)
    assert answer.status_code == status, answer.content
    return answer.json()


def test_a_player_enters_checks_in_and_withdraws(cast: Cast) -> None:
    desk, paul = Desk(cast, entering={"check_in": True}), bearer(cast.paul, "play")
    assert get(f"{desk.path}/me/", paul)["may"] == []
    desk.does("open")
    assert get(f"{desk.path}/me/", paul)["may"] == ["enter"]
    response = my(paul, desk, "enter")
    assert (response["entry"]["status"], response["player"]["name"]) == ("entered", "Paul Pike")
    assert response["may"] == ["check-in", "absent", "give-text", "withdraw"]
    assert my(paul, desk, "enter", 200) == response
    assert my(paul, desk, "check-in")["entry"]["checked_in"]
    assert my(paul, desk, "absent")["absences"] == [1]
    assert my(paul, desk, "present")["absences"] == []
    assert my(paul, desk, "withdraw", reason="ill")["may"] == ["enter"]


def test_an_organiser_approves_or_rejects_an_application(cast: Cast) -> None:
    desk = Desk(cast, entering={"approval": True})
    desk.does("open")
    entry = my(bearer(cast.paul), desk, "enter")["entry"]
    assert entry["status"] == "applied"
    desk.does("approve", entry=entry["id"])
    desk.does("approve", 200, entry=entry["id"])
    assert get(f"{desk.path}/me/", bearer(cast.paul, "read"))["entry"]["status"] == "entered"


OWN_BODIES: dict[str, dict[str, object]] = {"open-table": {"entries": [str(NOBODY)]}}


@pytest.mark.parametrize("verb", ["", *PLAYER_VERBS])
def test_only_players_of_the_club_have_their_own_part(cast: Cast, verb: str) -> None:
    path, body = f"{ROOT}{Desk(cast).path}/me/{verb}/".replace("//", "/"), OWN_BODIES.get(verb, {})
    send = "post" if verb else "get"
    assert_problem(getattr(EVERYBODY, send)(path, body), 401, "not_authenticated")
    assert_problem(getattr(bearer(cast.nora), send)(path, body), 403, "not_allowed")
    assert_problem(getattr(bearer(cast.paul, "organise"), send)(path, body), 403, "insufficient_scope")


def test_players_open_tables_of_a_ladder(cast: Cast) -> None:
    ladder = {"name": "Ladder", "format": "ladder", "rounds": 1, "table_size": 2}
    desk = Desk(cast, stages=[ladder])
    desk.enters([cast.paul_plays, cast.petra_plays])
    for verb in ("start", "draw", "publish"):
        desk.does(verb)
    paul = bearer(cast.paul, "play")
    assert "open-table" in get(f"{desk.path}/me/", paul)["may"]
    entries = [entry["id"] for entry in desk.reads("entries/")["results"]]
    my(paul, desk, "open-table", entries=entries, key="friday")
    my(paul, desk, "open-table", 200, entries=entries, key="friday")
    assert len(desk.reads("tables/")["results"]) == 1


def test_a_team_enters_with_its_line_up(cast: Cast) -> None:
    desk = Desk(cast, lineup="partners", team_size=2)
    pair = [str(cast.petra_plays.pk), str(cast.paul_plays.pk)]
    desk.does("enter", players=pair, name="The Pier", affiliation="North")
    (entry,) = desk.reads("entries/")["results"]
    assert (entry["name"], entry["affiliation"]) == ("The Pier", "North")
    assert [player["id"] for player in entry["players"]] == pair


def test_an_organiser_moves_a_deadline_and_adds_a_season(cast: Cast, desk: Desk) -> None:
    desk.does("draw")
    desk.does("publish", deadline="2099-12-01T18:00:00Z")
    desk.does("set-deadline", deadline="2099-12-08T19:00+01:00", reason="snow")
    assert desk.reads("rounds/")["results"][0]["deadline"] == "2099-12-08T18:00:00Z"
    desk.does("add-stage", stage={**STAGE, "name": "Spring"})
    assert [stage["name"] for stage in desk.reads("stages/")["results"]] == ["League", "Spring"]


def test_a_preset_opens_a_competition_and_every_setting_can_be_overridden(cast: Cast) -> None:
    presets = {preset["key"]: preset for preset in get("/competitions/presets/")}
    assert {"club_night", "monthly_league", "divisions", "ladder"} <= {*presets}
    desk = Desk(cast, stages=[], preset="club_night")
    (stage,) = desk.reads("stages/")["results"]
    assert stage["plan"] == presets["club_night"]["opening"]["stages"][0]
    assert get(f"{desk.path}/")["pace"] == "automatic"
    assert presets["club_night"]["opening"]["waits"] == {"close_round": 0}
    other = Desk(cast, preset="club_night", pace="manual")
    assert get(f"{other.path}/")["pace"] == "manual"
    assert other.reads("stages/")["results"][0]["name"] == "League"


def test_formats_list_their_parameters() -> None:
    response = {each["key"]: each for each in get("/competitions/formats/")}
    assert response["ladder"]["open_tables"] and "reach" in response["ladder"]["params"]["properties"]
    assert not response["knockout"]["late_entries"]


def test_two_seasons_of_divisions_are_played_over_the_api(cast: Cast) -> None:
    desk = Desk(cast, stages=[], preset="divisions")
    players = cast.people(6)
    desk.enters(players)
    desk.does("start")
    for season, groups in ((1, [[0, 1], [2, 3], [4, 5]]), (2, [[0, 2], [1, 4], [3, 5]])):
        desk.does("draw")
        desk.does("publish")
        for table in desk.reads("tables/")["results"]:
            if table["status"] == "playing":
                desk.does("rule", table=table["id"], seats=best_first(table, players), reason="by hand")
        desk.does("close-round")
        tasks.sweep()
        rows = desk.reads(f"standings/?stage={season}")["results"]
        response = [[name for group, name in names(rows) if group == number] for number in (1, 2, 3)]
        assert response == [[players[number].name for number in group] for group in groups]
        if season == 1:
            desk.does("add-season", name="Spring")
            desk.does("start-stage")
    assert desk.does("finish")["status"] == "finished"


def names(rows: Any) -> list[tuple[int, str]]:
    return [(row["group"], row["entry"]["name"]) for row in rows]


def best_first(table: Any, players: list[Player]) -> list[dict[str, int]]:
    """Return the result in which who entered first wins."""
    entered = [str(player.pk) for player in players]
    order = sorted(table["seats"], key=lambda seat: entered.index(seat["player"]["id"]))
    return [{"seat": seat["seat"], "rank": rank, "score": -rank} for rank, seat in enumerate(order, 1)]


def test_a_table_is_replayed_walked_over_and_forfeited(cast: Cast, desk: Desk) -> None:
    desk.does("draw")
    desk.does("publish")
    (table,) = desk.reads("tables/")["results"]
    entry = table["seats"][0]["entry"]["id"]
    desk.does("replay", table=table["id"], reason="cards were marked")
    desk.does("forfeit", table=table["id"], entry=entry, reason="left")
    desk.does("walk-over", table=table["id"], entries=[table["seats"][1]["entry"]["id"]])
    assert desk.reads("tables/")["results"][0]["status"] == "walkover"
    assert {game["status"] for game in desk.reads("games/")["results"]} == {"abandoned", "finished"}
