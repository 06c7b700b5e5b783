"""Running an evening again: another competition with the same settings, and those who played entered."""

from collections.abc import Sequence
from datetime import date, time

from django.db import IntegrityError, transaction

from games.engine.messages import text
from games.engine.refusals import Malformed
from league.apps.evenings.models import Evening
from league.apps.evenings.queries import Former, details_for, given
from league.callers import ByAccount
from league.core.verbs.start import OpenEntries
from league.models import Account, Competition
from league.services.competitions import Entrants, enter_players, open_competition
from league.services.verbs import perform


@transaction.atomic
def run_again(
    *,
    by: Account,
    like: Competition,
    name: str,
    day: date,
    at: time | None,
    entries: Sequence[Former] = (),
    open_entries: bool = False,
) -> Competition:
    """Return a new competition with the settings of another one and these of its entries, in their order.

    Raises `Malformed` for what the services that it calls refuse, and where the day has such an evening
    already; and PermissionDenied.
    """
    details = {**details_for(like, day), "begins_at": at}
    made = open_competition(by=by, club=like.club, name=name, details=details, **given(like))
    try:
        with transaction.atomic():
            Evening.objects.create(competition=made, like=like, day=day)
    except IntegrityError:
        raise Malformed({"day": [text("This evening was run again for this day already.")]}) from None
    if open_entries:
        perform(ByAccount(by), competition=made, verb=OpenEntries())
    if entries:
        players = tuple(str(player) for each in entries for player in each.players)
        named = Entrants(players=players, teams=tuple(each.own_name for each in entries))
        enter_players(by=by, competition=made, entrants=named)
    return Competition.objects.get(pk=made.pk)
