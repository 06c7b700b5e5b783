"""Company on the desk: what was reported, a club's room and phrases, and competitions without phrases."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.engine.refusals import Malformed
from league import hooks
from league.admin.base import AppPage, ClubScopedAdmin, display, reporting_refusals
from league.admin.clubs import ClubAdmin
from league.admin.competitions import CompetitionAdmin
from league.admin.needs import PROVIDERS, Clubs, Need
from league.admin.site import CLUB, desk
from league.apps.company.models import QuietCompetition, Report
from league.apps.company.queries import company_of, reports_seen_by
from league.apps.company.services import keep_company, keep_quiet, settle_report
from league.forms import add_errors
from league.models import Club, Competition
from league.models.readers import reader
from league.requests import account_in

# ---- Reports -------------------------------------------------------------------------------------


class StateFilter(admin.SimpleListFilter):
    """Open or settled."""

    title = gettext_lazy("status")
    parameter_name = "settled"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("no", _("open")), ("yes", _("settled"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Report]) -> QuerySet[Report]:
        return queryset.filter(settled_at__isnull=self.value() == "no") if self.value() else queryset


@admin.register(Report, site=desk)
class ReportAdmin(ClubScopedAdmin[Report]):
    """What members reported about people of the club. Nobody sees a report about themselves."""

    buttons = ("settle", "open")
    list_display = ("at", "player", "words", "state", "by", "club")
    list_filter = (StateFilter, "at", ("club", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("player", "by", "club")
    search_fields = ("words", "player__name")
    ordering = ("settled_at", "-at", "pk")
    fields = ("player", "words", "at", "by", "game_link", "state", "settled_by")
    below_form = "company/report_desk.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        return reports_seen_by(account_in(request), super().get_queryset(request))

    @display(
        description=gettext_lazy("status"), ordering="settled_at", label={"open": "warn", "settled": "good"}
    )
    def state(self, row: Report) -> tuple[str, str]:
        return ("settled", _("settled")) if row.settled_at else ("open", _("open"))

    @display(description=gettext_lazy("game"))
    def game_link(self, row: Report) -> str:
        return str(row.game_id or "–")

    def row_context(self, request: HttpRequest, row: Report | None) -> dict[str, Any]:
        """Return the report for its button."""
        return {"report": row if row is not None and self.directs(request, row) else None}

    def settle(self, request: HttpRequest, row: Report) -> None:
        """Say that nothing more is to be done."""
        settle_report(by=account_in(request), row=row, settled=True)
        messages.success(request, _("Settled."))

    def open(self, request: HttpRequest, row: Report) -> None:
        """Open it again."""
        settle_report(by=account_in(request), row=row, settled=False)
        messages.success(request, _("It is open again."))


def open_reports(clubs: Clubs) -> Iterator[Need]:
    """Yield the clubs in which reports of people are open, but for those about the reader."""
    found = Report.objects.filter(club__in=clubs, settled_at=None).order_by("club__name", "club", "pk")
    rows = found.values_list("club", "club__name", "player__account")
    open_in = Counter((club, name) for club, name, about in rows if not reader().has(about))
    address = f"{reverse('admin:company_report_changelist')}?settled=no"
    for (_club, name), count in open_in.items():
        text = ngettext(
            "%(count)d report of a person is open.", "%(count)d reports of people are open.", count
        )
        yield Need(name, text % {"count": count}, _("View"), address)


PROVIDERS.append(open_reports)
CLUB.append((gettext_lazy("Reports of people"), "company_report"))

# ---- A club and its competitions -----------------------------------------------------------------


class CompanyForm(forms.Form):
    """What a club offers beside games."""

    room = forms.CharField(
        label=gettext_lazy("Room for voice or chat"),
        max_length=500,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "url"}),
        help_text=gettext_lazy(
            "A link that begins with https, for the players at the club’s tables alone; empty: none."
        ),
    )
    phrases = forms.BooleanField(
        label=gettext_lazy("Players can say set phrases at tables"),
        required=False,
        help_text=gettext_lazy("A competition can do without them: on its page, under “Company”."),
    )


def club_page(admin: ClubAdmin, request: HttpRequest, club: Club) -> HttpResponse:
    """Show what a club offers beside games; on POST keep it."""
    known = company_of(club.pk)
    initial = {"room": known.room, "phrases": known.phrases}
    form = CompanyForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_bound and form.is_valid():
        try:
            keep_company(by=account_in(request), club=club, **form.cleaned_data)
        except Malformed as refusal:
            add_errors(form, {path: [*each] for path, each in refusal.errors.items()})
        else:
            messages.success(request, _("Saved."))
            return redirect("admin:league_club_change", club.pk)
    back = reverse("admin:league_club_change", args=[club.pk])
    context = {"original": club, "form": form, "back": back}
    return admin.render_page(request, "company/form.html", _("Company at tables"), context)


class QuietForm(forms.Form):
    """Whether players say anything."""

    quiet = forms.BooleanField(
        label=gettext_lazy("Nobody says anything at its tables"),
        required=False,
        help_text=gettext_lazy("No set phrases and no pointing at cards, from now on."),
    )


def competition_page(admin: CompetitionAdmin, request: HttpRequest, competition: Competition) -> HttpResponse:
    """Show whether there are phrases at a competition's tables; on POST choose that."""
    quiet = QuietCompetition.objects.filter(competition=competition).exists()
    form = QuietForm(request.POST if request.method == "POST" else None, initial={"quiet": quiet})
    back = reverse("admin:league_competition_change", args=[competition.pk])
    if form.is_bound and form.is_valid():
        keep_quiet(by=account_in(request), competition=competition, **form.cleaned_data)
        messages.success(request, _("Saved."))
        return redirect(back)
    context = {"original": competition, "form": form, "back": back}
    return admin.render_page(request, "company/form.html", _("Company at tables"), context)


def _told(page: Mapping[str, Any]) -> Mapping[str, Any]:
    competition = page["competition"]
    return {"quiet": QuietCompetition.objects.filter(competition=competition.pk).exists()}


hooks.GIVEN["company/at_desk_about.html"] = _told
ClubAdmin.app_pages["company"] = AppPage(
    lambda admin, request, club: reporting_refusals(request, lambda: club_page(admin, request, club))
)
CompetitionAdmin.app_pages["company"] = AppPage(competition_page)
