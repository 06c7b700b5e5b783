"""What streams send: the news of a game, an account, a competition or a club after a cursor.

A cursor is the `id` of the last event that a client has. Each reading is a function of the database as it is,
so that a stream can go on in any process after any cursor.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from rest_framework.utils.encoders import JSONEncoder

from api.serializers.events import EventSerializer
from api.serializers.games import MoveSerializer
from api.serializers.streams import OF_APPS
from league.queries.clubs import going_on
from league.queries.competitions import all_competitions
from league.queries.events import events_of, public_head
from league.queries.games import entries_after, streamed_game
from league.queries.standings import standings_as_of
from league.services.account_events import collect
from league.words.moves import lines

if TYPE_CHECKING:
    from collections.abc import Collection

    from games.models import Game
    from league.models import ClubGame, Competition
    from league.services.account_events import Collected

RETRY: Final = b"retry: 2000\n\n"
"""Tells clients to reconnect after 2000 milliseconds."""

ALIVE: Final = b": still here\n\n"
"""A heartbeat: a comment, which a browser does not show to its page."""


@dataclass(frozen=True)
class Data:
    """What an event says, which is written once for all events that say it."""

    fields: Mapping[str, Any]

    @cached_property
    def text(self) -> str:
        """Return it as JSON."""
        return json.dumps(self.fields, ensure_ascii=False, cls=JSONEncoder)


@dataclass(frozen=True)
class Event:
    """An event of a stream; its id is the cursor after it, empty where a client never resumes."""

    id: str
    name: str
    data: Data

    @property
    def text(self) -> bytes:
        """Return the event as it is sent."""
        numbered = f"id: {self.id}\n" if self.id else ""
        return f"{numbered}event: {self.name}\ndata: {self.data.text}\n\n".encode()

    def as_json(self) -> Mapping[str, Any]:
        """Return the event as a long poll answers it."""
        return {"id": self.id, "event": self.name, "data": self.data.fields}


@dataclass(frozen=True)
class News:
    """The events after a cursor, in order, and the cursor after them; ``over``: there will be no others.

    ``lost`` says that the events after the cursor are kept no more. ``games`` are the games whose moves may
    bring further news, with the seats that it takes to be awaited, none for any.
    """

    events: tuple[Event, ...]
    cursor: str
    over: bool = False
    lost: bool = False
    games: Mapping[UUID, int | None] = field(default_factory=dict)

    @cached_property
    def text(self) -> bytes:
        """Return all events as they are sent."""
        return b"".join(event.text for event in self.events)


def _number(cursor: str) -> int:
    return int(cursor or 0)


# ---- A game --------------------------------------------------------------------------------------


def of_game(game_id: UUID, cursor: str) -> News:
    """Return the entries of a game's log after a number, and its end; raises Game.DoesNotExist."""
    return since(streamed_game(game_id), _number(cursor))


def since(game: Game, seq: int) -> News:
    """Return the events after log entry ``seq`` of a game that has just been loaded."""
    entries = lines(game, entries_after(game, seq))
    moves = [Event(str(each.entry.seq), "move", Data(MoveSerializer(each).data)) for each in entries]
    # A client may ask for entries after one that does not exist yet.
    last = moves[-1].id if moves else str(min(seq, game.seq))
    over = [Event("", "over", Data(_over(game)))] if game.is_over else []
    return News((*moves, *over), last, over=game.is_over, games={game.pk: None})


SAID_ALIVE: Final = ALIVE[:-1] + Event("", "alive", Data({})).text
"""A heartbeat with an event, for pages."""


def watching(count: int) -> Event:
    """Return the event that says how many watch a game."""
    return Event("", "watching", Data({"watching": count}))


def said(seat: int, what: Mapping[str, Any]) -> Event:
    """Return the event with what a seat says."""
    return Event("", "said", Data({"seat": seat, **what}))


def present(seats: Mapping[int, datetime | None]) -> Event:
    """Return the event that says who is at a table, or when they left it."""
    told = [{"seat": seat, "left_at": left} for seat, left in sorted(seats.items())]
    return Event("", "present", Data({"seats": told}))


def _over(game: Game) -> Mapping[str, Any]:
    return {"ruleset": game.ruleset, "status": game.status, "result": game.result}


# ---- An account ----------------------------------------------------------------------------------


def of_accounts(wanted: Iterable[tuple[UUID, str]]) -> Mapping[tuple[UUID, str], News]:
    """Return what concerns each account after a cursor; without one, how things are.

    Where events are kept no more, that is said by a `reset`, with how things are.
    """
    places = {place: (place[0], int(place[1]) if place[1] else None) for place in wanted}
    found = collect({*places.values()})
    return {place: _of_account(found[numbered], place[1]) for place, numbered in places.items()}


def _of_account(found: Collected, cursor: str) -> News:
    last, now = str(found.last), found.now
    if now is not None:
        data = {"awaited": now.awaited, "invited": now.invited}
        event = Event(last, "reset" if cursor else "now", Data(data))
        return News((event,), last, lost=bool(cursor), games=found.playing)
    told = (Event(str(each.seq), each.kind, _told(each.about, each.at)) for each in found.events)
    return News(tuple(told), last, games=found.playing)


@lru_cache(maxsize=200)
def _told(about: str, at: datetime) -> Data:
    """Return what an event says; of those who are told together it is the same."""
    return Data({**json.loads(about), "at": at})


