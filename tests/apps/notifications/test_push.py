"""Web push: a browser is told that it is its account's turn, at a public address, until its session ends."""

import base64
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
import time_machine
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from games.engine.refusals import Malformed
from games.models import Game
from league.apps.notifications import push
from league.apps.notifications.models import PushSubscription
from league.callers import ByAccount
from league.core.verbs.tables import OpenTable
from league.models import Club
from league.ops import secret
from league.services import outbox
from league.services.log_ins import end_other_sessions
from league.services.play import make_move
from tests.apps.notifications.conftest import Answers
from tests.factories import Cast
from tests.league.acting import act, act_own
from tests.league.playing import in_play
from tests.listener import Listener

ENDPOINT = "https://push.example.org/send/abc"
LADDER = {"name": "Ladder", "format": "ladder", "rounds": 1, "table_size": 2}
pytestmark = pytest.mark.django_db


@pytest.fixture
def paul(cast: Cast) -> Client:
    """Paul's browser, which asked to be told."""
    browser = Client()
    browser.force_login(cast.paul)
    assert browser.post("/account/push/", {"endpoint": ENDPOINT}, secure=True).status_code == 200
    return browser


@contextmanager
def later(minutes: float) -> Iterator[None]:
    with time_machine.travel(timezone.now() + timedelta(minutes=minutes)):
        yield


def tell() -> Sequence[str]:
    """Send what is due; return the endpoints."""
    due = push.subscriptions_due()
    endpoints = [PushSubscription.objects.get(pk=each).endpoint for each in due]
    for each in due:
        push.send_push(subscription_id=each)
    return endpoints


def begun(cast: Cast) -> Game:
    """Return a game of Tally in which Paul is to move, begun a little after he asked to be told."""
    with later(0.1):
        return cast.game("tally", {"rounds": 2})


@pytest.mark.usefixtures("paul")
def test_a_browser_is_told_once_of_each_turn_that_lasts(cast: Cast, service: Answers) -> None:
    game, got = begun(cast), service(201)
    with later(0.5):
        assert tell() == []
    with later(3):
        assert tell() == [ENDPOINT] and tell() == []
    with later(10):
        assert tell() == []
        make_move(ByAccount(cast.paul), game_id=game.pk, seq=2, move={"type": "say", "number": 1})
        make_move(ByAccount(cast.petra), game_id=game.pk, seq=3, move={"type": "say", "number": 1})
    with later(12):
        assert tell() == [ENDPOINT]
    assert [body for _, body, _ in got] == [b"", b""]


@pytest.mark.usefixtures("paul")
def test_another_worker_tells_a_turn_after_a_crash_while_telling(cast: Cast, service: Answers) -> None:
    service(201)
    begun(cast)
    with later(3):
        assert outbox.lent(PushSubscription.objects.all())
        assert tell() == []
    with later(5.1):
        assert tell() == [ENDPOINT]


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@pytest.mark.usefixtures("paul")
def test_quiet_hours_of_the_club_are_kept(cast: Cast, service: Answers) -> None:
    service(201)
    begun(cast)
    now = timezone.now()  # in UTC, where no clock is put forward or back
    quiet = f"{now - timedelta(hours=1):%H:%M}-{now + timedelta(hours=1):%H:%M}"
    Club.objects.update(quiet=quiet, timezone="UTC")
    with later(3):
        assert tell() == []
    with later(70):
        assert tell() == [ENDPOINT]


