"""An organiser's work on the desk, from adding players to the last round."""

from typing import Any

import pytest
from django.contrib.contenttypes.models import ContentType
from django.test import Client

from games.engine.textinput import record_in_form
from league.forms import fields_of
from league.models import Account, Club, Competition, Member, Player
from tests import factories
from tests.factories import Cast
from tests.league.playing import in_play, play_all
from tests.league.test_admin_scope import logged_in


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


def page_text(answer: Any) -> str:
    return str(answer.content.decode())


def kinds(competition: Competition) -> list[str]:
    return [event.event["type"] for event in competition.events.order_by("seq")]


class TestPlayers:
    def test_are_created(self, olga: Client, cast: Cast) -> None:
        fields = {"club": cast.club.pk, "name": "Zoë Ábel", "account": "", "active": "on"}
        assert olga.post("/admin/league/player/add/", fields).status_code == 302
        assert Player.objects.get(name="Zoë Ábel").search_name == "zoe abel"

    def test_are_changed_and_deactivated(self, olga: Client, cast: Cast) -> None:
        address = f"/admin/league/player/{cast.paul_plays.pk}/change/"
        assert olga.post(address, {"name": "Paul Perch", "account": cast.paul.pk}).status_code == 302
        cast.paul_plays.refresh_from_db()
        assert (cast.paul_plays.name, cast.paul_plays.active) == ("Paul Perch", False)
        assert cast.paul_plays.search_name == "paul perch"

    def test_without_an_account_are_opened_and_changed(self, olga: Client, cast: Cast) -> None:
        player = factories.PlayerFactory.create(club=cast.club, name="Zoë Ábel", public_name="Zoë Ábel")
        address = f"/admin/league/player/{player.pk}/change/"
        assert "Name on public pages" in page_text(olga.get(address))
        fields = {"name": "Zoë Ábel", "account": "", "active": "on", "shown_as": "short"}
        assert olga.post(address, fields).status_code == 302
        player.refresh_from_db()
        assert (player.names, player.public_name) == ("short", "Zoë Á.")

    def test_are_found_whatever_their_accents(self, olga: Client, cast: Cast) -> None:
        factories.PlayerFactory.create(club=cast.club, name="Zoë Ábel")
        page = page_text(olga.get("/admin/league/player/?q=ABEL"))
        assert "Zoë Ábel" in page
        assert "Paul Pike" not in page

    @pytest.mark.parametrize("name", ["", "x" * 101, "a\x07b"])
    def test_have_a_name_that_can_be_printed(self, olga: Client, cast: Cast, name: str) -> None:
        fields = {"club": cast.club.pk, "name": name, "account": "", "active": "on"}
        assert olga.post("/admin/league/player/add/", fields).status_code == 200
        assert Player.objects.filter(club=cast.club).count() == 2

    def test_belong_to_clubs_of_the_organiser(self, olga: Client, cast: Cast) -> None:
        elsewhere = Club.objects.exclude(pk=cast.club.pk).get()
        fields = {"club": elsewhere.pk, "name": "Spy", "account": "", "active": "on"}
        assert olga.post("/admin/league/player/add/", fields).status_code == 200
        assert not Player.objects.filter(name="Spy").exists()

    def test_have_only_accounts_of_members(self, olga: Client, cast: Cast) -> None:
        fields = {"club": cast.club.pk, "name": "Nora N", "account": cast.nora.pk, "active": "on"}
        assert olga.post("/admin/league/player/add/", fields).status_code == 200
        assert not Player.objects.filter(name="Nora N").exists()

    def test_do_not_share_an_account(self, olga: Client, cast: Cast) -> None:
        fields = {"club": cast.club.pk, "name": "Second", "account": cast.paul.pk, "active": "on"}
        assert "another player of the club already" in page_text(
            olga.post("/admin/league/player/add/", fields)
        )


