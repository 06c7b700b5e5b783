"""Company at a table in a real browser: what somebody says is seen by the others, and vanishes."""

import re
from uuid import uuid4

from playwright.sync_api import Page, expect

from league.apps.company.acts import say
from league.services.channel import report_watchers
from tests.browsing import LogIn
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
