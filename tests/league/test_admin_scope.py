"""The desk shows an organiser their own clubs and nothing else: every address is walked as a stranger."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db.models import Model
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, reverse

from games.models import Game, Move, Seed
from league.admin import desk
from league.admin.verbs import VERBS
from league.models import (
    Account,
    Club,
    ClubChange,
    Competition,
    Delivery,
    Event,
    Member,
    Player,
    Token,
    Webhook,
)
from tests import factories
from tests.factories import Cast
from tests.league.playing import in_play

OPEN = ("index", "login", "logout", "password_change", "password_change_done", "jsi18n", "search")
"""Addresses that show nobody's rows."""


@pytest.fixture
def rows(cast: Cast) -> dict[type[Model], Model]:
    """A row of every kind on the desk, all of Olga's club."""
    competition = in_play(cast, 4)
    place = competition.games.all()[0]
    webhook = Webhook.objects.create(club=cast.club, url="https://harbour.example/hook", kinds=["result"])
    return {
        Club: cast.club,
        Member: Member.objects.get(club=cast.club, account=cast.paul),
        Player: cast.paul_plays,
        Competition: competition,
        Event: competition.events.all()[0],
        Game: place.game,
        Move: Move.objects.filter(game=place.game)[0],
        Account: cast.paul,
        Webhook: webhook,
        Delivery: Delivery.objects.create(webhook=webhook, kind="result", payload={}),
        ClubChange: ClubChange.objects.create(
            club=cast.club, account=cast.olga, kind="player_made", subject="Paul Pike"
        ),
    }


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


def patterns() -> Iterator[tuple[Any, URLPattern]]:
    """Yield every named address of the desk with the admin that it belongs to."""
    for admin in desk._registry.values():
        for pattern in admin.get_urls():
            if pattern.name:
                yield admin, pattern
    for pattern in desk.get_urls():
        if isinstance(pattern, URLPattern) and pattern.name:
            yield None, pattern


def addresses(rows: dict[type[Model], Model]) -> Iterator[tuple[str, str]]:
    """Yield name and address of every page of the desk, for the given rows."""
    for admin, pattern in patterns():
        if admin is None and pattern.name in OPEN:
            continue
        row = rows[admin.model].pk if admin else "1"
        for verb in VERBS if "verb" in pattern.pattern.converters else [""]:
            tried: tuple[dict[str, Any], ...] = (
                {},
                {"object_id": row},
                {"pk": row, "verb": verb},
                {"id": row},
                {"app_label": "league"},
                {"content_type_id": 1, "object_id": row},
            )
            yield str(pattern.name), next(filter(None, (_reversed(pattern.name, told) for told in tried)), "")


def _reversed(name: str | None, told: dict[str, Any]) -> str:
    for arguments in ({"kwargs": told}, {"args": list(told.values())}):
        try:
            return reverse(f"admin:{name}", **arguments)
        except NoReverseMatch:
            continue
    return ""


def secrets_of(rows: dict[type[Model], Model]) -> list[str]:
    """Return texts that only the club's own organisers may find on their desk."""
    ids = [str(row.pk) for row in rows.values()]
    return ["Harbour Cards", "Paul Pike", "Autumn", *(pk for pk in ids if "-" in pk)]


def test_the_walk_knows_every_address(rows: dict[type[Model], Model]) -> None:
    found = dict(addresses(rows))
    assert all(found.values()), [name for name, address in found.items() if not address]
    assert len(found) > 40


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_stranger_finds_nothing_at_any_address(
    nora: Client, rows: dict[type[Model], Model], method: str
) -> None:
    before = everything()
    for name, address in addresses(rows):
        answer = getattr(nora, method)(address, {"q": "a"} if method == "get" else {}, follow=True)
        body = answer.content.decode()
        leaked = [text for text in secrets_of(rows) if text in body and text not in address]
        assert leaked == [], f"{name} {address} shows {leaked}"
    assert everything() == before


