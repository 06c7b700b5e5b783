"""The verbs that a player can use now, as the verbs themselves decide, and the player's running games."""

from collections.abc import Mapping

from league.core.state.competition import Competition
from league.core.verb import Given, OwnButton, Verb
from league.core.verbs import PLAYER_VERBS


def offered(state: Competition, given: Given) -> tuple[str, ...]:
    """Return the keys of the verbs that ``given.player`` can use now and that would change something."""
    assert given.player is not None
    entry = state.entry_with(given.player)
    live = entry if entry and entry.live else None
    offers = [verb for verb in PLAYER_VERBS.values() if verb.open_to_player(state, given, live)]
    return tuple(verb.key for verb in sorted(offers, key=_rank))


def _rank(verb: type[Verb]) -> tuple[int, str]:
    return (verb.own_button.rank if verb.own_button else OwnButton.rank, verb.key)


def games(state: Competition, player: str) -> Mapping[str, int]:
    """Return a player's running games with the numbers of their tables, those of the newest round first."""
    return {
        game.id: [*its_round.tables].index(table) + 1
        for _, its_round, table in state.tables()
        if table.status == "postponed" or (its_round.status == "published" and table.status == "playing")
        for game in table.games
        if not game.result and any(seat.player == player for seat in table.seats)
    }
