"""Form fields with the desk's widgets, lengths of time, and forms whose fields are named by JSON paths."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Final

from django import forms
from django.db.models import QuerySet
from django.forms import BoundField
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import get_current_timezone
from django.utils.translation import gettext, override
from django.utils.translation import gettext_lazy as _

from league.core.course import unclear
from league.forms import NamedField
from league.models import Club
from league.models.names import LineInput, search_key
from league.words.messages import errors_in_words, translated
from league.words.times import LENGTHS, counted, duration_text
from league.words.values import path_in_words

_HOUR: Final = 60 * 60
_SHORT: Final = (("d",), ("h",), ("m", "min", "mins"), ("s", "sec", "secs"))
_DURATION: Final = re.compile(r"([0-9]{1,7}) ?([^\W\d_]+)[ ,]*")


GONE: Final[dict[str, Any]] = dict.fromkeys(
    ("invalid_choice", "invalid_pk_value"),
    _("Something that you chose can’t be chosen any more. Choose again."),
)
"""What a field says about a value that it doesn't offer; never the value, which may be an id or a key."""
SEARCHED: Final = 12
"""A list of more choices than this has a search field."""


class SearchedSelect(forms.Select):
    """A list that opens; a long one is narrowed by a search field above it.

    ``find`` is the text that narrowed it already, for browsers without scripts.
    """

    find = ""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        """Return the list, after its search field if it is long."""
        context = self.get_context(name, value, attrs)
        shown: SafeString = super().render(name, value, attrs, renderer)
        if not self.find and len(context["widget"]["optgroups"]) <= SEARCHED:
            return shown
        search = {"name": f"find-{name}", "value": self.find, "target": context["widget"]["attrs"]["id"]}
        return mark_safe(render_to_string("admin/search.html", search) + shown)  # both are templates' answers


def narrow(field: forms.Field | None, find: str) -> None:
    """Leave a field the choices that have every word of a text, ignoring accents and case."""
    words = search_key(find).split()
    if not words or not isinstance(field, forms.ChoiceField):
        return
    if isinstance(field, forms.ModelChoiceField):
        rows = field.queryset or ()
        found = [row.pk for row in rows if _has_all(str(field.label_from_instance(row)), words)]
        field.queryset = field.queryset.filter(pk__in=found) if field.queryset is not None else None
    else:
        choices: Any = field.choices
        field.choices = [(value, label) for value, label in choices if _has_all(str(label), words)]
    field.widget.find = find


def _has_all(label: str, words: Sequence[str]) -> bool:
    key = search_key(label)
    return all(word in key for word in words)


class TextField(LineInput):
    """A text in a line of the theme."""

    widget = forms.TextInput


class ChoiceField(forms.ChoiceField):
    """One of some values, in a list that opens."""

    default_error_messages: ClassVar = GONE
    widget = forms.Select


class RadioField(forms.ChoiceField):
    """One of some values, all of them shown."""

    default_error_messages: ClassVar = GONE
    widget = forms.RadioSelect


class ChecksField(forms.MultipleChoiceField):
    """Any of some values, to be ticked."""

    default_error_messages: ClassVar = GONE
    widget = forms.CheckboxSelectMultiple


class LinesField(forms.CharField):
    """A list of texts, one a line."""

    widget = forms.Textarea(attrs={"rows": 3})

    def prepare_value(self, value: Any) -> Any:
        """Return the lines of the text area."""
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        """Return the lines that are not blank, as an organiser typed them."""
        return [line.strip() for line in (super().to_python(value) or "").splitlines() if line.strip()]


class SearchedField(forms.ChoiceField):
    """One of many values, in a list that opens and can be searched."""

    default_error_messages: ClassVar = GONE
    widget = SearchedSelect


class Rows(NamedField):
    """Rows, each by its name.

    ``why_not`` returns why a row that is not offered can't be chosen, in words with its name; an empty text
    for a value that may be told to nobody.
    """

    why_not: Callable[[str], str] = staticmethod(lambda _value: "")

    def refused(self, value: Any, refusal: forms.ValidationError) -> forms.ValidationError:
        """Return the refusal of a value that is not offered, with why where that may be told."""
        why = self.why_not(str(value)) if refusal.code == "invalid_choice" else ""
        return forms.ValidationError(why, code=refusal.code) if why else refusal


