"""The scripts of a page in one file: ES modules and all that they import, joined when they are asked for.

Nothing is built beforehand. Each module becomes a function of its own that returns what it exports, in the
order in which a browser would run them. So what is exported must not change later, and no two modules may
import each other in a circle.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from league.ops.folders import TOP

_FOLDER: Final = TOP / "static" / "trefoil"
_IMPORT: Final = re.compile(r'^import\s+(?:([^";]*?)\s+from\s+)?"(\.[^"]+)";$', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:const|class|(?:async )?function\*?)\s+(\w+))", re.MULTILINE)
_EXPORTS: Final = re.compile(r"^export (?:\{([^}]*)\}|default (\w+));$", re.MULTILINE)
_COMMENT: Final = re.compile(r"^[ \t]*(?://.*|/\*(?:[^*]|\*(?!/))*\*/)\n", re.MULTILINE)
_WHOSE: Final = re.compile(r"/\*(?:[^*]|\*(?!/))*\*/\n")
_CLASSIC: Final = re.compile(r"var (\w+)=")
_MOST_KEPT: Final = 64
_ADDRESS: Final = re.compile(rf"{settings.STATIC_URL}scripts/([a-z+-]+)\.js")


Respond = Callable[[HttpRequest], HttpResponseBase]


def address_of(names: Iterable[str]) -> str:
    """Return where browsers find modules of these names in one file."""
    return f"{settings.STATIC_URL}scripts/{'+'.join(names)}.js"


def joined_on_request(get_response: Respond) -> Respond:
    """Answer with scripts in one file; browsers keep it, as its address is of this release alone."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        asked = _ADDRESS.fullmatch(request.path_info)
        try:
            text = joined(tuple(asked[1].split("+"))) if asked else ""
        except FileNotFoundError:
            text = ""
        if not text:
            return get_response(request)
        answer = HttpResponse(text, content_type="text/javascript; charset=utf-8")
        answer["Cache-Control"] = "max-age=315360000, public, immutable"
        return answer

    return respond


@dataclass
class _Joined:
    """Modules in the order in which they run; ``names`` are those of the functions that they have become."""

    parts: list[str] = field(default_factory=list)
    names: dict[Path, str] = field(default_factory=dict)

    def add(self, file: Path) -> str:
        """Add a module after those that it imports, once, and return its name."""
        if file not in self.names:
            source = _COMMENT.sub("", written := file.read_text())
            imported = [
                (asked, self.add((file.parent / address).resolve()))
                for asked, address in _IMPORT.findall(source)
            ]
            self.names[file] = name = f"${len(self.names)}"
            if whose := _WHOSE.match(written):  # of another author, who is named
                self.parts.append(whose[0])
            self.parts.append(f"const {name} = (() => {{\n{_body(source, imported)}\n}})();\n")
        return self.names[file]


def _body(source: str, imported: Iterable[tuple[str, str]]) -> str:
    taken = "".join(f"const {_taken(asked)} = {name};\n" for asked, name in imported if asked)
    exported = ", ".join(_exported(source))
    text = _EXPORTS.sub("", _EXPORT.sub("", _IMPORT.sub("", source)))
    return f"{taken}{text}\nreturn {{ {exported} }};"


def _taken(asked: str) -> str:
    """Return what stands for ``{ a, b as c }``, ``* as d`` or ``e`` of an import."""
    if asked.startswith("{"):
        return asked.replace(" as ", ": ")
    return asked.removeprefix("* as ") if asked.startswith("*") else f"{{ default: {asked} }}"


def _exported(source: str) -> Iterator[str]:
    if classic := _CLASSIC.match(source):  # no module, but a script that makes one variable
        yield classic[1]
    yield from _EXPORT.findall(source)
    for several, default in _EXPORTS.findall(source):
        if default:
            yield f"default: {default}"
        for each in filter(None, (part.strip() for part in several.split(","))):
            own, _as, name = each.partition(" as ")
            yield f"{name}: {own}" if name else own


@lru_cache(_MOST_KEPT)
def joined(names: tuple[str, ...]) -> str:
    """Return modules of `static/trefoil` and what they import as one; FileNotFoundError for another name.

    A module alone exports what it does by itself: another one may import it later.
    """
    modules = _Joined()
    for name in names:
        modules.add(file := _FOLDER / f"{name}.js")
    if len(names) == 1 and (exported := _EXPORT.findall(file.read_text())):
        modules.parts.append(f"export const {{ {', '.join(exported)} }} = {modules.names[file]};\n")
    return "".join(modules.parts)
