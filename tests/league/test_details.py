"""What competitions tell about themselves: date, place, description, contact, picture, prizes."""

from datetime import date, time
from io import BytesIO
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from games.engine.refusals import Malformed
from league.core.details import Prize
from league.files.pictures import MOST_BYTES, SIZE
from league.models import ClubChange, Competition, Details, Picture
from league.queries.competitions import details_of
from league.queries.prizes import awards_of
from league.services.automatic import compute_standings
from league.services.competitions import change_details, remove_picture, set_picture
from league.words.competitions import when
from tests.factories import Cast
from tests.league.playing import finished, opened
from tests.league.test_admin_scope import logged_in
from tests.league.walking import text_of

TOLD: dict[str, Any] = {
    "begins_on": date(2026, 5, 3),
    "begins_at": time(19, 30),
    "place": "Harbour Hall",
    "description": "Bring a pen.\n\nMore at https://harbour.example/cup <script>alert(1)</script>",
    "contact": "olga@harbour.example",
    "prizes": (Prize("a cup", 1, 1), Prize("wine", category="Best newcomer")),
}
FORM = {
    "details.begins_on": "2026-05-03",
    "details.begins_at": "19:30",
    "details.place": "Harbour Hall",
    "details.description": "Bring a pen.",
    "details.prizes": "1: a cup\nBest newcomer: wine",
}


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


def told(cast: Cast, competition: Competition, **values: Any) -> Details:
    change_details(by=cast.olga, competition=competition, values={**TOLD, **values})
    return details_of(Competition.objects.get(pk=competition.pk))


def photo(size: tuple[int, int] = (2400, 1200), kind: str = "JPEG", **more: Any) -> bytes:
    written = BytesIO()
    Image.new("RGB", size, "green").save(written, kind, **more)
    return written.getvalue()


def page(client: Client, competition: Competition) -> str:
    return client.get(f"/competitions/{competition.slug}/").content.decode()


class TestThePublicPage:
    def test_tells_it_before_anybody_enters_and_runs_no_markup(self, client: Client, cast: Cast) -> None:
        competition = opened(cast)
        told(cast, competition)
        shown = page(client, competition)
        assert "Sun 3 May 2026, 19:30 · Harbour Hall" in shown
        assert 'href="https://harbour.example/cup"' in shown
        assert "&lt;script&gt;" in shown
        assert "<script>alert" not in shown
        assert shown.index("Bring a pen.") < shown.index("This competition hasn’t started.")
        assert "Place 1" in shown
        assert "Best newcomer" in shown

    def test_of_a_competition_that_tells_nothing_has_no_empty_part(self, client: Client, cast: Cast) -> None:
        shown = page(client, opened(cast))
        assert 'class="details"' not in shown
        assert 'class="when"' not in shown

    def test_is_not_kept_by_browsers_after_a_change(self, client: Client, cast: Cast) -> None:
        competition = opened(cast)
        address = f"/competitions/{competition.slug}/"
        tag = client.get(address)["ETag"]
        told(cast, competition)
        assert client.get(address, headers={"if-none-match": tag}).status_code == 200

    def test_names_the_winners_at_the_end(self, client: Client, cast: Cast) -> None:
        competition = finished(cast, 4)
        compute_standings(competition_id=competition.pk)
        told(cast, competition)
        ((_group, (cup, wine)),) = awards_of(Competition.objects.get(pk=competition.pk))
        assert len(cup.winners) >= 1
        assert wine.winners == ()
        assert f"<strong>{cup.winners[0]}" in page(client, competition)


