"""A competition's printed sheets on the desk, with what only its organisers see."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.refusals import Malformed
from league import hooks
from league.admin.base import ClubScopedAdmin
from league.admin.fields import TextField
from league.core import formats
from league.files import sheets
from league.files.file import as_answer
from league.files.sheets import NoForm, has_sheets
from league.models import Competition, Job
from league.queries.competitions import names_in, state_of
from league.requests import (
    account_in,
    keep_site_address,
    likely_address,
    made_once,
    port_of,
    print_request,
    read_address,
    site_address,
)
from league.services.jobs import job_for_file, start_job
from league.words.messages import errors_in_words, translated
from league.words.values import on_paper

PRINTS: Final = (
    ("pairings", gettext_lazy("Pairings of the round")),
    ("names", gettext_lazy("Alphabetical list: who sits where")),
    ("cards", gettext_lazy("Table cards")),
    ("sheets", gettext_lazy("Score sheets")),
    ("standings", gettext_lazy("Standings")),
    ("bracket", gettext_lazy("Bracket")),
    ("certificates", gettext_lazy("Certificates")),
)
"""The printed sheets by name, each with its title."""
PRINTS_BY_NAME: Final = dict(PRINTS)
WITH_QR_CODES: Final = ("cards", "sheets")
"""The printed sheets on which an address of the site stands."""


def prints_of(competition: Competition, *, to_play: bool) -> Sequence[tuple[str, Any]]:
    """Return `PRINTS` without those that the competition does not have; ``to_play``: a table is undecided."""
    has = {
        "sheets": to_play and has_sheets(competition.ruleset, competition.options),
        "bracket": any(formats.of(plan).has_brackets for plan in state_of(competition).plans),
        "certificates": competition.status == Competition.Status.FINISHED,
    }
    return [(name, title) for name, title in PRINTS if has.get(name, True)]


def has_codes(competition: Competition) -> bool:
    """Return whether score sheets have codes with which players enter the scores themselves."""
    return on_paper(competition.ruleset) and bool(hooks.SEAT_CODES)


def names_told_in_words(competition: Competition) -> Sequence[tuple[str, str]]:
    """Return the names with characters that prints tell in words, each with what is printed for it."""
    return sheets.told_in_words(names_in(competition))


class Printing(ClubScopedAdmin[Competition]):
    """The addresses of a competition's printed sheets."""

    def get_urls(self) -> list[URLPattern]:
        """Return the admin's addresses and those of printed sheets."""
        return [
            self.page_url("<uuid:pk>/print/<slug:kind>.pdf", self.print_view, "print"),
            self.page_url("<uuid:pk>/print/<slug:kind>/", self.print_page, "print_page"),
            *super().get_urls(),
        ]

    def print_view(self, request: HttpRequest, pk: UUID, kind: str) -> HttpResponse:
        """Return a print, of unpublished rounds too, or the job that makes it; or say why not.

        With ``?codes=no`` nothing asks for the address of QR codes: where it isn't known there are none.
        """
        competition = self.get_row(request, pk)
        if kind in WITH_QR_CODES and not site_address(request) and request.GET.get("codes") != "no":
            page = reverse("admin:league_competition_print_page", args=[pk, kind])
            return redirect(f"{page}?{request.GET.urlencode()}")
        return self._pdf(request, competition, lambda: self._plain(request, competition, kind))

    def print_page(self, request: HttpRequest, pk: UUID, kind: str) -> HttpResponse:
        """Ask for the address of QR codes where it isn't known; on POST print, sheets with new codes."""
        competition = self.get_row(request, pk)
        if kind not in WITH_QR_CODES:
            raise Http404
        form = AddressForm(request.POST if "address" in request.POST else None, request=request)
        if request.method == "POST" and (form.is_valid() if form.is_bound else site_address(request)):
            return self._pdf(request, competition, lambda: self._with_codes(request, competition, kind))
        context = {
            "competition": competition,
            "original": competition,
            "form": form,
            "kind": kind,
            "known": site_address(request),
            "makes_codes": self._makes_codes(request, competition, kind),
        }
        return self.render_page(request, "admin/competition_print.html", PRINTS_BY_NAME[kind], context)

    def _makes_codes(self, request: HttpRequest, competition: Competition, kind: str) -> bool:
        return kind == "sheets" and has_codes(competition) and self.directs(request, competition)

    def _plain(self, request: HttpRequest, competition: Competition, kind: str) -> HttpResponse:
        """Return a print without codes of seats, or the job that makes it or has made the same."""
        asked = print_request(request, competition, drawn=True)
        if not (self.directs(request, competition) and sheets.extent(kind, asked).is_long):
            return as_answer(sheets.printed(kind, asked))
        given = _given(request, competition, kind, asked)
        by = account_in(request)
        return _to(job_for_file(by=by, competition=competition, kind=Job.Kind.PRINT, given=given).pk)

    def _with_codes(self, request: HttpRequest, competition: Competition, kind: str) -> HttpResponse:
        """Return score sheets with new codes, or a job that makes them; any other print as without codes."""
        if not self._makes_codes(request, competition, kind):
            return self._plain(request, competition, kind)
        asked, by = print_request(request, competition, drawn=True), account_in(request)
        if sheets.extent(kind, asked).is_long:
            given = _given(request, competition, kind, asked) | {"codes": True}
            job = partial(start_job, by=by, club=competition.club, competition=competition, given=given)
            return _to(made_once(request, lambda: job(kind=Job.Kind.PRINT)).id)
        answer = as_answer(sheets.printed(kind, sheets.with_codes(asked, by)))
        patch_cache_control(answer, no_store=True, private=True)
        return answer

    def _pdf(
        self, request: HttpRequest, competition: Competition, make: Callable[[], HttpResponse]
    ) -> HttpResponse:
        """Return a print; where there is none, say why on the competition's page."""
        try:
            return make()
        except NoForm as refusal:
            messages.error(request, translated(refusal.sentence))
        except LookupError:
            messages.error(request, _("There is nothing to print yet."))
        return redirect("admin:league_competition_change", competition.pk)


class AddressForm(forms.Form):
    """The address that printed QR codes have."""

    address = TextField(
        label=gettext_lazy("Address of this site for phones"),
        help_text=gettext_lazy(
            "For example http://192.168.1.20:8000, for QR codes and all links to share until you log out. "
            "Whoever runs the server sets it to answer there, with ALLOWED_HOSTS."
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


def _given(
    request: HttpRequest, competition: Competition, kind: str, asked: sheets.PrintRequest
) -> dict[str, Any]:
    """Return what a job is given that prints."""
    return {
        "kind": kind,
        "stage": asked.stage,
        "round": asked.round,
        "entries": list(asked.entries),
        "site": site_address(request),
        "codes": False,
        "seq": competition.seq,
    }


def _to(job: UUID) -> HttpResponse:
    return redirect("admin:league_job_change", job)
