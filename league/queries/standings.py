"""Stored standings, cross tables and final orders computed from the state."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, overload
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import F, OuterRef
from django.utils.translation import gettext as _

from games.engine import shapes
from games.engine.messages import Message, from_json, text
from games.latest import Latest
from league.choices import EXPELLED, NOT_PLAYED, EntryStatus
from league.core import formats
from league.core.course import absent_entries
from league.core.standings import ranking, rows
from league.core.standings.cross_table import CrossTable, cross_tables
from league.core.standings.plain import Plain, plain
from league.core.standings.rows import DID_NOT_PLAY, Order
from league.core.state.plan import StagePlan
from league.core.state.stages import Move, sentence
from league.models import Competition, Entry, RoundStandings, Stage, Standings
from league.models.competitions import club_of
from league.queries.competitions import state_of
from league.queries.readers import knows, names_of
from league.queries.stand_ins import stand_ins

_PLAIN: Final = lru_cache(maxsize=50)(Latest[Mapping[tuple[int, int | None], Plain]])
_CROSS_TABLES: Final = lru_cache(maxsize=50)(Latest[Mapping[int, tuple[CrossTable, ...]]])


def cross_tables_of(competition: Competition, stage: int) -> tuple[CrossTable, ...]:
    """Return the cross table of each group of a stage; raise `Illegal` for one not begun."""
    cached = _CROSS_TABLES(competition.pk)
    kept, version = cached.kept, f"{competition.head} {competition.renamed} {knows(competition.club_id)}"
    known = kept[2] if kept and kept[:2] == (competition.seq, version) else {}
    if stage not in known:
        known = {**known, stage: cross_tables(state_of(competition), stage)}
        cached.kept = competition.seq, version, known
    return known[stage]


def plain_of(competition: Competition, stage: Stage, after: int | None) -> Plain:
    """Return the plain counts of the entries of a stage, now or after a round; none before it has begun."""
    number = stage.number
    cached = _PLAIN(competition.pk)
    kept = cached.kept
    known = kept[2] if kept and kept[:2] == (competition.seq, competition.head) else {}
    if (number, after) not in known:
        state = state_of(competition)
        begun = state.stages[number - 1 : number]
        rounds = len(begun[0].shown_rounds) if begun and after is None else after or 0
        counts = plain(state, begun[0], rounds) if begun else Plain({}, even=False)
        known = {**known, (number, after): counts}
        cached.kept = competition.seq, competition.head, known
    return known[number, after]


def final_order(competition: Competition) -> Sequence[str]:
    """Return the names of entries in the final order of a finished competition, the winner first.

    Empty for a competition with one stage, whose standings are the order, or one that is not finished.
    """
    if competition.status != Competition.Status.FINISHED or competition.stage < 2:
        return ()
    state = state_of(competition)
    return tuple(state.entry(entry).name for entry in ranking.final_order(state))


def marks_of(competition: Competition) -> Mapping[str, str]:
    """Return by id in a word why entries play no more, or that they came to no table and will not."""
    withdrawn = competition.entries.filter(status=EntryStatus.WITHDRAWN)
    marks = {str(each.pk): each.status_text for each in withdrawn}
    if not (marks or competition.status == Competition.Status.FINISHED):
        return marks
    state = state_of(competition)
    if not (stage := state.stage):
        return marks
    took_part = {each.id for each in state.entries if each.status in ("entered", "withdrawn")}
    never = ranking.did_not_play(state, stage, len(stage.shown_rounds)) & took_part
    return marks | dict.fromkeys(never - ranking.expelled(state), str(NOT_PLAYED))


def moves_into(stage: Stage) -> Sequence[tuple[str, Message]]:
    """Return the names of entries that a stage took in or left out, each with why; who came later is last."""
    if not stage.moves:
        return ()
    names = names_of(stage.competition.entries.all(), stage.competition.club_id)
    moves = [shapes.read(Move, each) for each in stage.moves]
    told = [(move.entry, sentence(move)) for move in moves]
    began = {move.entry for move in moves if move.group}
    now = state_of(stage.competition).stages[stage.number - 1].entries
    told += [(each, text("Came after the stage had begun.")) for each in now if each not in began]
    return [(names[UUID(entry)], why) for entry, why in told]


class EntryName(NamedTuple):
    """An entry by id and name, which templates read as they read its row."""

    id: UUID
    name: str

    @property
    def called(self) -> str:
        """Return the name, which is the one for who reads."""
        return self.name

    @property
    def pk(self) -> UUID:
        """Return the id."""
        return self.id


@dataclass(frozen=True)
class Standing:
    """A row of the standings of a stage.

    Ranks count from 1 in each group; entries that nothing separates share one until lots are drawn, and
    ``by_lot`` says that only a lot separates one from the entry above or below. Points are an exact fraction
    such as "7/2". The best and the worst rank are those that can still be reached, None after a round and
    where nobody can tell. ``to_come`` counts the entry's tables that are put off. The next group is where
    the entry goes in the next stage (0: it is out) and why, once all rounds are played; None before that, and
    as long as a play-off has to decide. ``withdrawn``: it had by then, or is ``expelled``: then or now.
    ``away``: it can't be met now in an open-ended round. ``never_came``: it came to no table, and has left or
    the competition is over. ``as_of`` is the number of the last event that the row includes.
    ``plain`` are the plain counts of the stage where they were read. ``stood_in`` says who else played when.
    """

    stage: Stage
    as_of: int
    group: int
    rank: int
    entry: EntryName
    played: int
    points: str
    tiebreaks: Mapping[str, str | None]
    decided_by: str | None
    by_lot: bool
    explanation: Message
    notes: tuple[Message, ...]
    movement: int | None
    to_come: int
    best_rank: int | None
    worst_rank: int | None
    next_group: int | None
    next_why: str
    withdrawn: bool
    expelled: bool
    away: bool
    never_came: bool
    plain: Plain | None = None
    stood_in: str = ""

    @property
    def gone(self) -> str:
        """Return in a word why it plays no more, or not now; empty for one that does."""
        if self.expelled or self.never_came:
            return str(EXPELLED if self.expelled else NOT_PLAYED)
        if self.away:
            return _("away")
        return str(EntryStatus.WITHDRAWN.label) if self.withdrawn else ""

    @property
    def beside_name(self) -> str:
        """Return what stands in brackets beside the name on prints and screens; often nothing."""
        return " · ".join(filter(None, [self.gone, self.stood_in]))

    @property
    def entry_id(self) -> UUID:
        """Return the id of the entry."""
        return self.entry.id


class StandingRows(Sequence[Standing]):
    """The standings of a stage group by group, best first; each row is made when it is read.

    ``stored`` are those of a round and of the round before it, the later first; none if there are none yet.
    ``names`` are those of the competition's entries by id; without them they are read with the rows.
    """

    def __init__(
        self,
        stage: Stage,
        stored: Sequence[RoundStandings],
        *,
        current: bool,
        names: Mapping[str, str] | None = None,
        plain: Plain | None = None,
    ) -> None:
        self._stage, self._stored, self._names = stage, stored, names
        self._plain, self._telling = plain, plain or rows.AS_COUNTED
        self._away = _away_from(stage, stored[0].round) if stored else frozenset()
        self._ahead = stored[0].ahead if stored and current else {}
        self._orders = [rows.read(each.order) for each in stored]
        self._others = stand_ins(stage.competition, stage.number) if stored else {}

    def __len__(self) -> int:
        return len(self._orders[0]) if self._orders else 0

    @overload
    def __getitem__(self, at: int) -> Standing: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Standing]: ...
    def __getitem__(self, at: int | slice) -> Standing | Sequence[Standing]:
        if isinstance(at, slice):
            return self._made(at)
        position = range(len(self))[at]
        return self._made(slice(position, position + 1))[0]

    def __iter__(self) -> Iterator[Standing]:
        return iter(self._made(slice(None)))

    def _made(self, part: slice) -> list[Standing]:
        if not self:
            return []
        names = self._all_names() if self._names is None else self._names
        before = self._orders[1].ranks() if len(self._orders) > 1 else ()
        earlier = {entry: rank for _group, entry, rank in before}
        made = rows.rows(self._orders[0], names, earlier, part, self._telling)
        positions = range(len(self))[part]
        return [self._row(row, at, names) for row, at in zip(made, positions, strict=True)]

    def _all_names(self) -> Mapping[str, str]:
        entries = Entry.objects.filter(competition=self._stage.competition_id).order_by()
        named = names_of(entries, club_of(self._stage.competition_id))
        return {str(pk): name for pk, name in named.items()}

    def _row(self, row: rows.Row, position: int, names: Mapping[str, str]) -> Standing:
        best, worst = self._ahead["ranks"][position] if "ranks" in self._ahead else (None, None)
        group, why = self._ahead.get("next", {}).get(row.entry, (None, {"id": ""}))
        return Standing(
            stage=self._stage,
            as_of=self._stored[0].as_of,  # type: ignore[attr-defined]  # annotated
            group=row.group,
            rank=row.rank,
            entry=EntryName(UUID(row.entry), names[row.entry]),
            played=row.played,
            points=str(row.points),
            tiebreaks=row.tiebreaks,
            decided_by=row.decided_by,
            by_lot=row.by_lot,
            explanation=row.explanation,
            notes=row.notes,
            movement=row.movement,
            to_come=self._stored[0].to_come.get(row.entry, 0),
            best_rank=best,
            worst_rank=worst,
            next_group=group,
            next_why=from_json(why),
            withdrawn=UUID(row.entry) in self._stored[0].withdrawn,  # type: ignore[attr-defined]  # annotated
            expelled=UUID(row.entry) in self._stored[0].expelled,  # type: ignore[attr-defined]  # annotated
            away=row.entry in self._away,
            never_came=row.reached == DID_NOT_PLAY,
            plain=self._plain,
            stood_in=self._others.get(row.entry, ""),
        )


def _away_from(stage: Stage, number: int) -> frozenset[str]:
    """Return the entries that are away while tables of a stage's round are opened one by one."""
    known = formats.BY_KEY.get(stage.format)
    if not (known and known.open_tables and stage.status == Stage.Status.RUNNING):
        return frozenset()
    state = state_of(stage.competition)
    played = len(state.stages[stage.number - 1].shown_rounds)
    return absent_entries(state) if number == played else frozenset()


