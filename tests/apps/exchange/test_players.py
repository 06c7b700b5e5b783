"""Importing players from a file: previewed, confirmed, and then all of them or none."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, TestCase
from django.utils import timezone

from league import tasks
from league.apps.exchange import reading
from league.models import Account, ClubChange, Competition, Contact, Job, Member, Player
from tests import factories
from tests.factories import Cast
from tests.league.playing import opened
from tests.league.test_admin_scope import logged_in

ADDRESS = "/admin/league/player/import/"


class Desk:
    """An organiser with a file."""

    def __init__(self, cast: Cast, account: Account) -> None:
        self.cast, self.client = cast, logged_in(account)
        self.preview = ADDRESS

    def previews(self, text: str | bytes) -> str:
        """Return the page that a file leads to."""
        data = text if isinstance(text, bytes) else text.encode()
        shown = {"club": self.cast.club.pk, "file": SimpleUploadedFile("players.csv", data)}
        with TestCase.captureOnCommitCallbacks(execute=True):
            answer: Any = self.client.post(ADDRESS, shown)
        if answer.status_code == 302:
            answer = self.client.get(answer.url, follow=True)
        self.preview = str(answer.request["PATH_INFO"])
        return str(answer.content.decode())

    def pastes(self, text: str, **given: str) -> str:
        """Return the page that a pasted text leads to."""
        pasted = {"club": self.cast.club.pk, "file": text, "order": "first", **given}
        answer: Any = self.client.post("/admin/league/player/paste/", pasted, follow=True)
        self.preview = str(answer.request["PATH_INFO"])
        return str(answer.content.decode())

    def confirms(self, text: str, **choices: str) -> str:
        """Return the page after a file's preview was confirmed."""
        self.previews(text)
        return self.sends(**choices)

    def sends(self, **choices: str) -> str:
        """Return the page after the last preview was confirmed."""
        shown = {key.replace("_", "-"): value for key, value in choices.items()}
        with TestCase.captureOnCommitCallbacks(execute=True):
            answer: Any = self.client.post(self.preview, shown)
        if answer.status_code == 302:
            answer = self.client.get(answer.url, follow=True)
        return str(answer.content.decode())


@pytest.fixture
def desk(cast: Cast) -> Desk:
    return Desk(cast, cast.olga)


def outcomes(page: str) -> list[str]:
    """Return what the preview says of each row."""
    return re.findall(r'<td><span class="tf-badge[^"]*">([^<]*)</span>', page)


def club_players(cast: Cast) -> set[tuple[str, bool]]:
    return set(Player.objects.filter(club=cast.club).values_list("name", "active"))


def test_a_preview_shows_the_effect_of_each_row_and_changes_nothing(desk: Desk, cast: Cast) -> None:
    page = desk.previews("Player;Active\nAda;\npaul pike;no\nPetra Plum;yes\n")
    assert outcomes(page) == ["new", "changed", "unchanged"]
    assert "active: yes → no" in page
    assert "name: Paul Pike →" not in page
    assert club_players(cast) == {("Paul Pike", True), ("Petra Plum", True)}


def test_a_confirmed_preview_is_imported_and_recorded(desk: Desk, cast: Cast) -> None:
    page = desk.confirms("name,active\nAda,no\nZoë Ábel,\nPetra Plum,no\n")
    assert "2 new, 1 changed, 0 unchanged." in page
    assert club_players(cast) >= {("Ada", False), ("Zoë Ábel", True), ("Petra Plum", False)}
    assert Player.objects.get(name="Zoë Ábel").search_name == "zoe abel"
    assert ClubChange.objects.filter(account=cast.olga, kind="player_made").count() == 2