def everything() -> dict[str, list[Any]]:
    """Return all rows of the league as they stand."""
    kinds = (Club, Member, Player, Competition, Event, Game, Move, Token)
    return {kind.__name__: list(kind._default_manager.order_by("pk").values()) for kind in kinds}


@pytest.mark.parametrize("who", ["paul", "nobody"])
def test_who_directs_no_club_finds_the_desk_closed(
    cast: Cast, rows: dict[type[Model], Model], who: str
) -> None:
    client = logged_in(cast.paul) if who == "paul" else Client()
    for _, address in (*addresses(rows), ("index", "/admin/")):
        answer = client.get(address)
        assert answer.status_code in (302, 403), address
        assert answer.status_code == 403 or answer["Location"].startswith(
            ("/admin/login/", "/account/login/")
        )


def test_an_organiser_sees_every_page_of_their_own(olga: Client, rows: dict[type[Model], Model]) -> None:
    allowed = {"changelist": 200, "change": 200, "history": 200}
    for name, address in addresses(rows):
        kind = name.rpartition("_")[2]
        if kind in allowed and "league/account" not in address:
            assert olga.get(address).status_code == allowed[kind], address


def test_an_owner_of_the_platform_sees_every_club(root: Client, rows: dict[type[Model], Model]) -> None:
    for model in rows:
        names = model._meta.app_label, model._meta.model_name
        page = root.get(reverse("admin:{}_{}_changelist".format(*names)))
        assert page.status_code == 200
        assert page.context["cl"].result_count == model._default_manager.count()


def test_an_owner_of_the_platform_directs_no_competition(
    root: Client, rows: dict[type[Model], Model]
) -> None:
    competition = rows[Competition]
    page = root.get(reverse("admin:league_competition_change", args=[competition.pk])).content.decode()
    assert "Void a table" not in page
    assert (
        root.post(f"/admin/league/competition/{competition.pk}/do/pause/", {"reason": "x"}).status_code == 403
    )


def test_an_organiser_of_two_clubs_sees_both(cast: Cast, rows: dict[type[Model], Model]) -> None:
    second = factories.ClubFactory.create(name="Hillside")
    factories.MemberFactory.create(club=second, account=cast.olga, role=Member.Role.ORGANISER)
    page = logged_in(cast.olga).get("/admin/league/club/").content.decode()
    assert "Hillside" in page
    assert "Harbour Cards" in page


def test_a_right_that_is_taken_away_ends_at_once(cast: Cast, olga: Client) -> None:
    assert olga.get("/admin/").status_code == 200
    Member.objects.filter(club=cast.club, account=cast.olga).update(role=Member.Role.PLAYER)
    assert olga.get("/admin/").status_code == 302


class TestWhatIsInALog:
    @pytest.mark.parametrize("model", [Event, Move, Game, Competition])
    def test_is_changed_by_no_form(
        self, olga: Client, rows: dict[type[Model], Model], model: type[Model]
    ) -> None:
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
    def test_is_added_to_by_no_form(self, olga: Client, cast: Cast, model: type[Model]) -> None:
        label = f"{model._meta.app_label}_{model._meta.model_name}"
        assert olga.post(reverse(f"admin:{label}_add"), {}).status_code == 403


def test_nothing_secret_is_on_the_desk() -> None:
    assert not {Seed, Token} & {*desk._registry}


def test_lists_are_found_and_sorted_by_the_names_on_them(
    olga: Client, rows: dict[type[Model], Model]
) -> None:
    for model in (Club, Member, Player, Competition, Event, Game, Move):
        address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        for query in ("", "?q=a", "?o=1.2", "?o=-1"):
            assert olga.get(f"{address}{query}").status_code == 200, f"{address}{query}"


def test_pages_of_the_desk_ask_the_database_only_so_often(
    olga: Client, rows: dict[type[Model], Model], django_assert_max_num_queries: Callable[[int], Any]
) -> None:
    for name, address in addresses(rows):
        if name.endswith(("_changelist", "_change")) and "league/account" not in address:
            with django_assert_max_num_queries(22):
                olga.get(address)
