"""Contents of answers that are kept by what they follow, so that they are made once for all who ask."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

T = TypeVar("T")


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
