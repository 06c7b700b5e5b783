"""Fixtures for tests in a browser: the whole site with its streams, on a computer and on a phone."""

import os
import socket
import threading
from collections.abc import Callable, Iterator, Sized
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

import pytest
from django.conf import settings
from django.test import Client
from django.utils.translation import gettext, override
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

from games import database_time
from league.models import Account
from league.ops import processes, web
from tests import installing

IS_WHOLE: Final = bool(os.environ.get("WHOLE_GAMES"))
"""Whether tests take long: whole games, all languages, screens and ways, as CONTRIBUTING.md says."""
_START_SECONDS = 60
_PATIENCE = 60_000
_DESK = ViewportSize(width=1280, height=800)
_PHONE = ViewportSize(width=390, height=844)
_NARROW = ViewportSize(width=360, height=740)

_LIES_STILL: Final = """async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const moving = () => document.getAnimations().filter((each) =>
        each.playState === "running" && each.effect.getComputedTiming().endTime < Infinity);
    for (let still = 0; still < 3; still += 1) {
        await frame();
        const moved = moving();
        if (!moved.length) continue;
        await Promise.allSettled(moved.map((each) => each.finished));
        still = -1;
    }
}"""
"""Ends three frames after the last movement: a part that has another size is fitted in the next one."""

_AT_REST: Final = """{
    try { localStorage.setItem("trefoil pace", "0") } catch (error) {}
    const rest = new CSSStyleSheet();
    rest.replaceSync("::before, ::after { animation: none !important }");
    document.adoptedStyleSheets = [rest];
}"""
"""Lets no test wait for moves of others to be watched, and the browser paint nothing sixty times a second."""

_IS_PLAIN: Final = "!('__pwClock' in window) && !navigator.serviceWorker?.controller"

_NEXT_KEY: Final = """each => {
    const here = document.activeElement;
    if (here === each || !each.isConnected) return null;
    if (here.matches(".tf-skip") && document.querySelector(here.hash).contains(each)) return "Enter";
    return each.type === "radio" && here.name === each.name ? "ArrowDown" : "Tab";
}"""
"""Which key leads on to an element, past the side bar; null at the element, and where it is gone.

Radio buttons of a group are one stop of Tab.
"""
_MOST_KEYS: Final = 400

LogIn = Callable[[Page, Account], None]
Says = Callable[[str], str]


@dataclass(frozen=True)
class _Served:
    address: str
    server: web.Server

    def is_idle(self) -> bool:
        """Return whether every request is answered and every stream at its end."""
        return not self.server.server_state.tasks


@pytest.fixture(scope="session")
def _server(django_db_setup: None) -> Iterator[_Served]:
    # Ends before the test database is dropped, to which it holds a connection for news.
    listener = socket.create_server(("127.0.0.1", 0))
    server = web.Server(web.configuration())
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    assert processes.eventually(lambda: server.started, _START_SECONDS), "the site does not start"
    with _patient():
        yield _Served("http://{}:{}".format(*listener.getsockname()), server)
    server.should_exit = True
    thread.join()


@contextmanager
def _patient() -> Iterator[None]:
    """Let a request take as long as a test waits for what it brings."""
    from league.ops import asgi  # loaded by the server

    seconds = _PATIENCE / 1000
    bounds = replace(vars(asgi._threaded)["_bounds"], begin_seconds=seconds, wait_seconds=seconds)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asgi, "REQUEST_SECONDS", seconds)
        patch.setattr(asgi._threaded, "_bounds", bounds)
        yield


