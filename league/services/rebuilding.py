"""Computing all derived data again from the logs, on several processes: games, then competitions, then clubs.

Each of them is rebuilt in a transaction of its own, games a few at a time, so that the service can keep
running; a process holds no more than one of them in memory.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, TypeAlias
from uuid import UUID

from django.db import models

from games import rebuilding
from games.engine.refusals import NotReplayable
from games.models import Game
from games.verifier import WrongLog
from league import log
from league.models import Club, Competition
from league.ops.pool import pool
from league.projections import competitions, ratings

Do: TypeAlias = Callable[[Sequence[UUID]], int]
"""Rebuilds some subjects; returns how many log entries of games they have."""
_TOGETHER: Final = 10
"""Games that are locked at the same time: for about a tenth of a second."""


def _games(ids: Sequence[UUID]) -> int:
    return rebuilding.rebuild(ids)


def _competition(ids: Sequence[UUID]) -> int:
    for competition in ids:
        competitions.rebuild(competition)
        log.forget()
    return 0


def _club(ids: Sequence[UUID]) -> int:
    for club in ids:
        ratings.rebuild(club)
    return 0


@dataclass(frozen=True)
class Stage:
    """Subjects of one kind: a process gets a ``share`` of them, and does so many ``together``."""

    model: type[models.Model]
    do: Do
    share: int
    together: int


STAGES: Final[Mapping[str, Stage]] = {
    "games": Stage(Game, _games, 20 * _TOGETHER, _TOGETHER),
    "competitions": Stage(Competition, _competition, 1, 1),
    "clubs": Stage(Club, _club, 1, 1),
}


@dataclass(frozen=True)
class Place:
    """How far a rebuild has come: everything up to one subject of a stage, or nothing of it, is done."""

    stage: str = "games"
    after: UUID | None = None


@dataclass(frozen=True)
class Step:
    """Some subjects that were rebuilt, their log entries, and a sentence for each that could not be."""

    place: Place
    subjects: int
    entries: int
    wrong: Sequence[str]


def rebuild(*, processes: int, since: Place) -> Iterator[Step]:
    """Rebuild everything that comes after a place; yield each step in order when it is done.

    With one process, and where there is little to do, no other one is started.
    """
    names = [*STAGES]
    with _doing(processes if Game.objects.count() > STAGES["games"].share else 1) as do:
        for name in names[names.index(since.stage) :]:
            after = since.after if name == since.stage else None
            yield from _in_order(name, after, do, 2 * processes)


def _in_order(
    name: str, after: UUID | None, do: "Callable[[str, Sequence[UUID]], Future[Step]]", ahead: int
) -> Iterator[Step]:
    """Yield the steps of a stage in order, while so many later ones are being done."""
    running: deque[Future[Step]] = deque()
    for ids in _shares(STAGES[name], after):
        running.append(do(name, ids))
        if len(running) > ahead:
            yield running.popleft().result()
    while running:
        yield running.popleft().result()


def _shares(stage: Stage, after: UUID | None) -> Iterator[Sequence[UUID]]:
    """Yield the ids of the subjects after one of them, in order."""
    rows = stage.model._default_manager.order_by("pk")
    while True:
        later = rows if after is None else rows.filter(pk__gt=after)
        ids = list(later.values_list("pk", flat=True)[: stage.share])
        if not ids:
            return
        yield ids
        after = ids[-1]


def _step(name: str, ids: Sequence[UUID]) -> Step:
    """Rebuild subjects, so many together as the stage says; each by itself where one can't be rebuilt."""
    stage, entries, wrong = STAGES[name], 0, list[str]()
    for start in range(0, len(ids), stage.together):
        some = ids[start : start + stage.together]
        try:
            entries += stage.do(some)
        except (NotReplayable, WrongLog):
            for each in some:
                try:
                    entries += stage.do([each])
                except (NotReplayable, WrongLog) as refusal:
                    wrong.append(f"{stage.model._meta.verbose_name} {each} cannot be rebuilt: {refusal}")
    return Step(Place(name, ids[-1]), len(ids), entries, wrong)


# ---- Processes -----------------------------------------------------------------------------------


@contextmanager
def _doing(processes: int) -> "Iterator[Callable[[str, Sequence[UUID]], Future[Step]]]":
    """Provide what rebuilds subjects: at once, or in another process."""
    if processes == 1:
        yield _at_once
        return
    with pool(processes) as executor:
        yield lambda name, ids: executor.submit(_step, name, ids)


def _at_once(name: str, ids: Sequence[UUID]) -> "Future[Step]":
    done: Future[Step] = Future()
    done.set_result(_step(name, ids))
    return done
