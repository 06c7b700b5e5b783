"""Who wins the prizes of a competition once it is finished."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from datetime import date
from typing import Final

from league import hooks
from league.core.details import Award, FinalRank, Prize, awards
from league.core.entering import joined
from league.core.standings import ranking
from league.core.state.entries import Entry as EntryState
from league.models import Competition, Player, Stage
from league.models.names import search_key
from league.queries.competitions import details_of, prizes_of, state_of
from league.queries.standings import standings_of

_BEST: Final = re.compile(r"^best\w*\s+")
"""What a prize of a category may begin with, in English and in German."""


def awards_of(competition: Competition) -> tuple[tuple[int, tuple[Award, ...]], ...]:
    """Return the prizes with their winners, group by group, once the competition is finished.

    Of a category that is whom an organiser noted, or until then who wins it by the standings.
    Before that, and for a final order over several stages, there is a single group with number 0.
    """
    prizes = prizes_of(details_of(competition))
    if not prizes:
        return ()
    ranked = _rankings(competition)
    if len(ranked) < 2:
        won = {each.prize: each.names for each in won_in_categories(competition)}
        return ((0, awards(prizes, ranked[0][1] if ranked else (), won)),)
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
            FinalRank(place, state.entry(entry).name, entry in by_lot, entry)
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
            rank = FinalRank(row.rank - before[row.group], row.entry.name, row.by_lot, str(row.entry_id))
            groups.setdefault(row.group, []).append(rank)
    return tuple(groups.items())


@dataclass(frozen=True)
class OfCategory:
    """Who wins a prize of a category of the club, level at a place: the first of so many who are in it."""

    prize: Prize
    category: str
    names: tuple[str, ...]
    place: int
    among: int


def unnoted_prizes(competition: Competition) -> Sequence[Prize]:
    """Return the prizes of categories of which nobody noted who won them."""
    return [each for each in prizes_of(details_of(competition)) if each.category and not each.winner]


def won_in_categories(competition: Competition) -> Sequence[OfCategory]:
    """Return who wins those prizes of categories that have no winner yet, once the competition is finished.

    "Best junior" is of the category Junior or Juniors. An entry is in it if one of its players is on the
    first day; where not all are, those who are win. None where groups have final rankings of their own.
    """
    details = details_of(competition)
    asked = {_of(each.category): each for each in unnoted_prizes(competition)}
    ranked = _rankings(competition) if asked else ()
    if len(ranked) != 1:
        return ()
    club, state, listed = competition.club, state_of(competition), ranked[0][1]
    day = details.begins_on or competition.opened_at.astimezone(club.zone).date()
    merged = Player.objects.filter(club=club, merged_into__isnull=False).values_list("pk", "merged_into")
    now = {str(pk): str(into) for pk, into in merged}
    players = {
        each.entry: {now.get(pk, pk) for pk in state.entry(each.entry).players} for each in ranked[0][1]
    }
    found = []
    for known in (each for of_app in hooks.KNOWN_AS for each in of_app(club)):
        prize = next((each for name, each in asked.items() if _is_same(name, _of(str(known.title)))), None)
        inside = {str(pk) for pk, spans in known.periods.items() if _within(spans, day)}
        among = [row for row in listed if players[row.entry] & inside]
        if prize and among:
            place = min(each.rank for each in among)
            first = [each.entry for each in among if each.rank == place]
            names = tuple(_winner(state.entry(each), players[each], inside) for each in first)
            found.append(OfCategory(prize, str(known.title), names, place, len(among)))
    return found


def _winner(entry: EntryState, players: Set[str], inside: Set[str]) -> str:
    """Return the public name of an entry, or of those of its players who are inside where not all are."""
    if players <= inside:
        return entry.public_name or entry.name
    won = Player.objects.filter(pk__in=players & inside).order_by("sort_name", "pk")
    return joined([each.public_name or each.name for each in won])


def _of(category: str) -> str:
    return _BEST.sub("", search_key(category))


def _is_same(one: str, other: str) -> bool:
    """Return whether two names are of one category, in the singular or the plural."""
    short, long = sorted((one, other), key=len)
    return short == long or (len(short) > 3 and long.startswith(short) and len(long) - len(short) < 3)


def _within(spans: Iterable[tuple[date | None, date | None]], on: date) -> bool:
    return any((since or on) <= on <= (until or on) for since, until in spans)
