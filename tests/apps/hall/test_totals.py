"""Totals of a table from a phone with its code: they wait until an organiser or scorekeeper takes them."""

import pytest
from django.test import Client

from games.engine import shapes
from league.apps.hall.models import Call
from league.apps.hall.services import make_codes
from league.models import Competition, Member, Table
from tests.apps.hall.test_enter import enter, text
from tests.core.test_ruling import DEFINED
from tests.factories import AccountFactory, Cast
from tests.league.playing import in_play, pairs_in_play, tables
from tests.league.test_admin_scope import logged_in

TYPED = {f"seat-{number}": str(score) for number, score in enumerate((120, 88, 40, 12))}


@pytest.fixture
def competition(cast: Cast) -> Competition:
    return in_play(cast, 4, ruleset="scamper-scorecard")


@pytest.fixture
def table(competition: Competition) -> Table:
    return tables(competition)[0]


@pytest.fixture
def phone(cast: Cast, competition: Competition, table: Table) -> Client:
    codes = make_codes(by=cast.olga, competition=competition, tables=[table])
    return enter(codes[table.pk, 1])


def page(table: Table) -> str:
    return f"/games/{table.games.get().pk}/"


def test_a_phone_with_the_tables_code_enters_totals_that_do_not_count_yet(
    phone: Client, table: Table
) -> None:
    game = page(table)
    assert f'href="{game}totals/"' in text(phone.get(game))
    answer = phone.post(f"{game}totals/", TYPED, follow=True)
    names = [seat.player.name for seat in table.seats.order_by("number")]
    assert f"taken by an organiser or scorekeeper: {names[0]} 120, {names[1]} 88," in text(answer)
    table.refresh_from_db()
    assert table.status == "playing"
    assert Call.objects.get().caller == names[1]


def test_partners_who_share_a_total_type_it_once(cast: Cast) -> None:
    competition = pairs_in_play(cast, ruleset="scram-scorecard")
    (table,) = tables(competition)
    codes = make_codes(by=cast.olga, competition=competition, tables=[table])
    phone, names = enter(codes[table.pk, 1]), [seat.player.name for seat in table.seats.order_by("number")]
    shown = phone.get(f"{page(table)}totals/").content.decode()
    assert f"{names[0]} &amp; {names[2]}" in shown and 'name="seat-2"' not in shown
    phone.post(f"{page(table)}totals/", {"seat-0": "12", "seat-1": "7"})
    assert Call.objects.get().totals == [12, 7, 12, 7]


@pytest.mark.parametrize("page_of_organiser", ["/admin/", "/scores/"])
def test_an_organiser_takes_them_with_one_button(
    cast: Cast, phone: Client, table: Table, page_of_organiser: str
) -> None:
    phone.post(f"{page(table)}totals/", TYPED)
    olga, call = logged_in(cast.olga), Call.objects.get()
    address = f"/calls/{call.pk}/take/?totals=120+88+40+12"
    assert address.replace("+", "%20") in text(olga.get(page_of_organiser)).replace("+", "%20")
    for _twice in range(2):
        answer = olga.post(address, follow=True)
        assert "The totals are the table’s result." in text(answer)
    scores = table.seats.order_by("number").values_list("score", flat=True)
    assert [*scores] == [120, 88, 40, 12]
    call.refresh_from_db()
    assert call.seen_by == cast.olga


def test_totals_that_were_changed_meanwhile_are_not_taken(cast: Cast, phone: Client, table: Table) -> None:
    phone.post(f"{page(table)}totals/", TYPED)
    phone.post(f"{page(table)}totals/", {**TYPED, "seat-0": "121"})
    answer = logged_in(cast.olga).post(
        f"/calls/{Call.objects.get().pk}/take/?totals=120+88+40+12", follow=True
    )
    assert "Other totals were entered meanwhile" in text(answer)
    table.refresh_from_db()
    assert table.status == "playing"


def test_a_scorekeeper_takes_them_and_nobody_else(cast: Cast, phone: Client, table: Table) -> None:
    phone.post(f"{page(table)}totals/", TYPED)
    sam, address = (
        AccountFactory.create(username="sam"),
        f"/calls/{Call.objects.get().pk}/take/?totals=120+88+40+12",
    )
    assert logged_in(cast.paul).post(address).status_code == 404
    Member.objects.create(club=cast.club, account=sam, role=Member.Role.SCOREKEEPER)
    assert logged_in(sam).post(address).status_code == 302
    table.refresh_from_db()
    assert table.status == "played"


def test_totals_to_which_no_game_comes_are_refused_at_the_table(cast: Cast) -> None:
    options = {"definition": shapes.write(DEFINED["doppelkopf"])}
    competition = in_play(cast, 4, ruleset="card-game", options=options)
    (table,) = tables(competition)
    codes = make_codes(by=cast.olga, competition=competition, tables=[table])
    answer = enter(codes[table.pk, 0]).post(f"{page(table)}totals/", TYPED)
    assert answer.status_code == 422 and "No game comes to these totals." in text(answer)
    assert not Call.objects.exists()


def test_who_does_not_sit_at_the_table_enters_none(client: Client, table: Table) -> None:
    assert client.post(f"{page(table)}totals/", TYPED).status_code == 403
