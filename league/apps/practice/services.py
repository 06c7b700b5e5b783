"""Practice games against house bots, of guests without an account and of accounts; removed after 30 days."""

from datetime import timedelta
from typing import Final

from django.db import connection, transaction
from django.db.models import Q
from django.utils.crypto import salted_hmac

from games import database_time, log, rules
from games.engine.jsontypes import JsonObject
from games.engine.lengths import FULL, length_named
from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from games.engine.replay import AnyRuleset
from games.models import Game
from games.packages import has_bot
from league.apps.practice.models import PracticeGame
from league.apps.practice.queries import running_of, seats_to_practise
from league.hooks import Visitor, bots_of
from league.models import Account
from league.services.channel import tell, topic

KEPT: Final = timedelta(days=30)
MOST_A_DAY: Final = 60
"""How many practice games can be opened from a network address in 24 hours: a class behind one router."""
MOST_RUNNING: Final = 10
"""How many running games a visitor can have."""


@transaction.atomic
def open_practice(
    *, visitor: Visitor, address: str, ruleset: str, level: str, seats: int | None = None, length: str = FULL
) -> Game:
    """Return a new game of a visitor, in the first seat, against house bots of a level.

    Without ``seats`` it has as few as it can. Raises `Malformed`, and `Illegal` for too many games of the
    visitor, or from its network address.
    """
    its_rules = rules.NEWEST.get(ruleset)
    opponents = bots_of(level)
    if its_rules is None or not has_bot(its_rules):
        raise Malformed({"ruleset": [text("There is no such game here.")]})
    hashed = salted_hmac("league.practice", address, algorithm="sha256").hexdigest()
    _check_pace(visitor, hashed)
    seats = seats_to_practise(its_rules) if seats is None else seats
    if seats not in its_rules.seats:
        raise Malformed({"seats": [text("This game is not played with so many.")]})
    bots = [bot.id for bot in opponents[: seats - 1]]
    game = log.open_game(
        ruleset=its_rules.name,
        options=_options(its_rules, length),
        players=[None] * seats,
        account=None,
        accounts=[None, *bots],
        practice=True,
    )
    PracticeGame.objects.create(
        game=game,
        guest=visitor.guest,
        account=visitor.account,
        level=level,
        address=hashed,
        opened_at=game.opened_at,
    )
    tell([topic("account", bots[0])])
    return game


def _options(ruleset: AnyRuleset, length: str) -> JsonObject:
    """Return the options of a game of a length; a game without lengths has only the full one."""
    found = length_named(ruleset.lengths, length)
    if found is None and (ruleset.lengths or length != FULL):
        raise Malformed({"length": [text("There is no such length.")]})
    return found.options if found else {}


def _check_pace(visitor: Visitor, address: str) -> None:
    """Raise `Illegal` where there are too many games; two requests of an address do not pass together."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [address])
    if running_of(visitor).count() >= MOST_RUNNING:
        raise Illegal("You have %(most)s games to finish first.", most=MOST_RUNNING)
    day_ago = database_time.now() - timedelta(days=1)
    if PracticeGame.objects.filter(address=address, opened_at__gt=day_ago).count() >= MOST_A_DAY:
        raise Illegal("Too many games were begun from your network today. Try again tomorrow.")


def forget_practice() -> None:
    """Remove the practice games that were opened 30 days ago, with their logs."""
    log.forget_practice(Q(opened_at__lt=database_time.now() - KEPT))


def forget_practice_of(account: Account) -> None:
    """Remove the practice games of an account, with their logs."""
    log.forget_practice(Q(practice_game__account=account))
