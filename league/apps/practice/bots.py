"""House bots: each moves as the account that it is, as everybody does."""

from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple
from uuid import UUID

import structlog
from django.contrib.auth.hashers import make_password

from games import log
from games.deciding import decided, remembered
from games.engine import replay
from games.engine.jsontypes import JsonObject
from games.engine.policy import Level, Policy, Rememberer
from games.engine.refusals import Stale
from games.engine.replay import Actor, Position
from games.models import Game, Seat
from games.packages import policy_of
from league.callers import ByAccount
from league.core.house_bots import HOUSE_BOTS, HouseBot
from league.models import Account, Club, Player
from league.services.casual_games import accept_game
from league.services.clubs import take_in_bot
from league.services.play import make_move

_log = structlog.get_logger(__name__)


# ---- Moves ---------------------------------------------------------------------------------------


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


# ---- Clubs ---------------------------------------------------------------------------------------


def player_for(club: Club, bot: HouseBot) -> Player:
    """Return the player of a house bot in a club, made when it first sits down there."""
    known = Player.objects.filter(club=club, account=bot.id).first()
    if known:
        return known
    locked_out = {"username": f"house-bot-{bot.id}", "bot": True, "password": make_password(None)}
    account, _made = Account.objects.get_or_create(pk=bot.id, defaults=locked_out)
    return take_in_bot(club=club, account=account, name=bot.name)
