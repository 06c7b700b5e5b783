"""The catalogues of translations: `locale/de/LC_MESSAGES/django.po`, and beside it the .mo that Django reads.

`manage.py messages` brings them up to date. This needs Babel, which only developers have.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from league.ops.folders import TOP
from league.words.extraction import everything

LOCALE: Final = TOP / "league" / "locale"
LANGUAGES: Final = ("de",)
"""The languages that texts are translated to; in the source they are English."""
_KEPT: Final = re.compile(r"%\(\w+\)[a-z]|%%|\{\w*\}|<[^>]+>")
"""What a translation keeps: parameters, tags, doubled percent signs."""


class BadTranslations(Exception):
    """Translations that can't be taken; ``args`` are sentences that say why."""


def path_of(language: str) -> Path:
    """Return the .po file of a language."""
    return LOCALE / language / "LC_MESSAGES" / "django.po"


def read(language: str) -> Catalog:
    """Return the catalogue of a language, empty if it has none yet."""
    path = path_of(language)
    return read_po(BytesIO(path.read_bytes() if path.exists() else b""), locale=language)


def up_to_date(old: Catalog) -> Catalog:
    """Return a catalogue with exactly the texts of the source, and the translations that fit them."""
    new = _empty(old)
    for found in everything():
        text = found.text
        ids = (text.id, text.plural) if text.plural else text.id
        before = old.get(text.id, text.context or None)
        string = before.string if before is not None and before.id == ids else ""
        places = [(place, 0) for place in found.places]
        new.add(ids, string, places, context=text.context or None)
    return new


def _empty(like: Catalog) -> Catalog:
    return _Undated(locale=like.locale, header_comment="", charset="utf-8", fuzzy=False)


class _Undated(Catalog):
    """A catalogue whose header says neither when nor with what it was made, so that changes can be merged."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        return [
            ("Language", str(self.locale)),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
            ("Plural-Forms", self.plural_forms),
        ]


def write(language: str, catalogue: Catalog) -> None:
    """Write a catalogue as .po and .mo."""
    path = path_of(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(as_po(catalogue))
    path.with_suffix(".mo").write_bytes(as_mo(catalogue))


def as_po(catalogue: Catalog) -> bytes:
    """Return a catalogue as text, a line for each text."""
    file = BytesIO()
    write_po(file, catalogue, width=0, include_lineno=False)
    return file.getvalue()


def as_mo(catalogue: Catalog) -> bytes:
    """Return a catalogue as gettext reads it, without the texts that have no translation."""
    complete = _empty(catalogue)
    for message in texts_in(catalogue):
        if _is_complete(message):
            complete.add(message.id, message.string, context=message.context)
    file = BytesIO()
    write_mo(file, complete)
    return file.getvalue()


# ---- What is missing and what is wrong -----------------------------------------------------------


def missing(catalogue: Catalog) -> Iterator[Message]:
    """Yield the texts that have no translation, or one without all plural forms."""
    return (message for message in texts_in(catalogue) if not _is_complete(message))


def _is_complete(message: Message) -> bool:
    return all(strings_of(message)) and not message.fuzzy


def texts_in(catalogue: Catalog) -> Iterator[Message]:
    """Yield the texts of a catalogue without its header."""
    return (message for message in catalogue if message.id)


def strings_of(message: Message) -> tuple[str, ...]:
    """Return the translations of a text, one for each plural form; "" for what is not translated."""
    string = message.string or ""
    return (string,) if isinstance(string, str) else tuple(string)


def ids_of(message: Message) -> tuple[str, ...]:
    """Return a text's id, and its plural if it has one."""
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def wrong(catalogue: Catalog) -> Iterator[str]:
    """Yield a sentence for each translation that lacks a parameter or a tag of its text, or adds one."""
    for message in texts_in(catalogue):
        for number, string in enumerate(strings_of(message)):
            if string and (why := _mistake(ids_of(message), string, number)):
                yield f"{ids_of(message)[0]!r}: {why}"


def _mistake(ids: Sequence[str], string: str, number: int) -> str:
    """Return what is wrong with one plural form of a translation; a singular need not write out its count."""
    allowed = [_kept(each) for each in (ids if number == 0 else ids[-1:])]
    found = _kept(string)
    if found in allowed:
        return ""
    return f"{string!r} has {_listed(found)} instead of {_listed(allowed[0])}"


def _kept(wording: str) -> Counter[str]:
    return Counter(_KEPT.findall(wording))


def _listed(found: Counter[str]) -> str:
    return " ".join(sorted(found.elements())) or "nothing to fill in"


# ---- As lines of JSON, for translators' tools ----------------------------------------------------


def as_line(message: Message) -> str:
    """Return a text as JSON: id, plural and context where it has them, the files that say it."""
    one, *many = ids_of(message)
    line = {"id": one, "plural": many[0] if many else "", "context": message.context or ""}
    places = [place for place, _line in message.locations]
    return json.dumps(
        {name: value for name, value in {**line, "places": places}.items() if value}, ensure_ascii=False
    )


def filled(catalogue: Catalog, lines: Iterable[str]) -> int:
    """Put in the translations of lines such as ``{"id": …, "translation": …}``; return how many there were.

    Of a text with a plural, ``translation`` is a list of all its forms. Raises `BadTranslations`; then the
    catalogue is not to be written.
    """
    errors: list[str] = []
    count = 0
    for number, line in enumerate(lines, 1):
        if line.strip():
            count += 1
            errors += (f"Line {number}: {why}" for why in _fill(catalogue, line))
    if errors:
        raise BadTranslations(*errors)
    return count


def _fill(catalogue: Catalog, line: str) -> Iterator[str]:
    """Put in one line; yield what is wrong with it."""
    try:
        data: Any = json.loads(line)
        wording, given = data["id"], data["translation"]
    except (ValueError, KeyError, TypeError):
        yield 'this is not an object such as {"id": "…", "translation": "…"}'
        return
    message = catalogue.get(wording, data.get("context") or None)
    if message is None:
        yield f"{wording!r} is not in the catalogue"
        return
    strings = [given] if isinstance(given, str) else list(given)
    if len(strings) != len(strings_of(message)) or not all(strings):
        yield f"{wording!r} has {len(strings_of(message))} forms to translate"
        return
    message.string = strings[0] if isinstance(message.id, str) else tuple(strings)
    yield from (why for at, each in enumerate(strings) if (why := _mistake(ids_of(message), each, at)))