@pytest.fixture
def site(_server: _Served, transactional_db: None) -> Iterator[str]:
    """The address of the whole site, on the test's own database, without a slash at its end."""
    yield _server.address
    # What a page asked for last must not meet the rows of the next test, nor keep those of this one.
    assert processes.eventually(_server.is_idle, _START_SECONDS), "a request does not end"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A Chromium for the session."""
    program = installing.chromium()
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # Playwright's own event loop runs in this thread, and no request does.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        # Nothing here measures time: a busy machine may take long.
        expect.set_options(timeout=_PATIENCE)
        as_root = ["--no-sandbox"] if os.geteuid() == 0 else []
        launched = playwright.chromium.launch(
            executable_path=program, args=["--disable-dev-shm-usage", *as_root]
        )
        yield launched
        launched.close()


@pytest.fixture
def problems() -> list[str]:
    """What the page's console has complained of. A test that provokes complaints empties the list itself."""
    return []


Opened = Callable[..., AbstractContextManager[Page]]


@pytest.fixture(scope="session")
def _kept() -> dict[str, BrowserContext]:
    """The contexts that pages of this session share one after the other, by kind."""
    return {}


@pytest.fixture
def _opened(browser: Browser, site: str, _kept: dict[str, BrowserContext], problems: list[str]) -> Opened:
    """A function that opens a page of a kind, with the cache of the last one and nothing else of it."""

    @contextmanager
    def opened(kind: str, **options: Any) -> Iterator[Page]:
        context = _kept.pop(kind, None)
        is_new = context is None
        context = context or browser.new_context(base_url=site, **options)
        page = context.new_page()
        if not is_new:
            _forget(context, page, site)
        with _listened_to(page, problems):
            yield page
        if _is_plain(page):
            for each in context.pages:
                each.close()
            _kept[kind] = context
        else:
            context.close()
        assert problems == []

    return opened


def _forget(context: BrowserContext, page: Page, site: str) -> None:
    """Remove what a test before has left, besides the browser's cache of files."""
    context.set_offline(False)
    context.clear_cookies()
    context.clear_permissions()
    session = context.new_cdp_session(page)
    session.send("Storage.clearDataForOrigin", {"origin": site, "storageTypes": "all"})
    session.detach()


def _is_plain(page: Page) -> bool:
    """Return whether a page leaves no clock that is stopped and no service worker."""
    with suppress(Error):
        return not page.is_closed() and page.evaluate(_IS_PLAIN) is True
    return False


@pytest.fixture
def page(_opened: Opened) -> Iterator[Page]:
    """A page on a desk, 1280 by 800; addresses are relative to the site. Fails the test for any problem."""
    with _opened("desk", viewport=_DESK) as page:
        yield page


@pytest.fixture
def phone(_opened: Opened) -> Iterator[Page]:
    """A page on a phone, 390 by 844, with touch; otherwise as `page`."""
    with _opened("phone", viewport=_PHONE, device_scale_factor=2, is_mobile=True, has_touch=True) as page:
        yield page


@pytest.fixture
def german(_opened: Opened) -> Iterator[Page]:
    """A page on a narrow phone in German, at night and without motion; otherwise as `page`."""
    as_told = {"locale": "de-DE", "color_scheme": "dark", "reduced_motion": "reduce"}
    with _opened("german", viewport=_NARROW, is_mobile=True, has_touch=True, **as_told) as page:
        yield page


@pytest.fixture
def plain(_opened: Opened) -> Iterator[Page]:
    """A page whose browser runs no scripts; otherwise as `page`."""
    with _opened("plain", viewport=_DESK, java_script_enabled=False) as page:
        yield page


@pytest.fixture
def log_in(site: str) -> LogIn:
    """A function that logs a page in as an account, without the form."""

    def log_in(page: Page, account: Account) -> None:
        client = Client()
        client.force_login(account)
        name = settings.SESSION_COOKIE_NAME
        page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": site}])

    return log_in


def speaks(account: Account, language: str) -> Says:
    """Let an account read pages in a language; return a function that says in it what is English in code."""

    def says(words: str) -> str:
        with override(language):
            return gettext(words)

    Account.objects.filter(pk=account.pk).update(language=language)
    return says


