"""Keeping wishes of a club's people, and forgetting them.

The club's record says that there is one about a player, and has a commitment to it: its salt goes with it.
"""

from typing import Final

from django.db import transaction

from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from league.apps.wishes.models import PlayerWish, WishKind
from league.apps.wishes.queries import SEAL, WISH, against, sealed, wishes_of
from league.models import Account, Club, ClubChange, Player
from league.queries import permissions
from league.services.audit import NONE, note_change
from league.services.checking import check

OTHER: Final = text("There is another wish that this one replaces. Say whether it may.")


@transaction.atomic
def keep_wish(
    *,
    by: Account,
    player: Player,
    kind: str,
    other: Player | None = None,
    always: bool = True,
    table: int | None = None,
    reason: str = "",
    instead: bool = False,
) -> PlayerWish:
    """Keep a wish, ``instead`` of what contradicts it about the same players, or of the player's table.

    One can be for the first round and one for the last. The same again changes nothing.
    Raises `Malformed`, at ``instead`` where there is one to replace, and PermissionDenied.
    """
    permissions.require_organiser(player.club_id, by)
    club = Club.objects.select_for_update(no_key=True).get(pk=player.club_id)
    if kind == WishKind.TABLE:
        if table is None:
            raise Malformed({"table": [text("Say which table.")]})
        other, always = None, True
    elif other is None or other.club_id != club.pk or other.anonymous or other.pk == player.pk:
        raise Malformed({"other": [text("Choose another player of the club.")]})
    else:
        table = None
    one, two = sorted((player, other), key=lambda each: each.pk) if other else (player, None)
    values = {"by_other": one != player, "kind": kind, "always": always, "table": table}
    wish = PlayerWish(club=club, player=one, other=two, reason=reason.strip(), **values)
    replaced = against(wish)
    for before in replaced:
        same = all(getattr(before, name) == value for name, value in values.items())
        if same and wish.reason in ("", before.reason):
            return before
    if replaced and not instead:
        raise Malformed({"instead": [OTHER]})
    for before in replaced:
        _drop(by, before)
    check(wish)
    wish.save()
    noted = {"fields": "wish", WISH: str(wish.pk), SEAL: sealed(wish)}
    note_change(by, club, ClubChange.Kind.PLAYER_CHANGED, player.name, after=noted, about=player.pk)
    return wish


@transaction.atomic
def drop_wish(*, by: Account, player: Player, wish: str) -> None:
    """Drop a wish of a player; raises `Illegal` where there is none, and PermissionDenied."""
    permissions.require_organiser(player.club_id, by)
    found = next((each for each in wishes_of(player) if str(each.pk) == wish), None)
    if found is None:
        raise Illegal("There is no such wish any more.")
    _drop(by, found)


def forget_wishes(player: Player) -> None:
    """Forget the wishes of a player, and of others about the player, with their salts."""
    for wish in wishes_of(player):
        _drop(None, wish)


def _drop(by: Account | None, wish: PlayerWish) -> None:
    values = {"fields": "wish", WISH: str(wish.pk), SEAL: sealed(wish)}
    note_change(
        by,
        wish.club,
        ClubChange.Kind.PLAYER_CHANGED,
        wish.player.name,
        before=values,
        after=NONE,
        about=wish.player_id,
    )
    wish.delete()
