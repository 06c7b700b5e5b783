"""Where it takes part: ticks of who enters, the emails that time brings, and forgetting."""

from datetime import timedelta

from league import hooks
from league.apps.attendance import queries, services
from league.services import queue
from league.words import reference

hooks.TICKED.append(queries.ticked)
hooks.ASKED.append(queries.asked)
hooks.player_forgotten.connect(services.forget_player)
hooks.tidied.connect(services.forget_guests)
reference.COVERAGE.extend(
    reference.Covered(f"attendance.{table}", reference.ALL, "not", reference.OUTSIDE)
    for table in ("Asking", "Answer", "PartnerRequest", "Guest", "Unasked")
)


@hooks.swept.connect
def sweep() -> None:
    """Queue the emails that ask, each minute."""
    if queue.is_due("ask_who_comes", timedelta(minutes=1)):
        queue.after_commit("ask_who_comes", app=__package__)
