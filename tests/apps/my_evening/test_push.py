"""Messages to a phone that opened a person's evening: of what, until when, and to nobody else."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games import database_time
from league.apps.hall import services as hall
from league.apps.my_evening import push, services
from league.apps.my_evening.models import EveningPush, Pass
from league.apps.my_evening.tasks import send_news
from league.apps.notifications.push import push_key
from league.core.verbs.deadlines import GiveTime
from league.core.verbs.draw import DrawRound
from league.core.verbs.entries import SubstitutePlayer, WithdrawEntry
from league.core.verbs.objections import PostResults
from league.core.verbs.presence import CheckInEntry
from league.core.verbs.rooms import SetRooms
from league.core.verbs.rounds import CloseRound, PublishRound
from league.models import Competition, Contact, Player, TableSeat
from league.services.outbox import LEASE
from tests.apps.my_evening.test_my_evening import code, opened_by
from tests.apps.notifications.conftest import Answers
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.playing import in_play, opened, tables
from tests.listener import Listener
from tests.web.conftest import record_all

ENDPOINT: Final = "https://push.example.org/send/abc"


@pytest.fixture
def competition(cast: Cast) -> Competition:
    return in_play(cast, 8)


@pytest.fixture
def seat(competition: Competition) -> TableSeat:
    return tables(competition)[0].seats.select_related("player").get(number=0)


@pytest.fixture
def phone(cast: Cast, competition: Competition, seat: TableSeat) -> Client:
    """The phone of who sits there, which asked to be told."""
    browser = opened_by(code(cast, competition, seat.player))
    assert ask(browser, competition).status_code == 200
    return browser


def ask(browser: Client, competition: Competition, endpoint: str = ENDPOINT, **more: Any) -> Any:
    address = f"/competitions/{competition.slug}/my-evening/push/"
    return browser.post(address, {"endpoint": endpoint}, **{"secure": True, **more})


def tell() -> list[str]:
    """Do what a sweep would queue; return the endpoints of which it found something."""
    due = [EveningPush.objects.get(pk=each) for each in push.subscriptions_due()]
    for each in due:
        send_news(str(each.pk))
    return [each.endpoint for each in due]


def words(browser: Client) -> str:
    return str(browser.get("/account/push/").json()["body"])


class TestWhatIsTold:
    def test_a_next_table_when_its_round_is_published_and_not_before(
        self, cast: Cast, competition: Competition, phone: Client, seat: TableSeat, service: Answers
    ) -> None:
        got = service(201)
        record_all(competition)
        act(cast.olga, competition, CloseRound)
        act(cast.olga, competition, SetRooms, rooms=[{"name": "Hall", "first": 5, "last": 9}])
        act(cast.olga, competition, DrawRound)
        assert tell() == []
        act(cast.olga, competition, PublishRound)
        assert tell() == [ENDPOINT] and [body for _, body, _ in got] == [b""]
        mine = TableSeat.objects.get(player=seat.player, table__round__number=2)
        told = phone.get("/account/push/").json()
        assert told["body"] == f"Round 2: table {mine.table.number}, seat {mine.number + 1}, Hall"
        assert told["path"] == f"/competitions/{competition.slug}/my-evening/"
        tell()
        assert tell() == [] and len(got) == 1

    def test_who_logs_in_on_the_phone_is_told_as_before(
        self, cast: Cast, competition: Competition, phone: Client, service: Answers
    ) -> None:
        service(201)
        cast.nora.set_password("right horse battery")
        cast.nora.save()
        phone.post("/account/login/", {"username": "nora", "password": "right horse battery"}, secure=True)
        assert phone.session["_auth_user_id"] == str(cast.nora.pk)
        assert EveningPush.objects.get().session_id == phone.session.session_key

    def test_time_of_the_own_table_that_runs_out_or_is_changed(
        self, cast: Cast, competition: Competition, phone: Client, seat: TableSeat, service: Answers
    ) -> None:
        got = service(201)
        hall.start_timer(by=cast.olga, competition=competition, minutes=30)
        assert tell() == []
        act(cast.olga, competition, GiveTime, table=str(seat.table_id), minutes=5)
        tell()
        assert "time of your table has changed" in words(phone)
        begun = database_time.now()
        for minutes, sent in ((27, 1), (31, 2), (32, 2)):
            with time_machine.travel(begun + timedelta(minutes=minutes), tick=False):
                tell()
                assert len(got) == sent
        with time_machine.travel(begun + timedelta(minutes=31), tick=False):
            assert "time of your table is running out" in words(phone)

    def test_no_time_of_another_table(
        self, cast: Cast, competition: Competition, phone: Client, service: Answers
    ) -> None:
        got = service(201)
        hall.start_timer(by=cast.olga, competition=competition, minutes=30)
        act(cast.olga, competition, GiveTime, table=str(tables(competition)[1].pk), minutes=5)
        tell()
        assert got == [] and tell() == []

    @pytest.mark.parametrize("to", ["all", "round"])
    def test_messages_of_organisers(
        self, cast: Cast, competition: Competition, phone: Client, service: Answers, to: str
    ) -> None:
        service(201)
        hall.announce(by=cast.olga, competition=competition, words="Soup is ready", to=to)
        assert tell() == [ENDPOINT] and "Soup is ready" in words(phone)

    def test_a_message_to_who_is_missing_reaches_no_other(self, cast: Cast, service: Answers) -> None:
        got, coming = service(201), opened(cast, 2, entering={"check_in": True})
        here, missing = coming.entries.order_by("number")
        act(cast.olga, coming, CheckInEntry, entry=str(here.pk))
        for entry in (here, missing):
            person = Player.objects.get(entered__entry=entry)
            ask(opened_by(code(cast, coming, person)), coming, f"{ENDPOINT}{entry.number}")
        hall.announce(by=cast.olga, competition=coming, words="Where are you?", to="missing")
        tell()
        assert [url for url, _, _ in got] == [f"{ENDPOINT}{missing.number}"]

    def test_posted_results_to_look_at(
        self, cast: Cast, competition: Competition, phone: Client, service: Answers
    ) -> None:
        service(201)
        record_all(competition)
        until = database_time.now() + timedelta(minutes=30)
        act(cast.olga, competition, PostResults, until=until)
        assert tell() == [ENDPOINT] and "The results are posted" in words(phone)

    def test_in_the_language_of_the_page_on_which_it_was_asked_for(
        self, cast: Cast, competition: Competition, seat: TableSeat, service: Answers
    ) -> None:
        service(201)
        browser = opened_by(code(cast, competition, seat.player))
        ask(browser, competition, headers={"accept-language": "de"})
        hall.start_timer(by=cast.olga, competition=competition, minutes=30)
        act(cast.olga, competition, GiveTime, table=str(seat.table_id), minutes=5)
        tell()
        assert words(browser).startswith("Die Zeit deines Tisches")

    def test_through_a_connection(
        self,
        cast: Cast,
        competition: Competition,
        seat: TableSeat,
        public_host: tuple[Listener, str],
    ) -> None:
        listener, endpoint = public_host
        listener.code = 201
        assert ask(opened_by(code(cast, competition, seat.player)), competition, endpoint).status_code == 200
        hall.announce(by=cast.olga, competition=competition, words="Soup is ready")
        tell()
        (told,) = listener.received
        assert (told.path, told.body) == ("/send/abc", b"")
        assert told.headers["Authorization"].endswith(f"k={push_key()}")

    def test_later_where_the_service_takes_nothing_and_never_where_it_knows_nobody(
        self, cast: Cast, competition: Competition, phone: Client, service: Answers
    ) -> None:
        service(503)
        hall.announce(by=cast.olga, competition=competition, words="Soup is ready")
        tell()
        assert tell() == []
        got = service(410)
        with time_machine.travel(database_time.now() + LEASE * 2, tick=False):
            tell()
        assert len(got) == 1 and not EveningPush.objects.exists()


def replaced(cast: Cast, competition: Competition, seat: TableSeat) -> None:
    other = PlayerFactory.create(club=cast.club, name="Somebody Else")
    swap: dict[str, Any] = {"out": str(seat.player_id), "into": str(other.pk)}
    act(cast.olga, competition, SubstitutePlayer, entry=str(seat.entry_id), **swap)


def withdrawn(cast: Cast, competition: Competition, seat: TableSeat) -> None:
    act(cast.olga, competition, WithdrawEntry, entry=str(seat.entry_id))


def revoked(cast: Cast, competition: Competition, seat: TableSeat) -> None:
    services.revoke(by=cast.olga, competition=competition, people=[seat.player_id])


def expired(_cast: Cast, _competition: Competition, _seat: TableSeat) -> None:
    Pass.objects.update(expires_at=database_time.now())


def forgotten(_cast: Cast, _competition: Competition, seat: TableSeat) -> None:
    services.forget(seat.player)


ENDS: Final = (replaced, withdrawn, revoked, expired, forgotten)


class TestItEnds:
    @pytest.mark.parametrize("end", ENDS)
    def test_between_queueing_and_sending(
        self,
        cast: Cast,
        competition: Competition,
        seat: TableSeat,
        phone: Client,
        service: Answers,
        end: Callable[[Cast, Competition, TableSeat], None],
    ) -> None:
        got = service(201)
        hall.announce(by=cast.olga, competition=competition, words="Soup is ready")
        (queued,) = push.subscriptions_due()
        end(cast, competition, seat)
        send_news(str(queued))
        assert got == [] and not EveningPush.objects.exists()
        assert words(phone) == "There is news for you"

    def test_while_the_message_is_on_its_way(
        self, cast: Cast, competition: Competition, seat: TableSeat, phone: Client, service: Answers
    ) -> None:
        service(201)
        hall.announce(by=cast.olga, competition=competition, words="Soup is ready")
        tell()
        revoked(cast, competition, seat)
        assert words(phone) == "There is news for you"

    def test_by_no_more_and_with_the_evening_on_this_device(
        self, competition: Competition, phone: Client
    ) -> None:
        ask(phone, competition, "")
        assert not EveningPush.objects.exists()
        ask(phone, competition)
        phone.post(f"/competitions/{competition.slug}/my-evening/leave/")
        assert not EveningPush.objects.exists()

    def test_of_an_expired_pass_is_removed(self, cast: Cast, competition: Competition, phone: Client) -> None:
        expired(cast, competition, TableSeat())
        services.tidy()
        assert not EveningPush.objects.exists() and Pass.objects.exists()

    def test_with_another_address_of_who_got_it_by_email(
        self, cast: Cast, competition: Competition, service: Answers
    ) -> None:
        got = service(201)
        # Who sits where is drawn by lot, and who has an account gets no email at the club's address.
        person = Player.objects.filter(account=None, entered__entry__competition=competition)[0]
        Contact.objects.create(player=person, email="ruth@cards.example")
        assert services.send_passes(by=cast.olga, competition=competition) == 1
        assert ask(opened_by(code(cast, competition, person)), competition).status_code == 200
        Contact.objects.update(email="other@cards.example")
        hall.announce(by=cast.olga, competition=competition, words="Soup is ready")
        tell()
        assert got == [] and not EveningPush.objects.exists()


class TestWhoMayAsk:
    def test_the_same_address_again_is_no_second_one(self, competition: Competition, phone: Client) -> None:
        before = EveningPush.objects.get()
        ask(phone, competition)
        assert EveningPush.objects.get() == before

    def test_a_pass_has_a_few(self, cast: Cast, competition: Competition, seat: TableSeat) -> None:
        typed = code(cast, competition, seat.player)
        for number in range(push.MOST_BROWSERS + 1):
            ask(opened_by(typed), competition, f"{ENDPOINT}{number}")
        kept = {*EveningPush.objects.values_list("endpoint", flat=True)}
        assert kept == {f"{ENDPOINT}{number}" for number in range(1, push.MOST_BROWSERS + 1)}

    def test_a_phone_that_opens_the_evening_of_another_person_tells_that_one(
        self, cast: Cast, competition: Competition, seat: TableSeat, phone: Client
    ) -> None:
        other = tables(competition)[0].seats.get(number=1).player
        shown = phone.post("/enter/", {"code": code(cast, competition, other)}, follow=True)
        told = (
            f"This phone now tells of the evening of {other.name}, no longer of that of {seat.player.name}."
        )
        assert told in shown.content.decode()
        found = EveningPush.objects.get()
        assert (found.session_id, found.held.player) == (phone.session.session_key, other)
        ask(phone, competition)
        assert EveningPush.objects.get() == found

    def test_a_phone_that_opens_another_evening_tells_nothing_that_was_before(
        self, cast: Cast, competition: Competition, phone: Client, service: Answers
    ) -> None:
        got = service(201)
        hall.announce(by=cast.olga, competition=competition, words="Soup is ready")
        other = tables(competition)[0].seats.get(number=1).player
        phone.post("/enter/", {"code": code(cast, competition, other)})
        tell()
        assert got == []
        hall.announce(by=cast.olga, competition=competition, words="Bread, too")
        assert tell() == [ENDPOINT] and words(phone) == "Bread, too"

    def test_the_same_code_again_says_nothing_and_keeps_what_is_told(
        self, cast: Cast, competition: Competition, phone: Client, seat: TableSeat
    ) -> None:
        before = EveningPush.objects.get()
        typed = code(cast, competition, seat.player)
        shown = phone.post("/enter/", {"code": typed}, follow=True).content.decode()
        assert EveningPush.objects.get() == before and "This phone now tells" not in shown

    def test_of_an_account_and_of_an_evening_come_to_one_address_which_either_keeps(
        self, cast: Cast, competition: Competition, phone: Client
    ) -> None:
        phone.force_login(cast.nora)
        ask(phone, competition)
        both = ["/account/push/", f"/competitions/{competition.slug}/my-evening/push/"]
        phone.post("/account/push/", {"endpoint": ENDPOINT}, secure=True)
        told = [phone.post(path, {"endpoint": ""}, secure=True).json()["told"] for path in both]
        assert told == [True, False]

    def test_nobody_without_a_good_code_for_this_evening_under_https(
        self, cast: Cast, competition: Competition, seat: TableSeat
    ) -> None:
        other, browser = in_play(cast, 4, name="Other"), opened_by(code(cast, competition, seat.player))
        answers = [
            ask(Client(), competition),
            ask(browser, other),
            ask(browser, competition, secure=False),
            ask(browser, competition, "https://127.0.0.1/x"),
            ask(browser, competition, f"{ENDPOINT}{'x' * 2000}"),
            ask(browser, competition, f"{ENDPOINT}\0"),
            browser.get(f"/competitions/{competition.slug}/my-evening/push/"),
        ]
        assert [each.status_code for each in answers] == [403, 403, 403, 422, 422, 422, 405]
        strict = Client(enforce_csrf_checks=True)
        strict.cookies = browser.cookies
        assert ask(strict, competition).status_code == 403
        assert not EveningPush.objects.exists()

    def test_the_page_offers_it_under_https_to_who_has_a_code(
        self, cast: Cast, competition: Competition, phone: Client
    ) -> None:
        address = f"/competitions/{competition.slug}/my-evening/"
        key = f'data-push="{push_key()}"'
        shown = phone.get(address, secure=True)
        assert key in shown.content.decode() and 'data-subscribed="1"' in shown.content.decode()
        assert key not in phone.get(address).content.decode()
        ask(phone, competition, "")
        again = phone.get(address, secure=True, headers={"if-none-match": shown["ETag"]})
        assert 'data-subscribed="0"' in again.content.decode()

    def test_a_sweep_asks_as_often_for_many_evenings_as_for_one(
        self, cast: Cast, competition: Competition
    ) -> None:
        asked = []
        for number in range(3):
            competition = competition if number == 0 else in_play(cast, 4, name=f"Evening {number}")
            hall.start_timer(by=cast.olga, competition=competition, minutes=3)
            person = tables(competition)[0].seats.get(number=0).player
            ask(opened_by(code(cast, competition, person)), competition, f"{ENDPOINT}{number}")
            hall.announce(by=cast.olga, competition=competition, words="Soup is ready")
            with CaptureQueriesContext(connection) as queries:
                due = push.subscriptions_due()
            asked.append(len(queries))
            assert len(due) == number + 1
        assert len({*asked}) == 1 and asked[0] <= 6

    @pytest.mark.django_db
    def test_a_sweep_without_any_asks_once(self, django_assert_num_queries: Any) -> None:
        with django_assert_num_queries(1):
            assert push.subscriptions_due() == []
