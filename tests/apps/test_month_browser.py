"""A month of a club in a browser: four Thursdays, wishes for its draws, and the best three of them count."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import chain
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from games import database_time
from league.apps.series.models import Series
from tests.browsing import IS_WHOLE, LogIn, Says, keep_to_the_screen, speaks
from tests.factories import Cast

THURSDAY: Final = 3
ROUNDS: Final = 2
LAST: Final = 3
SCREENS: Final = [("page", "en-gb", "phone"), ("phone", "de", "german")]
"""The screen of the organiser, the language, and the screen of a player on the last Thursday."""
MORE_SCREENS: Final = [("page", "de", "german"), ("phone", "en-gb", "page")]
SAID: Final[Mapping[str, tuple[int, ...]]] = {
    "Paul Pike": (4, 1, 3, 5),
    "Petra Plum": (5, 5, 2, 1),
    "Ada Ash": (12, 0, 0, 1),
    "Ben Birch": (0, 2, 4, 0),
    "Cleo Cole": (2, 0, 3, 2),
    "Dan Dale": (1, 3, 0, 0),
    "Eve Elm": (0, 1, 1, 3),
    "Finn Fern": (3, 0, 0, 3),
    "Rosa Reed": (6,),
}
"""What each scores in either round of each Thursday: twice that is the value of the evening."""
OLD, APART, AWAY = "Ada Ash", ("Paul Pike", "Petra Plum"), "Rosa Reed"
"""Who stays at table 1, the two who never meet, and who is away for three weeks after the first Thursday."""
FOUR: Final = [
    ("1", "Ada Ash", "26"),  # 24 + 2 + 0
    ("2", "Petra Plum", "24"),  # 10 + 10 + 4: the next best decides
    ("3", "Paul Pike", "24"),  # 10 + 8 + 6
    ("4", "Cleo Cole", "14"),  # 6 + 4 + 4
    ("5", "Rosa Reed", "12"),  # 12
    ("6", "Ben Birch", "12"),  # 8 + 4 + 0
    ("7", "Finn Fern", "12"),  # 6 + 6 + 0
    ("8", "Eve Elm", "10"),  # 6 + 2 + 2
    ("9", "Dan Dale", "8"),  # 6 + 2 + 0
]
"""The year's table after four Thursdays, worked out by hand."""
TYPED: Final = ("Paul Pikke\t14\nPetra Plum\t1", "Paul Pikke\t2\nPetra Plum\t11")
SIX: Final = [
    ("1", "Paul Pike", "32"),  # 14 + 10 + 8
    ("2", "Petra Plum", "31"),  # 11 + 10 + 10
    ("3", "Ada Ash", "26"),
    *FOUR[3:],
]
HEEDED: Final = {
    "en-gb": "The wish of 1 pair for this draw is kept.",
    "de": "Der Wunsch von 1 Paar für diese Auslosung ist erfüllt.",
}
AT_TABLE_1: Final = re.compile(r"^(Table|Tisch) 1, ")
COUNTS: Final = {
    "en-gb": ("8 counts.", "8, 2 count.", "8, 6, 2 count.", "10, 8, 6 count; 2 is left out."),
    "de": ("8 zählt.", "8, 2 zählen.", "8, 6, 2 zählen.", "10, 8, 6 zählen; 2 zählt nicht."),
}
"""What the year's table says of Paul after each Thursday."""


@dataclass(frozen=True)
class Club:
    """The organiser's screen, in a language."""

    page: Page
    says: Says
    language: str

    def link(self, name: str) -> None:
        """Click the first link whose name begins so."""
        self.page.get_by_role("link", name=re.compile(f"^{re.escape(self.says(name))}")).first.click()

    def button(self, name: str) -> None:
        self.page.get_by_role("button", name=re.compile(f"^{re.escape(self.says(name))}")).first.click()


# ---- Before the month ----------------------------------------------------------------------------


