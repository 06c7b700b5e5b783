"""The hall on the desk: its timer, announcements and codes of seats; the kiosks, and open calls."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, ClassVar, Final, TypeAlias
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.forms import ModelChoiceField
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.debug import sensitive_variables

from games.engine.messages import filled
from games.engine.refusals import Illegal, Refusal
from games.engine.textinput import number
from league import hooks
from league.admin.base import AppPage, ClubScopedAdmin, directed_ids, display
from league.admin.competitions import JOINED, CompetitionAdmin
from league.admin.fields import WallTimeField
from league.admin.needs import MOST, PROVIDERS, Clubs, Need
from league.admin.site import CLUB, desk
from league.apps.hall import queries, services, totals
from league.apps.hall.models import Announcement, Hall, Kiosk
from league.models import Competition, Round
from league.queries.competitions import running_competitions
from league.queries.rounds import tables_of_competition, taken_tables
from league.queries.score_cards import rounds_of_tables
from league.requests import account_in, site_address
from league.words.competitions import short_time
from league.words.emails import kept_here
from league.words.messages import in_one_text

To: Final = Announcement.To
MOST_LISTED: Final = 50
"""The most announcements that are listed of those that were ever made."""

# ---- A competition's hall ------------------------------------------------------------------------


def _panel(page: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what the panel shows, unfolded while a round is played, people arrive, or announcements."""
    competition: Competition = page["competition"]
    played = next((each for each in page["rounds"] if each.status == Round.Status.PUBLISHED), None)
    hall = getattr(competition, "hall", None) or Hall(competition=competition)
    written = list(queries.all_announcements(competition)[:MOST_LISTED])
    told = [each for each in reversed(written) if getattr(each, "shown", False)]
    checks_in = queries.checks_in(competition)
    return {
        "hall": hall,
        "played": played,
        "timer": queries.timer_of(hall, played),
        "minutes": queries.usual_minutes(hall, played) if played else 0,
        "announcements": told,
        "whom": [
            each
            for each in To.choices
            if (checks_in if each[0] == To.MISSING else played or each[0] == To.ALL)
        ],
        "to_tables": taken_tables(page["shown_round"] if page["shown_round"] == played else played)
        if played
        else (),
        "written": sorted(written, key=lambda each: each.made_at, reverse=True),
        "checks_in": checks_in,
        "unfolded": played or told or (checks_in and not competition.stage),
    }


def hall_acts(_admin: CompetitionAdmin, request: HttpRequest, competition: Competition) -> HttpResponse:
    """Carry out a form of the panel, and go back to it; where it is refused, say why."""
    if request.method == "POST" and (named := ACTS.get(request.POST.get("do", ""))):
        act, fields, done = named
        try:
            read = {name: field(request.POST) for name, field in fields.items()}
            made = act(by=account_in(request), competition=competition, **read)
            if request.POST["do"] in _RUNS and (ends := queries.timer_ends(competition)):
                done = filled(_("The timer runs until %(at)s."), {"at": short_time(ends, competition.club)})
            messages.success(request, done)
            if isinstance(made, Announcement) and made.sent_at:
                _tell_reached(request, made)
        except Refusal as refusal:
            messages.error(request, in_one_text(refusal))
    page = reverse("admin:league_competition_change", args=[competition.pk])
    return redirect(f"{page}#hall")


def _tell_reached(request: HttpRequest, made: Announcement) -> None:
    """Say how many an announcement reaches, and how the others can be."""
    if told := kept_here():
        messages.warning(request, told)
        return
    sentence = ngettext(
        "It is sent to %(told)d of %(people)d person.",
        "It is sent to %(told)d of %(people)d people.",
        made.people,
    ) % {"told": made.told, "people": made.people}
    if made.told < made.people:
        hint = _("The club knows no email address of the others, or they want no such emails.")
        messages.warning(request, f"{sentence} {hint}")
    else:
        messages.success(request, sentence)


def _minutes(sent: QueryDict) -> int:
    """Return the minutes of a form; 0, which is refused, for anything else than a whole number."""
    minutes = number(sent.get("minutes", "").strip())
    return minutes if isinstance(minutes, int) else 0


def _announcement(sent: QueryDict) -> UUID:
    try:
        return UUID(sent.get("announcement", ""))
    except ValueError:
        raise Illegal("There is no such announcement.") from None


