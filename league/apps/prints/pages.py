"""Prints for everybody: those of a competition, a reader's own certificates, and blank score sheets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from uuid import UUID

from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.views.decorators.http import require_safe

from games.engine.refusals import Refusal
from league import hooks
from league.apps.prints import printing, score_sheets, sharing
from league.apps.prints.match_sheets import matches_of
from league.choices import PaperSize
from league.files.file import File, as_answer
from league.hooks import papers
from league.ops.answers import tag_of, tagged
from league.queries import permissions
from league.queries.competitions import all_competitions
from league.queries.pictures import honoured_in
from league.requests import number_in, spectator_or_account

if TYPE_CHECKING:
    from league.models import Competition


@require_safe
def blank(request: HttpRequest, key: str, players: int) -> HttpResponse:
    """Return an empty score sheet, on ``?paper=``; 404 for a game or a number of players without one."""
    paper = request.GET.get("paper")
    try:
        pdf = score_sheets.blank(key, players, {}, PaperSize.LETTER if paper == "letter" else PaperSize.A4)
    except Refusal:
        raise Http404 from None
    return as_answer(File(pdf, f"{key}-{players}.pdf"))


@require_safe
def competition(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Return a print of a competition, of the round in ``?stage=&round=`` or the last one."""
    shown = get_object_or_404(all_competitions(), slug=slug)
    if kind == "certificates":
        return own_certificates(request, shown)
    try:
        return printing.kept_print(request, kind, printing.requested(request, shown, drawn=False))
    except Refusal:
        raise Http404 from None


@require_safe
def alone(request: HttpRequest, name: str, id: UUID) -> HttpResponse:  # noqa: A002 - the name in the address
    """Return a list of an app on paper, up to ``?after=``; 304 for who has it, 404 where there is none."""
    make = papers.PRINTED.get(name)
    if make is None:
        raise Http404
    try:
        sheet = make(id, number_in(request, "after"))
    except ObjectDoesNotExist:
        raise Http404 from None
    answer = tagged(request, tag_of(sheet), lambda: as_answer(printing.sheet_alone(sheet)))
    answer["Cache-Control"] = "no-cache"
    return answer


def own_certificates(request: HttpRequest, shown: Competition) -> HttpResponse:
    """Return the certificates of the reader's own entries; 404 for a reader without one."""
    account = spectator_or_account(request)
    player = permissions.player_in(shown.club_id, account) if account else None
    own = [each.entry for each in honoured_in(shown) if player and str(player.pk) in each.own_of]
    if not own:
        raise Http404
    asked = replace(printing.requested(request, shown, drawn=False), entries=tuple(own))
    answer = as_answer(printing.printed("certificates", asked))
    answer["Cache-Control"] = "private"
    return answer


def _of_rules(page: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"has_sheets": score_sheets.has_sheets(page["ruleset"].name, {}), "papers": PaperSize.choices}


def _of_round(page: Mapping[str, Any]) -> Mapping[str, Any]:
    tables = page["round"].tables.select_related("round__stage__competition")
    return {"has_matches": bool(matches_of(tables.prefetch_related("seats__entry", "seats__player")))}


def _of_list(page: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the address of the list on paper, empty for one that isn't printed alone."""
    tools = page["tools"]
    if tools.name not in papers.PRINTED:
        return {"printed": ""}
    address = reverse("print_alone", args=[tools.name, tools.of])
    return {"printed": f"{address}?{urlencode(tools.query)}" if tools.query else address}


hooks.GIVEN["prints/at_list.html"] = _of_list
hooks.GIVEN["prints/at_round.html"] = _of_round
hooks.GIVEN["prints/at_rules.html"] = _of_rules

urlpatterns = [
    path("competitions/<slug:slug>/print/<slug:kind>.pdf", competition, name="competition_print"),
    path("games/<uuid:game_id>/picture.png", sharing.picture, name="game_picture"),
    path("print/<slug:name>/<uuid:id>.pdf", alone, name="print_alone"),
    path("rules/<slug:key>/sheet-<int:players>.pdf", blank, name="sheet"),
]
