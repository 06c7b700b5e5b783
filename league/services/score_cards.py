"""Score cards written as a whole: any of their rounds, typed by several people at the same time."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final
from uuid import UUID

from games import log
from games.engine import replay
from games.engine.jsontypes import Json, JsonObject
from games.engine.paper import PaperCard
from games.engine.refusals import Illegal, Stale
from games.engine.replay import Position
from games.models import Game
from league.callers import ByAccount
from league.models import Account
from league.services.play import make_move

_TRIES: Final = 5


def write_round(*, by: Account, game_id: UUID, number: int, version: int, result: Mapping[str, Json]) -> bool:
    """Enter or correct a round of a card; return whether that changed it.

    A scorekeeper's or organiser's entry counts at once; others write for their seat. ``version`` is that of
    the round which the caller has seen (`Entry.version`). Raises `Stale` where somebody else has written
    something different meanwhile, and what `make_move` does.
    """
    caller = ByAccount(by, keeps_scores=True)
    for _try in range(_TRIES):
        game = Game.objects.get(pk=game_id)
        now = _version(log.latest(game), number)
        kind, by_number = ("correct", "replaces") if now else ("round", "round")
        move: JsonObject = {"type": kind, by_number: number, **result}
        if now and _repeats(log.latest(game), number, move):
            return False
        if now != version:
            raise Stale(game.seq + 1)
        # Another round of the card may have been written in the same moment.
        with suppress(Stale):
            make_move(caller, game_id=game_id, seq=game.seq + 1, move=move)
            return True
    raise Stale(game.seq + 1)


def confirm_round(*, by: Account, game_id: UUID, number: int, version: int) -> None:
    """Confirm a round of a card in the version that the caller has seen.

    Raises `Stale` where it has changed, `Illegal` where the caller entered it, and what `make_move` does.
    """
    game = Game.objects.get(pk=game_id)
    if _version(log.latest(game), number) != version:
        raise Stale(game.seq + 1)
    move: JsonObject = {"type": "confirm", "round": number}
    make_move(ByAccount(by, keeps_scores=True), game_id=game_id, seq=game.seq + 1, move=move)


def _version(position: Position, number: int) -> int:
    """Return how often a round was written; raise `Illegal` where the game has no card to write on."""
    if not isinstance(position.ruleset, PaperCard) or position.joining:
        raise Illegal("This game has no score card to write on.")
    entries = position.state.entries
    return entries[number - 1].version if 0 < number <= len(entries) else 0


def _repeats(position: Position, number: int, move: JsonObject) -> bool:
    ruleset = position.ruleset
    assert isinstance(ruleset, PaperCard)
    return ruleset.repeats(position.state, number, replay.read_move(ruleset, move))
