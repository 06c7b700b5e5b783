"""Where apps take part in what the spine does.

An app connects its functions when it is ready: they are called in the order of ``INSTALLED_APPS``, in the
transaction of what they follow, and write their own tables, and emails. What one raises refuses the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final, Generic, ParamSpec
from uuid import UUID

from django.urls import reverse

from games.engine.messages import filled, text
from games.engine.refusals import Malformed

if TYPE_CHECKING:
    from django.db.models import QuerySet
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


# ---- What happened -------------------------------------------------------------------------------

events_appended: Hook[[Appended]] = Hook()
"""New events of a competition, whose rows are written."""
standings_computed: Hook[[Competition]] = Hook()
"""New standings of a competition."""
game_ended: Hook[[Game]] = Hook()
"""A game of a club that is over; one that never began, and one of practice, are not among them."""
members_invited: Hook[[Competition]] = Hook()
"""A competition that was set up by itself and is open for entries, of which the club's members are told."""
evening_opened: Hook[[Competition, Competition]] = Hook()
"""An evening that was opened like an earlier one, and that one."""
competition_moved: Hook[[Competition, Mapping[str, Any]]] = Hook()
"""A competition of another day, time or place, and what its details were before, by name."""
account_locked: Hook[[Account]] = Hook()
"""An account, by its person: nothing let in before may act for it now."""
account_deleted: Hook[[Account]] = Hook()
"""An account that is being deleted, while it has its rows."""
player_forgotten: Hook[[Player]] = Hook()
"""A player whose person is being forgotten, before the row has another name or is gone."""
players_merging: Hook[[Player, Player]] = Hook()
"""A player who will have all that another one has, before either is changed; and that one."""
players_merged: Hook[[Player, Player]] = Hook()
"""A player who has all now that another one had; and that one."""
people_named: Hook[[UUID]] = Hook()
"""A club whose people have other names, accounts, or readers now."""
people_known: Hook[[Club]] = Hook()
"""A club of whose people `KNOWN_AS` says otherwise now."""


# ---- Who is who ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Visitor:
    """Who comes to the site: the account that is logged in, and the guest that the browser's cookie names."""

    guest: UUID
    account: Account | None = None
    zone: str = "UTC"
    """The time zone of the browser, for games that are no club's."""


GUEST_GAMES: Final[list[Callable[[Visitor], QuerySet[Game]]]] = []
"""Games of no club that a visitor has begun, in the first seat: nobody else sees anything of them."""


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
class KnownAs:
    """What a club knows some of its players as, such as members; ``key`` names it in forms.

    ``periods`` are by player: each from one day to another, None where that is open.
    """

    key: str
    title: StrPromise | str
    periods: Mapping[UUID, Sequence[tuple[date | None, date | None]]]


KNOWN_AS: Final[list[Callable[[Club], Iterable[KnownAs]]]] = []
"""What clubs know their players as."""
COUNTED_AS: Final[list[Callable[[Club, str], Iterable[str]]]] = []
"""By a key of `KNOWN_AS`: the names of what counts those players alone."""
NAMED: Final[list[Callable[[Player], bool]]] = []
"""Whether an app's log names a player, whose row then stays."""
PLAYED: Final[list[Callable[[UUID], Collection[UUID]]]] = []
"""Whom of a club an app's log says to have played."""
OF_CLUB: Final[list[Callable[[HttpRequest, UUID], bool]]] = []
"""Whether a browser is a club's, whose names it reads."""
OWN_EVENING: Final[list[Callable[[HttpRequest, UUID], Player | None]]] = []
"""Whose evening a browser has opened, without logging in."""
CREDENTIALS: Final[list[Callable[[str], Credential | None]]] = []
"""Other tokens that a request may bring, by their digests."""
KEPT_APART: Final[list[Callable[[UUID], Collection[UUID]]]] = []
"""With whom an account is in no casual game."""
GUESTS: Final[list[Callable[[Collection[UUID], date], Collection[UUID]]]] = []
"""Which of some players are guests on a day."""
AWAY: Final[list[Callable[[Collection[UUID], date], Mapping[UUID, date]]]] = []
"""Which of some players are away on a day, and until when."""


# ---- Entries and rounds --------------------------------------------------------------------------

