"""A club's listings: its players, competitions and casual games."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, tzinfo
from typing import Final
from uuid import UUID

from league.files.exports.listing import Column, Listing, Value
from league.models import ClubGame, Competition, Player, Rating
from league.queries.games import SeatedPlayer, placings_of
from league.words.messages import shown_name

_ID: Final[Column] = ("id", lambda row: str(row.pk))


def players(rows: Iterable[Player]) -> Listing:
    """Return the public data of players."""
    name: Column = ("name", lambda row: shown_name(row.name))
    return Listing.of("players", rows, (_ID, name, "active"))


def players_with_accounts(rows: Iterable[Player]) -> Listing:
    """Return players with the names of their accounts, for organisers; the file can be imported."""
    account: Column = ("account", lambda row: row.account.username if row.account else None)
    return Listing.of("players", rows, (_ID, "name", account, "active", ("club", "club.name")))


def competitions(rows: Iterable[Competition], zone: tzinfo) -> Listing:
    """Return a club's competitions with their status; ``rows`` have ``entry_count``, how many entered."""
    counted = (("game", "ruleset"), "status", "round", ("entries", "entry_count"))
    changed: Column = ("changed_at", "shown_at")
    return Listing.of("competitions", rows, (_ID, "name", *counted, "opened_at", changed), zone)


def ratings(rows: Iterable[Rating]) -> Listing:
    """Return a rating list in its order; ``rows`` have their players loaded."""
    player: Column = ("player", lambda row: str(row.player_id))
    name: Column = ("name", lambda row: shown_name(row.player.name))
    columns = (player, name, "points", "uncertainty", "sure_points", "games")
    return Listing.of("ratings", rows, columns)


def games(rows: Iterable[ClubGame], seats: Mapping[UUID, tuple[SeatedPlayer, ...]]) -> Listing:
    """Return a row for each seat of each game of a club, with rank and score once it has a result."""
    columns = (
        *("game", "ruleset", "competition", "status", "opened_at"),
        *("seat", "player", "rank", "score", "ruled"),
    )
    played = list(rows)
    cells = tuple(row for club_game in played for row in _seats(club_game, seats[club_game.pk]))
    return Listing("games", columns, cells, played[0].club.zone if played else UTC)


def _seats(club_game: ClubGame, seats: tuple[SeatedPlayer, ...]) -> Iterator[tuple[Value, ...]]:
    game = club_game.game
    placings = placings_of(club_game)
    competition = club_game.competition.name if club_game.competition else None
    own = (str(game.pk), game.ruleset, competition, game.status, game.opened_at)
    for seat in seats:
        placing = placings.get(seat.seat, {})
        name = shown_name(seat.player.name) if seat.player else None
        yield (*own, seat.seat + 1, name, placing.get("rank"), placing.get("score"), club_game.ruled)
