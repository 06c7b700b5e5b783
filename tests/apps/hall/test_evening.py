"""A whole evening at tables of four and three, from an empty club to printed certificates."""

import re
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from io import BytesIO
from typing import Final

import pytest
from playwright.sync_api import Browser, Locator, Page, Response, expect
from pypdf import PdfReader

from tests.browsing import IS_WHOLE, LogIn, walk_to
from tests.factories import Cast

MOST_CLICKS: Final = 40
PLAYERS: Final = tuple(
    f"{first} {last}"
    for first in ("Ada", "Ben", "Cleo", "Dora", "Emil")
    for last in ("Ash", "Birch", "Elm", "Fir", "Oak")
)[:23]
EVENINGS: Final = {"phone": (11, 1)} | ({"computer": (23, 2)} if IS_WHOLE else {})
"""How many players come, and how many deals each table plays in a round; ten would show no more.

On the phone whatever is done lies where a finger reaches it, and is done by keyboard. `WHOLE_GAMES=1` adds an
evening of more players with a mouse.
"""
LATE, LEAVES = "Fay Late", "Ada Ash"
WAIT: Final = 60_000


@dataclass
class Organiser:
    """An organiser at a page, whose clicks are counted.

    With ``keys`` everything is done by Tab and Enter, where a click would do it, too.
    """

    page: Page
    keys: bool
    clicks: int = 0

    def click(self, place: Locator) -> None:
        """Click, or walk there by Tab and press Enter, or Space for what is ticked."""
        self.clicks += 1
        place = place.first
        expect(place).to_be_visible(timeout=WAIT)
        assert self.page.viewport_size
        assert self.page.evaluate("document.documentElement.scrollWidth") <= self.page.viewport_size["width"]
        leads_on = place.evaluate(
            "each => each.matches('a[href], [type=submit]') && (each.form ?? each).target !== '_blank'"
        )
        ticked = place.evaluate("each => ['checkbox', 'radio'].includes(each.type)")
        if self.keys:
            place.click(trial=True)
            walk_to(place)
        with self.page.expect_navigation(timeout=WAIT) if leads_on else nullcontext():
            if self.keys:
                self.page.keyboard.press("Space" if ticked else "Enter")
            else:
                place.click()

    def link(self, name: str) -> None:
        self.click(self.page.get_by_role("link", name=re.compile(f"^{name}")))

    def button(self, name: str) -> None:
        self.click(self.page.get_by_role("button", name=re.compile(f"^{name}")))

    def type(self, place: Locator, text: str) -> None:
        """Type into a field."""
        if self.keys:
            walk_to(place.first)
            self.page.keyboard.insert_text(text)
        else:
            place.first.fill(text)

    def scores(self) -> None:
        """Type every row of the sheet of a round with the keyboard: the first player went out each time."""
        keyboard, typed, row_before = self.page.keyboard, set(), ""
        first = self.page.locator("input[name$='seats-0-cards']").first
        expect(first).to_be_visible(timeout=WAIT)
        if self.keys:
            walk_to(first)
        else:
            first.focus()
        while (name := self.page.evaluate("document.activeElement.name ?? ''")) and name not in typed:
            typed.add(name)
            row = name.partition(".seats")[0]
            keyboard.insert_text("0" if row != row_before else str(5 * (1 + len(typed) % 13)))
            keyboard.press("Enter")
            row_before = row
        expect(self.page.get_by_text("Everything is saved.", exact=True)).to_be_visible(timeout=WAIT)


@pytest.fixture
def by_code(browser: Browser, site: str) -> Iterator[Page]:
    """A player's phone without an account."""
    context = browser.new_context(base_url=site, viewport={"width": 390, "height": 844}, locale="en-GB")
    context.set_default_timeout(WAIT)
    yield context.new_page()
    context.close()


def _set_up(organiser: Organiser, players: int, deals: int) -> None:
    page = organiser.page
    organiser.link("Set up a competition")
    organiser.click(page.get_by_role("radio", name="Scamper score card"))
    organiser.button("Continue")
    organiser.type(page.locator("#id_name"), "Club night")
    organiser.click(page.locator("summary", has_text="Options of Scamper score card"))
    organiser.type(page.locator("[name='options.rounds']"), str(deals))
    organiser.button("Set up the competition")
    _enter(organiser, *PLAYERS[:players])


