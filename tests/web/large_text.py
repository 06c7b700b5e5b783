"""Pages in text of 200 %, by the browser's setting and by a style of the reader's own."""

from typing import Final

from playwright.sync_api import Page

_USUAL: Final = {"standard": 16, "fixed": 13}

_TOO_WIDE: Final = """async (screen) => {
    const frame = () => new Promise(requestAnimationFrame);
    // Tables of games are fitted to the screen when it has another size, as when the page is opened.
    dispatchEvent(new Event("resize"));
    await frame();
    await frame();
    const width = document.documentElement.scrollWidth;
    if (width <= screen) return [];
    const reach = (each) => each.getBoundingClientRect().right + scrollX;
    const isScrolled = (each) => each !== document.body
        && (getComputedStyle(each).overflowX !== "visible" || isScrolled(each.parentElement));
    const [widest] = [...document.body.querySelectorAll("*")]
        .filter((each) => each.checkVisibility() && !isScrolled(each.parentElement))
        .sort((one, other) => reach(other) - reach(one));
    return [`${width} pixels wide: ${widest.outerHTML.slice(0, 120)}`];
}"""
_SIZE: Final = "size => { document.documentElement.style.fontSize = size; }"


def wrong_in_large_text(page: Page, screen: int, cut: str) -> list[str]:
    """Return what is wrong with the page that is shown in text of 200 %: its width and the widest element,
    where it is wider than these pixels of the screen, and what the expression ``cut`` finds.
    """
    page.evaluate(_SIZE, "200%")
    found = [*page.evaluate(_TOO_WIDE, screen), *page.evaluate(cut)]
    page.evaluate(_SIZE, "")
    browser = page.context.new_cdp_session(page)
    browser.send("Page.setFontSizes", {"fontSizes": {name: 2 * size for name, size in _USUAL.items()}})
    found += [*page.evaluate(_TOO_WIDE, screen), *page.evaluate(cut)]
    browser.send("Page.setFontSizes", {"fontSizes": _USUAL})
    browser.detach()
    return [f"in text of 200 %: {each}" for each in found]
