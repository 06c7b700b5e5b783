"""A club's listings: its players, competitions and casual games."""

from collections.abc import Iterable, Iterator, Mapping
from uuid import UUID

from league.exports.listing import Listing, Value
from league.models import ClubGame, Competition, Player, Rating
from league.selectors import SeatedPlayer


def players(rows: Iterable[Player]) -> Listing:
    """Return players as anybody may know them."""
    told = tuple((str(row.pk), row.name, row.active) for row in rows)
    return Listing("players", ("id", "name", "active"), told)


def players_with_accounts(rows: Iterable[Player]) -> Listing:
    """Return players with the names of their accounts, for those who direct the club: a file to import."""
    told = tuple(
        (str(row.pk), row.name, row.account.username if row.account else None, row.active, row.club.name)
        for row in rows
    )
    return Listing("players", ("id", "name", "account", "active", "club"), told)


def competitions(rows: Iterable[Competition]) -> Listing:
    """Return competitions with where each stands; ``rows`` carry their ``places``."""
    columns = ("id", "name", "game", "status", "round", "entries", "opened_at", "changed_at")
    told = tuple(
        (
            str(row.pk),
            row.name,
            row.ruleset,
            row.status,
            row.round,
            getattr(row, "places", None),
            row.opened_at,
            row.changed_at,
        )
        for row in rows
    )
    return Listing("competitions", columns, told)


def ratings(rows: Iterable[Rating]) -> Listing:
    """Return a rating list in its order; ``rows`` carry their players."""
    columns = ("player", "name", "points", "uncertainty", "sure_points", "games")
    told = tuple(
        (str(row.player_id), row.player.name, row.points, row.uncertainty, row.sure_points, row.games)
        for row in rows
    )
    return Listing("ratings", columns, told)


def games(rows: Iterable[ClubGame], seats: Mapping[UUID, tuple[SeatedPlayer, ...]]) -> Listing:
    """Return a row for each seat of each game, with rank and score once it has a result."""
    columns = ("game", "ruleset", "competition", "status", "opened_at", "seat", "player", "rank", "score")
    told = tuple(row for place in rows for row in _seats(place, seats[place.pk]))
    return Listing("games", columns, told)


def _seats(place: ClubGame, seats: tuple[SeatedPlayer, ...]) -> Iterator[tuple[Value, ...]]:
    game = place.game
    placings = game.result["seats"] if game.result else [{}] * len(seats)
    competition = place.competition.name if place.competition else None
    own = (str(game.pk), game.ruleset, competition, game.status, game.opened_at)
    for seat, placing in zip(seats, placings, strict=True):
        name = seat.player.name if seat.player else None
        yield (*own, seat.seat + 1, name, placing.get("rank"), placing.get("score"))