@pytest.mark.parametrize("code", [404, 410])
@pytest.mark.usefixtures("paul")
def test_a_subscription_that_its_service_does_not_know_ends(cast: Cast, service: Answers, code: int) -> None:
    service(code)
    begun(cast)
    with later(3):
        tell()
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize("code", [None, 500])
@pytest.mark.usefixtures("paul")
def test_a_subscription_ends_after_many_failures_in_a_row(
    cast: Cast, service: Answers, code: int | None
) -> None:
    service(code)
    begun(cast)
    PushSubscription.objects.update(attempts=outbox.MOST_ATTEMPTS - 2)
    with later(3):
        tell()
    assert PushSubscription.objects.get().attempts == outbox.MOST_ATTEMPTS - 1
    with later(6):
        assert tell() == []
    with later(4 + 6 * 60):
        assert tell() == [ENDPOINT]
    assert not PushSubscription.objects.exists()


def test_a_challenge_has_words_of_its_own_and_counts_as_a_table_that_waits(
    cast: Cast, paul: Client, service: Answers
) -> None:
    service(201)
    with later(0.1):
        competition = in_play(cast, 2, ruleset="scamper-scorecard", stages=[LADDER])
        pair = [entry.pk for entry in competition.entries.order_by("number")]
        act_own(cast.petra, competition, "open-table", entries=pair)
    with later(3):
        assert tell() == [ENDPOINT] and tell() == []
        assert paul.get("/account/push/").json()["body"] == "You are challenged"
        begun(cast)
    with later(6):
        assert tell() == [ENDPOINT]
        assert paul.get("/account/push/").json() == {"body": "Your turn", "path": "/account/#tables"}
        shown = paul.get("/tables/mine/").content.decode()
        assert 'data-waiting="2"' in shown and shown.count("You are challenged") == 1
        petra = Client()
        petra.force_login(cast.petra)
        assert "You are challenged" not in petra.get("/tables/mine/").content.decode()


@pytest.mark.usefixtures("service")
def test_a_table_that_an_organiser_opens_is_no_challenge(cast: Cast, paul: Client) -> None:
    with later(0.1):
        competition = in_play(cast, 2, ruleset="scamper-scorecard", stages=[LADDER])
        pair = [entry.pk for entry in competition.entries.order_by("number")]
        act(cast.olga, competition, OpenTable, entries=pair)
    with later(3):
        assert paul.get("/account/push/").json()["body"] == "A table is open for you"
        shown = paul.get("/tables/mine/").content.decode()
        assert "A table is open for you" in shown and "You are challenged" not in shown


# ---- Through a connection ------------------------------------------------------------------------


@pytest.fixture
def push_service(public_host: tuple[Listener, str], cast: Cast) -> Listener:
    """A push service, at which Paul's browser takes messages."""
    listener, endpoint = public_host
    browser = Client()
    browser.force_login(cast.paul)
    assert browser.post("/account/push/", {"endpoint": endpoint}, secure=True).status_code == 200
    begun(cast)
    return listener


def test_a_push_service_gets_an_empty_signed_message_for_now(push_service: Listener) -> None:
    push_service.code = 201
    with later(3):
        (endpoint,) = tell()
        now = timezone.now().timestamp()
    (told,) = push_service.received
    assert (told.path, told.body) == ("/send/abc", b"")
    assert (told.headers["Urgency"], int(told.headers["TTL"]) > 0) == ("high", True)
    scheme, token, key = told.headers["Authorization"].replace("t=", "").replace("k=", "").split(" ")
    signed, _, signature = token.strip(",").rpartition(".")
    assert (scheme, key) == ("vapid", push.push_key())
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(key))
    numbers = [int.from_bytes(decoded(signature)[half], "big") for half in (slice(32), slice(32, 64))]
    public.verify(encode_dss_signature(*numbers), signed.encode(), ec.ECDSA(SHA256()))
    claims = json.loads(decoded(signed.partition(".")[2]))
    assert claims["sub"].startswith(("https:", "mailto:"))
    assert claims["aud"] == endpoint.removesuffix("/send/abc")
    assert now < claims["exp"] <= now + 24 * 3600


