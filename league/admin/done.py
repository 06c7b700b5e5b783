"""What was done by a verb on the desk, in words."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import Account, Competition
from league.queries.events import events_of
from league.words.event_text import event_lines

if TYPE_CHECKING:
    from league.models.events import Event

MOST_TOLD: Final = 3


def what_was_done(by: Account, competition: Competition, before: int) -> str:
    """Return what an account wrote into a competition's log after entry ``before``."""
    written = events_of(competition, withheld=True).filter(seq__gt=before, account=str(by.pk))
    return _in_words(list(written.order_by("seq")))


def _in_words(events: "Sequence[Event]") -> str:
    if not events:
        return _("Nothing had to be changed.")
    if len(events) > 1 and all(event.event["type"] == "entered" for event in events):
        count = len(events)
        return ngettext("%(count)d entry was added.", "%(count)d entries were added.", count) % {
            "count": count
        }
    sentences = [line.sentence for line in event_lines(events[:MOST_TOLD])]
    if more := len(events) - len(sentences):
        more_text = ngettext("And %(count)d more change.", "And %(count)d more changes.", more)
        sentences.append(more_text % {"count": more})
    return " ".join(sentences)
