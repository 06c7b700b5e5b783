"""What was done by a verb on the desk, in words."""

from collections.abc import Sequence
from typing import Final

from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import Account, Competition
from league.queries.events import events_of
from league.words.event_text import EventLine, event_lines

MOST_TOLD: Final = 3


def what_was_done(by: Account, competition: Competition, before: int) -> str:
    """Return what an account wrote into a competition's log after entry ``before``."""
    written = events_of(competition, withheld=True).filter(seq__gt=before, account=str(by.pk))
    return _in_words(event_lines(list(written.order_by("seq"))))


def what_others_did(by: Account, competition: Competition, since: int) -> list[str]:
    """Return what was written into a competition's log from entry ``since`` on, the latest first."""
    written = events_of(competition, withheld=True).filter(seq__gte=since)
    lines = event_lines(list(written[:MOST_TOLD]))
    told = [_told(line, by) for line in lines]
    if more := written.count() - len(told):
        told.append(
            ngettext("And %(count)d more entry in the log.", "And %(count)d more entries in the log.", more)
            % {"count": more}
        )
    return told


def _told(line: EventLine, by: Account) -> str:
    who = _("you") if line.event.account == str(by.pk) else line.account or line.event.get_role_display()
    ago = timesince(line.event.at)
    return _("%(ago)s ago, %(who)s: %(sentence)s") % {"ago": ago, "who": who, "sentence": line.sentence}


def _in_words(lines: Sequence[EventLine]) -> str:
    count = len(lines)
    if not lines:
        return _("Nothing had to be changed.")
    if count > 1 and all(line.event.event["type"] == "entered" for line in lines):
        sentence = ngettext("%(count)d entry was added.", "%(count)d entries were added.", count)
        return sentence % {"count": count}
    sentences = [line.sentence for line in lines[:MOST_TOLD]]
    if more := count - len(sentences):
        sentence = ngettext("And %(count)d more change.", "And %(count)d more changes.", more)
        sentences.append(sentence % {"count": more})
    return " ".join(sentences)
