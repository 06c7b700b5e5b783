"""What the desk says of open challenges before they end with something else."""

from collections.abc import Collection, Iterator
from typing import Final

from django.utils.translation import gettext as _

from games.engine.messages import filled
from league.admin.consequences import OF_APPS, Warned, some
from league.core.verb import Verb
from league.core.verbs.course import CancelCompetition
from league.core.verbs.entries import ExpelEntry, WithdrawEntry
from league.core.verbs.rounds import CloseRound, WithdrawRound
from league.models import Competition
from league.queries.competitions import state_of
from league.words.challenges import ending_in_words, open_pairs

_ENDING: Final = (CloseRound, WithdrawRound, CancelCompetition)
"""What ends all challenges that are open."""
_LEAVING: Final = (WithdrawEntry, ExpelEntry)
"""What ends those of an entry."""


def _end(competition: Competition, verb: type[Verb], entries: Collection[str]) -> Iterator[Warned]:
    if not issubclass(verb, (*_ENDING, *_LEAVING)):
        return
    leaving = issubclass(verb, _LEAVING)
    pairs = open_pairs(state_of(competition), entries if leaving else ())
    if pairs and leaving and not entries:
        told = _("Open challenges of who leaves end, and cost nothing. Open are: %(challenges)s.")
        yield Warned(filled(told, {"challenges": some(pairs)}))
    elif pairs:
        yield Warned(ending_in_words(pairs, some))


OF_APPS.append(_end)
