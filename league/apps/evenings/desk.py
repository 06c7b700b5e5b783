"""Evenings on the desk: run again, set up by a rhythm or by a club's own preset, and cancelled."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.dates import WEEKDAYS
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import database_time
from games.engine.messages import filled
from games.engine.refusals import Malformed
from league import hooks
from league.admin.asking import Asked, asked_first
from league.admin.base import PAGES, AppPage, ClubScopedAdmin, Page, directed_ids
from league.admin.competitions import JOINED, CompetitionAdmin
from league.admin.fields import ChoiceField, PathForm, TextField
from league.admin.needs import MOST, PROVIDERS, Clubs, Need
from league.admin.verbs import FORMS, VerbForm
from league.apps.evenings import lines, queries
from league.apps.evenings.again import again_page, last_evenings
from league.apps.evenings.models import KeptPreset, Rhythm
from league.apps.evenings.services import (
    begin_rhythm,
    keep_preset,
    remove_preset,
    rename_preset,
    skip_day,
    stop_rhythm,
    tell_apart,
)
from league.forms import NumberField, add_errors
from league.models import Account, Competition
from league.models.names import nameable, printable
from league.queries.competitions import details_of
from league.requests import account_in
from league.words.emails import kept_here

# ---- Rhythms -------------------------------------------------------------------------------------

HOW: Final = [
    ("0 1", gettext_lazy("every week")),
    ("0 2", gettext_lazy("every second week")),
    ("0 3", gettext_lazy("every third week")),
    ("0 4", gettext_lazy("every fourth week")),
    ("1 1", gettext_lazy("the first one of each month")),
    ("2 1", gettext_lazy("the second one of each month")),
    ("3 1", gettext_lazy("the third one of each month")),
    ("4 1", gettext_lazy("the fourth one of each month")),
    ("-1 1", gettext_lazy("the last one of each month")),
]
"""Which days of the week: the one of the month (0: each), and how many weeks lie between."""


class RhythmForm(forms.Form):
    """On which days evenings are set up, and how long before."""

    weekday = ChoiceField(label=gettext_lazy("Day of the week"), choices=list(WEEKDAYS.items()))
    how = ChoiceField(label=gettext_lazy("How often"), choices=HOW)
    first = forms.DateField(
        label=gettext_lazy("From"), widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d")
    )
    at = forms.TimeField(
        label=gettext_lazy("Time of day"),
        required=False,
        widget=forms.TimeInput({"type": "time"}, format="%H:%M"),
    )
    days_before = NumberField(
        label=gettext_lazy("Set up so many days before"), min_value=0, max_value=60, initial=6
    )
    day = forms.DateField(
        label=gettext_lazy("Leave out this day"),
        required=False,
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        help_text=gettext_lazy("More of them can be left out afterwards, on this page."),
    )
    why = TextField(
        label=gettext_lazy("Reason, for everybody to read"),
        required=False,
        max_length=200,
        validators=[printable],
    )
    like = ChoiceField(
        label=gettext_lazy("With the settings of"),
        required=False,
        help_text=gettext_lazy(
            "The game, its options, stages, place, description and prizes are taken over."
        ),
    )

    def __init__(
        self, data: Any, *, like: Competition, rhythm: Rhythm | None, line: Sequence[Competition]
    ) -> None:
        if rhythm:
            same = {name: getattr(rhythm, name) for name in ("weekday", "first", "at", "days_before")}
            stays = str(rhythm.like_id) if rhythm.stays else ""
            initial = {**same, "how": f"{rhythm.nth} {rhythm.weeks}", "like": stays}
        else:
            day, at = lines.day_after(line[-1]), details_of(like).begins_at
            initial = {
                "weekday": day.weekday(),
                "how": f"0 {lines.weeks_between(line)}",
                "first": day,
                "at": at,
            }
        super().__init__(data, initial=initial)
        if rhythm and not rhythm.stopped:
            del self.fields["day"], self.fields["why"]
        kept = {like.pk, rhythm.like_id if rhythm else like.pk}
        self.line = {str(each.pk): each for each in line if each.pk in kept or each in line[-MOST_OFFERED:]}
        self.fields["like"].choices = [  # type: ignore[attr-defined]
            ("", _("the evening before it, each time")),
            *(
                (pk, _("always %(name)s") % {"name": _dated(each)})
                for pk, each in reversed(self.line.items())
            ),
        ]

    def rule(self) -> dict[str, Any]:
        """Return the rule of a valid form as the service takes it."""
        values = {name: value for name, value in self.cleaned_data.items() if name not in ("day", "why")}
        nth, weeks = map(int, values.pop("how").split())
        always = self.line.get(values.pop("like"))
        return {**values, "weekday": int(values["weekday"]), "nth": nth, "weeks": weeks, "always": always}


MOST_OFFERED: Final = 20
"""How many of the last evenings a rhythm can be told to repeat."""


def _dated(competition: Competition) -> str:
    return f"{competition.name} ({date_format(lines.day_of(competition), 'SHORT_DATE_FORMAT')})"


class SkipForm(forms.Form):
    """A day on which there is no evening."""

    day = forms.DateField(widget=forms.HiddenInput)
    why = TextField(
        label=gettext_lazy("Reason, for everybody to read"),
        required=False,
        max_length=200,
        validators=[printable],
    )


def rhythm_page(admin: CompetitionAdmin, request: HttpRequest, competition: Competition) -> HttpResponse:
    """Show the rhythm that a competition belongs to, with its next days; on POST change it."""
    line = lines.line_of(competition)
    rhythm, do = lines.rhythm_of(competition, line), request.POST.get("do", "")
    posted = request.POST if do == "begin" else None
    form = RhythmForm(posted, like=competition, rhythm=rhythm, line=line)
    skip = SkipForm(request.POST if do in ("skip", "unskip") else None)
    if said := _changed(account_in(request), competition, rhythm, do, form=form, skip=skip):
        messages.success(request, said)
        return redirect("admin:league_competition_rhythm", competition.pk)
    shown = {**_next_days(rhythm, line), "form": form, "skip": skip, "rhythm": rhythm}
    context = {"competition": competition, "original": competition, **shown}
    return admin.render_page(request, "evenings/rhythm.html", _("Repeat by itself"), context)


def _changed(
    by: Account, competition: Competition, rhythm: Rhythm | None, do: str, *, form: RhythmForm, skip: SkipForm
) -> str:
    """Change a rhythm as its page was sent; return what to say, empty where nothing changed."""
    try:
        if do == "begin" and form.is_valid():
            with transaction.atomic():
                begun = begin_rhythm(by=by, like=competition, **form.rule())
                if day := form.cleaned_data.get("day"):
                    skip_day(by=by, rhythm=begun, day=day, why=form.cleaned_data["why"])
            return _("From now on evenings are set up by themselves, each some days before.")
        if rhythm and do == "stop":
            stop_rhythm(by=by, rhythm=rhythm)
            return _("No further evening will be set up by itself.")
        if rhythm and skip.is_bound and skip.is_valid():
            skip_day(by=by, rhythm=rhythm, skip=do == "skip", **skip.cleaned_data)
            return _("Saved.")
    except Malformed as refusal:
        refused: forms.Form = form if do == "begin" else skip
        add_errors(refused, {path: [*each] for path, each in refusal.errors.items()})
    return ""


def _next_days(rhythm: Rhythm | None, line: Sequence[Competition]) -> dict[str, Any]:
    """Return the next days of a rhythm that goes on, and the next one's name and like which evening."""
    if rhythm is None or rhythm.stopped:
        return {}
    like = lines.repeated(rhythm, line)
    name = rhythm.next_on and lines.next_name(like, rhythm.next_on)
    return {
        "days": lines.next_days(rhythm, line),
        "like": like,
        "like_day": lines.day_of(like),
        "name": name,
        "at_once": rhythm.due is not None and rhythm.due <= database_time.now(),
    }


