"""A competition’s details on the desk: their fields, and the page that changes them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.messages import both, filled
from games.engine.refusals import Malformed
from league.admin.base import SEEN, ClubScopedAdmin, refuse_stale, stamp
from league.admin.fields import PathForm, SizedFileField, TextField
from league.core.details import MOST_MINUTES, MOST_ROUNDS, Prize, as_lines, from_lines
from league.files.pictures import MOST_BYTES
from league.models import ClubChange, Competition, Details
from league.models.names import printable, printable_lines
from league.queries.clubs import changes_since
from league.queries.competitions import details_of, prizes_of
from league.queries.prizes import OfCategory, unnoted_prizes, won_in_categories
from league.requests import account_in
from league.services.competitions import change_details, remove_picture, set_picture
from league.words.messages import translated

# ---- Fields --------------------------------------------------------------------------------------

DETAILS: Final = "details."


class DayInput(forms.TextInput):
    """A day, entered in the browser's own field."""

    input_type = "date"


class _TimeOfDay(forms.TextInput):
    input_type = "time"


class _Lines(forms.Textarea):
    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__({"rows": 5, **(attrs or {})})


class PrizesField(forms.CharField):
    """Prizes, one in a line."""

    widget = _Lines

    def prepare_value(self, value: Any) -> Any:
        """Return prizes as lines; typed text unchanged."""
        return as_lines(value) if isinstance(value, tuple) else value

    def to_python(self, value: Any) -> Any:
        """Return the prizes of the lines; raise ValidationError for a line that is none."""
        try:
            return from_lines(super().to_python(value) or "")
        except Malformed as refusal:
            sentences = [translated(each) for each in refusal.errors["prizes"]]
            raise forms.ValidationError(sentences) from None

    def validate(self, value: tuple[Prize, ...]) -> None:
        """Accept any prizes: `to_python` has read them."""

    def run_validators(self, value: tuple[Prize, ...]) -> None:
        """Accept any prizes: `to_python` has read them."""


class CountField(forms.IntegerField):
    """A number, 0 where nothing is typed."""

    def prepare_value(self, value: Any) -> Any:
        return value or None

    def clean(self, value: Any) -> int:
        return super().clean(value) or 0


_TIMING: Final = (
    (
        "round_minutes",
        gettext_lazy("Minutes of a round"),
        gettext_lazy(
            "For an evening: a timetable is made from it, and from how long its rounds really take."
        ),
    ),
    ("break_after", gettext_lazy("Break after round"), ""),
    ("break_minutes", gettext_lazy("Minutes of the break"), ""),
)


def _all_fields() -> dict[str, forms.Field]:
    return {
        "begins_on": forms.DateField(label=gettext_lazy("First day"), widget=DayInput),
        "begins_at": forms.TimeField(
            label=gettext_lazy("Time of day"),
            widget=_TimeOfDay,
            help_text=gettext_lazy("In the club’s time zone."),
        ),
        "ends_on": forms.DateField(
            label=gettext_lazy("Last day"),
            widget=DayInput,
            help_text=gettext_lazy("Only if it lasts more than one day."),
        ),
        "place": TextField(
            label=gettext_lazy("Place"),
            max_length=200,
            validators=[printable],
            help_text=gettext_lazy("For example the name of the hall and its address."),
        ),
        "description": forms.CharField(
            label=gettext_lazy("Description"),
            max_length=4000,
            validators=[printable_lines],
            widget=_Lines,
            help_text=gettext_lazy(
                "Plain text. An empty line begins a new paragraph; addresses become links."
            ),
        ),
        "contact": TextField(
            label=gettext_lazy("Contact"),
            max_length=200,
            validators=[printable],
            help_text=gettext_lazy(
                "Everybody can read this: a name, an email address or a telephone number, as you choose."
            ),
        ),
        "prizes": PrizesField(
            label=gettext_lazy("Prizes"),
            help_text=gettext_lazy(
                "One in a line: “1: a cup”, “2-3: a medal”, “Best newcomer: wine”. Once somebody has won a "
                "category, write who: “Best newcomer: wine = Anna”."
            ),
        ),
    }


def details_fields(details: Details | None = None) -> dict[str, forms.Field]:
    """Return the fields by name, with the values of ``details`` where they are given; none is required."""
    fields = _all_fields()
    limits = {"round_minutes": MOST_MINUTES, "break_after": MOST_ROUNDS, "break_minutes": MOST_MINUTES}
    for name, label, help_text in _TIMING:
        fields[name] = CountField(label=label, help_text=help_text, min_value=0, max_value=limits[name])
    for name, field in fields.items():
        field.required = False
        if details is not None:
            field.initial = prizes_of(details) if name == "prizes" else getattr(details, name)
    return {f"{DETAILS}{name}": field for name, field in fields.items()}


