"""The desk shows organisers only their own clubs: a stranger requests every address."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, quote

import pytest
from django.apps import apps
from django.contrib.messages import get_messages
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoDbBlocker

from games.models import Game
from games.models.moves import Move, Seed
from league.admin import desk
from league.models import (
    Account,
    Club,
    Competition,
    Member,
    Player,
    Token,
)
from league.models.events import Event
from league.queries import permissions
from tests import factories
from tests.factories import Cast
from tests.league.playing import in_play
from tests.league.tally import Tally
from tests.league.walking import Address, Rows, addresses, completions, lists, narrowed, rows_of, text_of
from tests.shared import shared_rows


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[tuple[Cast, Rows]]:
    with shared_rows(django_db_blocker, Tally()):
        cast = factories.cast()
        yield cast, rows_of(cast, in_play(cast, 4))


@pytest.fixture
def cast(made: tuple[Cast, Rows], db: None) -> Cast:
    return made[0]


@pytest.fixture
def rows(made: tuple[Cast, Rows], db: None) -> Rows:
    """A row of every kind on the desk, all of Olga's club."""
    return made[1]


@pytest.fixture
def nora(cast: Cast) -> Client:
    """Who owns another club."""
    return logged_in(cast.nora)


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


@pytest.fixture
def root(cast: Cast) -> Client:
    """Who owns the platform."""
    return logged_in(Account.objects.create_superuser("root"))


def logged_in(account: Account) -> Client:
    client = Client()
    client.force_login(account)
    return client


class Visits:
    """What one client was shown: the page that redirections lead to is read once."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._seen: dict[str, str] = {}

    def get(self, address: str) -> tuple[Any, str]:
        """Return the answer to a GET, and all that the client was shown for it."""
        return self._follow(self._client.get(address))

    def post(self, address: str, fields: object = None) -> tuple[Any, str]:
        """Return the answer to a POST, and all that the client was shown for it."""
        return self._follow(self._client.post(address, fields))

    def _follow(self, answer: Any) -> tuple[Any, str]:
        said = "\n".join(map(str, get_messages(answer.wsgi_request)))
        self._client.cookies.pop("messages", None)  # otherwise the next page says them
        shown = text_of(answer)
        if answer.status_code in (301, 302):
            shown += self._at(answer["Location"])
        return answer, f"{said}\n{shown}"

    def _at(self, address: str) -> str:
        if address not in self._seen:
            self._seen[address] = text_of(self._client.get(address, follow=True))
        return self._seen[address]


def secrets_of(rows: Rows) -> list[str]:
    """Return texts that only the club's own organisers may find on their desk."""
    ids = [str(row.pk) for row in rows.values()]
    return ["Harbour Cards", "Paul Pike", "Autumn", *(pk for pk in ids if "-" in pk)]


def terms_about(row: Model, rows: Rows) -> list[str]:
    """Return those secrets that a search among rows of a kind could know: names, and ids that a row holds."""
    held = {str(row.pk), *(str(getattr(row, field.attname)) for field in row._meta.concrete_fields)}
    return [text for text in secrets_of(rows) if text in held or " " in text or text == "Autumn"]


def test_there_is_a_row_of_every_model_on_the_desk(rows: Rows) -> None:
    assert reverse("admin:index")  # with the addresses the lists of apps are loaded
    assert {*desk._registry} == {*rows}, "give the walk a row of each, in `rows`"
    assert len(addresses(rows)) > 120


class TestStranger:
    """Nora owns another club: of Olga's she finds nothing, whatever she asks for."""

    def finds_nothing(self, body: str, rows: Rows, asked: str) -> None:
        leaked = [text for text in secrets_of(rows) if text in body and text not in asked]
        assert leaked == [], f"{asked} shows {leaked}"

    @pytest.mark.parametrize("method", ["get", "post"])
    def test_gets_nothing_from_any_address(self, nora: Client, rows: Rows, method: str) -> None:
        before = everything()
        visit = getattr(Visits(nora), method)
        for address in addresses(rows):
            answer, shown = visit(address.path)
            self.finds_nothing(shown, rows, address.path)
            if str(rows[Competition].pk) in address.path:
                assert answer.status_code in (301, 302, 403, 404), address
        assert everything() == before

    def test_gets_nothing_from_any_filter_value(self, nora: Client, root: Client, rows: Rows) -> None:
        narrow = [found for address, admin in lists() for found in narrowed(root, address, admin)]
        assert len(narrow) > 50
        exported = {tuple(parse_qs(address)): address.replace("/?", "/export.csv?") for address in narrow}
        visits = Visits(nora)
        for address in (*narrow, *exported.values()):  # of each filter's values, one as a file
            self.finds_nothing(visits.get(address)[1], rows, address)

    def test_gets_nothing_from_a_search(self, nora: Client, rows: Rows) -> None:
        for address, admin in lists():
            for term in terms_about(rows[admin.model], rows):
                asked = f"{address}?q={quote(term)}"
                answer = nora.get(asked, follow=True)
                if answer.status_code == 200 and "cl" in (answer.context or {}):
                    assert term not in {str(row.pk) for row in answer.context["cl"].queryset}
                    assert not self.of_the_club(answer.context["cl"].queryset, rows), asked

    def of_the_club(self, found: Any, rows: Rows) -> bool:
        return bool(found.filter(pk=rows[found.model].pk))

    def test_gets_nothing_from_autocompletion(self, nora: Client, rows: Rows) -> None:
        for _, admin in lists():
            for address in completions(admin):
                self.finds_nothing(text_of(nora.get(address)), rows, address)

    def test_gets_no_choices_in_any_form(self, nora: Client, rows: Rows) -> None:
        visits = Visits(nora)
        for address, _ in lists():
            for query in ("", *(f"?{model._meta.model_name}={row.pk}" for model, row in rows.items())):
                asked = f"{address}add/{query}"
                answer, shown = visits.get(asked)
                self.finds_nothing(shown, rows, asked)
                if answer.status_code == 403:
                    break  # nobody adds rows to this list, whatever is chosen in the form

    def test_can_not_run_actions(self, nora: Client, rows: Rows) -> None:
        before = everything()
        visits = Visits(nora)
        for address, admin in lists():
            for action in ("delete_selected", *(name for name, *_ in admin._get_base_actions())):
                response = {"action": action, "_selected_action": [str(rows[admin.model].pk)], "post": "yes"}
                self.finds_nothing(visits.post(address, response)[1], rows, address)
        assert everything() == before

    def test_gets_rows_of_her_own_club(self, cast: Cast, nora: Client) -> None:
        club = Club.objects.get(members__account=cast.nora)
        factories.PlayerFactory.create(club=club, name="Nils Novak")
        for address in ("", "?q=novak", "export.csv"):
            assert "Nils Novak" in nora.get(f"/admin/league/player/{address}").content.decode()


