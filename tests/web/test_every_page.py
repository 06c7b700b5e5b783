"""Every kind of page in a browser: accessible in light and dark, and fitting a phone, in German.

`WHOLE_GAMES=1` tries all of them in English, too; the pages of errors are tried in both. All pages fit
a phone in text of 200 %, too, those with the board of a game among them.

The kinds come from the routes: the tests fail at one that is neither in the table of pages nor among those
without a page.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from functools import partial
from http import HTTPStatus
from itertools import chain
from typing import Any, Final

import pytest
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import OperationalError
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from playwright.sync_api import Page, ViewportSize, expect

from league.core.verbs.draw import DrawRound
from league.core.verbs.start import StartCompetition
from tests import factories
from tests.apps import of_site
from tests.browsing import IS_WHOLE
from tests.factories import Cast
from tests.league import playing
from tests.league.acting import act
from tests.league.playing import in_play, opened
from tests.league.walking import addresses, rows_of, text_of
from tests.readable import unread
from tests.web.conftest import Visit, record_all
from tests.web.every_page import kinds
from tests.web.every_page.kinds import NO_PAGES, State
from tests.web.every_page.world import logged_in, made
from tests.web.large_text import wrong_in_large_text
from tests.web.test_browser import violations

pytestmark = pytest.mark.usefixtures("same_deals")

OF_APPS: Final = of_site("every_page")
AREAS: Final = {**kinds.AREAS, **{app: (each.KINDS, (each.made,)) for app, each in OF_APPS.items()}}
SCRIPTED: Final = [*chain.from_iterable(getattr(each, "NO_PAGES", ()) for each in OF_APPS.values())]
POSTED: Final = [*kinds.POSTED, *chain.from_iterable(each.POSTED for each in OF_APPS.values())]
PAGES: Final = [*chain.from_iterable(states for states, _ in AREAS.values())]
DESK: Final = ViewportSize(width=1280, height=800)
PHONE: Final = ViewportSize(width=360, height=740)
BY_DAY: Final = ("link-in-text-block", "target-size")
"""The rules of axe that other colours or another width can break, besides that of contrast."""
AGAIN: Final = (
    *("html-has-lang", "html-lang-valid", "valid-lang"),
    *("button-name", "link-name", "label", "document-title", "label-content-name-mismatch"),
)
"""The rules of axe that another language can break."""
WIDTH: Final = "document.documentElement.scrollWidth"
"""What a phone shows: it zooms out of a page that is wider, so that `innerWidth` tells nothing."""
CUT: Final = """[...document.querySelectorAll("main *")].filter((each) => {
  const style = getComputedStyle(each);
  return ["hidden", "clip"].includes(style.overflowX) && style.textOverflow !== "ellipsis"
    && style.clipPath === "none" && !each.matches("input, .pip")
    && each.getClientRects().length && each.scrollWidth > each.clientWidth + 1;
}).map((each) => `cut: ${each.innerText.slice(0, 60)}`)"""
"""The text of elements that hide a part of what is in them at their side."""
UNFOLD: Final = "document.querySelectorAll('details').forEach((each) => { each.open = true; })"
IN_UTC: Final = re.compile(r"[^<>]*\d UTC(?![+−\w-])[^<>]*")
"""A time of day with the zone of the server instead of that of the club."""
UNREAD: Final = {
    "rules": "printed numbers of rules and bounds",
    "zone": "the names of the world's zones",
    "signed_log": "signatures, to compare",
}
"""Routes whose texts nobody reads aloud at the bar, and why."""
UNREAD_AT_DESK: Final = {
    "/admin/games/": "the log as it is stored, for who verifies it",
    "/admin/league/event/": "the log as it is stored, for who verifies it",
    "/admin/league/invitation/links/": "links to copy",
    "/admin/webhooks/": "read by who writes programs",
}
"""Addresses of the desk whose texts nobody reads aloud at the bar, and why."""
LANGUAGES: Final = ("en", "de")
OF_NO_CLUB: Final = {"practice", "signed_log"}
"""Apps whose pages are those of the server, and of games of no club."""
AS_IT_IS: Final = State("")
EXPECTED: Final = "the server responded with a status of"
"""What the console says of a page with an error's status."""


def routes(patterns: Any, space: str = "") -> Iterator[tuple[str, URLPattern]]:
    """Yield all routes but the desk's, with their names; a nameless one is named by its pattern."""
    for each in patterns:
        if isinstance(each, URLPattern):
            yield f"{space}{each.name or each.pattern}", each
        elif isinstance(each, URLResolver) and each.app_name != "admin":
            yield from routes(each.url_patterns, f"{each.app_name}:" if each.app_name else space)


def is_for_programs(name: str, route: URLPattern) -> bool:
    """Return whether it is an operation of the API, which answers no HTML."""
    renderers = getattr(getattr(route.callback, "cls", None), "renderer_classes", ())
    return name.startswith("api:") and all(each.media_type != "text/html" for each in renderers)


