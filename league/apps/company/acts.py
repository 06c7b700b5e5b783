"""What players say to each other at a table. It is passed on and kept nowhere; it is no move."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction

from games import database_time, log, rules
from games.engine import replay
from games.engine.jsontypes import JsonObject
from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from games.models import Game, Seat
from league.apps.company.models import Phrase, Presence, QuietCompetition
from league.apps.company.queries import company_of, kept_apart, not_heard
from league.choices import TokenScope
from league.models import Account, ClubGame
from league.queries.at_table import AtTable
from league.queries.games import club_game_of, seat_of
from league.services import channel

MOST: Final = 4
WITHIN: Final = timedelta(seconds=20)
"""An account says at most so much in this time, at all tables."""


class TooOften(Illegal):
    """Something that an account says too soon after other things; it can after ``wait`` seconds."""

    def __init__(self, wait: int) -> None:
        super().__init__(text("You have said a lot just now. Wait a moment."))
        self.wait = wait


def phrases_at(club_game: ClubGame) -> Sequence[Phrase]:
    """Return what can be said at a table; nothing where club or competition want none."""
    quiet = QuietCompetition.objects.filter(competition=club_game.competition_id)
    if not company_of(club_game.club_id).phrases or (club_game.competition_id and quiet.exists()):
        return ()
    points = rules.find(club_game.game.ruleset).pointed_at
    return [each for each in Phrase if points or each != Phrase.SEEN]


@transaction.atomic
def say(*, by: Account, game_id: UUID, phrase: str, at: tuple[int, int] | None = None) -> None:
    """Say a phrase at one's table to those who follow it now; ``at`` is the seat and the place of a card.

    Raises `Malformed`, `TooOften`, `Illegal`, PermissionDenied for who has no seat there, and
    Game.DoesNotExist.
    """
    by.require_scope(TokenScope.PLAY_MOVE)
    club_game = club_game_of(game_id)
    seat = seat_of(by, game_id)
    if seat is None:
        raise PermissionDenied(text("You have no seat at this table."))
    if club_game.game.status != Game.Status.ACTIVE:
        raise Illegal("Nobody plays at this table now.")
    known = phrases_at(club_game)
    if not known:
        raise Illegal("Nobody says anything at this table.")
    if phrase not in known:
        raise Malformed({"phrase": [text("There is no such phrase here.")]})
    place = _place(club_game.game, at) if phrase == Phrase.SEEN else None
    if at is not None and place is None:
        raise Malformed({"at": [text("Only who has seen a card points at it.")]})
    _keep_pace(by)
    channel.say(game_id, seat, {"phrase": phrase, "at": place})


def _place(game: Game, at: tuple[int, int] | None) -> JsonObject:
    """Return the place of a card; raise `Malformed` where none lies there face down."""
    position = log.latest(game)
    cards: Any = replay.view(position, None)[position.ruleset.pointed_at]
    if at is None or not (0 <= at[0] < len(cards) and 0 <= at[1] < len(cards[at[0]])):
        raise Malformed({"at": [text("No card lies there.")]})
    if cards[at[0]][at[1]]["up"]:
        raise Malformed({"at": [text("Everybody sees this card.")]})
    return {"seat": at[0], "index": at[1]}


def _keep_pace(by: Account) -> None:
    """Count what an account says; raises `TooOften`."""
    Presence.objects.get_or_create(account=by)
    row = Presence.objects.select_for_update().get(account=by)
    now = database_time.now()
    if row.said_since <= now - WITHIN:
        row.said_since, row.said = now, 0
    if row.said >= MOST:
        raise TooOften(max(1, round((row.said_since + WITHIN - now).total_seconds())))
    row.said += 1
    row.save(update_fields=["said_since", "said"])


def follow_table(account: Account, game_id: UUID) -> AtTable:
    """Return how an account follows a game: whom it mutes is not heard."""
    seats = dict(Seat.objects.filter(game=game_id, account__isnull=False).values_list("account", "number"))
    unheard, unseen = not_heard(account.pk), kept_apart(account.pk)
    return AtTable(
        seats.get(account.pk),
        frozenset(number for other, number in seats.items() if other in unheard),
        frozenset(number for other, number in seats.items() if other in unseen),
    )
