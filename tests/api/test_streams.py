"""The streams of accounts, competitions and clubs, and long polls: whole, in order, without secrets."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from typing import Any

import httpx
import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from api import events
from league.callers import ByAccount
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Account, AccountEvent, AccountFeed, Competition, Token
from league.services import account_events
from league.services.accounts import create_token
from league.services.casual_games import open_casual_game
from league.services.competitions import open_competition
from league.services.play import make_move
from tests import patience
from tests.api.desks import STAGE
from tests.api.live import Events, streaming
from tests.api.web import EVERYBODY, ROOT, assert_problem, bearer, get, say
from tests.factories import AccountFactory, Cast
from tests.factories import cast as a_cast
from tests.league.acting import act

# ---- Without a stream: what is read ---------------------------------------------------------------


def news(path: str, account: Account | None = None, after: str | None = None) -> tuple[list[Any], str]:
    """Return the events after a cursor, by name and data, and the cursor after them."""
    client = bearer(account) if account else EVERYBODY
    query = "?wait=0" if after is None else f"?wait=0&after={after}"
    shown = get(f"{path}{query}", client)
    return [(event["event"], event["data"]) for event in shown["results"]], shown["after"]


def mine(account: Account, after: str | None = None) -> tuple[list[str], str]:
    """Return the names of an account's events after a cursor, and the cursor after them."""
    events, last = news("/me/events/", account, after)
    return [name for name, _data in events], last


def invite(cast: Cast) -> Any:
    return open_casual_game(
        by=cast.paul,
        club=cast.club,
        ruleset="tally",
        options={"rounds": 2},
        players=[cast.paul_plays.pk, cast.petra_plays.pk],
    )


def test_the_first_event_says_which_games_wait_for_the_caller(cast: Cast) -> None:
    game, invited = cast.game("tally"), invite(cast)
    assert news("/me/events/", cast.paul)[0] == [("now", {"awaited": [str(game.pk)], "invited": []})]
    assert news("/me/events/", cast.petra)[0] == [("now", {"awaited": [], "invited": [str(invited.pk)]})]


def test_an_account_is_told_of_invitations_turns_and_ends(cast: Cast) -> None:
    _, start = mine(cast.petra)
    game = invite(cast)
    client = bearer(cast.petra)
    assert client.post(f"{ROOT}/games/{game.pk}/accept/", {}).status_code == 200
    told, after = mine(cast.petra, start)
    assert told == ["invitation", "game_begun"]
    make_move(ByAccount(cast.paul), game_id=game.pk, seq=3, move=say(5))
    assert mine(cast.petra, after) == (["turn"], str(int(after) + 1))
    make_move(ByAccount(cast.petra), game_id=game.pk, seq=4, move=say(5))
    make_move(ByAccount(cast.paul), game_id=game.pk, seq=5, move=say(5))
    make_move(ByAccount(cast.petra), game_id=game.pk, seq=6, move=say(5))
    assert mine(cast.petra, after)[0] == ["turn", "game_over"]
    assert mine(cast.petra, start)[0] == ["invitation", "game_begun", "turn", "game_over"]


ACCEPT = {"type": "accept_invitation"}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("accept/", {}),
        ("moves/", {"seq": 2, "move": ACCEPT}),
        ("moves/batch/", {"seq": 2, "moves": [ACCEPT]}),
    ],
)
def test_a_game_that_begins_is_told_of_however_the_last_answer_comes(
    cast: Cast, path: str, body: dict[str, Any]
) -> None:
    game, client = invite(cast), bearer(cast.petra)
    _, start = mine(cast.paul)
    for _ in range(2):  # so that this process knows all of it
        client.get(f"{ROOT}/games/{game.pk}/")
    assert client.post(f"{ROOT}/games/{game.pk}/{path}", body).status_code in (200, 201)
    assert mine(cast.paul, start)[0][0] == "game_begun"


def test_a_turn_is_told_once_and_again_when_it_comes_again(cast: Cast) -> None:
    game = cast.game("tally", {"rounds": 2})
    _, start = mine(cast.paul)
    make_move(ByAccount(cast.paul), game_id=game.pk, seq=2, move=say(5))
    make_move(ByAccount(cast.petra), game_id=game.pk, seq=3, move=say(5))
    told, after = mine(cast.paul, start)
    assert (told[-1], mine(cast.paul, after)[0]) == ("turn", [])


def test_events_of_a_transaction_that_ends_late_come_after_those_that_were_read(cast: Cast) -> None:
    """The row that a transaction inserted first is seen last if it commits last."""
    AccountEvent.objects.create(pk=2000, account=cast.paul, kind="result")
    start = mine(cast.paul)[1]
    AccountEvent.objects.create(pk=1999, account=cast.paul, kind="call")
    assert mine(cast.paul, start)[0] == ["call"]


