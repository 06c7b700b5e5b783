"""Form fields made from the shapes that rulesets, formats, events and verbs declare."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias
from uuid import UUID

from django import forms
from django.utils.translation import gettext as _

from games.engine.kinds import AnyOf, Field, Kind, ListOf, OneOf, Record, Rows, Shape, Text, Whole
from games.engine.textinput import as_line, number
from league.core.state.competition import Result
from league.core.verbs.checking import ScoreOf
from league.models import Player, TableSeat
from league.queries.competitions import last_entries_of_namesakes
from league.words.messages import errors_in_words, name_at_table, told_apart, translated
from league.words.values import words

Maker: TypeAlias = Callable[[Any, dict[str, Any]], forms.Field]
"""Makes a form field from a shape and the arguments that all form fields have."""


def fields_of(record: Record, prefix: str, initial: Mapping[str, Any]) -> dict[str, forms.Field]:
    """Return a form field for each field of the record, keyed by the prefix and the field's name.

    ``initial`` holds values that replace the record's defaults.
    """
    return {f"{prefix}{field.name}": _field(field, initial) for field in record.fields}


def add_errors(form: forms.Form, errors: Mapping[str, Sequence[str]]) -> None:
    """Add a service's errors to the fields that their paths begin with, others to the form as a whole."""
    for path, sentences in errors_in_words(errors).items():
        name = path.partition(".")[0]
        form.add_error(name if name in form.fields else None, sentences)


def _field(field: Field, initial: Mapping[str, Any]) -> forms.Field:
    shape, about = field.shape.bare, translated(field.help)
    help_text = about[:1].upper() + about[1:]
    options = {"label": translated(field.title), "help_text": help_text, "required": field.required}
    make: Maker = _from_one if field.from_one else FIELDS.get(shape.kind, _text)
    made = make(shape, {**options, "initial": initial.get(field.name, field.usual)})
    if field.labels and isinstance(made, forms.ChoiceField):
        made.choices = [(str(value), translated(title)) for value, title in field.labels.items()]
    return made


def _flag(_shape: Shape, options: dict[str, Any]) -> forms.Field:
    return forms.BooleanField(**{**options, "required": False})


class NumberField(forms.IntegerField):
    """A whole number, typed as people write it: "−1", "+3", "1.204"."""

    def to_python(self, value: Any) -> int | None:
        """Return the number; raise ValidationError."""
        return super().to_python(number(value) if isinstance(value, str) else value)


def _number(shape: Whole, options: dict[str, Any]) -> forms.Field:
    return NumberField(**options, min_value=shape.low, max_value=shape.high)


class NamedField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """One of some rows, each by its name; players of one club who have one name are told apart."""

    def label_from_instance(self, obj: Any) -> str:
        """Return the name of a row."""
        if not isinstance(obj, Player):
            return str(obj)
        last: dict[UUID, Any] = self.__dict__.setdefault("last", {})
        if obj.club_id not in last:
            last[obj.club_id] = last_entries_of_namesakes(obj.club)
        return told_apart(obj, last[obj.club_id])

    def __deepcopy__(self, memo: Any) -> Any:
        result = super().__deepcopy__(memo)
        result.__dict__.pop("last", None)
        return result


class FromOneField(NumberField):
    """A number that people count from 1 and the log from 0, as a seat."""

    def prepare_value(self, value: Any) -> Any:
        """Return a stored number as people count; what was typed stays."""
        return value + 1 if isinstance(value, int) else value

    def to_python(self, value: Any) -> int | None:
        """Return a typed number as it is stored."""
        number = super().to_python(value)
        return None if number is None else number - 1

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """Return the limits of the browser's field as people count."""
        limits = super().widget_attrs(widget)
        return {name: limit + 1 if name in ("min", "max") else limit for name, limit in limits.items()}


