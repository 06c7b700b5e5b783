"""How often a player changes the own answer, and how many names one address sends at a door."""

from contextlib import suppress
from datetime import timedelta
from typing import Final

from django.core.cache import cache

from games.engine.messages import Message, text
from games.engine.refusals import Illegal
from league.apps.attendance.models import Answer

MOST_CHANGES: Final = 20
"""So often a player changes the own answer for an evening in a day; organisers change it as they like."""
_A_DAY: Final = timedelta(days=1)
WINDOW: Final = timedelta(minutes=10)
"""In which the names that an address sends at the door are counted."""


def count_change(answer: Answer) -> None:
    """Raise `Illegal` where a player has changed the own answer often: each change may be in the log."""
    key = f"changes-of-answer:{answer.pk}"
    cache.add(key, 0, _A_DAY.total_seconds())
    with suppress(ValueError):  # the day has ended just now
        if cache.incr(key) > MOST_CHANGES:
            told = text(
                "You have changed your answer %(most)d times. Tell an organiser whether you are coming.",
                most=MOST_CHANGES,
            )
            raise Illegal(told)


class TooManyNames(Illegal):
    """Too many names were sent; ``seconds`` says when the next try makes sense."""

    seconds: Final = int(WINDOW.total_seconds())

    def __init__(self, why: Message | None = None) -> None:
        super().__init__(why or text("Too many names were sent. Tell an organiser that you are here."))
