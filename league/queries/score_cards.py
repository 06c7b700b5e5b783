"""Score cards of games with real cards: those of a round, those that wait, and whose result is still open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db.models import Q, QuerySet

from games import log
from games.engine.paper import PaperCard
from games.engine.replay import Position
from games.models import Game
from league.choices import UNDER_WAY
from league.models import Account, Club, ClubGame, Round, Table
from league.queries.events import RESULT
from league.queries.games import all_games
from league.queries.rounds import with_seats_and_games

if TYPE_CHECKING:
    from games.models.moves import Move

_BY_GAMES = (Table.Status.PLAYING, Table.Status.PLAYED, Table.Status.POSTPONED)


def unconfirmed_score_cards(
    clubs: Iterable[Club], *, disputed: bool, still_since: datetime | None = None
) -> QuerySet[ClubGame]:
    """Return the clubs' running cards with rounds to confirm, the oldest change first.

    They are those that are disputed, or all others. With ``still_since`` only cards without a change since
    then.
    """
    running = all_games().filter(club__in=clubs, game__status=Game.Status.ACTIVE)
    in_dispute = ~Q(game__disputed=[])
    waiting = (
        running.filter(in_dispute) if disputed else running.exclude(in_dispute | Q(game__unconfirmed=[]))
    )
    if still_since is not None:
        waiting = waiting.filter(game__moved_at__lt=still_since)
    return waiting.order_by("game__moved_at", "game")


def cards_to_confirm(games: Iterable[str]) -> QuerySet[ClubGame]:
    """Return those of some games that are running cards with rounds to confirm, table by table."""
    running = all_games().filter(game__in=[*games], game__status=Game.Status.ACTIVE)
    return running.exclude(game__unconfirmed=[]).order_by("table__round__number", "table__number", "game")


def is_open(club_game: ClubGame) -> bool:
    """Return whether a card that is over can be corrected: its round is open, and its result counts."""
    table = club_game.table
    by_its_games = table is not None and not table.ruled and table.status in _BY_GAMES
    return by_its_games and table is not None and table.round.status == Round.Status.PUBLISHED


def rounds_played(clubs: Iterable[Club]) -> QuerySet[Round]:
    """Return the rounds that are being played in the clubs' competitions, the longest open first."""
    current = Round.objects.filter(
        status=Round.Status.PUBLISHED,
        stage__competition__club__in=clubs,
        stage__competition__status__in=UNDER_WAY,
    )
    return current.select_related("stage__competition__club").order_by(
        "stage__competition__opened_at", "stage__competition", "stage__number", "number"
    )


def published_round(round_id: UUID) -> Round | None:
    """Return a round that is or was published, with its competition; None where there is none."""
    published = Round.objects.exclude(status=Round.Status.DRAWN)
    return published.select_related("stage__competition__club").filter(pk=round_id).first()


def rounds_of_tables(tables: Iterable[UUID]) -> Mapping[UUID, UUID]:
    """Return the id of each table's round, by the table's id, without tables that no longer exist."""
    return dict(Table.objects.filter(pk__in=[*tables]).values_list("pk", "round"))


def tables_of_rounds(rounds: Sequence[Round]) -> Mapping[UUID, Sequence[Table]]:
    """Return the tables of each round in order, by its id, with seats and games; four queries for all."""
    tables: dict[UUID, list[Table]] = {each.pk: [] for each in rounds}
    known = {each.pk: each for each in rounds}
    listed = with_seats_and_games(Table.objects.filter(round__in=rounds))
    for table in listed.order_by("round", "number", "pk"):
        table.round = known[table.round_id]
        tables[table.round_id].append(table)
    return tables


def last_written(game: Game, number: int) -> Move | None:
    """Return the entry of a card's log that last wrote a round, None where there is none."""
    kinds = log.ruleset_of(game).entry_moves
    written = [entry for entry in log.entries(game) if entry.move["type"] in kinds]
    of_round = [entry for entry in written if number in (entry.move.get("round"), entry.move.get("replaces"))]
    return of_round[-1] if of_round else None


def last_writer(game: Game) -> str | None:
    """Return the id of the account behind the last entry of a score card's log.

    None for any other game, and where somebody without an account wrote it.
    """
    if not isinstance(log.ruleset_of(game), PaperCard):
        return None
    return log.entries(game, after=game.seq - 1)[0].account


def by_one(game: Game) -> bool:
    """Return whether a scorekeeper entered a round of a card alone, and no seat has confirmed it since."""
    if not isinstance(log.ruleset_of(game), PaperCard):
        return False
    kinds, alone = log.ruleset_of(game).entry_moves, set[object]()
    for entry in log.entries(game, after=1):
        kind, number = entry.move["type"], entry.move.get("replaces", entry.move.get("round"))
        if kind in kinds and entry.role == "arbiter":
            alone.add(number)
        elif kind in (*kinds, "confirm") and entry.role != "arbiter":
            alone.discard(number)
    return bool(alone)


def name_of(account: str | None) -> str | None:
    """Return the user name of an account by the id that a log holds, None for nobody."""
    return Account.objects.filter(pk=account).values_list("username", flat=True).first() if account else None


def cards_of(games: Sequence[Game]) -> Mapping[UUID, Position]:
    """Return the score cards among games by their ids; those that are not replayable are left out."""
    positions = log.latest_of(games)
    return {game: position for game, position in positions.items() if isinstance(position.ruleset, PaperCard)}


def left_empty(events: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """Return the ids of the cards that these events of a competition's log close, and that have no entry."""
    ended = (each for each in events if each["type"] == RESULT and each["status"] == Game.Status.ABANDONED)
    left = {each["game"]: UUID(each["game"]) for each in ended}
    begun = log.begun(left.values()) if left else frozenset()
    return frozenset(text for text, game in left.items() if game not in begun)