def standings_of(
    stage: Stage,
    *,
    after: int | None = None,
    names: Mapping[str, str] | None = None,
    plain: Plain | None = None,
) -> StandingRows:
    """Return the standings of a stage, current or after a round.

    ``names`` are those of the competition's entries by id, where they were read already; ``plain`` are the
    plain counts with which reasons are told.
    """
    gone = Entry.objects.filter(competition=OuterRef("competition"), status=Entry.Status.WITHDRAWN)
    stored = RoundStandings.objects.filter(stage=stage).annotate(
        as_of=F("competition__standings__as_of"),
        withdrawn=ArraySubquery(gone.order_by().values("pk")),
        expelled=ArraySubquery(gone.filter(expelled=True).order_by().values("pk")),
    )
    if after is None:
        found = list(stored.order_by("-round")[:2])
    else:
        found = list(stored.filter(round__in=(after, after - 1), round__gte=1).order_by("-round"))
        if not found or found[0].round != after:
            found = []
        if found:
            _mark_as_then(stage, found[0])
    return StandingRows(stage, found, current=after is None, names=names, plain=plain)


def _mark_as_then(stage: Stage, stored: RoundStandings) -> None:
    """Mark those who had withdrawn by the end of the round, and who was expelled by then or is now."""
    state = state_of(stage.competition)
    left = ranking.left_after(state, state.stages[stage.number - 1], stored.round)
    out = ranking.expelled(state) | {entry for entry, how in left.items() if how == "expelled"}
    stored.withdrawn = [UUID(entry) for entry in left.keys() | out]  # type: ignore[attr-defined]  # annotated
    stored.expelled = [UUID(entry) for entry in out]  # type: ignore[attr-defined]  # annotated


