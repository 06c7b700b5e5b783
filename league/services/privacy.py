"""What a player lets others see; only the person behind the player chooses it."""

from django.core.exceptions import PermissionDenied

from games.engine.messages import text
from games.engine.refusals import Malformed
from league.choices import Audience
from league.models import Account, Player
from league.queries import permissions


def choose_privacy(*, by: Account, player: Player, audience: str, findable: bool) -> Player:
    """Return the player with these choices; raises `Malformed` and PermissionDenied."""
    permissions.require_person(by)
    if player.account_id != by.pk:
        raise PermissionDenied(text("Only the player chooses what others see."))
    if audience not in Audience.values:
        raise Malformed({"audience": [text("Choose one of those who are listed.")]})
    if findable and audience == Audience.NOBODY:
        raise Malformed({"findable": [text("Nobody finds a player who is shown to nobody.")]})
    player.audience, player.findable = audience, findable
    player.save(update_fields=["audience", "findable"])
    return player
