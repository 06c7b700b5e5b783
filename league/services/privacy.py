"""What a player lets others see, and the secret calendar; only the person behind the player chooses it."""

from django.core.exceptions import PermissionDenied

from games.engine.messages import text
from games.engine.refusals import Malformed
from league.choices import Audience
from league.models import Account, Player
from league.ops.secret import new_salt


def choose_privacy(*, by: Account, player: Player, audience: str, findable: bool) -> Player:
    """Return the player with these choices; raises `Malformed` and PermissionDenied."""
    by.require_person()
    if player.account_id != by.pk:
        raise PermissionDenied(text("Only the player chooses what others see."))
    if audience not in Audience.values:
        raise Malformed({"audience": [text("Choose one of those who are listed.")]})
    if findable and audience == Audience.NOBODY:
        raise Malformed({"findable": [text("Nobody finds a player who is shown to nobody.")]})
    player.audience, player.findable = audience, findable
    player.save(update_fields=["audience", "findable"])
    return player


def renew_calendar(*, by: Account, player: Player) -> None:
    """Give the player's secret calendar another address; the one before it ends. Raises PermissionDenied."""
    by.require_person()
    if player.account_id != by.pk:
        raise PermissionDenied(text("Only the player changes the address of the calendar."))
    player.calendar_salt = new_salt()
    player.save(update_fields=["calendar_salt"])
