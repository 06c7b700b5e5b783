"""What concerns an account: written with what happens, and the feeds in which it is read.

A writer inserts rows and locks nothing. A move writes nothing here, whoever listens: whose turn it is is
written by those who read, from the games as they are. Numbers follow the order in which anybody could see
the rows: a reader gives them, under the lock of the account's feed, so that none appears below one that was
read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F, Max

from games import database_time
from games.log import Appended as Made
from games.models import Game, Seat
from league.choices import AccountEventKind
from league.log import Appended
from league.models import Account, AccountEvent, AccountFeed, ClubGame, Competition
from league.services.channel import tell, topic

# ---- Writing -------------------------------------------------------------------------------------

Kind: TypeAlias = AccountEventKind
KEPT: Final = timedelta(days=7)
MOST: Final = 1000
"""How many events of an account are kept."""


def write(accounts: Iterable[UUID | None], kind: str, about: Mapping[str, Any]) -> None:
    """Write an event for each of the accounts that is not None, and wake those who listen."""
    _write([(account, kind, about) for account in accounts])


def _write(events: Iterable[tuple[UUID | None, str, Mapping[str, Any]]]) -> None:
    now = database_time.now()
    rows = [
        AccountEvent(account_id=account, kind=kind, about=about, at=now)
        for account, kind, about in events
        if account
    ]
    AccountEvent.objects.bulk_create(rows)
    tell(topic("account", row.account_id) for row in rows)


def write_opened(games: Sequence[Game], club_games: Mapping[UUID, ClubGame]) -> None:
    """Write that games were opened: to the seats that are invited, and to all where the game has begun."""
    seats = Seat.objects.filter(game__in=games, account__isnull=False).order_by("game", "number")
    status = {game.pk: game for game in games}
    found: list[tuple[UUID | None, str, Mapping[str, Any]]] = []
    for seat in seats:
        game = status[seat.game_id]
        if game.status != Game.Status.INVITED:
            found.append((seat.account, Kind.GAME_BEGUN, _game(club_games[game.pk], game, seat.number)))
        elif seat.number in game.unanswered:
            found.append((seat.account, Kind.INVITATION, _game(club_games[game.pk], game, seat.number)))
    _write(found)


def write_begun(game: Game) -> None:
    """Write to all seats that a game has begun."""
    _to_seats(game, Kind.GAME_BEGUN)


def write_over(game: Game) -> None:
    """Write to all seats that a game is over, or was called off."""
    _to_seats(game, Kind.GAME_OVER)


def write_handed_over(made: Made, former: UUID) -> None:
    """Write to the account that played a seat until an entry, and to the one that plays it now."""
    move, club_game = made.entry.move, ClubGame.objects.select_related("club").get(game=made.game.pk)
    now = UUID(move["account"]) if move.get("account") else None
    write([former, now], Kind.HANDED_OVER, _game(club_game, made.game, move["seat"]))


def _to_seats(game: Game, kind: str) -> None:
    club_game = ClubGame.objects.select_related("club").filter(game=game.pk).first()
    if club_game is not None:
        seats = Seat.objects.filter(game=game, account__isnull=False).order_by("number")
        _write((seat.account, kind, _game(club_game, game, seat.number)) for seat in seats)


def of_seat(seat: Seat) -> Mapping[str, Any]:
    """Return what an event tells of a game's seat."""
    return _game(seat.game.club_game, seat.game, seat.number)


def _game(club_game: ClubGame, game: Game, seat: int) -> Mapping[str, Any]:
    return {
        "game": str(game.pk),
        "ruleset": game.ruleset,
        "status": game.status,
        "seat": seat,
        "club": club_game.club.slug,
        "competition": str(club_game.competition_id) if club_game.competition_id else None,
    }


def write_events(appended: Appended) -> None:
    """Write what a competition's new events say to the accounts of its players, or of those at a table."""
    competition = appended.competition
    named = {"competition": str(competition.pk), "club": competition.club.slug}
    told = [(event.announces, vars(event)) for event in appended.events if event.announces in Kind.values]
    seated = _accounts_at({fields["table"] for _kind, fields in told if "table" in fields})
    playing = _accounts_in(competition) if any("table" not in fields for _kind, fields in told) else []
    found: list[tuple[UUID | None, str, Mapping[str, Any]]] = []
    for kind, fields in told:
        about: dict[str, Any] = {name: fields[name] for name in ("stage", "round", "table") if name in fields}
        accounts = seated[fields["table"]] if "table" in fields else playing
        found += [(account, kind, {**named, **about}) for account in accounts]
    _write(found)


def _accounts_in(competition: Competition) -> list[UUID]:
    """Return the accounts of all players who have entered a competition."""
    entered = Account.objects.filter(players__entered__entry__competition=competition)
    return list(entered.order_by("pk").values_list("pk", flat=True).distinct())


