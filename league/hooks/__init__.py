"""Where apps take part in what the spine does.

An app connects its functions when it is ready: they are called in the order of ``INSTALLED_APPS``, in the
transaction of what they follow, and write their own tables, and emails. What one raises refuses the whole.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, ParamSpec
from uuid import UUID

from django.db.models import Min
from django.urls import reverse

from games.engine.messages import filled, text
from games.engine.refusals import Malformed

if TYPE_CHECKING:
    from django.db.models import Model, QuerySet
    from django.db.models.expressions import Combinable
    from django.http import HttpRequest
    from django.utils.functional import _StrPromise as StrPromise

    from games.engine.messages import Message
    from games.engine.policy import Level
    from games.engine.replay import AnyRuleset
    from games.models import Game
    from league.core.presets import Preset
    from league.core.state.competition import Competition as State
    from league.core.state.cut_offs import Wishes
    from league.log import Appended
    from league.models import Account, Club, Competition, Email, Player
    from league.models.accounts import Credential

Given = ParamSpec("Given")


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


@dataclass(frozen=True)
class MemberPage:
    """A page of a club for its members: the name of its address, and its title without and with %(club)s."""

    name: str
    title: StrPromise
    title_in_club: StrPromise

    def of(self, club: Club) -> tuple[str, str]:
        """Return the page's address and title for somebody who may have several clubs."""
        return reverse(self.name, args=[club.slug]), filled(str(self.title_in_club), {"club": club.name})


MEMBER_PAGES: Final[list[MemberPage]] = []
"""The pages of all apps."""


@dataclass(frozen=True)
class GoingOn:
    """What the stream of a club tells its members beyond competitions and games, in an app's ``streams``.

    Each item is an event ``kind``, and one of ``kinds`` in the state; ``component`` of the OpenAPI document
    describes it. ``items`` are those of a club that are going on, and of others those with the ids.
    """

    kind: str
    kinds: str
    component: str
    items: Callable[[UUID, Collection[UUID]], Iterable[Mapping[str, Any]]]


@dataclass(frozen=True)
class Visitor:
    """Who comes to the site: the account that is logged in, and the guest that the browser's cookie names."""

    guest: UUID
    account: Account | None = None
    zone: str = "UTC"
    """The time zone of the browser, for games that are no club's."""


@dataclass(frozen=True)
class HouseBot:
    """An account for which an app plays, at a level; nobody logs in with it. Logs name it in English."""

    id: UUID
    level: Level
    name: Message


HOUSE_BOTS: Final[dict[UUID, HouseBot]] = {}
"""The house bots of all apps, by account."""


def bots_of(level: str) -> Sequence[HouseBot]:
    """Return the house bots of a level, by number; raises `Malformed` where there is none."""
    found = [bot for bot in HOUSE_BOTS.values() if bot.level == level]
    if not found:
        raise Malformed({"level": [text("There is no such level.")]})
    return found


@dataclass(frozen=True)
class DayOff:
    """A day on which a club does not play ``what`` it would play, and why; ``at`` is when that was said."""

    uid: str
    day: date
    what: str
    why: str
    at: datetime


DAYS_OFF: Final[list[Callable[[Club], Iterable[DayOff]]]] = []
"""Those of all apps, which are in the club's calendar."""


@dataclass(frozen=True)
class PrintedCode:
    """The code of a seat on a score sheet: its text, and the path of the QR code: its page takes the text."""

    text: str
    path: str


@dataclass(frozen=True)
class YearTable:
    """A table of the year: rank, name, others, and what ranks; ``fuller`` is the other one on wide paper."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    fuller: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ordering:
    """An order of entries from elsewhere, by numbers: the lowest first, or with the sign -1 the highest."""

    key: str
    title: str
    values: Callable[[], Mapping[str, int]]
    sign: int = 1
    name: str = ""


@dataclass(frozen=True)
class Sheet:
    """A table that is printed alone: what file it is, the line below its title, the club, and its paper."""

    file: str
    club: str
    subtitle: str
    table: YearTable
    paper: str


@dataclass(frozen=True)
class Notice:
    """An organiser's message to some players, with the same ``key`` for a retry; it may wake a club."""

    key: UUID
    competition: Competition
    words: str
    players: Collection[UUID]
    wakes: bool = False


