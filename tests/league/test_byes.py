"""Byes on request through the services: limits at once, rows, pages, files, the API, and My evening."""

import re
from functools import partial

import pytest
from django.test import Client

from games.engine.refusals import Illegal
from league import log
from league.apps.exchange.listings import results
from league.apps.my_evening.queries import code_of
from league.apps.my_evening.services import make_passes
from league.core.verbs.byes import RequestBye
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.presence import MarkPresent
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Bye, Competition, Entry
from league.projections import standings
from league.projections.standings import compute_standings
from tests.api.web import bearer
from tests.factories import Cast
from tests.games.test_log import at_once
from tests.league.acting import act, act_own, enter
from tests.league.brackets import closed
from tests.league.playing import PLAN, opened, stands
from tests.league.test_projections import dumped

pytestmark = pytest.mark.django_db
CHESS = {
    **PLAN,
    "format": "swiss",
    "rounds": 4,
    "table_size": 2,
    "scoring": {"by": "win"},
    "requested_byes": 1,
    "late_rounds": 2,
}


def begun(cast: Cast, players: int = 4, **changes: object) -> Competition:
    """A competition of Paul and others that waits for its first draw."""
    competition = opened(cast, stages=[{**CHESS, **changes}])
    enter(cast.olga, competition, cast.people(players), StartCompetition())
    competition.refresh_from_db()
    return competition


def publish(cast: Cast, competition: Competition) -> None:
    act(cast.olga, competition, DrawRound)
    act(cast.olga, competition, PublishRound)
    competition.refresh_from_db()


def paul_rests(cast: Cast) -> Competition:
    """Paul has a bye on request in the first round, which is played."""
    competition = begun(cast)
    act_own(cast.paul, competition, "request-bye", round=1)
    publish(cast, competition)
    return competition


def page(client: Client, competition: Competition, part: str = "") -> str:
    told = client.get(f"/competitions/{competition.slug}/{part}").content.decode()
    return " ".join(re.sub(r"<[^>]+>", " ", told).split())


# ---- At once -------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_of_many_requests_at_once_only_as_many_are_taken_as_are_allowed(cast: Cast) -> None:
    competition = begun(cast)
    asked = [partial(act_own, cast.paul, competition, "request-bye", round=number) for number in (1, 2, 3)]
    answers = at_once(asked)
    assert sum(isinstance(answer, Illegal) for answer in answers) == 2
    competition.refresh_from_db()
    entry = log.latest(competition).entry_with(str(cast.paul_plays.pk))
    assert entry and len(entry.requested) == 1


@pytest.mark.django_db(transaction=True)
def test_the_same_request_sent_often_is_one_event(cast: Cast) -> None:
    competition = begun(cast)
    at_once([partial(act_own, cast.paul, competition, "request-bye", round=1)] * 4)
    assert competition.events.filter(event__type="bye_requested").count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_request_and_the_draw_at_once_are_one_after_the_other(cast: Cast) -> None:
    competition = begun(cast)
    request = partial(act_own, cast.paul, competition, "request-bye", round=1)
    answers = at_once([request, partial(act, cast.olga, competition, DrawRound)])
    competition.refresh_from_db()
    state = log.latest(competition)
    entry = state.entry_with(str(cast.paul_plays.pk))
    assert entry and state.pending
    asked = not isinstance(answers[0], Illegal)
    assert asked == bool(entry.requested) == (entry.id not in state.pending.cut_off.present)


# ---- Rows, pages, files --------------------------------------------------------------------------


def test_the_round_says_who_has_a_bye_on_request_with_its_points(cast: Cast, client: Client) -> None:
    competition = paul_rests(cast)
    (bye,) = Bye.objects.filter(requested=True)
    assert (bye.entry.name, bye.points) == ("Paul Pike", "1/2")
    assert "Bye in this round: Paul Pike (on request, ½)" in page(client, competition, "rounds/")
    compute_standings(competition.pk)
    before = dumped()
    standings.rebuild(competition.pk)
    assert dumped() == before


def test_standings_say_byes_on_request_and_late_entries_with_points(cast: Cast, client: Client) -> None:
    competition = paul_rests(cast)
    closed(cast, competition, 1)
    *_, zoe = cast.people(6)
    act(cast.olga, competition, EnterPlayers, players=[zoe.pk])
    compute_standings(competition.pk)
    rows = {row.entry.name: row for row in stands(competition)}
    assert rows["Paul Pike"].points == rows[zoe.name].points == "1/2"
    told = page(client, competition)
    assert "Round 1: bye on request (½)." in told
    assert "Late entry (½)." in told