def test_the_same_file_again_changes_nothing(desk: Desk, cast: Cast) -> None:
    text = "name,active,account\nAda,yes,\nPaul Pike,no,paul\n"
    desk.confirms(text)
    before = list(Player.objects.order_by("pk").values())
    assert outcomes(desk.previews(text)) == ["unchanged", "unchanged"]
    assert "0 new, 0 changed, 2 unchanged." in desk.confirms(text)
    assert list(Player.objects.order_by("pk").values()) == before


def test_a_second_click_creates_nobody_twice(desk: Desk, cast: Cast) -> None:
    desk.previews("name,active\nAda,\nPaul Pike,no\n")
    assert "1 new, 1 changed, 0 unchanged." in desk.sends()
    assert "0 new, 0 changed, 2 unchanged." in desk.sends()
    assert Player.objects.filter(name="Ada").count() == 1


def test_the_exported_list_is_a_file_that_changes_nothing(desk: Desk, cast: Cast) -> None:
    factories.PlayerFactory.create(club=cast.club, name="=Eve")
    answer = desk.client.get("/admin/league/player/export.csv").content.decode()
    assert outcomes(desk.previews(answer)) == ["unchanged"] * 3
    assert outcomes(desk.previews(answer.replace("Paul Pike", "Paul Perch")))[1:] == ["changed", "unchanged"]


def test_files_and_preview_have_the_words_of_the_readers_language(desk: Desk, cast: Cast) -> None:
    desk.client.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    answer = desk.client.get("/admin/league/player/export.csv").content.decode()
    assert answer.splitlines()[0].lstrip("\ufeff") == "ID;Name;Konto;aktiv;Club"
    assert outcomes(desk.previews(answer)) == ["unverändert"] * 2
    page = desk.previews("name,email\nAda,x\nBo,b@club.example\n")
    assert "<strong>E-Mail</strong>" in page and "E-Mail: b@club.example" in page
    assert "email:" not in page


def test_a_cell_is_cleaned(desk: Desk, cast: Cast) -> None:
    desk.previews('name,note\n"Jose\u0301\u200b\n Berg","two\nlines"\n')
    desk.sends()
    player = Player.objects.get(name="José Berg")
    assert player.contact.note == "two lines"


@pytest.mark.parametrize(
    ("row", "column", "sentence"),
    [
        (",yes,,", "name", "There is no name here."),
        ("x" * 101 + ",,,", "name", "at most 100 characters"),
        ("Ada\x07,,,", "name", "cannot be printed"),
        ("Ada,perhaps,,", "active", "This must be yes or no."),
        ("Ada,,nora,", "account", "No member of the club has this account."),
        ("Ada,,,123", "id", "No player of the club has this id."),
        ("A,B,,,x", "", "more cells than there are headings"),
    ],
)
def test_a_wrong_cell_is_named_and_nothing_can_be_confirmed(
    desk: Desk, cast: Cast, row: str, column: str, sentence: str
) -> None:
    page = desk.previews(f"name,active,account,id\nFirst,,paul,\n{row}\n")
    assert outcomes(page)[1] == "error"
    assert sentence in page
    assert f"<strong>{column}</strong>" in page or not column
    assert "Row 3: Leave this row out" in desk.sends()
    assert not Player.objects.filter(name="First").exists()
    assert "Row 2, First: This account is another player" in desk.sends(out_3="on")


def test_players_of_other_clubs_are_not_matched(desk: Desk, cast: Cast) -> None:
    other = factories.PlayerFactory.create(name="Somebody Else")
    page = desk.previews(f"id,name\n{other.pk},Mine Now\n")
    assert "No player of the club has this id." in page
    assert outcomes(desk.previews("name\nSomebody Else\n")) == ["new"]


def test_a_member_is_found_by_account_or_address(desk: Desk, cast: Cast) -> None:
    Account.objects.filter(pk=cast.olga.pk).update(email="Olga@example.org")
    desk.confirms("name,e-mail\nOlga O,olga@example.org\nStranger,nobody@example.org\n")
    assert Player.objects.get(name="Olga O").account == cast.olga
    assert Player.objects.get(name="Stranger").account is None


