"""The verbs of a competition on the desk: their buttons and forms, made from what each verb declares.

Every verb in `league.core.verbs` gets a form by itself. A verb whose form needs more than its fields has a
form class in this package, listed in `FORMS` by the key of its button. That of the settings is in
`league.admin.competitions`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from games import database_time
from league.admin.verbs.base import VerbForm
from league.admin.verbs.challenges import AnswerForm, ReopenForm
from league.admin.verbs.checking import CheckForm, DecideForm, ObjectionForm, PostForm
from league.admin.verbs.entering import LineUpForm, NamesForm, PlayersForm, SubstituteForm, TeamForm
from league.admin.verbs.rooms import RoomsForm
from league.admin.verbs.rounds import (
    DeadlineForm,
    DrawForm,
    FillTablesForm,
    MoveSeatForm,
    PostponeForm,
    PublishForm,
    TimeForm,
)
from league.admin.verbs.sizes import RedrawForm, SetSizesForm, SizesForm
from league.admin.verbs.stages import AddStageForm, StartStageForm
from league.admin.verbs.tables import SetResultForm
from league.core import course
from league.core.verb import Button, Verb
from league.core.verbs import ORGANISER_VERBS
from league.models import Competition
from league.queries.competitions import state_of, step_now

__all__ = ["Offer", "VerbForm", "offered", "offers"]

FORMS: Final[dict[str, type[VerbForm]]] = {
    "accept-challenge": AnswerForm,
    "add-stage": AddStageForm,
    "check-result": CheckForm,
    "decide-objection": DecideForm,
    "draw": DrawForm,
    "draw-sizes": SizesForm,
    "enter": PlayersForm,
    "enter-names": NamesForm,
    "enter-team": TeamForm,
    "fill-tables": FillTablesForm,
    "give-time": TimeForm,
    "move-seat": MoveSeatForm,
    "object": ObjectionForm,
    "post-results": PostForm,
    "postpone": PostponeForm,
    "publish": PublishForm,
    "redraw": RedrawForm,
    "refuse-challenge": AnswerForm,
    "reopen-challenge": ReopenForm,
    "rule": SetResultForm,
    "set-deadline": DeadlineForm,
    "set-line-up": LineUpForm,
    "set-rooms": RoomsForm,
    "set-sizes": SetSizesForm,
    "start-stage": StartStageForm,
    "substitute": SubstituteForm,
    "withdraw-challenge": AnswerForm,
}


@dataclass(frozen=True)
class Offer:
    """A verb with one of its buttons."""

    verb: type[Verb]
    button: Button

    @property
    def form(self) -> type[VerbForm]:
        return FORMS.get(self.button.key, VerbForm)


def offers() -> Mapping[str, Offer]:
    """Return all offers by the key of their button, dangerous ones last."""
    every = [Offer(verb, button) for verb in ORGANISER_VERBS.values() for button in verb.buttons]
    every.sort(key=lambda offer: (offer.button.danger, offer.button.title, offer.button.key))
    return {offer.button.key: offer for offer in every}


def offered(competition: Competition) -> list[Offer]:
    """Return the offers that apply to a competition now."""
    state = state_of(competition)
    step, late = step_now(state), course.deadline_passed(state.current_round, database_time.now())
    return [
        offer
        for offer in offers().values()
        if competition.status in offer.button.statuses
        and (not offer.button.steps or step in offer.button.steps)
        and not (late and offer.verb.until_deadline)
        and offer.verb.offered(state, offer.button)
        and offer.form.possible(competition, state)
    ]
