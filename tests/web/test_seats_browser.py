"""Exchanging two seats of a drawn round on the desk: by mouse, by keyboard, by touch, and without scripts."""

import re
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Locator, Page, expect

from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import CloseRound
from league.models import Competition
from tests.browsing import LogIn
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import in_play
from tests.league.test_admin_scope import logged_in
from tests.web.conftest import record_all
from tests.web.test_browser import violations


@pytest.fixture
def drawn(cast: Cast) -> Competition:
    """A competition of nine whose first round is played and whose second is drawn."""
    competition = in_play(cast, 9)
    record_all(competition)
    act(cast.olga, competition, CloseRound)
    act(cast.olga, competition, DrawRound)
    competition.refresh_from_db()
    return competition


def seat(page: Page, competition: Competition, table: int, number: int = 0) -> Locator:
    """The seat of a table in round 2, the first table and seat being 1 and 0."""
    entry = seated(competition, table)[number]
    return page.locator(f'[data-seat="{entry}"]')


def seated(competition: Competition, table: int) -> list[str]:
    row = competition.stages.get().rounds.get(number=2).tables.get(number=table)
    return [str(entry) for entry in row.seats.order_by("number").values_list("entry", flat=True)]


def address(competition: Competition) -> str:
    return f"/admin/league/competition/{competition.pk}/change/"


def exchange(page: Page) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name="Exchange", exact=True).click()
    expect(page.get_by_role("button", name="Undo the last exchange")).to_be_visible()


def test_a_seat_is_dragged_onto_another_and_put_back(
    page: Page, cast: Cast, drawn: Competition, log_in: LogIn
) -> None:
    log_in(page, cast.olga)
    page.goto(address(drawn))
    one, other = seated(drawn, 1)[0], seated(drawn, 2)[1]
    first, second = seat(page, drawn, 1), seat(page, drawn, 2, 1)
    with page.expect_response(f"**/swaps/{one}/"):
        first.click()
    page.keyboard.press("Escape")
    first.drag_to(second)
    expect(page.get_by_role("status")).to_contain_text("↔")
    exchange(page)
    assert (seated(drawn, 1)[0], seated(drawn, 2)[1]) == (other, one)
    page.wait_for_load_state()
    with page.expect_navigation():
        page.get_by_role("button", name="Undo the last exchange").click()
    assert (seated(drawn, 1)[0], seated(drawn, 2)[1]) == (one, other)


def test_the_question_does_not_hide_the_second_seat(page: Page, cast: Cast, log_in: LogIn) -> None:
    competition = in_play(cast, 24)
    record_all(competition)
    act(cast.olga, competition, CloseRound)
    act(cast.olga, competition, DrawRound)
    page.set_viewport_size({"width": 1280, "height": 560})
    log_in(page, cast.olga)
    page.goto(address(competition))
    first, second = seat(page, competition, 1), seat(page, competition, 4)
    with page.expect_response("**/swaps/**"):
        first.click()
    second.evaluate("seat => scrollBy(0, seat.getBoundingClientRect().bottom - innerHeight + 10)")
    second.evaluate("seat => seat.click()")
    form = page.locator(".tf-exchange")
    expect(form).to_be_visible()
    (place, above) = (second.bounding_box(), form.bounding_box())
    assert place and above and place["y"] + place["height"] <= above["y"]


def test_seats_are_exchanged_with_the_keyboard_alone(
    page: Page, cast: Cast, drawn: Competition, log_in: LogIn
) -> None:
    log_in(page, cast.olga)
    page.goto(address(drawn))
    one, other = seated(drawn, 1)[0], seated(drawn, 2)[0]
    seat(page, drawn, 1).focus()
    with page.expect_response(f"**/swaps/{one}/"):
        page.keyboard.press("Enter")
    expect(seat(page, drawn, 1)).to_have_attribute("aria-pressed", "true")
    # The cost of each exchange is told from now on.
    expect(seat(page, drawn, 2)).to_have_class(re.compile("fits|worse"))
    seat(page, drawn, 2).focus()
    expect(page.get_by_role("status")).to_contain_text("↔")
    page.keyboard.press(" ")
    expect(page.get_by_label("Reason, for everybody to read")).to_be_focused()
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert (seated(drawn, 1)[0], seated(drawn, 2)[0]) == (other, one)


def test_seats_are_exchanged_by_touch_and_the_page_keeps_nobody_out(
    phone: Page, cast: Cast, drawn: Competition, log_in: LogIn
) -> None:
    log_in(phone, cast.olga)
    phone.goto(address(drawn))
    one, other = seated(drawn, 1)[0], seated(drawn, 2)[0]
    with phone.expect_response(f"**/swaps/{one}/"):
        seat(phone, drawn, 1).tap()
    assert seat(phone, drawn, 2).evaluate("seat => seat.getBoundingClientRect().height >= 44")
    seat(phone, drawn, 2).tap()
    expect(phone.get_by_role("button", name="Exchange", exact=True)).to_be_visible()
    assert violations(phone) == []
    assert phone.evaluate("document.documentElement.scrollWidth <= screen.width")
    exchange(phone)
    assert (seated(drawn, 1)[0], seated(drawn, 2)[0]) == (other, one)


def test_a_seat_is_dragged_onto_another_with_a_finger(
    phone: Page, cast: Cast, drawn: Competition, log_in: LogIn
) -> None:
    log_in(phone, cast.olga)
    phone.goto(address(drawn))
    one, other = seated(drawn, 1)[0], seated(drawn, 2)[0]
    seat(phone, drawn, 1).scroll_into_view_if_needed()
    start, end = (
        seat(phone, drawn, 1).locator(".tf-grip").bounding_box(),
        seat(phone, drawn, 2).bounding_box(),
    )
    assert start and end
    finger = phone.context.new_cdp_session(phone)
    for kind, box, part in (
        ("touchStart", start, 0.5),
        ("touchMove", start, 0.9),
        ("touchMove", end, 0.3),
        ("touchMove", end, 0.5),
    ):
        point = {"x": box["x"] + part * box["width"], "y": box["y"] + part * box["height"]}
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(phone.get_by_role("status")).to_contain_text("↔")
    exchange(phone)
    assert (seated(drawn, 1)[0], seated(drawn, 2)[0]) == (other, one)


def test_without_scripts_the_names_are_plain_text(cast: Cast, drawn: Competition) -> None:
    shown: Any = logged_in(cast.olga).get(address(drawn)).content.decode()
    assert 'data-exchanges="' in shown
    assert "hidden>" in shown[shown.index("data-exchanges") :][:400]


def test_only_organisers_are_told_the_costs_of_the_drawn_round(cast: Cast, drawn: Competition) -> None:
    entry, resting = seated(drawn, 1)[0], "00000000-0000-0000-0000-000000000000"
    path = f"/admin/league/competition/{drawn.pk}/swaps"
    told = logged_in(cast.olga).get(f"{path}/{entry}/").json()["exchanges"]
    assert set(seated(drawn, 2)) <= set(told)
    assert not {*seated(drawn, 1)} & set(told)
    assert all(each["text"] for each in told.values())
    assert logged_in(cast.olga).get(f"{path}/{resting}/").status_code == 404
    for client in (Client(), logged_in(cast.paul)):
        assert client.get(f"{path}/{entry}/").status_code in (302, 403, 404)