@pytest.mark.parametrize("code", [429, 503])
def test_a_turn_is_told_when_the_service_takes_messages_again(push_service: Listener, code: int) -> None:
    push_service.code, push_service.retry_after = code, "600"
    with later(3):
        assert len(tell()) == 1
    with later(12):
        assert tell() == []
    push_service.code = 201
    with later(14):
        assert len(tell()) == 1 and tell() == []
    with later(60):
        assert tell() == []
    assert PushSubscription.objects.get().attempts == 0


def test_a_service_that_leads_elsewhere_is_not_followed(push_service: Listener) -> None:
    push_service.code, push_service.location = 307, "/elsewhere"
    for minutes in (3, 60):
        with later(minutes):
            tell()
    assert [told.path for told in push_service.received] == ["/send/abc"]
    assert PushSubscription.objects.get().attempts == 1


# ---- The end of a subscription -------------------------------------------------------------------


def test_a_subscription_ends_with_its_session(cast: Cast, paul: Client) -> None:
    paul.post("/account/logout/")
    assert not PushSubscription.objects.exists()
    paul.force_login(cast.paul)
    paul.post("/account/push/", {"endpoint": ENDPOINT}, secure=True)
    end_other_sessions(by=cast.paul, session_key=None)
    Session.objects.all().delete()
    assert not PushSubscription.objects.exists()


def test_a_damaged_key_is_named(tmp_path: Path) -> None:
    push.kept_in(tmp_path / "key")
    (tmp_path / "key").write_text("?")
    with pytest.raises(secret.Damaged, match="is damaged"):
        push.kept_in(tmp_path / "key")


def test_a_subscription_stays_where_its_session_gets_another_key(paul: Client) -> None:
    before, session = PushSubscription.objects.get(), paul.session
    session.cycle_key()
    after = PushSubscription.objects.get()
    assert after.session_id == session.session_key != before.session_id
    assert (after.pk, after.endpoint, after.digest) == (before.pk, before.endpoint, before.digest)


@pytest.mark.usefixtures("paul")
def test_with_another_password_no_message_is_sent(cast: Cast, service: Answers) -> None:
    got = service(201)
    begun(cast)
    cast.paul.set_password("another one")
    cast.paul.save()
    with later(3):
        tell()
    assert got == [] and not PushSubscription.objects.exists()


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.org/",
        "https://127.0.0.1/",
        "https://10.0.0.8/x",
        "https://[::1]/",
        "https://printer.local/",
        "https://push.example.org/\0",
    ],
)
def test_an_endpoint_is_at_a_public_address(cast: Cast, paul: Client, endpoint: str) -> None:
    assert paul.post("/account/push/", {"endpoint": endpoint}, secure=True).status_code == 422
    with pytest.raises(Malformed):
        push.subscribe(by=cast.paul, session_key="", endpoint=endpoint)


def test_notifications_are_offered_under_https_alone(paul: Client) -> None:
    key = f'data-push="{push.push_key()}"'
    assert key in paul.get("/account/notices/", secure=True).content.decode()
    assert key not in paul.get("/account/notices/").content.decode()
    assert paul.post("/account/push/", {"endpoint": ENDPOINT}).status_code == 403
    assert paul.post("/account/push/").status_code == 200 and not PushSubscription.objects.exists()


def test_a_browser_tells_one_account_and_an_account_has_a_few(cast: Cast, paul: Client) -> None:
    petra = Client()
    petra.force_login(cast.petra)
    petra.post("/account/push/", {"endpoint": ENDPOINT}, secure=True)
    assert [each.account for each in PushSubscription.objects.all()] == [cast.petra]
    for number in range(push.MOST_BROWSERS + 1):
        paul = Client()
        paul.force_login(cast.paul)
        paul.post("/account/push/", {"endpoint": f"{ENDPOINT}{number}"}, secure=True)
    mine = {each.endpoint for each in PushSubscription.objects.filter(account=cast.paul)}
    assert mine == {f"{ENDPOINT}{number}" for number in range(1, push.MOST_BROWSERS + 1)}
