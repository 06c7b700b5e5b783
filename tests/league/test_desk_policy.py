"""Every page of the desk keeps to the site's content policy: no inline script, style or handler."""

import re

from django.test import Client

from tests.factories import Cast
from tests.league.playing import in_play
from tests.league.test_admin_scope import logged_in
from tests.league.walking import addresses, rows_of

INLINE = re.compile(r"<style|<script(?![^>]*\ssrc=)|\sstyle=|\son\w+=|javascript:|\sx-\w+=", re.IGNORECASE)
FILE = re.compile(r"\.(csv|json|pdf|xlsx)$")
"""The addresses of files, which are no pages."""


def test_no_page_of_the_desk_has_inline_code(cast: Cast) -> None:
    olga, rows = logged_in(cast.olga), rows_of(cast, in_play(cast))
    walked = [address.path for address in addresses(rows) if not FILE.search(address.path)]
    found = {path: inline_code(olga, path) for path in walked}
    pages = {path: codes for path, codes in found.items() if codes is not None}
    assert len(pages) > 50
    assert {path: codes for path, codes in pages.items() if codes} == {}


def inline_code(client: Client, path: str) -> list[str] | None:
    """Return the inline code of a page that has the strict policy; None where there is no page."""
    answer = client.get(path)
    if answer.status_code != 200 or not answer["Content-Type"].startswith("text/html"):
        return None
    policy = answer["Content-Security-Policy"]
    return [*INLINE.findall(answer.content.decode()), *re.findall("unsafe-[a-z]+", policy)]
