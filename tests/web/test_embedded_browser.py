"""A finished game in a frame of another website, in a real browser."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from playwright.sync_api import Page, expect

from tests.factories import Cast
from tests.web.test_replays import golden


@contextmanager
def website(framed: str) -> Iterator[str]:
    """Serve another website, whose page has a frame with this address; yields its own address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f'<link rel="icon" href="data:,"><iframe src="{framed}"></iframe>'.encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_game_is_replayed_in_a_frame_of_a_site_that_the_club_names_and_of_no_other(
    page: Page, cast: Cast, site: str, problems: list[str]
) -> None:
    game = golden(cast, "scoops/the-knocker-leaves")
    with website(f"{site}/embed/games/{game.pk}/?at=3") as address:
        with page.expect_console_message(lambda said: "frame-ancestors 'none'" in said.text):
            page.goto(address)
        problems.clear()
        cast.club.embed_on = [address]
        cast.club.save()
        page.reload()
        where = page.frame_locator("iframe").locator("[data-part=where]")
        expect(where).to_contain_text("Move 3 of 6")
        page.frame_locator("iframe").get_by_role("button", name="Next move").click()
        expect(where).to_contain_text("Move 4 of 6")
        assert page.context.cookies() == []
