"""Prints on the desk, with what only organisers see: unpublished rounds, and codes of seats."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial, wraps
from typing import Any, Final
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.refusals import Malformed, Refusal
from league import hooks
from league.admin.base import AppPage
from league.admin.competitions import CompetitionAdmin
from league.admin.fields import TextField
from league.apps.prints import printing, score_sheets
from league.apps.prints.score_sheets import called
from league.core import formats
from league.files.file import as_answer
from league.hooks import papers
from league.models import Competition
from league.ops import offload
from league.queries.competitions import names_in, state_of
from league.requests import (
    account_in,
    keep_site_address,
    likely_address,
    made_once,
    port_of,
    read_address,
    site_address,
)
from league.services.jobs import job_for_file, start_job
from league.words.messages import errors_in_words, translated
from league.words.values import on_paper

# ---- What there is to print ----------------------------------------------------------------------


def _panel(page: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what can be printed of a competition, and names with characters that prints tell in words."""
    competition: Competition = page["competition"]
    state = state_of(competition)
    has = {
        "sheets": page["to_play"] and score_sheets.has_sheets(competition.ruleset, competition.options),
        "bracket": any(formats.of(plan).has_brackets for plan in state.plans),
        "matches": state.opening.lineup == "boards" or any(plan.match for plan in state.plans),
        "evening": bool(competition.stage),
        "certificates": competition.status == Competition.Status.FINISHED,
    }
    return {
        "prints": [(name, each.title) for name, each in printing.PRINTS.items() if has.get(name, True)],
        "told_in_words": _told_in_words(names_in(competition)),
        "makes_codes": page["to_play"] and page["directs"] and _has_codes(competition),
    }


def _has_codes(competition: Competition) -> bool:
    """Return whether score sheets have codes with which players enter the scores themselves."""
    return on_paper(competition.ruleset) and bool(papers.SEAT_CODES)


def _makes_codes(admin: CompetitionAdmin, request: HttpRequest, competition: Competition, kind: str) -> bool:
    return kind == "sheets" and _has_codes(competition) and admin.directs(request, competition)


# ---- Prints --------------------------------------------------------------------------------------


