"""Pasted names: read line by line, and previewed and imported like a file."""

import re

import pytest

from league.models import Contact
from tests import factories
from tests.apps.exchange.test_players import Desk, club_players, desk, outcomes
from tests.factories import Cast
from tests.league.test_admin_scope import logged_in

__all__ = ["desk"]


def test_pasted_names_are_previewed_like_a_file(desk: Desk, cast: Cast) -> None:
    page = desk.pastes(
        "1. Ada Berg, ada@club.example, Tel.: +49 171 234-567\n\n2) Plum, Petra\n- Bo Kern <bo@club.example>"
    )
    assert outcomes(page) == ["new", "unchanged", "new"]
    assert "Paste names" in desk.client.get("/admin/league/player/").content.decode()
    assert "2 new, 0 changed, 1 unchanged." in desk.sends()
    ada = Contact.objects.get(player__name="Ada Berg")
    assert (ada.email, ada.phone, ada.note) == ("ada@club.example", "+49 171 234-567", "")
    assert Contact.objects.get(player__name="Bo Kern").email == "bo@club.example"


@pytest.mark.parametrize(
    ("text", "names", "note"),
    [
        ("Ada\tBerg\nBo\tKern", ["Ada Berg", "Bo Kern"], ""),
        ("Ada Berg\tpaid\nBo Kern\t", ["Ada Berg", "Bo Kern"], "paid"),
        ("Ada Berg, Bo Kern, Cleo Lang", ["Ada Berg", "Bo Kern", "Cleo Lang"], ""),
        ("Ada Berg <a@x.example>, Bo Kern <b@x.example>", ["Ada Berg", "Bo Kern"], ""),
        ("Last, James", ["James Last"], ""),
        ("Name\tE-Mail\nBerg, Ada\ta@x.example", ["Ada Berg"], ""),
        (
            "Berg, Ada, since 12.03.1990; a@x.example b@x.example",
            ["Ada Berg"],
            "since 12.03.1990, b@x.example",
        ),
    ],
)
def test_nothing_of_a_pasted_line_is_dropped(
    desk: Desk, cast: Cast, text: str, names: list[str], note: str
) -> None:
    assert set(outcomes(desk.pastes(text))) == {"new"}
    desk.sends()
    assert {name for name, _ in club_players(cast)} == {*names, "Paul Pike", "Petra Plum"}
    assert [each for each in Contact.objects.values_list("note", flat=True) if each] == [note] * bool(note)


def test_names_in_two_columns_can_begin_with_the_last_name(desk: Desk, cast: Cast) -> None:
    desk.pastes("Pike\tPaul\nBerg\tAda", order="last")
    assert "1 new, 0 changed, 1 unchanged." in desk.sends()
    assert ("Ada Berg", True) in club_players(cast)


def test_a_line_that_is_pasted_twice_is_asked_about(desk: Desk, cast: Cast) -> None:
    assert outcomes(desk.pastes("Ada Berg\nPaul Pike\nada berg\nPaul Pike")) == [
        "new",
        "unchanged",
        "your choice",
        "your choice",
    ]
    assert "Choose a player for this row." in desk.sends(row_3="new")
    assert "2 new, 0 changed, 1 unchanged." in desk.sends(row_3="new", row_4="same")


def test_a_pasted_list_can_be_corrected(desk: Desk, cast: Cast) -> None:
    page = desk.pastes("Ada Berg ada@club\nBo Kern", order="last")
    assert outcomes(page) == ["error", "new"] and "Choose another file" not in page
    (back,) = re.findall(r'href="([^"]*paste/[^"]*)">Correct the list', page)
    form = desk.client.get(back).content.decode()
    assert "Ada Berg ada@club\nBo Kern</textarea>" in form and 'id="id_order_1" required checked' in form
    assert logged_in(cast.petra).get(back).status_code in (302, 403)
    assert "There is no name here." in desk.pastes(" \n1. \n", file=" - \n")


def test_a_club_that_writes_names_with_commas_keeps_them(desk: Desk, cast: Cast) -> None:
    factories.PlayerFactory.create(club=cast.club, name="Kern, Bo")
    desk.pastes("Kern, Bo\nBerg, Ada")
    assert "1 new, 0 changed, 1 unchanged." in desk.sends()
    assert ("Berg, Ada", True) in club_players(cast)