def test_the_preview_names_the_account_that_somebody_new_gets(desk: Desk, cast: Cast) -> None:
    assert "account: olga" in desk.previews("name,account\nOlga O,olga\n")


def test_an_email_address_of_several_members_matches_none(desk: Desk, cast: Cast) -> None:
    """Who took another's address as their own is not given the other's seats."""
    Account.objects.filter(pk__in=(cast.olga.pk, cast.paul.pk)).update(email="olga@example.org")
    page = desk.previews("name,e-mail\nOlga O,olga@example.org\n")
    assert outcomes(page) == ["error"]
    assert "Several members have this email address. Name the account." in page


class TestContacts:
    FILE = "name,e-mail,mobile,remarks,shoe size\nAda,ada@cards.example,01 23,vegan,43\nPaul Pike,,45,,\n"

    def test_are_kept_and_other_columns_are_named(self, desk: Desk, cast: Cast) -> None:
        page = desk.previews(self.FILE)
        assert "Ignored columns: shoe size." in page
        assert "email: ada@cards.example; phone: 01 23; note: vegan" in page
        assert "phone: – → 45" in page
        assert "1 new, 1 changed, 0 unchanged." in desk.sends()
        kept = Contact.objects.order_by("player__name").values_list("email", "phone", "note")
        assert list(kept) == [("ada@cards.example", "01 23", "vegan"), ("", "45", "")]

    def test_are_not_emptied_by_a_file_without_them(self, desk: Desk, cast: Cast) -> None:
        desk.confirms(self.FILE)
        assert outcomes(desk.previews("name,phone\nAda,\n")) == ["unchanged"]
        assert "0 new, 1 changed, 0 unchanged." in desk.confirms("name,phone\nAda,67\n")
        assert Contact.objects.get(player__name="Ada").note == "vegan"

    def test_that_can_not_be_right_are_named(self, desk: Desk) -> None:
        assert outcomes(desk.previews("name,email\nAda,ada at cards\n")) == ["error"]

    def test_are_in_no_record_of_changes(self, desk: Desk) -> None:
        desk.confirms(self.FILE)
        assert ClubChange.objects.filter(kind="contact_changed").count() == 2
        assert "01 23" not in str(ClubChange.objects.values_list("subject", "values"))


def test_rows_are_left_out_one_by_one(desk: Desk, cast: Cast) -> None:
    assert "1 new, 0 changed, 0 unchanged." in desk.confirms(
        "name\nAda\nBo\nPaul Pike\n", out_2="on", out_4="on"
    )
    assert [*Player.objects.filter(name__in=("Ada", "Bo")).values_list("name", flat=True)] == ["Bo"]


def test_a_name_near_to_a_known_one_can_be_that_player(desk: Desk, cast: Cast) -> None:
    page = desk.previews("name,phone\nPike Paul,45\n")
    assert outcomes(page) == ["your choice"]
    assert "did you mean Paul Pike?" in page
    assert "0 new, 1 changed, 0 unchanged." in desk.sends(row_2=str(cast.paul_plays.pk))
    assert Contact.objects.get(phone="45").player.name == "Paul Pike"


@pytest.mark.parametrize(("choice", "name"), [("", "Paul Pike"), (" renamed", "Pául Pike")])
def test_a_known_player_keeps_the_name_unless_the_organiser_chooses_the_new_one(
    desk: Desk, cast: Cast, choice: str, name: str
) -> None:
    page = desk.previews("name,phone\nPául Pike,45\n")
    assert re.search(r"<option[^>]* selected>the same player, keep the name: Paul Pike, paul<", page)
    desk.sends(**({"row_2": f"{cast.paul_plays.pk}{choice}"} if choice else {}))
    assert Contact.objects.get(phone="45").player.name == name


