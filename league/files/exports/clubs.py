"""A club's listings: its players, competitions and casual games."""

from collections.abc import Iterable, Iterator, Mapping
from uuid import UUID

from league.files.exports.listing import Listing, Value
from league.models import ClubGame, Competition, Player, Rating
from league.queries.games import SeatedPlayer


def players(rows: Iterable[Player]) -> Listing:
    """Return the public data of players."""
    cells = tuple((str(row.pk), row.name, row.active) for row in rows)
    return Listing("players", ("id", "name", "active"), cells)


def players_with_accounts(rows: Iterable[Player]) -> Listing:
    """Return players with the names of their accounts, for organisers; the file can be imported."""
    cells = tuple(
        (str(row.pk), row.name, row.account.username if row.account else None, row.active, row.club.name)
        for row in rows
    )
    return Listing("players", ("id", "name", "account", "active", "club"), cells)


def competitions(rows: Iterable[Competition]) -> Listing:
    """Return competitions with their status; ``rows`` have ``entry_count``, the number of entries."""
    columns = ("id", "name", "game", "status", "round", "entries", "opened_at", "changed_at")
    cells = tuple(
        (
            str(row.pk),
            row.name,
            row.ruleset,
            row.status,
            row.round,
            getattr(row, "entry_count", None),
            row.opened_at,
            row.changed_at,
        )
        for row in rows
    )
    return Listing("competitions", columns, cells)


def ratings(rows: Iterable[Rating]) -> Listing:
    """Return a rating list in its order; ``rows`` have their players loaded."""
    columns = ("player", "name", "points", "uncertainty", "sure_points", "games")
    cells = tuple(
        (str(row.player_id), row.player.name, row.points, row.uncertainty, row.sure_points, row.games)
        for row in rows
    )
    return Listing("ratings", columns, cells)


def games(rows: Iterable[ClubGame], seats: Mapping[UUID, tuple[SeatedPlayer, ...]]) -> Listing:
    """Return a row for each seat of each game, with rank and score once it has a result."""
    columns = ("game", "ruleset", "competition", "status", "opened_at", "seat", "player", "rank", "score")
    cells = tuple(row for club_game in rows for row in _seats(club_game, seats[club_game.pk]))
    return Listing("games", columns, cells)


def _seats(club_game: ClubGame, seats: tuple[SeatedPlayer, ...]) -> Iterator[tuple[Value, ...]]:
    game = club_game.game
    placings = game.result["seats"] if game.result else [{}] * len(seats)
    competition = club_game.competition.name if club_game.competition else None
    own = (str(game.pk), game.ruleset, competition, game.status, game.opened_at)
    for seat, placing in zip(seats, placings, strict=True):
        name = seat.player.name if seat.player else None
        yield (*own, seat.seat + 1, name, placing.get("rank"), placing.get("score"))