def _accounts_at(tables: Collection[str]) -> Mapping[str, Sequence[UUID]]:
    """Return the accounts of the players at each of the tables, by its id."""
    found: dict[str, list[UUID]] = {table: [] for table in tables}
    if found:
        seated = Account.objects.filter(players__seats__table__in=[*map(UUID, found)])
        seats = seated.order_by("pk").values_list("players__seats__table", "pk").distinct()
        for table, account in seats:
            found[str(table)].append(account)
    return found


# ---- Reading -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Told:
    """An event of an account; ``about`` is a JSON object as text, the same for all who were told together."""

    seq: int
    kind: str
    about: str
    at: datetime


@dataclass(frozen=True)
class Now:
    """The games that wait for an account's move, and those that wait for its answer to an invitation."""

    awaited: Sequence[str]
    invited: Sequence[str]


@dataclass(frozen=True)
class Collected:
    """An account's events after a number, in order, and the number of the last of them.

    Where no number was given, or events after it are kept no more, or it was never given out, ``now`` is how
    things are after number ``last``: there are no events then. ``playing`` has the account's seat in each
    game that is not over.
    """

    events: Sequence[Told]
    last: int
    playing: Mapping[UUID, int]
    now: Now | None = None


Place: TypeAlias = tuple[UUID, int | None]
"""An account, and the number after which its events are wanted, None for how things are."""


def collect(wanted: Collection[Place]) -> Mapping[Place, Collected]:
    """Return what accounts were told.

    Three statements for all accounts together, and a few more where there is a new turn or a new reader.
    """
    accounts = sorted({account for account, _seq in wanted})
    playing = _playing(accounts)
    # Who has read a number has a feed.
    _begin_feeds([account for account, seq in wanted if not seq])
    _number(accounts)
    found = dict(_read(wanted))
    # After the numbers: what happened up to the last of them is in it.
    now = _now([account for (account, _seq), (_last, events) in found.items() if events is None])
    return {
        (account, after): Collected(
            events or (),
            events[-1].seq if events else last if events is None else after or 0,
            playing.get(account, {}),
            now[account] if events is None else None,
        )
        for (account, after), (last, events) in found.items()
    }


_PLAYING: Final = """
SELECT seat.account, seat.game_id, seat.number, seat.id, turn.key
FROM games_seat AS seat JOIN games_game AS game ON game.id = seat.game_id
LEFT JOIN LATERAL (
    SELECT concat_ws(
        ' ', game.id, coalesce(extract(epoch FROM game.since[seat.number + 1])::text, game.seq::text)
    ) AS key
) AS turn ON game.status = 'active' AND seat.number = ANY(game.awaited) AND NOT EXISTS (
    SELECT FROM league_accountevent AS told WHERE told.account_id = seat.account AND told.key = turn.key
)
WHERE seat.account = ANY(%s::uuid[]) AND game.status IN ('active', 'invited')
    AND EXISTS (SELECT FROM league_clubgame AS place WHERE place.game_id = game.id)
ORDER BY game.opened_at, game.id, seat.number
"""
"""The seats in games that are not over, each with the key of its turn where that is not written yet.

A turn has the moment since when the seat is awaited.
"""


def _playing(accounts: Collection[UUID]) -> Mapping[UUID, Mapping[UUID, int]]:
    """Return the seats of accounts in games that are not over, and write the turns that are new."""
    found: dict[UUID, dict[UUID, int]] = {}
    new: dict[int, tuple[UUID, str]] = {}
    for account, game, number, seat, key in _rows(_PLAYING, [[*accounts]]):
        found.setdefault(account, {})[game] = number
        if key is not None:
            new[seat] = account, key
    if new:
        seats = Seat.objects.select_related("game__club_game__club").in_bulk(new)
        AccountEvent.objects.bulk_create(
            [
                AccountEvent(account_id=account, key=key, kind=Kind.TURN, about=of_seat(seats[pk]))
                for pk, (account, key) in new.items()
            ],
            ignore_conflicts=True,
        )
    return found