class RowField(Rows):
    """One of some rows, in a list that opens and can be searched."""

    default_error_messages: ClassVar = GONE
    widget = SearchedSelect

    def to_python(self, value: Any) -> Any:
        """Return the row; say which one can't be chosen any more, and why."""
        try:
            return super().to_python(value)
        except forms.ValidationError as refusal:
            raise self.refused(value, refusal) from None


class RowsField(Rows, forms.ModelMultipleChoiceField):  # type: ignore[type-arg]
    """Any of some rows, to be ticked."""

    default_error_messages: ClassVar = GONE
    widget = forms.CheckboxSelectMultiple

    def _check_values(self, value: Any) -> Any:
        try:
            return super()._check_values(value)  # type: ignore[misc]  # Django's own hook
        except forms.ValidationError as refusal:
            raise self.refused((refusal.params or {}).get("value"), refusal) from None


class WallTimeField(forms.DateTimeField):
    """A date and time of the active zone's clocks, entered in the browser's own field."""

    widget = forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")

    def to_python(self, value: Any) -> datetime | None:
        """Return the instant; ask where clocks show the time twice or never."""
        try:
            return super().to_python(value)
        except forms.ValidationError as refusal:
            wall = (getattr(refusal, "params", None) or {}).get("datetime")
            if wall and (asked := unclear(wall, get_current_timezone())):
                raise forms.ValidationError(translated(asked)) from None
            raise


