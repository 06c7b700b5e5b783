"""The pages of a competition: standings, rounds, entries and log."""

from functools import cache
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe

from league import permissions, readings, selectors
from league.models import Competition, Stage, Standing
from league.templatetags.trefoil import words
from league.views import own
from league.views.callers import spectator_or_account
from league.views.happenings import SENTENCES, happenings
from league.views.tools import Tools, choice, text

EVENTS_SHOWN = 50
ENTRIES_SHOWN = 100
ROUNDS_SHOWN = 10
MOST_ACROSS = 40
"""Entries up to which everybody has a column."""


def _tag(request: HttpRequest, slug: str) -> str | None:
    """Return a tag that changes with the log, the standings, the reader and the templates."""
    competition = selectors.competitions().filter(slug=slug).first()
    if competition is None or len(messages.get_messages(request)):
        return None
    account = spectator_or_account(request)
    reader = account.pk if account else ""
    as_of = selectors.standings_as_of(competition)
    if account:
        # Whose player an account is stands in no log.
        reader = f"{reader} {permissions.player_in(competition.club_id, account)}"
    told = f"{competition.head} {as_of} {reader} {request.get_full_path()} {_edition()}"
    return f'"{sha256(told.encode()).hexdigest()[:32]}"'


@cache
def _edition() -> str:
    """Return a hash of the templates, so that another release is another page."""
    found = sorted((settings.BASE_DIR / "templates").rglob("*.html"))
    return sha256(b"".join(path.read_bytes() for path in found)).hexdigest()


@require_safe
@cache_control(no_cache=True)
@condition(etag_func=_tag)
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the standings of a stage, so far or after the round that ``?round=`` names, and the last round."""
    competition = _competition(slug)
    stages = list(selectors.stages_of(competition))
    rounds = list(selectors.rounds_of(competition))
    stage = _stage(request, competition, stages)
    after = number_in(request, "round")
    rows = list(selectors.standings_of(stage, after=after)) if stage else []
    if after is not None and not rows:
        raise Http404
    context = {
        "stages": stages,
        "stage": stage,
        "after": after,
        "rounds_of_stage": [each for each in reversed(rounds) if each.stage == stage],
        "groups": _groups(rows),
        "undecided": any(row.best_rank != row.worst_rank for row in rows),
        "tie_breaks": _tie_breaks(stage),
        "as_of": selectors.standings_as_of(competition),
        "latest": rounds[0] if rounds else None,
        "final_order": readings.final_order(competition),
        "own": own.panel(request, competition),
    }
    return _shown(request, "competitions/page.html", competition, context)


@require_safe
@cache_control(no_cache=True)
@condition(etag_func=_tag)
def cross_table(request: HttpRequest, slug: str) -> HttpResponse:
    """Show how everybody did against everybody in a stage; in a wide field, whom each has met."""
    competition = _competition(slug)
    stages = list(selectors.stages_of(competition))
    stage = _stage(request, competition, stages)
    tables = readings.cross_tables_of(competition, stage.number) if stage else ()
    context = {
        "stages": stages,
        "stage": stage,
        "tables": list(enumerate(tables, 1)),
        "wide": max(map(len, tables), default=0) > MOST_ACROSS,
    }
    return _shown(request, "competitions/cross_table.html", competition, context)


@require_safe
def rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every published round with its tables, the last first."""
    competition = _competition(slug)
    shown = paged(request, selectors.rounds_of(competition), ROUNDS_SHOWN)
    context = {"rounds": shown, "page": shown}
    return _shown(request, "competitions/rounds.html", competition, context)


@require_safe
def entries(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who takes part."""
    competition = _competition(slug)
    name = text(request, "name", _("Name"))
    found = selectors.entries_of(competition).filter(name__icontains=name.value)
    shown = paged(request, found, ENTRIES_SHOWN)
    files = reverse("api:entries-csv", args=[competition.pk]), reverse("api:entries", args=[competition.pk])
    context = {"entries": shown, "page": shown, "tools": Tools((name,), *files)}
    return _shown(request, "competitions/entries.html", competition, context)


@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the log in words, the last entry first."""
    competition = _competition(slug)
    account = spectator_or_account(request)
    directs = account is not None and permissions.is_organiser(competition.club_id, account)
    kind = choice(request, "kind", _("What"), [(kind, words(kind)) for kind in SENTENCES])
    events = selectors.events_of(competition, withheld=directs)
    found = events.filter(event__type=kind.value) if kind.value else events
    shown = paged(request, found, EVENTS_SHOWN)
    files = reverse("api:events-csv", args=[competition.pk]), reverse("api:events", args=[competition.pk])
    with timezone.override(competition.club.zone):
        told = happenings(list(shown))
    context = {"page": shown, "happenings": told, "tools": Tools((kind,), *files)}
    return _shown(request, "competitions/log.html", competition, context)


def paged(request: HttpRequest, rows: Any, size: int) -> Page[Any]:
    """Return the page of rows that ``?page=`` names, the nearest one where there is none such."""
    return Paginator(rows, size).get_page(request.GET.get("page"))


def _competition(slug: str) -> Competition:
    return get_object_or_404(selectors.competitions(), slug=slug)


def _shown(
    request: HttpRequest, template: str, competition: Competition, context: dict[str, Any]
) -> HttpResponse:
    told = {"competition": competition, "club": competition.club, "zone": competition.club.timezone}
    return render(request, template, {**told, **context})


def _stage(request: HttpRequest, competition: Competition, stages: list[Stage]) -> Stage | None:
    """Return the stage that ``?stage=`` names, else the one that was begun last; 404 for one not begun."""
    number = number_in(request, "stage") or competition.stage
    if number == 0:
        return None
    begun = {stage.number: stage for stage in stages if stage.number <= competition.stage}
    if number not in begun:
        raise Http404
    return begun[number]


def number_in(request: HttpRequest, name: str) -> int | None:
    """Return the number of a name in the query, None where it is left out; 404 for what is no number."""
    text = request.GET.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise Http404
    return int(text)


def _groups(rows: list[Standing]) -> list[tuple[int, list[Standing]]]:
    """Return the rows group by group."""
    groups: dict[int, list[Standing]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    return list(groups.items())


def _tie_breaks(stage: Stage | None) -> list[str]:
    """Return the tie-breaks whose values the table shows; a lot says nothing by its value."""
    return [name for name in stage.plan.get("tie_breaks", ()) if name != "lot"] if stage else []
