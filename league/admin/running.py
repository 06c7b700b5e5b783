"""Running a competition: its page on the desk, and the pages on which its verbs are asked and done."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _

from games.engine.refusals import Malformed, Refusal, Stale
from league import bookings, draw_reports, log, selectors
from league.admin.files import FILES
from league.admin.needs import Waiting, waiting_for
from league.admin.pages import OfCompetitions
from league.admin.prints import PRINTS
from league.admin.steps import next_step
from league.admin.verbs import VERBS, ActForm, Verb, offered
from league.admin.verbs.entries import EntriesForm
from league.competition import commands
from league.models import Account, Competition, Entry, Round, Table
from league.views.callers import caller
from league.views.happenings import happenings

EVENTS_SHOWN = 15


@dataclass(frozen=True)
class TableRow:
    """A table on the desk: for whom it waits, and what can be done with it."""

    table: Table
    waits: Waiting
    verbs: Sequence[Verb]


@dataclass(frozen=True)
class EntryRow:
    """An entry on the desk, and whether it stays away from the next round."""

    entry: Entry
    absent: bool


class Running(OfCompetitions):
    """The pages by which a competition is run."""

    def get_urls(self) -> list[URLPattern]:
        """Return the admin's addresses and one for every verb."""
        act = self.admin_site.admin_view(self.act)
        return [path("<uuid:pk>/do/<slug:verb>/", act, name="league_competition_act"), *super().get_urls()]

    # ---- The competition's page -------------------------------------------------------------------

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the competition: what it waits for, what can be done, a round, the entries, stages and log."""
        competition = self.found(request, object_id)
        verbs = offered(competition) if self.directs(request, competition) else []
        context = {
            "competition": competition,
            "original": competition,
            "step": next_step(competition),
            "parts": _parts(verbs),
            "bulk": [verb for verb in verbs if issubclass(verb.form, EntriesForm)],
            "entries": _entry_rows(competition),
            "stages": selectors.stages_of(competition),
            "happenings": happenings(list(selectors.events_of(competition, withheld=True)[:EVENTS_SHOWN])),
            "zone": competition.club.timezone,
            "files": FILES,
            "prints": PRINTS,
            "doubles": bookings.double_bookings(competition),
            **_round_shown(request, competition, verbs),
        }
        return self.shown(request, "admin/competition.html", competition.name, context)

    # ---- Verbs ------------------------------------------------------------------------------------

    def act(self, request: HttpRequest, pk: UUID, verb: str) -> HttpResponse:
        """Ask what a verb needs and whether it is meant; on POST do it and go back to the competition."""
        competition = self.found(request, str(pk))
        if not self.directs(request, competition):
            raise PermissionDenied
        if verb not in VERBS:
            raise Http404
        with timezone.override(competition.club.zone):
            return self._asked(request, competition, VERBS[verb])

    def _asked(self, request: HttpRequest, competition: Competition, verb: Verb) -> HttpResponse:
        form = _form(request, competition, verb)
        if form.is_bound and form.is_valid() and form.confirmed and _done(request, competition, verb, form):
            messages.success(request, _("Done: %(verb)s.") % {"verb": str(verb.title)})
            return redirect("admin:league_competition_change", competition.pk)
        competition.refresh_from_db()
        context = {"competition": competition, "original": competition, "verb": verb, "form": form}
        return self.shown(request, "admin/competition_act.html", str(verb.title), context).render()


def _form(request: HttpRequest, competition: Competition, verb: Verb) -> ActForm:
    """Return the verb's form: filled in where it was sent, with what was ticked where it is to be shown."""
    sent = request.method == "POST" and "_ask" not in request.POST
    form = verb.form(
        request.POST if sent else None, competition=competition, table=request.GET.get("table", "")
    )
    if "_ask" in request.POST and "entries" in form.fields:
        form.fields["entries"].initial = request.POST.getlist("entries")
    return form


def _done(request: HttpRequest, competition: Competition, verb: Verb, form: ActForm) -> bool:
    """Do what a valid form says; return whether it was done, the form saying why where it was not."""
    told = request.POST.get("seq", "")
    seq = int(told) if told.isdecimal() and len(told) < 10 else None
    try:
        _written(caller(request), competition, verb, form.told, seq)
    except Stale:
        form.add_error(None, _("Meanwhile another organiser has done something. Look, and send it again."))
    except Malformed as refusal:
        form.refuse(refusal.errors)
    except Refusal as refusal:
        form.add_error(None, refusal.sentence)
    return form.is_valid()


def _written(
    by: Account, competition: Competition, verb: Verb, told: dict[str, Any], seq: int | None
) -> None:
    """Write the verb where the page that asked for it stood, so that a second click writes nothing more.

    Results that have come in since are no reason to ask again; what another organiser has said is, and
    raises `Stale`.
    """
    try:
        verb.act(by=by, competition=competition, seq=seq, **told)
    except Stale:
        if seq is None or selectors.organised_since(competition, seq):
            raise
        verb.act(by=by, competition=competition, seq=None, **told)


# ---- What the page shows -------------------------------------------------------------------------


def _parts(verbs: Sequence[Verb]) -> list[tuple[str, list[Verb]]]:
    """Return the verbs that have a button of their own, part by part."""
    titles = {"round": _("Round"), "entries": _("Entries"), "competition": _("Competition")}
    single = [verb for verb in verbs if not verb.tables and not issubclass(verb.form, EntriesForm)]
    found = [(title, [verb for verb in single if verb.part == part]) for part, title in titles.items()]
    return [(title, inside) for title, inside in found if inside]


def _entry_rows(competition: Competition) -> list[EntryRow]:
    away = commands.away(log.latest(competition))
    return [EntryRow(entry, str(entry.pk) in away) for entry in selectors.entries_of(competition)]


def _round_shown(request: HttpRequest, competition: Competition, verbs: Sequence[Verb]) -> dict[str, Any]:
    """Return the round that ``?round=`` names, the last one where it names none, with its tables."""
    rounds = selectors.rounds_of(competition, drawn=True)
    names = list(rounds.prefetch_related(None).only("number", "status", "stage__number", "stage__name"))
    asked = request.GET.get("round", "")
    chosen = next((each for each in names if str(each.pk) == asked), names[0] if names else None)
    shown = rounds.get(pk=chosen.pk) if chosen else None
    tables = list(shown.tables.all()) if shown else []
    return {
        "rounds": names[::-1],
        "shown_round": shown,
        "tables": [_table_row(table, verbs) for table in tables],
        "late": bool(shown and _is_late(shown)),
        "abandoned": sum(table.status == Table.Status.ABANDONED for table in tables),
        "quality": draw_reports.sentences(shown.report) if shown and _is_proposal(shown) else (),
    }


def _is_late(shown: Round) -> bool:
    """Return whether it is still played though its deadline has passed."""
    played = shown.status == Round.Status.PUBLISHED
    return played and shown.deadline is not None and shown.deadline < timezone.now()


def _is_proposal(shown: Round) -> bool:
    """Return whether it is a draw to be looked at, which open play has none of."""
    return shown.status == Round.Status.DRAWN and bool(shown.report)


def _table_row(table: Table, verbs: Sequence[Verb]) -> TableRow:
    return TableRow(table, waiting_for(table), [verb for verb in verbs if table.status in verb.tables])
