"""The scripts of a page in one file: ES modules and all that they import, joined when they are asked for.

Nothing is built beforehand. Each module becomes a function of its own that returns what it exports, in the
order in which a browser would run them. So what is exported must not change later, and no module may import
itself in a circle. Other forms than those below are refused. What a module imports later is joined by itself,
with copies of its own of what it imports.
"""

import re
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from league.ops.answers import static_fingerprint, tagged
from league.ops.folders import TOP

_FOLDER: Final = TOP / "static" / "trefoil"
_ADDRESS: Final = re.compile(rf"{settings.STATIC_URL}scripts/([a-z+-]+)\.js")
_COMMENT: Final = re.compile(r"^[ \t]*(?://.*|/\*(?:[^*]|\*(?!/))*\*/)\n", re.MULTILINE)
_WHOSE: Final = re.compile(r"/\*(?:[^*]|\*(?!/))*\*/\n")

_IMPORT: Final = re.compile(
    r'^import (?:(?:\* as (\w+)|(\w+)|\{([\w\s,]*)\}) from )?"(\.[^"\n]+\.js)";$', re.MULTILINE
)
_EXPORT: Final = re.compile(r"^export (?=(?:const|class|(?:async )?function\*?) (\w+))", re.MULTILINE)
_EXPORTS: Final = re.compile(r"^export (?:\{([\w\s,]*)\}|default (\w+));$", re.MULTILINE)
_NAMED: Final = re.compile(r"(\w+)(?:\s+as\s+(\w+))?")
_CLASSIC: Final = re.compile(r"var (\w+)=")
_LATER: Final = re.compile(r'(?<![\w$.])import\("\./[a-z-]+\.js"\)|/\*\* @type .*?\*/')
_UNKNOWN: Final = re.compile(
    r"^.*(?<![\w$.])(?:import|export)\b.*|^(?=\S)(?!async ).*\bawait\b.*", re.MULTILINE
)


Respond = Callable[[HttpRequest], HttpResponseBase]


class CannotJoin(ValueError):
    """A module has a form that is not known here; the message says which."""


def address_of(names: Sequence[str]) -> str:
    """Return where browsers find modules of these names in one file."""
    return f"{settings.STATIC_URL}scripts/{'+'.join(names)}.js"


def joined_on_request(get_response: Respond) -> Respond:
    """Answer with scripts in one file; browsers keep it: its address has the digest of all static files."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        asked = _ADDRESS.fullmatch(request.path_info)
        names = asked[1].split("+") if asked else []
        if not names or len({*names}) < len(names) or not _known().issuperset(names):
            return get_response(request)
        answer = tagged(request, f'"{static_fingerprint()[:32]}"', lambda: _answer(names))
        answer["Cache-Control"] = "max-age=315360000, public, immutable"
        # As of other static files: a page in a sandboxed frame has no origin.
        answer["Access-Control-Allow-Origin"] = "*"
        return answer

    return respond


@cache
def _known() -> frozenset[str]:
    return frozenset(file.stem for file in _FOLDER.glob("*.js"))


def _answer(names: Sequence[str]) -> HttpResponse:
    return HttpResponse(joined(names), content_type="text/javascript; charset=utf-8")


def joined(names: Sequence[str]) -> str:
    """Return modules of `static/trefoil` and what they import as one. Raises CannotJoin.

    A module alone exports what it does by itself: another one may import it later.
    """
    modules: dict[Path, Module] = {}
    added = [_add(modules, _FOLDER / f"{name}.js") for name in names]
    text = "".join(each.text for each in modules.values())
    if len(added) == 1 and (exports := added[0].exports):
        text += f"export const {{ {', '.join(exports)} }} = {added[0].name};\n"
    return text


@cache
def inline(name: str) -> tuple[str, str]:
    """Return a module for the text of a page itself, and what allows it in the page's policy."""
    text = joined([name])
    return text, f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


# ---- One module ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Module:
    """A module as a function that has run: what it takes from others, and its names by what it exports."""

    name: str
    imports: Sequence[tuple[Path, frozenset[str]]]
    exports: Mapping[str, str]
    text: str


def _add(modules: dict[Path, Module], file: Path, *importing: Path) -> Module:
    """Add a module after those that it imports, once, and return it."""
    if file in importing:
        raise CannotJoin(f"{file.name} imports itself in a circle")
    if file not in modules:
        module = read(file)
        for other, names in module.imports:
            if missing := names - _add(modules, other, *importing, file).exports.keys():
                raise CannotJoin(f"{file.name}: {other.name} does not export {', '.join(missing)}")
        modules[file] = module
    return modules[file]


@cache
def read(file: Path) -> Module:
    """Return a module. Raises CannotJoin."""
    source = _COMMENT.sub("", written := file.read_text())
    imports, taken = [], ""
    for every, default, several, address in _IMPORT.findall(source):
        other = (file.parent / address).resolve()
        names = {"default": default} if default else _named(several)
        imports.append((other, frozenset(names)))
        taken += f"const {every or _object(names)} = {_name(other)};\n"
    exports = _exported(source)
    body = _EXPORTS.sub("", _EXPORT.sub("", _IMPORT.sub("", source)))
    changing = [own for own in exports.values() if not _is_kept(own, source)]
    if unknown := [*_UNKNOWN.findall(_LATER.sub("", body)), *changing]:
        raise CannotJoin(f"{file.name}: {unknown}")
    whose = _WHOSE.match(written)  # another author, who is named
    text = f"const {_name(file)} = (() => {{\n{taken}{body}\nreturn {_object(exports)};\n}})();\n"
    return Module(_name(file), imports, exports, (whose[0] if whose else "") + text)


def _name(file: Path) -> str:
    return "$" + re.sub(r"\W", "_", f"{file.parent.name}/{file.stem}")


def _object(names: Mapping[str, str]) -> str:
    return f"{{ {', '.join(f'{name}: {own}' for name, own in names.items())} }}"


def _named(several: str) -> Mapping[str, str]:
    """Return ``{"a": "a", "b": "c"}`` for ``a, b as c``."""
    return {name: other or name for name, other in _NAMED.findall(several)}


def _exported(source: str) -> Mapping[str, str]:
    """Return the names that a module exports, and its own for them."""
    if classic := _CLASSIC.match(source):  # no module, but a script that makes one variable
        return {classic[1]: classic[1]}
    exports = {name: name for name in _EXPORT.findall(source)}
    for several, default in _EXPORTS.findall(source):
        named = {name: own for own, name in _named(several).items()}
        exports |= {"default": default} if default else named
    return exports


def _is_kept(name: str, source: str) -> bool:
    """Return whether what a name of a module stands for never changes."""
    made = re.search(rf"^(?:export )?(const|class|(?:async )?function\*?|var) {name}\b", source, re.MULTILINE)
    again = rf"(?<!var )(?<![\w$.]){name}\s*(?:[-+*/%&|^?]{{0,2}}=(?![=>])|\+\+|--)"
    return made is not None and (made[1] == "const" or not re.search(again, source))
