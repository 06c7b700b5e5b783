"""The fields about what a competition tells: date, place, description, contact, prizes."""

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from games.engine.refusals import Malformed
from league.admin.fields import TextField
from league.core.details import Prize, as_lines, from_lines
from league.models import Details
from league.models.names import printable, printable_lines
from league.queries.details import prizes_of
from league.words.messages import translated

DETAILS: Final = "details."


class _Day(forms.TextInput):
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


def details_fields(details: Details | None = None) -> dict[str, forms.Field]:
    """Return the fields by name, with the values of ``details`` where they are given; none is required."""
    fields: dict[str, forms.Field] = {
        "begins_on": forms.DateField(label=_("First day"), widget=_Day),
        "begins_at": forms.TimeField(
            label=_("Time of day"), widget=_TimeOfDay, help_text=_("In the club’s time zone.")
        ),
        "ends_on": forms.DateField(
            label=_("Last day"), widget=_Day, help_text=_("Only if it lasts more than one day.")
        ),
        "place": TextField(
            label=_("Place"),
            max_length=200,
            validators=[printable],
            help_text=_("For example the name of the hall and its address."),
        ),
        "description": forms.CharField(
            label=_("Description"),
            max_length=4000,
            validators=[printable_lines],
            widget=_Lines,
            help_text=_("Plain text. An empty line begins a new paragraph; addresses become links."),
        ),
        "contact": TextField(
            label=_("Contact"),
            max_length=200,
            validators=[printable],
            help_text=_(
                "Everybody can read this: a name, an email address or a telephone number, as you choose."
            ),
        ),
        "prizes": PrizesField(
            label=_("Prizes"),
            help_text=_(
                "One in a line: “1: a cup”, “2-3: a medal”, “Best newcomer: wine”. Once somebody has won a "
                "category, write who: “Best newcomer: wine = Anna”."
            ),
        ),
    }
    for name, field in fields.items():
        field.required = False
        if details is not None:
            field.initial = prizes_of(details) if name == "prizes" else getattr(details, name)
    return {f"{DETAILS}{name}": field for name, field in fields.items()}


def details_in_form(cleaned: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a valid form, as `league.services.competitions.change_details` takes them."""
    return {name.removeprefix(DETAILS): value for name, value in cleaned.items() if name.startswith(DETAILS)}
