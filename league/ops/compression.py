"""Answers sent compressed, with zstd or gzip, as the client accepts them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from django.http import HttpResponse, StreamingHttpResponse
from django.utils.cache import patch_vary_headers
from django_http_compression.middleware import HttpCompressionMiddleware

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

LEAST_BYTES: Final = 1000
"""Shorter answers fit into one packet anyway."""

_STREAMED_BYTES: Final = 64_000


class CompressionMiddleware(HttpCompressionMiddleware):
    """Compresses texts; what is a stream, short, compressed already or not to be transformed goes as it is.

    Answers get a header of random length: by the length of answers that repeat a part of the request a
    stranger could guess what else is in them (BREACH).
    """

    async_capable = False
    content_type_re = re.compile(
        r"text/(?!event-stream)|application/(?:[^;]*\+)?(?:json|jsonl|x-ndjson|javascript|xml|yaml)\b"
        r"|application/vnd\.oai\.openapi|image/svg\+xml|font/ttf"
    )

    def maybe_compress(self, request: HttpRequest, response: HttpResponseBase) -> None:
        """Compress an answer where it is worth it, and may be."""
        if response.status_code in (204, 206, 304) or "no-transform" in response.get("Cache-Control", ""):
            return
        is_text = self.content_type_re.match(response.get("Content-Type", ""))
        if not is_text or response.has_header("Content-Encoding"):
            return
        match response:
            case HttpResponse() if len(response.content) < LEAST_BYTES:
                return
            case StreamingHttpResponse() if not response.is_async:
                response.streaming_content = _pieces(_bytes(response))
        patch_vary_headers(response, ("Accept-Encoding",))
        super().maybe_compress(request, response)


def _bytes(answer: StreamingHttpResponse) -> Iterator[bytes]:
    return iter(answer.streaming_content)  # type: ignore[arg-type]  # not an asynchronous one


def _pieces(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the same bytes in pieces that are worth compressing and sending by themselves."""
    waiting, size = [], 0
    for part in parts:
        waiting.append(part)
        size += len(part)
        if size >= _STREAMED_BYTES:
            yield b"".join(waiting)
            waiting, size = [], 0
    yield b"".join(waiting)
