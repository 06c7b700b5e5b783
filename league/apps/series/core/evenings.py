"""The parts of an evening, as a whole and list by list: from a competition's state, or from typed-in totals.

A person has the points that an entry earned for them, which are those of the rounds that they played for it
unless a stand-in earned them for who entered; and the rank of the entry. Since the third edition of rules,
entries that only a lot separates share their ranks, and who has a part of an entry's points has the rank
that this part would have among the other entries; a partner who has all of them has that of the entry.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, TypeAlias

from games.engine.jsontypes import Json, JsonObject
from games.engine.messages import text
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.apps.series.core.parts import Part, Place, Share
from league.apps.series.core.rule import FAIR_PLACES
from league.apps.series.core.state import BroughtShare, Evening, Series, TypedTotal
from league.core import scoring
from league.core.agreed import AWAY
from league.core.records import ZERO, Line, Rate, total
from league.core.standings import ranking
from league.core.state.competition import Competition, Entry, Point, Round, Stage

_MISSED: Final = (*AWAY, "void")


@dataclass(frozen=True)
class Parts:
    """What an evening gives a series: itself ``whole``, and its ``lists``, with shares and how they came.

    ``corrected``: something was changed after it was over, or after a later evening was typed in.
    ``measure`` is what its points are, as `measure_of` has it; empty where a competition does not tell.
    """

    whole: Part
    lists: tuple[Part, ...] = ()
    corrected: bool = False
    cancelled: bool = False
    measure: str = ""

    @property
    def units(self) -> Sequence[Part]:
        """Return what counts where lists do; a total that was typed in counts as its tables, or as one."""
        typed_in = not (self.lists or self.whole.running or self.cancelled)
        return _as_lists(self.whole) if typed_in else self.lists


def parts_of(evening: Evening, state: Competition | None = None) -> Parts:
    """Return the parts of an evening, whose competition has the state; its number is not known.

    A competition that was cancelled, or has not begun, gives no shares.
    """
    bare = part_of(evening)
    if state is None:
        of_totals = _brought if evening.brought else _typed_in
        return Parts(of_totals(bare, evening), corrected=evening.corrected)
    plan = state.plans[0]
    low = Rate(plan.scoring, plan.table_size, state.opening.low_wins).low_points_win
    bare = replace(bare, name=evening.name or state.opening.name, low_wins=low, running=not state.over)
    measure = measure_of(state)
    if state.status == "cancelled":
        return Parts(bare, cancelled=True, measure=measure)
    gone = ranking.gone(state)
    pieces = [piece for piece in _pieces(state, evening.deals) if piece.entry not in gone]
    lists = tuple(
        _list(bare, number, each, [piece for piece in pieces if piece.list == number])
        for number, (_, each) in enumerate(_rounds(state), 1)
    )
    corrected = evening.corrected or any(stage.corrected for stage in state.stages)
    return Parts(_whole(bare, state, pieces, lists), lists, corrected, measure=measure)


def measure_of(state: Competition) -> str:
    """Return what a competition's points are: what earns them, or ``difference`` or ``mixed``.

    ``difference`` is that from the average of each table, ``mixed`` what stages count in different ways.
    """
    scorings = [plan.scoring for plan in state.plans]
    found = {"difference" if each.by == "score" and each.fair else each.by for each in scorings}
    return found.pop() if len(found) == 1 else "mixed"


def part_of(evening: Evening) -> Part:
    """Return the part of an evening as far as the series' log alone has it, without shares."""
    part = Part(str(evening.id), 0, evening.name, date.fromisoformat(evening.on), ())
    return replace(part, weight=evening.weight, final=evening.final)


# ---- Who played what -----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Piece:
    """Points that an entry has of a list, at a table or without, and the people who earned them.

    ``tables`` and ``deals`` are how many of them each of these people played.
    """

    entry: str
    list: int
    points: Fraction
    people: frozenset[str]
    played: Mapping[str, int]
    deals: int = 0
    missed: bool = False
    counts: bool = True


def _rounds(state: Competition) -> Sequence[tuple[Stage, Round]]:
    """Return the rounds that are lists, in order: those that give points, with their stages."""
    return [(stage, each) for stage in state.stages for each in stage.shown_rounds if not each.play_off]