def details_in_form(cleaned: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a valid form, as `league.services.competitions.change_details` takes them."""
    return {name.removeprefix(DETAILS): value for name, value in cleaned.items() if name.startswith(DETAILS)}


# ---- The page ------------------------------------------------------------------------------------


class DetailsForm(PathForm):
    """What a competition tells; ``picture`` replaces the one that it has, ``no_picture`` removes it."""

    prefixes = ("", DETAILS)

    def __init__(self, *args: Any, details: Details, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.update(details_fields(details))
        self.fields["picture"] = SizedFileField(
            most=MOST_BYTES,
            accept="image/*",
            label=gettext_lazy("Picture"),
            required=False,
            help_text=_(
                "A JPEG, PNG, WebP or GIF of at most %(most)d MB. It is made smaller, and what the file says "
                "about where and when it was taken is removed."
            )
            % {"most": MOST_BYTES // 1_000_000},
        )
        self.fields["picture_text"] = TextField(
            label=gettext_lazy("What the picture shows"),
            required=False,
            max_length=200,
            validators=[printable],
            initial=details.picture_text,
            help_text=gettext_lazy("For those who can’t see it."),
        )
        if details.picture:
            self.fields["no_picture"] = forms.BooleanField(
                label=gettext_lazy("Remove the picture"), required=False
            )

        self.held = {name: field.initial for name, field in self.fields.items()} | {
            "picture": details.picture
        }

    def fill_in(self, competition: Competition) -> Sequence[str]:
        """Offer who won prizes of categories by the standings; return a sentence for each, which says why."""
        won = won_in_categories(competition)
        winners = {each.prize: ", ".join(each.names) for each in won}
        field = self.fields[f"{DETAILS}prizes"]
        field.initial = tuple(
            replace(each, winner=winners.get(each, each.winner)[:200]) for each in field.initial
        )
        return [_why(each) for each in won]

    def save(self, request: HttpRequest, competition: Competition) -> bool:
        """Write a valid form; return whether it was accepted, else its fields say why not."""
        by, values = account_in(request), self.cleaned_data
        try:
            if values.get("no_picture"):
                remove_picture(by=by, competition=competition)
            elif values["picture"]:
                set_picture(by=by, competition=competition, data=values["picture"].read())
            told = {**details_in_form(values), "picture_text": values["picture_text"]}
            change_details(by=by, competition=competition, values=told)
        except Malformed as refusal:
            self.show({path: [*sentences] for path, sentences in refusal.errors.items()})
        return self.is_valid()


def prizes_to_note(competition: Competition) -> list[str]:
    """Return a sentence for each prize of a category without a noted winner, once it is finished."""
    if competition.status != Competition.Status.FINISHED:
        return []
    won = {each.prize: _why(each) for each in won_in_categories(competition)}
    nobody = _("%(prize)s: nobody yet.")
    return [won.get(each) or filled(nobody, {"prize": each.category}) for each in unnoted_prizes(competition)]


def _why(won: OfCategory) -> str:
    """Return who won a prize of a category, and why."""
    told = {
        "prize": won.prize.category,
        "names": translated(both(won.names)),
        "place": won.place,
        "category": won.category,
        "count": won.among,
    }
    if won.among == 1:
        return filled(_("%(prize)s: %(names)s, the only one in “%(category)s”."), told)
    if len(won.names) > 1:
        sentence = _("%(prize)s: %(names)s share place %(place)s, the best of %(count)s in “%(category)s”.")
        return filled(sentence, told)
    return filled(
        _("%(prize)s: %(names)s, on place %(place)s the best of %(count)s in “%(category)s”."), told
    )


class Describing(ClubScopedAdmin[Competition]):
    """The page of a competition's details."""

    def get_urls(self) -> list[URLPattern]:
        """Return the admin's addresses and that of the details."""
        return [self.page_url("<uuid:pk>/details/", self.details_view, "details"), *super().get_urls()]

    def details_view(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Show the form of the details; on POST save them and go back to the competition."""
        competition = self.directed_row(request, pk)
        details = details_of(competition)
        sent = request.method == "POST"
        form = DetailsForm(request.POST if sent else None, request.FILES if sent else None, details=details)
        won = () if sent else form.fill_in(competition)
        if sent:
            refuse_stale(form, request.POST.get(SEEN, ""), form.held, partial(_changes_of, competition))
        if sent and form.is_valid() and form.save(request, competition):
            messages.success(request, _("Saved."))
            return redirect("admin:league_competition_change", competition.pk)
        context = {
            "competition": competition,
            "original": competition,
            "form": form,
            "details": details,
            "seen": stamp(form.held),
            "won": won,
        }
        return self.render_page(
            request, "admin/competition_details.html", _("Date, place, description, prizes"), context
        )


def _changes_of(competition: Competition, since: datetime) -> Sequence[ClubChange]:
    """Return what was done to the details from a time on."""
    kinds = (ClubChange.Kind.COMPETITION_DESCRIBED,)
    return changes_since(competition.club_id, kinds, competition.name, since)