def test_who_is_too_far_behind_is_told_so_and_how_to_go_on(cast: Cast) -> None:
    game, _ = cast.game("tally"), mine(cast.paul)
    AccountEvent.objects.update(at=timezone.now() - timedelta(days=8))
    account_events.forget_account_events()
    answer = bearer(cast.paul).get(f"{ROOT}/me/events/?wait=0&after=0")
    seq = assert_problem(answer, 410, "gone")["seq"]
    assert mine(cast.paul, str(seq))[0] == []
    stream = bearer(cast.paul).get(f"{ROOT}/me/events/", HTTP_LAST_EVENT_ID="0").content.decode()
    assert "event: reset" in stream and str(game.pk) in stream
    assert_problem(bearer(cast.paul).get(f"{ROOT}/me/events/?wait=0&after={seq + 9}"), 410, "gone")


def test_events_that_nobody_reads_are_forgotten(cast: Cast) -> None:
    cast.game("tally")
    AccountEvent.objects.update(at=timezone.now() - timedelta(days=8))
    account_events.forget_account_events()
    assert not AccountEvent.objects.exists()


def test_many_accounts_are_read_by_three_statements_each_after_its_cursor(cast: Cast) -> None:
    accounts = AccountFactory.create_batch(20)
    for _ in range(2):
        account_events.write([account.pk for account in accounts], "call", {"call": "here"})
    cast.game("tally")
    places = [(account.pk, after) for account in (*accounts, cast.paul) for after in ("", "1")]
    now = events.of_accounts(places)
    assert now[cast.paul.pk, ""].events[0].data.fields["awaited"]
    with CaptureQueriesContext(connection) as queries:
        found = events.of_accounts([place for place in places if place[1]])
    assert len(queries) == 3
    told = [found[account.pk, "1"].events for account in accounts]
    assert {tuple(each.id for each in its_events) for its_events in told} == {("2",)}
    # What all are told is written once.
    assert len({id(its_events[0].data) for its_events in told}) == 1


def drawn(cast: Cast) -> Competition:
    """Return a competition of Paul against Petra, with a first round that is not published."""
    made = open_competition(
        by=cast.olga, club=cast.club, name="Winter", ruleset="tally", options={}, stages=[STAGE]
    )
    act(cast.olga, made, EnterPlayers, players=[cast.paul_plays.pk])
    act(cast.olga, made, EnterPlayers, players=[cast.petra_plays.pk])
    act(cast.olga, made, StartCompetition)
    act(cast.olga, made, DrawRound)
    return made


def test_players_hear_of_a_round_when_it_is_published(cast: Cast) -> None:
    _, start = mine(cast.paul)
    competition = drawn(cast)
    told, after = mine(cast.paul, start)
    assert told == ["competition_started"]
    act(cast.olga, competition, PublishRound)
    assert {"round_published", "game_begun"} <= {*mine(cast.paul, after)[0]}
    assert mine(cast.nora)[0] == ["now"]


def test_a_competitions_stream_stops_before_a_draft_for_all_but_organisers(cast: Cast) -> None:
    competition = drawn(cast)
    path = f"/competitions/{competition.pk}/stream/"
    public, cursor = news(path)
    inside, _ = news(path, cast.olga)
    assert [name for name, _ in public] == ["event"] * (len(public) - 1) + ["head"]
    logged = get(f"/competitions/{competition.pk}/events/")["results"]
    assert [data for _, data in public[:-1]] == logged
    assert (public[-1][1]["seq"], public[-1][1]["head"]) == (logged[-1]["seq"], logged[-1]["hash"])
    assert len(inside) > len(public) and inside[-1][1]["seq"] > public[-1][1]["seq"]
    assert news(path, None, cursor) == ([], cursor)
    act(cast.olga, competition, PublishRound)
    later = get(f"/competitions/{competition.pk}/events/?after={logged[-1]['seq']}")["results"]
    assert [data for name, data in news(path, None, cursor)[0] if name == "event"] == later


def test_a_clubs_stream_says_what_is_going_on(cast: Cast) -> None:
    competition, game = drawn(cast), cast.game("tally")
    path = f"/clubs/{cast.club.slug}/stream/"
    ((name, public),), cursor = news(path)
    assert name == "state"
    assert [each["id"] for each in public["games"]] == [str(game.pk)]
    assert public["competitions"][0]["seq"] == get(f"/competitions/{competition.pk}/")["seq"]
    assert news(path, None, cursor) == ([], cursor)


@pytest.mark.parametrize("path", ["/me/events/", "/competitions/{competition}/stream/"])
def test_a_stream_ends_without_asgi(cast: Cast, path: str) -> None:
    answer = bearer(cast.paul).get(f"{ROOT}{path.format(competition=drawn(cast).pk)}")
    assert answer.content.startswith(b"retry: 2000\n\nid: ")


@pytest.mark.parametrize(("path", "query"), [
    ("/me/events/", "after=x"), ("/me/events/", "wait=61"), ("/clubs/{slug}/stream/", "after=5"),
    ("/competitions/{competition}/stream/", "after=1-"),
])  # fmt: skip
def test_a_malformed_cursor_is_refused(cast: Cast, path: str, query: str) -> None:
    its_path = path.format(slug=cast.club.slug, competition=drawn(cast).pk)
    assert_problem(bearer(cast.paul).get(f"{ROOT}{its_path}?{query}"), 400, "malformed")


