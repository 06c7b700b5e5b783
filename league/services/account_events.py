"""What concerns an account: written with what happens, numbered when it is read.

A writer inserts rows and locks nothing. A reader numbers the rows that it finds under the lock of the
account's feed: so numbers follow the order in which anybody could see the rows, and none appears below one
that was read. Whose turn it is is written by readers, too, from the games as they are: a move writes nothing
here, whoever listens.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, TypeAlias
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F, Max
from django.utils import timezone

from games.engine.chain import stamp
from games.log import Appended as Made
from games.models import Game, Seat
from league.choices import AccountEventKind
from league.log import Appended
from league.models import Account, AccountEvent, AccountFeed, ClubGame, Competition, Member
from league.queries.permissions import SCOREKEEPERS
from league.services.channel import tell, topic

Kind: TypeAlias = AccountEventKind
KEPT: Final = timedelta(days=7)
MOST: Final = 1000
"""How many events of an account are kept."""

# ---- Writing -------------------------------------------------------------------------------------


def write(accounts: Iterable[UUID | None], kind: str, about: Mapping[str, Any]) -> None:
    """Write an event for each of the accounts that is not None, and wake those who listen."""
    _write([(account, kind, about) for account in accounts])


def _write(events: Iterable[tuple[UUID | None, str, Mapping[str, Any]]]) -> None:
    rows = [
        AccountEvent(account_id=account, kind=kind, about=about) for account, kind, about in events if account
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
    playing: list[UUID] | None = None
    found: list[tuple[UUID | None, str, Mapping[str, Any]]] = []
    for event in appended.events:
        if event.webhook not in Kind.values:
            continue
        fields = vars(event)
        about: dict[str, Any] = {name: fields[name] for name in ("stage", "round", "table") if name in fields}
        if "table" in fields:
            accounts = _accounts_at(fields["table"])
        else:
            accounts = playing = _accounts_in(competition) if playing is None else playing
        found += [(account, event.webhook, {**named, **about}) for account in accounts]
    _write(found)


def _accounts_in(competition: Competition) -> list[UUID]:
    """Return the accounts of all players who have entered a competition."""
    entered = Account.objects.filter(players__entered__entry__competition=competition)
    return list(entered.order_by("pk").values_list("pk", flat=True).distinct())


def _accounts_at(table: str) -> list[UUID]:
    seated = Account.objects.filter(players__seats__table=UUID(table))
    return list(seated.order_by("pk").values_list("pk", flat=True).distinct())


def write_call(club: UUID, about: Mapping[str, Any]) -> None:
    """Write to those who keep scores in a club that a table calls."""
    keepers = Member.objects.filter(club=club, role__in=SCOREKEEPERS).order_by("account")
    write(keepers.values_list("account", flat=True), Kind.CALL, about)


# ---- Reading -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Collected:
    """An account's events after a number, in order, and the number of the last of them.

    Where no number was given, or events after it are kept no more, or it was never given out, ``now`` is how
    things are after number ``last``: there are no events then.
    """

    events: Sequence[AccountEvent]
    last: int
    playing: Mapping[UUID, int]
    now: Now | None = None


@dataclass(frozen=True)
class Now:
    """The games that wait for an account's move, and those that wait for its answer to an invitation."""

    awaited: Sequence[str]
    invited: Sequence[str]


def collect(wanted: Mapping[UUID, int | None]) -> Mapping[UUID, Collected]:
    """Return what accounts were told after a number, None for how things are; nine queries at most.

    Rows that nobody has read are numbered. ``playing`` has the account's seat in each game that is not over.
    """
    seats = list(_seats(wanted))
    _write_turns([seat for seat in seats if _awaited(seat)])
    _number(wanted)
    after = {account: seq for account, seq in wanted.items() if seq is not None}
    events: dict[UUID, list[AccountEvent]] = {}
    for event in _after(after) if after else ():
        events.setdefault(event.account_id, []).append(event)
    # After the events: whatever was dropped in the meantime is seen to be missing.
    feeds = AccountFeed.objects.in_bulk([*wanted])
    lost = {account for account in wanted if not _reaches(feeds.get(account), after.get(account))}
    # After the numbers: what happened up to the last of them is in it.
    now = list(_seats(lost)) if lost else ()
    found = {}
    for account in wanted:
        playing: dict[UUID, int] = {seat.game_id: seat.number for seat in seats if seat.account == account}
        if account in lost:
            feed = feeds.get(account)
            found[account] = Collected((), feed.last if feed else 0, playing, _now(now, account))
        else:
            own = events.get(account, ())
            found[account] = Collected(own, own[-1].seq or 0 if own else after[account], playing)
    return found


