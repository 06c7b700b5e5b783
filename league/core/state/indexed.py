"""Sequences of entries and tables: copies cost little, and items are found by their ids at once."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import Final, Protocol, Self, TypeVar, overload


class Identified(Protocol):
    """Something with an id."""

    @property
    def id(self) -> str: ...


T = TypeVar("T", bound=Identified)
CHUNK: Final = 32
"""Items in a chunk: a copy with one item changed or added copies one chunk, and the list of the chunks."""


class _Positions:
    """Where the items with a word are, shared by all copies that grew from each other.

    A copy with fewer items leaves out the positions past its end.
    """

    def __init__(self) -> None:
        self.of_word: dict[str, tuple[int, ...]] = {}
        self._taken: dict[int, object] = {}

    def take(self, position: int) -> bool:
        """Return whether nobody has noted an item there yet; true once for each position, in any thread."""
        mine = object()
        return self._taken.setdefault(position, mine) is mine

    def note(self, position: int, words: Iterable[str]) -> None:
        """Note the words of the item at a position, greater than all before."""
        for word in {*words}:
            self.of_word[word] = (*self.of_word.get(word, ()), position)


class Indexed(Sequence[T], ABC):
    """Items with different ids, each found by its words, of which the id is one.

    A copy with one item changed or added shares all other chunks and the index, so a fold takes the same
    time for each event, however long the log is.
    """

    def __init__(self, items: Iterable[T] = ()) -> None:
        listed = tuple(items)
        self._count = len(listed)
        self._chunks = tuple(listed[at : at + CHUNK] for at in range(0, len(listed), CHUNK))

    @staticmethod
    @abstractmethod
    def words(item: T) -> Iterable[str]:
        """Return the words by which an item is found."""

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[T]:
        return chain.from_iterable(self._chunks)

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[T, ...]: ...
    def __getitem__(self, at: int | slice) -> T | tuple[T, ...]:
        if isinstance(at, slice):
            return tuple(self)[at]
        position = range(self._count)[at]
        return self._chunks[position // CHUNK][position % CHUNK]

    def __eq__(self, other: object) -> bool:
        return self._chunks == other._chunks if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._chunks)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({[*self]!r})"

    @cached_property
    def _positions(self) -> _Positions:
        positions = _Positions()
        for position, item in enumerate(self):
            positions.take(position)
            positions.note(position, self.words(item))
        return positions

    def found(self, word: str) -> Sequence[T]:
        """Return the items with a word, in order."""
        positions = self._positions.of_word.get(word)
        if not positions:
            return ()
        chunks, count = self._chunks, self._count
        return [chunks[at // CHUNK][at % CHUNK] for at in positions if at < count]

    def has_any(self, words: Iterable[str]) -> bool:
        """Return whether an item has one of the words."""
        return any(map(self.found, words))

    def get(self, id_: str) -> T | None:
        """Return the item with an id, None where there is none."""
        for item in self.found(id_):
            if item.id == id_:
                return item
        return None

    def added(self, item: T) -> Self:
        """Return a copy with an item more, as the last."""
        chunks = self._chunks
        chunks = (*chunks[:-1], (*chunks[-1], item)) if self._count % CHUNK else (*chunks, (item,))
        copy = self._copy(chunks, self._count + 1)
        # Where another copy has added an item already, this one makes an index of its own when asked.
        if self._positions.take(self._count):
            self._positions.note(self._count, self.words(item))
            vars(copy)["_positions"] = self._positions
        return copy

    def changed(self, item: T) -> Self:
        """Return a copy in which an item takes the place of the one with its id."""
        position = next(at for at in self._positions.of_word[item.id] if self[at].id == item.id)
        at, within = divmod(position, CHUNK)
        chunk = self._chunks[at]
        changed = (*chunk[:within], item, *chunk[within + 1 :])
        copy = self._copy((*self._chunks[:at], changed, *self._chunks[at + 1 :]), self._count)
        if {*self.words(item)} == {*self.words(chunk[within])}:
            vars(copy)["_positions"] = self._positions
        return copy

    def _copy(self, chunks: tuple[tuple[T, ...], ...], count: int) -> Self:
        copy = object.__new__(type(self))
        copy._chunks, copy._count = chunks, count
        return copy
