"""Events, the entries of a competition's log: what each does to the state, and what follows from it.

Each verb's events are declared beside it in `league.core.verbs`. Stages, rounds and boards count from 1;
entries, players, tables and games are named by their ids.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import ClassVar, Final, Literal, TypeAlias, dataclass_transform

from games.engine.base import read_typed, write_typed
from games.engine.jsontypes import JsonObject
from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from games.engine.values import replace
from league.core.state.competition import Competition
from league.core.state.updates import challenges_ended, with_places, with_queue

Role: TypeAlias = Literal["organiser", "scorekeeper", "player", "club", "kiosk", "system"]
"""Who writes an event; ``club`` is the desk of another club, for its own teams (`league.core.club_desks`)."""
AND_SERVER: Final[tuple[Role, ...]] = ("organiser", "system")
AND_PLAYERS: Final[tuple[Role, ...]] = ("organiser", "player")
AND_SCOREKEEPERS: Final[tuple[Role, ...]] = ("organiser", "scorekeeper")
AND_CLUBS: Final[tuple[Role, ...]] = (*AND_SCOREKEEPERS, "club")

_Emailed: TypeAlias = Literal[
    "", "round_published", "round_withdrawn", "table_opened", "result", "entry", "changed"
]

EVENTS: Final[dict[str, type["Event"]]] = {}
"""Every event by its type, once `league.core.verbs` is imported."""
AFTER_THE_END: Final = text("The competition is over.")


@dataclass(frozen=True)
class Ending:
    """The end of a table's games: they are abandoned, or with an ``entry`` only its seats leave them."""

    table: str
    reason: str
    entry: str | None = None


@dataclass_transform(frozen_default=True)
class Event:
    """Something that happened, named `type` in the log. Each event is a frozen dataclass of declared shapes.

    ``title`` names the event in lists, and ``found_by`` holds further words by which people search for it.
    ``text`` is its sentence, a message id with the fields by name. ``announces`` is what programs outside are
    told of it, a value of `league.choices.Announced`; ``emails`` the kind of email to players, about the
    round that its fields name, the entry, once decided the table, or to all who have entered. Empty for
    none. ``after_end``: it can happen after the end.

    ``said_by`` are the roles that write it, those of ``said_with`` only together with an event of the type
    named there. ``by_code``: a player without an account writes it too, by a code, a link or at the door;
    where it is the type of another event, only together with that.

    ``replaces`` are the types of the events about the same thing (its fields named in ``about``) of which it
    replaces the last one, or takes it back if ``takes_back``. ``text_before`` is the sentence where that is
    known, ``text_later`` that of an event with a ``from_round``.
    """

    type: ClassVar[str]
    title: ClassVar[str]
    found_by: ClassVar[str]
    text: ClassVar[str]
    text_before: ClassVar[str] = ""
    text_later: ClassVar[str] = ""
    said_by: ClassVar[tuple[Role, ...]] = ("organiser",)
    said_with: ClassVar[Mapping[str, str]] = {}
    by_code: ClassVar[bool | str] = False
    about: ClassVar[tuple[str, ...]] = ()
    replaces: ClassVar[tuple[str, ...]] = ()
    takes_back: ClassVar[bool] = False
    announces: ClassVar[str] = ""
    emails: ClassVar[_Emailed] = ""
    after_end: ClassVar[bool] = False

    def __init_subclass__(cls, type: str = "") -> None:  # noqa: A002 - the field's name in the log
        dataclass(frozen=True)(cls)
        if type:
            cls.type = type
            EVENTS[type] = cls

    def begin(self) -> Competition:
        """Return the state after the event as the first of a log; raise `Illegal` for all but an opening."""
        raise Illegal("A competition's log must begin with its opening.")

    def apply(self, state: Competition) -> Competition:
        """Return the state after the event, apart from ``seq``; raise `Illegal` where it can't happen."""
        raise NotImplementedError

    def joining(self) -> Iterable[str]:
        """Return the players whom the event brings into the competition."""
        return ()

    @classmethod
    def sentence_of_many(cls, count: int) -> str:
        """Return the sentence of so many events of this type at once, empty where each has its own."""
        return ""

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        """Return the message id of the sentence of an event with these fields.

        To the fields in the log are added, where they are known: ``at_table`` and ``others`` (who sits at its
        table, and who of them is not among its ``entries``), and ``before`` and ``after``: what the event
        replaces or takes back, and what counts after that.
        """
        if cls.text_later and "from_round" in fields:
            return cls.text_later
        return cls.text_before if cls.text_before and fields.get("before") else cls.text