def _or_why_not(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Return a view of a print that says, where there is none, why on the competition's page."""

    @wraps(view)
    def answer(
        admin: CompetitionAdmin, request: HttpRequest, competition: Competition, kind: str
    ) -> HttpResponse:
        try:
            return view(admin, request, competition, kind)
        except Refusal as refusal:
            messages.error(request, translated(refusal.sentence))
            return redirect("admin:league_competition_change", competition.pk)

    return answer


@_or_why_not
def print_view(
    admin: CompetitionAdmin, request: HttpRequest, competition: Competition, kind: str
) -> HttpResponse:
    """Return a print, of unpublished rounds too, or the job that makes it.

    With ``?codes=no`` nothing asks for the address of QR codes: where it isn't known there are none.
    """
    known = site_address(request) or request.GET.get("codes") == "no"
    if printing.print_of(kind).on_page and not known:
        page = reverse("admin:league_competition_print_page", args=[competition.pk, kind])
        return redirect(f"{page}?{request.GET.urlencode()}")
    return _without_codes(admin, request, competition, kind)


@_or_why_not
def print_page(
    admin: CompetitionAdmin, request: HttpRequest, competition: Competition, kind: str
) -> HttpResponse:
    """Ask for the address of QR codes where it isn't known; on POST print, sheets with new codes."""
    if kind not in printing.PRINTS or not printing.PRINTS[kind].on_page:
        raise Http404
    makes_codes = _makes_codes(admin, request, competition, kind)
    form = AddressForm(request.POST if "address" in request.POST else None, request=request)
    if request.method == "POST" and (form.is_valid() if form.is_bound else site_address(request)):
        make = _with_codes if makes_codes else _without_codes
        return make(admin, request, competition, kind)
    context = {
        "competition": competition,
        "original": competition,
        "form": form,
        "kind": kind,
        "known": site_address(request),
        "makes_codes": makes_codes,
    }
    return admin.render_page(request, "prints/desk_print.html", printing.PRINTS[kind].title, context)


def _without_codes(
    admin: CompetitionAdmin, request: HttpRequest, competition: Competition, kind: str
) -> HttpResponse:
    """Return a print without codes of seats, or the job that makes it or has made the same."""
    asked = printing.requested(request, competition, drawn=True)
    if not (admin.directs(request, competition) and printing.print_of(kind).extent(asked).is_long):
        return as_answer(printing.printed(kind, asked))
    given = _given(kind, asked, codes=False)
    job = job_for_file(by=account_in(request), competition=competition, kind="print", given=given)
    return _to(job.pk)


def _with_codes(
    admin: CompetitionAdmin, request: HttpRequest, competition: Competition, kind: str
) -> HttpResponse:
    """Return score sheets with new codes, or a job that makes them."""
    asked, by = printing.requested(request, competition, drawn=True), account_in(request)
    if printing.print_of(kind).extent(asked).is_long:
        job = partial(start_job, by=by, club=competition.club, competition=competition, kind="print")
        return _to(made_once(request, lambda: job(given=_given(kind, asked, codes=True))).id)
    answer = as_answer(printing.printed(kind, printing.with_codes(asked, by)))
    patch_cache_control(answer, no_store=True, private=True)
    return answer


def _given(kind: str, asked: printing.PrintRequest, *, codes: bool) -> dict[str, Any]:
    """Return what a job is given that prints."""
    return {
        "kind": kind,
        "stage": asked.stage,
        "round": asked.round,
        "entries": list(asked.entries),
        "site": asked.site,
        "for_organisers": codes,
        "seq": asked.competition.seq,
        "paper": asked.competition.club.paper,
    }


def _to(job: UUID) -> HttpResponse:
    return redirect("admin:league_job_change", job)


class AddressForm(forms.Form):
    """The address that printed QR codes have."""

    address = TextField(
        label=gettext_lazy("Address of this site for phones"),
        help_text=gettext_lazy(
            "For example http://192.168.1.20:8000, for QR codes and all links to share until you log out. "
            "Whoever runs the server starts it with --host 0.0.0.0, or sets ALLOWED_HOSTS."
        ),
    )

    sure = forms.BooleanField(
        label=gettext_lazy("I have opened this address on a phone"),
        required=False,
        widget=forms.CheckboxInput,
    )

    def __init__(self, data: Mapping[str, Any] | None, *, request: HttpRequest) -> None:
        super().__init__(data, initial={"address": likely_address(request)})
        self._request = request
        if not self.is_bound:
            del self.fields["sure"]

    def clean_address(self) -> str:
        """Return the address as the site keeps it."""
        try:
            return read_address(self.cleaned_data["address"])
        except Malformed as refusal:
            raise forms.ValidationError(errors_in_words(refusal.errors)["address"]) from None

    def clean(self) -> dict[str, Any]:
        """Keep the address for the prints of this session; ask about another port than that of this page."""
        cleaned: dict[str, Any] = super().clean() or {}
        if "address" not in cleaned:
            del self.fields["sure"]
            return cleaned
        here, typed = port_of(self._request.build_absolute_uri("/")), port_of(cleaned["address"])
        if here == typed:
            del self.fields["sure"]
        elif not cleaned["sure"]:
            sentence = _(
                "This page comes from port %(here)d, not %(typed)d. Where no server answers, the codes lead "
                "nowhere: open the address on a phone first."
            )
            self.add_error("address", sentence % {"here": here, "typed": typed})
        if not self.errors:
            keep_site_address(self._request, cleaned["address"])
        return cleaned


CompetitionAdmin.app_pages.update(
    print=AppPage(print_view, "print/<slug:kind>.pdf", for_all=True),
    print_page=AppPage(print_page, "print/<slug:kind>/", for_all=True),
)
hooks.GIVEN["prints/at_desk_next.html"] = _panel


NOT_LATIN: Final = "\u0180"
"""No font has to be asked for the characters before it."""


def _told_in_words(names: Iterable[str]) -> Sequence[tuple[str, str]]:
    """Return the names with characters that prints tell in words, each with what is printed for it."""
    unusual = [name for name in names if not all(character < NOT_LATIN for character in name)]
    return offload.call(called, "scripts.told_in_words", unusual) if unusual else ()
