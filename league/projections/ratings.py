"""Clubs' rating lists, kept in step with the logs of their competitions.

A list is a fold over its rated games in the order in which they ended (`core.ratings`). A newest result is
rated from the stored ratings of its players; after one that comes late or is corrected, the list is computed
again from that game on. Either way it equals the list computed from the first game on.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Final, TypeAlias
from uuid import UUID, uuid5

from django.db import connection, transaction
from django.db.models import Q, QuerySet

from games import rules
from games.models import Game, Seat
from league import log
from league.core.ratings import NEW_PLAYER, RatedGame, RatedResult, history, rated_game, rated_results
from league.core.ratings import Rating as RatingValue
from league.core.state.competition import Competition as State
from league.models import Club, Competition, GameRating, Rating, Ratings
from league.projections.rows import people_of

Order: TypeAlias = tuple[datetime, UUID]
"""When a game ended, and its id: a list is in this order."""
Ranks: TypeAlias = tuple[tuple[UUID, int], ...]
_BATCH: Final = 1000


@dataclass(frozen=True)
class Listed:
    """A rated game; seats are numbers, players, teams and ranks."""

    competition: UUID
    game: UUID
    ended_at: datetime
    seats: tuple[tuple[int, UUID, int, int], ...]

    @property
    def order(self) -> Order:
        return self.ended_at, self.game

    @property
    def players(self) -> tuple[UUID, ...]:
        return tuple(player for _, player, _, _ in self.seats)


@dataclass(frozen=True)
class List:
    """A club's list for a game, whatever the version of its rules and the words of its definition."""

    club: UUID
    ruleset: str

    @property
    def rows(self) -> QuerySet[GameRating]:
        rows = GameRating.objects.filter(club=self.club, ruleset=self.ruleset)
        return rows.order_by("ended_at", "game_id", "seat")


def lock(club_id: UUID) -> None:
    """Keep others from a club's rating lists, and its players from being merged, until the transaction ends.

    That is a lock of its own: a long list is computed while people come, leave and get other names. Where it
    stands among all others is said in `projections.public_names`.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"ratings {club_id}"])


@transaction.atomic
def compute_ratings(competition_id: UUID) -> bool:
    """Bring a club's rating list up to a competition's log; return whether it was old.

    One worker at a time in a club: one that had to wait finds that a burst of results has been counted.
    """
    lock(Club.objects.get(competitions=competition_id).pk)
    competition = Competition.objects.get(pk=competition_id)
    reach, _ = Ratings.objects.get_or_create(competition=competition)
    if reach.as_of == competition.seq:
        return False
    _follow(competition)
    reach.as_of = competition.seq
    reach.save(update_fields=["as_of"])
    return True


@transaction.atomic
def rebuild(club_id: UUID, *, as_listed: Collection[UUID] = ()) -> None:
    """Delete a club's rating lists and compute them from its logs, from the first game on.

    Of the competitions ``as_listed`` the games are those in the lists.
    """
    lock(club_id)
    competitions = Competition.objects.filter(club=club_id).order_by("pk")
    rows = GameRating.objects.filter(club=club_id)
    listed = [*_games(rows.filter(competition__in=as_listed).order_by("game_id", "seat"))]
    rulesets = dict(rows.filter(competition__in=as_listed).values_list("game_id", "ruleset"))
    rows.delete()
    Rating.objects.filter(club=club_id).delete()
    Ratings.objects.filter(competition__in=competitions).delete()
    games: dict[List, list[Listed]] = {}
    for each in listed:
        games.setdefault(List(club_id, rules.game_key(rulesets[each.game])), []).append(each)
    for competition in competitions.exclude(pk__in=as_listed).iterator():
        # Of a club with many competitions not all states fit into memory.
        results = _results(competition, log.state_at(competition, competition.seq))
        games.setdefault(_list_of(competition), []).extend(_listed(competition, results))
        Ratings.objects.create(competition=competition, as_of=competition.seq)
    for list_, played in games.items():
        _rate(list_, sorted(played, key=lambda each: each.order), {})


# ---- What changed --------------------------------------------------------------------------------


def _follow(competition: Competition) -> None:
    """Rate the competition's games whose results differ from the list, and all that ended after them."""
    results = {UUID(each.game): each for each in _results(competition, log.latest(competition))}
    listed = _ranks_listed(competition)
    changed = {game for game in {*results, *listed} if _ranks(results.get(game)) != listed.get(game, ())}
    if changed:
        fresh = _listed(competition, [results[game] for game in results if game in changed])
        _rate_anew(_list_of(competition), changed, fresh)


def _results(competition: Competition, state: State) -> list[RatedResult]:
    """Return the competition's rated results, those of a player who was merged under the one who remains."""
    people = people_of(competition.club_id)
    return [
        RatedResult(
            each.game, tuple((seat, str(people.player(player)), rank) for seat, player, rank in each.seats)
        )
        for each in rated_results(state)
    ]


def _list_of(competition: Competition) -> List:
    return List(competition.club_id, rules.game_key(competition.ruleset))