def set_up_first(club: Club, day: date) -> None:
    """Set up an evening of short rounds whose scores are added, and enter a list of names."""
    page, stage = club.page, "stages.0."
    page.goto("/admin/")
    club.link("Set up a competition")
    page.get_by_role("radio", name=club.says("Just points")).check()
    club.button("Continue")
    page.fill("[name=name]", "Thursday 1")
    page.get_by_text(club.says("Date, place, description, prizes")).click()
    page.fill("[name='details.begins_on']", day.isoformat())
    page.fill(f"[name='{stage}rounds']", str(ROUNDS))
    page.locator("summary", has_text=club.says("Scoring")).click()
    page.select_option(f"[name='{stage}scoring.by']", "score")
    page.uncheck(f"[name='{stage}scoring.fair']")
    club.button("Set up the competition")
    club.link("Enter a list of names")
    page.fill("[name=names]", "\n".join(SAID))
    page.get_by_label(club.says("Add them as new players of the club")).check()
    club.button("Enter a list of names")
    club.link("Check-in list")


def open_more(club: Club, name: str, heading: str) -> None:
    """Open what the club may keep of a person, from the list of players."""
    page = club.page
    page.goto("/admin/league/player/")
    page.get_by_role("link", name=name).click()
    expect(page.locator("#more")).to_be_visible()
    if page.locator("#more:not([open])").count():
        page.locator("#more > summary").click()
    part = page.get_by_role("region", name=club.says(heading))
    part.get_by_role("link").click()


def keep_wish(club: Club, name: str, kind: str, **chosen: str) -> None:
    page = club.page
    open_more(club, name, "Wishes for draws")
    page.select_option("[name=kind]", kind)
    for field, value in chosen.items():
        box = page.locator(f"[name={field}]")
        box.select_option(label=value) if field == "other" else box.fill(value)
    page.locator("main form [type=submit].primary").click()
    expect(page.locator("#wishes ~ ul li")).to_have_count(1)


def say_away(club: Club, name: str, since: date, until: date) -> None:
    page = club.page
    open_more(club, name, "Days away")
    page.fill("[name=since]", since.isoformat())
    page.fill("[name=until]", until.isoformat())
    page.locator("main form [type=submit].primary").click()
    expect(page.get_by_role("alert")).to_have_count(0)


# ---- A Thursday ----------------------------------------------------------------------------------


def run_again(club: Club, week: int) -> None:
    """Set up the next Thursday in three clicks from the desk's first page; who is away then is not ticked."""
    page = club.page
    page.goto("/admin/")
    club.link("Run this evening again")
    expect(page.locator("input[name=entries]:checked")).to_have_count(8)
    if week == 1:
        expect(page.locator("#again [role=status]").first).to_contain_text(f"{AWAY} (")
    club.button("Set up the evening")
    club.link("Check-in list")


def check_in(club: Club, present: int) -> None:
    """Tick one by name, then all others, and start: the first round is drawn."""
    page = club.page
    old = page.get_by_role("button", name=OLD)
    old.click()
    expect(old).to_have_attribute("aria-pressed", "true")
    page.locator("button[name=all]").click()
    expect(page.locator("#door button[aria-pressed=true]")).to_have_count(present)
    club.link("Start")
    club.button("Start")


def open_my_evening(club: Club, phone: Page) -> None:
    """Let the one who stays at table 1 type the code that the organiser shows, on a phone without account."""
    page, desk = club.page, club.page.url
    club.link("Own pages on phones")
    page.get_by_role("button", name=f"({OLD})").first.click()
    code = page.locator(".evening-code strong").inner_text()
    page.goto(desk)
    phone.goto("/enter/")
    phone.fill("[name=code]", code)
    phone.locator("main form [type=submit]").click()
    expect(phone.locator("#seat")).to_have_text(AT_TABLE_1)


def play(club: Club, week: int) -> list[list[list[str]]]:
    """Look at each draw, enter the totals of each round and close it; return who sat where in each round."""
    page, seated = club.page, []
    for _ in range(ROUNDS):
        club.link("How was this drawn?")
        seated.append(drawn(club))
        page.go_back()
        club.link("Enter results")
        club.link("Enter only the totals of all tables")
        for label in page.locator("[data-row] label").all():
            label.locator("input").fill(str(SAID[label.inner_text().strip()][week]))
        expect(page.get_by_text(club.says("Everything is saved."), exact=True)).to_be_visible()
        club.button("Close now")
    club.link("Finish now")
    club.button("Finish")
    return seated


SEATED: Final = """tables => tables.map(
    (table) => [...table.querySelectorAll("tbody th a")].map((name) => name.innerText))"""
