"""What is told of challenges that wait for an answer, in the reader's language."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.core.state.challenges import Challenge
from league.core.state.competition import Competition as State
from league.words.messages import shown_name

STATUSES = {
    "open": gettext_lazy("waits for an answer"),
    "accepted": gettext_lazy("accepted"),
    "refused": gettext_lazy("refused"),
    "lapsed": gettext_lazy("not answered in time"),
    "withdrawn": gettext_lazy("withdrawn"),
    "ended": gettext_lazy("ended with the round, or because somebody left"),
}


def challenge_in_words(state: State, challenge: Challenge) -> str:
    """Return who challenges whom, and what became of it."""
    names = [shown_name(state.entry(each).name) for each in challenge.entries]
    told = _("%(by)s challenges %(entry)s (%(status)s)")
    return told % {"by": names[0], "entry": names[1], "status": STATUSES[challenge.status]}