def _from_one(shape: Whole, options: dict[str, Any]) -> forms.Field:
    field = FromOneField(**options, min_value=shape.low, max_value=shape.high)
    limits = {"low": shape.low + 1, "high": shape.high + 1}
    wrong = _("Enter a number from %(low)d to %(high)d.") % limits
    for validator in field.validators:
        validator.message = wrong  # type: ignore[attr-defined]  # both limits have one
    return field


def _choice(shape: OneOf, options: dict[str, Any]) -> forms.Field:
    choices = [(str(value), words(str(value))) for value in shape.values]
    return forms.ChoiceField(**options, choices=choices)


def _either(shape: AnyOf, options: dict[str, Any]) -> forms.Field:
    """Return a choice of the named texts, to which a form can add others; a text where there is no such."""
    named = [value for each in shape.parts if isinstance(each, OneOf) for value in each.values]
    if None in named or not all(isinstance(each, OneOf | Text) for each in shape.parts):
        return _text(shape, options)
    return _choice(OneOf(tuple(named)), options)


def _list(_shape: ListOf, options: dict[str, Any]) -> forms.Field:
    options["initial"] = "; ".join(map(str, options["initial"] or ()))
    options["help_text"] = (
        f"{options['help_text'].removesuffix('.')}. {_('Separate them with semicolons.')}".lstrip(". ")
    )
    return forms.CharField(**options)


def _lines(_shape: Rows, options: dict[str, Any]) -> forms.Field:
    options["initial"] = "\n".join(map(as_line, options["initial"] or ()))
    options["help_text"] += f" {_('One per line, its parts separated by semicolons.')}"
    options["help_text"] = options["help_text"].strip()
    return forms.CharField(**{"widget": forms.Textarea, **options})


class OnceMore(forms.Form):
    """The scores of a result, typed once more from the sheet without looking, all or none.

    A subclass sets ``seats``, those of the table, and ``result``, None where none waits.
    """

    seats: Sequence[TableSeat]
    result: Result | None

    def offer_scores(self) -> None:
        """Offer a score for each seat, and keep which result is looked at."""
        self.fields["result"] = forms.IntegerField(
            widget=forms.HiddenInput, initial=self.result.seq if self.result else None
        )
        for seat in self.seats:
            label = _("%(name)s: score") % {"name": name_at_table(seat)}
            self.fields[f"score.{seat.number}"] = NumberField(label=label, required=False)

    @property
    def typed(self) -> Sequence[tuple[str, int]]:
        """Return what was typed before: a score for each name."""
        scores = self.result.placings if self.result else ()
        return [(name_at_table(seat), each.score) for seat, each in zip(self.seats, scores, strict=False)]

    def clean(self) -> dict[str, Any]:
        """Refuse scores for some of the seats alone."""
        values: dict[str, Any] = super().clean() or {}
        given = [values.get(f"score.{seat.number}") is not None for seat in self.seats]
        if any(given) and not all(given):
            self.add_error(None, _("Type all scores, or none."))
        return values

    def values(self) -> dict[str, Any]:
        """Return the fields of `CheckResult` beside the table."""
        scores = [(seat.number, self.cleaned_data.get(f"score.{seat.number}")) for seat in self.seats]
        typed = tuple(ScoreOf(number, score) for number, score in scores if score is not None)
        return {"result": self.cleaned_data["result"], "seats": typed}

    def refuse(self, errors: Mapping[str, Sequence[str]]) -> None:
        """Show each difference beside the score that was typed."""
        named = {
            f"score.{path.split('.')[1]}" if path.startswith("seats.") else path: sentences
            for path, sentences in errors.items()
        }
        for name, sentences in named.items():
            shown = name in self.fields and not self.fields[name].widget.is_hidden
            self.add_error(name if shown else None, [translated(each) for each in sentences])


def _text(_shape: Shape, options: dict[str, Any]) -> forms.Field:
    return forms.CharField(**options)


FIELDS: Final[Mapping[Kind, Maker]] = {
    "flag": _flag,
    "number": _number,
    "choice": _choice,
    "either": _either,
    "list": _list,
    "rows": _lines,
}
"""The form field of each kind of value; any other kind is a text field."""
