"""What a competition waits for, in words and with the verb that takes it there."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league import log
from league.competition import commands
from league.models import Competition


@dataclass(frozen=True)
class NextStep:
    """What a competition waits for; ``verb`` is the organiser's, None where it is not for them to act."""

    text: str | Promise
    verb: str | None
    urgent: bool


STEPS: Final = {
    "start": NextStep(_("Enter everybody who plays, then start."), "start", False),
    "start_stage": NextStep(_("The next stage can begin."), "start_stage", True),
    "draw": NextStep(_("The next round is to be drawn."), "draw", True),
    "publish": NextStep(_("The draw waits to be published."), "publish", True),
    "play": NextStep(_("The tables play."), None, False),
    "rule": NextStep(_("A game was abandoned: its table waits for a ruling, or to be voided."), None, True),
    "close_round": NextStep(_("Every table is decided: the round can be closed."), "close_round", True),
    "finish": NextStep(_("All rounds are played: the competition can be finished."), "finish", True),
    "none": NextStep(_("Nothing is to be done."), None, False),
}
AUTOMATIC: Final = NextStep(_("It goes on by itself in a moment."), None, False)
PAUSED: Final = NextStep(_("It is paused."), "resume", True)


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
    automatic = competition.pace == Competition.Pace.AUTOMATIC
    return AUTOMATIC if automatic and step.verb and step.verb != "start" else step
