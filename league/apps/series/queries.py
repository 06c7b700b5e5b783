"""Series of clubs: their evenings, tables and files."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import lru_cache, partial
from hashlib import sha256
from itertools import accumulate
from typing import Any, Final, TypeAlias
from uuid import UUID

from django.core.cache import cache
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import JSONObject
from django.utils.translation import gettext as _

from games.engine.jsontypes import JsonObject
from games.engine.refusals import Illegal
from games.engine.values import replace
from games.latest import Latest
from games.prepared import all_rows
from league import hooks
from league.apps.series import log
from league.apps.series.core import evenings, events, ranking, verifier
from league.apps.series.core.evenings import Parts, in_order
from league.apps.series.core.events import Event, read
from league.apps.series.core.parts import Part
from league.apps.series.core.ranking import Facts, Table
from league.apps.series.core.rule import Rule
from league.apps.series.core.state import Evening
from league.apps.series.core.state import Series as State
from league.apps.series.models import Series, SeriesEvening, SeriesEvent
from league.core.state.competition import Competition as Entered
from league.hooks import Ordering
from league.models import Club, Competition, Player
from league.queries import verification
from league.queries.competitions import details_of, last_entries_of_namesakes
from league.queries.orders import summed

# ---- Series --------------------------------------------------------------------------------------


def series_of(club: Club) -> QuerySet[Series]:
    """Return the club's series, those that are not closed first, then the last opened first."""
    return Series.objects.filter(club=club).order_by("closed", "-opened_at", "pk")


def counting(club: Club, key: str) -> Iterable[str]:
    """Return the names of the open series in which those alone count whom the club knows as something."""
    return series_of(club).filter(closed=False, follows=key).values_list("name", flat=True)


def all_series() -> QuerySet[Series]:
    """Return all series with their clubs."""
    return Series.objects.select_related("club")


def series_with(competition: Competition) -> QuerySet[Series]:
    """Return the series of which a competition is an evening."""
    return Series.objects.filter(evenings__competition=competition).order_by("-opened_at", "pk")


def beside_competitions() -> QuerySet[Series, Any]:
    """Return what pages of a club's competitions, an outer query, say of its series, as JSON."""
    evenings_ = SeriesEvening.objects.filter(series=OuterRef("pk"), competition=OuterRef(OuterRef("pk")))
    rows = Series.objects.filter(club=OuterRef("club")).order_by("closed", "-opened_at", "pk")
    told = JSONObject(pk="pk", name="name", closed="closed", counts="counts")
    return rows.annotate(counts=Exists(evenings_)).values_list(told)


def typed_in_names(club: UUID) -> Iterable[str]:
    """Return the names of a club's evenings that no competition was; a query."""
    return SeriesEvening.objects.filter(series__club=club, competition=None).values_list("name", flat=True)


def finals_among(ids: Collection[UUID]) -> Collection[UUID]:
    """Return which of some competitions are finals: people qualified for them, or a series counts them so."""
    qualified = Competition.objects.filter(
        pk__in=ids, events__seq=1, events__event__qualified__series__isnull=False
    )
    found = {*qualified.values_list("pk", flat=True)}
    for series in Series.objects.filter(evenings__competition__in=ids).distinct():
        found |= {
            UUID(each.competition) for each in state_of(series).evenings if each.final and each.competition
        }
    return found & {*ids}


def low_wins(series: Series) -> bool:
    """Return whether the lowest scores win on any of its evenings."""
    return SeriesEvening.objects.filter(series=series, low_wins=True).exists()


def state_of(series: Series) -> State:
    """Return the state at the series' head, as a rule without reading its log."""
    return log.latest(series)


def history_of(series: Series) -> Sequence[tuple[SeriesEvent, Event]]:
    """Return the entries of a series' log, in order, each with its event."""
    return [(entry, read(entry.event)) for entry in log.entries(series)]


# ---- Evenings and the table ----------------------------------------------------------------------


@dataclass(frozen=True)
class Told:
    """An evening, its number by date, and the row of what it gives the series.

    ``shown`` is its number for people, without those that were cancelled: 0 for one of these.
    """

    number: int
    evening: Evening
    row: SeriesEvening
    shown: int

    @property
    def counts(self) -> bool:
        """Return whether anybody has anything of it yet."""
        return bool(self.row.counts)  # type: ignore[attr-defined]  # annotated

    @property
    def on(self) -> date:
        """Return its day."""
        return date.fromisoformat(self.evening.on)

    @property
    def badges(self) -> Iterator[tuple[str, str]]:
        """Yield what is said beside its name, each with its colour, empty for none."""
        evening, row = self.evening, self.row
        if evening.brought:
            yield "", _("from %(club)s") % {"club": evening.brought.club}
        elif not row.competition_id:
            yield "", _("typed in")
        if evening.final:
            yield "good", _("final evening")
        if evening.weight > 1:
            yield "", f"× {evening.weight}"
        if row.cancelled:
            yield "bad", _("cancelled")
        elif row.running:
            yield ("good", _("running")) if self.counts else ("", _("no results yet"))
        if row.corrected:
            yield "warn", _("corrected")


