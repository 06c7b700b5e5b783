"""Saying that somebody is away: by themselves, or by an organiser of the club."""

from datetime import date
from typing import Final
from uuid import UUID

from django.db import transaction

from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from league.apps.away.models import Away
from league.apps.away.queries import away_of
from league.choices import TokenScope
from league.models import Account, Player
from league.queries import permissions
from league.services.checking import check

MOST: Final = 50
"""Times of one player that are not over."""
GONE: Final = text("This is not there any more. Look at the page again.")


@transaction.atomic
def say_away(*, by: Account, player: Player, since: date, until: date) -> Away:
    """Keep that a player is away; the same again changes nothing. Raises `Malformed` and PermissionDenied."""
    _require(by, player)
    mine = Player.objects.filter(pk=player.pk)
    mine.select_for_update(no_key=True).get()
    if known := Away.objects.filter(player=player, since=since, until=until).first():
        return known
    if until < player.club.today:
        raise Malformed({"until": [text("This day is over.")]})
    if away_of(mine).count() >= MOST:
        raise Malformed({"since": [text("At most %(most)d times are kept of one person.", most=MOST)]})
    away = Away(player=player, since=since, until=until)
    check(away)
    away.save(force_insert=True)
    return away


@transaction.atomic
def drop_away(*, by: Account, away: UUID) -> None:
    """Forget a time; raises `Illegal` where it is gone, and PermissionDenied."""
    found = Away.objects.select_related("player__club").filter(pk=away).first()
    if found is None:
        raise Illegal(GONE)
    _require(by, found.player)
    found.delete()


def _require(by: Account, player: Player) -> None:
    """Raise PermissionDenied for who is neither the player nor an organiser of the club."""
    if player.account_id == by.pk:
        permissions.require_player(player.club_id, by, TokenScope.PLAY_ENTER)
    else:
        permissions.require_organiser(player.club_id, by)


def merge_away(kept: Player, merged: Player) -> None:
    """Let a player be away on the days of another one who is the same person."""
    known = {*Away.objects.filter(player=kept).values_list("since", "until")}
    for each in Away.objects.filter(player=merged):
        if (each.since, each.until) in known:
            each.delete()
        else:
            Away.objects.filter(pk=each.pk).update(player=kept)


def forget_away(player: Player) -> None:
    """Forget when a person was away and will be."""
    Away.objects.filter(player__in=[player.pk, *player.merged.values_list("pk", flat=True)]).delete()