def test_a_row_that_comes_twice_is_left_out_and_told(desk: Desk, cast: Cast) -> None:
    page = desk.previews("name,phone\nAda,45\nADA,45\nBo,\n")
    assert outcomes(page) == ["new", "left out", "new"]
    assert "Row 2 has the same." in page
    assert "2 new, 0 changed, 0 unchanged." in desk.sends()


@pytest.mark.parametrize(
    ("choice", "people"),
    [("same", {("Ada", False, "45")}), ("new", {("Ada", True, "45"), ("ADA", False, None)})],
)
def test_a_second_row_about_a_person_is_a_question(
    desk: Desk, choice: str, people: set[tuple[str, bool, str | None]]
) -> None:
    page = desk.previews("name,phone,active\nAda,45,\nADA,,no\nBo,,\n")
    assert outcomes(page) == ["new", "your choice", "new"]
    assert "the same person as row 2: what is filled in here counts" in page
    assert "Row 3: Choose a player for this row." in desk.sends()
    assert f"{len(people) + 1} new" in desk.sends(row_3=choice)
    made = Player.objects.filter(search_name="ada").values_list("name", "active", "contact__phone")
    assert {*made} == people


def test_two_rows_with_one_account_or_id_are_asked_about_and_the_later_counts(desk: Desk, cast: Cast) -> None:
    pk = cast.paul_plays.pk
    page = desk.previews(f"id,name,account\n{pk},Paul Pike,\n,Other,paul\n,Third,paul\n")
    assert outcomes(page) == ["unchanged", "new", "your choice"]
    desk.previews(f"id,name,phone\n{pk},Paul Pike,1\n{pk},Paul Pike,2\n")
    assert "1 changed" in desk.sends(row_3="same")
    assert Contact.objects.get().phone == "2"


class TestARowWithAnotherAddress:
    """A player of the name is there; whoever has another address may be another person."""

    @pytest.fixture(params=["contact", "account"])
    def paul(self, request: pytest.FixtureRequest, cast: Cast) -> Player:
        if request.param == "contact":
            Contact.objects.create(player=cast.paul_plays, email="paul@cards.example")
        else:
            Account.objects.filter(pk=cast.paul.pk).update(email="Paul@cards.example")
        return cast.paul_plays

    TEXT = "name,email,phone\nPaul Pike,young@cards.example,45\n"

    def test_is_asked_about_with_the_reason(self, desk: Desk, paul: Player) -> None:
        page = desk.previews(self.TEXT)
        assert outcomes(page) == ["your choice"]
        assert "Paul Pike here has another email address: is this another person?" in page
        assert "Row 2: Choose a player for this row." in desk.sends()

    def test_is_recognised_in_the_same_file_later(self, desk: Desk, paul: Player) -> None:
        desk.confirms(self.TEXT, row_2="new")
        assert outcomes(desk.previews(self.TEXT)) == ["unchanged"]
        assert "phone: 45 → 67" in desk.previews(self.TEXT.replace("45", "67"))
        assert "0 new, 1 changed" in desk.sends()
        assert Player.objects.filter(name="Paul Pike").count() == 2

    def test_is_recognised_where_it_was_the_same_person(self, desk: Desk, paul: Player) -> None:
        desk.confirms(self.TEXT, row_2=str(paul.pk))
        assert outcomes(desk.previews(self.TEXT)) == ["unchanged"]

    def test_is_one_of_two_in_a_file_that_both_are_in(self, desk: Desk, paul: Player) -> None:
        both = f"{self.TEXT}Paul Pike,paul@cards.example,\n"
        desk.confirms(both, row_2="new", row_3=str(paul.pk))
        assert outcomes(desk.previews(both)) == ["unchanged", "unchanged"]
        assert Player.objects.filter(name="Paul Pike").count() == 2


