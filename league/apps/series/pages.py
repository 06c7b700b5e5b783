"""The pages of a series for everybody: its table, charts, and what each person has of each evening."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe

from games.engine.messages import filled, text
from games.engine.refusals import Illegal, Malformed, Refusal
from league.apps.series import bringing, queries
from league.apps.series.core import telling
from league.apps.series.core.ranking import Cell, Row
from league.apps.series.declaring import declare
from league.apps.series.feed import SeriesNews
from league.apps.series.measures import points_of
from league.apps.series.models import HandedIn, Series
from league.apps.series.readers import Shown, corrected
from league.forms import add_errors
from league.models import Account, Player
from league.ops.answers import tag_of, tagged
from league.queries import permissions
from league.queries.clubs import find_club
from league.queries.readers import knows, mark
from league.requests import account_in, number_in
from league.web.lists import ListTools
from league.words.messages import translated
from league.words.values import column, numbers_within

if TYPE_CHECKING:
    from league.apps.series.core.parts import Part
    from league.apps.series.queries import Counted, Told


# ---- The pages -----------------------------------------------------------------------------------

Page: TypeAlias = Callable[..., HttpResponse]


def _counted_page(view: Page) -> Page:
    """Decorate a view: evenings that the rule can't count together are said, and shown by no table."""

    @wraps(view)
    def answer(request: HttpRequest, slug: str, address: str, **more: Any) -> HttpResponse:
        try:
            return view(request, slug=slug, address=address, **more)
        except Illegal as refusal:
            given = {**_about(_series(slug, address)), "why": translated(refusal.sentence)}
            return render(request, "series/uncounted.html", given, status=409)

    return answer


def _tagged_page(
    request: HttpRequest,
    series: Series,
    template: str,
    made: Callable[[str], Mapping[str, Any]],
    until: int | None = None,
) -> HttpResponse:
    """Return a page that is not made again for who has it, as long as the series and names are the same.

    ``made`` returns what the template is given, by the version of the series.
    """
    names, version = queries.names_version(series), queries.version_of(series)
    reader = mark(series.club_id)
    tag = tag_of(version, names, reader, request.build_absolute_uri())

    def answer() -> HttpResponse:
        return render(request, template, {**_about(series, until), "after": until, **made(version)})

    return tagged(request, tag, answer)


def _series(club: str, address: str) -> Series:
    """Return the series at an address; raises Http404."""
    found = find_club(club)
    series = queries.series_of(found).filter(slug=address).first() if found else None
    if found is None or series is None:
        raise Http404
    series.club = found
    return series


def _about(series: Series, until: int | None = None) -> dict[str, Any]:
    rule, corrections = queries.state_of(series).rule, queries.corrections_of(series, until)
    return {
        "series": series,
        "club": series.club,
        "zone": series.club.timezone,
        "rule": [numbers_within(translated(each)) for each in telling.told(rule)],
        "corrected": corrected(corrections),
        "reasons": queries.reasons_of(series, corrections),
    }


def _ranked(series: Series) -> str:
    """Return who is ranked, an empty text where everybody who plays is.

    As what the club knows them, such as paid up, is for its own people.
    """
    if queries.state_of(series).ranked == "everybody":
        return ""
    who = (knows(series.club_id) and queries.followed(series)) or _("people whom the club chooses")
    return filled(_("Only these are ranked: %(who)s."), {"who": who})


def _until(request: HttpRequest, series: Series) -> int | None:
    """Return the number of the evening in ``?after=``, None for all; raises Http404."""
    asked = number_in(request, "after")
    if asked is not None and not 0 < asked <= len(queries.state_of(series).evenings):
        raise Http404
    return asked


@require_safe
@cache_control(no_cache=True)
@_counted_page
def table(request: HttpRequest, slug: str, address: str) -> HttpResponse:
    """Show the table, after all evenings or those up to ``?after=``."""
    series = _series(slug, address)
    if series.club.slug != slug:
        return redirect("series", series.club.slug, address, permanent=True)
    until = _until(request, series)

    def made(version: str) -> Mapping[str, Any]:
        counted = queries.table_of(series, until=until, reaching=False, version=version)
        evenings = queries.evenings_of(series)
        rule = queries.state_of(series).rule
        address = reverse("api:series-table", args=[series.pk])
        return {
            "ranked": _ranked(series),
            "points": points_of(rule, queries.measured(evenings)),
            "lines": Shown(counted).lines(),
            "undeclared": counted.undeclared,
            "evenings": evenings,
            "last": _shown_number(evenings, counted),
            "brings": rule.count.brought and not series.closed,
            "tools": ListTools((), "series-table", series.pk, address, {"after": until} if until else {}),
        }

    return _tagged_page(request, series, "series/table.html", made, until)


@require_safe
@cache_control(no_cache=True)
@_counted_page
def chart(request: HttpRequest, slug: str, address: str) -> HttpResponse:
    """Show ranks and totals after each evening as lines: of the first ten, and the reader's own."""
    series = _series(slug, address)
    account = request.user if isinstance(request.user, Account) else None
    own = permissions.player_in(series.club_id, account) if account else None
    return _tagged_page(request, series, "series/chart.html", lambda _version: {"race": _race(series, own)})


