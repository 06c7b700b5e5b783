"""Contents of answers that are kept by what they follow, so that they are made once for all who ask.

Their tags are of the same, so that nothing is made or sent for who has an answer already.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any, Generic, TypeVar

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language

from league.ops.release import fingerprint

T = TypeVar("T")


def tag_of(*parts: object) -> str:
    """Return an ETag that changes with each of the parts, the language and the release."""
    return f'"{sha256(repr((parts, get_language(), fingerprint())).encode()).hexdigest()[:32]}"'


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
