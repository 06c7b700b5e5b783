"""What columns of names, zones and sentences may hold, and the key by which names are sorted and searched."""

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import available_timezones

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.text import slugify
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.engine.kinds import HIDDEN
from games.engine.messages import as_json, from_json
from games.engine.names import hides_something, one_line, paragraphs, unprintable

if TYPE_CHECKING:
    _CharField = models.CharField[str, str]
    _TextField = models.TextField[str, str]
else:
    _CharField, _TextField = models.CharField, models.TextField


# ---- Names ---------------------------------------------------------------------------------------

# Letters that Unicode does not take apart into a plain letter and an accent.
_WHOLE: Final = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
)

_ADDRESS: Final = re.compile(
    r"://|\bwww\.|[^\W_]\.(?:app|biz|club|com|dev|edu|gov|info|io|link|net|online|org|shop|site|top|xyz)\b",
    re.IGNORECASE,
)
"""What mail programs make a link of; of the domains of countries only where a user name ends."""
_OF_A_COUNTRY: Final = re.compile(r"[^\W_]\.[a-z]{2}$", re.IGNORECASE)
_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "ae", "Ö": "oe", "Ü": "ue"})
_APOSTROPHES: Final = str.maketrans(dict.fromkeys("’‘ʼ´`", "'"))

SEARCH_LENGTH: Final = 200


def printable(text: str) -> None:
    """Raise ValidationError for a text that a database, a log or a page would choke on."""
    if unprintable(text):
        raise ValidationError(_("This has a character that cannot be printed."), code="unprintable")


def nameable(text: str) -> None:
    """Raise ValidationError for a text that no name may be (`games.engine.names`)."""
    printable(text)
    if hides_something(text):
        raise ValidationError(gettext(HIDDEN.id), code="hidden")
    leads_nowhere(text)


def leads_nowhere(text: str, *, user: bool = False) -> None:
    """Raise ValidationError for a name, maybe a user's, that emails would show as a link to a website."""
    words = text.split() if "://" in text else [word for word in text.split() if "@" not in word]
    if any(_ADDRESS.search(word) or (user and _OF_A_COUNTRY.search(word)) for word in words):
        raise ValidationError(_("This looks like the address of a website."), code="address")


def printable_lines(text: str) -> None:
    """Raise ValidationError for a text of several lines with such a character."""
    for line in text.splitlines():
        printable(line)


class LineInput(forms.CharField):
    """A form's field for a text of one line."""

    def to_python(self, value: Any) -> Any:
        """Return the typed text cleaned."""
        return one_line(super().to_python(value) or "") or self.empty_value


class LineField(_CharField):
    """A text of one line that is cleaned before it is checked, kept or looked up."""

    def to_python(self, value: Any) -> Any:
        """Return the text cleaned."""
        return one_line(value) if isinstance(value, str) else value

    def formfield(self, **kwargs: Any) -> Any:
        """Return the form's field, which cleans too."""
        return super().formfield(**{"form_class": LineInput, **kwargs})

    def deconstruct(self) -> Any:
        """Return the field as Django's own: migrations know only its length."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs


class LinesField(_TextField):
    """A text of several lines that is cleaned like a `LineField`."""

    def to_python(self, value: Any) -> Any:
        """Return the text cleaned."""
        return paragraphs(value) if isinstance(value, str) else value

    def deconstruct(self) -> Any:
        """Return the field as Django's own."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.TextField", args, kwargs


class ReadableField(_CharField):
    """A setting that is read as its default where its validators refuse what is stored.

    Another release may have known it, or it was written past the service: no page fails for it.
    """

    def from_db_value(self, value: str, *_how: object) -> str:
        """Return the setting as it counts."""
        return value if self.reads(value) else str(self.get_default())

    def reads(self, value: str) -> bool:
        """Return whether the validators let a value pass; an empty one always."""
        try:
            for validate in self.validators if value else ():
                validate(value)
        except ValidationError:
            return False
        return True

    def deconstruct(self) -> Any:
        """Return the field as Django's own."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs


def first_name_first(name: str) -> str:
    """Return "Berg, Ada" as "Ada Berg", a name without one comma as it is."""
    last, _comma, first = map(str.strip, name.partition(","))
    return f"{first} {last}" if last and first and "," not in first else name


def search_key(name: str) -> str:
    """Return a name casefolded and without accents, its blanks single: "Łukasz  Żak" gives "lukasz zak".

    All apostrophes are the straight one.

    Kept beside the name, so that order and search are the same on every server and never a collation's.
    Cut at `SEARCH_LENGTH`, for one character can come apart into many.
    """
    apart = unicodedata.normalize("NFKD", one_line(name).translate(_APOSTROPHES)).casefold()
    plain = "".join(character for character in apart if not unicodedata.combining(character))
    return " ".join(plain.translate(_WHOLE).split())[:SEARCH_LENGTH]


def sort_key(name: str) -> tuple[str | int, ...]:
    """Return what lists of names are sorted by, as `Player.sort_name` is: "Member 2" before "Member 10"."""
    parts = re.split(r"(\d+)", search_key(name))
    return (*(int(part) if at % 2 else part for at, part in enumerate(parts)), name)


def spellings(name: str) -> str:
    """Return a name's `search_key`, and those with umlauts as two letters and as one: "kohler koehler"."""
    key = search_key(name)
    written_out = search_key(unicodedata.normalize("NFC", name).translate(_UMLAUTS))
    return " ".join(dict.fromkeys((key, written_out, one_letter(key))))


def one_letter(key: str) -> str:
    """Return a `search_key` in which "ae", "oe" and "ue" are the letters that umlauts are in it."""
    return re.sub("([aou])e", r"\1", key)


def address_of(name: str) -> str:
    """Return a name as a part of an address: "Große Königsrunde" gives "grosse-konigsrunde"."""
    return slugify(search_key(name))


# ---- Zones ---------------------------------------------------------------------------------------

NO_PLACE: Final = frozenset({"Factory", "localtime"})
"""Names of the database of zones that mean another zone on each machine, or none."""


@cache
def known_zones() -> frozenset[str]:
    """Return the names of all time zones."""
    return frozenset(available_timezones()) - NO_PLACE


def known_zone(name: str) -> None:
    """Raise ValidationError for a name that is no time zone's."""
    if name not in known_zones():
        raise ValidationError(_("There is no such time zone."), code="unknown")


# ---- Messages ------------------------------------------------------------------------------------


class MessageField(models.JSONField):
    """A `games.engine.messages.Message`, as JSON in the database."""

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> str:
        return from_json(super().from_db_value(value, expression, connection))

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        held = as_json(value) if isinstance(value, str) else value
        return super().get_db_prep_value(held, connection, prepared)