_BEGIN: Final = """
INSERT INTO league_accountfeed (account_id, last, dropped)
SELECT DISTINCT account_id, 0, 0 FROM league_accountevent
WHERE seq IS NULL AND account_id = ANY(%s::uuid[]) ORDER BY account_id
ON CONFLICT DO NOTHING
"""
# What another reader has numbered since this statement began is left as it is: numbers may be left out. The
# feeds are locked in one order. Each part is worked out once: before the tables are analysed, the database
# takes a few rows for one, and would do so for each of them.
_NUMBER: Final = """
WITH fresh AS MATERIALIZED (
    SELECT id, account_id FROM league_accountevent WHERE seq IS NULL AND account_id = ANY(%s::uuid[])
), feed AS MATERIALIZED (
    SELECT account_id, last FROM league_accountfeed
    WHERE account_id IN (SELECT account_id FROM fresh) ORDER BY account_id FOR UPDATE
), new AS MATERIALIZED (
    SELECT fresh.id,
        feed.last + row_number() OVER (PARTITION BY fresh.account_id ORDER BY fresh.id) AS seq
    FROM fresh JOIN feed USING (account_id)
), numbered AS (
    UPDATE league_accountevent AS event SET seq = new.seq FROM new
    WHERE event.id = new.id AND event.seq IS NULL
    RETURNING event.account_id, event.seq
)
UPDATE league_accountfeed AS feed SET last = highest.seq
FROM (SELECT account_id, max(seq) AS seq FROM numbered GROUP BY account_id) AS highest
WHERE feed.account_id = highest.account_id
"""


def _begin_feeds(accounts: Collection[UUID]) -> None:
    """Make the feeds of accounts that have events and were never read."""
    if accounts:
        _execute(_BEGIN, [[*accounts]])


def _number(accounts: Collection[UUID]) -> None:
    """Give the rows of accounts that have no number the next ones."""
    _execute(_NUMBER, [[*accounts]])


_AFTER: Final = """
SELECT wanted.account, wanted.seq, coalesce(feed.last, 0), coalesce(feed.dropped, 0),
    event.seq, event.kind, event.about::text, event.at
FROM unnest(%s::uuid[], %s::integer[]) AS wanted(account, seq)
LEFT JOIN league_accountfeed AS feed ON feed.account_id = wanted.account
LEFT JOIN league_accountevent AS event ON event.account_id = wanted.account AND event.seq > wanted.seq
ORDER BY event.seq
"""


def _read(wanted: Collection[Place]) -> Iterator[tuple[Place, tuple[int, list[Told] | None]]]:
    """Yield each place with the last number of its feed, and the events after it, None if some are gone."""
    events: dict[Place, list[Told]] = {}
    feeds: dict[Place, tuple[int, int]] = {}
    for account, after, last, dropped, seq, kind, about, at in _rows(
        _AFTER, [list(column) for column in zip(*wanted, strict=True)]
    ):
        feeds[account, after] = last, dropped
        told = events.setdefault((account, after), [])
        if seq is not None:
            told.append(Told(seq, kind, about, at))
    for place, (last, dropped) in feeds.items():
        after = place[1]
        yield place, (last, events[place] if after is not None and dropped <= after <= last else None)


def _now(accounts: Collection[UUID]) -> Mapping[UUID, Now]:
    """Return the games that wait for accounts, by their opening."""
    if not accounts:
        return {}
    going_on = (Game.Status.ACTIVE, Game.Status.INVITED)
    seats = Seat.objects.filter(
        account__in=accounts, game__status__in=going_on, game__club_game__isnull=False
    )
    ordered = list(seats.select_related("game").order_by("game__opened_at", "game", "number"))
    return {
        account: Now(
            [str(each.game_id) for each in ordered if each.account == account and _is_awaited(each)],
            [
                str(each.game_id)
                for each in ordered
                if each.account == account and each.number in each.game.unanswered
            ],
        )
        for account in accounts
    }


def _is_awaited(seat: Seat) -> bool:
    return seat.game.status == Game.Status.ACTIVE and seat.number in seat.game.awaited


def _rows(statement: str, given: Sequence[Any]) -> Sequence[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, given)
        rows: Sequence[tuple[Any, ...]] = cursor.fetchall()
    return rows


def _execute(statement: str, given: Sequence[Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, given)


# ---- Forgetting ----------------------------------------------------------------------------------


def forget_account_events() -> None:
    """Remove old events, and those beyond `MOST` of an account; who has not read them is told so."""
    old = AccountEvent.objects.filter(at__lt=database_time.now() - KEPT)
    read = AccountFeed.objects.filter(last__gt=F("dropped"))
    accounts = {
        *old.values_list("account", flat=True),
        *read.filter(last__gt=F("dropped") + MOST).values_list("pk", flat=True),
    }
    for account in sorted(accounts):
        _forget(account)


@transaction.atomic
def _forget(account: UUID) -> None:
    events = AccountEvent.objects.filter(account=account)
    if AccountFeed.objects.filter(account=account).exists():
        _number([account])
        feed = AccountFeed.objects.select_for_update().get(account=account)
        old = events.filter(at__lt=database_time.now() - KEPT).aggregate(last=Max("seq"))["last"] or 0
        feed.dropped = max(feed.dropped, old, feed.last - MOST)
        feed.save(update_fields=["dropped"])
        events.filter(seq__lte=feed.dropped).delete()
    else:
        # Nobody has a number that these could be missing after.
        events.filter(at__lt=database_time.now() - KEPT).delete()
