"""A month of a club in a browser: four Thursdays, wishes for its draws, and the best three of them count."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import chain
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from games import database_time
from league.apps.series.models import Series
from league.core.verbs.course import FinishCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.presence import CheckInEntry
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Account, Competition, Player, Table
from league.services.automatic import record_result
from league.services.competitions import change_details
from tests.browsing import LogIn
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act, enter
from tests.league.playing import opened, play, tables

THURSDAY: Final = 3
ROUNDS: Final = 3
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
"""What each says in every round of each Thursday: three times that is the value of the evening."""
OLD, APART, AWAY = "Ada Ash", ("Paul Pike", "Petra Plum"), "Rosa Reed"
"""Who stays at table 1, the two who never meet, and who is away for three weeks after the first Thursday."""
ADDED: Final = {"by": "score", "fair": False}
FOUR: Final = [
    ("1", "Ada Ash", "39"),  # 36 + 3 + 0
    ("2", "Petra Plum", "36"),  # 15 + 15 + 6: the next best decides
    ("3", "Paul Pike", "36"),  # 15 + 12 + 9
    ("4", "Cleo Cole", "21"),  # 9 + 6 + 6
    ("5", "Rosa Reed", "18"),  # 18
    ("6", "Ben Birch", "18"),  # 12 + 6 + 0
    ("7", "Finn Fern", "18"),  # 9 + 9 + 0
    ("8", "Eve Elm", "15"),  # 9 + 3 + 3
    ("9", "Dan Dale", "12"),  # 9 + 3 + 0
]
"""The year's table after four Thursdays, worked out by hand."""
TYPED: Final = ("Paul Pikke\t20\nPetra Plum\t1", "Paul Pikke\t2\nPetra Plum\t16")
SIX: Final = [
    ("1", "Paul Pike", "47"),  # 20 + 15 + 12
    ("2", "Petra Plum", "46"),  # 16 + 15 + 15
    ("3", "Ada Ash", "39"),
    *FOUR[3:],
]


@dataclass(frozen=True)
class Words:
    """What an organiser and a visitor read."""

    language: str
    again: str
    set_up_evening: str
    check_in: str
    best: str
    set_up: str
    type_in: str
    typed_in: str
    heeded: str
    table: str
    counts: str


ENGLISH: Final = Words(
    language="en-gb",
    again="Run this evening again",
    set_up_evening="Set up the evening",
    check_in="Check-in list",
    best="The best 3 are added",
    set_up="Set up the series",
    type_in="Type in an evening",
    typed_in="typed in",
    heeded="The wish of 1 pair for this draw is kept.",
    table="Table 1",
    counts="15, 12, 9 count; 3 is left out.",
)
GERMAN: Final = Words(
    language="de",
    again="Diesen Abend wiederholen",
    set_up_evening="Abend anlegen",
    check_in="Anmeldung vor Ort",
    best="Die besten 3 werden zusammengezählt",
    set_up="Jahreswertung anlegen",
    type_in="Abend eintippen",
    typed_in="eingetippt",
    heeded="Der Wunsch von 1 Paar für diese Auslosung ist erfüllt.",
    table="Tisch 1",
    counts="15, 12, 9 zählen; 3 zählt nicht.",
)


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0)


# ---- What the organiser does ---------------------------------------------------------------------


def keep_wish(page: Page, player: Player, kind: str, **chosen: str) -> None:
    page.goto(f"/admin/league/player/{player.pk}/wishes/")
    page.select_option("[name=kind]", kind)
    for name, value in chosen.items():
        box = page.locator(f"[name={name}]")
        box.select_option(value) if name == "other" else box.fill(value)
    page.locator("main form [type=submit].primary").click()
    expect(page.locator("#wishes ~ ul li")).to_have_count(1)
    assert fits(page)


def set_up_year(page: Page, words: Words) -> None:
    """Choose the best three evenings of the last year, which the page tries at once."""
    page.goto("/admin/series/series/add/")
    page.fill("[name=name]", "2026/27")
    page.fill("[name=best]", "3")
    expect(page.locator("#tried")).to_contain_text(words.best)
    assert fits(page)
    page.check("[name=played]")
    page.get_by_role("button", name=words.set_up).click()
    expect(page.locator("#evenings ~ .tf-scroll tbody tr")).to_have_count(1)


def say_away(page: Page, player: Player, since: date, until: date) -> None:
    page.goto(f"/admin/league/player/{player.pk}/away/")
    page.fill("[name=since]", since.isoformat())
    page.fill("[name=until]", until.isoformat())
    page.locator("main form [type=submit].primary").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    assert fits(page)


def run_again(page: Page, words: Words, week: int) -> Competition:
    """Set up the next Thursday in three clicks from the desk's first page; who is away then is not ticked."""
    page.goto("/admin/")
    page.get_by_role("link", name=words.again).click()
    expect(page.locator("input[name=entries]:checked")).to_have_count(8)
    assert fits(page)
    page.get_by_role("button", name=words.set_up_evening).click()
    page.get_by_role("link", name=words.check_in).first.click()
    expect(page.get_by_role("button", name="Paul Pike")).to_be_visible()
    return Competition.objects.get(name=f"Thursday {week + 1}")


