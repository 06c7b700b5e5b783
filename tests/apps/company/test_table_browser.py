"""Company at a table in a real browser: what somebody says is seen by the others, and vanishes."""

import re
from uuid import uuid4

from playwright.sync_api import Page, expect

from league.apps.company.acts import say
from league.services.casual_games import accept_game, open_casual_game
from league.services.channel import report_watchers
from tests.browsing import LogIn, excuse
from tests.factories import Cast


def test_what_others_say_is_shown_for_a_while(page: Page, cast: Cast, log_in: LogIn) -> None:
    game = cast.game("scoops")
    log_in(page, cast.petra)
    with page.expect_request("**/events/**"):
        page.goto(f"/games/{game.pk}/")
    expect(page.locator("#company [data-me] .presence")).to_have_text("here")
    expect(page.locator("#around")).to_be_hidden()
    report_watchers(uuid4(), {}, {str(game.pk): {"0": None}})
    page.reload()
    expect(page.locator("#around")).to_have_text("1 is here")
    say(by=cast.paul, game_id=game.pk, phrase="well")
    expect(page.locator("#said")).to_have_text("Paul Pike: Well played!")
    bubble, seat = (page.locator(each).bounding_box() for each in (".bubble", "#table [data-seat='0']"))
    assert bubble and seat and abs(bubble["x"] - seat["x"]) < 40
    assert (
        min(abs(bubble["y"] + bubble["height"] - seat["y"]), abs(bubble["y"] - seat["y"] - seat["height"]))
        < 20
    )
    page.get_by_text("Say something").click()
    page.get_by_role("button", name="Thank you!").click()
    expect(page.locator("#said")).to_contain_text("Petra Plum: Thank you!")
    expect(page.locator("#said li")).to_have_count(0, timeout=20_000)


def test_in_scram_a_card_is_pointed_at_by_a_tap(page: Page, cast: Cast, log_in: LogIn) -> None:
    game = cast.game("scram", players=[player.pk for player in cast.people(3)])
    log_in(page, cast.paul)
    with page.expect_request("**/events/**"):
        page.goto(f"/games/{game.pk}/")
    expect(page.locator("#company [data-me] .presence")).to_have_text("here")
    page.get_by_text("Say something").click()
    page.get_by_role("button", name="I have seen this card.").click()
    page.locator('[data-thing="at:1.0"]').click()
    expect(page.locator("#said")).to_contain_text("Paul Pike: I have seen this card.")
    expect(page.locator('[data-thing="at:1.0"]')).to_have_class(re.compile("pointed"))


def test_who_waited_for_an_answer_has_all_of_the_table(page: Page, cast: Cast, log_in: LogIn) -> None:
    players = [player.pk for player in cast.people(2)]
    game = open_casual_game(by=cast.paul, club=cast.club, ruleset="scoops", options={}, players=players)
    log_in(page, cast.paul)
    with page.expect_request("**/events/**"):
        page.goto(f"/games/{game.pk}/")
    expect(page.get_by_text("This game has not begun")).to_be_visible()
    expect(page.get_by_text("Say something")).to_have_count(0)
    accept_game(by=cast.petra, game_id=game.pk)
    expect(page.get_by_text("Say something")).to_be_visible()
    expect(page.locator("#live")).to_have_class(re.compile("one-screen"))
    expect(page.locator("#company [data-me] .presence")).to_have_text("here")


def test_phrases_are_large_enough_for_a_finger_and_few_are_shown(
    page: Page, cast: Cast, log_in: LogIn, problems: list[str]
) -> None:
    game = cast.game("scoops")
    log_in(page, cast.petra)
    with page.expect_request("**/events/**"):
        page.goto(f"/games/{game.pk}/")
    page.get_by_text("Say something").click()
    # All is over the cloth: the hand below it stays free.
    picker, hand = (page.locator(each).bounding_box() for each in ("#company details > div", "#hand"))
    assert picker and hand and picker["y"] + picker["height"] <= hand["y"]
    buttons = page.locator("#say button:visible")
    sizes = buttons.evaluate_all(
        "all => all.map((each) => each.getBoundingClientRect()).map((box) => Math.min(box.width, box.height))"
    )
    assert len(sizes) >= 9 and min(sizes) >= 44
    thanks = page.get_by_role("button", name="Thank you!")
    for _press in range(7):
        if not thanks.is_visible():
            page.get_by_text("Say something").click()
        with page.expect_response("**/say/"):
            thanks.click()
    expect(page.locator("#said li", has_text="Wait a moment")).to_have_count(1)
    assert page.locator("#said li").count() <= 3
    excuse(page, problems, "429")
