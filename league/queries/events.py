"""The events of competitions' logs, and the names of entries, tables and stages in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _

from league import log
from league.choices import EventRole
from league.models import Club, Competition, Entry, Stage, Table

if TYPE_CHECKING:
    from league.models.events import Event


def events_of(competition: Competition, *, withheld: bool = False) -> QuerySet[Event]:
    """Return the competition's public events, the last one first; with ``withheld`` all events."""
    return log.rows(competition, withheld=withheld).order_by("-seq")


def public_head(competition: Competition) -> tuple[int, str]:
    """Return number and hash of the last event that everybody may read."""
    last = events_of(competition)[0]
    return last.seq, last.hash


def last_events(clubs: QuerySet[Club]) -> QuerySet[Event]:
    """Return the events of all the clubs' competitions, the last one first."""
    return log.rows_of_clubs(clubs).select_related("competition").order_by("-pk")


def organised_since(competition: Competition, seq: int) -> bool:
    """Return whether an organiser caused any event from number ``seq`` on."""
    written = log.rows(competition, withheld=True).filter(seq__gte=seq)
    return written.filter(role=EventRole.ORGANISER).exists()


def names_in(events: Iterable[Mapping[str, Any]]) -> Mapping[str, str]:
    """Return the names of the entries and tables in the JSON of events, by id; two queries.

    A table's name begins with its stage if the competition has several.
    """
    ids = {event[field] for event in events for field in ("entry", "table") if event.get(field)}
    entries = Entry.objects.filter(pk__in=ids).values_list("pk", "name")
    named = {str(pk): name for pk, name in entries}
    stages = Count("round__stage__competition__stages")
    tables = Table.objects.filter(pk__in=ids).select_related("round__stage").annotate(stages=stages)
    return named | {str(table.pk): _table_name(table, table.stages > 1) for table in tables}


def _table_name(table: Table, with_stage: bool) -> str:
    numbers = {"stage": table.round.stage.name, "round": table.round.number, "table": table.number}
    if with_stage:
        return _("%(stage)s, round %(round)d, table %(table)d") % numbers
    return _("Round %(round)d, table %(table)d") % numbers


def stage_names(competitions: Iterable[UUID]) -> Mapping[tuple[UUID, int], str]:
    """Return stages' names by competition and number, for competitions with several stages; one query."""
    stages = Stage.objects.filter(competition__in={*competitions}).order_by("competition_id", "number")
    names = {(stage.competition_id, stage.number): stage.name for stage in stages}
    several = {competition for competition, number in names if number > 1}
    return {key: name for key, name in names.items() if key[0] in several}
