"""Fields that the desk's own forms have beside those of Django: paths for names, and lengths of time."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminTextInputWidget

from games.engine.refusals import Malformed

UNITS: Final = {"d": 24 * 60 * 60, "h": 60 * 60, "m": 60, "s": 1}
_NAMES: Final = {
    "d": ("day", "days"),
    "h": ("hour", "hours"),
    "m": ("minute", "minutes"),
    "s": ("second", "seconds"),
}
_LASTING: Final = re.compile(
    r"(\d{1,7}) ?(d|days?|h|hours?|m|mins?|minutes?|s|secs?|seconds?)\b[ ,]*", re.IGNORECASE | re.ASCII
)


class Lasting(forms.CharField):
    """A length of time as people write it, "2 days" or "1 h 30 min", in seconds; None where left empty."""

    def __init__(self, **told: Any) -> None:
        help_text = _("Such as 3 days, 36 hours or 1 h 30 min.")
        said = {"required": False, "help_text": help_text, "widget": UnfoldAdminTextInputWidget}
        super().__init__(**{**said, **told})

    def prepare_value(self, value: Any) -> Any:
        """Return seconds as people write them; what was typed as it is."""
        return lasting(value) if isinstance(value, int) else value

    def clean(self, value: Any) -> int | None:
        """Return the seconds; raise ValidationError for anything else than numbers with units."""
        text: str = super().clean(value)
        if not text:
            return None
        if _LASTING.sub("", text).strip():
            raise forms.ValidationError(_("Write numbers with their units, such as 2 days or 1 h 30 min."))
        return sum(int(number) * UNITS[unit[0].lower()] for number, unit in _LASTING.findall(text))


def lasting(seconds: int) -> str:
    """Return a length of time in words: 129600 as "1 day 12 hours", 0 as nothing."""
    words = []
    for unit, length in UNITS.items():
        count, seconds = divmod(seconds, length)
        if count:
            words.append(f"{count} {_NAMES[unit][count != 1]}")
    return " ".join(words)


@dataclass(frozen=True)
class Group:
    """A part of a form, with what is to be said of it; a folded one opens where something in it is wrong.

    ``part`` is a template with more of it, ``only_for`` the format outside which it says nothing.
    """

    title: Any
    about: Any
    fields: list[BoundField]
    folded: bool = False
    part: str = ""
    only_for: str = ""

    @property
    def wrong(self) -> bool:
        """Return whether a field of it has an error."""
        return any(field.errors for field in self.fields)


class PathForm(forms.Form):
    """A form whose fields are named as the paths of the JSON that they say, and refused by."""

    prefixes: tuple[str, ...] = ("",)
    """What stands before the path of an error in the names of fields."""

    def add_prefix(self, field_name: str) -> str:
        """Return a field's name in the page: the form's own path, a dot, and the field's."""
        return f"{self.prefix}.{field_name}" if self.prefix else field_name

    def named(self, *names: str) -> list[BoundField]:
        """Return those of these fields that the form has."""
        return [self[name] for name in names if name in self.fields]

    def under(self, *prefixes: str) -> list[BoundField]:
        """Return the fields whose names begin so."""
        return [self[name] for name in self.fields if name.startswith(prefixes)]

    def typed(self) -> dict[str, Any]:
        """Return what the fields of a bound form hold, right or wrong."""
        return {name: self[name].data for name in self.fields}

    def show(self, errors: Mapping[str, list[str]]) -> None:
        """Put each error of a refusal at the field that it is about."""
        for path, sentences in errors.items():
            field = self._field_of(path)
            self.add_error(
                field, sentences if field or not path else [f"{path}: {said}" for said in sentences]
            )

    def _field_of(self, path: str) -> str | None:
        """Return the field that an error's path, or the list around it, belongs to."""
        parts = path.split(".")
        shorter = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
        named = (f"{prefix}{each}" for each in shorter for prefix in self.prefixes)
        return next((name for name in named if name in self.fields), None)


def errors_under(refusal: Malformed, prefix: str) -> dict[str, list[str]]:
    """Return the errors whose paths begin so, without that beginning."""
    return {
        path.removeprefix(prefix): said for path, said in refusal.errors.items() if path.startswith(prefix)
    }