def everything() -> dict[str, list[Any]]:
    """Return all rows of games and league as they stand."""
    kinds = [kind for kind in apps.get_models() if kind.__module__.startswith(("games.", "league."))]
    return {kind.__name__: list(kind._default_manager.order_by("pk").values()) for kind in kinds}


@pytest.mark.parametrize("role", [None, *sorted({*Member.Role} - {*permissions.DIRECTORS})])
def test_only_organisers_can_open_the_desk(cast: Cast, rows: Rows, role: str | None) -> None:
    client = Client()
    if role is not None:
        Member.objects.filter(club=cast.club, account=cast.paul).update(role=role)
        client = logged_in(cast.paul)
    # What a player may not see, let alone a stranger, is not sent either: the others send, too.
    methods = (client.get, client.post) if role in (None, Member.Role.SCOREKEEPER) else (client.get,)
    for address in (*addresses(rows), Address("/admin/", "index", None)):
        for method in methods:
            answer = method(address.path)
            assert answer.status_code in (302, 403), address
            closed = ("/admin/login/", "/account/login/")
            assert answer.status_code == 403 or answer["Location"].startswith(closed), address


def test_an_organiser_sees_every_page_of_their_own(olga: Client, rows: Rows) -> None:
    shown = ("changelist", "change", "history", "export", "file")
    for address in addresses(rows):
        if address.name.endswith(shown) and address.model not in (None, Account):
            assert olga.get(address.path).status_code == 200, address


def test_a_superuser_sees_every_club(root: Client, rows: Rows) -> None:
    for model in rows:
        names = model._meta.app_label, model._meta.model_name
        page = root.get(reverse("admin:{}_{}_changelist".format(*names)))
        assert page.status_code == 200
        assert page.context["cl"].result_count == model._default_manager.count()


def test_a_superuser_can_not_run_competitions(root: Client, rows: Rows) -> None:
    competition = rows[Competition]
    page = root.get(reverse("admin:league_competition_change", args=[competition.pk])).content.decode()
    assert "Void a table" not in page
    assert (
        root.post(f"/admin/league/competition/{competition.pk}/do/pause/", {"reason": "x"}).status_code == 403
    )


def test_an_organiser_of_two_clubs_sees_both(cast: Cast, rows: Rows) -> None:
    second = factories.ClubFactory.create(name="Hillside")
    factories.MemberFactory.create(club=second, account=cast.olga, role=Member.Role.ORGANISER)
    page = logged_in(cast.olga).get("/admin/league/club/").content.decode()
    assert "Hillside" in page
    assert "Harbour Cards" in page


def test_a_removed_role_ends_access_at_once(cast: Cast, olga: Client) -> None:
    assert olga.get("/admin/").status_code == 200
    Member.objects.filter(club=cast.club, account=cast.olga).update(role=Member.Role.PLAYER)
    assert olga.get("/admin/").status_code == 302


class TestLogEntries:
    @pytest.mark.parametrize("model", [Event, Move, Game, Competition])
    def test_can_not_be_changed_by_a_form(self, olga: Client, rows: Rows, model: type[Model]) -> None:
        before = everything()
        label = f"{model._meta.app_label}_{model._meta.model_name}"
        change = reverse(f"admin:{label}_change", args=[rows[model].pk])
        for address in (change, change.replace("/change/", "/delete/")):
            assert olga.post(address, {"name": "other", "seq": 9, "post": "yes"}).status_code in (
                200,
                403,
                404,
                405,
            )
        assert everything() == before

    @pytest.mark.parametrize("model", [Event, Move, Game])
    def test_can_not_be_added_to_by_a_form(self, olga: Client, cast: Cast, model: type[Model]) -> None:
        label = f"{model._meta.app_label}_{model._meta.model_name}"
        assert olga.post(reverse(f"admin:{label}_add"), {}).status_code == 403


def test_nothing_secret_is_on_the_desk() -> None:
    assert not {Seed, Token} & {*desk._registry}


def test_lists_can_be_searched_and_sorted_by_the_names_shown(olga: Client, rows: Rows) -> None:
    for model in (Club, Member, Player, Competition, Event, Game, Move):
        address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        for query in ("", "?q=a", "?o=1.2", "?o=-1"):
            assert olga.get(f"{address}{query}").status_code == 200, f"{address}{query}"
