"""Calls for the organiser."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import QuerySet

from league.models import Call, Club


def open_calls(clubs: Iterable[Club]) -> QuerySet[Call]:
    """Return the clubs' calls that nobody has seen, the oldest first."""
    return calls_of(clubs).filter(seen_at=None).order_by("made_at", "pk")


def calls_of(clubs: Iterable[Club]) -> QuerySet[Call]:
    """Return all calls in the clubs' competitions, seen or not."""
    return Call.objects.filter(competition__club__in=clubs).select_related("competition")


def last_call(table: UUID) -> Call | None:
    """Return the last call of a table, seen or not."""
    return Call.objects.filter(table=table).order_by("-made_at", "pk").first()