def _enter(organiser: Organiser, *names: str) -> None:
    organiser.link("Enter a list of names")
    organiser.type(organiser.page.locator("#id_names"), "\n".join(names))
    organiser.button("Enter a list of names")
    organiser.click(organiser.page.get_by_label("Add them as new players of the club"))
    organiser.button("Enter a list of names")


def _start(organiser: Organiser, players: int) -> None:
    organiser.link("Start")
    said = f"Nobody has checked in: all {players} entries would miss round 1."
    expect(organiser.page.get_by_text(said)).to_be_visible()
    organiser.button("Check in all entries")
    organiser.button("Start")


def _dispute(organiser: Organiser, player: Page) -> None:
    """Let two players of a table write different numbers, each with the code of a seat."""
    page = organiser.page
    organiser.click(page.locator("tr", has=page.get_by_text("Ada Birch")).get_by_text("Codes"))
    expect(page).to_have_url(re.compile("/codes/"), timeout=WAIT)
    codes = re.findall(r"\b[0-9A-Z]{4}-[0-9A-Z]{4}\b", page.locator("main").inner_text())
    _write(player, codes[0], "Enter deal 1", ("0", "35", "20", "15"))
    player.context.clear_cookies()
    _write(player, codes[1], "Correct deal 1", ("0", "25", "20", "15"))
    organiser.link("Desk")
    need = page.get_by_role("listitem").filter(has_text="disputed")
    expect(need).to_be_visible(timeout=WAIT)
    organiser.click(need.get_by_role("link"))


def _write(player: Page, code: str, button: str, scores: tuple[str, ...]) -> None:
    player.goto("/enter/")
    player.get_by_label("Code").fill(code)
    player.keyboard.press("Enter")
    if button.startswith("Correct"):
        player.get_by_text("Correct it").click()
    form = player.locator("form[data-grid]").filter(has=player.get_by_role("button", name=button))
    fields = form.locator("input[data-worth]:visible")
    # The button of the form stands after its fields. Lots may have left a table of three.
    expect(fields.first).to_be_visible(timeout=WAIT)
    for field, score in zip(fields.all(), scores, strict=False):
        field.fill(score)
    form.get_by_role("button", name=button).click()
    expect(player.get_by_text("Saved.")).to_be_visible(timeout=WAIT)


def _leave_and_come(organiser: Organiser) -> None:
    organiser.click(organiser.page.get_by_label(re.compile(rf"\d+\. {LEAVES}")))
    organiser.button("Withdraw")
    organiser.button("Withdraw")
    _enter(organiser, LATE)


def _correct(organiser: Organiser) -> None:
    """Correct a result of the first round when the last one is played."""
    page = organiser.page
    organiser.link("Round 1")
    organiser.link("Set the result")
    organiser.type(page.get_by_label(": score").nth(1), "95")
    organiser.type(page.get_by_label("Reason"), "The card reads 95.")
    organiser.button("Set the result")
    expect(page.get_by_text("Round 1, table 1: the result is corrected").first).to_be_visible(timeout=WAIT)


def _certificates(response: Response) -> bool:
    return response.url.endswith("/certificates.pdf")


@pytest.mark.long
@pytest.mark.parametrize("how", EVENINGS)
def test_an_evening_goes_from_an_empty_club_to_certificates(
    how: str, request: pytest.FixtureRequest, cast: Cast, log_in: LogIn, by_code: Page
) -> None:
    page: Page = request.getfixturevalue("phone" if how == "phone" else "page")
    log_in(page, cast.olga)
    page.goto("/admin/")
    organiser = Organiser(page, keys=how == "phone")
    players, deals = EVENINGS[how]
    _set_up(organiser, players, deals)
    _start(organiser, players)
    _dispute(organiser, by_code)
    organiser.link("Round 1")
    organiser.scores()
    organiser.button("Close now")
    _leave_and_come(organiser)
    organiser.link("Enter results")
    organiser.scores()
    organiser.button("Close now")
    organiser.link("Enter results")
    organiser.scores()
    organiser.button("Close now")
    _correct(organiser)
    organiser.link("Finish now")
    organiser.button("Finish")
    # A browser with a viewer opens the certificates, another one saves them: both ask for them.
    with page.context.expect_event("response", _certificates, timeout=WAIT) as answered:
        organiser.link("Certificates")
    shown = BytesIO(page.context.request.get(answered.value.url, timeout=WAIT).body())
    printed = "".join(each.extract_text() for each in PdfReader(shown).pages)
    assert all(name in printed for name in (PLAYERS[1], LATE))
    assert organiser.clicks <= MOST_CLICKS
