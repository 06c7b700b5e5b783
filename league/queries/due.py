"""Work that is due, found in the database, also when the message about it was lost."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce

from games import database_time
from games.models import Game
from league import log
from league.choices import UNDER_WAY
from league.core import commitment
from league.hooks.upkeep import Work
from league.models import ClubGame, Competition, Email, Job, PeriodicRun, Round, Table
from league.models.service import LEASE
from league.queries.competitions import can_advance

SETTLED: Final = timedelta(minutes=30)
"""What is older than this must have been followed: ranked, rated, and by apps."""


def settled(*, stopped: bool) -> datetime:
    """Return the time of which everything must have been followed by now.

    Where workers have ``stopped``, as of a database that was restored, their last sweep counts.
    """
    run = PeriodicRun.objects.filter(name="sweep").first() if stopped else None
    return (run.began_at if run else database_time.asked()) - SETTLED


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


def _out_of_time() -> QuerySet[Game]:
    return Game.objects.filter(status=Game.Status.ACTIVE, deadline__lte=database_time.asked())


def _overdue() -> QuerySet[ClubGame]:
    now = database_time.asked()
    of_round = Q(
        table__postponed_reason="",
        table__round__status=Round.Status.PUBLISHED,
        table__round__deadline__lte=now - F("table__more_minutes") * timedelta(minutes=1),
    )
    return ClubGame.objects.filter(
        of_round | Q(table__postponed_until__lte=now),
        game__status=Game.Status.ACTIVE,
        competition__status=Competition.Status.RUNNING,
    ).exclude(competition__overdue=Competition.Overdue.ORGANISER)


def _to_lapse() -> QuerySet[Competition]:
    running = Competition.objects.filter(status=Competition.Status.RUNNING)
    return running.filter(lapses_at__lte=database_time.asked())


def _to_compute() -> QuerySet[Competition]:
    return Competition.objects.filter(Q(standings=None) | Q(standings__as_of__lt=F("seq")))


def behind_since() -> datetime | None:
    """Return since when the oldest result waits to be recorded, ranked or rated, None where none does."""
    found = (work.oldest() for work in (games_to_record, standings_to_compute, ratings_to_compute))
    return min(filter(None, found), default=None)


def _to_rate() -> QuerySet[Competition]:
    return Competition.objects.filter(Q(ratings=None) | Q(ratings__as_of__lt=F("seq")))


def competitions_to_advance() -> Sequence[UUID]:
    """Return the automatic competitions whose next step the server can take now."""
    playing = Table.objects.filter(status=Table.Status.PLAYING).values("round__stage__competition")
    idle = Competition.objects.filter(
        pace=Competition.Pace.AUTOMATIC, status=Competition.Status.RUNNING
    ).exclude(pk__in=playing)
    return [each.pk for each in idle.order_by("pk") if can_advance(log.latest(each), each)]


def draws_to_complete() -> Sequence[UUID]:
    """Return the competitions with a draw that waits for a round of the beacon which is due."""
    latest = commitment.latest_round(database_time.now())
    waiting = Competition.objects.filter(
        awaited_beacon__gt=0, awaited_beacon__lte=latest, status=Competition.Status.RUNNING
    )
    return list(waiting.order_by("pk").values_list("pk", flat=True))


def _emails() -> QuerySet[Email]:
    return Email.objects.filter(status=Email.Status.WAITING, next_at__lte=database_time.now())


def _jobs() -> QuerySet[Job]:
    free = Q(status=Job.Status.WAITING) | Q(
        status=Job.Status.RUNNING, beat_at__lt=database_time.now() - LEASE
    )
    return Job.objects.filter(free)


games_to_record: Final = Work("league.tasks.record_result", _to_record, "game__moved_at", "game")
"""Games of open competitions whose end, or whose going on after one, is not recorded yet."""
games_out_of_time: Final = Work("league.tasks.run_out", _out_of_time, "deadline")
"""Games in which a seat's deadline has passed."""
games_overdue: Final = Work(
    "league.tasks.end_overdue", _overdue, Coalesce("table__postponed_until", "table__round__deadline"), "game"
)
"""Running games past the deadline of their round or table that the clock must finish."""
challenges_to_lapse: Final = Work("league.tasks.lapse_challenges", _to_lapse, "lapses_at")
"""Competitions with challenges whose time to answer is over."""
standings_to_compute: Final = Work("league.tasks.compute_standings", _to_compute, "changed_at")
"""Competitions whose standings are older than their logs."""
ratings_to_compute: Final = Work("league.tasks.compute_ratings", _to_rate, "changed_at")
"""Competitions whose ratings are older than their logs."""
jobs_to_do: Final = Work("league.tasks.run_job", _jobs, "made_at")
"""Jobs that wait for a worker, and those whose worker was lost."""
emails_to_send: Final = Work("league.tasks.send_emails", _emails, "next_at")
"""Emails that are due and that no worker is sending."""
WORK: Final = (
    *(games_to_record, games_out_of_time, games_overdue, challenges_to_lapse),
    *(standings_to_compute, ratings_to_compute, jobs_to_do),
)
"""The work of which a task does one subject."""
