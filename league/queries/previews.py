"""What verbs would change in a competition, computed from its log in memory; nothing is written."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from uuid import UUID

from games import log as games
from games.engine import replay
from games.engine.common_moves import Forfeit
from games.engine.refusals import Stale
from games.engine.replay import Actor
from games.models import Game
from league.core import previews
from league.core.events import Ending, Event
from league.core.previews import Preview
from league.core.state.competition import Competition as State
from league.core.verb import Given, Verb
from league.core.verbs.results import ReplayGame
from league.models import Account, ClubGame, Competition
from league.queries.competitions import state_of
from league.queries.games import partners_are_left
from league.queries.given import given_to, lost, result_of, with_games


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
    found = previews.preview(state, given, _played_on)
    return replace(found, lost=lost(state, found.ends))


def _given(by: Account, competition: Competition, verb: Verb) -> Given:
    given = given_to(by, competition, [verb])
    return with_games(given, verb, abandoning=True) if isinstance(verb, ReplayGame) else given


def _played_on(state: State, ending: Ending) -> Iterator[Event]:
    """Yield the results of the running games that are over once an entry leaves them."""
    playing = ClubGame.objects.filter(table=UUID(ending.table), game__status=Game.Status.ACTIVE)
    for club_game in playing.select_related("game"):
        game = club_game.game
        position = games.latest(game)
        entries = [seat.entry for seat in state.table(ending.table)[2].seats]
        for number, entry in enumerate(entries):
            if entry == ending.entry and number not in position.out and not position.is_over:
                alone = partners_are_left(entries, (*position.out, number))
                position = replay.played(position, Actor("arbiter"), Forfeit(number, alone=alone))
                while due := replay.due(position):
                    position = replay.played(position, *due)
        games.follow(game, position)
        if game.is_over:
            # The head of an entry that nobody has written: it only has to differ from a recorded one.
            game.head = "0" * 64
            yield result_of(club_game)