def rhythms_in_trouble(clubs: Clubs) -> Iterator[Need]:
    """Yield the rhythms whose next evening could not be set up."""
    for rhythm in Rhythm.objects.filter(club__in=clubs).exclude(trouble="").select_related("like")[:MOST]:
        address = reverse("admin:league_competition_rhythm", args=[rhythm.like_id])
        sentence = _("The next evening was not set up: %(why)s") % {"why": rhythm.trouble}
        yield Need(rhythm.like.name, sentence, _("Repeat by itself"), address, rhythm.made_at)


# ---- Presets of a club ---------------------------------------------------------------------------


class PresetForm(PathForm):
    """The name of a preset."""

    name = TextField(label=gettext_lazy("Name of the preset"), max_length=100, validators=[nameable])


def keep_page(admin: CompetitionAdmin, request: HttpRequest, competition: Competition) -> HttpResponse:
    """Ask for the name of a preset with the settings of a competition; on POST keep it."""
    form = PresetForm(request.POST if request.method == "POST" else None, initial={"name": competition.name})
    if form.is_bound and form.is_valid():
        try:
            keep_preset(by=account_in(request), competition=competition, **form.cleaned_data)
        except Malformed as refusal:
            form.show({path: [*sentences] for path, sentences in refusal.errors.items()})
        else:
            messages.success(request, _("It is offered from now on where a competition is set up."))
            return redirect("admin:league_competition_presets")
    context = {"competition": competition, "original": competition, "form": form}
    return admin.render_page(request, "evenings/keep.html", _("Keep as a preset"), context)