@dataclass(frozen=True)
class Counted:
    """The table of a series as it was counted, or would be by another rule.

    ``until`` is the number of the last evening that counted, None for all.
    """

    state: State
    parts: tuple[Part, ...]
    facts: Facts
    table: Table
    until: int | None = None

    @property
    def last(self) -> int:
        """Return the number of the last evening of which anybody has anything, 0 for none."""
        return max((part.evening for part in self.parts), default=0)

    @property
    def undeclared(self) -> bool:
        """Return whether just declared evenings count, and nobody has declared one."""
        return bool(self.parts and self.state.rule.count.declared and not self.state.declared)

    @property
    def people(self) -> set[str]:
        """Return the ids of all who have a share of a part."""
        return {share.person for part in self.parts for share in part.shares}


def evenings_of(series: Series) -> Sequence[Told]:
    """Return the evenings of a series in order; one query, which leaves out their shares."""
    stored = SeriesEvening.objects.filter(series=series).select_related("competition")
    counts = ~Q(whole__shares=[])
    rows = {row.number: row for row in stored.defer("whole", "lists").annotate(counts=counts)}
    for row in rows.values():
        row.series = series
    state = state_of(series)
    # Read after the series, they may lack what was removed meanwhile.
    numbered = [
        (number, each, rows[each.id]) for number, each in enumerate(state.evenings, 1) if each.id in rows
    ]
    played = accumulate(int(not row.cancelled) for _number, _evening, row in numbered)
    return [
        Told(number, each, row, 0 if row.cancelled else shown)
        for (number, each, row), shown in zip(numbered, played, strict=True)
    ]


def followed(series: Series) -> str:
    """Return as what those are known in the club who count by themselves, empty where nobody does.

    That is for the club's own people.
    """
    known = (each for asked in hooks.KNOWN_AS for each in asked(series.club)) if series.follows else ()
    gone = _("a category that was removed") if series.follows else ""
    return next((str(each.title) for each in known if each.key == series.follows), gone)


def corrections_of(series: Series, until: int | None = None) -> Mapping[int, str]:
    """Return the names of evenings that were corrected or removed after a later one, by the ids of those."""
    state = state_of(series)
    shown = state.evenings[:until]
    rows = SeriesEvening.objects.filter(series=series, corrected=True).values_list("number", "name")
    there = dict(rows)
    last = shown[-1].on if shown else ""
    gone = [each for each in state.removed if until is None or each.on <= last]
    ids = [each.competition for each in gone if each.competition and not each.name]
    named = Competition.objects.filter(pk__in=ids).values_list("pk", "name") if ids else ()
    names = {str(pk): name for pk, name in named}
    removed = {
        each.id: _("%(name)s (removed)") % {"name": each.name or names.get(each.competition, "?")}
        for each in gone
    }
    return {each.id: there[each.id] for each in shown if each.id in there} | removed


def reasons_of(series: Series, corrections: Mapping[int, str]) -> Sequence[tuple[str, str]]:
    """Return what `corrections_of` names with the reasons given for everybody to read, in order."""
    rows = log.all_rows().filter(series=series, event__type__in=_CORRECTS, event__evening__in=[*corrections])
    given = rows.order_by("seq").values_list("event__evening", "event__reason") if corrections else ()
    return [(corrections[evening], reason) for evening, reason in given if reason]


_CORRECTS: Final = [each.type for each in (events.EveningChanged, events.EveningRemoved)]


def measured(told: Iterable[Told]) -> Sequence[tuple[str, str]]:
    """Return what the points of evenings are whose competitions are known, each with its game."""
    return [
        (each.row.measure, each.row.competition.ruleset)
        for each in told
        if each.row.competition and not each.row.cancelled
    ]


def name_of(series: Series, evening: Evening) -> str:
    """Return the name of an evening; a query."""
    row = SeriesEvening.objects.filter(series=series, number=evening.id).only("name").first()
    return row.name if row else evening.name


def version_of(series: Series) -> str:
    """Return what changes with everything that a series' pages show, but for the names of people; a query."""
    rows = SeriesEvening.objects.filter(series=series).order_by("number")
    shown = "".join((series.head, *rows.values_list("digest", flat=True)))
    return sha256(shown.encode()).hexdigest()


