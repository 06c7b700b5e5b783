"""A file that is too big, chosen on the desk in a browser."""

from playwright.sync_api import Page

from league.files.pictures import MOST_BYTES
from tests.factories import Cast
from tests.league.playing import opened
from tests.web.every_page.world import logged_in

PIECE = {"name": "hall.jpg", "mimeType": "image/jpeg"}


def test_a_picture_that_is_too_big_is_not_sent_and_the_form_keeps_what_was_typed(
    page: Page, site: str, cast: Cast
) -> None:
    competition = opened(cast)
    cookies = [(name, each.value) for name, each in logged_in(cast.olga).cookies.items()]
    page.context.add_cookies([{"name": name, "value": value, "url": site} for name, value in cookies])
    page.goto(f"{site}/admin/league/competition/{competition.pk}/details/")
    page.fill("[name='details.place']", "Dock 4")
    box = page.locator("[name=picture]")
    box.set_input_files({**PIECE, "buffer": b"0" * (MOST_BYTES + 1)})
    page.click("main form.tf-form [type=submit]")
    assert page.input_value("[name='details.place']") == "Dock 4"
    assert "larger than 8 MB" in box.evaluate("each => each.validationMessage")
    box.set_input_files({**PIECE, "buffer": b"0"})
    assert box.evaluate("each => each.validity.valid")
