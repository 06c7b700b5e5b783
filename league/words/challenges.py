"""What is told of challenges that wait for an answer, in the reader's language."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from django.utils.functional import lazy
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.messages import plural
from league.core import formats
from league.core.state.challenges import Challenge, Cost, waiting
from league.core.state.competition import Competition as State
from league.core.verbs.challenges import answer_by
from league.words.messages import shown_name, translated
from league.words.times import point_in_time

STATUSES = {
    "open": gettext_lazy("waits for an answer"),
    "accepted": gettext_lazy("accepted"),
    "refused": gettext_lazy("refused"),
    "lapsed": gettext_lazy("not answered in time"),
    "withdrawn": gettext_lazy("withdrawn"),
    "ended": gettext_lazy("ended with the round, or because somebody left"),
}


_REFUSED: Final[Mapping[Cost, Any]] = {
    "nothing": gettext_lazy("To refuse costs nothing now."),
    "lost": gettext_lazy("To refuse now counts as lost: both change rungs."),
    "drop": gettext_lazy("To refuse now costs one rung."),
}
_LAPSED: Final[Mapping[Cost, Any]] = {
    "nothing": gettext_lazy("Not to answer in time costs nothing."),
    "lost": gettext_lazy("Not to answer in time counts as lost: both change rungs."),
    "drop": gettext_lazy("Not to answer in time costs one rung."),
}


def became(state: State, challenge: Challenge) -> str:
    """Return what became of a challenge: its status, and of one that ended why."""
    if challenge.status != "ended":
        return str(STATUSES[challenge.status])
    if challenge.left:
        return _("ended with the withdrawal of %(name)s") % {
            "name": shown_name(state.entry(challenge.left).name)
        }
    return _("ended with its round")


def costs_in_words(state: State, challenge: Challenge) -> str:
    """Return what it would cost who is challenged to refuse now, and not to answer, of an open challenge."""
    stage = state.stage_numbered(challenge.stage)
    cost_of = formats.of(stage.plan).cost_of
    refused, lapsed = (cost_of(state, stage, challenge, how) for how in ("refused", "lapsed"))
    return f"{_REFUSED[refused]} {_LAPSED[lapsed]}"


def open_pairs(state: State, among: Collection[str] = ()) -> Sequence[str]:
    """Return who challenges whom in open challenges: of some entries, or in all."""
    return [
        " – ".join(shown_name(state.entry(entry).name) for entry in each.entries)
        for each in waiting(state.challenges)
        if not among or not {*each.entries}.isdisjoint(among)
    ]


def ending_in_words(pairs: Sequence[str], named: Callable[[Sequence[str]], str] = ", ".join) -> str:
    """Return that these open challenges end; empty for none."""
    told = plural(
        "%(count)d open challenge ends, and costs nothing: %(challenges)s.",
        "%(count)d open challenges end, and cost nothing: %(challenges)s.",
        len(pairs),
        challenges=named(pairs),
    )
    return translated(told) if pairs else ""


def challenge_later(state: State, challenge: Challenge) -> str:
    """Return `challenge_in_words`, made only where it is shown: a page has its zone while it is rendered."""
    shown: str = lazy(challenge_in_words, str)(state, challenge)
    return shown


def challenge_in_words(state: State, challenge: Challenge) -> str:
    """Return who challenges whom, and until when it can be answered or what became of it."""
    names = [shown_name(state.entry(each).name) for each in challenge.entries]
    given = {"by": names[0], "entry": names[1], "status": became(state, challenge)}
    if challenge.status != "open":
        return _("Challenge: %(by)s against %(entry)s (%(status)s)") % given
    until = point_in_time(localtime(answer_by(state, challenge)))
    return _("Challenge: %(by)s against %(entry)s, to be answered by %(until)s") % {**given, "until": until}