def table_of(
    series: Series,
    *,
    until: int | None = None,
    tried: State | None = None,
    reaching: bool = True,
    version: str = "",
) -> Counted:
    """Return the table of a series, of the evenings up to a number, or as it would be; two queries at most.

    ``tried`` is another state, of another rule or people. ``reaching``: with what would help. ``version`` is
    what `version_of` returned before, if anybody asked. Raises `Illegal` where the other rule cannot count
    these evenings. A process keeps the last tables of all evenings.
    """
    version, kept, whole = version or version_of(series), _LATEST(series.pk), tried is None and until is None
    if whole and kept.kept and kept.kept[1] == version:
        return kept.kept[2]
    state = state_of(series)
    asked = tried or state
    counted = counted_by(asked, _parts_of(series, state, asked.rule), until, reaching=reaching or whole)
    if whole:
        kept.kept = state.seq, version, counted
    return counted


_LATEST: Final = lru_cache(maxsize=50)(Latest[Counted])


def to_add(club: Club) -> QuerySet[Competition]:
    """Return the club's competitions that can be evenings, the last opened first."""
    rows = Competition.objects.filter(club=club).exclude(status=Competition.Status.CANCELLED)
    return rows.select_related("club", "stored_details").order_by("-opened_at", "pk")


def counted_by(
    state: State, parts: Mapping[int, Parts], until: int | None = None, *, reaching: bool = True
) -> Counted:
    """Return the table that a state gives of parts by the ids of its evenings; raises as `table_of`."""
    ordered = in_order(state, parts, until)
    facts = state.facts({share.person for part in ordered for share in part.shares})
    table = ranking.table(state.rule, ordered, facts, reaching=reaching)
    return Counted(state, ordered, facts, table, until)


def _parts_of(series: Series, state: State, rule: Rule | None) -> Mapping[int, Parts]:
    by_list = (rule or state.rule).unit == "list"
    rows = SeriesEvening.objects.filter(series=series).values_list(
        *_OF_PARTS, *(["lists"] if by_list else [])
    )
    known = {number: row for number, *row in rows}
    return {each.id: _parts(each, *known[each.id]) for each in state.evenings if each.id in known}


_OF_PARTS: Final = ("number", "name", "low_wins", "running", "corrected", "cancelled", "whole")


def _parts(
    evening: Evening,
    name: str,
    low_wins: bool,
    running: bool,
    corrected: bool,
    cancelled: bool,
    whole: JsonObject,
    lists: Sequence[JsonObject] = (),
) -> Parts:
    bare = replace(evenings.part_of(evening), name=name, low_wins=low_wins, running=running)
    by_list = (replace(bare, key=f"{bare.key}.{at}", list=at) for at in range(1, len(lists) + 1))
    return Parts(
        evenings.from_json(bare, whole), tuple(map(evenings.from_json, by_list, lists)), corrected, cancelled
    )


def day_of(competition: Competition) -> date:
    """Return the first day of a competition, or the day on which it was opened, in the club's zone."""
    return day_if(competition, details_of(competition).begins_on)


def day_if(competition: Competition, begins_on: date | None) -> date:
    """Return the first day of a competition if its details said this one."""
    return begins_on or competition.opened_at.astimezone(competition.club.zone).date()


def orders_of(competition: UUID, state: Entered) -> Iterator[Ordering]:
    """Yield the table of each series for which a competition counts, as an order of its entries.

    The last opened is first, and found by ``series``, too; all have their addresses in their keys.
    """
    rows = Series.objects.filter(evenings__competition=competition).order_by("-opened_at", "pk")
    for series in rows:
        if series.evenings.exclude(competition=competition).exists():
            yield Ordering(*_ordering(series), partial(_numbers, state, series), name=series.name)


def _ordering(series: Series) -> tuple[str, str]:
    return f"series/{series.slug}", _("by the year’s table (%(name)s)") % {"name": series.name}


def planned_orders(clubs: Iterable[Club]) -> list[tuple[str, str]]:
    """Return key and title of each series of clubs that goes on, where it is not the only one."""
    found = Series.objects.filter(club__in=clubs, closed=False).order_by("-opened_at", "pk")
    return [_ordering(series) for series in found] if len(found) > 1 else []


def _numbers(state: Entered, series: Series) -> Mapping[str, int]:
    return summed(state, _places_in(series))


def _places_in(series: Series) -> Mapping[str, int]:
    try:
        rows = table_of(series).table.rows
    except Illegal:
        rows = ()  # evenings that the rule can't count together have no table, and are drawn all the same
    return {row.person: row.rank or len(rows) for row in rows}


