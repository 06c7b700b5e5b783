"""A final for which people qualify: a competition that the best of a series' table are entered in."""

from collections.abc import Collection, Iterator, Sequence
from datetime import date
from typing import Final
from uuid import UUID

from django.db import transaction

from games.engine.messages import text
from games.engine.refusals import Malformed
from league.apps.series import queries, services
from league.apps.series.core.ranking import Row
from league.apps.series.models import Series
from league.apps.series.queries import Counted
from league.core.details import TIMING
from league.core.presets import Preset
from league.core.state.plan import Qualified
from league.models import Account, Competition
from league.queries import permissions
from league.queries.competitions import details_of, state_of
from league.services.competitions import Entrants, enter_players, given_by, open_competition

_AS_BEFORE: Final = ("begins_at", "place", *TIMING)
"""What is told of a final as of the evening whose settings it has."""


def qualified(counted: Counted, first: int, absent: Collection[str] = ()) -> Sequence[tuple[str, int]]:
    """Return the first so many of a table with their ranks, in its order; 0: all who have a rank.

    Who is ``absent`` makes room for the next. Who shares the last place is among them.
    """
    found = [*_ranked(counted.table.rows, absent)]
    last = found[min(first, len(found)) - 1][1] if first and found else len(counted.table.rows)
    return [(person, rank) for person, rank in found if rank <= last]


def _ranked(rows: Sequence[Row], absent: Collection[str]) -> Iterator[tuple[str, int]]:
    yield from ((row.person, row.rank) for row in rows if row.rank and row.person not in absent)


@transaction.atomic
def open_final(
    *,
    by: Account,
    series: Series,
    like: Competition,
    name: str,
    day: date,
    first: int = 0,
    absent: Collection[UUID] = (),
    counts: bool = True,
    weight: int = 1,
) -> Competition:
    """Return a new competition with the settings of another one, in which the first of the table are entered.

    Its opening says how they were chosen; it is at the same time and place. ``counts``: it is a final of the
    series, of that ``weight``. Raises `Malformed`, `Illegal` where the table can't be counted, and
    PermissionDenied.
    """
    permissions.require_organiser(series.club_id, by)
    counted = queries.table_of(series)
    chosen = qualified(counted, first, {str(pk) for pk in absent})
    if not chosen:
        raise Malformed({"first": [text("Nobody has a rank yet.")]})
    how = Qualified(
        series=str(series.pk),
        name=counted.state.name,
        seq=counted.state.seq,
        evening=max(part.evening for part in counted.parts),
        first=first,
        places=tuple(rank for _person, rank in chosen),
    )
    given = given_by(Preset.of(state_of(like).opening), name)
    told = details_of(like)
    given["details"] = {**{name: getattr(told, name) for name in _AS_BEFORE}, "begins_on": day}
    given["qualified"] = how
    made = open_competition(by=by, club=series.club, **given)
    players = queries.players_of(person for person, _rank in chosen)
    named = Entrants(players=tuple(str(players[person].pk) for person, _rank in chosen))
    enter_players(by=by, competition=made, entrants=named)
    if counts and not series.closed:
        services.add_evening(by=by, series=series, competition=made, on=day, final=True, weight=weight)
    return Competition.objects.get(pk=made.pk)


def models_for(series: Series) -> Sequence[Competition]:
    """Return the competitions of a series whose settings a final can have, the newest first."""
    rows = reversed(queries.competitions_of(series))
    held = [row for row in rows if row.status != Competition.Status.CANCELLED]
    return [row for row in held if state_of(row).opening.lineup == "single"]
