"""House bots, nine of each of three levels: each moves as the account that it is, as everybody does."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Final, NamedTuple
from uuid import UUID, uuid5

import structlog

from games import log
from games.engine import replay
from games.engine.jsontypes import JsonObject
from games.engine.messages import Message, text
from games.engine.policy import Level, Policy, Rememberer, decided, remembered
from games.engine.refusals import Stale
from games.engine.replay import Actor, Position
from games.models import Game, Seat
from games.packages import policy_of
from league.callers import ByAccount
from league.hooks import HOUSE_BOTS, HouseBot
from league.models import Account
from league.services.casual_games import accept_game
from league.services.play import make_move

MOST: Final = 9
"""How many bots of a level there are: no game has more seats beside one's own."""
_NAMESPACE: Final = UUID("5d0a2c0e-6a55-4c4f-9a34-2a1e4b3f7c11")
_log = structlog.get_logger(__name__)


_NAMES: Final[Mapping[Level, Callable[[int], Message]]] = {
    "easy": lambda number: text("Easy bot %(number)d", number=number),
    "medium": lambda number: text("Medium bot %(number)d", number=number),
    "strong": lambda number: text("Strong bot %(number)d", number=number),
}
BOTS: Final = [
    HouseBot(uuid5(_NAMESPACE, f"{level} {number}"), level, name(number))
    for level, name in _NAMES.items()
    for number in range(1, MOST + 1)
]
"""Their accounts have the same ids on every server."""


def move_bot(*, game_id: UUID) -> bool:
    """Make the next move of a house bot, or accept its invitation; return whether the game waited for one.

    A bot that finds no move, or whose move the rules refuse, resigns.
    """
    game = Game.objects.filter(pk=game_id).first()
    bot = _awaited(game) if game else None
    if game is None or bot is None:
        return False
    seat, its_bot = bot
    # Where it has only ever practised there is no row of it.
    account = Account(pk=its_bot.id)
    if game.unanswered:
        accept_game(by=account, game_id=game_id)
        return True
    position = log.latest(game)
    policy = _policy(game, position, seat, its_bot.level)
    with suppress(Stale):
        move = _chosen(policy, position, seat)
        make_move(ByAccount(account), game_id=game_id, seq=game.seq + 1, move=move)
    return True


def _chosen(policy: Policy, position: Position, seat: int) -> JsonObject:
    """Return the move that a policy chooses; where it finds none that the rules allow, the seat resigns.

    Asked again, it would choose the same: the game would wait for ever.
    """
    try:
        move = decided(policy, position, seat)
        replay.played(position, Actor("seat", seat), replay.read_move(position.ruleset, move))
    except Exception:
        _log.exception("bot_resigns", ruleset=position.ruleset.name, seat=seat)
        return {"type": "resign"}
    return move


def _awaited(game: Game) -> tuple[int, HouseBot] | None:
    """Return the first seat of a house bot for which the game waits."""
    waits_for = game.unanswered or game.awaited
    seats = Seat.objects.filter(game=game, number__in=waits_for, account__in=HOUSE_BOTS).order_by("number")
    seat = None if game.is_over else seats.first()
    return (seat.number, HOUSE_BOTS[seat.account]) if seat and seat.account else None


class _Mind(NamedTuple):
    """A policy with what it remembers after an entry, which led to the position."""

    seq: int
    position: Position
    policy: Rememberer


class _Minds:
    """What a bot remembers in this process; what is missing follows from the log."""

    def __init__(self) -> None:
        self.last: _Mind | None = None


@lru_cache(maxsize=200)
def _minds(_game: UUID, _seat: int) -> _Minds:
    return _Minds()


def _policy(game: Game, position: Position, seat: int, level: Level) -> Policy:
    """Return the policy of a bot's seat, with all that the seat has seen."""
    policy = policy_of(position.ruleset, level)
    if not isinstance(policy, Rememberer):
        return policy
    minds = _minds(game.pk, seat)
    mind = minds.last or _Mind(1, log.position_at(game, 1), policy)
    for entry in log.entries(game, mind.seq):
        move = replay.read_move(position.ruleset, entry.move)
        now = replay.played(mind.position, Actor(entry.role, entry.seat), move)  # type: ignore[arg-type]
        told = {"seq": entry.seq, "role": entry.role, "seat": entry.seat, "move": entry.move}
        mind = _Mind(entry.seq, now, remembered(mind.policy, now, seat, told))
    minds.last = mind
    return mind.policy