def _pieces(state: Competition, deals: int) -> Iterator[_Piece]:
    known = {entry.id: entry for entry in state.entries}
    numbers = {(stage.number, each.number): at for at, (stage, each) in enumerate(_rounds(state), 1)}
    for stage in state.stages:
        rounds = {
            each.number: (each, _seated(known, (stage.number, each.number), each))
            for each in stage.shown_rounds
        }
        for entry, record in scoring.records(state, stage).items():
            for line in record.lines:
                each, seated = rounds[line.round]
                at = (stage.number, line.round)
                played = _played(line, seated.get(entry, {}), each)
                people = frozenset(played) or frozenset(known[entry].owners_at(at))
                missed = line.kind in _MISSED
                points = line.points / record.divisor
                yield _Piece(entry, numbers[at], points, people, played, deals, missed, line.counts)
            for given in record.adjustments:
                people = frozenset(known[entry].owners_at((stage.number, given.round)))
                yield _Piece(entry, 0, given.points, people, {}, missed=True)


def _seated(known: Mapping[str, Entry], at: Point, each: Round) -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Return for each entry whose points it played at which tables of a round; not who did not come."""
    found: dict[str, dict[str, list[str]]] = {}
    for table in each.tables:
        for seat in table.seats:
            if table.outcome_of.get(seat.entry) != "no_show" and table.void is None:
                entry = known[seat.entry]
                owners = dict(zip(entry.lineup(at), entry.owners_at(at), strict=True))
                owner = owners.get(seat.player, seat.player)
                tables = found.setdefault(seat.entry, {}).setdefault(owner, [])
                if table.id not in tables:
                    tables.append(table.id)
    return found


def _played(line: Line, seated: Mapping[str, Sequence[str]], each: Round) -> Mapping[str, int]:
    """Return whose points an entry played in what a line tells, with whether at its table.

    In a drawn round a team's people at all boards have the points of each.
    """
    if line.table is None or line.kind in _MISSED:
        return {}
    return {
        player: int(line.table in tables)
        for player, tables in seated.items()
        if not each.open or line.table in tables
    }


# ---- The evening, and its lists ------------------------------------------------------------------


def _whole(bare: Part, state: Competition, pieces: Sequence[_Piece], lists: Sequence[Part]) -> Part:
    came = {piece.entry for piece in pieces if not piece.missed}
    places = {entry: Fraction(place) for place, entry in ranking.final_places(state) if entry in came}
    ranks = _ranks(places, low_wins=True)
    part = replace(bare, tables=max((each.tables for each in lists), default=0))
    counting = [piece for piece in pieces if piece.counts]
    return _part(part, ranks, counting, _without_lots(state, ranks))


def _without_lots(state: Competition, ranks: Mapping[str, int]) -> Mapping[str, int]:
    """Return the ranks of the same entries where those whom only a lot separates share theirs."""
    if not any(stage.lots for stage in state.stages):
        return ranks
    level = replace(state, stages=tuple(replace(stage, lots=None) for stage in state.stages))
    places = {entry: Fraction(place) for place, entry in ranking.final_places(level) if entry in ranks}
    return _ranks(places, low_wins=True)


def _list(bare: Part, number: int, each: Round, pieces: Sequence[_Piece]) -> Part:
    """Return the part of a round: who came to it, ranked by the points of it."""
    points: dict[str, Fraction] = {}
    for piece in pieces:
        if not piece.missed:
            points[piece.entry] = points.get(piece.entry, ZERO) + piece.points
    tables = sum(table.void is None for table in each.tables)
    part = replace(bare, key=f"{bare.key}.{number}", list=number, tables=tables)
    ranks = _ranks(points, low_wins=bare.low_wins)
    return _part(part, ranks, pieces, ranks)


def _part(
    bare: Part, ranks: Mapping[str, int], pieces: Sequence[_Piece], without_lots: Mapping[str, int]
) -> Part:
    """Return a part with the shares of all who played for the entries that have ranks.

    A rank is that of those who played most for the entry. Who else has points of their own for it is last
    until the third edition of rules.
    """
    by_entry: dict[str, list[_Piece]] = {}
    for piece in pieces:
        if piece.entry in ranks:
            by_entry.setdefault(piece.entry, []).append(piece)
    level, last, level_now = Counter(ranks.values()), len(ranks), Counter(without_lots.values())
    totals = {entry: total([piece.points for piece in own]) for entry, own in by_entry.items()}
    shares = list[Share]()
    for entry, own in by_entry.items():
        others = [have for each, have in totals.items() if each != entry]
        place = Place(without_lots[entry], level_now[without_lots[entry]] - 1)
        for first, all_of_it, person, points, deals, tables, partners in _people_first(own):
            rank = ranks[entry] if first else last
            then = Place(rank, level[rank] - 1 if rank == ranks[entry] else 0)
            now = place if all_of_it else _among(points, others, low_wins=bare.low_wins)
            fair = None if now == then else now
            shares.append(Share(person, points, then.rank, then.level, deals, tables, partners, fair))
    return replace(bare, shares=tuple(joined(shares)), field=len(ranks))


def _among(points: Fraction, others: Sequence[Fraction], *, low_wins: bool) -> Place:
    """Return the place of somebody's own points among what other entries have."""
    better = sum(other < points if low_wins else other > points for other in others)
    return Place(better + 1, others.count(points), own=True)