class OpensGames(Event):
    """An event that opens games."""

    def opened_games(self) -> Iterable[tuple[str, str]]:
        """Return table and game for each game that the event opens, in order."""
        raise NotImplementedError


class EndsGames(Event):
    """An event that ends running games."""

    def endings(self, state: Competition) -> Iterable[Ending]:
        """Return the games that the event ends; ``state`` is the one after it."""
        raise NotImplementedError


class SetsClocks(Event):
    """An event with which the clocks of the games at its table stop, go on, or get more time."""

    def clock_move(self) -> JsonObject:
        """Return the clock's move in these games."""
        raise NotImplementedError


def without_account(role: str, event: Event, kinds: Collection[str]) -> bool:
    """Return whether an event can be written in a role by no account, together with ``kinds`` of events."""
    by_code = event.by_code in kinds if isinstance(event.by_code, str) else event.by_code
    return role in ("kiosk", "system") or (role == "player" and by_code)


DECISIONS: Final = ("result_recorded", "ruled", "walked_over", "voided")
"""The types of the events that decide a table, the last one unless it is taken back."""


class TableDecided(EndsGames):
    """An event that decides its table; the table's running game is abandoned."""

    emails = "result"
    about = ("table",)
    replaces = DECISIONS

    def endings(self, state: Competition) -> Iterable[Ending]:
        fields = vars(self)
        return (Ending(fields["table"], fields["reason"]),)


def read(data: object) -> Event:
    """Return the event in a log entry's JSON; raise `Malformed` with the path of each error."""
    if not isinstance(data, Mapping):
        raise Malformed({"": [text("An event must be an object with a type.")]})
    event: Event = read_typed(EVENTS, data)
    return event


def write(event: Event) -> JsonObject:
    """Return the canonical JSON of an event: ``type`` first, fields at their default left out."""
    return write_typed(EVENTS, event)


def apply(state: Competition, event: Event) -> Competition:
    """Return the state after one more event; raise `Illegal` where it cannot happen now."""
    if state.over and not event.after_end:
        raise Illegal(AFTER_THE_END)
    after = challenges_ended(_with_corrections(state, with_queue(with_places(state, event.apply(state)))))
    after = replace(after, seq=state.seq + 1)
    hidden = after.withheld_from and after.without_drafts == state.without_drafts
    return after if hidden else replace(after, shown=after.seq)


def fold(events: Iterable[Event]) -> Competition:
    """Return the state after all events, in order; raise `Illegal` where one cannot happen."""
    ordered = iter(events)
    first = next(ordered, None)
    if first is None:
        raise Illegal("The log is empty.")
    return reduce(apply, ordered, first.begin())


def _with_corrections(before: Competition, after: Competition) -> Competition:
    """Return the state with stages marked as corrected that changed after their standings were final."""
    final = max(len(before.stages) - 1, min(before.final_stages, len(before.stages)))
    if final < 1 or len(after.stages) < final or after.stages[:final] == before.stages[:final]:
        return after
    stages = tuple(
        replace(stage, corrected=True) if stage != was else stage
        for stage, was in zip(after.stages[:final], before.stages[:final], strict=True)
    )
    return replace(after, stages=(*stages, *after.stages[final:]))


@dataclass(frozen=True)
class Change:
    """An event with its JSON, and the state after it."""

    event: Event
    written: JsonObject
    after: Competition


def changes(state: Competition, decided: Iterable[Event]) -> Iterator[Change]:
    """Yield the events that change something, each applied to the state after those before it.

    Raises `Illegal`, and `Malformed` for an event that does not have its declared shape.
    """
    for event in decided:
        entering = read(write(event))
        after = apply(state, entering)
        if replace(after, seq=state.seq, shown=state.shown) != state:
            yield Change(entering, write(entering), after)
            state = after
