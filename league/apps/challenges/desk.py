"""What the desk says of open challenges before they end with something else."""

from collections.abc import Iterator
from typing import Final

from games.engine.messages import plural
from league.admin.consequences import OF_APPS, Warned, some
from league.apps.challenges.queries import open_challenges
from league.core.verb import Verb
from league.core.verbs.course import CancelCompetition
from league.core.verbs.rounds import CloseRound, WithdrawRound
from league.models import Competition
from league.words.messages import shown_name, translated

_ENDING: Final = (CloseRound, WithdrawRound, CancelCompetition)
"""What ends all challenges that are open."""


def _end(competition: Competition, verb: type[Verb]) -> Iterator[Warned]:
    if not issubclass(verb, _ENDING):
        return
    waiting = open_challenges(competition)
    pairs = [f"{shown_name(each.by)} – {shown_name(each.entry)}" for each in waiting]
    if pairs:
        told = plural(
            "%(count)d open challenge ends, and costs nothing: %(challenges)s.",
            "%(count)d open challenges end, and cost nothing: %(challenges)s.",
            len(pairs),
            challenges=some(pairs),
        )
        yield Warned(translated(told))


OF_APPS.append(_end)
