"""What was done by a verb on the desk, in words."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import database_time
from league.core.verbs import EVENTS
from league.models import Account, Competition
from league.queries.events import events_of
from league.words.event_text import EventLine, event_lines
from league.words.messages import translated
from league.words.times import point_in_time
from league.words.values import numbers_within

MOST_TOLD: Final = 3
MINUTES_TOLD: Final = 60
"""From so many minutes on the time is told, not how long ago it was."""


def what_was_done(by: Account, competition: Competition, before: int) -> str:
    """Return what an account wrote into a log after entry ``before``; a draw stands for its cut-off."""
    written = events_of(competition, withheld=True).filter(seq__gt=before, account=str(by.pk))
    events = list(written.order_by("seq"))
    shown = [event for event in events if event.event["type"] != "cut_off"]
    return _in_words(event_lines(shown or events))


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
    told = {"who": who, "sentence": numbers_within(line.sentence)}
    minutes = int((database_time.now() - line.event.at).total_seconds() // 60)
    if minutes >= MINUTES_TOLD:
        return _("%(at)s, %(who)s: %(sentence)s") % {**told, "at": point_in_time(line.event.at)}
    if minutes < 1:
        return _("Just now, %(who)s: %(sentence)s") % told
    sentence = ngettext(
        "%(count)d minute ago, %(who)s: %(sentence)s", "%(count)d minutes ago, %(who)s: %(sentence)s", minutes
    )
    return sentence % {**told, "count": minutes}


def _in_words(lines: Sequence[EventLine]) -> str:
    """Return what events say in all, many of a type in one sentence."""
    if not lines:
        return _("Nothing had to be changed.")
    kinds = Counter(line.event.event["type"] for line in lines)
    together = {kind: _together(kind, count) for kind, count in kinds.items() if count > 1}
    sentences = list(
        dict.fromkeys(
            together.get(line.event.event["type"]) or numbers_within(line.sentence) for line in lines
        )
    )
    more = len(sentences) - MOST_TOLD
    if more > 0:
        del sentences[MOST_TOLD:]
        sentence = ngettext("And %(count)d more change.", "And %(count)d more changes.", more)
        sentences.append(sentence % {"count": more})
    return " ".join(sentences)


def _together(kind: str, count: int) -> str:
    return translated(EVENTS[kind].sentence_of_many(count)) if kind in EVENTS else ""
