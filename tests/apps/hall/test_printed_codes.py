"""Codes and addresses on printed sheets: where they come from, and what is never printed."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest
import segno
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import rules
from games.engine.refusals import Malformed
from league.apps.hall.models import SeatCode
from league.apps.hall.queries import digest, read_code
from league.core.verbs.draw import DrawRound
from league.core.verbs.start import StartCompetition
from league.models import Competition
from league.requests import is_loopback, read_address
from league.services.jobs import Cancelled
from league.tasks import run_job, tidy
from tests.factories import AccountFactory, Cast
from tests.league.acting import act
from tests.league.playing import in_play, opened, tables
from tests.league.test_admin_scope import logged_in
from tests.league.walking import text_of
from tests.toys import TOYS

HOST = "cards.example"


@pytest.fixture(autouse=True)
def _on_paper(settings: Any) -> Iterator[None]:
    settings.ALLOWED_HOSTS = ["*"]
    settings.SITE_URL = "http://127.0.0.1:8000"
    with rules.registered(*TOYS):
        yield


@pytest.fixture
def qr(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The URLs of all QR codes that are drawn."""
    drawn: list[str] = []
    make = segno.make

    def noted(url: str, **how: Any) -> Any:
        drawn.append(url)
        return make(url, **how)

    monkeypatch.setattr(segno, "make", noted)
    return drawn


@pytest.fixture
def competition(cast: Cast) -> Competition:
    return in_play(cast, 8, ruleset="scoops-scorecard")


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


def page_of(competition: Competition, kind: str) -> str:
    return reverse("admin:league_competition_print_page", args=[competition.pk, kind])


def print_sheets(client: Client, competition: Competition, host: str = HOST, **sent: str) -> Any:
    return client.post(page_of(competition, "sheets"), sent, headers={"host": host})