def type_in(page: Page, words: Words, on: date, totals: str) -> None:
    """Type an evening in of which a name is not quite right."""
    page.get_by_role("link", name=words.type_in).click()
    page.fill("[name=on]", on.isoformat())
    page.fill("[name=name]", f"Thursday {on.day}")
    page.fill("[name=totals]", totals)
    page.get_by_role("button", name=words.type_in).click()
    page.get_by_role("radio", name="Paul Pike").check()
    page.get_by_role("button", name=words.type_in).click()
    expect(page.locator("#evenings ~ .tf-scroll")).to_contain_text(f"Thursday {on.day} {words.typed_in}")


# ---- What everybody sees -------------------------------------------------------------------------

SEATED: Final = """rounds => rounds.map((round) => [...round.querySelectorAll("li.panel")].map(
    (table) => [...table.querySelectorAll("tbody th a")].map((name) => name.innerText)))"""
LINES: Final = """rows => rows.map((row) => ["td", "th", "td strong"].map(
    (part) => row.querySelector(part).innerText))"""


def draws(page: Page, competition: Competition, words: Words) -> list[list[list[str]]]:
    """Return who sits at each table of each round, as the public page says."""
    page.goto(f"/competitions/{competition.slug}/rounds/?lang={words.language}")
    rounds = page.locator("section:has(> ul.grid)")
    expect(rounds).to_have_count(ROUNDS)
    expect(rounds.first.locator("li h3").first).to_have_text(words.table)
    expect(rounds.first).to_contain_text(words.heeded)
    found: list[list[list[str]]] = rounds.evaluate_all(SEATED)
    return found


def year_of(page: Page, words: Words) -> list[tuple[str, ...]]:
    """Return rank, name and total of each line of the year's table."""
    year = Series.objects.get()
    page.goto(f"/clubs/{year.club.slug}/series/{year.slug}/?lang={words.language}")
    rows = page.locator("#ranking tbody tr:not(.reasons)").evaluate_all(LINES)
    assert fits(page)
    return [tuple(row) for row in rows]


# ---- The month -----------------------------------------------------------------------------------


def hold(cast: Cast, held: Competition, week: int) -> None:
    """Play a Thursday to its end."""
    for entry in held.entries.all():
        act(cast.olga, held, CheckInEntry, entry=entry.pk)
    act(cast.olga, held, StartCompetition)
    for number in range(1, ROUNDS + 1):
        act(cast.olga, held, DrawRound)
        act(cast.olga, held, PublishRound)
        for table in tables(held, number):
            say(table, week)
        act(cast.olga, held, CloseRound)
    act(cast.olga, held, FinishCompetition)


def say(table: Table, week: int) -> None:
    """Let each seat say the number of its player."""
    (place,) = table.games.all()
    seats = table.seats.order_by("number").values_list("player__name", flat=True)
    record_result(game_id=play(place.game, *(SAID[name][week] for name in seats)).pk)


def first_thursday(cast: Cast) -> tuple[Competition, date]:
    """Return the evening of nine people on the next Thursday, and its day."""
    people = [PlayerFactory.create(club=cast.club, name=name) for name in [*SAID][2:]]
    stage = {"name": "Evening", "format": "rounds", "rounds": ROUNDS, "table_size": 4, "scoring": ADDED}
    held = opened(cast, name="Thursday 1", stages=[stage], entering={"check_in": True})
    enter(cast.olga, held, [cast.paul_plays, cast.petra_plays, *people])
    today = database_time.now().date()
    day = today + timedelta(days=(THURSDAY - today.weekday()) % 7)
    change_details(by=cast.olga, competition=held, values={"begins_on": day})
    return held, day


@pytest.mark.parametrize("words", [ENGLISH, GERMAN], ids=["english", "german"])
@pytest.mark.parametrize("screen", ["page", "phone"])
def test_a_club_plays_four_thursdays_of_which_the_best_three_count(
    screen: str, words: Words, request: pytest.FixtureRequest, log_in: LogIn, cast: Cast
) -> None:
    shown: Page = request.getfixturevalue(screen)
    Account.objects.filter(pk=cast.olga.pk).update(language=words.language)
    (held, day), evenings = first_thursday(cast), list[Competition]()
    log_in(shown, cast.olga)
    keep_wish(shown, Player.objects.get(name=OLD), "table", table="1")
    keep_wish(shown, cast.paul_plays, "apart", other=str(cast.petra_plays.pk))
    weeks_away = day + timedelta(weeks=1), day + timedelta(weeks=3)
    say_away(shown, Player.objects.get(name=AWAY), *weeks_away)
    for week in range(4):
        if week:
            held = run_again(shown, words, week)
        hold(cast, held, week)
        evenings.append(held)
        if week == 0:
            set_up_year(shown, words)
    shown.context.clear_cookies()
    for week, each in enumerate(evenings):
        for seated in draws(shown, each, words):
            assert OLD in seated[0]
            assert not any({*APART} <= {*table} for table in seated)
            assert {*chain(*seated)} == {*SAID} - ({AWAY} if week else set())
    assert year_of(shown, words) == FOUR
    expect(shown.locator("#ranking")).to_contain_text(words.counts)
    log_in(shown, cast.olga)
    shown.goto(f"/admin/series/series/{Series.objects.get().pk}/change/")
    for weeks, totals in zip((2, 1), TYPED, strict=True):
        type_in(shown, words, day - timedelta(weeks=weeks), totals)
    shown.context.clear_cookies()
    assert year_of(shown, words) == SIX
