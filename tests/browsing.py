"""Fixtures for tests in a browser: the whole site with its streams, on a computer and on a phone."""

import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

from league.models import Account
from league.ops import browser as chromium
from league.ops import processes, web

_START_SECONDS = 60
_PATIENCE = 60_000
_DESK = ViewportSize(width=1280, height=800)
_PHONE = ViewportSize(width=390, height=844)

LogIn = Callable[[Page, Account], None]


@pytest.fixture(scope="session")
def _server() -> Iterator[str]:
    listener = socket.create_server(("127.0.0.1", 0))
    server = web.Server(web.configuration())
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    assert processes.eventually(lambda: server.started, _START_SECONDS), "the site does not start"
    yield "http://{}:{}".format(*listener.getsockname())
    server.should_exit = True
    thread.join()


@pytest.fixture
def site(_server: str, transactional_db: None) -> str:
    """The address of the whole site, on the test's own database, without a slash at its end."""
    return _server


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A Chromium for the session."""
    program = chromium.found()
    if program is None:
        pytest.fail(f"No Chromium: run `python3 manage.py test`, or name one in {chromium.VARIABLE}.")
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


@pytest.fixture
def page(browser: Browser, site: str, problems: list[str]) -> Iterator[Page]:
    """A page on a desk, 1280 by 800; addresses are relative to the site. Fails the test for any problem."""
    with _page(browser.new_context(base_url=site, viewport=_DESK), problems) as page:
        yield page


@pytest.fixture
def phone(browser: Browser, site: str, problems: list[str]) -> Iterator[Page]:
    """A page on a phone, 390 by 844, with touch; otherwise as `page`."""
    context = browser.new_context(
        base_url=site, viewport=_PHONE, device_scale_factor=2, is_mobile=True, has_touch=True
    )
    with _page(context, problems) as page:
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


@contextmanager
def _page(context: BrowserContext, problems: list[str]) -> Iterator[Page]:
    page = context.new_page()
    page.set_default_timeout(_PATIENCE)
    # No test waits for moves of others to be watched.
    page.add_init_script("try { localStorage.setItem('trefoil pace', '0') } catch (error) {}")

    def listen(message: ConsoleMessage) -> None:
        if message.type == "error":
            problems.append(message.text)

    page.on("console", listen)
    page.on("pageerror", lambda error: problems.append(str(error)))
    yield page
    context.close()
    assert problems == []
