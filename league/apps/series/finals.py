"""A final for which people qualify: a competition that the best of a series' table are entered in."""

from collections.abc import Collection, Iterator, Sequence
from datetime import date
from typing import Final, TypeAlias
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


Chosen: TypeAlias = Sequence[tuple[str, int]]
"""People with their ranks, in an order."""


def qualified(counted: Counted, first: int, absent: Collection[str] = ()) -> Chosen:
    """Return the first so many of a table with their ranks, in its order; 0: all who have a rank.

    Who is ``absent`` makes room for the next. Who shares the last place is among them.
    """
    found = [*_ranked(counted.table.rows, absent)]
    last = found[min(first, len(found)) - 1][1] if first and found else len(counted.table.rows)
    return [(person, rank) for person, rank in found if rank <= last]


def _ranked(rows: Sequence[Row], absent: Collection[str]) -> Iterator[tuple[str, int]]:
    yield from ((row.person, row.rank) for row in rows if row.rank and row.person not in absent)


_NO_PAIRS: Final = text("No two of them have played together: set up a competition and enter pairs by hand.")


def in_pairs(counted: Counted, chosen: Chosen) -> Chosen:
    """Return those who make pairs, one pair after the other: who played together most often, and last.

    Who has played with none of the others is left out.
    """
    at = {person: place for place, (person, _rank) in enumerate(chosen)}
    together: dict[tuple[str, str], tuple[int, int]] = {}
    for part in counted.parts:
        for share in (each for each in part.shares if each.person in at):
            for other in (each for each in share.partners if at.get(each, -1) > at[share.person]):
                times, _last = together.get((share.person, other), (0, 0))
                together[share.person, other] = times + 1, part.evening
    pairs = dict[str, str]()
    places = {pair: tuple(at[person] for person in pair) for pair in together}
    found = sorted(together, key=lambda pair: (*(-number for number in together[pair]), *places[pair]))
    for one, other in found:
        if not {one, other} & {*pairs, *pairs.values()}:
            pairs[one] = other
    in_order = (person for one in sorted(pairs, key=at.__getitem__) for person in (one, pairs[one]))
    return [chosen[at[person]] for person in in_order]


def left_over(made: Competition, series: Series, first: int, absent: Collection[UUID]) -> Sequence[str]:
    """Return the names of those who qualified for a final and were not entered, as they have no partner."""
    entered = {player for entry in state_of(made).entries for player in entry.players}
    chosen = qualified(queries.table_of(series), first, {str(pk) for pk in absent})
    players = queries.players_of(person for person, _rank in chosen)
    return [each.called for each in players.values() if str(each.pk) not in entered]


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
    model = state_of(like).opening
    if model.team_size > 1:
        chosen = in_pairs(counted, chosen)
        if not chosen:
            raise Malformed({"like": [_NO_PAIRS]})
    how = Qualified(
        series=str(series.pk),
        name=counted.state.name,
        seq=counted.state.seq,
        evening=max(part.evening for part in counted.parts),
        first=first,
        places=tuple(rank for _person, rank in chosen),
    )
    given = given_by(Preset.of(model), name)
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
    return [row for row in held if state_of(row).opening.lineup == "single" or _is_of_pairs(row)]


def _is_of_pairs(competition: Competition) -> bool:
    opening = state_of(competition).opening
    return opening.lineup == "partners" and opening.team_size == 2
