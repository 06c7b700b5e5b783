"""A competition from its opening to its final standings over the API."""

import csv
import json
from io import StringIO
from typing import Any

import pytest
from rest_framework.test import APIClient

from games.models import Game
from league import hooks, tasks
from league.core.verbs import PLAYER_VERBS
from league.models import Competition, Player, Standings
from league.queries.standings import standings_as_of, standings_of
from tests.api.desks import STAGE, Desk
from tests.api.web import EVERYBODY, NOBODY, ROOT, assert_problem, bearer, get
from tests.factories import Cast, MemberFactory


def test_a_competition_is_opened_and_listed(cast: Cast) -> None:
    desk = Desk(cast, slug="winter")
    response = get(f"{desk.path}/")
    assert {*response} == {
        "id", "club", "slug", "name", "ruleset", "options", "pace", "status", "stage", "round", "seq", "head",
        "opened_at", "changed_at", "acts_at", "imported_at", "aided", "open_hands", "details",
        "unchecked", "objections", "objections_until", "rooms",
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
    assert {"rank", "entry", "played", "points", "tiebreaks", "decided_by", "by_lot", "movement"} <= {
        *response["results"][0]
    }
    assert response["as_of"] == Competition.objects.get().seq
    assert [row["points"] for row in response["results"]] == ["1", "0"]
    assert [row["counts"] for row in response["results"]] == [
        {"places": [1, 0], "won": 1, "drawn": 0, "lost": 0, "score": 9},
        {"places": [0, 1], "won": 0, "drawn": 0, "lost": 1, "score": 1},
    ]
    assert get(f"{desk.path}/standings.json") == response["results"]


def test_as_of_is_that_of_the_rows_even_if_newer_standings_are_written_meanwhile(
    cast: Cast, desk: Desk
) -> None:
    desk.does("draw")
    desk.does("publish")
    desk.plays(cast)
    competition = Competition.objects.get()
    rows = list(standings_of(competition.stages.get()))
    Standings.objects.update(as_of=0)
    assert standings_as_of(competition, rows) == competition.seq
    assert standings_as_of(competition) == 0


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
    cast.paul_plays.name = cast.paul_plays.public_name = "=cmd()"
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
    last += ["next_group", "next_why", "by_lot", "withdrawn", "expelled", "away", "never_came"]
    last += ["places_taken", "won", "drawn", "lost", "total_score", "by_organiser", "by_rule", "stood_in"]
    assert [*rows[0]][-21:] == last
    assert [row["by_lot"] for row in rows] == ["false", "false"]
    assert [row["places_taken"] for row in rows] == ["1-0", "0-1"]
    assert [row["won"] + row["drawn"] + row["lost"] for row in rows] == ["100", "001"]
    assert [row["total_score"] for row in rows] == ["9", "1"]


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
    loser, winner = (seat["entry"]["name"] for seat in table["seats"])
    result = f"{winner} 1st (0), {loser} 2nd (0)"
    assert found["events"] == [f"Round 1, table 1: the result is set: {result} (cards were lost)."]
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
    said = found["events"][-1]
    assert said.startswith("Round 1, table 1 (") and said.endswith(
        ") plays its abandoned game again (torn card)."
    )
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


OWN_BODIES: dict[str, dict[str, object]] = {
    "open-table": {"entries": [str(NOBODY)]},
    "give-text": {"text": "x"},
    "challenge": {"opponent": str(NOBODY)},
    **{f"{verb}-challenge": {"challenge": 1} for verb in ("accept", "refuse", "withdraw")},
    "object": {"table": str(NOBODY), "what": "x"},
}


@pytest.mark.parametrize("verb", ["", *PLAYER_VERBS])
def test_only_players_of_the_club_have_their_own_part(cast: Cast, verb: str) -> None:
    path, body = f"{ROOT}{Desk(cast).path}/me/{verb}/".replace("//", "/"), OWN_BODIES.get(verb, {})
    send = "post" if verb else "get"
    assert_problem(getattr(EVERYBODY, send)(path, body), 401, "not_authenticated")
    assert_problem(getattr(bearer(cast.nora), send)(path, body), 403, "not_allowed")
    assert_problem(getattr(bearer(cast.paul, "organise"), send)(path, body), 403, "insufficient_scope")


def test_players_open_tables_of_a_ladder(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hooks, "UNMAILED", [lambda tables: {each: ["Petra Plum"] for each in tables}])
    ladder = {"name": "Ladder", "format": "ladder", "rounds": 1, "table_size": 2}
    desk = Desk(cast, stages=[ladder])
    desk.enters([cast.paul_plays, cast.petra_plays])
    for verb in ("start", "draw", "publish"):
        desk.does(verb)
    paul = bearer(cast.paul, "play")
    assert "open-table" in get(f"{desk.path}/me/", paul)["may"]
    entries = [entry["id"] for entry in desk.reads("entries/")["results"]]
    for status in (201, 200):
        opened = my(paul, desk, "open-table", status, entries=entries, key="friday")
        assert opened["unmailed"] == ["Petra Plum"]
    assert get(f"{desk.path}/me/", bearer(cast.petra, "play"))["unmailed"] == []
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
    preset = presets["club_night"]["opening"]["stages"][0]
    assert stage["plan"] == {**preset, "editions": stage["plan"]["editions"]}
    assert get(f"{desk.path}/")["pace"] == "automatic"
    assert presets["club_night"]["opening"]["waits"] == {"close_round": 3}
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


def test_a_round_robin_tells_the_fewest_rounds_known(cast: Cast) -> None:
    robin = {"name": "All", "format": "round_robin", "rounds": 0, "table_size": 2}
    desk = Desk(cast, stages=[robin, {**STAGE, "name": "Later"}])
    for player in (cast.petra_plays, cast.paul_plays):
        desk.does("enter", players=[str(player.pk)])
    first, later = desk.reads("stages/")["results"]
    assert (first["fewest_rounds"], first["rounds_by_counting"]) == (1, 1)
    assert later["fewest_rounds"] is later["rounds_by_counting"] is None