def test_an_accounts_stream_is_for_its_caller_alone(cast: Cast) -> None:
    assert_problem(EVERYBODY.get(f"{ROOT}/me/events/"), 401, "not_authenticated")
    assert_problem(bearer(cast.paul, "organise").get(f"{ROOT}/me/events/"), 403, "insufficient_scope")


# ---- Live ----------------------------------------------------------------------------------------


@pytest.fixture
def live_cast(transactional_db: None) -> Cast:
    return a_cast()


@pytest.fixture
def address() -> Iterator[str]:
    with streaming(alive_seconds=0.2, check_seconds=0.2) as where:
        yield where


def token(account: Account) -> dict[str, str]:
    secret = create_token(by=account, name="test", scopes=["read", "play"]).secret
    return {"Authorization": f"Bearer {secret}"}


def shown(events: Events, count: int) -> list[str]:
    named = (event["event"] for event in events if "event" in event)
    return [next(named) for _ in range(count)]


@pytest.mark.django_db(transaction=True)
def test_two_readers_at_once_give_each_event_one_number(live_cast: Cast) -> None:
    """The second reader has seen both events when it waits for the first, which numbers one of them."""
    paul = live_cast.paul.pk
    account_events.write([paul], "call", {})
    account_events.collect([(paul, None)])
    account_events.write([paul], "call", {})

    def number() -> None:
        account_events._number([paul])
        connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            account_events._number([paul])
            pool.submit(account_events.write, [paul], "result", {}).result()
            second = pool.submit(number)
            while not waits_for_a_lock():
                assert not second.done()
        second.result(patience.SECONDS)
    seqs = AccountEvent.objects.order_by("pk").values_list("seq", flat=True)
    assert list(seqs)[:2] == [1, 2] and seqs[2] and seqs[2] > 2
    assert AccountFeed.objects.get(account=paul).last == seqs[2]


def waits_for_a_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE wait_event_type = 'Lock' AND datname = current_database()"
        )
        return bool(cursor.fetchone()[0])


@pytest.mark.django_db(transaction=True)
def test_an_accounts_stream_brings_games_and_turns_and_ends_with_the_token(
    live_cast: Cast, address: str
) -> None:
    cast = live_cast
    with httpx.stream(
        "GET", f"{address}/me/events/", headers=token(cast.petra), timeout=patience.SECONDS
    ) as answer:
        events = Events(answer)
        assert shown(events, 1) == ["now"]
        next(events)  # a heartbeat: by now the process listens
        game = cast.game("tally", {"rounds": 2})
        assert shown(events, 1) == ["game_begun"]
        make_move(ByAccount(cast.paul), game_id=game.pk, seq=2, move=say(5))
        assert shown(events, 1) == ["turn"]
        Token.objects.update(revoked_at=timezone.now())
        assert [event for event in events if "event" in event] == []


@pytest.mark.django_db(transaction=True)
def test_a_clubs_stream_brings_each_change(live_cast: Cast, address: str) -> None:
    cast = live_cast
    path = f"{address}/clubs/{cast.club.slug}/stream/"
    with httpx.stream("GET", path, timeout=patience.SECONDS) as answer:
        events = Events(answer)
        assert shown(events, 1) == ["state"]
        next(events)
        game = cast.game("tally", {"rounds": 1})
        assert shown(events, 1) == ["game"]
        make_move(ByAccount(cast.paul), game_id=game.pk, seq=2, move=say(5))
        assert shown(events, 1) == ["game"]
        competition = drawn(cast)
        assert {*shown(events, 1)} == {"competition"}
        assert competition.pk


@pytest.mark.django_db(transaction=True)
def test_a_long_poll_is_answered_when_there_is_news_and_when_the_time_is_over(
    live_cast: Cast, address: str
) -> None:
    cast = live_cast
    game, headers = cast.game("tally"), token(cast.petra)
    path, query = f"{address}/games/{game.pk}/events/", {"after": "1", "wait": "1"}
    ask = partial(httpx.get, timeout=patience.SECONDS)
    assert ask(path, params=query).json() == {"results": [], "after": "1"}
    after = ask(f"{address}/me/events/?wait=0", headers=headers).json()["after"]
    with ThreadPoolExecutor(2) as pool:
        of_game = pool.submit(ask, path, params={"after": "1", "wait": "60"})
        of_petra = pool.submit(ask, f"{address}/me/events/?wait=60&after={after}", headers=headers)
        make_move(ByAccount(cast.paul), game_id=game.pk, seq=2, move=say(5))
        (entry,), (turn,) = of_game.result().json()["results"], of_petra.result().json()["results"]
    assert (entry["event"], entry["id"], turn["event"]) == ("move", "2", "turn")
