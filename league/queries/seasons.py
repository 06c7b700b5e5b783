"""The seasons of clubs: a season has the competitions of one year.

A competition belongs to the year of its first day or, where none is told, of the day in the club's time zone
on which it was opened.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.contrib.postgres.aggregates import ArrayAgg, BoolAnd
from django.db.models import Count, F, QuerySet
from django.db.models.functions import Coalesce, ExtractYear

from league.core.standings.ranking import placed
from league.models import Club, Competition, Entry, EntryPlayer, GameRating, Player, Stage
from league.queries.competitions import OVER, all_competitions, with_entry_counts
from league.queries.permissions import shown_to
from league.queries.records import GAMES_FOR_A_RECORD, RatingRecord
from league.queries.standings import current_orders

PODIUM = 3


def seasons_of(club: Club) -> Sequence[int]:
    """Return the years in which a club has competitions, the last one first."""
    own = all_competitions().filter(club=club).annotate(year=_year_in(club))
    return sorted(set(own.order_by().values_list("year", flat=True)), reverse=True)


def all_seasons() -> Sequence[tuple[str, int]]:
    """Return the seasons of all clubs as (slug, year), in that order; a query for each time zone."""
    found: set[tuple[str, int]] = set()
    for club in Club.objects.order_by("timezone", "pk").distinct("timezone"):
        years = all_competitions().filter(club__timezone=club.timezone).annotate(year=_year_in(club))
        found |= set(years.order_by().values_list("club__slug", "year").distinct())
    return sorted(found)


def season(club: Club, year: int) -> QuerySet[Competition]:
    """Return a season's competitions, each with ``entry_count``, those that are not over first."""
    own = all_competitions().filter(club=club).annotate(year=_year_in(club))
    return with_entry_counts(own.filter(year=year))


def next_in(season: QuerySet[Competition], today: date) -> Competition | None:
    """Return the competition of a season that begins next, today at the earliest."""
    coming = season.filter(stored_details__begins_on__gte=today).exclude(status__in=OVER)
    return coming.order_by("stored_details__begins_on", "stored_details__begins_at", "pk").first()


def _year_in(club: Club) -> Coalesce:
    opened = ExtractYear("opened_at", tzinfo=club.zone)
    return Coalesce(ExtractYear("stored_details__begins_on"), opened)


# ---- Competitions --------------------------------------------------------------------------------


@dataclass(frozen=True)
class PodiumPlace:
    """One of the first three of a finished competition; ``bot`` says that it is an entry of bots alone.

    ``player`` is the id of its player, None for a team.
    """

    place: int
    name: str
    bot: bool
    player: UUID | None


@dataclass(frozen=True)
class InSeason:
    """A competition with the stages that have begun, and its first three once it is finished."""

    competition: Competition
    stages: tuple[Stage, ...]
    podium: tuple[PodiumPlace, ...]


def told_of(competitions: Sequence[Competition]) -> Sequence[InSeason]:
    """Return what a page of a season tells of competitions; four queries for all."""
    begun: dict[UUID, list[Stage]] = {each.pk: [] for each in competitions}
    known = {each.pk: each for each in competitions}
    for stage in Stage.objects.filter(competition__in=competitions).order_by("competition", "number"):
        if stage.number <= known[stage.competition_id].stage:
            begun[stage.competition_id].append(stage)
    ended = [each.pk for each in competitions if each.status == Competition.Status.FINISHED]
    first = _first({pk: begun[pk] for pk in ended})
    return [InSeason(each, tuple(begun[each.pk]), first.get(each.pk, ())) for each in competitions]


def _first(ended: Mapping[UUID, Sequence[Stage]]) -> Mapping[UUID, tuple[PodiumPlace, ...]]:
    orders = current_orders([stage for stages in ended.values() for stage in stages])
    gone = {entry for order in orders.values() for entry in order.gone()}
    places = {
        pk: [
            each
            for each in placed(
                [
                    (stage.has_divisions, [*orders[stage.pk].ranks()])
                    for stage in reversed(stages)
                    if stage.pk in orders
                ],
                gone,
            )
            if each[0] <= PODIUM and each[1] not in gone
        ]
        for pk, stages in ended.items()
    }
    wanted = {UUID(entry) for own in places.values() for _place, entry in own}
    rows, members = Entry.objects.filter(pk__in=wanted).select_related("competition"), _members(wanted)
    names = {each.pk: each.called for each in rows}
    return {
        pk: tuple(
            PodiumPlace(place, names[UUID(entry)], *members.get(UUID(entry), (False, None)))
            for place, entry in own
        )
        for pk, own in places.items()
    }


def _members(entries: Collection[UUID]) -> Mapping[UUID, tuple[bool, UUID | None]]:
    """Return of each entry whether all of its players are bots, and its player where it has one alone."""
    members = EntryPlayer.objects.filter(entry__in=entries).order_by().values_list("entry")
    found = members.annotate(only=BoolAnd("player__bot"), players=ArrayAgg("player_id"))
    return {entry: (only, players[0] if len(players) == 1 else None) for entry, only, players in found}


# ---- Records -------------------------------------------------------------------------------------


def season_records(club: Club, season: QuerySet[Competition]) -> Sequence[RatingRecord]:
    """Return the records in each rated game of a season, of players whom everybody may see; three queries."""
    shown = shown_to(None, Player.objects.filter(club=club))
    rated = GameRating.objects.filter(
        club=club, competition__in=season.order_by().values("pk"), player__in=shown
    )
    best = rated.filter(games__gte=GAMES_FOR_A_RECORD).select_related("player")
    best = best.order_by("ruleset", "-mean", "ended_at", "game_id", "player_id").distinct("ruleset")
    highest = {each.ruleset: each for each in best}
    counted = rated.order_by().values("ruleset", "player").annotate(count=Count("pk"))
    most: dict[str, list[tuple[UUID, int]]] = {}
    for row in counted.order_by("ruleset", F("count").desc(), "player__sort_name", "player"):
        most.setdefault(row["ruleset"], []).append((row["player"], row["count"]))
    players = Player.objects.in_bulk([rows[0][0] for rows in most.values()])
    return [
        RatingRecord(ruleset, highest.get(ruleset), players[player], count, len(same))
        for ruleset, [(player, count), *others] in most.items()
        for same in [[each for each, games in others if games == count]]
    ]