class TestChanging:
    def test_keeps_what_is_left_out(self, cast: Cast) -> None:
        competition = opened(cast)
        told(cast, competition)
        change_details(by=cast.olga, competition=competition, values={"place": "Dock 4"})
        details = details_of(Competition.objects.get(pk=competition.pk))
        assert (details.place, details.contact) == ("Dock 4", "olga@harbour.example")

    @pytest.mark.parametrize(
        ("values", "field"),
        [
            ({"begins_on": None, "begins_at": time(19)}, "begins_on"),
            ({"ends_on": date(2026, 5, 1)}, "ends_on"),
            ({"place": "x" * 201}, "place"),
            ({"contact": "a\0b"}, "contact"),
            ({"prizes": (Prize("x"),)}, "prizes.0"),
        ],
    )
    def test_is_refused_at_the_field_and_changes_nothing(
        self, cast: Cast, values: dict[str, Any], field: str
    ) -> None:
        competition = opened(cast)
        told(cast, competition)
        with pytest.raises(Malformed) as refused:
            change_details(by=cast.olga, competition=competition, values={"place": "Dock", **values})
        assert [*refused.value.errors] == [field]
        assert Details.objects.get().place == "Harbour Hall"

    def test_is_for_organisers(self, cast: Cast) -> None:
        with pytest.raises(PermissionDenied):
            change_details(by=cast.paul, competition=opened(cast), values={"place": "Dock 4"})

    def test_is_recorded_without_what_may_have_to_be_erased(self, cast: Cast) -> None:
        competition = opened(cast)
        told(cast, competition)
        told(cast, competition, contact="otto", place="Dock 4")
        first, second = ClubChange.objects.filter(kind="competition_described").order_by("pk")
        assert first.values["contact"] == [None, "some"]
        assert second.values == {"contact": ["some", "other"], "place": ["Harbour Hall", "Dock 4"]}
        assert "harbour.example" not in str(first.values)


class TestPictures:
    def test_are_made_smaller_and_lose_what_a_camera_wrote(self, client: Client, cast: Cast) -> None:
        competition = opened(cast)
        exif = Image.Exif()
        exif[0x010F] = "Camera of Olga"
        set_picture(by=cast.olga, competition=competition, data=photo(exif=exif, comment=b"secret place"))
        details = details_of(Competition.objects.get(pk=competition.pk))
        assert (details.picture_width, details.picture_height) == (SIZE[0], 800)
        answer = client.get(f"/competitions/{competition.slug}/picture-{details.picture}.jpg")
        assert answer["Content-Type"] == "image/jpeg"
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert b"Olga" not in answer.content
        assert b"secret" not in answer.content
        assert Image.open(BytesIO(answer.content)).size == (SIZE[0], 800)

    @pytest.mark.parametrize("kind", ["PNG", "WEBP", "GIF"])
    def test_of_other_formats_are_rewritten(self, cast: Cast, kind: str) -> None:
        competition = opened(cast)
        set_picture(by=cast.olga, competition=competition, data=photo((40, 30), kind))
        assert bytes(Picture.objects.get().data)[:3] == b"\xff\xd8\xff"

    @pytest.mark.parametrize(
        "data",
        [b"", b"<svg/>", photo()[:200], b"x" * (MOST_BYTES + 1), photo((8000, 4000), "PNG")],
        ids=["empty", "not a picture", "cut off", "too many bytes", "too many pixels"],
    )
    def test_that_cannot_be_used_are_refused(self, cast: Cast, data: bytes) -> None:
        with pytest.raises(Malformed) as refused:
            set_picture(by=cast.olga, competition=opened(cast), data=data)
        assert [*refused.value.errors] == ["picture"]
        assert not Picture.objects.exists()

    def test_are_erased(self, client: Client, cast: Cast) -> None:
        competition = opened(cast)
        digest = set_picture(by=cast.olga, competition=competition, data=photo()).picture
        remove_picture(by=cast.olga, competition=competition)
        assert not Picture.objects.exists()
        assert client.get(f"/competitions/{competition.slug}/picture-{digest}.jpg").status_code == 404


