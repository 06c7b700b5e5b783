"""The installable app: while it is offline its service worker shows a page, and it keeps nothing private."""

from playwright.sync_api import Page, expect

from tests.browsing import LogIn, excuse
from tests.factories import Cast
from tests.web.test_browser import violations


def test_an_offline_app_shows_a_page_and_has_kept_nothing_else(
    page: Page, cast: Cast, log_in: LogIn, problems: list[str]
) -> None:
    log_in(page, cast.paul)
    page.goto("/account/notices/")
    # The page itself registers it under https alone.
    page.evaluate("navigator.serviceWorker.register('/worker.js')")
    page.evaluate("navigator.serviceWorker.ready.then(() => {})")
    page.goto("/account/")
    expect(page.get_by_role("heading", name="Hello")).to_be_visible()
    kept = """async () => {
      const found = [];
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const { url } of await cache.keys()) {
          found.push(new URL(url).pathname, await (await cache.match(url)).text());
        }
      }
      return found;
    }"""
    addresses, texts = page.evaluate(kept)[::2], "".join(page.evaluate(kept)[1::2])
    assert {address.rpartition("/")[2] for address in addresses} == {"", "trefoil.css", "trefoil.svg"}
    assert "/offline/" in addresses and "paul" not in texts and "csrfmiddlewaretoken" not in texts
    page.context.set_offline(True)
    page.goto("/account/")
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    assert violations(page) == []
    page.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("heading", name="Hello")).to_be_visible()
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in")).to_be_visible()
    excuse(page, problems, "ERR_INTERNET_DISCONNECTED")
