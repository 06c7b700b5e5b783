"""The language of pages and emails: chosen, or asked for by the browser; and how German writes things."""

from datetime import UTC, datetime

import pytest
from django.contrib.humanize.templatetags.humanize import ordinal
from django.test import Client
from django.utils import timezone, translation

from games.engine.messages import both, either
from league.models import Account, Competition, Notice
from league.services.accounts import choose_language
from league.services.notices import ask_for_address
from league.templatetags.trefoil import moment
from league.words.draw_reports import sentences
from league.words.emails import email_for
from league.words.messages import translated
from tests.factories import Cast
from tests.web.conftest import Visit

GERMAN = {"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}
FOOT = "Jedes Spiel und jeder Wettbewerb eines Clubs hat ein Protokoll"


def chosen(client: Client, language: str, next_page: str = "/rules/") -> str:
    answer = client.post("/language/", {"language": language, "next": next_page})
    assert answer.status_code == 302
    return str(answer["Location"])


@pytest.mark.django_db
class TestWithoutAnAccount:
    @pytest.mark.parametrize(
        ("accepted", "language"),
        [("de-AT", "de"), ("fr,de;q=0.2", "de"), ("en-US", "en-gb"), ("fr", "en-gb"), ("", "en-gb")],
    )
    def test_the_language_is_what_the_browser_asks_for(
        self, client: Client, accepted: str, language: str
    ) -> None:
        page = client.get("/", headers={"Accept-Language": accepted})
        assert f'<html lang="{language}">' in page.content.decode()
        assert (FOOT in page.content.decode()) is (language == "de")

    def test_the_choice_at_the_foot_of_a_page_is_kept(self, client: Client) -> None:
        assert chosen(client, "de") == "/rules/"
        assert FOOT in client.get("/").content.decode()
        chosen(client, "en-gb")
        assert FOOT not in client.get("/", headers=GERMAN).content.decode()

    def test_each_language_has_its_own_name(self, client: Client) -> None:
        page = client.get("/rules/", headers={"accept-language": "de"}).content.decode()
        assert ">English</button>" in page
        assert ">Deutsch</button>" in page

    @pytest.mark.parametrize("next_page", ["https://elsewhere.example/", "//elsewhere.example", ""])
    def test_the_choice_leads_to_no_other_site(self, client: Client, next_page: str) -> None:
        assert chosen(client, "de", next_page) == "/"

    def test_an_unknown_language_changes_nothing(self, client: Client) -> None:
        chosen(client, "tlh")
        assert not client.cookies
        assert client.get("/language/").status_code == 405


class TestWithAnAccount:
    def test_the_choice_is_the_same_on_every_device(self, cast: Cast, as_account: Visit) -> None:
        chosen(as_account(cast.paul), "de")
        cast.paul.refresh_from_db()
        assert cast.paul.language == "de"
        assert FOOT in as_account(cast.paul).get("/", headers={"Accept-Language": "en"}).content.decode()

    def test_emails_are_in_the_language_of_who_gets_them(self, cast: Cast) -> None:
        assert subject_for(cast.paul) == "Confirm your email address"
        choose_language(by=cast.paul, language="de")
        assert subject_for(cast.paul) == "Bestätige deine E-Mail-Adresse"

    def test_the_desk_is_in_the_language_too(self, cast: Cast, as_account: Visit) -> None:
        page = as_account(cast.olga).get("/admin/", headers=GERMAN).content.decode()
        assert "Braucht deine Aufmerksamkeit" in page

    def test_the_api_is_in_english(self, cast: Cast, as_account: Visit) -> None:
        choose_language(by=cast.paul, language="de")
        refused = as_account(cast.paul).post("/api/v1/games/", {}, "application/json", headers=GERMAN)
        assert "Dieses Feld" not in refused.content.decode()
        assert refused["Content-Language"] == "en-gb"


def subject_for(account: Account) -> str:
    ask_for_address(by=account, email=f"{account.username}@cards.example")
    email = email_for(Notice.objects.filter(account=account, kind=Notice.Kind.ADDRESS).latest("id"))
    assert email is not None
    return email.subject


def test_the_tag_of_a_cached_page_knows_the_language(client: Client, played: Competition) -> None:
    address = f"/competitions/{played.slug}/"
    english = client.get(address)
    german = client.get(address, headers={**GERMAN, "If-None-Match": english["ETag"]})
    assert german.status_code == 200
    assert "Tabelle" in german.content.decode()


@pytest.fixture
def reading_german() -> object:
    with translation.override("de"):
        yield


@pytest.mark.usefixtures("reading_german")
class TestGerman:
    def test_dates_and_times(self) -> None:
        at = datetime(2026, 3, 1, 18, 5, tzinfo=UTC)
        with timezone.override("Europe/Berlin"):
            assert ">1. März 2026, 19:05 CET<" in moment(at)

    def test_ordinals(self) -> None:
        assert [str(ordinal(number)) for number in (1, 2, 11, 23)] == ["1.", "2.", "11.", "23."]

    def test_lists(self) -> None:
        assert translated(both(["Anna", "Bo", "Cy"])) == "Anna, Bo und Cy"
        assert translated(either(["1", "2"])) == "1 oder 2"

    @pytest.mark.parametrize(("size", "said"), [(1, "1 Tisch zu 4."), (2, "2 Tische zu 4.")])
    def test_plurals(self, size: int, said: str) -> None:
        assert sentences({"sizes": {"4": size}})[0] == said
