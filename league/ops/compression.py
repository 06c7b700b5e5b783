"""Answers sent compressed, with zstd or gzip, as the client accepts them."""

from __future__ import annotations

import re
import struct
import sys
import zlib
from functools import lru_cache
from secrets import randbelow, token_bytes
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.http import FileResponse, HttpResponse, StreamingHttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.text import compress_string

from league.ops.kept import KeptContents

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

LEAST_BYTES: Final = 1000
"""Shorter answers fit into one packet anyway."""

MOST_PADDING: Final = 100
_STREAMED_BYTES: Final = 64_000
_ZSTD_LEVEL: Final = 3
_BEST_ZSTD_LEVEL: Final = 19
"""For what is compressed once and sent often."""
_GZIP_LEVEL: Final = 5
_GZIP_FORMAT: Final = 16 + zlib.MAX_WBITS
_SKIPPED: Final = 0x184D2A50
"""What begins a frame that says nothing (RFC 8878, section 3.1.2)."""

_TEXTS: Final = re.compile(
    r"text/(?!event-stream)|application/(?:[^;]*\+)?(?:json|jsonl|x-ndjson|javascript|xml|yaml)\b"
    r"|application/vnd\.oai\.openapi|image/svg\+xml|font/ttf"
)
_WEIGHT: Final = re.compile(r"\s*([a-z*]+)\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*", re.IGNORECASE)


class CompressionMiddleware:
    """Compresses texts; what is a stream, short, compressed already or not to be transformed goes as it is.

    Answers to requests with cookies get a random length: by the length of answers that repeat a part of the
    request a stranger could guess what else is in them (BREACH).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        is_static = request.path_info.startswith(settings.STATIC_URL)
        if is_static and "HTTP_IF_NONE_MATCH" in request.META:
            # WhiteNoise knows its own tag alone, and a compressed file goes out with a weak one.
            request.META["HTTP_IF_NONE_MATCH"] = request.META["HTTP_IF_NONE_MATCH"].removeprefix("W/")
        answer = self.get_response(request)
        if not _fits(answer):
            return answer
        patch_vary_headers(answer, ("Accept-Encoding",))
        encoding = accepted(request.META.get("HTTP_ACCEPT_ENCODING", ""))
        if encoding:
            _compress(request, answer, encoding, is_static=is_static)
        return answer


@lru_cache(maxsize=1000)
def accepted(header: str) -> str:
    """Return the encoding that a client likes best, zstd before gzip; empty for neither."""
    weights: dict[str, float] = {}
    for part in header[:500].split(","):
        if said := _WEIGHT.fullmatch(part):
            weights[said[1].lower()] = float(said[2] or 1)
    wanted = {name: weights.get(name, weights.get("*", 0)) for name in ("zstd", "gzip")}
    best = max(wanted, key=lambda name: wanted[name])
    return best if wanted[best] else ""


def _fits(answer: HttpResponseBase) -> bool:
    """Return whether an answer is worth compressing, and may be."""
    if answer.status_code in (204, 206, 304) or answer.has_header("Content-Encoding"):
        return False
    if not _TEXTS.match(answer.get("Content-Type", "")) or "no-transform" in answer.get("Cache-Control", ""):
        return False
    if isinstance(answer, HttpResponse):
        return len(answer.content) >= LEAST_BYTES
    return int(answer.get("Content-Length") or LEAST_BYTES) >= LEAST_BYTES


def _compress(request: HttpRequest, answer: HttpResponseBase, encoding: str, *, is_static: bool) -> None:
    if isinstance(answer, HttpResponse):
        answer.content = _whole(answer.content, encoding, pads=bool(request.COOKIES))
        answer["Content-Length"] = str(len(answer.content))
    elif is_static and isinstance(answer, FileResponse) and request.method == "GET":
        key = request.path_info, answer.get("ETag", ""), encoding
        content = _FILES.get(key, lambda: _best(b"".join(_bytes(answer)), encoding))
        answer.streaming_content = [content]
        answer["Content-Length"] = str(len(content))
    elif isinstance(answer, StreamingHttpResponse) and not answer.is_async:
        answer.streaming_content = _streamed(_bytes(answer), encoding)
        del answer["Content-Length"]
    else:
        return
    answer["Content-Encoding"] = encoding
    if answer.get("ETag", "").startswith('"'):
        answer["ETag"] = f"W/{answer['ETag']}"


def _bytes(answer: StreamingHttpResponse) -> Iterator[bytes]:
    return iter(answer.streaming_content)  # type: ignore[arg-type]  # not an asynchronous one


_FILES: Final = KeptContents[bytes](500)
"""Static files as they are sent compressed."""


def _best(content: bytes, encoding: str) -> bytes:
    return (
        zstd.compress(content, level=_BEST_ZSTD_LEVEL)
        if encoding == "zstd"
        else _whole(content, encoding, pads=False)
    )


def _whole(content: bytes, encoding: str, *, pads: bool) -> bytes:
    if encoding == "gzip":
        return compress_string(content, max_random_bytes=MOST_PADDING if pads else None)
    return zstd.compress(content, level=_ZSTD_LEVEL) + (_padding() if pads else b"")


def _padding() -> bytes:
    """Return a frame of zstd of a random length, which decoders skip."""
    size = randbelow(MOST_PADDING)
    return struct.pack("<II", _SKIPPED, size) + token_bytes(size)


def _streamed(parts: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """Yield an answer compressed, in pieces that a client can read as they come."""
    if encoding == "gzip":
        gzip = zlib.compressobj(_GZIP_LEVEL, wbits=_GZIP_FORMAT)
        yield from (gzip.compress(piece) + gzip.flush(zlib.Z_SYNC_FLUSH) for piece in _pieces(parts))
        yield gzip.flush()
    else:
        writer = zstd.ZstdCompressor(level=_ZSTD_LEVEL)
        yield from (writer.compress(piece, mode=writer.FLUSH_BLOCK) for piece in _pieces(parts))
        yield writer.flush()


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
