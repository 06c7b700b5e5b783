"""Series on the desk: their list, their set-up, and the page of each with all that is done with it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final
from uuid import UUID

from django.contrib import admin, messages
from django.contrib.postgres.expressions import ArraySubquery
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.engine.messages import filled
from games.engine.refusals import Illegal, Refusal, Stale
from league import hooks
from league.admin.base import ClubScopedAdmin, directed_clubs, display
from league.admin.competitions import ANNOTATED
from league.admin.site import CLUB, desk
from league.apps.series import queries, services, trying
from league.apps.series.acts import (
    ActForm,
    Close,
    CountLike,
    CountPeople,
    Rename,
    Reopen,
    TakeBackCount,
    TakeBackPrize,
    WinPrize,
    in_days,
    in_words,
)
from league.apps.series.bringing import decide
from league.apps.series.core import events as e
from league.apps.series.core import telling
from league.apps.series.core.rule import Rule
from league.apps.series.core.state import Evening
from league.apps.series.core.state import Series as State
from league.apps.series.evening_acts import (
    AddEvenings,
    BringEvening,
    ChangeEvening,
    CorrectEvening,
    Declare,
    RemoveEvening,
    TypeIn,
    handed_in,
)
from league.apps.series.final_form import FinalForm
from league.apps.series.finals import models_for
from league.apps.series.following import choose_following, known_until
from league.apps.series.measures import COMPARABLE, NOTHING, Points, comparable, points_of
from league.apps.series.models import Series
from league.apps.series.queries import Counted
from league.apps.series.readers import Line, Shown
from league.apps.series.rule_form import NewSeriesForm, RuleChangeForm, RuleForm
from league.apps.series.winners import LeaveOut, left_out_of
from league.queries.accounts import account_names
from league.requests import account_in, made_once, sent_seq
from league.words.messages import shown_name, translated

ACTS: Final[Mapping[str, type[ActForm]]] = {
    "add": AddEvenings,
    "type-in": TypeIn,
    "bring": BringEvening,
    "change": ChangeEvening,
    "correct": CorrectEvening,
    "remove": RemoveEvening,
    "declare": Declare,
    "count": CountPeople,
    "count-like": CountLike,
    "uncount": TakeBackCount,
    "prize": WinPrize,
    "take-back-prize": TakeBackPrize,
    "leave-out": LeaveOut,
    "rename": Rename,
    "close": Close,
    "reopen": Reopen,
}
"""What organisers do with a series but for its rule, by the end of its address."""
ENTRIES_SHOWN: Final = 15
"""The most entries of its log on a series' page."""
FASTER: Final = gettext_lazy("Somebody else was faster. Check what happened, then send the form again.")

# ---- Tables --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Moved:
    """A row of a table, with the rank and total that the same person has in another one."""

    line: Line
    was_rank: str = "–"
    was_total: str = "–"

    @property
    def moves(self) -> bool:
        """Return whether another rank or total was there before."""
        return (self.line.rank, self.line.total) != (self.was_rank, self.was_total)


def compared(counted: Counted, before: Counted | None = None) -> list[Moved]:
    """Return the rows of a table, each with what it was in another one."""
    was = Shown(before).places() if before else {}
    return [Moved(line, *was.get(line.row.person, ())) for line in Shown(counted).lines()]


@dataclass(frozen=True)
class Tried:
    """What a form's rule gives: the rule in words, and its table, or why it can't be counted."""

    rule: Sequence[str]
    lines: Sequence[Moved]
    refused: str = ""
    compared: bool = False
    points: Points = NOTHING
    undeclared: bool = False

    @property
    def moved(self) -> int:
        """Return how many rows are others than before."""
        return sum(line.moves for line in self.lines)


def tried(
    form: RuleForm,
    count: Callable[[], Counted],
    measured: Iterable[tuple[str, str]],
    before: Counted | None = None,
) -> Tried:
    """Return what the rule of a form gives by a way to count it, compared with a table before.

    ``measured``: what the points of the evenings are, with their games.
    """
    if form.is_bound and not form.rule_is_valid:
        return Tried((), (), _("Correct the fields of the rule first."))
    told, points = [translated(each) for each in telling.told(form.rule)], points_of(form.rule, measured)
    try:
        counted = count()
    except Illegal as refusal:
        return Tried(told, (), translated(refusal.sentence), points=points)
    lines, is_compared = compared(counted, before), before is not None
    return Tried(told, lines, compared=is_compared, points=points, undeclared=counted.undeclared)


