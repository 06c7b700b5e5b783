"""The reader's own tables in the head of each page: which wait, on title and icon, and the next one."""

import re

from django.test import Client
from playwright.sync_api import Page, expect

from games import log
from games.engine import replay
from games.models import Game
from league.callers import ByAccount
from league.models import Member, Player
from league.services.casual_games import open_rematch
from league.services.play import make_move
from tests.browsing import LogIn, becomes, settle
from tests.factories import Cast
from tests.web.test_browser import violations
from tests.web.test_game import play


def of_paul(cast: Cast) -> Game:
    """Return a game of Tally, in which Paul is the first to move."""
    return cast.game("tally")


def test_my_tables_say_which_wait_and_lead_to_the_next(phone: Page, cast: Cast, log_in: LogIn) -> None:
    game, other = of_paul(cast), of_paul(cast)
    log_in(phone, cast.paul)
    phone.goto(f"/games/{game.pk}/")
    expect(phone).to_have_title(re.compile(r"^\(2\) Tally"))
    expect(phone.locator("link[rel=icon]")).to_have_attribute("href", re.compile("turn"))
    phone.locator("#own-tables summary").tap()
    expect(phone.locator("#own-tables").get_by_text("Your turn")).to_have_count(2)
    assert violations(phone) == []
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
    assert phone.evaluate("document.querySelector('.top').offsetHeight") < 64, "more than one line"
    phone.keyboard.press("Escape")
    expect(phone.locator("#own-tables")).not_to_have_attribute("open", "")
    phone.get_by_label("says 1", exact=True).check()
    phone.get_by_role("button", name="Say", exact=True).click()
    expect(phone).to_have_title(re.compile(r"^\(1\) Tally"))
    phone.get_by_role("link", name="Next waiting table: Tally, Petra Plum").tap()
    expect(phone).to_have_url(re.compile(str(other.pk)))


def test_no_badge_covers_the_names_of_a_table(german: Page, cast: Cast, log_in: LogIn) -> None:
    long = "Petronella Pflaumenbaum-Mirabellenhain"
    Player.objects.filter(pk=cast.petra_plays.pk).update(name=long, public_name=long)
    game = of_paul(cast)
    log_in(german, cast.paul)
    german.goto(f"/games/{game.pk}/")
    german.locator("#own-tables summary").tap()
    link, badge = (
        german.locator("#own-tables li").first.locator("a"),
        german.locator("#own-tables .badge").first,
    )
    expect(badge).to_be_visible()
    names, mark = link.locator("span").bounding_box(), badge.bounding_box()
    assert names and mark and names["x"] + names["width"] <= mark["x"]
    assert link.evaluate("each => each.scrollWidth <= each.clientWidth")


def test_own_tables_are_those_of_the_account_or_the_guest(cast: Cast) -> None:
    game, paul, guest = of_paul(cast), Client(), Client()
    paul.force_login(cast.paul)
    assert f"/games/{game.pk}/" in paul.get("/tables/mine/").content.decode()
    begun = guest.post("/play/", {"ruleset": "scoops", "level": "easy", "seats": 2, "length": "short"})[
        "Location"
    ]
    shown = guest.get("/tables/mine/").content.decode()
    assert begun in shown and "Easy bot 1" in shown and str(game.pk) not in shown
    assert "data-tables" in guest.get("/").content.decode()
    assert "data-tables" not in Client().get("/").content.decode()
    behind = paul.get(f"/tables/mine/?behind={game.pk}").content.decode()
    assert 'data-waiting="1"' in paul.get("/tables/mine/").content.decode() and 'data-waiting="0"' in behind
    nobody = Client().get("/tables/mine/")
    assert 'data-waiting="0"' in nobody.content.decode() and "no-store" in nobody["Cache-Control"]


BADGE = """navigator.setAppBadge = async (count) => { window.badge = count };
navigator.clearAppBadge = async () => { window.badge = null };"""


