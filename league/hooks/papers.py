"""Files and sheets of paper: the columns and lists that apps add to them, and what they draw and print."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

    from league.models import Account, Club, Competition, Player


@dataclass(frozen=True)
class PlayerColumns:
    """Columns that an app has in files of players, for organisers: what is known of them, as texts.

    ``titles`` are those of the columns; ``headings`` what a file may call them, in small letters and without
    blanks. ``read`` returns a cell's text as ``of`` gives it, which has those of players by id, or raises
    ValidationError; ``words`` returns it in the reader's language. ``keep`` keeps texts by player, for an
    account that directs the club.
    """

    titles: Mapping[str, StrPromise]
    headings: Mapping[str, str]
    about: StrPromise
    read: Callable[[str, str], str]
    words: Callable[[str, str], str]
    of: Callable[[Collection[UUID]], Mapping[UUID, Mapping[str, str]]]
    keep: Callable[[Account, Club, Mapping[Player, Mapping[str, str]]], object]


PLAYER_COLUMNS: Final[list[PlayerColumns]] = []
"""Those of all apps."""


@dataclass(frozen=True)
class Rows:
    """Rows of a list, the name of its file, the zone of its times; ``more``: titles of columns it adds."""

    name: str
    rows: tuple[tuple[Any, ...], ...]
    zone: tzinfo
    more: tuple[str, ...] = ()


@dataclass(frozen=True)
class Listed:
    """A list of an app that is offered as files: ``route`` and ``name`` in the API, ``columns``, and rows.

    ``rows`` is given the id in the route, and ``?after=`` or None: ``after`` says what it is, and its limit.
    Values are texts, numbers, Fractions, times, or None.
    """

    route: str
    name: str
    about: str
    columns: tuple[str, ...]
    rows: Callable[[UUID, int | None], Rows]
    after: tuple[str, int] | None = None


LISTED: Final[list[Listed]] = []
"""The lists of all apps."""


@dataclass(frozen=True)
class YearTable:
    """A table of the year: rank, name, others, and what ranks; ``fuller`` is the other one on wide paper."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    fuller: tuple[str, ...] = ()


YEAR_TABLES: Final[list[Callable[[Competition], Sequence[YearTable]]]] = []
"""The tables of the year to which a competition counts."""


@dataclass(frozen=True)
class Sheet:
    """A table that is printed alone: what file it is, the line below its title, the club, and its paper."""

    file: str
    club: str
    subtitle: str
    table: YearTable
    paper: str


PRINTED: Final[dict[str, Callable[[UUID, int | None], Sheet]]] = {}
"""Lists printed alone, by the name of their rows in `ListTools`: of an id, up to ``?after=`` or None."""


@dataclass(frozen=True)
class PrintedCode:
    """The code of a seat on a score sheet: its text, and the path of the QR code: its page takes the text."""

    text: str
    path: str


SEAT_CODES: Final[list[Callable[..., Mapping[tuple[UUID, int], PrintedCode]]]] = []
"""Make codes for score sheets, by table and seat: ``by`` an account, for ``tables`` of a ``competition``."""
POSTERS: Final[list[Callable[[str, str, str, str, str], bytes]]] = []
"""Draw a PDF to hang up: title, line below it, what there is to do, URL of its QR code, and the paper."""