class TestMembers:
    def test_are_not_added_without_their_consent(self, olga: Client, cast: Cast) -> None:
        for name in ("nora", "nobody"):
            fields = {"club": cast.club.pk, "username": name, "role": "player"}
            assert olga.post("/admin/league/member/add/", fields).status_code == 403
        assert not Member.objects.filter(club=cast.club, account=cast.nora).exists()

    def test_include_an_owner_at_all_times(self, olga: Client, cast: Cast) -> None:
        owner = Member.objects.get(club=cast.club, account=cast.olga)
        address = f"/admin/league/member/{owner.pk}"
        for answer in (
            olga.post(f"{address}/change/", {"role": "player"}, follow=True),
            olga.post(f"{address}/delete/", {"post": "yes"}, follow=True),
        ):
            assert "A club has at least one owner" in page_text(answer)
        owner.refresh_from_db()
        assert owner.role == Member.Role.OWNER

    def test_are_told_to_stay_in_running_competitions_before_they_are_deleted(
        self, olga: Client, cast: Cast
    ) -> None:
        in_play(cast, 2)
        paul = Member.objects.get(club=cast.club, account=cast.paul)
        page = page_text(olga.get(f"/admin/league/member/{paul.pk}/delete/"))
        assert "Paul Pike is in a competition that is not over: Autumn. The entry and the seat stay" in page

    def test_have_no_link_to_a_page_that_an_owner_may_not_see(self, olga: Client, cast: Cast) -> None:
        paul = Member.objects.get(club=cast.club, account=cast.paul)
        page = olga.get(f"/admin/league/member/{paul.pk}/change/").content.decode()
        assert "paul" in page and f"/admin/league/account/{cast.paul.pk}/" not in page

    def test_become_organisers_only_through_an_owner(self, cast: Cast) -> None:
        otto = factories.AccountFactory.create(username="otto")
        factories.MemberFactory.create(club=cast.club, account=otto, role=Member.Role.ORGANISER)
        paul = Member.objects.get(club=cast.club, account=cast.paul)
        address = f"/admin/league/member/{paul.pk}/change/"
        page = page_text(logged_in(otto).post(address, {"role": "owner"}, follow=True))
        assert "Only an owner of the club may do this." in page
        paul.refresh_from_db()
        assert paul.role == Member.Role.PLAYER


class TestClubs:
    def test_have_an_address_that_follows_their_name(self, olga: Client, cast: Cast) -> None:
        fields = {"name": "Harbour Cards & Co", "timezone": "Europe/Oslo", "slug": "other", "names": "short"}
        fields["paper"] = "letter"
        olga.post(f"/admin/league/club/{cast.club.pk}/change/", fields)
        club = Club.objects.get(pk=cast.club.pk)
        assert (club.name, club.timezone, club.slug) == (
            "Harbour Cards & Co",
            "Europe/Oslo",
            "harbour-cards-co",
        )
        assert (club.names, club.players.get(account=cast.paul).public_name) == ("short", "Paul P.")

    def test_need_an_existing_time_zone(self, olga: Client, cast: Cast) -> None:
        fields = {"name": "Harbour Cards", "timezone": "Moon/Base"}
        page = page_text(olga.post(f"/admin/league/club/{cast.club.pk}/change/", fields))
        assert "Something that you chose can’t be chosen any more." in page

    def test_are_created_by_superusers(self, olga: Client, cast: Cast) -> None:
        root = Account.objects.create_superuser("root")
        fields = {"name": "Hillside", "slug": "hillside", "timezone": "UTC"}
        assert olga.post("/admin/league/club/add/", fields).status_code == 403
        assert logged_in(root).post("/admin/league/club/add/", fields).status_code == 302
        assert Member.objects.get(club__slug="hillside").account == root


class TestGames:
    def test_show_their_log_in_words_with_the_verified_mark(self, olga: Client, cast: Cast) -> None:
        competition = in_play(cast, 4)
        (game,) = play_all(competition)
        page = page_text(olga.get(f"/admin/games/game/{game}/change/"))
        assert "Paul Pike says" in page
        assert "✓ verified" in page


def test_form_fields_keep_declared_values() -> None:
    from games import rules
    from games.engine import shapes

    for ruleset in rules.NEWEST.values():
        record = shapes.record(ruleset.options)
        fields = fields_of(record, "", {})
        cleaned = {name: field.clean(field.prepare_value(field.initial)) for name, field in fields.items()}
        assert shapes.read(ruleset.options, record_in_form(record, "", cleaned)) == ruleset.options()


@pytest.mark.parametrize("pk", ["None", "7", "no-id", "00000000-0000-0000-0000-000000000000"])
def test_view_on_site_of_what_is_no_row_is_not_found(olga: Client, pk: str) -> None:
    for kind in ContentType.objects.values_list("pk", flat=True):
        assert olga.get(f"/admin/r/{kind}/{pk}/").status_code == 404
