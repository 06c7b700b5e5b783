"""Where my evening takes part: its email, what is forgotten and tidied."""

from django.utils.translation import gettext_lazy

from league import hooks
from league.apps.hall.queries import STILL_GOOD
from league.apps.my_evening import push, queries, services
from league.hooks import upkeep
from league.models import Email
from league.services import queue
from league.words.emails import STOPPABLE, Context, address, reaching, variables_of

hooks.player_forgotten.connect(services.forget)
hooks.players_merging.connect(services.follow_reader)
hooks.competition_moved.connect(services.follow_moved)
hooks.events_appended.connect(services.follow_events)
upkeep.tidied.connect(services.tidy)
STILL_GOOD.append(queries.seat_is_theirs)
STOPPABLE[services.KIND] = gettext_lazy("your evening")


@upkeep.swept.connect
def sweep() -> None:
    """Queue messages to browsers that follow an evening."""
    for subscription in push.subscriptions_due():
        queue.after_commit("send_news", subscription, app=__package__)


@variables_of(services.KIND)
def _of_pass(email: Email) -> Context | None:
    held = services.sendable(email)
    stop = reaching(held.player, services.KIND) if held else None
    if held is None or stop is None:
        return None
    code = queries.code_of(held)
    return {
        **stop,
        "competition": held.competition,
        "until": held.expires_at,
        "code": queries.shown(code),
        "link": f"{address('enter')}#{code}",
    }
