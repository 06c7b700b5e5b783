"""The contract of a verb: its fields, who may use it, its texts, and the events that it decides on.

A verb is one frozen dataclass in its own module of `league.core.verbs`. The API's body, the desk's form and
button and the table in docs/competitions.md are made from it (docs/adding-a-verb.md).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from inspect import getdoc
from typing import Any, ClassVar, Final, Literal, Self, TypeAlias, dataclass_transform
from uuid import UUID, uuid5

from games.engine.chain import derived_id
from games.engine.messages import Message, text
from games.engine.refusals import Illegal, Malformed, Refusal
from games.engine.values import replace
from league.core.commitment import Tree
from league.core.course import Step
from league.core.events import Event, Role, changes
from league.core.open_tables import following
from league.core.state import values as v
from league.core.state.competition import (
    Competition,
    Entry,
    EntryStatus,
    Status,
    Table,
    TableStatus,
)
from league.core.state.cut_offs import NO_SOURCE, NO_WISHES, Order, Source, Wishes

Audience: TypeAlias = Literal["organisers", "scorekeepers", "scorekeepers_undecided", "players", "system"]
"""Who may use a verb: organisers of the club; scorekeepers too, always or while the table is undecided; only
players, for themselves; or only the server."""
Scope: TypeAlias = Literal["club:organise", "club:rule", "play:enter"]
"""The scope that a token needs for a verb (`league.choices.TokenScope`)."""
Events: TypeAlias = Sequence[Event]

PREPARING: Final[tuple[Status, ...]] = ("preparing", "entering")
RUNNING: Final[tuple[Status, ...]] = ("running",)
UNDER_WAY: Final[tuple[Status, ...]] = ("running", "paused")
LIVE: Final[tuple[Status, ...]] = (*PREPARING, *UNDER_WAY)
UNDECIDED_TABLE: Final[tuple[TableStatus, ...]] = ("playing", "postponed", "abandoned")
ANY_TABLE: Final[tuple[TableStatus, ...]] = (*UNDECIDED_TABLE, "played", "walkover", "void")

ORGANISER_VERBS: Final[dict[str, type["Verb"]]] = {}
PLAYER_VERBS: Final[dict[str, type["Verb"]]] = {}
"""Verbs by key, once `league.core.verbs` is imported: of organisers, and of players for their own entry."""


@dataclass(frozen=True)
class Given:
    """What a verb may know in addition to the state, looked up before it decides.

    ``player`` is the caller's player in the club. ``players`` are names by id: of the players that the verb
    names, those who are active in the club. ``ended`` are the results, and ``games`` the ids, of all games
    that were ever played at the table that the verb names. ``begun`` are the tables of the current round at
    which somebody has moved. For verbs that draw, ``trees`` are those of the server's secrets by their roots,
    and ``beacon`` the signatures of the public beacon by round; ``new_root`` is that of a secret which was
    never used. ``wishes`` are those of the club's people, by players; ``order`` is one of another kind than
    standings, by which tables may be filled, ``ordered_by`` its source. ``seeds`` are values by which
    entries are seeded. ``wrote`` are the numbers of the results, among those that the verbs name, of
    which the caller's account has entered anything. ``away`` are the players who are away on the day of
    the next round. ``zone`` is the club's, in which days are counted. ``not_expected`` are the entries
    with who is not expected. ``hidden`` are the words of names that are not public. ``club`` is another
    club for whose teams the caller acts, ``side`` its entry at the table that the verb names. With
    ``previewing`` no lots are drawn.
    """

    competition: str
    now: datetime
    role: Role = "organiser"
    player: str | None = None
    players: Mapping[str, str] = field(default_factory=dict)
    ended: Sequence[Event] = ()
    games: frozenset[str] = frozenset()
    begun: frozenset[str] = frozenset()
    trees: Mapping[str, Tree] = field(default_factory=dict)
    beacon: Mapping[int, str] = field(default_factory=dict)
    new_root: str = ""
    wishes: Wishes = NO_WISHES
    order: Order = ()
    ordered_by: Source = NO_SOURCE
    seeds: Mapping[str, int] = field(default_factory=dict)
    wrote: frozenset[int] = frozenset()
    away: frozenset[str] = frozenset()
    zone: str = "UTC"
    not_expected: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()
    club: str | None = None
    side: str | None = None
    previewing: bool = False

    def at(self, now: datetime) -> "Given":
        """Return the same at the time of the entry that is decided on."""
        return replace(self, now=now)

    def id_for(self, name: str) -> str:
        """Return the id that a name has in this competition, always the same one, so that a retry is safe."""
        return str(uuid5(UUID(self.competition), name))

    def first_game(self, table: str, order: int = 0) -> str:
        """Return the id of a table's first game: of the time when it is opened, and derived from its table's.

        Games that are opened together are in ``order``. A retry, which decides at the time of the entry that
        it repeats, gives the same id.
        """
        return str(derived_id(self.now, f"{table} game 1", order))

    def names(self, players: Sequence[str], path: str) -> Sequence[str]:
        """Return names of active players of the club, in order; raise `Malformed` at ``path``."""
        unknown = [number for number, player in enumerate(players) if player not in self.players]
        if unknown:
            sentences = [text("The club has no such active player.")]
            raise Malformed({path.format(number): sentences for number in unknown})
        return [self.players[player] for player in players]


@dataclass(frozen=True)
class Button:
    """A verb's button on the desk: its title, what it does, and how to undo that.

    It is offered in ``statuses`` of a competition, at ``steps`` (none: any), and beside ``tables`` with these
    statuses (none: it is not about a table). ``asks`` are the fields of its form, of which ``needs`` may not
    be left out here; ``several`` lets organisers choose several entries at once. ``key`` is the name of the
    attribute, with hyphens. Buttons are shown by ``rank``, the lowest first, and of these first those that
    are offered at some steps only; ``rare`` ones folded, below the others.
    """

    title: str
    effect: str
    undo: str
    statuses: tuple[Status, ...] = LIVE
    part: Literal["round", "entries", "competition"] = "competition"
    steps: tuple[Step, ...] = ()
    tables: tuple[TableStatus, ...] = ()
    asks: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    several: bool = False
    danger: bool = False
    rank: int = 50
    rare: bool = False
    key: str = ""


@dataclass(frozen=True)
class OwnButton:
    """A verb's button for players on a competition's page: title, effect, and a message for afterwards.

    Buttons are shown by ``rank``, the lowest first.
    """

    title: str
    effect: str
    done: str = ""
    danger: bool = False
    rank: int = 50


@dataclass(frozen=True)
class Caution:
    """What an organiser should know before carrying out a verb, and the key of a button that would help.

    ``stops``: the verb would be refused now.
    """

    sentence: Message
    remedy: str = ""
    stops: bool = False


@dataclass_transform(frozen_default=True)
class Verb:
    """Something that a person or the server does to a competition. Each verb is a frozen dataclass.

    Where its event has the same fields, ``event`` names it and `decide` need not be written. ``brings`` names
    the field with the players that the verb brings in, who must be active in the club. ``own`` are the fields
    that players fill in for their own entry, None where players cannot use the verb. ``uses_secret`` says
    whether it needs the secrets of draws. Attributes of type `Button` become ``buttons``. ``taken_back_by``
    are the keys of the verbs that take it back. ``at_kiosk`` says whether anybody may use it at a kiosk,
    ``ends_its_game`` whether a game that runs at its table ends, ``until_deadline`` whether it is refused
    once the time of the round is over.
    ``scope`` is what a token needs to use it for the club, ``own_scope`` for the player's own entry.
    """

    key: ClassVar[str]
    audience: ClassVar[Audience] = "organisers"
    scope: ClassVar[Scope] = "club:organise"
    own_scope: ClassVar[Scope] = "play:enter"
    event: ClassVar[type[Event] | None] = None
    brings: ClassVar[str] = ""
    own: ClassVar[tuple[str, ...] | None] = None
    uses_secret: ClassVar[bool] = False
    at_kiosk: ClassVar[bool] = False
    ends_its_game: ClassVar[bool] = False
    until_deadline: ClassVar[bool] = False
    buttons: ClassVar[tuple[Button, ...]] = ()
    taken_back_by: ClassVar[tuple[str, ...]] = ()
    own_button: ClassVar[OwnButton | None] = None

    def __init_subclass__(cls, key: str = "") -> None:
        dataclass(frozen=True)(cls)
        if key:
            cls.key = key
            cls.buttons = tuple(
                replace(value, key=name.replace("_", "-"))
                for name, value in vars(cls).items()
                if isinstance(value, Button)
            )
            if cls.audience not in ("players", "system"):
                ORGANISER_VERBS[key] = cls
            if cls.own is not None:
                PLAYER_VERBS[key] = cls

    def decide(self, state: Competition, given: Given) -> Events:
        """Return the events of the verb, none where nothing changes; raise `Illegal` or `Malformed`.

        What `Event.apply` refuses need not be refused here.
        """
        assert self.event is not None
        return (self.event(**vars(self)),)

    @classmethod
    def draws(cls, state: Competition) -> bool:
        """Return whether the verb draws, or publishes a draw: then nobody may see what it would do."""
        return False

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        """Return whether the desk offers a button of the verb, apart from the button's own conditions."""
        return True

    @classmethod
    def undo(cls, state: Competition, button: Button) -> str:
        """Return how what a button does is undone."""
        return button.undo

    @classmethod
    def fits(cls, table: Table, state: Competition) -> bool:
        """Return whether the desk offers the verb's buttons beside a table, apart from their statuses."""
        return True

    @classmethod
    def entries_at(cls, table: Table) -> Sequence[str]:
        """Return the ids of the entries at a table that the desk offers, in seat order."""
        return table.entries

    @classmethod
    def needs_organiser(cls, state: Competition, table: str) -> bool:
        """Return whether scorekeepers can't decide a table, if the verb is for them while it is undecided."""
        return state.table(table)[2].decided

    @classmethod
    def cautions(cls, state: Competition) -> Sequence[Caution]:
        """Return what the desk tells before the verb is carried out."""
        return ()

    @classmethod
    def ends(cls, state: Competition, button: Button, table: str) -> Iterable[Table]:
        """Return the tables whose running games a button ends; ``table`` is the one that it is about."""
        return (state.table(table)[2],) if table and cls.ends_its_game else ()

    @classmethod
    def open_to_player(cls, state: Competition, given: Given, entry: Entry | None) -> bool:
        """Return whether a player can use the verb now; ``entry`` is the player's live entry, if any."""
        return entry is not None

    @classmethod
    def of_player(cls, **fields: Any) -> Self:
        """Return the verb with the fields that a player gives, for an entry that the caller need not name."""
        return cls(**fields)

    @classmethod
    def about(cls) -> str:
        """Return the description for the API and the docs."""
        return getdoc(cls) or ""