def _removes(preset: KeptPreset) -> Asked:
    told = _("“%(name)s” is offered no more, for good. What was set up with it stays.")
    return _("Remove the preset"), filled(told, {"name": preset.name})


def presets_page(admin: ClubScopedAdmin[Competition], request: HttpRequest) -> HttpResponse:
    """Show the presets of the caller's clubs; on POST rename or remove one."""
    kept = KeptPreset.objects.filter(club__in=directed_ids(request)).select_related("club")
    wrong: PresetForm | None = None
    if request.method == "POST":
        chosen, by = get_object_or_404(kept, pk=_id(request.POST.get("preset", ""))), account_in(request)
        form = PresetForm(request.POST)
        try:
            if "remove" in request.POST:
                if page := asked_first(admin.render_page, request, _removes(chosen), chosen):
                    return page
                remove_preset(by=by, preset=chosen)
            elif form.is_valid():
                rename_preset(by=by, preset=chosen, **form.cleaned_data)
        except Malformed as refusal:
            form.show({path: [*sentences] for path, sentences in refusal.errors.items()})
        if "remove" in request.POST or not form.errors:
            messages.success(request, _("Saved."))
            return redirect("admin:league_competition_presets")
        wrong, wrong.chosen = form, chosen  # type: ignore[attr-defined]
    context = {"kept": kept, "wrong": wrong}
    return admin.render_page(request, "evenings/presets.html", _("Presets of the club"), context)


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise Http404 from None


def _offered(page: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the presets that the caller can set up a competition by."""
    return {"kept": queries.kept_presets(directed_ids(page["request"]))}


# ---- Cancelling ----------------------------------------------------------------------------------


class CancelForm(VerbForm):
    """Why a competition is cancelled: for everybody, or only for those who are told by email."""

    def offer(self) -> None:
        """Create the fields of both reasons."""
        super().offer()
        self.fields["told"] = TextField(
            label=gettext_lazy("Only for those who have entered"),
            required=False,
            max_length=500,
            validators=[printable],
            help_text=gettext_lazy("It is in the email to them and on no page."),
        )

    def carry_out(self, *, by: Account, seq: int | None = None) -> None:
        with transaction.atomic():
            tell_apart(by=by, competition=self.competition, told=self.cleaned_data["told"])
            super().carry_out(by=by, seq=seq)


def told_page(admin: CompetitionAdmin, request: HttpRequest, competition: Competition) -> HttpResponse:
    """Show who has been told that a competition is cancelled, and whom to ring."""
    found = queries.reached(competition)
    context = {
        "competition": competition,
        "original": competition,
        "ring": [each for each in found if not each.is_told and not each.waits],
        "waiting": [each for each in found if each.waits],
        "told": [each for each in found if each.is_told],
        "files": kept_here(),
    }
    answer = admin.render_page(request, "evenings/told.html", _("Who has been told"), context)
    answer["Cache-Control"] = "no-store"
    return answer


STOPS: Final = (
    gettext_lazy("Stop"),
    gettext_lazy("No evening is set up by itself any more. Those that are set up stay."),
)
FORMS["cancel"] = CancelForm
PROVIDERS.append(rhythms_in_trouble)
JOINED.append("evening__rhythm")
hooks.GIVEN["evenings/at_desk_presets.html"] = _offered
hooks.GIVEN["evenings/at_desk_first_page.html"] = last_evenings
CompetitionAdmin.app_pages.update(
    again=AppPage(again_page),
    rhythm=AppPage(rhythm_page, asks={"do=stop": STOPS}),
    keep=AppPage(keep_page),
    told=AppPage(told_page),
)
PAGES.append(Page("presets/", presets_page, "presets", Competition))
