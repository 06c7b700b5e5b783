"""The workers' tasks: ids in, one call. A message is a hint; `sweep` finds what a lost one told of."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

import structlog
from celery import Task, shared_task

from games.engine.refusals import Refusal
from league import due, rating_lists, services

SWEEP_SECONDS: Final = 15
_log = structlog.get_logger(__name__)


@shared_task
def run_out(game_id: str) -> None:
    """Make the clock's moves in a game where a seat is late."""
    services.run_out(game_id=UUID(game_id))


@shared_task
def end_overdue(game_id: str) -> None:
    """Carry a game on that runs past its round's deadline."""
    services.end_overdue(game_id=UUID(game_id))


@shared_task
def record_result(game_id: str) -> None:
    """Record how a game ended in its competition's log, if it belongs to one."""
    services.record_result(game_id=UUID(game_id))


@shared_task
def compute_standings(competition_id: str) -> None:
    """Bring a competition's standings up to its log."""
    services.compute_standings(competition_id=UUID(competition_id))


@shared_task
def compute_ratings(competition_id: str) -> None:
    """Bring a club's rating list up to a competition's log."""
    rating_lists.compute_ratings(UUID(competition_id))


@shared_task
def advance(competition_id: str) -> None:
    """Take the steps that an automatic competition waits for."""
    try:
        services.advance(competition_id=UUID(competition_id))
    except Refusal as refusal:
        _log.warning("competition_waits_for_its_organiser", competition=competition_id, why=refusal.sentence)


@shared_task
def send_webhook(webhook_id: str) -> None:
    """Send what is due to a webhook."""
    services.send_webhook(webhook_id=UUID(webhook_id))


@shared_task
def send_notices() -> None:
    """Send the mails that are due."""
    services.send_notices()


@shared_task
def remind() -> None:
    """Write notices for those who keep others waiting, and for those whose time runs out."""
    services.tell_of_turns()
    services.tell_of_reminders()


@shared_task
def sweep() -> None:
    """Find all work that is due, whatever became of the messages about it."""
    _hint(run_out, due.games_out_of_time())
    _hint(end_overdue, due.games_overdue())
    _hint(record_result, due.games_to_record())
    _hint(compute_standings, due.standings_to_compute())
    _hint(compute_ratings, due.ratings_to_compute())
    _hint(advance, due.competitions_to_advance())
    _hint(send_webhook, due.webhooks_to_send())
    if due.notices_to_send():
        send_notices.apply_async(expires=SWEEP_SECONDS)


@shared_task
def tidy() -> None:
    """Remove what was kept for a while only."""
    services.forget_keys()
    services.forget_deliveries()
    services.forget_notices()


def _hint(task: "Task[[str], None]", subjects: Sequence[UUID]) -> None:
    """Queue a task for each subject; what has not begun by the next sweep is found again by that one."""
    for subject in subjects:
        task.apply_async((str(subject),), expires=SWEEP_SECONDS)
