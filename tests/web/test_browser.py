"""The pages in a real browser, on a computer and on a phone: live, by keyboard, and accessible."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games import log
from games.engine import replay
from games.engine.replay import Actor
from games.models import Game
from league.callers import ByAccount
from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Account
from league.projections import ratings as rating_lists
from league.services.play import make_move
from tests.browsing import LogIn, all_of, settle
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import in_play, opened
from tests.web.conftest import record_all
from tests.web.test_game import play, seated

AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text()
# What axe tells besides, of every rule, would take the browser as long to hand over as to find.
VIOLATIONS = """async ([asked, unlike]) => (
    await axe.run(unlike ? { include: window.unlike } : document, asked)
).violations.flatMap(
    ({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`))"""
UNLIKE = """(known) => {
    const CLEAR = "rgba(0, 0, 0, 0),none,1";
    const grounds = new Map([[null, ""]]), found = new Map();
    const ground = (each) => {
        if (!grounds.has(each)) {
            const { backgroundColor, backgroundImage, opacity } = getComputedStyle(each);
            const own = [backgroundColor, backgroundImage, opacity].join();
            grounds.set(each, ground(each.parentElement) + (own === CLEAR ? "" : own));
        }
        return grounds.get(each);
    };
    const isText = ({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim();
    for (const each of document.querySelectorAll("body *")) {
        if (!(each.matches("input, select") || [...each.childNodes].some(isText))) continue;
        if (!each.checkVisibility()) continue;
        const { color, fontSize, fontWeight, textShadow } = getComputedStyle(each);
        found.set([color, fontSize, fontWeight, textShadow, ground(each)].join(), each);
    }
    known.forEach((each) => found.delete(each));
    window.unlike = [...found.values()];
    return [...found.keys()];
}"""
"""Returns the colours and sizes of texts, with what lies behind them, that are not known; keeps an element of
each."""
CONTRAST = "color-contrast"
COLOURS = (CONTRAST, "link-in-text-block")
"""The rules of axe that other colours can break."""


RUNS_OVER = """(box) => [...box.querySelectorAll("*")].filter((part) => {
    const { left, right } = part.getBoundingClientRect(), edge = box.getBoundingClientRect();
    const cut = part.clientWidth && part.scrollWidth > part.clientWidth + 1;
    return cut || right > edge.right || left < edge.left;
}).map((part) => part.outerHTML.slice(0, 90))"""
"""The parts of a box that are cut, or reach beyond its edges."""


def actor(cast: Cast, game: Game) -> Account:
    """Return the account whose turn it is."""
    (seat,) = replay.to_act(log.latest(game))
    return (cast.paul, cast.petra)[seat]


def draw(game: Game) -> None:
    """Let the seat whose turn it is draw from the deck."""
    (seat,) = replay.to_act(log.latest(game))
    move = {"type": "draw", "from": "deck"}
    log.append(game_id=game.pk, seq=game.seq + 1, actor=Actor("seat", seat), move=move, account=None)


def test_a_watched_table_shows_a_move_as_soon_as_it_is_made(page: Page, cast: Cast) -> None:
    game = cast.game("scoops")
    with page.expect_request("**/events/**"):
        page.goto(f"/games/{game.pk}/")
    expect(page.locator("#where")).to_contain_text("Move 1 of 1")
    draw(game)
    expect(page.locator("#where")).to_contain_text("draws from the deck")
    expect(page.locator("#announcer")).to_contain_text("draws from the deck")


def test_a_watched_table_loads_only_the_changes(page: Page, cast: Cast) -> None:
    game = play(seated(cast), 3)
    asked: list[str] = []
    with page.expect_request("**/events/**"):
        page.goto(f"/games/{game.pk}/")
    page.on("request", lambda request: asked.append(request.url.partition(f"/games/{game.pk}")[2]))
    play(game, 1)
    expect(page.locator("#where")).to_contain_text("Move 5 of 5")
    play(game, 1)
    expect(page.locator("#where")).to_contain_text("Move 6 of 6")
    assert [path for path in asked if path] == ["/news/?after=4", "/news/?after=5"]
    entries = page.locator("#moves-list .seq")
    assert [text.split()[-1] for text in entries.all_inner_texts()] == ["6", "5", "4", "3", "2", "1"]
    expect(page.locator("#moves-list [aria-current]")).to_have_count(1)


def test_a_form_keeps_its_input_when_others_move(page: Page, cast: Cast, log_in: LogIn) -> None:
    game = cast.game("tally", players=[cast.paul_plays.pk, cast.petra_plays.pk, *others(cast)])
    log_in(page, cast.paul)
    with page.expect_request("**/events/**"):
        page.goto(f"/games/{game.pk}/")
    page.get_by_label("says 7").check()
    page.get_by_label("says 7").focus()
    make_move(ByAccount(cast.petra), game_id=game.pk, seq=2, move={"type": "resign"})
    expect(page.locator("#where")).to_contain_text("Move 2 of 2")
    expect(page.get_by_label("says 7")).to_be_checked()
    expect(page.get_by_label("says 7")).to_be_focused()
    page.get_by_role("button", name="Say", exact=True).click()
    expect(page.locator("#moves")).to_contain_text("Paul Pike says 7")


def others(cast: Cast) -> list[Any]:
    return [player.pk for player in cast.people(4)[2:]]


def test_a_move_is_made_by_keyboard_alone(page: Page, cast: Cast, log_in: LogIn) -> None:
    game = cast.game("tally")
    log_in(page, cast.paul)
    page.goto(f"/games/{game.pk}/")
    page.get_by_label("says 0").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#where")).to_contain_text("Paul Pike says 1")


def test_clicked_cards_are_added_to_the_text_of_a_move(page: Page, cast: Cast, log_in: LogIn) -> None:
    game = next(game for number in range(60) if (game := with_groups(cast, number)))
    log_in(page, actor(cast, game))
    page.goto(f"/games/{game.pk}/")
    page.get_by_role("button", name="Choose from a list").click()
    page.get_by_text("Or write your own").first.click()
    line = page.locator("[data-cards]").first
    line.focus()
    cards = page.locator("[data-hand] .card")
    cards.nth(0).click()
    cards.nth(1).click()
    written = [cards.nth(place).get_attribute("data-code") for place in (0, 1)]
    expect(line).to_have_value(" ".join(str(code) for code in written))
    expect(page.locator("form[data-form] [data-own]").first).to_be_checked()


def with_groups(cast: Cast, number: int) -> Game | None:
    """Return a game in which the seat to move can write groups of its own, if this number's deal is such."""
    game = play(seated(cast, secret=bytes([number]) * 32), 1)
    position = log.latest(game)
    (seat,) = replay.to_act(position)
    fields = {name for choice in replay.choices(position, seat) for name in choice.fields}
    return game if fields & {"groups", "melds"} else None


class TestMostPages:
    @pytest.fixture
    def addresses(self, cast: Cast) -> list[str]:
        competition = in_play(cast)
        record_all(competition)
        rating_lists.compute_ratings(competition.pk)
        finished = play(cast.game("scoops", {"target": 1}))
        slug = competition.slug
        return [
            "/",
            f"/clubs/{cast.club.slug}/",
            *(
                f"/clubs/{cast.club.slug}/{part}"
                for part in ("players/", "competitions/", "games/?status=active")
            ),
            f"/clubs/{cast.club.slug}/ratings/",
            f"/clubs/{cast.club.slug}/seasons/{competition.opened_at.year}/",
            *(f"/competitions/{slug}/{part}" for part in ("", "cross-table/", "rounds/", "entries/", "log/")),
            f"/games/{cast.game('scoops').pk}/",
            f"/games/{finished.pk}/",
            f"/games/{finished.pk}/?at=3",
            f"/games/{cast.game('tally').pk}/",
            f"/players/{cast.paul_plays.pk}/",
            "/rules/",
            "/rules/scoops/",
            "/account/",
            "/account/password/",
            "/account/login/",
        ]

    def test_works_without_scripts(self, plain: Page, addresses: list[str]) -> None:
        for address in addresses:
            plain.goto(address)
            expect(plain.locator("h1")).to_be_visible()


HEAD = "document.querySelector('.top').offsetHeight"
ONE_LINE = 80
"""The most pixels that the head of a page takes where it has one line."""
GROUND = "getComputedStyle(document.body).backgroundColor"


class TestDesk:
    def test_sets_up_and_starts_a_competition_in_a_few_clicks(
        self, page: Page, cast: Cast, log_in: LogIn
    ) -> None:
        cast.people(4)
        log_in(page, cast.olga)
        page.goto("/admin/")
        page.get_by_role("link", name="Set up a competition").click()
        page.get_by_role("radio", name="Scoops", exact=True).check()
        page.get_by_role("button", name="Continue").click()
        page.get_by_role("textbox", name="Name", exact=True).fill("Winter Evenings")
        page.get_by_role("button", name="Set up the competition").click()
        page.get_by_role("link", name="Enter players").click()
        for player in all_of(page.get_by_role("checkbox"), 4):
            player.check()
        page.get_by_role("button", name="Enter players").click()
        page.get_by_role("link", name="Check in all entries").click()
        page.get_by_role("button", name="Check in all entries").click()
        page.get_by_role("link", name="Start", exact=True).click()
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_text("The competition starts.").first).to_be_visible()

    def test_shows_what_others_do_unless_one_is_in_the_middle_of_something(
        self, page: Page, cast: Cast, log_in: LogIn
    ) -> None:
        competition = opened(cast, 4)
        act(cast.olga, competition, StartCompetition)
        log_in(page, cast.olga)
        page.goto(f"/admin/league/competition/{competition.pk}/change/")
        act(cast.olga, competition, DrawRound)
        expect(page.get_by_role("link", name="Publish the round")).to_be_visible()
        page.get_by_role("checkbox").first.check()
        act(cast.olga, competition, PublishRound)
        expect(page.get_by_role("alert")).to_contain_text("Something has happened")
        expect(page.get_by_role("checkbox").first).to_be_checked()

    def test_can_set_up_and_start_a_competition_without_scripts(
        self, plain: Page, cast: Cast, log_in: LogIn
    ) -> None:
        log_in(plain, cast.olga)
        plain.goto("/admin/league/competition/add/?ruleset=scoops&plan=monthly_league")
        plain.get_by_role("textbox", name="Name", exact=True).fill("Winter Evenings")
        plain.get_by_role("button", name="Add a stage").click()
        expect(plain.get_by_role("heading", name="Stage 2")).to_be_visible()
        plain.get_by_role("button", name="Set up the competition").click()
        plain.get_by_role("link", name="Enter players").click()
        for player in all_of(plain.get_by_role("checkbox"), 2):
            player.check()
        with plain.expect_navigation():
            plain.get_by_role("button", name="Enter players").click()
        plain.get_by_role("checkbox").first.check()
        plain.get_by_role("button", name="Withdraw").click()
        expect(plain.get_by_role("checkbox").first).to_be_checked()

    def test_imports_players_from_a_file_by_keyboard(
        self, page: Page, cast: Cast, log_in: LogIn, tmp_path: Path
    ) -> None:
        file = tmp_path / "players.csv"
        file.write_bytes("Name;Active\nZoë Ábel;yes\nPaul Pike;no\n".encode("windows-1252"))
        log_in(page, cast.olga)
        page.goto("/admin/league/player/")
        page.get_by_role("link", name="Import players").press("Enter")
        page.locator("input[type=file]").set_input_files(file)
        page.get_by_role("button", name="Show the preview").press("Enter")
        expect(page.get_by_text("1 new")).to_be_visible()
        expect(page.get_by_text("active: yes → no")).to_be_visible()
        assert violations(page) == []
        page.get_by_role("button", name="Import").press("Enter")
        expect(page.get_by_text("1 new, 1 changed, 0 unchanged.")).to_be_visible()
        page.get_by_role("main").get_by_role("link", name="Players").press("Enter")
        expect(page.get_by_role("link", name="Zoë Ábel")).to_be_visible()

    def test_fits_a_phone_and_opens_its_menu_by_keyboard(
        self, phone: Page, cast: Cast, log_in: LogIn
    ) -> None:
        competition = in_play(cast)
        phone.goto("/?lang=de")
        assert phone.evaluate(HEAD) < ONE_LINE
        log_in(phone, cast.olga)
        for address in (
            "",
            f"league/competition/{competition.pk}/change/",
            "league/competition/add/?ruleset=scoops&plan=groups_and_cup",
        ):
            phone.goto(f"/admin/{address}")
            assert phone.evaluate("document.documentElement.scrollWidth - screen.width") <= 0, address
        assert phone.evaluate(HEAD) < ONE_LINE
        phone.locator("summary", has_text="Menu").focus()
        phone.keyboard.press("Enter")
        expect(phone.get_by_role("link", name="Players")).to_be_visible()
        expect(phone.get_by_role("button", name="Log out")).to_have_count(1)
        assert phone.locator(".menu > nav").evaluate("each => each.getBoundingClientRect().left") >= 0
        assert phone.evaluate("document.documentElement.scrollWidth - screen.width") <= 0

    @pytest.mark.parametrize("verbs", range(4))
    def test_what_is_next_runs_over_no_edge_of_a_phone_in_german(
        self, phone: Page, cast: Cast, log_in: LogIn, verbs: int
    ) -> None:
        competition = opened(cast, 8, name="Donaudampfschifffahrtsgesellschaftskapitänspokal")
        for verb in (StartCompetition, DrawRound, PublishRound)[:verbs]:
            act(cast.olga, competition, verb)
        log_in(phone, cast.olga)
        phone.goto(f"/admin/league/competition/{competition.pk}/change/?lang=de")
        expect(phone.get_by_role("heading", name="Als Nächstes")).to_be_visible()
        assert phone.locator(".tf-next").evaluate(RUNS_OVER) == []
        assert phone.evaluate("document.documentElement.scrollWidth - screen.width") <= 0

    def test_keeps_the_chosen_colours(self, page: Page, cast: Cast, log_in: LogIn) -> None:
        log_in(page, cast.olga)
        page.emulate_media(color_scheme="light")
        page.goto("/admin/")
        light = page.evaluate(GROUND)
        page.get_by_role("button", name="Dark").click()
        settle(page)
        dark = page.evaluate(GROUND)
        page.goto("/admin/league/player/")
        assert page.evaluate(GROUND) == dark != light
        page.get_by_role("button", name="As the device").click()
        settle(page)
        assert page.evaluate(GROUND) == light


def violations(page: Page, *only: str, seen: set[str] | None = None) -> list[str]:
    """Return what axe-core finds wrong with the page, at WCAG 2.2 AA and by its best practices.

    With names of rules by these alone. Where pages are looked at one after the other, ``seen`` are the
    colours of texts that were: to judge them takes half of the time, and is done once.
    """
    settle(page)
    if page.evaluate("!window.axe"):
        page.evaluate(AXE)
    asked: dict[str, Any] = {"resultTypes": ["violations"], **({"runOnly": [*only]} if only else {})}
    if seen is None:
        return [*page.evaluate(VIOLATIONS, [asked, False])]
    found: list[str] = page.evaluate(VIOLATIONS, [{**asked, "rules": {CONTRAST: {"enabled": False}}}, False])
    if new := page.evaluate(UNLIKE, [*seen]):
        seen.update(new)
        found += page.evaluate(VIOLATIONS, [{**asked, "runOnly": [CONTRAST]}, True])
    return found


def violations_by_day_and_night(page: Page) -> list[str]:
    """Return what axe-core finds wrong with the page in light colours, and what the dark ones break."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    found = violations(page)
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    return found + violations(page, *COLOURS)
