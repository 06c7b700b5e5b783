"""Work that is due, found in the database, also when the message about it was lost."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db.models import F, Min, Q, QuerySet
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from games import database_time
from games.models import Game, Seat
from league import log
from league.choices import UNDER_WAY
from league.core import beacon
from league.core.house_bots import HOUSE_BOTS
from league.models import ClubGame, Competition, Job, Notice, Round, Table
from league.models.jobs import LEASE
from league.queries.competitions import can_advance

_GIVEN_UP_AFTER: Final = timedelta(days=2)


def games_to_record() -> Sequence[UUID]:
    """Return the games of open competitions whose end, or whose going on after one, is not recorded yet."""
    return list(_to_record().order_by("game").values_list("game", flat=True))


def ends_to_record(competition: UUID) -> QuerySet[ClubGame]:
    """Return the games of a competition, with their rows, whose end or going on is not recorded yet."""
    waiting = _to_record().filter(competition=competition)
    return waiting.select_related("game", "table").order_by("game__moved_at", "game")


def _to_record() -> QuerySet[ClubGame]:
    over = Q(game__status__in=[Game.Status.FINISHED, Game.Status.ABANDONED])
    goes_on = Q(
        game__status=Game.Status.ACTIVE,
        table__status=Table.Status.PLAYED,
        table__ruled=False,
        table__round__status=Round.Status.PUBLISHED,
    )
    return ClubGame.objects.filter(
        over | goes_on,
        recorded=False,
        table__isnull=False,
        competition__status__in=UNDER_WAY,
    )


def games_out_of_time() -> Sequence[UUID]:
    """Return the games in which a seat's deadline has passed."""
    return list(_out_of_time().order_by("deadline", "pk").values_list("pk", flat=True))


def _out_of_time() -> QuerySet[Game]:
    return Game.objects.filter(status=Game.Status.ACTIVE, deadline__lte=database_time.asked())


def games_awaiting_bots(unheard_for: timedelta | None = None) -> Sequence[UUID]:
    """Return the games that wait, for so long, for the move of a house bot or its answer to an invitation.

    Those that have waited for longer than any worker is down are left out: a bot can't move there.
    """
    waits = Q(game__awaited__contains=[F("number")]) | Q(game__unanswered__contains=[F("number")])
    found = _of_bots().filter(waits)
    if unheard_for is not None:
        found = found.filter(game__moved_at__lt=database_time.now() - unheard_for)
    games = found.order_by("game__moved_at", "game")
    return list(dict.fromkeys(games.values_list("game", flat=True)))


def games_of_bots() -> Sequence[UUID]:
    """Return the games that house bots play now, with the same exception."""
    return list(_of_bots().order_by("game").values_list("game", flat=True).distinct())


def _of_bots() -> QuerySet[Seat]:
    return Seat.objects.filter(
        game__status__in=[Game.Status.ACTIVE, Game.Status.INVITED],
        game__moved_at__gt=database_time.now() - _GIVEN_UP_AFTER,
        account__in=HOUSE_BOTS,
    )


def games_overdue() -> Sequence[UUID]:
    """Return the running games past the deadline of their round or table that the clock must finish."""
    return list(_overdue().order_by("table__round__deadline", "game").values_list("game", flat=True))


def _overdue() -> QuerySet[ClubGame]:
    now = database_time.asked()
    of_round = Q(
        table__postponed_reason="",
        table__round__status=Round.Status.PUBLISHED,
        table__round__deadline__lte=now,
    )
    return ClubGame.objects.filter(
        of_round | Q(table__postponed_until__lte=now),
        game__status=Game.Status.ACTIVE,
        competition__status=Competition.Status.RUNNING,
    ).exclude(competition__overdue=Competition.Overdue.ORGANISER)


def standings_to_compute() -> Sequence[UUID]:
    """Return the competitions whose standings are older than their logs."""
    return list(_to_compute().order_by("pk").values_list("pk", flat=True))


def _to_compute() -> QuerySet[Competition]:
    return Competition.objects.filter(Q(standings=None) | Q(standings__as_of__lt=F("seq")))


def behind_since() -> datetime | None:
    """Return since when the oldest result waits to be recorded, ranked or rated, None where none does."""
    found = (since(task) for task in ("record_result", "compute_standings", "compute_ratings"))
    return min(filter(None, found), default=None)


def since(task: str) -> datetime | None:
    """Return since when the oldest work of a task waits, None where none does; raise KeyError."""
    waiting: Mapping[str, tuple[Callable[[], QuerySet[Any]], str | Combinable]] = {
        "record_result": (_to_record, "game__moved_at"),
        "compute_standings": (_to_compute, "changed_at"),
        "compute_ratings": (_to_rate, "changed_at"),
        "run_out": (_out_of_time, "deadline"),
        "end_overdue": (_overdue, Coalesce("table__postponed_until", "table__round__deadline")),
        "send_notices": (_notices, "due_at"),
        "run_job": (_jobs, "made_at"),
    }
    rows, date = waiting[task]
    at: datetime | None = rows().aggregate(at=Min(date))["at"]
    return at


def ratings_to_compute() -> Sequence[UUID]:
    """Return the competitions whose ratings are older than their logs."""
    return list(_to_rate().order_by("pk").values_list("pk", flat=True))


def _to_rate() -> QuerySet[Competition]:
    return Competition.objects.filter(Q(ratings=None) | Q(ratings__as_of__lt=F("seq")))


def competitions_to_advance() -> Sequence[UUID]:
    """Return the automatic competitions whose next step the server can take now."""
    playing = Table.objects.filter(status=Table.Status.PLAYING).values("round__stage__competition")
    idle = Competition.objects.filter(
        pace=Competition.Pace.AUTOMATIC, status=Competition.Status.RUNNING
    ).exclude(pk__in=playing)
    return [each.pk for each in idle.order_by("pk") if can_advance(log.latest(each), each.changed_at)]


def draws_to_complete() -> Sequence[UUID]:
    """Return the competitions with a draw that waits for a round of the beacon which is due."""
    latest = beacon.latest_round(database_time.now())
    waiting = Competition.objects.filter(
        awaited_beacon__gt=0, awaited_beacon__lte=latest, status=Competition.Status.RUNNING
    )
    return list(waiting.order_by("pk").values_list("pk", flat=True))


def notices_to_send() -> bool:
    """Return whether an email is due that no worker is sending."""
    return _notices().exists()


def _notices() -> QuerySet[Notice]:
    now = database_time.now()
    free = Q(busy_until=None) | Q(busy_until__lte=now)
    return Notice.objects.filter(free, status=Notice.Status.WAITING, due_at__lte=now)


def jobs_to_do() -> Sequence[UUID]:
    """Return the jobs that wait for a worker, and those whose worker was lost, the oldest first."""
    return list(_jobs().order_by("made_at", "pk").values_list("pk", flat=True))


def _jobs() -> QuerySet[Job]:
    free = Q(status=Job.Status.WAITING) | Q(
        status=Job.Status.RUNNING, beat_at__lt=database_time.now() - LEASE
    )
    return Job.objects.filter(free)
