"""What a competition waits for, in words and with the verb that takes it there."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

from django.db.models import Case, QuerySet, When
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models import Competition

PATIENCE: Final = timedelta(minutes=2)
"""How long an automatic competition may take over a step before its organiser hears of it."""


@dataclass(frozen=True)
class NextStep:
    """What a competition waits for, as `league.competition.commands.next_step` names it.

    ``verb`` is the organiser's and ``action`` what it is called, None where it is not for them to act.
    """

    key: str
    text: Any
    verb: str | None
    action: Any
    urgent: bool


_STEPS: Final = (
    NextStep("start", _("Enter everybody who plays, then start."), "start", _("Start"), False),
    NextStep("start_stage", _("The next stage can begin."), "start_stage", _("Start the next stage"), True),
    NextStep("draw", _("The next round is to be drawn."), "draw", _("Draw the round"), True),
    NextStep(
        "publish", _("A draw waits to be looked at and published."), "publish", _("Publish the round"), True
    ),
    NextStep("play", _("The tables play."), None, None, False),
    NextStep("rule", _("A game was abandoned: rule on its table, or void it."), None, None, True),
    NextStep(
        "close_round",
        _("Every table is decided: the round can be closed."),
        "close_round",
        _("Close the round"),
        True,
    ),
    NextStep("finish", _("All rounds are played: it can be finished."), "finish", _("Finish"), True),
    NextStep("none", _("Nothing is to be done."), None, None, False),
)
STEPS: Final = {step.key: step for step in _STEPS}
PAUSED: Final = NextStep("paused", _("It is paused."), "resume", _("Go on"), True)
EMPTY: Final = NextStep("start", _("Enter everybody who plays."), "enter", _("Enter players"), False)
STUCK: Final = _("It should have gone on by itself. Go on by hand, and see what is in the way.")


@dataclass(frozen=True)
class WithStep:
    """A competition and what it waits for."""

    competition: Competition
    step: NextStep


def in_order_of_need(competitions: QuerySet[Competition]) -> QuerySet[Competition]:
    """Return the competitions, those first that may need their organiser, then the last opened first."""
    quiet = [key for key, step in STEPS.items() if not step.urgent]
    waits = Case(When(status=Competition.Status.PAUSED, then=0), When(step__in=quiet, then=1), default=0)
    return competitions.order_by(waits, "-opened_at", "pk")


def with_steps(competitions: Iterable[Competition]) -> list[WithStep]:
    """Return the competitions with what each waits for, those that need their organiser first."""
    found = [WithStep(competition, next_step(competition)) for competition in competitions]
    return sorted(found, key=lambda each: not each.step.urgent)


def _is_empty(competition: Competition) -> bool:
    """Return whether too few have entered to start; `selectors.with_places` has counted them."""
    return competition.step == Competition.Step.START and getattr(competition, "places", 0) < 2


def next_step(competition: Competition) -> NextStep:
    """Return what the competition waits for now; its log isn't read."""
    if competition.status == Competition.Status.PAUSED:
        return PAUSED
    step = EMPTY if _is_empty(competition) else STEPS[competition.step]
    if competition.pace == Competition.Pace.MANUAL or step.key == "start" or step.verb is None:
        return step
    if timezone.now() - competition.changed_at > PATIENCE:
        return replace(step, text=STUCK)
    return replace(step, text=_("It goes on by itself in a moment."), verb=None, urgent=False)
