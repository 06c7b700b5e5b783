"""Where it takes part: ticks of who enters, the emails that time brings, and forgetting."""

from datetime import timedelta
from typing import Final

from django.db.models import Q

from games import database_time
from league import hooks
from league.apps.attendance import emails, queries
from league.apps.attendance.models import Answer, Guest, PartnerRequest
from league.models import Player
from league.services import queue
from league.words import reference
from league.words.emails import SAMPLES

_KEPT: Final = timedelta(days=30)

hooks.TICKED.append(queries.ticked)
hooks.ASKED.append(queries.asked)
hooks.VERSIONS.append(
    "SELECT concat_ws(' ', asking.door_salt, asking.door_until > {clock})"
    " FROM league_asking AS asking WHERE asking.competition_id = competition.id AND asking.door_shown"
)
SAMPLES.append(emails.samples)
reference.COVERAGE.extend(
    reference.Covered(f"attendance.{table}", reference.ALL, "not", reference.OUTSIDE)
    for table in ("Asking", "Answer", "PartnerRequest", "Guest")
)


@hooks.swept.connect
def sweep() -> None:
    """Queue the emails that ask, each minute."""
    if queue.is_due("ask_who_comes", timedelta(minutes=1)):
        queue.after_commit("ask_who_comes", app=__package__)


@hooks.player_forgotten.connect
def forget_player(player: Player) -> None:
    """Forget the answers of a player who is being forgotten, whom they asked, and whom they brought."""
    for rows in (
        Answer.objects.filter(player=player),
        PartnerRequest.objects.filter(Q(asker=player) | Q(asked=player)),
        Guest.objects.filter(Q(player=player) | Q(brought_by=player)),
    ):
        rows.delete()


@hooks.tidied.connect
def forget_guests() -> None:
    """Remove the names of guests who were never let in, after a while."""
    old = Guest.objects.filter(made_at__lt=database_time.now() - _KEPT)
    old.exclude(status=Guest.Status.LET_IN).delete()