def _ranks(result: RatedResult | None) -> Ranks:
    return tuple((UUID(player), rank) for _, player, rank in result.seats) if result else ()


def _ranks_listed(competition: Competition) -> Mapping[UUID, Ranks]:
    rows = GameRating.objects.filter(competition=competition).order_by("game_id", "seat")
    values = rows.values_list("game", "player", "rank")
    return {
        game: tuple((player, rank) for _, player, rank in seats)
        for game, seats in groupby(values, key=lambda row: row[0])
    }


def _listed(competition: Competition, results: Iterable[RatedResult]) -> list[Listed]:
    """Return results with the ends and teams of their games; a game of one team is not rated."""
    by_game = {UUID(each.game): each for each in results}
    ends = dict(Game.objects.filter(pk__in=by_game).values_list("pk", "moved_at"))
    seats = Seat.objects.filter(game__in=by_game).values_list("game", "number", "team")
    teams = {(game, seat): team for game, seat, team in seats}
    games = [
        Listed(
            competition.pk,
            game,
            ends[game],
            tuple((seat, UUID(player), teams[game, seat], rank) for seat, player, rank in each.seats),
        )
        for game, each in by_game.items()
    ]
    return [game for game in games if len({team for _, _, team, _ in game.seats}) > 1]


# ---- Rating --------------------------------------------------------------------------------------


def _rate_anew(list_: List, changed: set[UUID], fresh: Sequence[Listed]) -> None:
    """Insert changed games in their order, and rate the list from the first of them on."""
    gone = list_.rows.filter(game__in=changed)
    out = {row.player_id: (row.ended_at, row.game_id) for row in gone.order_by("-ended_at", "-game_id")}
    since = min([*out.values(), *(game.order for game in fresh)], default=None)
    if since is None:
        return
    later = _from(list_, since)
    kept = [game for game in _games(later) if game.game not in changed]
    games = sorted([*kept, *fresh], key=lambda game: game.order)
    players = {*out, *(player for game in games for player in game.players)}
    before = _before(list_, since, players)
    later.delete()
    Rating.objects.filter(club=list_.club, ruleset=list_.ruleset, player__in=players).delete()
    _rate(list_, games, before)


def _from(list_: List, order: Order) -> QuerySet[GameRating]:
    ended_at, game = order
    return list_.rows.filter(Q(ended_at__gt=ended_at) | Q(ended_at=ended_at, game__gte=game))


def _games(rows: QuerySet[GameRating]) -> Iterator[Listed]:
    for game, group in groupby(rows, key=lambda row: row.game_id):
        first, *others = group
        seats = tuple((row.seat, row.player_id, row.team, row.rank) for row in (first, *others))
        yield Listed(first.competition_id, game, first.ended_at, seats)


def _before(list_: List, order: Order, players: Iterable[UUID]) -> dict[UUID, RatingValue]:
    """Return the ratings of players before a game of the list."""
    ended_at, game = order
    earlier = list_.rows.filter(Q(ended_at__lt=ended_at) | Q(ended_at=ended_at, game__lt=game))
    last = (
        earlier.filter(player__in=players)
        .order_by("player_id", "-ended_at", "-game_id")
        .distinct("player_id")
    )
    return {row.player_id: row.rating for row in last}


def _rate(list_: List, games: Sequence[Listed], before: Mapping[UUID, RatingValue]) -> None:
    """Write the rows of games in their order, and the ratings of their players after them."""
    known = {str(player): was for player, was in before.items()}
    rows: list[GameRating] = []
    for game, after in zip(games, history(map(_rated, games), known), strict=True):
        rows.extend(_rows(list_, game, known, after))
        known |= after
        if len(rows) >= _BATCH:
            GameRating.objects.bulk_create(rows)
            rows.clear()
    GameRating.objects.bulk_create(rows)
    ratings = [_rating(list_, UUID(player), now) for player, now in known.items()]
    Rating.objects.bulk_create(ratings, batch_size=_BATCH)


def _rated(game: Listed) -> RatedGame:
    _, players, teams, ranks = zip(*game.seats, strict=True)
    return rated_game([str(player) for player in players], teams, ranks)


def _rows(
    list_: List, game: Listed, before: Mapping[str, RatingValue], after: Mapping[str, RatingValue]
) -> Iterator[GameRating]:
    for seat, player, team, rank in game.seats:
        was, now = before.get(str(player), NEW_PLAYER), after[str(player)]
        yield GameRating(
            id=uuid5(game.game, str(player)),
            club_id=list_.club,
            competition_id=game.competition,
            ruleset=list_.ruleset,
            ended_at=game.ended_at,
            game_id=game.game,
            seat=seat,
            team=team,
            player_id=player,
            rank=rank,
            mean=now.mean,
            deviation=now.deviation,
            games=now.games,
            gained=now.points - was.points,
        )


def _rating(list_: List, player: UUID, now: RatingValue) -> Rating:
    return Rating(
        id=uuid5(player, list_.ruleset),
        club_id=list_.club,
        player_id=player,
        ruleset=list_.ruleset,
        points=now.points,
        uncertainty=now.uncertainty,
        sure_points=now.sure_points,
        games=now.games,
    )
