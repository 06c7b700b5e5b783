"""Computing all derived data again from the logs, on several processes: games, then competitions, then clubs.

Each of them is rebuilt in a transaction of its own, games a few at a time, so that the service can keep
running; a process holds no more than one of them in memory.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final
from uuid import UUID

from django.db.models import Model, QuerySet

from games import log as games
from games import partitions, rebuilding
from games.engine.refusals import NotReplayable
from games.models import Game
from games.verifier import WrongLog
from league import log
from league.hooks import upkeep
from league.models import Club, Competition
from league.projections import appearing, public_names, ratings, standings
from league.services.shares import Done, Place, Stage, Step, steps

_TOGETHER: Final = 10
"""Games that are locked at the same time: for about a tenth of a second."""
_MOST_WARMED: Final = 1000


def _with_logs() -> QuerySet[Game]:
    return partitions.with_logs(Game.kept.all())


def _games(ids: Sequence[UUID]) -> int:
    return rebuilding.rebuild(ids)


def _competition(ids: Sequence[UUID]) -> int:
    for competition in ids:
        standings.rebuild(competition)
        log.forget()
    return 0


def _club(ids: Sequence[UUID]) -> int:
    for club in ids:
        ratings.rebuild(club)
        appearing.rebuild(club)
        public_names.rebuild(club)
    return 0


def rebuilt(
    model: type[Model], do: Callable[[Sequence[UUID]], int], together: int, ids: Sequence[UUID]
) -> Done:
    """Rebuild subjects, so many together, but each by itself where one can't be rebuilt, which is told."""
    entries, wrong = 0, list[str]()
    for start in range(0, len(ids), together):
        some = ids[start : start + together]
        try:
            entries += do(some)
        except (NotReplayable, WrongLog):
            for each in some:
                try:
                    entries += do([each])
                except (NotReplayable, WrongLog) as refusal:
                    wrong.append(f"{model._meta.verbose_name} {each} cannot be rebuilt: {refusal}")
    return Done(entries, wrong)


STAGES: Final[Mapping[str, Stage]] = {
    "games": Stage(_with_logs, 20 * _TOGETHER, partial(rebuilt, Game, _games, _TOGETHER)),
    "competitions": Stage(Competition.objects.all, 1, partial(rebuilt, Competition, _competition, 1)),
    "clubs": Stage(Club.objects.all, 1, partial(rebuilt, Club, _club, 1)),
}


def warm() -> None:
    """Write the snapshots that long running games lack in this release, so that no first look replays one.

    At most those of `_MOST_WARMED` games, which moved last; the first look at any other does it.
    """
    games.warm(_MOST_WARMED)


def rebuild(*, processes: int, since: Place) -> Iterator[Step]:
    """Rebuild everything that comes after a place; yield each step in order when it is done."""
    of_apps = {
        name: Stage(each.model._default_manager.all, 1, partial(rebuilt, each.model, each.rebuild, 1))
        for name, each in upkeep.REBUILT.items()
    }
    return steps({**STAGES, **of_apps}, processes=processes, since=since)