class EntryVerb(Verb):
    """A verb about an entry whose status is one of ``takes``; with a status of ``done`` nothing changes."""

    takes: ClassVar[tuple[EntryStatus, ...]] = ("entered",)
    done: ClassVar[tuple[EntryStatus, ...]] = ()

    entry: v.EntryId

    @classmethod
    def of_player(cls, **fields: Any) -> Self:
        return cls(entry="", **fields)

    @classmethod
    def entry_of(cls, state: Competition, player: str) -> Entry | None:
        """Return the entry for which a player uses the verb."""
        return state.entry_with(player)

    @classmethod
    def candidates(cls, state: Competition) -> tuple[str, ...]:
        """Return the ids of the entries that the desk offers."""
        return tuple(entry.id for entry in state.entries if entry.status in cls.takes)

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return bool(cls.candidates(state))


def decide(verb: Verb, state: Competition, given: Given) -> Events:
    """Return the events of a verb; raise `Illegal` for a scorekeeper who names a decided table."""
    limited = given.role == "scorekeeper" and verb.audience == "scorekeepers_undecided"
    if limited and verb.needs_organiser(state, vars(verb)["table"]):
        raise Illegal("The table is decided: only an organiser can change that.")
    if isinstance(verb, EntryVerb) and state.entry(verb.entry).status in verb.done:
        return ()
    return following(state, verb.decide(state, given), given.now, given.wishes)


def changes_something(state: Competition, verb: Verb, given: Given) -> bool:
    """Return whether a verb would write anything now."""
    try:
        return bool(list(changes(state, decide(verb, state, given))))
    except Refusal:
        return False
