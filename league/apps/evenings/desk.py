"""Evenings on the desk: one that is run again."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.refusals import Malformed
from league.admin.base import AppPage
from league.admin.competitions import CompetitionAdmin
from league.admin.fields import PathForm, RowsField, TextField
from league.apps.evenings import queries
from league.apps.evenings.services import run_again
from league.models import Competition, Entry
from league.models.names import nameable
from league.queries.competitions import details_of, state_of
from league.requests import account_in, made_once


class AgainForm(PathForm):
    """The next evening: its name, its day, and who of the last one is entered."""

    name = TextField(label=gettext_lazy("Name"), max_length=queries.LONGEST, validators=[nameable])
    day = forms.DateField(
        label=gettext_lazy("Day"), widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d")
    )
    at = forms.TimeField(
        label=gettext_lazy("Time of day"),
        required=False,
        widget=forms.TimeInput({"type": "time"}, format="%H:%M"),
    )
    entries = RowsField(Entry.objects.none(), label=gettext_lazy("From last time"), required=False)
    open_entries = forms.BooleanField(
        label=gettext_lazy("Open entries"),
        required=False,
        help_text=gettext_lazy("Players with an account can enter themselves from now on."),
    )

    def __init__(self, data: Any, *, like: Competition) -> None:
        day, state = queries.next_day(like), state_of(like)
        self.like, self.former = like, queries.former_entries(like)
        self.ticked = [each.entry.pk for each in self.former if each.played]
        initial = {
            "name": queries.next_name(like.name, queries.day_of(like), day),
            "day": day,
            "at": details_of(like).begins_at,
            "entries": self.ticked,
            "open_entries": "entering" in (state.status, state.before_start),
        }
        super().__init__(data, initial=initial)
        offered = Entry.objects.filter(pk__in=[each.entry.pk for each in self.former])
        self.fields["entries"].queryset = offered.order_by("number")  # type: ignore[attr-defined]
        if not self.former:
            del self.fields["entries"]

    def save(self, request: HttpRequest) -> Competition | None:
        """Set up the evening of a valid form; return None where it is refused: its fields say why."""
        values = dict(self.cleaned_data)
        chosen = {entry.pk for entry in values.pop("entries", ())}
        entries = [each for each in self.former if each.entry.pk in chosen]
        by = account_in(request)
        try:
            made = made_once(request, lambda: run_again(by=by, like=self.like, entries=entries, **values))
        except Malformed as refusal:
            self.show({path: [*sentences] for path, sentences in _renamed(refusal).items()})
            return None
        return Competition.objects.get(pk=made.id)


def _renamed(refusal: Malformed) -> dict[str, Any]:
    """Return the errors under the names of the form's fields."""
    names = {"begins_on": "day", "begins_at": "at"}
    return {names.get(path, path): sentences for path, sentences in refusal.errors.items()}


def again_page(admin: CompetitionAdmin, request: HttpRequest, competition: Competition) -> HttpResponse:
    """Ask for the day of the next evening and who plays; on POST set it up."""
    form = AgainForm(request.POST if request.method == "POST" else None, like=competition)
    if form.is_bound and form.is_valid() and (made := form.save(request)):
        messages.success(request, _("%(name)s is set up.") % {"name": made.name})
        return redirect("admin:league_competition_change", made.pk)
    context = {
        "competition": competition,
        "original": competition,
        "form": form,
        "others": queries.others_like(competition),
    }
    title = _("Run this evening again")
    return admin.render_page(request, "evenings/again.html", title, context)


CompetitionAdmin.app_pages.update(again=AppPage(again_page))
