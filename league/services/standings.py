"""Standings, brought up to the log."""

from uuid import UUID

from django.db import transaction

from league import hooks
from league.models import Competition
from league.projections import standings as projections
from league.services.channel import tell, topic


@transaction.atomic
def compute_standings(*, competition_id: UUID) -> None:
    """Bring a competition's standings up to its log, and write deliveries if they are new."""
    if projections.compute_standings(competition_id):
        competition = Competition.objects.get(pk=competition_id)
        hooks.standings_computed(competition)
        tell([topic("competition", competition.pk)])