class TestNamesakes:
    @pytest.fixture
    def second(self, cast: Cast) -> Player:
        return factories.PlayerFactory.create(club=cast.club, name="Paul Pike")

    def test_are_distinguished_by_the_organiser(self, desk: Desk, cast: Cast, second: Player) -> None:
        text = "name,active\nPaul Pike,no\n"
        page = desk.previews(text)
        assert outcomes(page) == ["your choice"]
        offered = re.findall(r"<option[^>]*>(the same player: [^<]*)<", page)
        assert "the same player: Paul Pike (never entered, added as number 2 of 2)" in offered
        assert "Row 2: Choose a player for this row." in desk.confirms(text)
        desk.confirms(text, row_2=str(second.pk))
        second.refresh_from_db()
        assert not second.active
        assert Player.objects.get(pk=cast.paul_plays.pk).active

    def test_are_created_when_the_organiser_asks_for_it(self, desk: Desk, cast: Cast) -> None:
        assert "1 new" in desk.confirms("name\nPaul Pike\n", row_2="new")
        assert Player.objects.filter(club=cast.club, name="Paul Pike").count() == 2

    def test_can_be_left_out(self, desk: Desk, cast: Cast) -> None:
        assert "0 new, 0 changed, 0 unchanged." in desk.confirms("name,active\nPaul Pike,no\n", row_2="skip")
        assert Player.objects.get(pk=cast.paul_plays.pk).active

    def test_are_not_matched_to_other_players(self, desk: Desk, cast: Cast) -> None:
        page = desk.confirms("name,active\nPaul Pike,no\n", row_2=str(cast.petra_plays.pk))
        assert "Row 2: Choose a player for this row." in page
        assert Player.objects.get(pk=cast.petra_plays.pk).active


class TestChangesAfterThePreview:
    """What others do between preview and confirmation is never overwritten, and then nothing is done."""

    @pytest.mark.parametrize(
        ("happens", "sentence"),
        [
            (
                lambda cast: factories.PlayerFactory.create(club=cast.club, name="ADA"),
                "there is a player of this",
            ),
            (lambda cast: Player.objects.filter(pk=cast.paul_plays.pk).update(name="P"), "has been changed"),
            (lambda cast: Player.objects.filter(pk=cast.paul_plays.pk).delete(), "has been changed"),
            (
                lambda cast: Member.objects.filter(account=cast.petra).delete(),
                "no longer a member of the club",
            ),
        ],
    )
    def test_stop_the_import(
        self, desk: Desk, cast: Cast, happens: Callable[[Cast], Any], sentence: str
    ) -> None:
        text = "name,active,account\nBo,,\nAda,,\nPaul Pike,no,\nPetra Plum,no,petra\n"
        desk.previews(text)
        happens(cast)
        before = list(Player.objects.order_by("pk").values())
        assert sentence in desk.sends()
        assert list(Player.objects.order_by("pk").values()) == before

    def test_to_the_role_of_the_organiser_stop_the_import(self, desk: Desk, cast: Cast) -> None:
        desk.previews("name\nAda\n")
        Member.objects.filter(account=cast.olga).update(role=Member.Role.PLAYER)
        desk.sends()
        assert not Player.objects.filter(name="Ada").exists()

    def test_of_the_row_by_somebody_else_are_not_hers_to_see(self, desk: Desk, cast: Cast) -> None:
        """The owner of another club can neither see nor use a preview."""
        desk.previews("name\nAda\n")
        nora = logged_in(cast.nora)
        assert {nora.get(desk.preview).status_code, nora.post(desk.preview).status_code} == {404}
        assert not Player.objects.filter(name="Ada").exists()


def test_a_preview_is_forgotten_after_a_day(desk: Desk) -> None:
    desk.previews("name,email\nAda,ada@cards.example\n")
    with time_machine.travel(timezone.now() + timedelta(days=1, minutes=1)):
        tasks.tidy()
        assert "This preview has expired." in desk.sends()
    assert "ada@" not in str(Job.objects.values_list("given", "result"))


