"""The workers' tasks: ids in, one call. `sweep` finds the work of tasks that were lost."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final
from uuid import UUID

import structlog
from celery import Task, current_app, shared_task

from games import database_time, partitions
from games.engine.refusals import Refusal
from league.hooks import upkeep
from league.models import Email
from league.ops.queue import PERIODS
from league.projections import ratings as rating_lists
from league.queries import due
from league.queries.games import games_unanswered
from league.services import automatic, casual_games, emails, jobs, outbox, play, queue
from league.services.account_events import forget_account_events
from league.services.log_ins import forget_log_ins
from league.services.once import forget_keys
from league.services.queue import UNTIL, Found

SWEEP_SECONDS: Final = PERIODS["sweep"]
JOB_SECONDS: Final = 480
"""How long a job may take: less than the broker waits before it delivers the task again."""
_log = structlog.get_logger(__name__)


@shared_task(base=Found)
def run_out(game_id: str) -> None:
    """Make the clock's moves in a game where a seat is late."""
    play.run_out(game_id=UUID(game_id))


@shared_task(base=Found)
def end_overdue(game_id: str) -> None:
    """Make the clock's moves in a game that runs past its round's deadline."""
    play.end_overdue(game_id=UUID(game_id))


@shared_task(base=Found)
def lapse_game(game_id: str) -> None:
    """Abandon a game to which somebody was invited who did not answer."""
    casual_games.lapse_game(game_id=UUID(game_id))


@shared_task(base=Found)
def record_result(game_id: str) -> None:
    """Record how a game ended in its competition's log, if it belongs to one."""
    automatic.record_result(game_id=UUID(game_id))


@shared_task(base=Found)
def lapse_challenges(competition_id: str) -> None:
    """Let the challenges of a competition lapse whose time is over."""
    automatic.lapse_challenges(competition_id=UUID(competition_id))


@shared_task(base=Found)
def compute_standings(competition_id: str) -> None:
    """Bring a competition's standings up to its log."""
    automatic.compute_standings(competition_id=UUID(competition_id))


@shared_task(base=Found)
def compute_ratings(competition_id: str) -> None:
    """Bring a club's rating list up to a competition's log."""
    rating_lists.compute_ratings(UUID(competition_id))


@shared_task(base=Found)
def advance(competition_id: str) -> None:
    """Take the steps that an automatic competition waits for."""
    try:
        automatic.advance(competition_id=UUID(competition_id))
    except Refusal as refusal:
        _log.warning("competition_waits_for_its_organiser", competition=competition_id, why=refusal.sentence)


@shared_task(base=Found)
def complete_draw(competition_id: str) -> None:
    """Make the draw that waits for the public beacon, if its value is known."""
    try:
        automatic.complete(competition_id=UUID(competition_id))
    except Refusal as refusal:
        _log.warning("competition_waits_for_its_organiser", competition=competition_id, why=refusal.sentence)


@shared_task(base=Found)
def send_emails() -> None:
    """Send the emails that are due."""
    emails.send_emails()


@shared_task(base=Found, soft_time_limit=JOB_SECONDS)
def run_job(job_id: str) -> None:
    """Do a job, if nobody else is doing it."""
    jobs.run(UUID(job_id))


@shared_task
def sweep() -> None:
    """Queue all work that is due, whether or not a task for it was lost."""
    _queue(lapse_game, games_unanswered())
    for work in (*due.WORK, *upkeep.WORK):
        _queue(current_app.tasks[work.task], work())
    _queue(advance, due.competitions_to_advance())
    _queue(complete_draw, due.draws_to_complete())
    if due.emails_to_send():
        send_emails.apply_async(headers=_until_the_next())
    upkeep.swept()


@shared_task
def tidy() -> None:
    """Remove rows that are kept for a while only, and make the coming partitions of the move log."""
    partitions.make_ahead(database_time.now())
    forget_keys()
    outbox.forget(Email.objects.all(), "made_at")
    jobs.forget_jobs()
    forget_log_ins()
    forget_account_events()
    upkeep.tidied()


_PERIODIC: "Final[Mapping[str, Task[[], None]]]" = {
    "sweep": sweep,
    "tidy": tidy,
}


@shared_task
def periodic(name: str) -> None:
    """Do a periodic task, if no other scheduler has asked for it in this period."""
    if queue.is_due(name, timedelta(seconds=PERIODS[name])):
        _PERIODIC[name]()


def _queue(task: "Task[[str], None]", subjects: Sequence[UUID]) -> None:
    """Queue a task for each subject; one that has not begun by the next sweep expires and is queued again."""
    for subject in subjects:
        task.apply_async((str(subject),), headers=_until_the_next())


def _until_the_next() -> dict[str, str]:
    return {UNTIL: (database_time.now() + timedelta(seconds=SWEEP_SECONDS)).isoformat()}
