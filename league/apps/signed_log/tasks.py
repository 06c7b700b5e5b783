"""What workers do for the signed log."""

from datetime import timedelta
from typing import Final

import structlog
from celery import shared_task

from league.apps.signed_log import signing
from league.services import queue

_WHENEVER: Final = timedelta(minutes=10)
"""How often what is in no leaf is looked for among everything, whatever its date."""
_log = structlog.get_logger(__name__)


@shared_task
def sign() -> None:
    """Enter everything new into the signed log, and publish its head."""
    try:
        signing.enter_and_sign(whenever=queue.is_due("enter_whenever", _WHENEVER))
    except signing.CannotSign as refusal:
        _log.error("signed_log_stands_still", why=str(refusal))
