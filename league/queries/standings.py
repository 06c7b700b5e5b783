"""Stored standings, and cross tables and final orders computed from the state."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias, TypedDict
from uuid import UUID

from django.db.models import Count, F, Max, OuterRef, QuerySet, Subquery

from games.engine import shapes
from games.engine.messages import Message
from games.latest import Latest
from league import log
from league.core.standings import ranking
from league.core.standings.cross_table import CrossTable, cross_tables
from league.core.state.moves import Move, sentence
from league.models import Competition, Entry, Stage, Standing, Standings

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations


class AsOf(TypedDict):
    """What rows of standings have beside their own fields: the number of the last event that they include."""

    as_of: int


Dated: TypeAlias = "WithAnnotations[Standing, AsOf]"
_CROSS_TABLES: Final = lru_cache(maxsize=50)(Latest[Mapping[int, tuple[CrossTable, ...]]])


def cross_tables_of(competition: Competition, stage: int) -> tuple[CrossTable, ...]:
    """Return the cross table of each group of a stage; raise `Illegal` for one not begun."""
    cached = _CROSS_TABLES(competition.pk)
    kept = cached.kept
    known = kept[2] if kept and kept[:2] == (competition.seq, competition.head) else {}
    if stage not in known:
        known = {**known, stage: cross_tables(log.latest(competition), stage)}
        cached.kept = competition.seq, competition.head, known
    return known[stage]


def final_order(competition: Competition) -> Sequence[str]:
    """Return the names of entries in the final order of a finished competition, the winner first.

    Empty for a competition with one stage, whose standings are the order, or one that is not finished.
    """
    if competition.status != Competition.Status.FINISHED or competition.stage < 2:
        return ()
    state = log.latest(competition)
    return tuple(state.entry(entry).name for entry in ranking.final_order(state))


def moves_into(stage: Stage) -> Sequence[tuple[str, Message]]:
    """Return the names of the entries that a stage took in or left out when it began, each with why."""
    names = dict(stage.competition.entries.values_list("pk", "name"))
    moves = [shapes.read(Move, each) for each in stage.moves]
    return [(names[UUID(move.entry)], sentence(move)) for move in moves]


def standings_of(stage: Stage, *, after: int | None = None) -> "QuerySet[Dated]":
    """Return the standings of a stage, current or after a round: group by group, best first."""
    rows = Standing.objects.filter(stage=stage).select_related("entry", "stage")
    rows = rows.annotate(as_of=F("competition__standings__as_of"))
    chosen = rows.filter(round=None) if after is None else rows.filter(round__number=after)
    return chosen.order_by("group", "rank", "entry__number")


@dataclass(frozen=True)
class Place:
    """An entry's rank among ``count`` entries, in the last stage in which it stands.

    ``stage`` is its name where the competition has begun several, ``group`` the group where there are more.
    """

    rank: int
    count: int
    stage: str
    group: int | None


def places_in(entries: Collection[Entry]) -> Mapping[UUID, Place]:
    """Return the place of each entry that stands in a table, by its id; one query."""
    stage = Standing.objects.filter(stage=OuterRef("stage"), round=None).order_by().values("stage")
    group = stage.filter(group=OuterRef("group"))
    rows = (
        Standing.objects.filter(entry__in=entries, round=None)
        .select_related("stage", "competition")
        .annotate(
            count=Subquery(group.annotate(found=Count("pk")).values("found")),
            groups=Subquery(stage.annotate(found=Max("group")).values("found")),
        )
        .order_by("stage__number")
    )
    return {
        row.entry_id: Place(
            row.rank,
            row.count,
            row.stage.name if row.competition.stage > 1 else "",
            row.group if row.groups > 1 else None,
        )
        for row in rows
    }


def tie_break_order(stage: Stage) -> list[str]:
    """Return the keys of a stage's tie-breaks, the first one first; stored values have no order."""
    return list(stage.plan.get("tie_breaks", ()))


def standings_as_of(competition: Competition, rows: Sequence["Dated"] = ()) -> int:
    """Return the number of the last public event that rows of standings include, 0 without standings.

    The rows themselves tell it: standings may be replaced between two reads. A draw that is not public
    changes no standings.
    """
    if rows:
        return public_seq(competition, rows[0].as_of)
    numbers = Standings.objects.filter(competition=competition).values_list("as_of", flat=True)
    return public_seq(competition, numbers.first() or 0)


def public_seq(competition: Competition, seq: int) -> int:
    """Return an event's number, or that of the last public event before it."""
    return min(seq, (competition.withheld_from or seq + 1) - 1)
