"""Running a competition: its page on the desk, and the page of each verb."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import URLPattern, reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from games.engine.refusals import Refusal, Stale
from league.admin.base import ClubScopedAdmin
from league.admin.competition_page import shown_on_page
from league.admin.consequences import (
    WhatIf,
    can_preview,
    remedy_for,
    warnings_about,
    what_if,
    what_others_did,
    what_was_done,
)
from league.admin.verbs import Offer, VerbForm, offered, offers
from league.callers import ByAccount
from league.models import Account, Competition, Table
from league.queries.competitions import state_of
from league.queries.events import organised_since
from league.requests import account_in, made_once, sent_seq
from league.services.jobs import start_job
from league.services.verbs import perform
from league.words.messages import translated

EVENTS_SHOWN = 15


class Running(ClubScopedAdmin[Competition]):
    """The pages that run a competition."""

    def get_urls(self) -> list[URLPattern]:
        """Return the admin's addresses, that of the verbs, and that of the log's number."""
        return [
            self.page_url("<uuid:pk>/do/<slug:verb>/", self.act, "act"),
            self.page_url("<uuid:pk>/seq/", self.seq_view, "seq"),
            *super().get_urls(),
        ]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the competition: what it waits for, its verbs, a round, its entries, stages and log."""
        competition = self.get_row(request, object_id)
        context = shown_on_page(request, competition, directs=self.directs(request, competition))
        return self.render_page(request, "admin/competition.html", competition.name, context)

    def seq_view(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Return the number of the log's last entry: a page that shows an earlier one is out of date."""
        return JsonResponse({"seq": self.get_row(request, pk).seq}, headers={"Cache-Control": "no-store"})

    def act(self, request: HttpRequest, pk: UUID, verb: str) -> HttpResponse:
        """Show the form of a verb; on POST carry it out and go back to the competition."""
        competition = self.directed_row(request, pk)
        offer = offers().get(verb)
        if offer is None:
            raise Http404
        with timezone.override(competition.club.zone):
            return self._verb_page(request, competition, offer)

    def _verb_page(self, request: HttpRequest, competition: Competition, offer: Offer) -> HttpResponse:
        if "_remedy" in request.POST:
            return self._remedied(request, competition, offer)
        try:
            form, title = _form(request, competition, offer), _(offer.button.title)
        except Http404:
            if sent_seq(request) is None:
                raise
            messages.error(request, _table_gone(request, competition))
            return redirect("admin:league_competition_change", competition.pk)
        before = _seq_before(request, competition)
        previewed = _previewed(request, form)
        left_out = "" if previewed or competition.seq != before else _left_out(form)
        if not previewed and (job := _long_work(request, competition, form)):
            _tell(request, left_out)
            return redirect("admin:league_job_change", job)
        if not previewed and _carried_out(request, competition, form):
            messages.success(request, what_was_done(account_in(request), competition, before))
            _tell(request, left_out)
            return redirect(_page_after(request, competition, form.its_table))
        competition.refresh_from_db()
        meanwhile = _meanwhile(request, competition) if form.is_bound else ()
        if meanwhile and not _is_offered(competition, offer):
            messages.warning(request, " ".join([_("Somebody else was faster."), *meanwhile]))
            return redirect(_page_about(competition, form.its_table))
        about = str(form.its_table.pk) if form.its_table else ""
        warnings = warnings_about(competition, offer, about, _entries_in(form))
        context = {
            "competition": competition,
            "original": competition,
            "verb": offer.button,
            "undo": _(offer.verb.undo(state_of(competition), offer.button)),
            "form": form,
            "warnings": warnings,
            "stopped": any(each.stops for each in warnings),
            "can_preview": can_preview(form),
            "preview": previewed,
            "back": _page_after(request, competition, form.its_table),
            "meanwhile": meanwhile,
        }
        return self.render_page(request, "admin/competition_act.html", title, context).render()

    def _remedied(self, request: HttpRequest, competition: Competition, offer: Offer) -> HttpResponse:
        """Carry out the remedy that the page of a verb offers, and show that page again."""
        remedy, by = remedy_for(competition, offer, request.POST["_remedy"]), account_in(request)
        if remedy:
            before = competition.seq
            try:
                perform(ByAccount(by), competition=competition, verb=remedy.verb())
                messages.success(request, what_was_done(by, competition, before))
            except Refusal as refusal:
                messages.error(request, translated(refusal.sentence))
            competition.refresh_from_db()
        if _is_offered(competition, offer):
            return redirect("admin:league_competition_act", competition.pk, offer.button.key)
        return redirect("admin:league_competition_change", competition.pk)


def _entries_in(form: VerbForm) -> Collection[str]:
    """Return the ids of the entries that are chosen in a form so far."""
    chosen = next((form[each].value() for each in ("entries", "entry") if each in form.fields), None)
    return [*map(str, chosen if isinstance(chosen, list) else [chosen])] if chosen else ()


def _left_out(form: VerbForm) -> str:
    return form.left_out if form.is_bound and form.is_valid() else ""


def _tell(request: HttpRequest, left_out: str) -> None:
    if left_out:
        messages.info(request, left_out)


def _is_offered(competition: Competition, offer: Offer) -> bool:
    return offer.button.key in {each.button.key for each in offered(competition)}


def _form(request: HttpRequest, competition: Competition, offer: Offer) -> VerbForm:
    """Return the verb's form: bound where it was sent, with the ticked entries where it is opened."""
    sent = request.method == "POST" and "_ask" not in request.POST
    form = offer.form(
        request.POST if sent else None,
        competition=competition,
        verb=offer.verb,
        button=offer.button,
        table=request.GET.get("table", ""),
    )
    if not form.is_bound:
        form.search(request.GET)
    if not form.is_bound and "entries" in form.fields:
        ticked = request.POST if "_ask" in request.POST else request.GET
        form.fields["entries"].initial = ticked.getlist("entries")
    return form


def _page_about(competition: Competition, table: Table | None) -> str:
    """Return the address of the competition's page, at a table where a form was about one."""
    page = reverse("admin:league_competition_change", args=[competition.pk])
    return f"{page}?round={table.round_id}&table={table.pk}#table-{table.pk}" if table else page


def _page_after(request: HttpRequest, competition: Competition, table: Table | None) -> str:
    """Return the address after a form: that of the form which led to it, else the competition's page."""
    led = offers().get(request.GET.get("then", ""))
    if led and _is_offered(competition, led):
        return reverse("admin:league_competition_act", args=[competition.pk, led.button.key])
    return _page_about(competition, table)


def _previewed(request: HttpRequest, form: VerbForm) -> WhatIf | None:
    """Return what a form would change where that was asked for, None where it is refused or not valid."""
    if "_preview" in request.POST and form.is_bound and form.valid_for_preview() and can_preview(form):
        with _refusals_on(form):
            return what_if(account_in(request), form)
    return None


def _carried_out(request: HttpRequest, competition: Competition, form: VerbForm) -> bool:
    """Carry out a form that was sent for that; return whether it worked, else its errors say why not."""
    wanted = "_preview" not in request.POST and form.is_bound and form.is_valid() and form.confirmed
    if wanted:
        with _refusals_on(form):
            _perform(account_in(request), competition, form, sent_seq(request))
    return wanted and form.is_valid()


def _long_work(request: HttpRequest, competition: Competition, form: VerbForm) -> UUID | None:
    """Start the job of a form that was sent and takes long; return its id, None for any other form."""
    sent = "_preview" not in request.POST and form.is_bound and form.is_valid() and form.confirmed
    work = form.long_work() if sent else None
    if work is None:
        return None
    by = account_in(request)
    return made_once(
        request,
        lambda: start_job(
            by=by,
            club=competition.club,
            competition=competition,
            kind=work.kind,
            given=work.given,
            total=work.total,
        ),
    ).id


@contextmanager
def _refusals_on(form: VerbForm) -> Iterator[None]:
    """Add a refusal to the form, to the fields that it names."""
    try:
        yield
    except Stale:
        form.renew()
        form.add_error(None, _("Somebody else was faster. Check what happened, then send the form again."))
    except Refusal as refusal:
        if refusal.errors:
            form.refuse(refusal.errors)
        else:
            form.add_error(None, translated(refusal.sentence))


def _meanwhile(request: HttpRequest, competition: Competition) -> Sequence[str]:
    """Return what was done since the page that was sent was loaded, in words."""
    seq = sent_seq(request)
    return () if seq is None else what_others_did(account_in(request), competition, seq)


def _table_gone(request: HttpRequest, competition: Competition) -> str:
    """Return why the table that a form was about can't be found."""
    gone = _("This table no longer exists.")
    return " ".join([gone, *_meanwhile(request, competition)])


def _seq_before(request: HttpRequest, competition: Competition) -> int:
    """Return the log's number when the page was loaded, so that a second click is told the same."""
    sent = sent_seq(request)
    return competition.seq if sent is None else min(competition.seq, sent - 1)


def _perform(by: Account, competition: Competition, form: VerbForm, seq: int | None) -> None:
    """Carry out verbs at the number that the page was loaded at, so that a second click writes nothing more.

    Where only results came in since then, the verbs are written after them; where another organiser wrote
    something, raise `Stale`.
    """
    try:
        form.carry_out(by=by, seq=seq)
    except Stale:
        if seq is None or organised_since(competition, seq):
            raise
        form.carry_out(by=by)