class TestSheets:
    def test_have_a_code_for_each_seat_that_opens_its_card(
        self, olga: Client, competition: Competition, qr: list[str]
    ) -> None:
        answer = print_sheets(olga, competition)
        assert answer["Content-Type"] == "application/pdf" and "no-store" in answer["Cache-Control"]
        assert len(qr) == 8
        for url in qr:
            page, code = url.split("#")
            assert page == f"http://{HOST}/enter/"
            assert SeatCode.objects.filter(digest=digest(code)).count() == 1

    def test_have_the_codes_to_type_and_where(self, olga: Client, competition: Competition) -> None:
        shown = text_of(print_sheets(olga, competition))
        assert f"{HOST}/enter/" in shown
        codes = {word for word in shown.split() if len(word) == 9 and word[4] == "-"}
        assert len({read_code(code) for code in codes}) == 8

    def test_are_kept_nowhere_if_they_are_few(self, olga: Client, competition: Competition) -> None:
        assert print_sheets(olga, competition)["Content-Type"] == "application/pdf"
        assert not competition.jobs.exists()

    def test_are_kept_for_an_hour_for_organisers_alone_if_they_are_many(
        self, cast: Cast, olga: Client, qr: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("league.files.file.MOST_PAGES", 1)
        competition = in_play(cast, 8, ruleset="scoops-scorecard", name="Many")
        shown = [print_sheets(olga, competition)["Location"] for _ in range(2)]
        assert len(set(shown)) == 2, "each print makes new codes"
        job = competition.jobs.order_by("made_at")[0]
        assert qr == []
        run_job(str(job.pk))
        assert len(qr) == 8 and SeatCode.objects.count() == 8
        file, owner = f"/admin/league/job/{job.pk}/file/", AccountFactory.create(is_superuser=True)
        kept = olga.get(file)
        assert kept.content.startswith(b"%PDF") and "no-store" in kept["Cache-Control"]
        assert logged_in(owner).get(file).status_code == 403
        assert "removed after an hour" in olga.get(f"/admin/league/job/{job.pk}/change/").content.decode()
        with time_machine.travel(timezone.now() + timedelta(minutes=61)):
            assert olga.get(file).status_code == 404
            tidy()
        job.refresh_from_db()
        assert job.file is None

    def test_that_are_not_finished_have_made_no_codes(
        self, olga: Client, competition: Competition, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("league.files.file.MOST_PAGES", 0)
        monkeypatch.setattr(segno, "make", Mock(side_effect=Cancelled))
        print_sheets(olga, competition)
        job = competition.jobs.get()
        run_job(str(job.pk))
        job.refresh_from_db()
        assert job.status == "cancelled" and not SeatCode.objects.exists()

    def test_of_a_draft_have_no_codes(self, cast: Cast, olga: Client, qr: list[str]) -> None:
        competition = opened(cast, 4, ruleset="scoops-scorecard")
        for verb in (StartCompetition, DrawRound):
            act(cast.olga, competition, verb)
        assert print_sheets(olga, competition)["Content-Type"] == "application/pdf"
        assert qr == [] and not SeatCode.objects.exists()

    def test_from_public_pages_and_the_api_have_none(
        self, cast: Cast, olga: Client, competition: Competition, qr: list[str]
    ) -> None:
        for client in (Client(), olga):
            client.get(f"/competitions/{competition.slug}/print/sheets.pdf", headers={"host": HOST})
            client.get(f"/api/v1/competitions/{competition.pk}/sheets/", headers={"host": HOST})
        assert qr and not [url for url in qr if "/enter/" in url]
        assert not SeatCode.objects.exists()

    def test_are_printed_for_organisers_alone(self, cast: Cast, competition: Competition) -> None:
        for account in (cast.paul, cast.nora):
            assert print_sheets(logged_in(account), competition).status_code in (302, 404)
        assert not SeatCode.objects.exists()


class TestTheAddress:
    @pytest.mark.parametrize(
        "host",
        [
            "localhost",
            "LOCALHOST",
            "a.localhost",
            "127.0.0.1",
            "127.8.8.8",
            "::1",
            "0.0.0.0",
            "::ffff:127.0.0.1",
        ],
    )
    def test_is_never_one_of_this_machine_alone(self, host: str) -> None:
        assert is_loopback(host)
        with pytest.raises(Malformed):
            read_address(f"http://[{host}]" if ":" in host else f"http://{host}")

    @pytest.mark.parametrize("host", ["192.168.1.20", "cards.example", "localhost.example", "2001:db8::1"])
    def test_may_be_any_other(self, host: str) -> None:
        assert not is_loopback(host)

    @pytest.mark.parametrize(
        ("typed", "read"),
        [
            ("192.168.1.20:8000", "http://192.168.1.20:8000"),
            (" https://cards.example/ ", "https://cards.example"),
        ],
    )
    def test_is_read_as_people_type_it(self, typed: str, read: str) -> None:
        assert read_address(typed) == read

    @pytest.mark.parametrize(
        "typed",
        [
            "",
            "ftp://cards.example",
            "http://",
            "http://a@cards.example",
            "http://cards.example/x",
            "http://a:b",
        ],
    )
    def test_is_refused_where_it_is_none(self, typed: str) -> None:
        with pytest.raises(Malformed):
            read_address(typed)

    @pytest.mark.parametrize("kind", ["sheets", "cards"])
    def test_is_asked_for_where_the_desk_is_open_on_this_machine(
        self, olga: Client, competition: Competition, qr: list[str], kind: str
    ) -> None:
        page = page_of(competition, kind)
        direct = olga.get(
            reverse("admin:league_competition_print", args=[competition.pk, kind]),
            headers={"host": "127.0.0.1"},
        )
        assert direct["Location"].startswith(page)
        asked = olga.post(page, headers={"host": "localhost:8000"})
        assert "At which address do phones reach this site?" in asked.content.decode()
        for wrong in ("127.0.0.1:8000", "x y", "192.168.1.20:65536"):
            asked = olga.post(page, {"address": wrong}, headers={"host": "localhost"})
            assert asked.status_code == 200 and asked["Content-Type"].startswith("text/html")
        assert qr == []
        olga.post(page, {"address": "192.168.1.20:8000"}, headers={"host": "localhost:8000"})
        assert qr and all(url.startswith("http://192.168.1.20:8000/") for url in qr)
        again = olga.post(page, headers={"host": "localhost"})
        assert again["Content-Type"] == "application/pdf"

    def test_with_another_port_than_that_of_the_page_is_asked_about(
        self, olga: Client, competition: Competition, qr: list[str]
    ) -> None:
        page, sent = page_of(competition, "cards"), {"address": "192.168.1.20:8103"}
        asked = olga.post(page, sent, headers={"host": "localhost:8101"}).content.decode()
        assert "This page comes from port 8101, not 8103." in asked
        assert "I have opened this address on a phone" in asked
        assert qr == []
        olga.post(page, {**sent, "sure": "on"}, headers={"host": "localhost:8101"})
        assert qr and all(url.startswith("http://192.168.1.20:8103/") for url in qr)

    def test_of_the_settings_is_taken_before_asking(
        self, olga: Client, competition: Competition, qr: list[str], settings: Any
    ) -> None:
        settings.SITE_URL = "https://cards.example"
        print_sheets(olga, competition, host="localhost")
        assert qr and all(url.startswith("https://cards.example/enter/#") for url in qr)

    @pytest.mark.parametrize("kind", ["cards", "sheets"])
    def test_of_this_machine_is_not_printed_for_anybody(
        self, competition: Competition, qr: list[str], kind: str
    ) -> None:
        answer = Client().get(
            f"/competitions/{competition.slug}/print/{kind}.pdf", headers={"host": "127.0.0.1"}
        )
        assert answer.status_code == 200 and qr == []


class TestCodesOnTheDesk:
    def test_of_a_table_are_shown_once(self, olga: Client, competition: Competition) -> None:
        table = tables(competition)[1]
        page = reverse("admin:league_competition_codes", args=[competition.pk])
        answer = olga.post(page, {"table": str(table.pk)})
        assert "no-store" in answer["Cache-Control"]
        assert SeatCode.objects.filter(table=table.pk).count() == 4
        shown = answer.content.decode()
        assert all(seat.player.name in shown for seat in table.seats.all())
        assert olga.get(page).status_code == 302

    @pytest.mark.parametrize("table", ["", "x", "00000000-0000-0000-0000-000000000000"])
    def test_of_no_table_are_not_found(self, olga: Client, competition: Competition, table: str) -> None:
        page = reverse("admin:league_competition_codes", args=[competition.pk])
        assert olga.post(page, {"table": table}).status_code == 404

    def test_can_be_ended_all_at_once(self, olga: Client, competition: Competition, qr: list[str]) -> None:
        print_sheets(olga, competition)
        page = reverse("admin:league_competition_codes", args=[competition.pk])
        asked = olga.post(page, {"withdraw": "1"}).content.decode()
        assert "score sheets must be printed again" in asked and 'name="withdraw" value="1"' in asked
        assert SeatCode.objects.exists()
        olga.post(page, {"withdraw": "1", "sure": "1"})
        assert not SeatCode.objects.exists()

    def test_of_another_club_are_not_made(self, cast: Cast, competition: Competition) -> None:
        page = reverse("admin:league_competition_codes", args=[competition.pk])
        nora = logged_in(cast.nora)
        assert nora.post(page, {"table": str(tables(competition)[0].pk)}).status_code == 404
        assert nora.post(page, {"withdraw": "1"}).status_code == 404
