"""What a competition waits for, in words, and the verb that is due."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Case, QuerySet, When
from django.utils.translation import gettext_lazy as _

from games import database_time
from league.models import Competition
from league.words.competitions import does_later, does_soon

PATIENCE: Final = timedelta(minutes=2)
"""How long an automatic step may take before the organiser is told."""


@dataclass(frozen=True)
class NextStep:
    """What a competition waits for, keyed as in `league.core.course.next_step`.

    ``verb`` is the organiser's verb that is due and ``action`` its title; None where none is due. ``at`` is
    when the automatic pace takes the step, where it waits before that.
    """

    key: str
    text: Any
    verb: str | None
    action: Any
    urgent: bool
    at: datetime | None = None

    @property
    def seconds(self) -> int:
        """Return in how many seconds the automatic pace takes the step."""
        return round((self.at - database_time.now()).total_seconds()) if self.at else 0


_STEPS: Final = (
    NextStep("start", _("Enter all players, then start."), "start", _("Start"), False),
    NextStep("start_stage", _("The next stage can begin."), "start-stage", _("Start the next stage"), True),
    NextStep("draw", _("The next round can be drawn."), "draw", _("Draw the round"), True),
    NextStep("publish", _("Review and publish the draw."), "publish", _("Publish the round"), True),
    NextStep("play", _("Games are being played."), None, None, False),
    NextStep("rule", _("A game was abandoned: set the table’s result, or void it."), None, None, True),
    NextStep(
        "close_round",
        _("All tables are decided. The round can be closed."),
        "close-round",
        _("Close the round"),
        True,
    ),
    NextStep("finish", _("All rounds are played. You can finish it."), "finish", _("Finish"), True),
    NextStep("none", _("The standings are final."), None, None, False),
)
STEPS: Final = {step.key: step for step in _STEPS}
OPEN_ENDED: Final = {
    "draw": NextStep(
        "draw", _("The round can be prepared and published."), "open-round", _("Prepare the round"), True
    ),
    "publish": NextStep(
        "publish",
        _("Publish the round: then its tables are opened."),
        "publish",
        _("Publish the round"),
        True,
    ),
}
"""The steps of a stage whose tables are opened one by one."""
PAUSED: Final = NextStep("paused", _("It is paused."), "resume", _("Resume"), True)
CANCELLED: Final = NextStep("none", _("Nothing more is played."), None, None, False)
CHECK_IN: Final = _("Enter all players, check in those who are here, then start.")
PUT_OFF: Final = _("All rounds are played, but tables that were put off are still to be decided.")
TOO_FEW: Final = _("Too few entries are present to draw the next round.")
EMPTY: Final = NextStep("start", _("Nobody has entered yet."), "enter", _("Enter players"), False)
ALONE: Final = replace(EMPTY, text=_("There is only one entry yet."))
NOW: Final = {"close_round": _("Close now"), "finish": _("Finish now")}
STUCK: Final = _("This should have happened automatically. Do it yourself and check what went wrong.")


@dataclass(frozen=True)
class WithStep:
    """A competition and what it waits for."""

    competition: Competition
    step: NextStep


def in_order_of_need(competitions: QuerySet[Competition]) -> QuerySet[Competition]:
    """Return the competitions, first those that may need their organiser, then the newest first."""
    quiet = [key for key, step in STEPS.items() if not step.urgent]
    waits = Case(
        When(status=Competition.Status.PAUSED, then=0),
        When(step__in=quiet, time_over=False, then=1),
        default=0,
    )
    return competitions.order_by(waits, "-opened_at", "pk")


def with_steps(competitions: Iterable[Competition]) -> list[WithStep]:
    """Return the competitions with what each waits for, those that need their organiser first."""
    rows = [WithStep(competition, next_step(competition)) for competition in competitions]
    return sorted(rows, key=lambda row: not row.step.urgent)


def next_step(competition: Competition) -> NextStep:
    """Return what the competition waits for now, without reading its log."""
    if competition.status == Competition.Status.PAUSED:
        return PAUSED
    if competition.status == Competition.Status.CANCELLED:
        return CANCELLED
    at, now = competition.acts_at, database_time.now()
    time_over = getattr(competition, "time_over", False) or (at and competition.step == Competition.Step.PLAY)
    key = "close_round" if time_over else competition.step
    opened = getattr(competition, "opens_tables", False)
    step = _too_few(competition) or (OPEN_ENDED if opened else {}).get(key) or STEPS[key]
    if at is None:
        return step
    if now > at + PATIENCE:
        return replace(step, text=STUCK)
    if now < at:
        return replace(step, text=does_later(competition, at), action=NOW[step.key], urgent=False, at=at)
    return replace(step, text=does_soon(competition), verb=None, urgent=False)


def _too_few(competition: Competition) -> NextStep | None:
    """Return that there are too few entries to start, as counted by `with_entry_counts`; None for enough."""
    if competition.step != Competition.Step.START:
        return None
    return {0: EMPTY, 1: ALONE}.get(getattr(competition, "entry_count", 0))
