"""Answers sent compressed, with zstd or gzip, as the client accepts them."""

from __future__ import annotations

import re
import sys
from gzip import compress as gzip
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.http import FileResponse, HttpResponse, StreamingHttpResponse
from django.utils.cache import patch_vary_headers
from django_http_compression.middleware import HttpCompressionMiddleware, best_coding

from league.ops.kept import KeptContents

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

LEAST_BYTES: Final = 1000
"""Shorter answers fit into one packet anyway."""

_STREAMED_BYTES: Final = 64_000
_BEST_ZSTD_LEVEL: Final = 19
"""For what is compressed once and sent often."""

_FILES: Final = KeptContents[bytes](500)
"""Static files as they are sent compressed."""


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

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if self.is_static(request) and "HTTP_IF_NONE_MATCH" in request.META:
            # WhiteNoise knows its own tag alone, and a compressed file goes out with a weak one.
            request.META["HTTP_IF_NONE_MATCH"] = request.META["HTTP_IF_NONE_MATCH"].removeprefix("W/")
        answer = self.get_response(request)
        assert not hasattr(answer, "__await__")
        self.maybe_compress(request, answer)
        return answer

    @staticmethod
    def is_static(request: HttpRequest) -> bool:
        """Return whether a request asks for a static file."""
        return request.path_info.startswith(settings.STATIC_URL)

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
            case FileResponse() if self.is_static(request) and request.method == "GET":
                self._send_best(request, response)
            case StreamingHttpResponse() if not response.is_async:
                response.streaming_content = _pieces(_bytes(response))
        patch_vary_headers(response, ("Accept-Encoding",))
        super().maybe_compress(request, response)

    def _send_best(self, request: HttpRequest, answer: FileResponse) -> None:
        """Send a static file compressed as far as it goes, which is done once."""
        encoding = best_coding(request.headers.get("Accept-Encoding", ""))
        if encoding == "identity":
            return
        key = request.path_info, answer.get("ETag", ""), encoding
        content = _FILES.get(key, lambda: _best(b"".join(_bytes(answer)), encoding))
        answer.streaming_content = [content]
        answer["Content-Length"] = str(len(content))
        answer["Content-Encoding"] = encoding
        answer["ETag"] = f"W/{answer['ETag']}"


def _best(content: bytes, encoding: str) -> bytes:
    return zstd.compress(content, level=_BEST_ZSTD_LEVEL) if encoding == "zstd" else gzip(content)


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
