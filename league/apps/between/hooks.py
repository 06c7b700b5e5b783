"""Where matches between clubs take part: people, records, and the page of a competition."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from league import hooks
from league.apps.between import queries, services
from league.queries.competitions import state_of
from league.words import club_changes, reference

hooks.people_named.connect(services.follow_people)
hooks.player_forgotten.connect(services.forget)
hooks.players_merged.connect(services.follow_merged)
club_changes.FIELDS["partner"] = _("club that takes part")
reference.COVERAGE.extend(
    (
        reference.Covered(
            "between.Partner",
            "id competition_id club_id made_at",
            "not",
            "whose desk may act: what it did is in the competition’s log",
        ),
        reference.Covered(
            "between.Lent", "id player_id home_id", "not", "who somebody is at home: never public"
        ),
    )
)


def _matches(page: Mapping[str, Any]) -> Mapping[str, Any]:
    competition = page["competition"]
    return {"matches": queries.told(competition, state_of(competition))}


hooks.GIVEN["between/at_above_standings.html"] = _matches
