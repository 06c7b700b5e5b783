"""The language of pages and emails: chosen, or asked for by the browser; and how German writes things."""

from datetime import UTC, datetime

import pytest
from django.contrib.humanize.templatetags.humanize import ordinal
from django.contrib.messages.middleware import MessageMiddleware
from django.core.mail import EmailMultiAlternatives
from django.middleware.csrf import CsrfViewMiddleware
from django.test import Client
from django.utils import timezone, translation
from pytest_django import Settings

from games.engine.messages import both, either
from league.models import Account, Competition, Email
from league.services.accounts import choose_language
from league.services.emails import ask_for_address
from league.templatetags.trefoil import moment
from league.web.languages import LanguageMiddleware
from league.words.draw_reports import sentences
from league.words.emails import message_for
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

    def test_an_email_says_in_which_language_it_is(self, cast: Cast) -> None:
        assert '<html lang="en-gb">' in html_of(email_to(cast.paul))
        choose_language(by=cast.paul, language="de")
        assert '<html lang="de">' in html_of(email_to(cast.paul))

    def test_that_was_not_chosen_is_that_of_the_first_log_in(self, cast: Cast) -> None:
        cast.paul.set_password("a deck of fifty-two")
        cast.paul.save()
        for headers in (GERMAN, {"Accept-Language": "en"}):
            fields = {"username": "paul", "password": "a deck of fifty-two"}
            assert Client().post("/account/login/", fields, headers=headers).status_code == 302
            cast.paul.refresh_from_db()
            assert cast.paul.language == "de"

    def test_the_page_without_a_connection_is_in_it(self, cast: Cast, as_account: Visit) -> None:
        choose_language(by=cast.paul, language="de")
        worker = as_account(cast.paul).get("/worker.js", headers={"Accept-Language": "en"}).content.decode()
        assert '"language": "de"' in worker
        manifest = as_account(cast.paul).get("/manifest.webmanifest")
        assert "Wettbewerbe" in manifest.json()["description"] and len(manifest.json()["icons"]) == 3

    def test_the_desk_is_in_the_language_too(self, cast: Cast, as_account: Visit) -> None:
        page = as_account(cast.olga).get("/admin/", headers=GERMAN).content.decode()
        assert "Braucht deine Aufmerksamkeit" in page

    def test_the_api_is_in_english(self, cast: Cast, as_account: Visit) -> None:
        choose_language(by=cast.paul, language="de")
        refused = as_account(cast.paul).post("/api/v1/games/", {}, "application/json", headers=GERMAN)
        assert "Dieses Feld" not in refused.content.decode()
        assert refused["Content-Language"] == "en-gb"

    def test_the_api_is_in_english_after_a_german_page_for_a_wrong_host_too(self, settings: Settings) -> None:
        settings.ALLOWED_HOSTS = ["cards.example"]
        with translation.override("de"):
            refused = Client().get("/api/v1/clubs/", headers={"host": "elsewhere.example"})
        assert refused.json()["title"] == "The request is malformed"


def test_a_request_of_the_api_passes_no_middleware_of_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    passed = list[str]()
    for page in (CsrfViewMiddleware, LanguageMiddleware, MessageMiddleware):
        monkeypatch.setattr(page, "process_request", lambda _self, request: passed.append(request.path))
    assert Client().get("/api/v1/rulesets/").status_code == 200 and not passed
    assert Client().get("/rules/").status_code == 200 and passed


def email_to(account: Account) -> EmailMultiAlternatives:
    ask_for_address(by=account, email=f"{account.username}@cards.example")
    email = message_for(Email.objects.filter(account=account, kind=Email.Kind.ADDRESS).latest("id"))
    assert email is not None
    return email


def html_of(email: EmailMultiAlternatives) -> str:
    return str(email.alternatives[0][0])


def subject_for(account: Account) -> str:
    return str(email_to(account).subject)


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
    @pytest.mark.parametrize(
        ("month", "where", "said"),
        [
            (3, "Europe/Berlin", "1. März 2026, 19:05 MEZ"),
            (7, "Europe/Berlin", "1. Juli 2026, 20:05 MESZ"),
            (7, "Europe/Athens", "1. Juli 2026, 21:05 OESZ"),
            (3, "Europe/Lisbon", "1. März 2026, 18:05 WEZ"),
            (3, "Asia/Tokyo", "2. März 2026, 03:05 JST"),
        ],
    )
    def test_dates_and_times(self, month: int, where: str, said: str) -> None:
        at = datetime(2026, month, 1, 18, 5, tzinfo=UTC)
        with timezone.override(where):
            assert f">{said}<" in moment(at)

    def test_ordinals(self) -> None:
        assert [str(ordinal(number)) for number in (1, 2, 11, 23)] == ["1.", "2.", "11.", "23."]

    def test_lists(self) -> None:
        assert translated(both(["Anna", "Bo", "Cy"])) == "Anna, Bo und Cy"
        assert translated(either(["1", "2"])) == "1 oder 2"

    @pytest.mark.parametrize(("size", "said"), [(1, "1 Tisch zu 4."), (2, "2 Tische zu 4.")])
    def test_plurals(self, size: int, said: str) -> None:
        assert sentences({"sizes": {"4": size}})[0] == said


class TestAnAddressThatNamesALanguage:
    def test_shows_the_page_in_it_and_changes_nothing_else(self, cast: Cast, as_account: Visit) -> None:
        choose_language(by=cast.paul, language="en-gb")
        paul = as_account(cast.paul)
        assert '<html lang="de">' in paul.get("/?lang=de").content.decode()
        assert '<html lang="en-gb">' in paul.get("/").content.decode()
        assert '<html lang="en-gb">' in paul.get("/?lang=tlh", headers=GERMAN).content.decode()

    def test_is_told_to_search_engines_on_every_page_that_they_may_show(
        self, client: Client, played: Competition, cast: Cast
    ) -> None:
        game = played.games.all()[0].game_id
        player = f"/players/{cast.paul_plays.pk}/"
        pages = ("/", f"/clubs/{cast.club.slug}/", f"/competitions/{played.slug}/", player)
        for path in (*pages, f"/games/{game}/", "/rules/scoops/"):
            page = client.get(path).content.decode()
            for code, query in (("en", "?lang=en"), ("de", "?lang=de"), ("x-default", "")):
                assert f'hreflang="{code}" href="http://testserver{path}{query}"' in page
            assert '<meta name="description" content="' in page and 'property="og:title"' in page

    def test_gives_way_to_the_choice_at_the_foot_of_its_page(self, client: Client) -> None:
        assert chosen(client, "en-gb", "/rules/?lang=de&q=1") == "/rules/?q=1"

    def test_is_that_of_feeds_and_calendars(self, client: Client, played: Competition, cast: Cast) -> None:
        club = f"/clubs/{cast.club.slug}/"
        page = client.get(club, headers=GERMAN).content.decode()
        links = (f"{club}calendar.ics?lang=de", f"{club}feed/?lang=de")
        assert all(f'href="{link}"' in page for link in links)
        assert "Runde 1" in client.get(links[1]).content.decode()
        player = client.get(f"/players/{cast.paul_plays.pk}/", headers=GERMAN).content.decode()
        rounds = client.get(f"/competitions/{played.slug}/rounds/", headers=GERMAN).content.decode()
        assert "calendar.ics?lang=de" in player and "calendar.ics?lang=de" in rounds
