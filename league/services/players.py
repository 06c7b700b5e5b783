"""Changing a player: the entries that are named after a player follow when the name is corrected."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Coalesce

from league.choices import EventRole
from league.core.events import Event
from league.core.state.competition import Competition as State
from league.core.verbs.entries import corrections
from league.log import Author
from league.models import Account, Player
from league.projections.competitions import rename_entries
from league.queries.clubs import ids_of
from league.queries.people import competitions_with
from league.services.clubs import write_player
from league.services.verbs import write


@transaction.atomic
def change_player(*, by: Account, player: Player, name: str, account: Account | None, active: bool) -> Player:
    """Return the player with these values; raises `Malformed` and PermissionDenied.

    Entries that are named after the player get the new name, in competitions that are over, too.
    """
    former = write_player(by=by, player=player, name=name, account=account, active=active)
    if player.name != former:
        _follow_name(by, player, former)
    return player


def _follow_name(by: Account, player: Player, former: str) -> None:
    mine = {str(pk) for pk in ids_of(pk=player.pk)}

    def command(state: State, now: datetime) -> Sequence[Event]:
        entries = [each for pk in mine for each in state.entries.found(pk)]
        names = _names({each for entry in entries for _since, players in entry.lineups for each in players})
        before = {**names, **dict.fromkeys(mine, former)}
        return list(corrections(state, before, names))

    author = Author(EventRole.ORGANISER, str(by.pk))
    for competition in competitions_with(player).order_by("pk"):
        if not player.anonymous:
            write(competition_id=competition.pk, author=author, command=command)
        rename_entries(competition)


def _names(players: Iterable[str]) -> Mapping[str, str]:
    """Return the names that players have now by their ids; those of a merged one are of whom they are now."""
    named = Player.objects.filter(pk__in=players).annotate(now=Coalesce(F("merged_into__name"), F("name")))
    return {str(pk): name for pk, name in named.values_list("pk", "now")}
