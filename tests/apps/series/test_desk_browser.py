"""A month of a club in a browser: the best three of four Thursdays count, and two more are typed in."""

from datetime import date, timedelta

import pytest
from playwright.sync_api import Page, expect

from league.apps.series import queries
from league.apps.series.models import Series
from league.models import Account
from league.services.competitions import change_details
from tests.apps.series.year import evening
from tests.browsing import LogIn
from tests.factories import Cast
from tests.web.test_browser import violations

ENGLISH = {
    "everything": "Everything",
    "told": "The best 3 are added",
    "set up": "Set up the series",
    "left out": "is left out",
    "type in": "Type in an evening",
    "take": "Take Paul Pike",
    "typed in": "typed in",
}
GERMAN = {
    "everything": "Alles",
    "told": "Die besten 3 werden zusammengezählt",
    "set up": "Jahreswertung anlegen",
    "left out": "zählt nicht",
    "type in": "Abend eintippen",
    "take": "Paul Pike nehmen",
    "typed in": "eingetippt",
}


def looked_at(page: Page) -> None:
    """Assert that nothing is wider than the page, and that everybody can use it."""
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert not violations(page)


def set_up(page: Page, words: dict[str, str]) -> None:
    """Choose the best three evenings of the last year, which the page tries at once."""
    page.fill("[name=name]", "2026/27")
    expect(page.locator("#id_counts label").first).to_have_text(words["everything"])
    page.fill("[name=best]", "3")
    expect(page.locator("#tried")).to_contain_text(words["told"])
    looked_at(page)
    page.check("[name=played]")
    page.get_by_role("button", name=words["set up"]).click()
    expect(page.locator("#evenings ~ .tf-scroll tbody tr")).to_have_count(4)
    expect(page.locator("#table ~ .tf-scroll")).to_contain_text(words["left out"])
    looked_at(page)


def type_in(page: Page, words: dict[str, str], on: date, totals: str) -> None:
    """Type an evening in of which a name is not quite right."""
    page.get_by_role("link", name=words["type in"]).click()
    page.fill("[name=on]", on.isoformat())
    page.fill("[name=name]", f"Thursday {on.day}")
    page.fill("[name=totals]", totals)
    page.get_by_role("button", name=words["type in"]).click()
    page.get_by_role("button", name=words["take"]).click()
    looked_at(page)
    page.get_by_role("button", name=words["type in"]).click()
    expect(page.locator("#evenings ~ .tf-scroll")).to_contain_text(f"Thursday {on.day} {words['typed in']}")


@pytest.mark.parametrize("language", ["en-gb", "de"])
def test_a_month_counts_with_the_best_three_evenings_and_two_that_are_typed_in(
    page: Page, phone: Page, log_in: LogIn, cast: Cast, language: str
) -> None:
    words, shown = (ENGLISH, page) if language == "en-gb" else (GERMAN, phone)
    begin = date(2026, 11, 5)
    for week in range(4):
        held = evening(cast, name=f"Thursday {week}")
        told = {"begins_on": begin + timedelta(days=7 * week)}
        change_details(by=cast.olga, competition=held, values=told)
    Account.objects.filter(pk=cast.olga.pk).update(language=language)
    log_in(shown, cast.olga)
    shown.goto(f"/admin/series/series/add/?lang={language}")
    set_up(shown, words)
    type_in(shown, words, begin - timedelta(days=14), "Paul Pikke\t7\nPetra Plum\t3")
    type_in(shown, words, begin - timedelta(days=7), "Paul Pikke\t2\nPetra Plum\t9")
    evenings = queries.evenings_of(Series.objects.get())
    assert [bool(each.evening.competition) for each in evenings] == [False, False, True, True, True, True]