_Person: TypeAlias = tuple[bool, str, Fraction, int, int, frozenset[str]]
"""Whether a person has all points of an entry; who it is, with their points, deals, tables and partners."""


def _people_first(own: Sequence[_Piece]) -> Iterator[tuple[bool, *_Person]]:
    """Yield each person who played for an entry after whether they played most for it, or with who did."""
    people = [*_people(own)]
    _, person, *_, partners = max(people, key=lambda each: each[4])
    first = {person} | partners
    for each in people:
        yield each[1] in first, *each


def _people(own: Sequence[_Piece]) -> Iterator[_Person]:
    """Yield each person who played for an entry.

    What nobody who came has, as an absence in a round of somebody who never did, goes to all.
    """
    came = dict.fromkeys(person for piece in own if not piece.missed for person in sorted(piece.people))
    for person in came:
        mine = [piece for piece in own if person in piece.people or not piece.people.intersection(came)]
        points = total([piece.points for piece in mine])
        tables = sum(piece.played.get(person, 0) for piece in mine)
        deals = sum(piece.played.get(person, 0) * piece.deals for piece in mine)
        played = (piece for piece in mine if person in piece.played)
        partners = frozenset(other for piece in played for other in piece.played) - {person}
        yield len(mine) == len(own), person, points, deals, tables, partners


def _ranks(points: Mapping[str, Fraction], *, low_wins: bool) -> Mapping[str, int]:
    ranks: dict[Fraction, int] = {}
    for rank, value in enumerate(sorted(points.values(), reverse=not low_wins), 1):
        ranks.setdefault(value, rank)
    return {entry: ranks[value] for entry, value in points.items()}


def joined(shares: Iterable[Share]) -> Sequence[Share]:
    """Return shares of which each person has one: with all points, and the best rank."""
    found: dict[str, Share] = {}
    for share in shares:
        other = found.get(share.person)
        if other:
            best = min(share, other, key=lambda each: (each.rank, each.level))
            fair = min(each.fair or Place(each.rank, each.level, each.own) for each in (share, other))
            share = best._replace(
                fair=None if fair == (best.rank, best.level, best.own) else fair,
                points=share.points + other.points,
                deals=share.deals + other.deals,
                tables=share.tables + other.tables,
                partners=share.partners | other.partners,
            )
        found[share.person] = share
    return list(found.values())


def _typed_in(bare: Part, evening: Evening) -> Part:
    """Return the part of totals: partners are one entry, ranked by what they have in common."""
    entry = _entry_of(evening.totals)
    points = {entry[total.player]: Fraction(total.points) for total in evening.totals}
    ranks = _ranks(points, low_wins=evening.low_wins)
    level = Counter(ranks.values())
    shares = tuple(
        Share(
            total.player,
            Fraction(total.points),
            ranks[entry[total.player]],
            level[ranks[entry[total.player]]] - 1,
            total.deals,
            total.tables,
            frozenset(total.partners) - {total.player},
        )
        for total in evening.totals
    )
    field = evening.field or len(ranks)
    return replace(bare, shares=shares, field=field, tables=evening.tables, low_wins=evening.low_wins)


def _brought(bare: Part, evening: Evening) -> Part:
    """Return the part of what was brought from another club: ranks are those of its whole field."""
    shares = tuple(
        Share(each.player, Fraction(each.points), each.rank, each.level, each.deals, each.tables)
        for each in evening.shares
    )
    return replace(bare, shares=shares, field=evening.field, tables=evening.tables, low_wins=evening.low_wins)


