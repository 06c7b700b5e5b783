"""Form fields from what rulesets, formats and events declare of themselves, and their JSON back again."""

import dataclasses
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from games.engine.jsontypes import Json
from games.engine.kinds import AnyOf, Field, Flag, ListOf, OneOf, Record, Shape, Whole
from league.templatetags.trefoil import words

NOTHING: Final = OneOf((None,))


def fields_of(record: Record, prefix: str, initial: Mapping[str, Any]) -> dict[str, forms.Field]:
    """Return a form field for each field of the record, by its name after the prefix.

    ``initial`` holds values that stand in place of the record's own defaults.
    """
    return {f"{prefix}{field.name}": _field(field, initial) for field in record.fields}


def _field(field: Field, initial: Mapping[str, Any]) -> forms.Field:
    default = None if field.default is dataclasses.MISSING else field.shape.write(field.default)
    value = initial.get(field.name, default)
    told = {"label": words(field.name), "help_text": _sentence(field.help), "initial": value}
    return _shaped(_bare(field.shape), {**told, "required": field.required})


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _shaped(shape: Shape, told: dict[str, Any]) -> forms.Field:
    match shape:
        case Flag():
            return forms.BooleanField(**{**told, "required": False}, widget=UnfoldBooleanSwitchWidget)
        case Whole(low, high):
            widget = UnfoldAdminIntegerFieldWidget
            return forms.IntegerField(**told, min_value=low, max_value=high, widget=widget)
        case OneOf(values):
            choices = [(str(value), words(str(value))) for value in values]
            return forms.ChoiceField(**told, choices=choices, widget=UnfoldAdminSelectWidget)
        case ListOf(Record()):
            lines = "\n".join(map(_line, told["initial"] or ()))
            help_text = f"{told['help_text']} {_('One a line, its parts with semicolons between.')}".strip()
            return forms.CharField(
                **{**told, "initial": lines, "help_text": help_text}, widget=UnfoldAdminTextareaWidget
            )
        case ListOf():
            listed = ", ".join(map(str, told["initial"] or ()))
            help_text = f"{told['help_text']}. {_('Commas between them.')}".lstrip(". ")
            return forms.CharField(
                **{**told, "initial": listed, "help_text": help_text}, widget=UnfoldAdminTextInputWidget
            )
        case _:
            return forms.CharField(**told, widget=UnfoldAdminTextInputWidget)


def _line(item: Mapping[str, Any]) -> str:
    """Return a record of lists as people write it: "sets 3 3; runs 4"."""
    told = ((name, " ".join(map(str, values))) for name, values in item.items())
    return "; ".join(f"{name} {values}" for name, values in told if values)


def _item(record: Record, line: str) -> dict[str, Json]:
    """Return the JSON of a line that `_line` wrote; what it does not name is empty."""
    parts = [part.split() for part in line.split(";") if part.strip()]
    written = {name: " ".join(values) for name, *values in parts}
    known = {field.name: _value(field.shape, written.pop(field.name, "")) for field in record.fields}
    return {**known, **written}


def _bare(shape: Shape) -> Shape:
    """Return the shape of a value that may also be absent."""
    if isinstance(shape, AnyOf):
        others = [other for other in shape.shapes if other != NOTHING]
        return others[0] if len(others) == 1 else shape
    return shape


def json_of(record: Record, prefix: str, cleaned: Mapping[str, Any]) -> dict[str, Json]:
    """Return the JSON that the fields of a valid form say; what was left empty is left out."""
    return dict(_values(record, prefix, cleaned))


def _values(record: Record, prefix: str, cleaned: Mapping[str, Any]) -> Iterator[tuple[str, Json]]:
    for field in record.fields:
        value = cleaned.get(f"{prefix}{field.name}")
        if value not in (None, ""):
            yield field.name, _value(_bare(field.shape), value)


def _value(shape: Shape, value: Any) -> Json:
    match shape:
        case ListOf(Record() as record):
            return [_item(record, line) for line in value.splitlines() if line.strip()]
        case ListOf(item):
            return [_value(item, word) for word in re.split(r"[\s,;]+", value) if word]
        case OneOf(values):
            return next((allowed for allowed in values if str(allowed) == str(value)), value)
        case Whole() if isinstance(value, str) and re.fullmatch(r"-?\d{1,9}", value, re.ASCII):
            return int(value)
        case _:
            return value  # type: ignore[no-any-return]
