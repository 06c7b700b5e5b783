"""What organisers are told of a person: how somebody is asked to fill in, how who was let in takes part."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.messages import filled
from league.apps.attendance import queries
from league.apps.attendance.emails import reached
from league.models import Competition, Player
from league.queries.links import folder_of_emails


def asked_in_words(competition: Competition, player: Player) -> str:
    """Return, for organisers alone, how somebody is asked to fill in: by email, or only on the own page."""
    if not folder_of_emails() and reached(competition).filter(pk=player.pk).exists():
        sentence = _("%(name)s is asked by email.")
    else:
        sentence = _("No email reaches %(name)s, who reads it on the page of the evening. Say it yourself.")
    return filled(sentence, {"name": player.name})


_PLACES: Final[Mapping[str, Any]] = {
    "entered": gettext_lazy("Taking part: %(name)s."),
    "waiting": gettext_lazy("On the waiting list, for all places are taken: %(name)s."),
    "partner": gettext_lazy("Waits for a partner: %(name)s."),
}


def place_in_words(competition: Competition, player: UUID | None, name: str) -> str:
    """Return how somebody takes part who was let in, or entered with a partner."""
    place = queries.place_of(Competition.objects.get(pk=competition.pk), player)
    told = _PLACES.get(place) or _("Let in, but not entered: %(name)s.")
    return filled(str(told), {"name": name})