@dataclass(frozen=True)
class Told:
    """What was found of one thing that *Is all well?* shows, and whether that is well."""

    title: str
    well: bool
    sentence: str


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
CHECKS: Final[list[Check]] = []
"""The columns and the checks of all apps."""


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


@dataclass(frozen=True)
class KnownAs:
    """What a club knows some of its players as, such as members; ``key`` names it in forms.

    ``periods`` are by player: each from one day to another, None where that is open.
    """

    key: str
    title: StrPromise | str
    periods: Mapping[UUID, Sequence[tuple[date | None, date | None]]]


KNOWN_AS: Final[list[Callable[[Club], Iterable[KnownAs]]]] = []
COUNTED_AS: Final[list[Callable[[Club, str], Iterable[str]]]] = []
"""What clubs know their players as; by its key, the names of what counts those alone."""
LOGS: Final[list[EntryLog]] = []
"""The logs of all apps."""


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


class Hook(Generic[Given]):
    """Functions that are called with the same arguments, in the order in which they were connected."""

    def __init__(self) -> None:
        self.functions: list[Callable[Given, None]] = []

    def connect(self, function: Callable[Given, None]) -> Callable[Given, None]:
        """Call a function too, from now on; return it."""
        self.functions.append(function)
        return function

    def __call__(self, *args: Given.args, **kwargs: Given.kwargs) -> None:
        """Call all functions; what one raises is raised, and those after it are not called."""
        for function in self.functions:
            function(*args, **kwargs)


