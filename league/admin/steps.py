"""What a competition waits for, in words and with the verb that takes it there."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league import log
from league.competition import commands
from league.models import Competition


@dataclass(frozen=True)
class NextStep:
    """What a competition waits for, as `league.competition.commands.next_step` names it.

    ``verb`` is the organiser's, None where it is not for them to act.
    """

    key: str
    text: str | Promise
    verb: str | None
    urgent: bool


_STEPS: Final = (
    NextStep("start", _("Enter everybody who plays, then start."), "start", False),
    NextStep("start_stage", _("The next stage can begin."), "start_stage", True),
    NextStep("draw", _("The next round is to be drawn."), "draw", True),
    NextStep("publish", _("The draw waits to be published."), "publish", True),
    NextStep("play", _("The tables play."), None, False),
    NextStep("rule", _("A game was abandoned: rule on its table, or void it."), None, True),
    NextStep("close_round", _("Every table is decided: the round can be closed."), "close_round", True),
    NextStep("finish", _("All rounds are played: it can be finished."), "finish", True),
    NextStep("none", _("Nothing is to be done."), None, False),
)
STEPS: Final = {step.key: step for step in _STEPS}
PAUSED: Final = NextStep("paused", _("It is paused."), "resume", True)


@dataclass(frozen=True)
class WithStep:
    """A competition and what it waits for."""

    competition: Competition
    step: NextStep


def with_steps(competitions: Iterable[Competition]) -> list[WithStep]:
    """Return the competitions with what each waits for, those that need their organiser first."""
    found = [WithStep(competition, next_step(competition)) for competition in competitions]
    return sorted(found, key=lambda each: not each.step.urgent)


def next_step(competition: Competition) -> NextStep:
    """Return what the competition waits for now."""
    if competition.status == Competition.Status.PAUSED:
        return PAUSED
    step = STEPS[commands.next_step(log.latest(competition))]
    if competition.pace == Competition.Pace.AUTOMATIC and step.verb not in (None, "start"):
        return replace(step, text=_("It goes on by itself in a moment."), verb=None, urgent=False)
    return step