def test_the_page_announces_what_the_opening_allows(cast: Cast, client: Client) -> None:
    told = page(client, begun(cast, requested_byes=2))
    assert (
        "Each entry can ask for 2 byes before the round is drawn; each earns as much as the middle rank (½)."
        in told
    )
    assert "There is none in the last round." in told
    assert "Who enters late earns as much as the middle rank (½) for each of the first 2 rounds" in told


def test_a_club_that_allows_none_reads_nothing_of_it(cast: Cast, client: Client) -> None:
    told = page(client, begun(cast, requested_byes=0, late_rounds=0))
    assert "ask for" not in told and "enters late" not in told


def test_the_results_list_byes_on_request(cast: Cast) -> None:
    rows = results(paul_rests(cast)).rows
    assert [row[5] for row in rows if "Paul Pike" in row] == ["requested_bye"]


# ---- Who asks, and how ---------------------------------------------------------------------------


def test_an_organiser_gives_byes_to_several_at_once(cast: Cast) -> None:
    competition = begun(cast)
    for entry in Entry.objects.filter(competition=competition)[:2]:
        act(cast.olga, competition, RequestBye, entry=entry.pk)
    publish(cast, competition)
    assert Bye.objects.filter(requested=True).count() == 2


def test_whoever_opened_the_own_evening_asks_without_an_account(cast: Cast) -> None:
    competition = begun(cast)
    (ada,) = (entry.members.get().player for entry in Entry.objects.filter(competition=competition)[1:2])
    held = make_passes(by=cast.olga, competition=competition, people=[ada])[ada.pk]
    client = Client()
    client.post("/enter/", {"code": code_of(held)})
    address = f"/competitions/{competition.slug}/my-evening/bye/"
    client.post(address, {"round": "1"})
    assert "You have a bye in round 1, as you asked." in page(client, competition, "my-evening/")
    client.post(address, {"round": "1", "back": "1"})
    assert "You will play in that round." in page(client, competition, "my-evening/")
    client.post(address, {"round": "4"})
    assert "Nobody can ask for a bye in the last round." in page(client, competition, "my-evening/")
    client.post(address, {"round": "1"})
    publish(cast, competition)
    assert "Bye in round 1 on request, ½" in page(client, competition, "my-evening/")


def test_a_stranger_asks_for_nobody(cast: Cast) -> None:
    competition = begun(cast)
    answer = Client().post(f"/competitions/{competition.slug}/my-evening/bye/", {"round": "1"})
    assert answer["Location"] == "/enter/"
    assert not competition.events.filter(event__type="bye_requested").exists()


def test_a_program_asks_for_its_account_and_reads_the_round(cast: Cast) -> None:
    competition, paul = begun(cast), bearer(cast.paul, "play")
    own = f"/api/v1/competitions/{competition.pk}/me/"
    answer = paul.post(f"{own}request-bye/", {"round": 1}).json()
    assert (answer["absences"], answer["requested_byes"]) == ([1], [1])
    publish(cast, competition)
    (its_round,) = paul.get(f"/api/v1/competitions/{competition.pk}/rounds/").json()["results"]
    (asked,) = its_round["requested_byes"]
    assert (asked["entry"]["name"], asked["points"]) == ("Paul Pike", "1/2")
    assert asked["entry"] not in its_round["byes"]


def test_a_round_robin_refuses_byes_on_request_at_the_door(cast: Cast) -> None:
    answer = bearer(cast.olga).post(
        "/api/v1/competitions/",
        {
            "club": cast.club.slug,
            "name": "Duty",
            "ruleset": "tally",
            "stages": [{**CHESS, "format": "round_robin", "rounds": 0, "late_rounds": 0}],
        },
    )
    assert answer.status_code == 400
    assert "nobody can ask for a bye" in answer.content.decode()


def test_a_bye_is_taken_back_until_the_draw_only(cast: Cast) -> None:
    competition = begun(cast)
    act_own(cast.paul, competition, "request-bye")
    act(cast.olga, competition, DrawRound)
    competition.refresh_from_db()
    entry = log.latest(competition).entry_with(str(cast.paul_plays.pk))
    assert entry
    with pytest.raises(Illegal, match="Round 1 is drawn"):
        act(cast.olga, competition, MarkPresent, entry=entry.id, round=1)