def test_the_desk_tells_of_own_tables_and_the_badge_ends_with_the_log_in(
    page: Page, cast: Cast, log_in: LogIn
) -> None:
    of_paul(cast)
    Member.objects.filter(account=cast.paul).update(role="organiser")
    page.add_init_script(BADGE)
    log_in(page, cast.paul)
    page.goto("/admin/")
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    expect(page.locator("link[rel=icon]")).to_have_attribute("href", re.compile("turn"))
    page.locator("#own-tables summary").click()
    expect(page.locator("#own-tables").get_by_text("Your turn")).to_be_visible()
    assert page.evaluate("badge") == 1
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in")).to_be_visible()
    becomes(lambda: page.evaluate("window.badge === null"), wanted=True)


NO_TABLES = '<details id="own-tables" data-waiting="0"><summary>My tables</summary></details>'


def test_a_rematch_comes_to_the_open_page_of_its_game(phone: Page, cast: Cast, log_in: LogIn) -> None:
    game = cast.game("scoops")
    make_move(ByAccount(cast.petra), game_id=game.pk, seq=2, move={"type": "resign"})
    log_in(phone, cast.petra)
    phone.route("**/tables/mine/", lambda route: route.fulfill(body=NO_TABLES))
    with phone.expect_response("**/me/events/**"):
        phone.goto(f"/games/{game.pk}/")
    expect(phone.get_by_role("button", name="Rematch")).to_be_visible()
    phone.unroute("**/tables/mine/")
    again, _created = open_rematch(by=cast.paul, game_id=game.pk)
    offer = phone.locator("#rematch")
    expect(offer.get_by_text("Paul Pike asks for a rematch.")).to_be_visible()
    expect(phone.locator("#announcer")).to_contain_text("Paul Pike asks for a rematch.")
    for answer in ("Accept", "Decline"):
        expect(offer.get_by_role("button", name=answer)).to_be_visible()
    expect(phone.locator("#own-tables .count")).to_have_text("1")
    expect(phone.get_by_role("button", name="Rematch")).to_have_count(0)
    phone.goto(f"/games/{again.pk}/")
    for hidden in (".steps", ".pace", "#sound"):
        expect(phone.locator(hidden)).to_be_hidden()
    phone.get_by_role("button", name="Accept").tap()
    expect(phone.locator(".steps")).to_be_visible()
    expect(phone.locator("#messages")).to_be_visible()
    play(again, 1)
    expect(phone.locator("#messages")).to_have_count(0)


def test_my_tables_are_seen_whole_at_a_table(phone: Page, cast: Cast, log_in: LogIn) -> None:
    game = cast.game("scoops")
    log_in(phone, cast.paul)
    phone.goto(f"/games/{game.pk}/")
    expect(phone.locator("#dock")).to_have_attribute("data-state", "shown")
    phone.locator("#own-tables summary").tap()
    expect(phone.locator("#own-tables ul")).to_be_visible()
    settle(phone)
    listed = phone.locator("#own-tables ul").bounding_box()
    assert listed and listed["x"] >= 0 and listed["x"] + listed["width"] <= 390


def test_the_next_table_is_far_from_the_buttons_of_this_one(phone: Page, cast: Cast, log_in: LogIn) -> None:
    game = cast.game("scoops")
    of_paul(cast)
    while replay.to_act(log.latest(game)) == (0,):
        game = play(game, 1)
    log_in(phone, cast.paul)
    phone.goto(f"/games/{game.pk}/")
    expect(phone.locator("#dock")).to_have_attribute("data-state", "shown")
    link = phone.get_by_role("link", name="Next waiting table: Tally, Petra Plum")
    expect(link).to_be_visible()
    settle(phone)
    box, cloth = link.bounding_box(), phone.locator("#table").bounding_box()
    assert box and cloth and box["y"] + box["height"] <= cloth["y"] and box["x"] + box["width"] <= 390
