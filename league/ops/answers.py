"""What tells one release from another; and answers as they are sent: made once for all who ask, tagged, and
compressed with zstd or gzip.

Contents are kept by what they follow, and tags are of the same, so that nothing is made or sent for who
has an answer already.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.crypto import salted_hmac
from django.utils.translation import get_language
from django_http_compression.middleware import HttpCompressionMiddleware

from league.ops.folders import TOP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http.response import HttpResponseBase


# ---- The release ---------------------------------------------------------------------------------

_FOLDERS: Final = ("api", "games", "league", "templates")
_WRITTEN: Final = {".py", ".html", ".txt", ".md", ".po", ".mo"}


@cache
def fingerprint() -> str:
    """Return a digest of all code, templates, translations and static files, 64 hex digits.

    The same ones make the same answers of the same rows.
    """
    files = (file for folder in _FOLDERS for file in (TOP / folder).rglob("*") if file.suffix in _WRITTEN)
    return hashlib.sha256(f"{static_fingerprint()}{_digest(files)}".encode()).hexdigest()


@cache
def static_fingerprint() -> str:
    """Return a digest of all static files, those of packages by their versions, 64 hex digits.

    How scripts are joined is one of them.
    """
    folders = [TOP / "static", *TOP.glob("league/apps/*/static")]
    own = (file for folder in folders for file in folder.rglob("*") if file.is_file())
    return _digest([*own, *TOP.glob("requirements.lock"), TOP / "league" / "ops" / "scripts.py"])


def _digest(files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(f"{file.relative_to(TOP)}\0".encode() + file.read_bytes() + b"\0")
    return digest.hexdigest()


# ---- Tags and contents that are kept -------------------------------------------------------------

T = TypeVar("T")


def tag_of(*parts: object) -> str:
    """Return an ETag that changes with each of the parts, the language and the release.

    Only this site can make it: parts may have names that a reader could otherwise find by trying.
    """
    of = repr((parts, get_language(), fingerprint()))
    return f'"{salted_hmac("league.ops.answers", of, algorithm="sha256").hexdigest()[:32]}"'


def tagged(request: HttpRequest, tag: str, make: Callable[[], HttpResponse]) -> HttpResponse:
    """Return the answer with its tag; 304, which makes nothing, where the client has it."""
    answer = get_conditional_response(request, etag=tag) or make()
    answer["ETag"] = tag
    return answer


@dataclass
class _Kept:
    """The content for a key; None until it was first asked for."""

    key: Hashable
    content: Any = None


class KeptContents(Generic[T]):
    """The contents that were asked for last, at most so many."""

    def __init__(self, most: int) -> None:
        self._kept = lru_cache(maxsize=most)(_Kept)

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the content for a key, such as the tag of an answer, made where it is not kept."""
        kept = self._kept(key)
        if kept.content is None:
            kept.content = make()
        content: T = kept.content
        return content

    def clear(self) -> None:
        """Forget them all."""
        self._kept.cache_clear()


# ---- Compression ---------------------------------------------------------------------------------


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
