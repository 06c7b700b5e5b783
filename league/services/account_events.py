"""What concerns an account: written with what happens, and read in `league.services.account_feeds`.

A writer inserts rows and locks nothing. A move writes nothing here, whoever listens: whose turn it is is
written by those who read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, TypeAlias
from uuid import UUID

from games import database_time
from games.log import Appended as Made
from games.models import Game, Seat
from league.choices import AccountEventKind
from league.log import Appended
from league.models import Account, AccountEvent, ClubGame, Competition
from league.services.channel import tell, topic

Kind: TypeAlias = AccountEventKind


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
