"""Where challenges take part: emails with their events, news for browsers, and the page of a competition."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from league import hooks
from league.apps.challenges import emails, queries, services
from league.apps.notifications.push import MAILED
from league.words.emails import SAMPLES, STOPPABLE

hooks.events_appended.connect(services.write_events)
MAILED[queries.ASKED] = "challenge"
SAMPLES.append(emails.samples)
STOPPABLE[queries.ASKED] = _("challenge on a ladder")
STOPPABLE[queries.ANSWERED] = _("answer to a challenge")


def _open(page: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"challenges": queries.open_challenges(page["competition"])}


def _all(page: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**_open(page), "past": queries.past_challenges(page["competition"])}


hooks.GIVEN["challenges/at_desk_next.html"] = _open
hooks.GIVEN["challenges/at_above_standings.html"] = _all