Course: TypeAlias = Mapping[int, Mapping[str, tuple[int | None, Fraction]]]
"""Rank and total of each person after each evening that has results, by its number, in order."""
_KEPT_SECONDS: Final = 3600
_KEPT_EDITION: Final = 1
"""The edition of what is kept: the next one where a course gets another form, or is counted otherwise."""


def course_of(series: Series) -> Course:
    """Return the course of a series; a query while its version is kept for all processes, else three."""
    key = f"series-course:{_KEPT_EDITION}:{series.pk}:{version_of(series)}"
    found: Course | None = cache.get(key)
    if found is None:
        found = _course(series)
        cache.set(key, found, _KEPT_SECONDS)
    return found


def _course(series: Series) -> Course:
    state = state_of(series)
    ordered = in_order(state, _parts_of(series, state, None))
    facts = state.facts(share.person for part in ordered for share in part.shares)
    numbers = sorted({part.evening for part in ordered})
    so_far = {last: [part for part in ordered if part.evening <= last] for last in numbers}
    return {last: ranking.places(state.rule, parts, facts) for last, parts in so_far.items()}


def players_of(people: Iterable[str]) -> Mapping[str, Player]:
    """Return players by their ids, with what they are called now; of a merged one whom it is now."""
    rows = Player.objects.filter(pk__in={*people})
    now = Player.objects.in_bulk({row.merged_into_id for row in rows if row.merged_into_id})
    return {str(row.pk): now.get(row.merged_into_id, row) for row in rows}


_NAMES: Final = """
SELECT md5(string_agg(concat(name, public_name, bot, merged_into_id), ',' ORDER BY id)),
    count(*) FILTER (WHERE merged_into_id IS NULL)
    = count(DISTINCT search_name) FILTER (WHERE merged_into_id IS NULL)
FROM league_player WHERE club_id = %(club)s::text::uuid
"""


def names_version(series: Series) -> str:
    """Return what changes with what any player of the series' club is called; a query without namesakes.

    It is asked for each look at a page of a series, and Django takes ten times as long to say it in SQL.
    """
    ((names, are_apart),) = all_rows(_NAMES, {"club": str(series.club_id)})
    if are_apart:
        return str(names)
    last = last_entries_of_namesakes(series.club).items()
    apart = [(pk, at if isinstance(at, tuple) else (at.name, at.competition.name)) for pk, at in last]
    return sha256(str((names, sorted(apart))).encode()).hexdigest()


def played_in(club: UUID) -> set[UUID]:
    """Return the players of whom the log of one of the club's series says that they played."""
    rows = log.all_rows().filter(series__club=club, event__type__in=_SAYS_WHO_PLAYED)
    return {UUID(player) for player in verifier.played(read(row.event) for row in rows)}


_SAYS_WHO_PLAYED: Final = [
    each.type for each in (events.EveningTypedIn, events.EveningBrought, events.EveningChanged)
]


def names_of(people: Iterable[str]) -> Mapping[str, str]:
    """Return the names that players have now by their ids; those of a merged one are of whom they are now."""
    named = Player.objects.filter(pk__in={*people}).select_related("merged_into")
    return {str(row.pk): (row.merged_into or row).called for row in named}


def log_lines(series: Series) -> Iterator[str]:
    """Yield the log as JSON Lines, an entry a line (docs/log.md)."""
    for entry in log.as_file(series):
        yield json.dumps(entry, ensure_ascii=False)


def competitions_of(series: Series) -> Sequence[Competition]:
    """Return the competitions that are evenings of a series, in their order."""
    wanted = [each.competition for each in state_of(series).evenings if each.competition]
    rows = {str(row.pk): row for row in Competition.objects.select_related("club").filter(pk__in=wanted)}
    return [rows[pk] for pk in wanted]


# ---- The file ------------------------------------------------------------------------------------


def lines(series: Series) -> Iterator[str]:
    """Yield the lines of a series' file (docs/log.md), with the file of each competition as it is public.

    Who counts or has declared an evening and never played has no name in it.
    """
    entries = log.as_file(series)
    named = verifier.named(read(entry["event"]) for entry in entries)
    shown = Player.objects.filter(pk__in=named).exclude(appeared=False, merged_into=None)
    return verifier.written(
        verifier.Header(str(series.pk), series.slug, series.club.name),
        names_of(map(str, shown.values_list("pk", flat=True))),
        (json.dumps(entry, ensure_ascii=False) for entry in entries),
        map(verification.lines, competitions_of(series)),
    )