def test_every_route_has_its_states_here_or_shows_no_page() -> None:
    found = [name for name, route in routes(get_resolver().url_patterns) if not is_for_programs(name, route)]
    assert sorted(found) == sorted({*PAGES, *NO_PAGES, *SCRIPTED, *POSTED})


def test_what_is_posted_shows_no_page_of_its_own(cast: Cast, as_account: Visit) -> None:
    client, found = as_account(cast.paul), dict(routes(get_resolver().url_patterns))
    parts = {"uuid": cast.paul.pk, "slug": "x", "str": "x", "int": 1}
    for name in POSTED:
        address = re.sub(r"<(\w+):\w+>", lambda part: str(parts[part[1]]), str(found[name].pattern))
        assert client.get(f"/{address}").status_code == 405, name


@pytest.fixture
def english(page: Page) -> Page:
    """A computer by day."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    return page


def who(cookies: dict[str, str]) -> dict[str, str]:
    """Return the cookies that tell readers apart."""
    return {name: value for name, value in cookies.items() if name != settings.CSRF_COOKIE_NAME}


def show(page: Page, site: str, client: Client, address: str, state: State = AS_IT_IS) -> None:
    """Open a page as its reader, with everything on it unfolded."""
    cookies = {name: each.value for name, each in client.cookies.items()}
    held = {str(each.get("name")): str(each.get("value")) for each in page.context.cookies()}
    if who(held) != who(cookies):
        # The page before would ask for its news as another.
        page.goto("about:blank")
        page.context.clear_cookies()
        page.context.add_cookies(
            [{"name": name, "value": value, "url": site} for name, value in cookies.items()]
        )
    answer = page.goto(address)
    assert answer is not None and answer.status == state.status, address
    if state.do:
        state.do(page)
    if state.ready:
        expect(page.locator(state.ready)).to_be_visible()
    page.evaluate(UNFOLD)


def wrong_in_english(page: Page) -> list[str]:
    """Return what is wrong with the page that is shown, besides what is the same in German."""
    found = violations(page, *AGAIN)
    page.set_viewport_size(PHONE)
    found += ["wider than a phone"] if page.evaluate(WIDTH) > PHONE["width"] else []
    found += wrong_in_large_text(page, PHONE["width"], CUT)
    page.set_viewport_size(DESK)
    return found


def wrong_in_german(page: Page, seen: set[str], *, by_day: bool = True) -> list[str]:
    """Return what is wrong with the page that is shown on a phone at night, and on a wide screen by day.

    ``seen`` are the colours of texts on the pages before.
    """
    found = violations(page, seen=seen)
    found += ["wider than a phone"] if page.evaluate(WIDTH) > PHONE["width"] else []
    found += page.evaluate(CUT)
    found += ["not in German"] if page.evaluate("document.documentElement.lang") != "de" else []
    if by_day:
        page.emulate_media(color_scheme="light")
        page.set_viewport_size(DESK)
        found += violations(page, *BY_DAY, seen=seen)
        page.set_viewport_size(PHONE)
        page.emulate_media(color_scheme="dark")
    return found + wrong_in_large_text(page, PHONE["width"], CUT)


@pytest.mark.long
@pytest.mark.parametrize("area", AREAS)
def test_every_page_is_accessible_and_fits_a_phone(
    area: str, english: Page, german: Page, site: str, transactional_db: None, problems: list[str]
) -> None:
    pages, parts = AREAS[area]
    world, wrong, seen = made(factories.cast(), parts), {}, set[str]()
    for route, states in pages.items():
        for number, state in enumerate(states(world)):
            given = site, world.visitors[state.who], state.path(route), state
            show(german, *given)
            # The states of most kinds have the same colours; those of tables don't.
            found = wrong_in_german(german, seen, by_day=number == 0 or route == "game")
            if number == 0 and IS_WHOLE:
                show(english, *given)
                found += wrong_in_english(english)
            if found:
                wrong[f"{route} {number}"] = found
            if state.do or state.status != HTTPStatus.OK:
                problems[:] = [each for each in problems if EXPECTED not in each]
            assert problems == [], route
    assert wrong == {}


@pytest.mark.long
@pytest.mark.parametrize("area", AREAS)
def test_every_page_tells_times_of_the_club_and_has_only_what_can_be_read_aloud(area: str, db: None) -> None:
    pages, parts = AREAS[area]
    world, wrong = made(factories.cast(), parts), {}
    for route, states in pages.items():
        for number, state in enumerate(states(world)):
            answers = in_languages(LANGUAGES, world.visitors[state.who], state.path(route))
            in_utc = (
                []
                if area in OF_NO_CLUB
                else [found for each in answers.values() for found in IN_UTC.findall(text_of(each))]
            )
            unsaid = route not in UNREAD and [told for told in map(unread, answers.values(), answers) if told]
            if in_utc or unsaid:
                wrong[f"{route} {number}"] = in_utc or unsaid
    assert wrong == {}


def in_languages(codes: Collection[str], client: Client, path: str) -> Mapping[str, Any]:
    """Return a page in languages, without those in which it is refused."""
    answers = {code: client.get(path, headers={"accept-language": code}) for code in codes}
    return {code: answer for code, answer in answers.items() if answer.status_code == HTTPStatus.OK}


# ---- Errors --------------------------------------------------------------------------------------


def refuse(*_: object, **__: object) -> None:
    raise PermissionDenied("Only the club sees this.")


def fail(*_: object, **__: object) -> None:
    raise RuntimeError("broken")


def lose_the_database(*_: object, **__: object) -> None:
    raise OperationalError("gone")


@pytest.mark.parametrize(
    ("fault", "status"), [(None, 404), (refuse, 403), (fail, 500), (lose_the_database, 503)]
)
def test_every_page_of_an_error_is_accessible_and_fits_a_phone(
    fault: Any,
    status: int,
    english: Page,
    german: Page,
    site: str,
    monkeypatch: pytest.MonkeyPatch,
    problems: list[str],
) -> None:
    address = "/nowhere/"
    if fault:
        address = "/offline/"
        monkeypatch.setattr("django.views.generic.TemplateView.render_to_response", fault)
    for page, check in ((english, wrong_in_english), (german, partial(wrong_in_german, seen=set()))):
        show(page, site, Client(), address, State("nobody", status=status))
        assert check(page) == []
    problems.clear()


def test_the_page_for_a_damaged_form_is_accessible_and_fits_a_phone(
    english: Page, german: Page, site: str, problems: list[str]
) -> None:
    for page, check in ((english, wrong_in_english), (german, partial(wrong_in_german, seen=set()))):
        show(page, site, Client(), "/account/forgotten/")
        page.evaluate("document.querySelector('main [name=csrfmiddlewaretoken]').value = 'wrong'")
        page.fill("[name=email]", "paul@harbour.example")
        with page.expect_navigation() as sent:
            page.evaluate("document.querySelector('[name=email]').form.requestSubmit()")
        assert sent.value.status == 403
        assert check(page) == []
    problems.clear()


# ---- The desk ------------------------------------------------------------------------------------


def of_the_desk(client: Client, cast: Cast) -> list[str]:
    """Return an address of each kind of page on the desk: what is made of the same templates is of one,
    and the page with most kinds of fields stands for it."""
    competition, drawn = in_play(cast), opened(cast, 8, name="Drawn")
    for verb in (StartCompetition, DrawRound):
        act(cast.olga, drawn, verb)
    table = playing.tables(competition)[0]
    kinds: dict[frozenset[str], tuple[int, str]] = {}
    for each in addresses(rows_of(cast, competition)):
        answer = client.get(each.path)
        # Scripts put what has no head into a page.
        if answer.status_code == 200 and b"<html" in getattr(answer, "content", b""):
            names = {template.name for template in answer.templates if template.name}
            kind = frozenset(name for name in names if not name.startswith("django/forms/"))
            kinds[kind] = max(kinds.get(kind, (0, "")), (len(names), each.path))
    here = f"/admin/league/competition/{competition.pk}/do"
    return [
        *(path for _, path in kinds.values()),
        *(
            "/admin/",
            "/admin/league/competition/",
            "/admin/league/competition/add/?ruleset=scoops&plan=groups_and_cup",
        ),
        f"/admin/league/competition/{drawn.pk}/change/",
        *(f"{here}/{verb}/?table={table.pk}" for verb in ("rule", "walk-over")),
    ]


@pytest.mark.long
def test_every_page_and_print_of_the_desk_has_only_what_can_be_read_aloud(cast: Cast) -> None:
    competition, wrong, seen = in_play(cast), dict[Any, list[str]](), set[str]()
    record_all(competition)
    for each in addresses(rows_of(cast, competition)):
        if not each.path.startswith(tuple(UNREAD_AT_DESK)):
            # Forms of verbs have texts alone, which are read in both languages elsewhere.
            codes = ("en",) if each.name in seen else LANGUAGES
            seen.add(each.name)
            for code, answer in in_languages(codes, logged_in(cast.olga), each.path).items():
                wrong |= {(each.path, told): why for told, why in unread(answer, code).items()}
    assert wrong == {}


@pytest.mark.long
def test_every_page_of_the_desk_is_accessible_and_fits_a_phone(
    german: Page, site: str, transactional_db: None
) -> None:
    cast, wrong, seen = factories.cast(), {}, set[str]()
    olga = logged_in(cast.olga)
    found = of_the_desk(olga, cast)
    assert len(found) > 30
    for address in found:
        show(german, site, olga, address)
        if said := wrong_in_german(german, seen):
            wrong[address] = said
    assert wrong == {}