def brought_shares(state: Competition, people: Mapping[str, str]) -> tuple[Part, tuple[BroughtShare, ...]]:
    """Return an evening's part, and what these of its people had, each with the player that they are here.

    Who is not in the part has no share. Raises `Illegal` for points that are too long to be written down.
    """
    part = parts_of(Evening(id=1, on="2000-01-01"), state).whole
    shares = (
        BroughtShare(
            people[each.person],
            each.person,
            _written(each.points),
            each.rank,
            each.level,
            each.deals,
            each.tables,
        )
        for each in part.shares
        if each.person in people
    )
    return part, tuple(sorted(shares, key=lambda share: share.player))


def _written(points: Fraction) -> str:
    """Return points as `state.Total` has them."""
    if abs(points.numerator) >= 10**12 or points.denominator >= 10**9:
        raise Illegal(text("The points of this evening are too long to be written down."))
    return str(points)


def _entry_of(totals: Iterable[TypedTotal]) -> Mapping[str, str]:
    """Return the entry of each player: partners have one, the least of their ids."""
    return {total.player: min(total.player, *total.partners, "~") for total in totals}


def entries_of(totals: Iterable[TypedTotal]) -> int:
    """Return how many entries have totals: partners are one."""
    return len({*_entry_of(totals).values()})


def _as_lists(whole: Part) -> Sequence[Part]:
    """Return totals as lists: of each person as many as there were tables, all with an equal share."""
    most = max((share.tables for share in whole.shares), default=0)
    return [
        replace(
            whole,
            key=f"{whole.key}.{number}",
            list=number,
            shares=tuple(
                share._replace(
                    points=share.points / (share.tables or 1),
                    deals=(share.deals + number - 1) // (share.tables or 1),
                    tables=min(share.tables, 1),
                )
                for share in whole.shares
                if number <= max(share.tables, 1)
            ),
        )
        for number in range(1, max(most, 1) + 1)
    ]


# ---- In a series ---------------------------------------------------------------------------------


def in_order(state: Series, parts: Mapping[int, Parts], until: int | None = None) -> tuple[Part, ...]:
    """Return what a series counts, in order, with the people as they are now.

    ``parts`` are those of evenings by id; those that nobody has a share of are left out. ``until`` is the
    number of the last evening that shall count.
    """
    by_list = state.rule.unit == "list"
    found = [
        _numbered(state, part, number)
        for number, evening in enumerate(state.evenings[:until], 1)
        if evening.id in parts and (state.rule.count.brought or not evening.brought)
        for part in (parts[evening.id].units if by_list else [parts[evening.id].whole])
    ]
    return tuple(part for part in found if part.shares)


def _numbered(state: Series, part: Part, number: int) -> Part:
    if state.rule.edition >= FAIR_PLACES and any(share.fair for share in part.shares):
        part = replace(part, shares=tuple(map(_fairly, part.shares)))
    if not state.merged:
        return replace(part, evening=number)
    shares = [
        share._replace(
            person=state.now(share.person),
            partners=frozenset(map(state.now, share.partners)) - {state.now(share.person)},
        )
        for share in part.shares
    ]
    return replace(part, evening=number, shares=tuple(joined(shares)))


def _fairly(share: Share) -> Share:
    """Return a share with its place as rules count since the third edition."""
    return share._replace(**share.fair._asdict(), fair=None) if share.fair else share


# ---- As JSON -------------------------------------------------------------------------------------


def as_json(part: Part) -> JsonObject:
    """Return what a part has of its evening alone as JSON."""
    shares: list[Json] = [
        [
            each.person,
            str(each.points),
            each.rank,
            each.level,
            each.deals,
            each.tables,
            sorted(each.partners),
            *([[*each.fair]] if each.fair else []),
        ]
        for each in part.shares
    ]
    return {"field": part.field, "tables": part.tables, "shares": shares}


# A year has thousands of shares, whose points are read from texts and mostly small.
_fraction: Final = lru_cache(maxsize=5000)(Fraction)


def from_json(bare: Part, data: Mapping[str, Any]) -> Part:
    """Return a part with what `as_json` wrote."""
    shares = tuple(
        Share(
            person,
            _fraction(points),
            rank,
            level,
            deals,
            tables,
            frozenset(partners),
            Place(*fair[0]) if fair else None,
        )
        for person, points, rank, level, deals, tables, partners, *fair in data["shares"]
    )
    return replace(bare, shares=shares, field=data["field"], tables=data["tables"])
