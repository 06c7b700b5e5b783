"""What competitions tell about themselves."""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from games.engine import shapes
from games.engine.refusals import Malformed
from league.core.details import Award, FinalRank, NewDetails, Prize, awards
from league.core.standings import ranking
from league.models import Competition, Details, Picture, Stage
from league.queries.competitions import state_of
from league.queries.standings import standings_of


def details_of(competition: Competition) -> Details:
    """Return the competition's details, empty ones where nothing was told; `all_competitions` has them."""
    try:
        stored: Details = competition.stored_details
    except Details.DoesNotExist:
        return Details(competition=competition)
    return stored


def prizes_of(details: Details) -> tuple[Prize, ...]:
    """Return the prizes in order, without those that can't be read: no page fails for them."""
    prizes: list[Prize] = []
    for each in details.prizes if isinstance(details.prizes, list) else ():
        with suppress(Malformed):
            prizes.append(shapes.read(Prize, each))
    return tuple(prizes)


def told_by(details: Details) -> NewDetails:
    """Return what the details say without the picture, as files have it."""
    times = (details.begins_on, details.begins_at, details.ends_on)
    begins_on, begins_at, ends_on = (at.isoformat() if at else None for at in times)
    texts = (details.place, details.description, details.contact)
    return NewDetails(begins_on, begins_at, ends_on, *texts, prizes_of(details))


def awards_of(competition: Competition) -> tuple[tuple[int, tuple[Award, ...]], ...]:
    """Return the prizes with their winners, group by group, once the competition is finished.

    Before that, and for a final order over several stages, there is a single group with number 0.
    """
    prizes = prizes_of(details_of(competition))
    if not prizes:
        return ()
    ranked = _rankings(competition)
    if len(ranked) < 2:
        return ((0, awards(prizes, ranked[0][1] if ranked else ())),)
    return tuple((group, awards(prizes, rows)) for group, rows in ranked)


def _rankings(competition: Competition) -> Sequence[tuple[int, Sequence[FinalRank]]]:
    """Return the final ranking by group; none before the end."""
    if competition.status != Competition.Status.FINISHED or competition.stage == 0:
        return ()
    state = state_of(competition)
    out = ranking.gone(state)
    if competition.stage > 1:
        by_lot, places = ranking.drawn_by_lot(state), ranking.final_places(state)
        ranked = [
            FinalRank(place, state.entry(entry).name, entry in by_lot)
            for place, entry in places
            if entry not in out
        ]
        return ((0, ranked),)
    groups: dict[int, list[FinalRank]] = {}
    before = Counter[int]()
    for row in standings_of(Stage.objects.get(competition=competition, number=1)):
        if str(row.entry_id) in out:
            before[row.group] += 1
        else:
            rank = FinalRank(row.rank - before[row.group], row.entry.name, row.by_lot)
            groups.setdefault(row.group, []).append(rank)
    return tuple(groups.items())


def picture_of(competition: Competition, digest: str) -> bytes | None:
    """Return the competition's picture, None where it has another one or none."""
    if not digest or details_of(competition).picture != digest:
        return None
    data = Picture.objects.filter(competition=competition).values_list("data", flat=True).first()
    return None if data is None else bytes(data)
