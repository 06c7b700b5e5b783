"""The upkeep of a site: work to be done, logs, checks, rebuilding, keys, and whether all is well."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.db.models import Min

from league.hooks import Hook

if TYPE_CHECKING:
    from django.db.models import Model, QuerySet
    from django.db.models.expressions import Combinable

    from league.models import Competition


@dataclass(frozen=True)
class Work:
    """Work that a sweep finds: the task that does it on each row's ``subject``, and since when it waits."""

    task: str
    rows: Callable[[], QuerySet[Any]]
    since: str | Combinable
    subject: str = "pk"

    @property
    def name(self) -> str:
        """Return the task's name without its module."""
        return self.task.rpartition(".")[2]

    def __call__(self) -> Sequence[UUID]:
        """Return the subjects, those that wait for longest first."""
        ordered = self.rows().order_by(self.since, self.subject)
        return list(dict.fromkeys(ordered.values_list(self.subject, flat=True)))

    def oldest(self) -> datetime | None:
        """Return since when the oldest row waits, None where none does."""
        at: datetime | None = self.rows().aggregate(at=Min(self.since))["at"]
        return at


WORK: Final[list[Work]] = []
"""The work of all apps."""
swept: Hook[[]] = Hook()
"""Every few seconds, beside `WORK`: what is due is queued."""
tidied: Hook[[]] = Hook()
"""Every hour: rows that are kept for a while only are deleted."""


@dataclass(frozen=True)
class EntryLog:
    """A kind of logs of which the signed log has all entries; it is ``called`` so in sentences.

    ``logs`` are rows with ``seq`` and ``changed_at``, ``entries`` those with ``seq``, ``at`` and ``hash``, of
    the log that their column ``subject`` names. ``competitions`` are those that a log builds on: nothing but
    the signed log binds what they say.
    """

    kind: str
    called: str
    logs: Callable[[], QuerySet[Any]]
    entries: Callable[[], QuerySet[Any]]
    subject: str
    competitions: Callable[[Any], Iterable[Competition]] = lambda _row: ()


LOGS: Final[list[EntryLog]] = []
"""The logs of all apps."""


@dataclass(frozen=True)
class Check:
    """What `verify_logs` compares beyond logs, rows and records.

    ``differences`` yields a sentence for each of them, given the command's options, to which
    ``add_arguments`` adds some; ``of_games`` those of games with some ids, before an archive is restored.
    ``remarks`` yields what else there is to say, which is no fault.
    """

    add_arguments: Callable[[ArgumentParser], None]
    differences: Callable[[Mapping[str, Any]], Iterator[str]]
    of_games: Callable[[Sequence[UUID]], Iterator[str]]
    remarks: Callable[[], Iterator[str]]


CHECKS: Final[list[Check]] = []
"""The checks of all apps."""


@dataclass(frozen=True)
class Rebuilt:
    """What `rebuild` makes anew for an app: the rows of a model, each from a log, by their ids.

    ``rebuild`` is a function of a module, so that other processes find it.
    """

    model: type[Model]
    rebuild: Callable[[Sequence[UUID]], int]


REBUILT: Final[dict[str, Rebuilt]] = {}
"""What apps rebuild after competitions, by the name that is shown while that goes on."""


@dataclass(frozen=True)
class Keys:
    """Files beside the database, keys among them, that belong to its backups: where each is, by name.

    ``stays`` is the one that is not replaced when they are unpacked, if it is there. ``newest`` returns since
    when the newest key is in use, ``lacking`` a sentence where one is in use that is not here. ``restored``
    goes on after the database was restored, and yields what there is to say of that.
    """

    files: Callable[[], Mapping[str, Path]]
    stays: str
    newest: Callable[[], datetime | None]
    lacking: Callable[[], str]
    restored: Callable[[], Iterator[str]]


KEYS: Final[list[Keys]] = []
"""Those of all apps."""


@dataclass(frozen=True)
class Told:
    """What was found of one thing that *Is all well?* shows, and whether that is well."""

    title: str
    well: bool
    sentence: str


HEALTH: Final[list[Callable[[datetime], Told]]] = []
"""What *Is all well?* asks apps, with the time by the database's clock."""