def _table(sent: QueryDict) -> UUID | None:
    try:
        return UUID(str(sent.get("table", "")))
    except ValueError:
        return None


Act: TypeAlias = tuple[Callable[..., object], Mapping[str, Callable[[QueryDict], object]], Any]
ACTS: Final[Mapping[str, Act]] = {
    "start": (services.start_timer, {"minutes": _minutes}, gettext_lazy("The timer runs.")),
    "add": (services.add_minutes, {"minutes": _minutes}, gettext_lazy("The timer was changed.")),
    "pause": (services.pause_timer, {}, gettext_lazy("The timer is paused.")),
    "resume": (partial(services.pause_timer, paused=False), {}, gettext_lazy("The timer runs.")),
    "remove": (services.remove_timer, {}, gettext_lazy("The timer was removed.")),
    "announce": (
        services.announce,
        {
            "words": lambda sent: sent.get("text", ""),
            "to": lambda sent: sent.get("to", "all"),
            "table": _table,
            "send": lambda sent: "send" in sent,
            "wakes": lambda sent: "wakes" in sent,
        },
        gettext_lazy("Everybody sees the announcement now."),
    ),
    "withdraw": (
        services.remove_announcement,
        {"announcement": _announcement},
        gettext_lazy("The announcement was removed."),
    ),
    "phones-on": (
        partial(services.set_self_check_in, on=True),
        {},
        gettext_lazy("Everybody can check in from their own phone now."),
    ),
    "phones-off": (
        partial(services.set_self_check_in, on=False),
        {},
        gettext_lazy("Check-in from phones is off."),
    ),
}
"""What each form does, with what it reads of what is sent, and what is said then."""
_RUNS: Final = ("start", "add", "resume")
"""After these it is said until when the timer runs."""


# ---- Codes of seats ------------------------------------------------------------------------------


@sensitive_variables("codes", "context")
def codes_page(admin: CompetitionAdmin, request: HttpRequest, competition: Competition) -> HttpResponse:
    """On POST show new codes for the seats of one table, or end all codes of the competition."""
    back, by = redirect("admin:league_competition_change", competition.pk), account_in(request)
    if request.method != "POST":
        return back
    if "withdraw" in request.POST:
        services.withdraw_codes(by=by, competition=competition)
        messages.success(request, _("No printed code works any more. Print the score sheets again."))
        return back
    try:
        tables = tables_of_competition(competition).filter(pk=request.POST.get("table", ""))
    except ValidationError:
        raise Http404 from None
    table = get_object_or_404(tables)
    made = services.print_codes(by=by, competition=competition, tables=[table])
    codes = {seat: code.text for seat, code in made.items()}
    context = {
        "competition": competition,
        "original": competition,
        "table": table,
        "seats": [(seat, codes.get((table.pk, seat.number))) for seat in table.seats.all()],
        "enter": f"{site_address(request)}{reverse('enter')}",
    }
    answer = admin.render_page(request, "hall/desk_codes.html", _("Codes of the seats"), context)
    answer["Cache-Control"] = "no-store"
    return answer


# ---- Kiosks --------------------------------------------------------------------------------------


