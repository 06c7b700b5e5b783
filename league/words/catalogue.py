"""The catalogues of translations: `locale/de/LC_MESSAGES/django.po`, and beside it the .mo that Django reads.

`manage.py messages` brings them up to date. This needs Babel, which only developers have.

What can be translated is found in the source. In Python it is literals in calls of gettext's functions and of
the engine's `text` and `plural`, and the literals of declarations, which are translated only where they are
shown: the sentences of refusals and events, the texts of buttons, titles and help. In templates it is found
as Django does.
"""

import ast
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, Final, NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

from league.ops.folders import TOP
from league.words.values import identifiers, in_words

# ---- Extraction ----------------------------------------------------------------------------------

SOURCES: Final = ("api", "games", "league", "templates")
"""The folders whose texts are translated."""

DECLARED: Final[Mapping[str, Mapping[int, str]]] = {
    "Illegal": {0: "sentence"},
    "Help": {0: "text"},
    "Label": {0: "text"},
    "Matching": {1: "what"},
    "Button": {0: "title", 1: "effect", 2: "undo"},
    "OwnButton": {0: "title", 1: "effect", 2: "done"},
    "Seat": {0: "one"},
    "Alternatives": {0: "one"},
}
"""Which arguments of a call are message ids, by position and by name."""
ATTRIBUTES: Final = ("title", "summary", "found_by", "text")
"""Which attributes of a class are message ids, besides those whose names begin with ``text_``."""

_GETTEXT: Final[Mapping[str, tuple[str, ...]]] = {
    f"{name}{suffix}": meaning
    for name, meaning in {
        "gettext": ("id",),
        "ngettext": ("id", "plural"),
        "pgettext": ("context", "id"),
        "npgettext": ("context", "id", "plural"),
    }.items()
    for suffix in ("", "_lazy", "_noop")
}
"""What the first arguments of gettext's functions are."""
_ENGINE: Final[Mapping[str, tuple[str, ...]]] = {"text": ("id",), "plural": ("id", "plural")}
_MODULES: Final = {"django.utils.translation": _GETTEXT, "games.engine.messages": _ENGINE}
_LITERAL: Final = r"""u?(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
_CALL: Final = re.compile(rf"\b(n?p?gettext|_)\(\s*({_LITERAL}(?:\s*,\s*{_LITERAL})*)")


class Text(NamedTuple):
    """A text to be translated; ``plural`` and ``context`` are empty where it has none."""

    id: str
    plural: str = ""
    context: str = ""


@dataclass(frozen=True)
class Found:
    """A text with the files that say it, in order, relative to the project."""

    text: Text
    places: tuple[str, ...]


@cache
def everything() -> tuple[Found, ...]:
    """Return all texts of the project, sorted by id; what is said with and without a plural has one."""
    places: dict[tuple[str, str], dict[str, None]] = {}
    plurals: dict[tuple[str, str], str] = {}
    for place, text in (*_all_texts(), *_identifiers()):
        key = (text.id, text.context)
        places.setdefault(key, {})[place] = None
        plurals[key] = plurals.get(key) or text.plural
    return tuple(Found(Text(key[0], plurals[key], key[1]), tuple(places[key])) for key in sorted(places))


def _all_texts() -> Iterator[tuple[str, Text]]:
    for folder in SOURCES:
        for path in sorted((TOP / folder).rglob("*")):
            finder = _FINDERS.get(path.suffix)
            if finder and "migrations" not in path.parts:
                place = path.relative_to(TOP).as_posix()
                yield from ((place, text) for text in finder(path.read_text(encoding="utf-8"), place))


def _identifiers() -> Iterator[tuple[str, Text]]:
    return (("league/words/identifiers.py", Text(in_words(each))) for each in identifiers())


# ---- Python --------------------------------------------------------------------------------------


def in_python(source: str, place: str = "") -> Iterator[Text]:
    """Yield the texts of a module: those in calls, and those declared."""
    tree = ast.parse(source)
    functions = _functions(tree, place)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (meaning := functions.get(_name(node.func))):
            yield from _called(node.args, meaning)
    for node in declared(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
            yield Text(node.value)


def _functions(tree: ast.AST, place: str) -> Mapping[str, tuple[str, ...]]:
    """Return what the arguments of functions are, by the names that a module has for them."""
    known = dict(_ENGINE) if place == "games/engine/messages.py" else {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            known |= _imported(node)
    return known


def _imported(node: ast.ImportFrom) -> Mapping[str, tuple[str, ...]]:
    found = {}
    for alias in node.names:
        name = alias.asname or alias.name
        if meaning := _MODULES.get(node.module or "", {}).get(alias.name):
            found[name] = meaning
        elif functions := _MODULES.get(f"{node.module}.{alias.name}"):
            found |= {f"{name}.{each}": meaning for each, meaning in functions.items()}
    return found


def _name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(id=module), attr=name):
            return f"{module}.{name}"
        case _:
            return ""


def _called(arguments: Iterable[ast.expr], meaning: tuple[str, ...]) -> Iterator[Text]:
    """Yield the text of a call; nothing where its arguments are variables, which are literals elsewhere."""
    values = [node.value for node in arguments if isinstance(node, ast.Constant)]
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) >= len(meaning) and texts[0]:
        yield Text(**dict(zip(meaning, texts, strict=False)))


def declared(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions of a module where a message id is expected: most are literals."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in DECLARED:
                yield from _arguments(node, DECLARED[name])
            case ast.ClassDef():
                yield from _attributes(node)


def _arguments(call: ast.Call, named: Mapping[int, str]) -> Iterator[ast.expr]:
    yield from (argument for position, argument in enumerate(call.args) if position in named)
    yield from (keyword.value for keyword in call.keywords if keyword.arg in named.values())


def _attributes(declaring: ast.ClassDef) -> Iterator[ast.expr]:
    for node in declaring.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _holds_words(name):
                yield value


def _holds_words(name: str) -> bool:
    return name in ATTRIBUTES or name.startswith("text_")


# ---- Templates -----------------------------------------------------------------------------------


def in_template(source: str, place: str = "") -> Iterator[Text]:
    """Yield the texts of a template."""
    for call in _CALL.finditer(templatize(source, origin=place)):
        texts = [ast.literal_eval(found) for found in re.findall(_LITERAL, call[2])]
        meaning = _GETTEXT["gettext" if call[1] == "_" else call[1]]
        if texts[0]:
            yield Text(**dict(zip(meaning, texts, strict=False)))


_FINDERS: Final = {".py": in_python, ".html": in_template, ".txt": in_template}


# ---- Catalogue -----------------------------------------------------------------------------------

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
