"""A new club of eight plays its first evening and meets nothing of a club's year: clicks, fields, words."""

import re
from dataclasses import dataclass, field
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browsing import LogIn
from tests.factories import Cast

PLAYERS: Final = (
    *("Ada Ash", "Ben Birch", "Cleo Cole", "Dan Dale"),
    *("Eve Elm", "Finn Fern", "Gus Gale", "Hal Holt"),
)
ROUNDS: Final = 3
MOST_CLICKS: Final = 20
MOST_FIELDS: Final = 2 + ROUNDS * len(PLAYERS)
"""The name of the evening, those of the players, and each one's total of each round."""
FOR_LATER: Final = {
    "rooms": r"\brooms?\b",
    "categories": r"\bcategor(y|ies)\b",
    "wishes": r"\bwish(es)?\b",
    "duties": r"\b(duty|duties|rota)\b",
    "dates away": r"(?<!at home and )\baway\b",
    "series": r"\bseries\b|year’s table",
    "rhythm": r"repeat by itself",
    "kept presets": r"keep as a preset",
    "answers": r"who is coming",
    "the door": r"\bat the door\b|\bwalk-in",
    "checking lists": r"\bobjection",
}
"""Words of what a club finds once it looks for it."""
WAIT: Final = 60_000


@dataclass
class Organiser:
    """An organiser at a page: clicks and fields are counted, and words that are met on the way."""

    page: Page
    clicks: int = 0
    fields: int = 0
    met: dict[str, set[str]] = field(default_factory=dict)

    def look(self) -> None:
        """Note which words for later the page shows, unfolded parts alone."""
        shown = self.page.locator("main").inner_text().lower()
        for name, words in FOR_LATER.items():
            if re.search(words, shown):
                where = re.sub(r"[0-9a-f-]{36}", "…", self.page.url.partition("//")[2].partition("/")[2])
                self.met.setdefault(name, set()).add(where)

    def click(self, place: Locator) -> None:
        self.look()
        self.clicks += 1
        place.first.click(timeout=WAIT)
        self.page.wait_for_load_state()

    def link(self, name: str) -> None:
        self.click(self.page.get_by_role("link", name=re.compile(f"^{name}")))

    def button(self, name: str) -> None:
        self.click(self.page.get_by_role("button", name=re.compile(f"^{name}")))

    def type(self, place: Locator, text: str) -> None:
        self.fields += 1
        place.first.fill(text)


def set_up(organiser: Organiser) -> None:
    page = organiser.page
    organiser.link("Set up a competition")
    organiser.click(page.get_by_role("radio", name="Just points"))
    organiser.button("Continue")
    organiser.type(page.locator("#id_name"), "Thursday")
    organiser.button("Set up the competition")
    organiser.link("Enter a list of names")
    organiser.type(page.locator("#id_names"), "\n".join(PLAYERS))
    organiser.click(page.get_by_label("Add them as new players of the club"))
    organiser.button("Enter a list of names")


def play(organiser: Organiser) -> None:
    page = organiser.page
    organiser.link("Start")
    organiser.button("Check in all entries")
    organiser.button("Start")
    for _ in range(ROUNDS):
        organiser.link("Enter results")
        organiser.link("Enter only the totals of all tables")
        totals = page.locator("[data-row] input:not([type=hidden])")
        for at in range(totals.count()):
            organiser.type(totals.nth(at), str(10 * at + 5))
        expect(page.get_by_text("Everything is saved.", exact=True)).to_be_visible(timeout=WAIT)
        organiser.button("Close now")
    organiser.link("Public page with the standings")
    expect(page.locator("#standings table tbody th, table.standings tbody th")).to_have_count(8)
    organiser.look()


@pytest.mark.parametrize("how", ["page", "phone"])
def test_a_new_club_of_eight_meets_nothing_of_a_clubs_year_on_its_first_evening(
    how: str, request: pytest.FixtureRequest, cast: Cast, log_in: LogIn
) -> None:
    page: Page = request.getfixturevalue(how)
    log_in(page, cast.olga)
    page.goto("/admin/")
    organiser = Organiser(page)
    set_up(organiser)
    play(organiser)
    assert organiser.met == {}
    assert organiser.clicks <= MOST_CLICKS
    assert organiser.fields <= MOST_FIELDS
