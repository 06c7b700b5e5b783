"""A cache of what logs say now: bounded, in this process's memory, and never trusted over a log."""

from collections import OrderedDict
from threading import Lock
from typing import Any, Generic, Protocol, TypeVar
from uuid import UUID

S = TypeVar("S")


class Stream(Protocol):
    """What has a log: its id, and the number and hash of the log's last entry."""

    pk: Any
    seq: int
    head: str


class Latest(Generic[S]):
    """The latest states of the streams in use, a bounded cache in this process's memory.

    A kept state is used only where its hash stands in the log, and brought forward by the entries since.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._kept: OrderedDict[UUID, tuple[int, str, S]] = OrderedDict()
        self._lock = Lock()

    def keep(self, stream: Stream, state: S) -> None:
        with self._lock:
            self._kept[stream.pk] = (stream.seq, stream.head, state)
            self._kept.move_to_end(stream.pk)
            while len(self._kept) > self.size:
                self._kept.popitem(last=False)

    def of(self, stream: Stream) -> tuple[int, str, S] | None:
        with self._lock:
            return self._kept.get(stream.pk)

    def forget(self) -> None:
        with self._lock:
            self._kept.clear()
