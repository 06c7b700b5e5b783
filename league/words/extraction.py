"""Finds the message ids in the source: what can be translated, and where it is said.

In Python they are literals in calls of gettext's functions and of the engine's `text` and `plural`, and the
literals of declarations, which are translated only where they are shown: the sentences of refusals and
events, the texts of buttons, titles and help. In templates they are found as Django does.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from django.utils.translation.template import templatize

from league.ops.folders import TOP
from league.words.identifiers import identifiers, in_words

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
