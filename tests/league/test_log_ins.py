"""Log-ins: guessing is slow, nobody is locked out by others, and nothing tells which names exist."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import current_thread
from typing import Any

import pytest
import time_machine
from django.contrib.auth.hashers import PBKDF2PasswordHasher, check_password, make_password
from django.contrib.auth.tokens import default_token_generator
from django.core import mail
from django.test import Client
from django.utils import timezone
from django.utils.http import urlsafe_base64_encode

from league.models import FailedLogIns, KnownPlace, LogIn
from league.ops.asgi import queuer_to_log_in
from league.ops.bounds import Queuer
from league.ops.secret import OneByOneHasher
from league.requests import device_of
from league.services.emails import send_emails
from league.services.log_ins import Place, begin_attempt, forget_log_ins
from tests.factories import Cast

RIGHT = "right horse battery"


@pytest.fixture(autouse=True)
def _password(cast: Cast) -> None:
    for account in (cast.paul, cast.petra):
        account.set_password(RIGHT)
        account.save()


def log_in(client: Client, name: str = "paul", password: str = "wrong", address: str = "192.0.2.1") -> int:
    answer = client.post("/account/login/", {"username": name, "password": password}, REMOTE_ADDR=address)
    return answer.status_code


def test_after_five_wrong_passwords_the_right_one_waits_too(cast: Cast) -> None:
    with time_machine.travel(now := timezone.now(), tick=False):
        assert [log_in(Client()) for _ in range(5)] == [200] * 5
        answer = Client().post(
            "/account/login/", {"username": "paul", "password": RIGHT}, REMOTE_ADDR="192.0.2.1"
        )
    assert answer.status_code == 429 and 1 <= int(answer["Retry-After"]) <= 5
    assert "There were too many attempts." in answer.content.decode()
    with time_machine.travel(now + timedelta(seconds=6)):
        assert log_in(Client(), password=RIGHT) == 302


def test_the_wait_doubles_up_to_a_quarter_of_an_hour(cast: Cast) -> None:
    place, waits, now = Place("192.0.2.1"), [], timezone.now()
    with time_machine.travel(now, tick=False):
        assert [begin_attempt(username="paul", place=place).wait for _ in range(5)] == [0] * 5
    for _ in range(10):
        with time_machine.travel(now, tick=False):
            waits.append(begin_attempt(username="paul", place=place).wait)
        now += timedelta(seconds=waits[-1])
        with time_machine.travel(now, tick=False):
            assert begin_attempt(username="paul", place=place).wait == 0
    assert waits == [5, 10, 20, 40, 80, 160, 320, 640, 900, 900]


@pytest.mark.parametrize("known", ["address", "device"])
def test_guesses_from_elsewhere_lock_nobody_out(cast: Cast, known: str) -> None:
    home = Client()
    assert log_in(home, password=RIGHT, address="198.51.100.7") == 302
    with time_machine.travel(timezone.now(), tick=False):  # no wait ends before the last guess
        for number in range(60):
            log_in(Client(), address=f"192.0.2.{number}")
        assert log_in(Client(), address="192.0.2.99") == 429
    if known == "address":
        assert log_in(Client(), password=RIGHT, address="198.51.100.7") == 302
    else:
        moved = Client()
        moved.cookies["trefoil_device"] = home.cookies["trefoil_device"].value
        assert log_in(moved, password=RIGHT, address="203.0.113.5") == 302


def test_who_was_never_here_gets_past_the_guesses_of_others_by_email(cast: Cast) -> None:
    paul, new = Client(), "two jokers beside"
    with time_machine.travel(timezone.now(), tick=False):
        for number in range(21):
            begin_attempt(username="paul", place=Place(f"192.0.2.{number}"))
        assert paul.post("/account/login/", {"username": "paul", "password": RIGHT}).status_code == 429
    uid = urlsafe_base64_encode(str(cast.paul.pk).encode())
    link = f"/account/forgotten/{uid}/{default_token_generator.make_token(cast.paul)}/"
    form = paul.get(link)["Location"]
    assert paul.post(form, {"new_password1": new, "new_password2": new}).status_code == 302
    assert paul.post("/account/login/", {"username": "paul", "password": new}).status_code == 302


def test_one_address_does_not_try_all_names(cast: Cast) -> None:
    place = Place("2001:db8::1")
    with time_machine.travel(timezone.now(), tick=False):
        waits = [begin_attempt(username=f"name{number}", place=place).wait for number in range(101)]
        assert waits[:100] == [0] * 100 and waits[100] > 0
        assert begin_attempt(username="another", place=Place("2001:db8::ffff")).wait > 0


def test_one_customer_of_ipv6_does_not_try_all_names_from_many_networks(cast: Cast) -> None:
    with time_machine.travel(timezone.now(), tick=False):
        waits = [
            begin_attempt(username=f"name{number}", place=Place(f"2001:db8:0:{number:x}::1")).wait
            for number in range(401)
        ]
        assert waits[:400] == [0] * 400 and waits[400] > 0
        assert begin_attempt(username="another", place=Place("2001:db8:1::1")).wait == 0


def test_attempts_that_have_to_wait_write_no_rows(cast: Cast) -> None:
    place = Place("192.0.2.1")
    with time_machine.travel(timezone.now(), tick=False):
        for number in range(101):
            begin_attempt(username=f"name{number}", place=place)
        before = FailedLogIns.objects.count()
        assert [begin_attempt(username=f"other{number}", place=place).wait > 0 for number in range(5)] == [
            True
        ] * 5
    assert FailedLogIns.objects.count() == before


def test_only_log_ins_by_password_queue_and_devices_are_known_there(cast: Cast) -> None:
    home = Client()
    assert log_in(home, password=RIGHT) == 302
    cookie = f"a=b; trefoil_device={home.cookies['trefoil_device'].value}".encode()

    def asking(path: str, method: str = "POST", **headers: bytes) -> Any:
        scope = {"method": method, "path": path, "client": ("2001:db8:0:1::2", 1)}
        with_headers = [(name.encode(), each) for name, each in headers.items()]
        return queuer_to_log_in({**scope, "headers": with_headers})

    assert asking("/account/login/") == Queuer("2001:db8::/48")
    assert asking("/account/login/", cookie=cookie).known
    for path in ("login/passkey/", "login/passkey/question/", "forgotten/", "forgotten/a/b/", "password/"):
        assert asking(f"/account/{path}") is None
    assert asking("/invitations/a/b/") is asking("/account/login/", "GET") is None


def test_a_device_that_nobody_signed_is_not_known(cast: Cast) -> None:
    home = Client()
    assert log_in(home, password=RIGHT) == 302
    cookie = home.cookies["trefoil_device"].value
    assert device_of({"trefoil_device": cookie}) and not device_of({"trefoil_device": cookie[:-1] + "?"})
    assert device_of({"trefoil_device": "made up"}) == device_of({}) == ""


@pytest.mark.parametrize("name", ["paul", "nobody"])
def test_an_unknown_name_gets_the_same_answers(cast: Cast, name: str) -> None:
    with time_machine.travel(timezone.now(), tick=False):
        statuses = [log_in(Client(), name=name) for _ in range(6)]
    assert statuses == [200] * 5 + [429]
    with time_machine.travel(timezone.now() + timedelta(hours=1)):
        page = Client().post("/account/login/", {"username": name, "password": "x"}).content.decode()
    assert "Please enter a correct" in page


def test_neither_names_nor_addresses_are_stored_and_all_is_forgotten(cast: Cast) -> None:
    log_in(Client())
    log_in(Client(), password=RIGHT)
    stored = [*FailedLogIns.objects.values_list("key"), *KnownPlace.objects.values_list("digest")]
    assert stored and all(len(value) == 64 for (value,) in stored)
    with time_machine.travel(timezone.now() + timedelta(days=366)):
        forget_log_ins()
    assert not FailedLogIns.objects.exists() and not KnownPlace.objects.exists()


# ---- Devices -------------------------------------------------------------------------------------

FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.fixture
def _email(cast: Cast) -> None:
    cast.paul.email, cast.paul.language = "paul@cards.example", "de"
    cast.paul.save()


def device(agent: str = FIREFOX) -> Client:
    """Return a new device on which Paul has logged in."""
    client = Client(HTTP_USER_AGENT=agent)
    assert log_in(client, password=RIGHT) == 302
    return client


@pytest.mark.usefixtures("_email")
def test_a_new_device_is_told_once_in_the_readers_language(cast: Cast) -> None:
    first, second = device(), device()
    for each in (first, second, first):
        each.post("/account/logout/")
        assert log_in(each, password=RIGHT) == 302
    send_emails()
    (message,) = mail.outbox
    assert message.subject == "Anmeldung auf einem neuen Gerät"
    assert "Firefox unter Windows" in message.body and "/account/devices/" in message.body


@pytest.mark.usefixtures("_email")
def test_a_few_emails_a_day_tell_of_new_devices(cast: Cast) -> None:
    for _ in range(9):
        device()
    send_emails()
    assert len(mail.outbox) == 5


def test_devices_are_listed_and_logged_out_one_by_one(cast: Cast) -> None:
    here, there = device(), device("curl/8")
    page = here.get("/account/devices/").content.decode()
    assert page.count("Firefox on Windows") == 1 and page.count("an unknown program") == 2
    (address,) = re.findall(r"/account/devices/[-0-9a-f]{36}/end/", page)
    other = Client()
    other.force_login(cast.petra)
    assert other.post(address).status_code == 404
    assert there.get("/account/devices/").status_code == 200
    assert here.post(address).status_code == 302
    assert [each.get("/account/devices/").status_code for each in (here, there)] == [200, 302]


def test_all_other_devices_are_logged_out_at_once(cast: Cast) -> None:
    here, *others = device(), device(), device()
    here.post("/account/devices/others/end/")
    assert [each.get("/account/devices/").status_code for each in (here, *others)] == [200, 302, 302]
    with time_machine.travel(timezone.now() + timedelta(days=30)):
        forget_log_ins()
    assert not LogIn.objects.exists()


def test_a_device_whose_session_gets_another_key_is_logged_out_too(cast: Cast) -> None:
    here, there = device(), device()
    session = there.session
    session.cycle_key()
    session.save()
    there.cookies["sessionid"] = str(session.session_key)
    assert there.get("/account/devices/").status_code == 200
    here.post("/account/devices/others/end/")
    assert there.get("/account/devices/").status_code == 302


# ---- Hashing -------------------------------------------------------------------------------------


def test_the_servers_hasher_is_djangos(monkeypatch: pytest.MonkeyPatch, settings: object) -> None:
    monkeypatch.setattr(OneByOneHasher, "iterations", 1000)
    settings.PASSWORD_HASHERS = ["league.ops.secret.OneByOneHasher"]  # type: ignore[attr-defined]
    encoded = make_password(RIGHT)
    assert encoded.startswith("pbkdf2_sha256$") and check_password(RIGHT, encoded)
    assert not check_password("wrong", encoded)


def test_passwords_that_come_at_once_are_all_hashed_by_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    hashed_by = list[str]()

    def encode(*_: object) -> str:
        hashed_by.append(current_thread().name)
        return "hash"

    monkeypatch.setattr(PBKDF2PasswordHasher, "encode", encode)
    with ThreadPoolExecutor(8) as many:
        assert [*many.map(OneByOneHasher().encode, "passwords", "different")] == ["hash"] * 9
    assert len(hashed_by) == 9 and len({*hashed_by}) == 1