def current_orders(stages: Iterable[Stage]) -> Mapping[UUID, Order]:
    """Return the current order of each stage that has standings, by its id; one query."""
    stored = (
        RoundStandings.objects.filter(stage__in=stages).order_by("stage_id", "-round").distinct("stage_id")
    )
    return {each.stage_id: rows.read(each.order) for each in stored}


@dataclass(frozen=True)
class Place:
    """An entry's rank among the ``count`` entries that took part, in the last stage in which it stands.

    ``stage`` is its name where the competition has begun several, ``group`` the group where there are more.
    """

    rank: int
    count: int
    stage: str
    group: int | None


def places_in(entries: Collection[Entry]) -> Mapping[UUID, Place]:
    """Return the place of each entry that stands in a table and took part, by its id; two queries.

    A table without a result gives no place: its order is that of the start.
    """
    wanted = {str(entry.pk): entry.pk for entry in entries}
    competitions = {entry.competition_id for entry in entries}
    begun = (
        Stage.objects.filter(competition__in=competitions).select_related("competition").order_by("number")
    )
    stages = list(begun)
    orders = current_orders(stages)
    places: dict[UUID, Place] = {}
    for stage in stages:
        if stage.pk not in orders or not orders[stage.pk].begun:
            continue
        order = orders[stage.pk]
        gone, name = order.gone(), stage.name if stage.competition.stage > 1 else ""
        ranks = [each for each in order.ranks() if each[1] not in gone]
        count = Counter(group for group, _entry, _rank in ranks)
        for group, entry, rank in ranks:
            if entry in wanted:
                shown = group if len(order.groups) > 1 else None
                places[wanted[entry]] = Place(rank, count[group], name, shown)
    return places


def tie_break_order(stage: Stage) -> list[str]:
    """Return the keys of the tie-breaks that can decide in a stage, the first one first."""
    plan = shapes.read(StagePlan, stage.plan)
    return [] if formats.of(plan).ranked_by() else list(plan.tie_breaks)


def separating(rows: Collection[Standing], tie_breaks: Sequence[str]) -> list[str]:
    """Return those of the tie-breaks that separate entries of the rows, in their order."""
    decided = {row.decided_by for row in rows}
    return [name for name in tie_breaks if name in decided]


def are_current(competition: Competition) -> bool:
    """Return whether the standings include all that has happened."""
    return Standings.objects.filter(competition=competition, as_of__gte=competition.seq).exists()


def standings_as_of(competition: Competition, shown: Sequence[Standing] = ()) -> int:
    """Return the number of the last public event that rows of standings include, 0 without standings.

    The rows themselves tell it: standings may be replaced between two reads. A draw that is not public
    changes no standings.
    """
    if shown:
        return public_seq(competition, shown[0].as_of)
    numbers = Standings.objects.filter(competition=competition).values_list("as_of", flat=True)
    return public_seq(competition, numbers.first() or 0)


def public_seq(competition: Competition, seq: int) -> int:
    """Return an event's number, or that of the last public event before it."""
    return min(seq, (competition.withheld_from or seq + 1) - 1)