TICKED: Final[list[Callable[[Competition, frozenset[UUID]], frozenset[UUID]]]] = []
"""Who is ticked where some of these players are entered."""
CAME_LAST: Final[list[Callable[[Competition], frozenset[UUID]]]] = []
"""Which players came the last time: they are ticked unless an app of `TICKED` knows better."""
TEAMS_CAME_LAST: Final[list[Callable[[Competition], Sequence[str]]]] = []
"""Which teams came the last time, each as a line of the list of names where teams are entered."""
DECLINED: Final[list[Callable[[UUID], Collection[UUID]]]] = []
"""Who said No to a competition."""
LEFT_ALONE: Final[list[Callable[[Account, Competition, Collection[UUID]], bool]]] = []
"""Note who of a competition has no partner; return whether the app can."""
ASKED: Final[list[Callable[[UUID], QuerySet[Player]]]] = []
"""Who was asked to a competition, and is told what those entered are."""
ANSWER_LINKS: Final[list[Callable[[Competition, Player], str]]] = []
"""Where a player who was asked answers without an account."""
WISHES: Final[list[Callable[[UUID, State], Wishes]]] = []
"""What players wish for draws."""


@dataclass(frozen=True)
class Ordering:
    """An order of entries from elsewhere, by numbers: the lowest first, or with the sign -1 the highest."""

    key: str
    title: str
    values: Callable[[], Mapping[str, int]]
    sign: int = 1
    name: str = ""


ORDERS: Final[list[Callable[[UUID, State], Iterable[Ordering]]]] = []
"""What can fill tables."""
PLANNED_ORDERS: Final[list[Callable[[Iterable[Club]], Iterable[tuple[str, str]]]]] = []
"""Of several series of clubs, the key and the title of each: what can fill tables later."""
FILL_IN: Final[list[Callable[[Competition], Collection[UUID]]]] = []
"""Who offers to fill in: they come first where an organiser chooses a substitute."""
STAND_INS: Final[list[Callable[[Competition], Iterable[str]]]] = []
"""What the tables of the year make of points that are a stand-in's own."""
ROUND_ENDS: Final[list[Callable[[Competition], datetime | None]]] = []
"""When the round that is played ends by an app's clock, for the timetable of a competition."""


# ---- Evenings of a club --------------------------------------------------------------------------

KEPT_PRESETS: Final[list[Callable[[Collection[UUID]], Mapping[str, Preset]]]] = []
"""Presets of clubs beside those that are shipped, by key."""
OWN_GAMES: Final[list[Callable[[Collection[UUID]], Sequence[AnyRuleset]]]] = []
"""Games of clubs, which are offered before the server's."""
FORERUNNERS: Final[list[Callable[[UUID], Mapping[UUID, Sequence[UUID]]]]] = []
"""Of a club, the competitions that each one to come is like."""
FINALS: Final[list[Callable[[Collection[UUID]], Collection[UUID]]]] = []
"""Which of some competitions are finals."""
EVENING_NAMES: Final[list[Callable[[UUID], Iterable[str]]]] = []
"""What a club has called evenings without a competition."""


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


# ---- Pages ---------------------------------------------------------------------------------------


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
SITE_PAGES: Final[list[str]] = []
"""Pages for everybody of which search engines are told, by the names of their addresses."""
account_sections: Final[list[Callable[[HttpRequest, Account], str]]] = []
"""HTML for an account's own page."""
notification_sections: Final[list[Callable[[HttpRequest, Account], str]]] = []
"""HTML below the email on an account's own page."""
account_welcomed: Final[list[Callable[[HttpRequest, Club], str]]] = []
"""To where a club's new member goes first, or ``""``."""
GIVEN: Final[dict[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]]] = {}
"""What a template at a place is given besides its page's context, from that, by the template's name."""
VERSIONS: Final[list[str]] = []
"""SQL for one value that changes with what is shown of a row ``competition``; ``{clock}`` is the moment."""


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


# ---- Emails and messages -------------------------------------------------------------------------


@dataclass(frozen=True)
class Notice:
    """An organiser's message to some players, with the same ``key`` for a retry; it may wake a club."""

    key: UUID
    competition: Competition
    words: str
    players: Collection[UUID]
    wakes: bool = False


TELLERS: Final[list[Callable[[Notice], Collection[UUID]]]] = []
"""Send an organiser's message, once for its key; each returns the players whom it reaches."""
HELD_BACK: Final[list[Callable[[Email], bool]]] = []
"""Whether an email of a club must not be sent to its account."""
UNMAILED: Final[list[Callable[[Collection[UUID]], Mapping[UUID, Sequence[str]]]]] = []
"""Who gets no email of tables that are opened for them: names, by table."""
TOLD_APART: Final[list[Callable[[UUID], str]]] = []
"""What those entered or asked are told beyond what everybody reads."""
RESULT_HEADERS: Final[list[Callable[[], Mapping[str, str]]]] = []
"""Headers of each email about a result."""
