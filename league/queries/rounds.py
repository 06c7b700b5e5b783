"""Rounds, their tables and seats."""

from collections.abc import Mapping
from typing import Final
from uuid import UUID

from django.db.models import Count, Prefetch, Q, QuerySet, prefetch_related_objects

from league import log
from league.models import Bye, Club, ClubGame, Competition, Player, Round, Table, TableSeat

DECIDED: Final = (Table.Status.PLAYED, Table.Status.WALKOVER, Table.Status.VOID)
"""The statuses of a table that has its result, or needs none."""


def rounds_of(competition: Competition, *, drawn: bool = False) -> QuerySet[Round]:
    """Return the rounds with their tables, the last one first; with ``drawn`` unpublished ones too."""
    rounds = Round.objects.filter(stage__competition=competition).select_related("stage")
    shown = rounds if drawn else rounds.exclude(status=Round.Status.DRAWN)
    tables = with_seats_and_games(Table.objects.order_by("number"))
    return shown.prefetch_related(Prefetch("tables", tables), _byes()).order_by("-stage__number", "-number")


def rounds_due(club: Club) -> QuerySet[Round]:
    """Return the rounds of a club's competitions that are played until a deadline, the first due first."""
    due = Round.objects.filter(
        stage__competition__club=club, status=Round.Status.PUBLISHED, deadline__isnull=False
    )
    return due.select_related("stage__competition").order_by("deadline", "pk")


def counted_rounds_of(competition: Competition) -> QuerySet[Round]:
    """Return the rounds without their tables, the last one first, with how many tables each has.

    That is ``table_count``; ``decided_count`` are those that have their result.
    """
    decided = Count("tables", filter=Q(tables__status__in=DECIDED))
    rounds = rounds_of(competition).prefetch_related(None)
    return rounds.annotate(table_count=Count("tables"), decided_count=decided)


def has_results(its_round: Round) -> bool:
    """Return whether at least one table of one of `counted_rounds_of` has its result."""
    return bool(its_round.decided_count)  # type: ignore[attr-defined]  # annotated


def _byes() -> "Prefetch[str, QuerySet[Bye], str]":
    return Prefetch("byes", Bye.objects.select_related("entry").order_by("entry__number"))


def with_first_tables(its_round: Round, most: int) -> int:
    """Give one of `counted_rounds_of` its byes and its first tables, as `rounds_of` does all.

    Return how many tables it has.
    """
    count: int = its_round.table_count  # type: ignore[attr-defined]  # annotated
    tables = Table.objects.filter(round=its_round).order_by("number")
    if count > most:
        tables = tables.filter(number__lte=most)
    prefetch_related_objects([its_round], Prefetch("tables", with_seats_and_games(tables)), _byes())
    return count


def rulings_of(competition: Competition) -> Mapping[UUID, int]:
    """Return the number of the event that set the result of each ruled table by hand, by the table's id."""
    rounds = [each for stage in log.latest(competition).stages for each in stage.shown_rounds]
    return {UUID(table.id): table.ruling.seq for each in rounds for table in each.tables if table.ruling}


def tables_of_competition(competition: Competition, *, drawn: bool = False) -> QuerySet[Table]:
    """Return the tables with seats and games, the last round first; with ``drawn`` unpublished ones too."""
    tables = Table.objects.filter(round__stage__competition=competition).select_related("round__stage")
    shown = tables if drawn else tables.exclude(round__status=Round.Status.DRAWN)
    return with_seats_and_games(shown).order_by("-round__stage__number", "-round__number", "number")


def tables_put_off(competition: Competition) -> QuerySet[Table]:
    """Return the tables that are put off, with their rounds, in the order of play."""
    tables = Table.objects.filter(round__stage__competition=competition).exclude(postponed_reason="")
    ordered = tables.order_by("round__stage__number", "round__number", "number")
    return ordered.select_related("round__stage")


def tables_of_player(player: Player) -> QuerySet[Table]:
    """Return the published tables of a player, the newest competition and round first."""
    tables = Table.objects.filter(seats__player=player).exclude(round__status=Round.Status.DRAWN)
    shown = tables.select_related("round__stage__competition")
    return with_seats_and_games(shown).order_by(
        "-round__stage__competition__opened_at", "-round__stage__number", "-round__number", "number", "pk"
    )


def tables_to_print(round_: Round) -> QuerySet[Table]:
    """Return a round's tables in order, with all related rows that score sheets need."""
    tables = Table.objects.filter(round=round_).order_by("number")
    return with_seats_and_games(tables).select_related("round__stage__competition__club")


def with_seats(tables: QuerySet[Table]) -> QuerySet[Table]:
    """Return tables with their seats."""
    seats = TableSeat.objects.select_related("entry", "player").order_by("number")
    return tables.prefetch_related(Prefetch("seats", seats))


def with_seats_and_games(tables: QuerySet[Table]) -> QuerySet[Table]:
    """Return tables with their seats and games."""
    games = ClubGame.objects.select_related("game").order_by("game__opened_at", "game")
    return with_seats(tables).prefetch_related(Prefetch("games", games))