def _filled(form: RuleForm, request: HttpRequest) -> RuleForm | None:
    """Return a form with the rule that a button or a link asks to fill in, None without one."""
    value = request.POST.get("_value", "" if form.is_bound else request.GET.get("value", ""))
    if value in COMPARABLE:
        return form.with_rule(comparable(form.rule_as_sent(), value))
    return form.started() if form.is_bound and "_start" in request.POST else None


# ---- The list and the pages ----------------------------------------------------------------------


@admin.register(Series, site=desk)
class SeriesAdmin(ClubScopedAdmin[Series]):
    """The clubs' series."""

    may_add = True
    add_title = gettext_lazy("Set up a series")
    buttons = ("gather", "unfollow", "decide")
    list_display = ("name", "state", "club", "changed_at")
    list_filter = ("closed", ("club", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("club",)
    search_fields = ("name", "slug")
    ordering = ("closed", "-opened_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Series]:
        """Return the series with their clubs."""
        return super().get_queryset(request).select_related("club")

    @display(description=gettext_lazy("status"), ordering="closed", label={"open": "good", "closed": ""})
    def state(self, series: Series) -> tuple[str, Any]:
        return ("closed", _("closed")) if series.closed else ("open", _("open"))

    def get_urls(self) -> list[URLPattern]:
        """Return the admin's addresses, that of the rule, and those of all acts."""
        return [
            self.page_url("<uuid:pk>/rule/", self.rule_view, "rule"),
            self.page_url("<uuid:pk>/final/", self.final_view, "final"),
            self.page_url("<uuid:pk>/do/<slug:act>/", self.act, "act"),
            *super().get_urls(),
        ]

    # ---- Set up -----------------------------------------------------------------------------------

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Ask what counts for the year, with the table that the answer gives of the last 12 months."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        clubs = directed_clubs(request)
        chosen = [each for each in clubs if each.slug == request.GET.get("club") or len(clubs) == 1]
        if not chosen:
            return self.render_page(request, "series/clubs.html", self.add_title, {"clubs": clubs})
        club = chosen[0]
        played = trying.lately(club)
        trial = trying.trial(club, played)
        form: RuleForm = NewSeriesForm(
            request.POST or None, club=club, rule=Rule(), low_wins=trial.low_wins, played=bool(played)
        )
        if other := _filled(form, request):
            form = other
        elif form.is_bound and "_try" in request.POST:
            form.only_try()
        elif form.is_bound and form.is_valid() and (made := _opened(request, form, played)):
            messages.success(request, _("%(name)s is set up.") % {"name": made.name})
            return redirect("admin:series_series_change", made.pk)
        last = max([club.today, *(date.fromisoformat(each.on) for each in played)])
        result = tried(form, lambda: trial.by(form.applied(trial.state, last)), trial.measured)
        context = {"form": form, "club": club, "tried": result, "evenings": len(played)}
        return self.render_page(request, "series/setup.html", self.add_title, context)

    def rule_view(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Show the rule, and what another one would change; on POST change it."""
        series = self.directed_row(request, pk)
        state = queries.state_of(series)
        if state.closed:
            return self._closed(request, series)
        form: RuleForm = RuleChangeForm(
            request.POST or None,
            club=series.club,
            rule=state.rule,
            ranked=series.follows or state.ranked,
            low_wins=queries.low_wins(series),
        )
        if other := _filled(form, request):
            form = other
        elif form.is_bound and "_try" in request.POST:
            form.only_try()
        elif form.is_bound and form.is_valid():
            ranked, people = form.people(state, state.begins_on, known_until(series))
            reason = form.cleaned_data["reason"]
            changed = e.RuleChanged(reason=reason, rule=form.rule, ranked=ranked)
            if self._written(request, series, form, [changed, *people]):
                choose_following(by=account_in(request), series=series, follows=form.follows)
                return redirect("admin:series_series_change", series.pk)
        measured = queries.measured(queries.evenings_of(series))
        context = {
            "form": form,
            "series": series,
            "original": series,
            "tried": tried(
                form,
                lambda: queries.table_of(series, tried=form.applied(state, known_until(series))),
                measured,
                _table(series)[0],
            ),
            "evenings": len(state.evenings),
            "meanwhile": self._meanwhile(request, series),
        }
        return self.render_page(request, "series/setup.html", _("Change the rule"), context)

    # ---- One series -------------------------------------------------------------------------------

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the series: its rule, evenings, table and people, and what can be done."""
        series = self.get_row(request, object_id)
        state, directs = queries.state_of(series), self.directs(request, series)
        counted, refused = _table(series)
        evenings = queries.evenings_of(series)
        context = {
            "series": series,
            "original": series,
            "state": state,
            "refused": refused,
            "directs": directs,
            "rule": [translated(each) for each in telling.told(state.rule)],
            "evenings": evenings,
            "points": points_of(state.rule, queries.measured(evenings)),
            "lines": compared(counted) if counted else (),
            "undeclared": counted and counted.undeclared,
            "acts": _offered(state, series) if directs else (),
            "has_models": any(each.competition for each in state.evenings),
            "follows": queries.followed(series),
            "declares": directs and Declare.is_offered(state),
            "spans": _spans(state),
            "prizes": _prizes(state),
            "left_out": [*left_out_of(series, state)],
            "handed_in": handed_in(series) if directs else (),
            "entries": _entries(series),
        }
        return self.render_page(request, "series/series.html", series.name, context)

    def act(self, request: HttpRequest, pk: UUID, act: str) -> HttpResponse:
        """Show the form of an act; on POST carry it out, and go back to the series."""
        series = self.directed_row(request, pk)
        state, kind = queries.state_of(series), ACTS.get(act)
        if kind is None:
            raise Http404
        evening = next((each for each in state.evenings if str(each.id) == request.GET.get("evening")), None)
        if not kind.is_offered(state) or (kind.of_evening and evening is None):
            return self._closed(request, series)
        form = kind(request.POST or None, request.FILES or None, series=series, state=state, evening=evening)
        form.tick(request.GET)
        if form.is_bound and form.is_valid() and self._done(request, series, form):
            return redirect("admin:series_series_change", series.pk)
        context = {
            "form": form,
            "series": series,
            "original": series,
            "evening": evening,
            "evening_name": queries.name_of(series, evening) if evening else "",
            "meanwhile": self._meanwhile(request, series),
        }
        return self.render_page(request, "series/act.html", form.title, context)

    def final_view(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Ask for a final in which the first of the table are entered; on POST set it up."""
        series = self.directed_row(request, pk)
        models, counted = models_for(series), _table(series)[0]
        if not models or counted is None:
            return self._closed(request, series)
        form = FinalForm(request.POST or None, series=series, models=models)
        if form.is_bound and form.is_valid() and (made := form.save(request)):
            messages.success(request, _("%(name)s is set up.") % {"name": made.name})
            return redirect("admin:league_competition_change", made.pk)
        context = {"form": form, "series": series, "original": series}
        return self.render_page(request, "series/final.html", _("Set up a final"), context)

    def gather(self, request: HttpRequest, series: Series) -> None:
        """Let what is run again like one of its evenings join the series by itself, or no more."""
        services.choose_gathering(by=account_in(request), series=series, gathers="on" in request.POST)
        messages.success(request, _("Saved."))

    def unfollow(self, request: HttpRequest, series: Series) -> None:
        """Let nobody count by themselves any more: an organiser says who does."""
        choose_following(by=account_in(request), series=series, follows="")
        messages.success(request, _("Saved."))

    def decide(self, request: HttpRequest, series: Series) -> None:
        """Let what a player handed in count, or not."""
        accepted = "accept" in request.POST
        sent = request.POST.get("accept" if accepted else "refuse", "")
        decide(by=account_in(request), series=series, handed=sent, accepted=accepted)
        messages.success(request, _("Saved."))

    def _done(self, request: HttpRequest, series: Series, form: ActForm) -> bool:
        try:
            events = form.events()
        except Refusal as refusal:
            form.refuse(refusal)
            return False
        written = self._written(request, series, form, events, form.new)
        if written and isinstance(form, CountLike):
            choose_following(by=account_in(request), series=series, follows=form.follows)
        return written

    def _written(
        self, request: HttpRequest, series: Series, form: Any, events: Sequence[e.Event], new: Any = ()
    ) -> bool:
        """Write events at the number that the page was made at; return whether that worked."""
        by, seq = account_in(request), sent_seq(request)
        try:
            written = services.perform(by=by, series=series, event=events, seq=seq, new=new)
        except Stale:
            form.add_error(None, FASTER)
        except Refusal as refusal:
            form.refuse(refusal)
        else:
            messages.success(request, _("Saved.") if written.events else _("Nothing has changed."))
        series.refresh_from_db()
        return bool(form.is_valid())

    def _closed(self, request: HttpRequest, series: Series) -> HttpResponse:
        """Lead back to a series with which this can't be done any more."""
        messages.warning(request, _("This can’t be done with the series now. Check what happened."))
        return redirect("admin:series_series_change", series.pk)

    def _meanwhile(self, request: HttpRequest, series: Series) -> Sequence[str]:
        """Return what was done since the page that was sent was made, the latest first."""
        sent = sent_seq(request)
        since = series.seq + 1 if sent is None else sent
        told = _("%(ago)s ago, %(who)s: %(what)s")
        later = [each for each in _entries(series) if each.seq >= since]
        return [
            filled(told, {"ago": timesince(each.at), "who": each.who, "what": each.what}) for each in later
        ]


def _opened(request: HttpRequest, form: RuleForm, played: Sequence[Evening]) -> Series | None:
    """Open the series of a valid form; return None where that is refused: its fields say why."""
    values, by = form.cleaned_data, account_in(request)
    evenings = [*trying.as_events(played if values.get("played") else (), form.rule)]
    begins_on = min((date.fromisoformat(each.on) for each in evenings), default=None)
    ranked, people = form.people(begins_on=begins_on)
    given: Any = {"name": values["name"], "rule": form.rule, "ranked": ranked, "first": [*people, *evenings]}
    given["follows"] = form.follows
    try:
        made = made_once(request, lambda: services.open_series(by=by, club=form.club, **given))
    except Refusal as refusal:
        form.refuse(refusal)
        return None
    return Series.objects.get(pk=made.id)


# ---- What the page of a series shows -------------------------------------------------------------


def _table(series: Series) -> tuple[Counted | None, str]:
    """Return the table, or None and why the rule can't count what is there now."""
    try:
        return queries.table_of(series), ""
    except Illegal as refusal:
        return None, translated(refusal.sentence)


def _offered(state: State, series: Series) -> Sequence[tuple[str, Any]]:
    """Return the ends of the addresses of acts, with their titles, but for those of one evening."""
    by_hand = () if series.follows else (CountPeople, TakeBackCount)
    kinds = (
        (key, kind)
        for key, kind in ACTS.items()
        if not kind.of_evening and (kind in by_hand or kind not in (CountPeople, TakeBackCount))
    )
    return [(key, kind.title) for key, kind in kinds if kind.is_offered(state)]


def _spans(state: State) -> Sequence[tuple[str, str]]:
    if state.ranked == "everybody":
        return ()
    names = queries.names_of(player for player, _span in state.counted)
    told = ((shown_name(names.get(player, "?")), in_days(span)) for player, span in state.counted)
    return sorted(told)


def _prizes(state: State) -> Sequence[str]:
    names = queries.names_of(each.person for each in state.prizes)
    return [in_words(each, names) for each in state.prizes]


@dataclass(frozen=True)
class Entry:
    """An entry of a series' log: what was done, by whom and when."""

    seq: int
    what: str
    reason: str
    who: str
    at: datetime


def _entries(series: Series) -> Sequence[Entry]:
    """Return the last entries of the log, the latest first."""
    found = [*queries.history_of(series)][: -ENTRIES_SHOWN - 1 : -1]
    names = account_names(entry.account for entry, _event in found if entry.account)
    return [
        Entry(
            entry.seq,
            translated(event.title),
            getattr(event, "reason", ""),
            names.get(entry.account or "", "") or _("the system"),
            entry.at,
        )
        for entry, event in found
    ]


# ---- On other pages of the desk ------------------------------------------------------------------


def _of_competition(page: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the series that a competition counts for, and those that it can be added to."""
    rows = getattr(page["competition"], "beside_series", ())
    return {
        "counts_for": [each for each in rows if each["counts"]],
        "could_count": [each for each in rows if not (each["counts"] or each["closed"])],
    }


ANNOTATED["beside_series"] = ArraySubquery(queries.beside_competitions())
hooks.GIVEN["series/at_desk_about.html"] = _of_competition
hooks.GIVEN["series/at_desk_next.html"] = _of_competition


CLUB.insert(0, (pgettext_lazy("several", "Series"), "series_series"))