UNBROKEN: Final = """heads => heads.every((head) => {
    const words = document.createRange();
    words.selectNodeContents(head);
    return new Set([...words.getClientRects()].map(({ top }) => top)).size < 2;
})"""
LINES: Final = """rows => rows.map((row) => ["td", "th", "td strong"].map(
    (part) => row.querySelector(part).innerText))"""


def drawn(club: Club) -> list[list[str]]:
    """Return who sits at each table of the round, as its public page says."""
    shown = club.page.locator("section:has(> ul.grid)")
    expect(shown).to_contain_text(HEEDED[club.language])
    found: list[list[str]] = shown.locator("li.panel").evaluate_all(SEATED)
    return found


# ---- The year ------------------------------------------------------------------------------------


def set_up_year(club: Club) -> None:
    """Choose the best three evenings of the last year, which the page tries at once."""
    page = club.page
    page.goto("/admin/")
    menu = page.locator(".menu > summary")
    if menu.is_visible():
        menu.click()
    club.link("Series")
    club.link("Set up a series")
    page.fill("[name=name]", "2026/27")
    page.fill("[name=best]", "3")
    expect(page.locator("#tried .tf-told, #tried tbody tr")).to_have_count(9)
    page.check("[name=played]")
    club.button("Set up the series")
    expect(page.locator("#evenings ~ .tf-scroll tbody tr")).to_have_count(1)


def type_in(club: Club, on: date, totals: str) -> None:
    """Type an evening in of which a name is not quite right."""
    page = club.page
    club.link("Type in an evening")
    page.fill("[name=on]", on.isoformat())
    page.fill("[name=name]", f"Thursday {on.day}")
    page.fill("[name=totals]", totals)
    club.button("Type in an evening")
    page.get_by_role("radio", name="Paul Pike").check()
    club.button("Type in an evening")
    typed = f"Thursday {on.day} {club.says('typed in')}"
    expect(page.locator("#evenings ~ .tf-scroll")).to_contain_text(typed)


def year_of(page: Page, language: str) -> list[tuple[str, ...]]:
    """Return rank, name and total of each line of the year's table."""
    year = Series.objects.get()
    page.goto(f"/clubs/{year.club.slug}/series/{year.slug}/?lang={language}")
    rows = page.locator("#ranking tbody tr:not(.reasons)").evaluate_all(LINES)
    return [tuple(row) for row in rows]


@pytest.mark.parametrize(("screen", "language", "of_player"), [*SCREENS, *(MORE_SCREENS if IS_WHOLE else ())])
def test_a_club_plays_four_thursdays_of_which_the_best_three_count(
    screen: str, language: str, of_player: str, request: pytest.FixtureRequest, log_in: LogIn, cast: Cast
) -> None:
    page: Page = request.getfixturevalue(screen)
    other: Page = request.getfixturevalue(of_player)
    for each in (page, other):
        keep_to_the_screen(each)
    club = Club(page, speaks(cast.olga, language), language)
    today = database_time.now().date()
    day = today + timedelta(days=(THURSDAY - today.weekday()) % 7)
    log_in(page, cast.olga)
    set_up_first(club, day)
    door = page.url
    keep_wish(club, OLD, "table", table="1")
    keep_wish(club, APART[0], "apart", other=APART[1])
    say_away(club, AWAY, day + timedelta(weeks=1), day + timedelta(weeks=3))
    page.goto(door)
    for week in range(LAST + 1):
        if week:
            run_again(club, week)
        check_in(club, 8 if week else 9)
        if week == LAST:
            open_my_evening(club, other)
        for seated in play(club, week):
            assert OLD in seated[0]
            assert not any({*APART} <= {*table} for table in seated)
            assert {*chain(*seated)} == {*SAID} - ({AWAY} if week else set())
        if week == 0:
            set_up_year(club)
        year_of(page, language)
        expect(page.locator("#ranking")).to_contain_text(COUNTS[language][week])
    expect(other.locator("#seat")).to_have_text(club.says("The competition is over."))
    assert year_of(other, language) == FOUR
    assert other.locator("#ranking thead .number").evaluate_all(UNBROKEN)
    page.goto(f"/admin/series/series/{Series.objects.get().pk}/change/")
    for weeks, totals in zip((2, 1), TYPED, strict=True):
        type_in(club, day - timedelta(weeks=weeks), totals)
    page.context.clear_cookies()
    assert year_of(page, language) == SIX
