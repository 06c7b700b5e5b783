"""The values of the public beacon: fetched, kept, and used for the draws that wait for them."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, Final
from uuid import UUID

import structlog
from django.conf import settings

from games import database_time
from games.engine.messages import text
from games.engine.refusals import Malformed, Stale
from league import log
from league.callers import ByServer
from league.core import commitment
from league.core.verbs.draw import CompleteDraw
from league.models import BeaconValue, Competition
from league.ops import posting
from league.ops.posting import Unreachable
from league.services.verbs import perform

SECONDS: Final = 5
"""How long one server of the beacon has to answer, in all."""
_MOST_BYTES: Final = 10_000
_log = structlog.get_logger(__name__)


def keep(answer: Mapping[str, Any]) -> BeaconValue:
    """Keep a round of the beacon, as its servers answer it; raise `Malformed` where that does not hold.

    The randomness must be the hash of the signature. Whether the signature is the beacon's is not checked.
    """
    try:
        number, signature = int(answer["round"]), str(answer["signature"])
        randomness = hashlib.sha256(bytes.fromhex(signature)).hexdigest()
        fits = len(signature) == 96 and number > 0 and answer.get("randomness", randomness) == randomness
    except (KeyError, TypeError, ValueError):
        fits = False
    if not fits:
        raise Malformed({"beacon": [text("This is not a round of the beacon with its signature.")]})
    value, _created = BeaconValue.objects.get_or_create(round=number, defaults={"signature": signature})
    return value


def fetch(number: int) -> bool:
    """Fetch a round from the first server that answers rightly; return whether it is kept now."""
    if BeaconValue.objects.filter(round=number).exists():
        return True
    for url in settings.BEACON_URLS:
        try:
            asked = f"{url.rstrip('/')}/{commitment.CHAIN}/public/{number}"
            answer = json.loads(posting.ask(asked, seconds=SECONDS, most=_MOST_BYTES))
            if answer["round"] == number:
                keep(answer)
                return True
        except (Unreachable, ValueError, KeyError, TypeError, RecursionError, Malformed) as error:
            _log.warning("beacon_does_not_answer", url=url, round=number, why=str(error))
    return False


def complete(*, competition_id: UUID) -> None:
    """Make the draw of a competition that waits for the beacon, once its round is due and known."""
    competition = Competition.objects.get(pk=competition_id)
    number = log.latest(competition).awaited_beacon
    if number and database_time.now() >= commitment.round_time(number) and fetch(number):
        # If somebody else has just made the draw, nothing is left to do.
        with suppress(Stale):
            perform(ByServer(), competition=competition, verb=CompleteDraw(), seq=competition.seq + 1)


def keep_lines(lines: Iterable[str]) -> int:
    """Keep the rounds in a file, one JSON object a line; return their number; raise `Malformed`."""
    filled = [line for line in lines if line.strip()]
    try:
        answers = [json.loads(line) for line in filled]
    except ValueError:
        raise Malformed({"beacon": [text("Each line must be a JSON object.")]}) from None
    return len([keep(answer) for answer in answers])