events_appended: Hook[[Appended]] = Hook()
"""New events of a competition, whose rows are written."""
game_ended: Hook[[Game]] = Hook()
"""A game of a club that is over; one that never began, and one of practice, are not among them."""
standings_computed: Hook[[Competition]] = Hook()
"""New standings of a competition."""
members_invited: Hook[[Competition]] = Hook()
"""A competition that was set up by itself and is open for entries, of which the club's members are told."""
account_locked: Hook[[Account]] = Hook()
account_deleted: Hook[[Account]] = Hook()
"""An account, by its person: nothing let in before may act for it now; or deleted, while it has its rows."""
player_forgotten: Hook[[Player]] = Hook()
"""A player whose person is being forgotten, before the row has another name or is gone."""
players_merging: Hook[[Player, Player]] = Hook()
players_merged: Hook[[Player, Player]] = Hook()
"""A player who will have all that another one has, before either is changed, or has it now; and that one."""
people_named: Hook[[UUID]] = Hook()
people_known: Hook[[Club]] = Hook()
"""A club whose people have other names, accounts, or readers now; of whom `KNOWN_AS` says otherwise."""
NAMED: Final[list[Callable[[Player], bool]]] = []
PLAYED: Final[list[Callable[[UUID], Collection[UUID]]]] = []
"""Whether an app's log names a player, whose row then stays; whom of a club it says to have played."""
evening_opened: Hook[[Competition, Competition]] = Hook()
FORERUNNERS: Final[list[Callable[[UUID], Mapping[UUID, Sequence[UUID]]]]] = []
FINALS: Final[list[Callable[[Collection[UUID]], Collection[UUID]]]] = []
"""An evening opened like an earlier one, and that one; those that each to come is like; which are finals."""
account_sections: Final[list[Callable[[HttpRequest, Account], str]]] = []
notification_sections: Final[list[Callable[[HttpRequest, Account], str]]] = []
account_welcomed: Final[list[Callable[[HttpRequest, Club], str]]] = []
"""HTML for an account's own page, and below its email; to where a club's new member goes first, or ``""``."""
OF_CLUB: Final[list[Callable[[HttpRequest, UUID], bool]]] = []
OWN_EVENING: Final[list[Callable[[HttpRequest, UUID], Player | None]]] = []
CREDENTIALS: Final[list[Callable[[str], Credential | None]]] = []
"""Whether a browser is a club's, whose names it reads; whose evening it opened; other tokens, by digests."""
WISHES: Final[list[Callable[[UUID, State], Wishes]]] = []
ORDERS: Final[list[Callable[[UUID, State], Iterable[Ordering]]]] = []
PLANNED_ORDERS: Final[list[Callable[[Iterable[Club]], Iterable[tuple[str, str]]]]] = []
"""What players wish for draws; what can fill tables; of several series of clubs each one's key and title."""
GUEST_GAMES: Final[list[Callable[[Visitor], QuerySet[Game]]]] = []
"""Games of no club that a visitor has begun, in the first seat: nobody else sees anything of them."""
HELD_BACK: Final[list[Callable[[Email], bool]]] = []
KEPT_APART: Final[list[Callable[[UUID], Collection[UUID]]]] = []
"""Whether an email of a club must not be sent to its account; with whom an account is in no casual game."""
EVENING_NAMES: Final[list[Callable[[UUID], Iterable[str]]]] = []
GUESTS: Final[list[Callable[[Collection[UUID], date], Collection[UUID]]]] = []
AWAY: Final[list[Callable[[Collection[UUID], date], Mapping[UUID, date]]]] = []
"""What a club has called evenings without a competition; who is a guest on a day; until when who is away."""
CAME_LAST: Final[list[Callable[[Competition], frozenset[UUID]]]] = []
"""Which players came the last time and are ticked where some are entered, unless an app of `TICKED` knows."""
TICKED: Final[list[Callable[[Competition, frozenset[UUID]], frozenset[UUID]]]] = []
DECLINED: Final[list[Callable[[UUID], Collection[UUID]]]] = []
LEFT_ALONE: Final[list[Callable[[Account, Competition, Collection[UUID]], bool]]] = []
"""Who is ticked where some are entered, of some; who said No; note, if it can, who has no partner."""
UNMAILED: Final[list[Callable[[Collection[UUID]], Mapping[UUID, Sequence[str]]]]] = []
"""Who gets no email of tables that are opened for them: names, by table."""
SITE_PAGES: Final[list[str]] = []
"""Pages for everybody of which search engines are told, by the names of their addresses."""
SEAT_CODES: Final[list[Callable[..., Mapping[tuple[UUID, int], PrintedCode]]]] = []
"""Make codes for score sheets, by table and seat: ``by`` an account, for ``tables`` of a ``competition``."""
VERSIONS: Final[list[str]] = []
"""SQL for one value that changes with what is shown of a row ``competition``; ``{clock}`` is the moment."""
TELLERS: Final[list[Callable[[Notice], Collection[UUID]]]] = []
"""Send an organiser's message, once for its key; each returns the players whom it reaches."""
YEAR_TABLES: Final[list[Callable[[Competition], Sequence[YearTable]]]] = []
STAND_INS: Final[list[Callable[[Competition], Iterable[str]]]] = []
"""Tables of the year to which a competition counts; what they make of points that are a stand-in's own."""
POSTERS: Final[list[Callable[[str, str, str, str, str], bytes]]] = []
"""Drawing a PDF to hang up: title, line below it, what there is to do, URL of its QR code, and the paper."""
PRINTED: Final[dict[str, Callable[[UUID, int | None], Sheet]]] = {}
"""Lists printed alone, by the name of their rows in `ListTools`: of an id, up to ``?after=`` or None."""
ROUND_ENDS: Final[list[Callable[[Competition], datetime | None]]] = []
"""When the round that is played ends by an app's clock, for the timetable of a competition."""
GIVEN: Final[dict[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]]] = {}
"""What a template at a place is given besides its page's context, from that, by the template's name."""
swept: Hook[[]] = Hook()
tidied: Hook[[]] = Hook()
"""What is due is queued every few seconds, beside `WORK`; each hour rows go that are kept for a while."""
HEALTH: Final[list[Callable[[datetime], Told]]] = []
"""What *Is all well?* asks apps, with the time by the database's clock."""
KEPT_PRESETS: Final[list[Callable[[Collection[UUID]], Mapping[str, Preset]]]] = []
OWN_GAMES: Final[list[Callable[[Collection[UUID]], Sequence[AnyRuleset]]]] = []
"""Presets of clubs beside those that are shipped, by key; games of clubs, offered before the server's."""
ASKED: Final[list[Callable[[UUID], QuerySet[Player]]]] = []
ANSWER_LINKS: Final[list[Callable[[Competition, Player], str]]] = []
"""Who was asked to a competition, and is told what the entered are; where they answer without an account."""
TOLD_APART: Final[list[Callable[[UUID], str]]] = []
RESULT_HEADERS: Final[list[Callable[[], Mapping[str, str]]]] = []
"""What those entered or asked are told beyond what everybody reads; headers of each email about a result."""
