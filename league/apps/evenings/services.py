"""Running an evening again: another competition with the same settings, and those who played entered."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, time
from typing import Any

from django.db import IntegrityError, transaction

from games.engine.messages import text
from games.engine.refusals import Malformed
from league import hooks
from league.apps.evenings.models import Evening
from league.apps.evenings.queries import Former, given
from league.callers import ByAccount
from league.core.verbs.start import OpenEntries
from league.models import Account, Competition, Details
from league.queries.competitions import details_of, prizes_of
from league.services.competitions import FIELDS, Entrants, enter_players, open_competition
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
    details = {**_details(like, day), "begins_at": at}
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
    made = Competition.objects.get(pk=made.pk)
    hooks.evening_opened(made, like)
    return made


def _details(competition: Competition, day: date) -> dict[str, Any]:
    """Return what another evening on a day tells: all but the picture, and who won the prizes."""
    told: Details = details_of(competition)
    lasts = told.ends_on - told.begins_on if told.ends_on and told.begins_on else None
    same = {name: getattr(told, name) for name in FIELDS if name != "picture_text"}
    prizes = [replace(each, winner="") for each in prizes_of(told)]
    return {**same, "begins_on": day, "ends_on": lasts and day + lasts, "prizes": prizes}
