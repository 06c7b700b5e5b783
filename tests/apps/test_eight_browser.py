"""A new club of eight plays its first evening and meets nothing of a club's year: clicks, fields, words."""

import re
from dataclasses import dataclass, field
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from league.models import Player
from tests.browsing import LogIn, Says, keep_to_the_screen, speaks
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
    "rooms": r"\brooms?\b|\braum\b|\bräumen?\b",
    "categories": r"\bcategor(y|ies)\b|\bkategorien?\b",
    "wishes": r"\bwish(es)?\b|\bwünschen?\b|(?<!auf )\bwunsch\b",
    "duties": r"\b(duty|duties|rota)\b|\bdienst(en?|plan)?\b",
    "dates away": r"(?<!at home and )\baway\b|\bnicht da\b",
    "series": r"\bseries\b|year’s table|\bjahreswertung",
    "rhythm": r"repeat by itself|von selbst wiederholen",
    "kept presets": r"keep as a preset|als vorlage behalten",
    "answers": r"who is coming|wer kommt\b",
    "the door": r"\bat the door\b|\bwalk-in|\ban der tür\b",
    "checking lists": r"\bobjection|\beinspr[uü]ch",
    "pass number": r"\bpass number|\bpassnummer",
}
"""Words of what a club finds once it looks for it, in English and German."""
OF_A_PERSON: Final = {"categories", "wishes", "dates away", "answers", "pass number"}
OF_A_CLUB: Final = {"categories", "duties", "series"}
WAIT: Final = 60_000


@dataclass
class Organiser:
    """An organiser at a page: clicks and fields are counted, and words that are met on the way."""

    page: Page
    says: Says
    clicks: int = 0
    fields: int = 0
    met: dict[str, set[str]] = field(default_factory=dict)

    def look(self) -> None:
        """Note which words for later the page shows, unfolded parts alone."""
        for name in self.shown():
            where = re.sub(r"[0-9a-f-]{36}", "…", self.page.url.partition("//")[2].partition("/")[2])
            self.met.setdefault(name, set()).add(where)

    def shown(self) -> set[str]:
        text = self.page.locator("main").inner_text().lower()
        return {name for name, words in FOR_LATER.items() if re.search(words, text)}

    def click(self, place: Locator) -> None:
        self.look()
        self.clicks += 1
        place.first.click(timeout=WAIT)
        self.page.wait_for_load_state()

    def link(self, name: str) -> None:
        self.click(self.page.get_by_role("link", name=re.compile(f"^{self.says(name)}")))

    def button(self, name: str) -> None:
        self.click(self.page.get_by_role("button", name=re.compile(f"^{self.says(name)}")))

    def type(self, place: Locator, text: str) -> None:
        self.fields += 1
        place.first.fill(text)


def set_up(organiser: Organiser) -> None:
    page, says = organiser.page, organiser.says
    organiser.link("Set up a competition")
    organiser.click(page.get_by_role("radio", name=says("Just points")))
    organiser.button("Continue")
    organiser.type(page.locator("#id_name"), "Thursday")
    organiser.button("Set up the competition")
    organiser.link("Enter a list of names")
    organiser.type(page.locator("#id_names"), "\n".join(PLAYERS))
    organiser.click(page.get_by_label(says("Add them as new players of the club")))
    organiser.button("Enter a list of names")


def play(organiser: Organiser) -> None:
    page, says = organiser.page, organiser.says
    organiser.link("Start")
    organiser.button("Check in all entries")
    organiser.button("Start")
    for _ in range(ROUNDS):
        organiser.link("Enter results")
        organiser.link("Enter only the totals of all tables")
        totals = page.locator("[data-row] input:not([type=hidden])")
        for at in range(totals.count()):
            organiser.type(totals.nth(at), str(10 * at + 5))
        expect(page.get_by_text(says("Everything is saved."), exact=True)).to_be_visible(timeout=WAIT)
        organiser.button("Close now")
    organiser.link("Public page with the standings")
    expect(page.locator("#standings table tbody th, table.standings tbody th")).to_have_count(8)
    organiser.look()


def open_and_unfold(organiser: Organiser, address: str) -> set[str]:
    """Open a form of the desk, note what it shows, and return which words its fold shows besides."""
    organiser.page.goto(address)
    organiser.look()
    before = organiser.shown()
    organiser.page.locator("#more > summary").click()
    return organiser.shown() - before


@pytest.mark.parametrize("language", ["en-gb", "de"])
@pytest.mark.parametrize("how", ["page", "phone"])
def test_a_new_club_of_eight_meets_nothing_of_a_clubs_year_on_its_first_evening(
    how: str, language: str, request: pytest.FixtureRequest, cast: Cast, log_in: LogIn
) -> None:
    page: Page = request.getfixturevalue(how)
    keep_to_the_screen(page)
    organiser = Organiser(page, speaks(cast.olga, language))
    log_in(page, cast.olga)
    page.goto("/admin/")
    set_up(organiser)
    play(organiser)
    assert organiser.clicks <= MOST_CLICKS
    assert organiser.fields <= MOST_FIELDS
    page.goto("/admin/league/player/")
    organiser.look()
    ada = Player.objects.get(name=PLAYERS[0])
    found = open_and_unfold(organiser, f"/admin/league/player/{ada.pk}/change/")
    of_club = open_and_unfold(organiser, f"/admin/league/club/{cast.club.pk}/change/")
    assert organiser.met == {}
    assert found == OF_A_PERSON and of_club == OF_A_CLUB