def _reaches(feed: AccountFeed | None, after: int | None) -> bool:
    """Return whether all events after a number are still there."""
    last, dropped = (feed.last, feed.dropped) if feed else (0, 0)
    return after is not None and dropped <= after <= last


def _now(seats: Sequence[Seat], account: UUID) -> Now:
    mine = [seat for seat in seats if seat.account == account]
    return Now(
        [str(seat.game_id) for seat in mine if _awaited(seat)],
        [str(seat.game_id) for seat in mine if seat.number in seat.game.unanswered],
    )


def _seats(accounts: Collection[UUID]) -> Iterator[Seat]:
    """Yield the seats of accounts in games that are not over, by the game's opening."""
    going_on = (Game.Status.ACTIVE, Game.Status.INVITED)
    seats = Seat.objects.filter(
        account__in=[*accounts], game__status__in=going_on, game__club_game__isnull=False
    )
    related = seats.select_related("game__club_game__club")
    yield from related.order_by("game__opened_at", "game", "number")


def _awaited(seat: Seat) -> bool:
    return seat.game.status == Game.Status.ACTIVE and seat.number in seat.game.awaited


def _write_turns(awaited: Sequence[Seat]) -> None:
    """Write the turns that are not written yet; a turn has the moment since when the seat is awaited."""
    keys = {(seat.account, _key(seat)): seat for seat in awaited if seat.account}
    known = AccountEvent.objects.filter(
        account__in={account for account, _key in keys}, key__in=[key for _account, key in keys]
    )
    written = {*known.values_list("account", "key")} if keys else set()
    AccountEvent.objects.bulk_create(
        [
            AccountEvent(
                account_id=account,
                key=key,
                kind=Kind.TURN,
                about=_game(seat.game.club_game, seat.game, seat.number),
            )
            for (account, key), seat in keys.items()
            if (account, key) not in written
        ],
        ignore_conflicts=True,
    )


def _key(seat: Seat) -> str:
    since = seat.game.since[seat.number]
    return f"{seat.game_id} {stamp(since) if since else seat.game.seq}"


_NUMBER: Final = """
WITH numbered AS (
    UPDATE league_accountevent AS event SET seq = new.seq
    FROM (
        SELECT fresh.id,
            feed.last + row_number() OVER (PARTITION BY fresh.account_id ORDER BY fresh.id) AS seq
        FROM league_accountevent AS fresh JOIN league_accountfeed AS feed USING (account_id)
        WHERE fresh.seq IS NULL AND fresh.account_id = ANY(%s::uuid[])
    ) AS new
    WHERE event.id = new.id
    RETURNING event.account_id, event.seq
)
UPDATE league_accountfeed AS feed SET last = highest.seq
FROM (SELECT account_id, max(seq) AS seq FROM numbered GROUP BY account_id) AS highest
WHERE feed.account_id = highest.account_id
"""


def _number(accounts: Collection[UUID]) -> None:
    """Give the rows of accounts that have no number the next ones."""
    fresh = AccountEvent.objects.filter(seq=None, account__in=[*accounts]).order_by("account")
    waiting = sorted({*fresh.values_list("account", flat=True)})
    if not waiting:
        return
    AccountFeed.objects.bulk_create(
        [AccountFeed(account_id=account) for account in waiting], ignore_conflicts=True
    )
    with transaction.atomic():
        # Locked in one order, and before the statement that numbers: it must see what others have numbered.
        locked = AccountFeed.objects.select_for_update().filter(account__in=waiting).order_by("account")
        with connection.cursor() as cursor:
            cursor.execute(_NUMBER, [[feed.pk for feed in locked]])


def _after(wanted: Mapping[UUID, int]) -> Sequence[AccountEvent]:
    """Return the numbered events of each account after its number, in order."""
    return list(
        AccountEvent.objects.raw(
            """
            SELECT event.* FROM unnest(%s::uuid[], %s::integer[]) AS wanted(account, seq)
            JOIN league_accountevent AS event
                ON event.account_id = wanted.account AND event.seq > wanted.seq
            ORDER BY event.account_id, event.seq
            """,
            [[*wanted], [*wanted.values()]],
        )
    )


# ---- Forgetting ----------------------------------------------------------------------------------


def forget_account_events() -> None:
    """Remove old events, and those beyond `MOST` of an account; who has not read them is told so."""
    old = AccountEvent.objects.filter(at__lt=timezone.now() - KEPT)
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
        old = events.filter(at__lt=timezone.now() - KEPT).aggregate(last=Max("seq"))["last"] or 0
        feed.dropped = max(feed.dropped, old, feed.last - MOST)
        feed.save(update_fields=["dropped"])
        events.filter(seq__lte=feed.dropped).delete()
    else:
        # Nobody has a number that these could be missing after.
        events.filter(at__lt=timezone.now() - KEPT).delete()
