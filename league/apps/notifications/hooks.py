"""Where notifications take part: they follow competitions, and what time alone brings."""

from datetime import timedelta

from league import hooks
from league.apps.notifications import emails, push, services
from league.apps.notifications.queries import unmailed
from league.hooks import upkeep
from league.services import queue
from league.words.emails import SAMPLES

hooks.events_appended.connect(services.write_events)
hooks.members_invited.connect(services.write_next_evening)
hooks.competition_moved.connect(services.write_moved)
hooks.account_deleted.connect(services.forget_choices)
hooks.UNMAILED.append(unmailed)
hooks.TELLERS.append(services.write_notice)
SAMPLES.append(emails.samples)


@upkeep.swept.connect
def sweep() -> None:
    """Queue messages to browsers, and each minute the emails to those who keep others waiting."""
    for subscription in push.subscriptions_due():
        queue.after_commit("send_push", subscription, app=__package__)
    if queue.is_due("remind", timedelta(minutes=1)):
        queue.after_commit("remind", app=__package__)
