"""What verbs would change in a competition, computed from its log in memory; nothing is written."""

from collections.abc import Sequence
from dataclasses import replace

from games.engine.refusals import Stale
from league.core import previews
from league.core.previews import Preview
from league.core.verb import Given, Verb
from league.core.verbs.results import ReplayGame
from league.models import Account, Competition
from league.queries.competitions import state_of
from league.queries.given import given_to, lost, with_games


def preview(
    *, by: Account, competition: Competition, verbs: Sequence[Verb], seq: int | None = None
) -> Preview:
    """Return what verbs would change if ``by`` carried them out now, one after the other.

    Raises what `league.services.verbs.perform` raises for them, and `Illegal` for a verb that draws. With
    ``seq`` the log must be expecting that number.
    """
    competition = Competition.objects.get(pk=competition.pk)
    given = [(verb, _given(by, competition, verb)) for verb in verbs]
    if seq is not None and seq != competition.seq + 1:
        raise Stale(competition.seq + 1, "competition", sent=seq)
    state = state_of(competition)
    found = previews.preview(state, given)
    return replace(found, lost=lost(state, found.ends))


def _given(by: Account, competition: Competition, verb: Verb) -> Given:
    given = given_to(by, competition, [verb])
    return with_games(given, verb, abandoning=True) if isinstance(verb, ReplayGame) else given
