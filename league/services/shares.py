"""Work on everything that is stored, shared out to several processes: games, then competitions, then clubs.

A process gets a share of the subjects of one kind at a time. What is done is told in order, so that work that
was interrupted can go on after the last step.
"""

import traceback
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from league.ops.offload import pool


@dataclass(frozen=True)
class Place:
    """How far work has come: everything up to one subject of a stage is done, or without one nothing."""

    stage: str = ""
    after: UUID | None = None


@dataclass(frozen=True)
class Done:
    """What was done with some subjects: how many log entries of games they have, and what is wrong."""

    entries: int
    wrong: Sequence[str] = ()


@dataclass(frozen=True)
class Step:
    """Some subjects that are done, up to a place."""

    place: Place
    subjects: int
    done: Done


Do: TypeAlias = Callable[[Sequence[UUID]], Done]


@dataclass(frozen=True)
class Stage:
    """Subjects of one kind, of which a process gets a ``share``, and what it does with them.

    ``do`` is a function of a module, or a `functools.partial` of one, so that other processes find it.
    """

    rows: Callable[[], QuerySet[Any]]
    share: int
    do: Do


def steps(stages: Mapping[str, Stage], *, processes: int, since: Place) -> Iterator[Step]:
    """Do everything that comes after a place; yield each step in order when it is done.

    With one process, and where the first stage is a single share, no other one is started.
    """
    names = [*stages]
    begin = names.index(since.stage) if since.stage else 0
    alone = processes == 1 or stages[names[0]].rows().count() <= stages[names[0]].share
    with _doing(1 if alone else processes) as do:
        for name in names[begin:]:
            after = since.after if name == since.stage else None
            yield from _in_order(name, stages[name], after, do, 2 * processes)


_Start: TypeAlias = "Callable[[Do, Sequence[UUID]], Future[Done]]"


def _in_order(name: str, stage: Stage, after: UUID | None, do: _Start, ahead: int) -> Iterator[Step]:
    """Yield the steps of a stage in order, while so many later ones are being done."""
    running: deque[tuple[Sequence[UUID], Future[Done]]] = deque()

    def first() -> Step:
        ids, done = running.popleft()
        return Step(Place(name, ids[-1]), len(ids), done.result())

    for ids in _shares(stage, after):
        running.append((ids, do(stage.do, ids)))
        if len(running) > ahead:
            yield first()
    while running:
        yield first()


def _shares(stage: Stage, after: UUID | None) -> Iterator[Sequence[UUID]]:
    """Yield the ids of the subjects after one of them, in order."""
    rows = stage.rows().order_by("pk")
    while True:
        later = rows if after is None else rows.filter(pk__gt=after)
        ids = list(later.values_list("pk", flat=True)[: stage.share])
        if not ids:
            return
        yield ids
        after = ids[-1]


def to_its_end(of: str, part: Iterator[str]) -> Iterator[str]:
    """Yield what a part of a check finds, and with what it ended if it did: that stops no other part."""
    try:
        with transaction.atomic():
            try:
                yield from part
            except Exception as error:
                # Its cursors on the server are closed while they are there.
                traceback.clear_frames(error.__traceback__)
                raise
    except Exception as error:  # whatever a row makes of the code is a finding
        yield f"{of}: a part can't be checked further: {type(error).__name__}: {error}"


@contextmanager
def _doing(processes: int) -> Iterator[_Start]:
    """Provide what does the work: at once, or in another process."""
    if processes == 1:
        yield _at_once
        return
    with pool(processes) as executor:
        yield executor.submit


def _at_once(do: Do, ids: Sequence[UUID]) -> "Future[Done]":
    done: Future[Done] = Future()
    done.set_result(do(ids))
    return done
