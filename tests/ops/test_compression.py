"""Answers are sent compressed where the client accepts it and it is worth it."""

import gzip
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.templatetags.static import static
from django.test import Client, RequestFactory
from playwright.sync_api import Page

from league.ops.answers import LEAST_BYTES, CompressionMiddleware

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PAGE = b"<p>The same words again and again</p>" * 100
READERS = {"gzip": gzip.decompress, "zstd": zstd.decompress}


def sent(answer: HttpResponseBase, encoding: str = "zstd") -> Any:
    """Return an answer as it is sent to a client that accepts an encoding."""
    request = RequestFactory().get("/", headers={"Accept-Encoding": encoding})
    return CompressionMiddleware(lambda _: answer)(request)


@pytest.mark.parametrize("encoding", READERS)
def test_a_page_comes_back_whole(encoding: str) -> None:
    answer = sent(HttpResponse(PAGE, headers={"ETag": '"a"'}), encoding)
    assert (answer["Content-Encoding"], answer["Vary"]) == (encoding, "Accept-Encoding")
    assert int(answer["Content-Length"]) == len(answer.content) < len(PAGE) / 5
    assert READERS[encoding](answer.content) == PAGE
    assert answer["ETag"] == 'W/"a"'


def test_answers_have_random_lengths() -> None:
    answers = [sent(HttpResponse(PAGE)) for _ in range(20)]
    assert len({len(answer["X-Noise"]) for answer in answers}) > 5


@pytest.mark.parametrize("encoding", READERS)
def test_a_long_answer_is_compressed_as_it_is_made(encoding: str) -> None:
    made: list[int] = []

    def lines() -> Iterator[bytes]:
        for number in range(5000):
            made.append(number)
            yield b'{"number": %d, "words": "again and again and again"}\n' % number

    whole = b"".join(lines())
    made.clear()
    answer = sent(StreamingHttpResponse(lines(), content_type="application/jsonl"), encoding)
    parts = iter(answer)
    first = next(part for part in parts if part)
    assert len(made) < 2000
    assert READERS[encoding](first + b"".join(parts)) == whole


@pytest.mark.parametrize("answer", [
    HttpResponse(PAGE[: LEAST_BYTES - 1]), HttpResponse(PAGE, content_type="application/pdf"),
    HttpResponse(PAGE, headers={"Content-Encoding": "br"}), HttpResponse(PAGE, status=206),
    StreamingHttpResponse([PAGE], content_type="text/event-stream"),
    HttpResponse(PAGE, headers={"Cache-Control": "no-cache, no-transform"}),
], ids=["short", "a PDF", "encoded", "a part", "a stream", "not to be transformed"])  # fmt: skip
def test_goes_as_it_is(answer: Any) -> None:
    assert sent(answer).get("Content-Encoding") in (None, "br")


def test_a_static_file_is_compressed_and_kept_by_browsers(client: Client) -> None:
    path = static("trefoil/trefoil.css")
    accept = {"Accept-Encoding": "zstd"}
    plain, first = client.get(path), client.get(path, headers=accept)
    assert zstd.decompress(first.getvalue()) == plain.getvalue()
    assert first["ETag"] == f"W/{plain['ETag']}"
    assert first["Cache-Control"].split(", ")[1:] == ["public", "immutable"]
    part = client.get(path, headers={**accept, "Range": "bytes=0-9"})
    assert (part.status_code, part.get("Content-Encoding")) == (206, None)


def test_a_page_of_an_earlier_release_finds_static_files(client: Client) -> None:
    earlier = client.get(f"/static/{'0' * 16}/trefoil/trefoil.css")
    assert (earlier.status_code, earlier["Location"]) == (302, static("trefoil/trefoil.css"))
    assert client.get(static("trefoil/nothing.css")).status_code == 404


@pytest.mark.django_db
def test_a_browser_reads_a_padded_page(page: Page) -> None:
    page.goto("/")
    page.context.add_cookies([{"name": "known", "value": "1", "url": page.url}])
    answer = page.goto("/")
    assert answer is not None and answer.header_value("content-encoding") == "zstd"
    assert page.get_by_role("main").is_visible()
