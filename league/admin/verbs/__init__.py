"""What an organiser can do with a competition: each verb with its form, its words and its service."""

from collections.abc import Mapping
from typing import Final

from league import log
from league.admin.verbs import course, entries, names, rounds, tables
from league.admin.verbs.base import ActForm, Verb
from league.models import Competition

__all__ = ["VERBS", "ActForm", "Verb", "offered"]

_VERBS: Final = (*rounds.VERBS, *entries.VERBS, *names.VERBS, *tables.VERBS, *course.VERBS)
VERBS: Final[Mapping[str, Verb]] = {verb.key: verb for verb in _VERBS}


def offered(competition: Competition) -> list[Verb]:
    """Return what can be done with a competition as it stands."""
    now = [verb for verb in _VERBS if competition.status in verb.when]
    fitting = [verb for verb in now if not verb.steps or competition.step in verb.steps]
    state = log.latest(competition)
    return [verb for verb in fitting if verb.only(state)]
