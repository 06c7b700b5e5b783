"""How soon a running table is painted and can be tapped, beside a page of text of the same site.

    python -m benchmarks.first_paint [--rounds 9]

It starts a throw-away PostgreSQL and web processes, as `up` does, and a browser in which nothing is kept from
one page to the next. The two pages are loaded by turns, on a phone, and then again with the browser's
processor slowed four times. A table can be tapped once its dock says what can be done.
"""

import argparse
import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from benchmarks.guessers import site
from benchmarks.machine import described, server
from benchmarks.moves import a_club, a_game, say

GOALS: Final = {1: (1.0, 1.2), 4: (1.5, 1.8)}
"""Seconds until a table is painted and can be tapped, by how many times the browser is slowed."""
_PHONE: Final = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
_SETTLES: Final = 1000
"""Milliseconds after which nothing larger is painted."""
_NOTES: Final = """(() => {
    window.noted = {};
    const note = (name) => (list) => list.getEntries().forEach((each) => { noted[name] = each.startTime; });
    new PerformanceObserver(note("painted")).observe({ type: "largest-contentful-paint", buffered: true });
    const isShown = () => document.querySelector('#dock[data-state="shown"]');
    new MutationObserver(() => {
        if (!noted.tapped && isShown()) noted.tapped = performance.now();
    }).observe(document, { attributes: true, childList: true, subtree: true });
})()"""


@contextmanager
def _browser() -> Iterator[Any]:
    """Provide a browser."""
    from playwright.sync_api import sync_playwright

    from tests import installing

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=installing.chromium(), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield browser
        browser.close()


def _loaded(browser: Any, address: str, cookie: dict[str, str], slowed: int) -> tuple[float, float]:
    """Return the seconds until a page was painted and could be tapped, in a browser that has nothing of it.

    A page of text can never be tapped: 0.
    """
    context = browser.new_context(**_PHONE)
    context.add_cookies([cookie])
    page = context.new_page()
    page.add_init_script(_NOTES)
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slowed})
    page.goto(address, wait_until="load")
    noted: dict[str, float] = {}
    while "painted" not in noted:
        page.wait_for_timeout(_SETTLES)
        noted = page.evaluate("noted")
    context.close()
    return noted["painted"] / 1000, noted.get("tapped", 0) / 1000


def report(browser: Any, table: str, text: str, cookie: dict[str, str], rounds: int) -> None:
    """Say how soon a table was there, and how much sooner a page of text."""
    for slowed, (paint_goal, tap_goal) in GOALS.items():
        tables, texts = [], []
        for _ in range(rounds):
            tables.append(_loaded(browser, table, cookie, slowed))
            texts.append(_loaded(browser, text, cookie, slowed)[0])
        painted, tapped = (statistics.median(each) for each in zip(*tables, strict=True))
        plain = statistics.median(texts)
        say(
            f"browser slowed {slowed} times: painted after {painted:.2f} s (goal {paint_goal}),"
            f" tapped after {tapped:.2f} s (goal {tap_goal}); a page of text {plain:.2f} s,"
            f" {painted / plain:.1f} times"
        )


def main() -> None:
    """Measure, and say what was found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    with server(), site() as port:
        say(described())
        at = f"http://localhost:{port}"
        table, cookie = _a_table(at)
        with _browser() as browser:
            report(browser, f"{at}{table}", f"{at}/rules/scamper/", cookie, rounds)


def _a_table(at: str) -> tuple[str, dict[str, str]]:
    """Return the page of a running game, and the cookie of who is to move."""
    from django.conf import settings
    from django.test import Client

    from league.models import Account

    house, players, _tokens = a_club()
    game = a_game(house, players[:2], "scamper")
    client = Client()
    client.force_login(Account.objects.get(username="player-0"))
    name = settings.SESSION_COOKIE_NAME
    return f"/games/{game.pk}/", {"name": name, "value": client.cookies[name].value, "url": at}


if __name__ == "__main__":
    main()