# ---- A competition -------------------------------------------------------------------------------


def of_competition(competition_id: UUID, cursor: str, *, withheld: bool) -> News:
    """Return the events of a competition's log after a number, and its head; raises Competition.DoesNotExist.

    Without ``withheld`` both end before a draw that is not published. A cursor is the number of an entry and,
    after a hyphen, the number that the standings include: new standings bring a new head.
    """
    competition = all_competitions().get(pk=competition_id)
    seq, _, standings = cursor.partition("-")
    entries = list(events_of(competition, withheld=withheld).filter(seq__gt=_number(seq)).order_by("seq"))
    head = (competition.seq, competition.head) if withheld else public_head(competition)
    if entries and entries[-1].seq > head[0]:
        head = entries[-1].seq, entries[-1].hash
    as_of = standings_as_of(competition)
    told = [
        Event(f"{each.seq}-{_number(standings)}", "event", Data(EventSerializer(each).data))
        for each in entries
    ]
    now = f"{head[0]}-{as_of}"
    if now == cursor:
        return News((), now)
    return News((*told, Event(now, "head", Data(_head(competition, head, as_of)))), now)


def _head(competition: Competition, head: tuple[int, str], as_of: int) -> Mapping[str, Any]:
    return {
        "seq": head[0],
        "head": head[1],
        "status": competition.status,
        "stage": competition.stage,
        "round": competition.round,
        "standings": as_of,
    }


# ---- A club --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ClubState:
    """What is going on in a club: the data of competitions, games and what apps tell, by kind and id."""

    items: Mapping[tuple[str, str], Mapping[str, Any]]

    @cached_property
    def cursor(self) -> str:
        """Return what tells this state from every other."""
        text = json.dumps([*self.items.values()], cls=JSONEncoder)
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    @property
    def full_event(self) -> Event:
        """Return the event that says all of it."""
        of_apps = {each.kind: each.kinds for each in OF_APPS}
        kinds = {"competition": "competitions", "game": "games", **of_apps}
        data: dict[str, list[Mapping[str, Any]]] = {name: [] for name in kinds.values()}
        for (kind, _id), item in self.items.items():
            data[kinds[kind]].append(item)
        return Event(self.cursor, "state", Data(data))

    @property
    def games(self) -> Mapping[UUID, None]:
        """Return the games that are going on."""
        return {UUID(pk): None for kind, pk in self.items if kind == "game"}


def of_club(club: UUID, cursor: str, *, member: bool) -> News:
    """Return all that is going on in a club, nothing if that is what the cursor stands for.

    What apps tell is for members. Raises Club.DoesNotExist.
    """
    state = club_state(club, member=member)
    events = () if state.cursor == cursor else (state.full_event,)
    return News(events, state.cursor, games=state.games)


def club_state(club: UUID, *, member: bool) -> ClubState:
    """Return what is going on in a club."""
    return ClubState(_items(club, member, ()))


def club_changes(club: UUID, before: ClubState, *, member: bool) -> tuple[ClubState, tuple[Event, ...]]:
    """Return what is going on in a club now, and an event for each item that is not as it was before.

    What is over is no longer going on: its last event says so.
    """
    now = club_state(club, member=member)
    gone = [key for key in before.items if key not in now.items]
    items = dict(now.items)
    if gone:
        found = _items(club, member, [UUID(pk) for _kind, pk in gone])
        items |= {key: found[key] for key in gone if key in found}
    changed = [(kind, item) for (kind, pk), item in items.items() if before.items.get((kind, pk)) != item]
    return now, tuple(Event(now.cursor, kind, Data(item)) for kind, item in changed)


def _items(club: UUID, member: bool, over: Collection[UUID]) -> Mapping[tuple[str, str], Mapping[str, Any]]:
    found = going_on(club, over=over)
    return {
        **_by_id("competition", map(_competition, found.competitions)),
        **_by_id("game", map(_game, found.games)),
        **(_of_apps(club, over) if member else {}),
    }


def _of_apps(club: UUID, over: Collection[UUID]) -> Mapping[tuple[str, str], Mapping[str, Any]]:
    return {key: item for each in OF_APPS for key, item in _by_id(each.kind, each.items(club, over)).items()}


def _by_id(kind: str, items: Iterable[Mapping[str, Any]]) -> Mapping[tuple[str, str], Mapping[str, Any]]:
    return {(kind, item["id"]): item for item in items}


def _competition(competition: Competition) -> Mapping[str, Any]:
    """Return a competition as everybody may know it, before a draw that is not published."""
    head = public_head(competition) if competition.withheld_from else (competition.seq, competition.head)
    return {
        "id": str(competition.pk),
        "slug": competition.slug,
        "name": competition.name,
        "status": competition.status,
        "stage": competition.stage,
        "round": competition.round,
        "seq": head[0],
        "head": head[1],
    }


def _game(club_game: ClubGame) -> Mapping[str, Any]:
    game = club_game.game
    return {
        "id": str(game.pk),
        "ruleset": game.ruleset,
        "status": game.status,
        "competition": str(club_game.competition_id) if club_game.competition_id else None,
        "table": str(club_game.table_id) if club_game.table_id else None,
        "seq": game.seq,
        "head": game.head,
        "awaited": game.awaited,
    }
