"""The race of points, the bump chart of ranks and the course of a rating, as they are drawn."""

from functools import partial

from playwright.sync_api import Page, expect

from league.projections import ratings as rating_lists
from league.projections.standings import compute_standings
from tests.browsing import becomes
from tests.factories import Cast
from tests.league.playing import finished
from tests.web.test_browser import violations

WRITES = """(() => {
    const write = CanvasRenderingContext2D.prototype.fillText;
    window.written = [];
    CanvasRenderingContext2D.prototype.fillText = function (text, ...where) {
        window.written.push(text);
        return write.call(this, text, ...where);
    };
})()"""
"""Keeps what is written on canvases."""
WRITTEN = "titles => written.filter((each) => titles.includes(each)).sort()"
IN_C = "Object.defineProperty(Navigator.prototype, 'language', { get: () => 'C' })"
"""Lets the browser's language be one that Intl refuses, as on a system without a language."""
COLOURS = """canvas => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const found = new Set();
    for (let at = 0; at < data.length; at += 4)
        if (data[at + 3] === 255) found.add(data.slice(at, at + 3).join());
    return found.size;
}"""


def test_races_ranks_and_ratings_are_drawn_with_titles_at_their_axes(page: Page, cast: Cast) -> None:
    competition = finished(cast)
    compute_standings(competition.pk)
    rating_lists.compute_ratings(competition.pk)
    page.add_init_script(WRITES)
    page.add_init_script(IN_C)
    for address, titles in (
        (f"/competitions/{competition.slug}/charts/", ["Points", "Rank", "Round", "Round"]),
        (f"/players/{cast.paul_plays.pk}/", ["Day of the game", "Rating"]),
    ):
        page.goto(address)
        canvases = page.locator(".plot canvas")
        expect(canvases).to_have_count(len(titles) // 2)
        becomes(partial(page.evaluate, WRITTEN, titles), titles)
        for canvas in canvases.all():
            assert canvas.evaluate(COLOURS) > 3
        assert violations(page) == []