def keep_to_the_screen(page: Page) -> None:
    """Let every page that is loaded from now on complain where it is wider than the screen, unfolded or not.

    `innerWidth` tells nothing: a phone zooms out of a page that is wider.
    """
    page.add_init_script("""addEventListener("DOMContentLoaded", () => new ResizeObserver(() => {
        const { scrollWidth: wide } = document.documentElement;
        if (!location.host || wide <= screen.width) return;
        console.error(`${location.pathname} is ${wide} pixels wide`);
    }).observe(document.body))""")


def settle(page: Page) -> None:
    """Wait until a page is loaded and lies still: it fits the screen, and no card travels or turns."""
    page.wait_for_load_state()
    page.evaluate(_LIES_STILL)


def all_of(found: Locator, number: int) -> list[Locator]:
    """Return the elements that a locator finds, once there are as many as there have to be."""
    expect(found).to_have_count(number)
    return found.all()


def choose(page: Page, option: str) -> None:
    """Choose an option of the list that has the focus with the arrow keys.

    Letters would have to follow each other within a second.
    """
    steps: int = page.evaluate(
        """option => {
            const { options, selectedIndex } = document.activeElement;
            return [...options].findIndex((each) => each.text.startsWith(option)) - selectedIndex;
        }""",
        option,
    )
    for _step in range(abs(steps)):
        page.keyboard.press("ArrowDown" if steps > 0 else "ArrowUp")


def count_flights(page: Page) -> None:
    """Count the cards that travel on the pages that are loaded from now on, and their moves shown one by one.

    `window.flights` is the number since the page was loaded.
    """
    page.add_init_script("""(() => {
        localStorage.setItem("trefoil pace", "450");
        window.flights = 0;
        new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach((node) => {
            if (node.classList?.contains("flying")) window.flights += 1;
        }))).observe(document, { childList: true, subtree: true });
    })()""")


def walk_to(target: Locator) -> None:
    """Press the keys that lead to an element; raises AssertionError where none do."""
    # To look for it by its role takes the browser longer than a step.
    element = target.element_handle()
    for _ in range(_MOST_KEYS):
        with suppress(Error):  # where the page loads itself again meanwhile
            if key := element.evaluate(_NEXT_KEY):
                target.page.keyboard.press(key)
                continue
            if target.evaluate(_NEXT_KEY) is None:
                return
        # Another element has taken its place, as the page follows what happens.
        element = target.element_handle()
    raise AssertionError(f"The keyboard does not lead to {target}")


def stop_the_clock(page: Page) -> None:
    """Let no time pass on the pages that are loaded from now on, but by `page.clock`."""
    now = database_time.now()
    page.clock.install(time=now)
    page.clock.pause_at(now + timedelta(seconds=1))


def becomes(read: Callable[[], object], wanted: object) -> None:
    """Wait until what is read of a page is as wanted; raises AssertionError where it never is.

    Playwright's `wait_for_function` asks a second time with `eval`, which the policy of the pages forbids.
    """
    processes.eventually(lambda: read() == wanted, _PATIENCE / 1000)
    assert read() == wanted


def has_come(page: Page, noted: Sized) -> None:
    """Wait until a list that events of a page add to is not empty; raises AssertionError where it is."""

    def come() -> bool:
        # While Python itself sleeps, no event is handled.
        page.wait_for_timeout(20)
        return len(noted) > 0

    becomes(come, wanted=True)


def excuse(page: Page, problems: list[str], provoked: str) -> None:
    """Close a page, and forget the complaints of its console that a test has provoked, which all say so."""
    page.close()
    assert [problem for problem in problems if provoked not in problem] == []
    problems.clear()


@contextmanager
def _listened_to(page: Page, problems: list[str]) -> Iterator[None]:
    page.set_default_timeout(_PATIENCE)
    page.add_init_script(_AT_REST)

    def listen(message: ConsoleMessage) -> None:
        if message.type == "error":
            problems.append(message.text)

    page.on("console", listen)
    page.on("pageerror", lambda error: problems.append(str(error)))
    yield