@admin.register(Kiosk, site=desk)
class KioskAdmin(ClubScopedAdmin[Kiosk]):
    """Devices that serve one competition without an account."""

    club_path = "competition__club"
    may_add = True
    add_title = gettext_lazy("Add a kiosk")
    add_fields = ("competition", "name", "expires_at")
    fields = (*add_fields, "state", "maker", "made_at", "opened_at", "seen_at")
    buttons = ("renew", "revoke")
    asks: ClassVar = {
        "revoke": (
            gettext_lazy("Revoke"),
            gettext_lazy("The device stops at once, and only another kiosk can take its place."),
        )
    }
    list_display = ("name", "competition", "state", "expires_at", "seen_at", "maker")
    list_filter = (("competition", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("competition__club", "made_by")
    search_fields = ("name", "competition__name")
    below_form = "hall/desk_kiosk.html"

    @display(
        description=gettext_lazy("status"),
        label={"in use": "good", "waiting": "", "revoked": "bad", "expired": "warn"},
    )
    def state(self, kiosk: Kiosk) -> tuple[str, Any]:
        if kiosk.revoked_at:
            return "revoked", _("revoked")
        if not kiosk.is_open:
            return "expired", _("expired")
        return ("in use", _("in use")) if kiosk.opened_at else ("waiting", _("waits for a device"))

    @display(description=gettext_lazy("made by"), ordering="made_by__username")
    def maker(self, kiosk: Kiosk) -> str:
        return kiosk.made_by.username

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Ask for a time with one field of the browser's own."""
        if db_field.name != "expires_at":
            return super().formfield_for_dbfield(db_field, request, **kwargs)
        help_text = _("In the club’s time; three days at most.")
        return db_field.formfield(form_class=WallTimeField, help_text=help_text)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Offer only competitions that are not over, of clubs that the caller directs."""
        field: ModelChoiceField[Any] | None = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if field is not None and db_field.name == "competition":
            field.queryset = running_competitions().filter(club__in=directed_ids(request))
        return field

    def save_model(self, request: HttpRequest, obj: Kiosk, form: Any, change: bool) -> None:
        """Make the kiosk."""
        made = services.make_kiosk(by=account_in(request), **form.cleaned_data)
        obj.pk, obj.salt = made.pk, made.salt

    def response_add(self, request: HttpRequest, obj: Kiosk, *args: Any, **kwargs: Any) -> HttpResponse:
        """Go to the kiosk's page, which has the link."""
        return redirect(f"admin:{self.url_name('change')}", obj.pk)

    def row_context(self, request: HttpRequest, row: Kiosk | None) -> dict[str, Any]:
        """Return the kiosk for its buttons while it works, and its link until a device has opened it."""
        working = row if row and row.is_open and self.directs(request, row) else None
        path = queries.link_to(working) if working and not working.opened_at else ""
        known = site_address(request)
        site = known or request.build_absolute_uri("/").rstrip("/")
        link = f"{site}{path}" if path else ""
        return {"kiosk": working, "path": path, "link": link, "this_machine_only": not known}

    def renew(self, request: HttpRequest, kiosk: Kiosk) -> None:
        """Give the kiosk a new link, for another device."""
        services.renew_kiosk(by=account_in(request), kiosk=kiosk)
        messages.success(request, _("The kiosk has a new link. The old device no longer works."))

    def revoke(self, request: HttpRequest, kiosk: Kiosk) -> None:
        """End the kiosk."""
        services.revoke_kiosk(by=account_in(request), kiosk=kiosk)
        messages.success(request, _("The kiosk is revoked."))


# ---- Calls ---------------------------------------------------------------------------------------


def calls_from_tables(clubs: Clubs) -> Iterator[Need]:
    """Yield the tables whose players called the organiser, until somebody says that they have seen it."""
    calls = [*queries.open_calls(clubs)[:MOST]]
    typed, rounds = totals.in_words(calls), rounds_of_tables(call.table for call in calls if call.totals)
    for call in calls:
        where, since = call.competition.name, call.made_at
        if told := typed.get(call.pk):
            sheet = f"{reverse('round_scores', args=[rounds[call.table]])}?totals=1"
            words = filled(
                _("%(table)s has entered its totals: %(totals)s."), {"table": call, "totals": told}
            )
            address = f"{reverse('take_totals', args=[call.pk])}?{urlencode({'totals': call.typed})}"
            linked = format_html('<a href="{}">{}</a>', sheet, words)
            yield Need(where, linked, _("Take the totals"), address, since, posted=True)
            continue
        text = _("%(table)s calls you (%(name)s).") if call.caller else _("%(table)s calls you.")
        sentence = text % {"table": call, "name": call.caller}
        yield Need(where, sentence, _("Seen"), reverse("see_call", args=[call.pk]), since, posted=True)


PROVIDERS.insert(0, calls_from_tables)
CLUB.append((gettext_lazy("Kiosks"), "hall_kiosk"))
JOINED.append("hall")
ENDS_CODES: Final = (
    gettext_lazy("End all printed codes"),
    gettext_lazy("After that no code printed so far works any more, and score sheets must be printed again."),
)
CompetitionAdmin.app_pages.update(
    hall=AppPage(hall_acts), codes=AppPage(codes_page, asks={"withdraw": ENDS_CODES})
)
hooks.GIVEN["hall/at_desk_competition.html"] = _panel