_RUNNERS: Final = 10
"""How many lines a chart has, beside the reader's own: more can't be told apart, and cost as many cells."""


@dataclass(frozen=True)
class Runner:
    """A person's totals and ranks after each evening; None while there was none."""

    name: str
    totals: Sequence[Fraction | None]
    ranks: Sequence[int | None]


def _race(series: Series, own: Player | None) -> Mapping[str, Any]:
    course = queries.course_of(series)
    if len(course) < 2:
        return {}
    counted, numbers = (
        queries.table_of(series),
        {each.number: each.shown for each in queries.evenings_of(series)},
    )
    shown, mine = Shown(counted), str(own.pk) if own else None
    runners = [
        Runner(shown.name(row.person), [total for _rank, total in each], [rank for rank, _total in each])
        for at, row in enumerate(shown.rows)
        if at < _RUNNERS or row.person == mine
        for each in [[places.get(row.person, (None, None)) for places in course.values()]]
    ]
    return {
        "evenings": [numbers.get(number, number) for number in course],
        "runners": runners,
        "fewest_lead": counted.table.low_wins,
    }


@dataclass(frozen=True)
class Counting:
    """What a person has of a part, and whether and why it counts."""

    part: Part
    cell: Cell
    value: str
    why: str


@require_safe
@cache_control(no_cache=True)
@_counted_page
def person(request: HttpRequest, slug: str, address: str, player: UUID) -> HttpResponse:
    """Show each evening of a person, or those up to ``?after=``: what it is worth and whether it counts."""
    series = _series(slug, address)
    until = _until(request, series)
    counted = queries.table_of(series, until=until)
    found = next((row for row in counted.table.rows if row.person == str(player)), None)
    if found is None:
        raise Http404

    def made(_version: str) -> Mapping[str, Any]:
        shown = Shown(counted)
        return {
            "line": shown.line(found),
            "cells": _cells(counted, found),
            "lists": counted.state.rule.unit == "list",
            "last": _shown_number(queries.evenings_of(series), counted) if until else 0,
        }

    return _tagged_page(request, series, "series/person.html", made, until)


# ---- Evenings of other clubs ---------------------------------------------------------------------


class HandInForm(forms.Form):
    """The file of another club's evening, and what the player is called in it."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        max_length=200,
        help_text=gettext_lazy(
            "What “Download everything” sends on the page of that competition’s log, "
            "on the site of that club."
        ),
    )
    called = forms.CharField(
        label=gettext_lazy("What you are called there"),
        required=False,
        max_length=100,
        help_text=gettext_lazy("Leave it empty if it is your name here, or the same account."),
    )


@never_cache
@login_required
def hand_in(request: HttpRequest, slug: str, address: str) -> HttpResponse:
    """Let a player hand in what they had of another club's evening; an organiser accepts it."""
    series, account = _series(slug, address), account_in(request)
    player, state = permissions.player_in(series.club_id, account), queries.state_of(series)
    if state.closed or not state.rule.count.brought:
        raise Http404
    form = HandInForm(request.POST or None, request.FILES or None)
    if player and form.is_valid():
        try:
            if form.cleaned_data["file"].size > bringing.MOST_BYTES:
                raise Malformed({"file": [text("The file is too big.")]})
            content, called = form.cleaned_data["file"].read(), form.cleaned_data["called"]
            bringing.hand_in(by=account, series=series, content=content, called=called)
        except Refusal as refusal:
            add_errors(form, refusal.errors or {"": [refusal.sentence]})
        else:
            messages.success(request, _("Handed in. It counts once an organiser has accepted it."))
            return redirect("series_hand_in", slug, address)
    waiting = HandedIn.objects.filter(series=series, player=player) if player else ()
    context = {**_about(series), "form": form, "player": player, "waiting": waiting}
    return render(request, "series/hand_in.html", context, status=422 if form.errors else 200)


def _shown_number(evenings: Sequence[Told], counted: Counted) -> int:
    """Return the number of the last evening that counts, as people see it."""
    last = counted.last
    return next((each.shown for each in evenings if each.number == last), 0)


def _cells(counted: Counted, row: Row) -> list[Counting]:
    parts = {part.key: part for part in counted.parts}
    values = column([None if each.value is None else str(each.value) for each in row.cells], signed=False)
    return [
        Counting(parts[cell.part], cell, value, " ".join(map(translated, telling.why(cell))))
        for cell, value in zip(row.cells, values, strict=True)
    ]


def address_of(series: Series) -> str:
    """Return the address of a series' page."""
    return reverse("series", args=[series.club.slug, series.slug])


urlpatterns = [
    path("clubs/<slug:slug>/series/<slug:address>/", table, name="series"),
    path("clubs/<slug:slug>/series/<slug:address>/feed/", SeriesNews(), name="series_feed"),
    path("clubs/<slug:slug>/series/<slug:address>/chart/", chart, name="series_chart"),
    path("clubs/<slug:slug>/series/<slug:address>/hand-in/", hand_in, name="series_hand_in"),
    path("competitions/<slug:slug>/counts-for-me/", declare, name="declare_evening"),
    path("clubs/<slug:slug>/series/<slug:address>/<uuid:player>/", person, name="series_person"),
]