class TestTheDesk:
    def address(self, competition: Competition) -> str:
        return f"/admin/league/competition/{competition.pk}/details/"

    def test_sets_up_a_competition_with_its_details(self, olga: Client, cast: Cast) -> None:
        address = "/admin/league/competition/add/?ruleset=scoops&plan=club_night"
        form = olga.get(address).context["form"]
        values = {field.html_name: field.value() for each in (form, *form.stages) for field in each}
        sent = {name: value for name, value in values.items() if value not in (None, False, ())}
        olga.post(address, {**sent, "name": "Autumn", "club": cast.club.pk, **FORM})
        details = details_of(Competition.objects.get(name="Autumn"))
        assert (details.place, details.begins_at) == ("Harbour Hall", time(19, 30))
        assert [prize["prize"] for prize in details.prizes] == ["a cup", "wine"]

    def test_changes_everything_after_opening(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast)
        file = SimpleUploadedFile("hall.png", photo((50, 40), "PNG"), "image/png")
        answer = olga.post(
            self.address(competition), {**FORM, "seen": "", "picture": file, "picture_text": "The hall"}
        )
        assert answer.status_code == 302
        shown = olga.get(self.address(competition)).content.decode()
        for part in (
            'value="2026-05-03"',
            'value="19:30:00"',
            "1: a cup\nBest newcomer: wine",
            'alt="The hall"',
        ):
            assert part in shown
        address = f"/admin/league/competition/{competition.pk}/change/"
        for language, said in (
            ("en", "Sun 3 May 2026, 19:30 · Harbour Hall"),
            ("de", "So, 3. Mai 2026, 19:30 · Harbour Hall"),
        ):
            assert said in olga.get(address, headers={"accept-language": language}).content.decode()

    def test_names_the_line_of_a_wrong_prize(self, olga: Client, cast: Cast) -> None:
        sent = {**FORM, "details.prizes": "1: a cup\nno colon", "seen": ""}
        shown = olga.post(self.address(opened(cast)), sent).content.decode()
        assert "Line 2 is not a prize." in shown
        assert "no colon" in shown

    def test_tells_the_second_what_the_first_did(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast)
        page = olga.get(self.address(competition))
        told(cast, competition)
        sent = {**FORM, "details.place": "Dock 4", "seen": page.context["seen"]}
        shown = olga.post(self.address(competition), sent)
        text = shown.content.decode()
        assert "Somebody else was faster" in text
        assert "olga changed what a competition tells: Autumn" in text
        assert "Dock 4" in text
        assert details_of(Competition.objects.get(pk=competition.pk)).place == "Harbour Hall"

    def test_is_closed_to_others(self, cast: Cast) -> None:
        competition = opened(cast)
        assert logged_in(cast.nora).get(self.address(competition)).status_code == 404


def test_the_calendar_has_the_day_and_the_place(client: Client, cast: Cast) -> None:
    competition = opened(cast)
    told(cast, competition)
    written = client.get(f"/api/v1/competitions/{competition.pk}/calendar.ics").content.decode()
    for part in ("DTSTART:20260503T183000Z", "LOCATION:Harbour Hall", "SUMMARY:Autumn"):
        assert part in written
    told(cast, competition, begins_at=None, ends_on=date(2026, 5, 4))
    written = client.get(f"/api/v1/competitions/{competition.pk}/calendar.ics").content.decode()
    assert "DTSTART;VALUE=DATE:20260503" in written
    assert "DTEND;VALUE=DATE:20260505" in written


@pytest.mark.parametrize("day", [date(9999, 12, 31), date(1, 1, 1), date(2200, 1, 1)])
@pytest.mark.parametrize("name", ["begins_on", "ends_on"])
def test_a_day_has_bounds(cast: Cast, name: str, day: date) -> None:
    with pytest.raises(Malformed, match="between 1900 and 2199"):
        told(cast, opened(cast), **{name: day})


def test_a_time_that_no_clock_shows_is_asked_about(cast: Cast) -> None:
    with pytest.raises(Malformed, match=r"clocks go forward\. Choose 00:59 or 02:00"):
        told(cast, opened(cast), begins_on=date(2026, 3, 29), begins_at=time(1, 30))


def test_of_a_time_that_clocks_show_twice_it_is_the_first_and_the_page_says_so(cast: Cast) -> None:
    competition = opened(cast)
    told(cast, competition, begins_on=date(2026, 10, 25), ends_on=None, begins_at=time(1, 30))
    details = Details.objects.get(competition=competition)
    assert when(details) == "Sun 25 Oct 2026, 01:30 IST"
    told(cast, competition, begins_on=date(2026, 10, 25), ends_on=None, begins_at=time(2, 30))
    assert when(Details.objects.get(competition=competition)) == "Sun 25 Oct 2026, 02:30"


def test_prints_have_the_day_and_the_place(olga: Client, cast: Cast) -> None:
    competition = finished(cast, 4)
    compute_standings(competition_id=competition.pk)
    told(cast, competition)
    printed = text_of(olga.get(f"/competitions/{competition.slug}/print/standings.pdf"))
    assert "Sun 3 May 2026, 19:30 · Harbour Hall" in printed