class SizedFileField(forms.FileField):
    """A file of at most ``most`` bytes: the page's script refuses a bigger one before it is sent."""

    def __init__(self, *, most: int, accept: str, **options: Any) -> None:
        self.most = most
        # The theme's own widget hides the name of the chosen file.
        widget = forms.FileInput(attrs={"accept": accept, "class": "tf-select", "data-most": most})
        super().__init__(widget=widget, **options)

    def get_bound_field(self, form: forms.BaseForm, field_name: str) -> BoundField:
        """Return the field with what the script says, in the reader's language."""
        self.widget.attrs["data-too-big"] = self._too_big()
        return super().get_bound_field(form, field_name)

    def to_python(self, data: Any) -> Any:
        """Return the file; refuse one that is too big."""
        if data and data.size > self.most:
            raise forms.ValidationError(self._too_big())
        return super().to_python(data)

    def _too_big(self) -> str:
        sentence = gettext("The file is larger than %(most)d MB. Choose a smaller one.")
        return sentence % {"most": self.most // 1_000_000}


class DurationField(TextField):
    """A length of time in words, such as "2 days" or "1 h 30 min", as seconds; None where left empty."""

    def __init__(self, *, whole_hours: bool = False, **kwargs: Any) -> None:
        self._whole_hours = whole_hours
        help_text = _("For example 3 days, 36 hours or 1 h 30 min.")
        usual = {"required": False, "help_text": help_text}
        super().__init__(**{**usual, **kwargs})

    def prepare_value(self, value: Any) -> Any:
        """Return seconds in words; typed text unchanged."""
        return duration_text(value) if isinstance(value, int) else value

    def clean(self, value: Any) -> int | None:
        """Return the seconds; raise ValidationError for anything else, also for a part of an hour."""
        text: str = super().clean(value)
        if not text:
            return None
        wrong = _("Write numbers with units, for example 2 days or 1 h 30 min.")
        if self._whole_hours:
            wrong = _("Write whole hours or days, for example 2 hours or 7 days.")
        lengths = _lengths_by_word()
        parts = [(int(number), lengths.get(unit.lower())) for number, unit in _DURATION.findall(text)]
        if _DURATION.sub("", text).strip() or any(length is None for _number, length in parts):
            raise forms.ValidationError(wrong)
        seconds = sum(number * (length or 0) for number, length in parts)
        if self._whole_hours and seconds % _HOUR:
            raise forms.ValidationError(wrong)
        return seconds


def _lengths_by_word() -> dict[str, int]:
    """Return the seconds of each unit by the words for it, in English and in the active language."""
    words = [counted(*[count] * 4) for count in (1, 2)]
    with override("en"):
        words += [counted(*[count] * 4) for count in (1, 2)]
    named = [tuple(text.split()[-1].lower() for text in each) for each in zip(*words, strict=True)]
    known = zip(LENGTHS, _SHORT, named, strict=True)
    return {word: length for length, short, full in known for word in (*short, *full)}


def offer_clubs(field: Any, clubs: "QuerySet[Club]") -> None:
    """Let a field choose among clubs; the club is chosen already where there is only one."""
    field.queryset = clubs
    if len(clubs) == 1:
        field.initial, field.empty_label = clubs[0], None


@dataclass(frozen=True)
class Group:
    """A group of fields with a title and an explanation; a folded group opens where a field has an error.

    ``part`` is a template shown above the fields. It is hidden with all its fields for a stage's format.
    """

    title: Any
    about: Any
    fields: list[BoundField]
    folded: bool = False
    part: str = ""

    @property
    def hidden_for(self) -> str:
        """Return the formats in which none of the fields has an effect, as the style sheet reads them."""
        each = [{*getattr(field.field, "hidden_for", ())} for field in self.fields]
        return " ".join(sorted(set.intersection(*each)))

    @property
    def has_errors(self) -> bool:
        """Return whether a field has an error."""
        return any(field.errors for field in self.fields)


class PathForm(forms.Form):
    """A form whose fields are named by the JSON paths that services use in their errors."""

    prefixes: tuple[str, ...] = ("",)
    """What the names of fields may have before the path of an error."""

    def add_prefix(self, field_name: str) -> str:
        """Return a field's name in the page: the form's prefix, a dot, and the field's name."""
        return f"{self.prefix}.{field_name}" if self.prefix else field_name

    def named(self, *names: str) -> list[BoundField]:
        """Return the fields with these names, as far as the form has them and they can be changed."""
        return [self[name] for name in names if name in self.fields and not self.fields[name].disabled]

    def under(self, *prefixes: str) -> list[BoundField]:
        """Return the fields whose names start with one of the prefixes, as far as they can be changed."""
        return self.named(*(name for name in self.fields if name.startswith(prefixes)))

    def typed(self) -> dict[str, Any]:
        """Return the raw values of a bound form's fields."""
        return {name: self[name].data for name in self.fields}

    def usable(self) -> dict[str, Any]:
        """Return the values of the valid fields; of the others those that were offered, cleaned."""
        return {**self.offered(), **(self.cleaned_data if self.is_bound else {})}

    def offered(self) -> dict[str, Any]:
        """Return the values of a form that nobody touches."""
        return {name: _offered(field) for name, field in self.fields.items()}

    def typed_otherwise(self) -> dict[str, Any]:
        """Return the raw values of the fields of a bound form that were not left as they were offered."""
        offered, typed = self.offered(), self.typed()
        return {name: typed[name] for name, value in self.usable().items() if value != offered[name]}

    def show_more(self, errors: Mapping[str, list[str]]) -> None:
        """Add a service's errors to those fields that have none of their own."""
        self.show({path: each for path, each in errors.items() if self._field_of(path) not in self.errors})

    def show(self, errors: Mapping[str, list[str]]) -> None:
        """Add a service's errors to the fields that their paths name."""
        for path, sentences in errors_in_words(errors).items():
            field = self._field_of(path)
            known = field or not path
            self.add_error(
                field, sentences if known else [f"{path_in_words(path)}: {each}" for each in sentences]
            )

    def _field_of(self, path: str) -> str | None:
        """Return the field that an error's path, or a beginning of the path, names."""
        parts = path.split(".")
        shorter = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
        names = (f"{prefix}{each}" for each in shorter for prefix in self.prefixes)
        return next((name for name in names if name in self.fields), None)


def _offered(field: forms.Field) -> Any:
    """Return the value that a field has at first, None where that can't be sent."""
    try:
        return field.clean(field.prepare_value(field.initial))
    except forms.ValidationError:
        return None


def errors_under(errors: Mapping[str, Sequence[str]], prefix: str) -> dict[str, list[str]]:
    """Return the errors whose paths start with the prefix, without it."""
    return {
        path.removeprefix(prefix): [*sentences]
        for path, sentences in errors.items()
        if path.startswith(prefix)
    }