@pytest.mark.parametrize("data", [b"\x81", b"nothing known\n1\n", b"name\n" + b"x\n" * 1001])
def test_an_unreadable_file_is_an_error_at_its_field(desk: Desk, data: bytes) -> None:
    page = desk.previews(data)
    assert "Choose a file" in page
    assert 'class="tf-wrong"' in page


def test_a_spreadsheet_is_read_by_a_worker_and_refused_with_a_reason(desk: Desk) -> None:
    page = desk.previews(b"PK\x03\x04")
    assert "It failed, and nothing was changed." in page
    assert "The file cannot be read as a spreadsheet." in page


@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
def test_the_file_to_fill_in_can_be_read(desk: Desk, suffix: str) -> None:
    data = desk.client.get(f"{ADDRESS}players.{suffix}").content
    assert outcomes(desk.previews(data)) == ["new", "new"]


def test_a_form_can_have_a_choice_for_every_row() -> None:
    assert settings.DATA_UPLOAD_MAX_NUMBER_FIELDS >= 2 * reading.MAX_ROWS + 1


def test_strangers_can_not_import_players(cast: Cast) -> None:
    for client in (Client(), logged_in(cast.paul)):
        assert client.get(ADDRESS).status_code in (302, 403)
    page = Desk(cast, cast.nora).previews("name\nSpy\n")
    assert "Something that you chose can’t be chosen any more." in page
    assert not Player.objects.filter(name="Spy").exists()


def test_five_hundred_players_are_imported_in_bounded_time(
    desk: Desk, django_assert_max_num_queries: Callable[[int], Any]
) -> None:
    text = "name\n" + "".join(f"Player {number}\n" for number in range(500))
    with django_assert_max_num_queries(50):
        desk.previews(text)
        assert Job.objects.get().status == "done"
    with django_assert_max_num_queries(52):
        assert "500 new" in desk.sends()


class TestNamesOfEntries:
    """A column of names is pasted, and everybody on it takes part."""

    def enters(self, cast: Cast, competition: Competition, names: str) -> str:
        address = f"/admin/league/competition/{competition.pk}/do/enter-names/"
        answer = logged_in(cast.olga).post(address, {"names": names}, follow=True)
        return str(answer.content.decode())

    def entered(self, competition: Competition) -> list[str]:
        return list(competition.entries.order_by("number").values_list("name", flat=True))

    def test_are_entered_in_order_and_only_once(self, cast: Cast) -> None:
        competition = opened(cast)
        for said in ("2 entries were added.", "Nothing had to be changed."):
            assert said in self.enters(cast, competition, "petra PLUM\r\n\r\n  Pául Pike ")
            assert self.entered(competition) == ["Petra Plum", "Paul Pike"]

    def test_are_added_to_existing_entries(self, cast: Cast) -> None:
        competition = opened(cast, 1)
        self.enters(cast, competition, "Paul Pike\nPetra Plum")
        assert self.entered(competition) == ["Paul Pike", "Petra Plum"]

    @pytest.mark.parametrize(
        ("names", "sentence"),
        [
            ("Paul Pike\nNobody", "1 name is unknown in the club."),
            ("Paul Pike\nGone", "Gone is a player of the club, but not active."),
            ("Paul Pike\nSomebody Else", "1 name is unknown in the club."),
            ("Paul Pike\nPetra\tPlum", "Line 2: There is a tab after “Petra”."),
            ("Paul Pike\nTwin", "Several players are named Twin"),
            ("", "This field is required."),
        ],
    )
    def test_are_entered_all_or_none(self, cast: Cast, names: str, sentence: str) -> None:
        factories.PlayerFactory.create(club=cast.club, name="Gone", active=False)
        factories.PlayerFactory.create(name="Somebody Else")
        factories.PlayerFactory.create_batch(2, club=cast.club, name="Twin")
        competition = opened(cast)
        assert sentence in self.enters(cast, competition, names)
        assert self.entered(competition) == []
