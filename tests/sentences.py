"""The sentences in the source: the message ids, and texts that are concatenated."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from league.words.catalogue import declared, in_python

ROOT: Final = Path(__file__).parent.parent
SPEAKING: Final = ("games", "league/core", "league/queries", "league/services")
"""The packages whose sentences a page translates when it shows them."""
ENGINE: Final = "games.engine"
IDS: Final[Mapping[str, tuple[int, ...]]] = {"text": (0,), "plural": (0, 1)}
"""Which arguments of a call are message ids."""
REFUSALS: Final = ("Illegal", "Malformed", "Stale", "Refusal")
PARAM: Final = re.compile(r"%\((\w+)\)[sd]|%%")


@dataclass(frozen=True)
class Call:
    """A call of a function or class of the engine, by the name that it has there."""

    where: str
    name: str
    node: ast.Call

    @property
    def ids(self) -> list[ast.expr]:
        """Return the arguments that are message ids."""
        return [self.node.args[place] for place in IDS.get(self.name, ())]


@cache
def calls() -> tuple[Call, ...]:
    """Return all calls that make messages or refusals in the packages that speak."""
    return tuple(call for name, source in sources() for call in calls_in(name, source))


def calls_in(name: str, source: str) -> Iterator[Call]:
    """Yield the calls in one module that make messages or refusals."""
    tree = ast.parse(source)
    known = _imported(tree)
    if name.startswith("games/engine/"):
        known = {**{each: each for each in (*IDS, *REFUSALS)}, **known}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (called := _called(node.func, known)):
            yield Call(f"{name}:{node.lineno}", called, node)


def _imported(tree: ast.Module) -> Mapping[str, str]:
    """Return the engine's names in a module by what they are called there; of modules, ``messages.``."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(ENGINE):
            for alias in node.names:
                found[alias.asname or alias.name] = alias.name
    return found


def _called(func: ast.expr, known: Mapping[str, str]) -> str | None:
    match func:
        case ast.Name(id=name) if known.get(name) in (*IDS, *REFUSALS):
            return known[name]
        case ast.Attribute(value=ast.Name(id=module), attr=name) if name in (*IDS, *REFUSALS):
            return name if module in known else None
        case _:
            return None


def literal(node: ast.expr) -> str | None:
    """Return the text of a literal, None for anything else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def built(node: ast.expr) -> bool:
    """Return whether an expression puts text together: an f-string, ``+``, ``%``, ``format`` or ``join``."""
    match node:
        case ast.JoinedStr():
            return True
        case ast.BinOp(left=left, op=ast.Add() | ast.Mod(), right=right):
            return any(_is_text(side) for side in (left, right))
        case ast.Call(func=ast.Attribute(value=value, attr="format" | "join")):
            return _is_text(value)
        case ast.IfExp(body=body, orelse=orelse):
            return built(body) or built(orelse)
        case _:
            return False


def _is_text(node: ast.expr) -> bool:
    return literal(node) is not None or built(node)


def sources() -> Iterator[tuple[str, str]]:
    """Yield path and text of each module in the packages that speak."""
    for package in SPEAKING:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield str(path.relative_to(ROOT)), path.read_text()


def declared_words() -> Iterator[tuple[str, ast.expr]]:
    """Yield what stands where declared words do, with its place."""
    for name, source in sources():
        yield from ((f"{name}:{node.lineno}", node) for node in declared(ast.parse(source)))


def ids() -> set[str]:
    """Return every message id."""
    made = {text for call in calls() for node in call.ids if (text := literal(node)) is not None}
    return made | {found.id for name, source in sources() for found in in_python(source, name)}
