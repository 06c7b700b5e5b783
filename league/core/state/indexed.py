"""Tuples of entries and of tables whose items are found by their ids at once."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Protocol, Self, TypeVar


class Identified(Protocol):
    """Something with an id."""

    @property
    def id(self) -> str: ...


T = TypeVar("T", bound=Identified)


class Indexed(tuple[T, ...], ABC):
    """Items with different ids, each found by its words, of which the id is one.

    A copy with one item changed or added keeps the index, so a fold takes the same time for each event,
    however long the log is.
    """

    @staticmethod
    @abstractmethod
    def words(item: T) -> Iterable[str]:
        """Return the words by which an item is found."""

    @cached_property
    def _index(self) -> dict[str, tuple[int, ...]]:
        index: dict[str, tuple[int, ...]] = {}
        for position, item in enumerate(self):
            _note(index, self.words(item), position)
        return index

    def found(self, word: str) -> Iterator[T]:
        """Yield the items with a word, in order."""
        return map(self.__getitem__, self._index.get(word, ()))

    def has_any(self, words: Iterable[str]) -> bool:
        """Return whether an item has one of the words."""
        return not self._index.keys().isdisjoint(words)

    def get(self, id_: str) -> T | None:
        """Return the item with an id, None where there is none."""
        for item in self.found(id_):
            if item.id == id_:
                return item
        return None

    def added(self, item: T) -> Self:
        """Return a copy with an item more, as the last."""
        index = self._index.copy()
        _note(index, self.words(item), len(self))
        return self._copy((*self, item), index)

    def changed(self, item: T) -> Self:
        """Return a copy in which an item takes the place of the one with its id."""
        position = next(at for at in self._index[item.id] if self[at].id == item.id)
        items = (*self[:position], item, *self[position + 1 :])
        same = {*self.words(item)} == {*self.words(self[position])}
        return self._copy(items, self._index) if same else type(self)(items)

    def _copy(self, items: Iterable[T], index: dict[str, tuple[int, ...]]) -> Self:
        copy = type(self)(items)
        vars(copy)["_index"] = index
        return copy


def _note(index: dict[str, tuple[int, ...]], words: Iterable[str], position: int) -> None:
    for word in {*words}:
        index[word] = (*index.get(word, ()), position)
