"""How big the code is and how it hangs together, from its text alone: ``python -m benchmarks.sizes``.

Code lines of `games`, `league` and `api` without blanks, comments, docstrings and migrations; modules at the
root of `league`; and package cycles: members of one package that import each other in a circle.
"""

import ast
import io
import sys
import tokenize
from collections.abc import Iterable, Iterator, Mapping, Set
from pathlib import Path
from typing import Final

APPS: Final = ("games", "league", "api")
NOT_CODE: Final = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.ENCODING, tokenize.ENDMARKER),
}

# ---- Lines ---------------------------------------------------------------------------------------


def sources(top: Path, *folders: str, migrations: bool = False) -> Iterator[Path]:
    """Yield the modules below some folders without migrations, or the migrations alone."""
    for folder in folders:
        for file in sorted((top / folder).rglob("*.py")):
            if ("migrations" in file.parts) == migrations:
                yield file


def lines_of(files: Iterable[Path]) -> int:
    """Return the code lines of some modules."""
    return sum(code_lines(file.read_text(encoding="utf-8")) for file in files)


def code_lines(text: str) -> int:
    """Return how many lines of a module hold code: no blanks, comments and docstrings."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NOT_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - docstring_lines(ast.parse(text)))


def docstring_lines(tree: ast.AST) -> set[int]:
    """Return the lines of the strings that stand alone: docstrings of modules, classes, functions, values."""
    lines: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                lines.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return lines


# ---- Cycles --------------------------------------------------------------------------------------


def cycles(top: Path) -> dict[str, list[list[str]]]:
    """Return each package whose members import each other in circles, with the members of each circle."""
    modules = {name_of(file.relative_to(top)): file for file in sources(top, *APPS)}
    imports = {name: imported(name, file, modules) for name, file in modules.items()}
    packages = sorted(name for name, file in modules.items() if file.name == "__init__.py")
    found = {package: circles(members(package, imports)) for package in packages}
    return {package: circle for package, circle in found.items() if circle}


def name_of(path: Path) -> str:
    """Return the dotted name of a module."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(name: str, file: Path, modules: Mapping[str, Path]) -> set[str]:
    """Return the modules of ours that a module imports anywhere in its text."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                found.update(alias.name for alias in names)
            case ast.ImportFrom(module=str(module), level=0, names=names):
                inner = {f"{module}.{alias.name}" for alias in names} & modules.keys()
                found.update(inner)
                if len(inner) < len(names):
                    found.add(module)
    return found & modules.keys() - {name}


def members(package: str, imports: Mapping[str, Set[str]]) -> dict[str, set[str]]:
    """Return what each module or sub-package of a package imports of its siblings."""
    graph: dict[str, set[str]] = {}
    for name, others in imports.items():
        if own := member(package, name):
            siblings = {sibling for other in others if (sibling := member(package, other))}
            graph.setdefault(own, set()).update(siblings - {own})
    return graph


def member(package: str, name: str) -> str:
    """Return the direct member of a package to which a module belongs, or nothing."""
    return name.removeprefix(f"{package}.").partition(".")[0] if name.startswith(f"{package}.") else ""


def circles(graph: Mapping[str, Set[str]]) -> list[list[str]]:
    """Return the sets of members of which each reaches each other."""
    reach = {name: reached(graph, name) for name in graph}
    found = {frozenset(other for other in reach[name] if name in reach[other]) for name in graph}
    return sorted(sorted(circle) for circle in found if len(circle) > 1)


def reached(graph: Mapping[str, Set[str]], start: str) -> set[str]:
    """Return everything that something imports, directly or through others."""
    found: set[str] = set()
    rest = [start]
    while rest:
        following = graph.get(rest.pop(), set()) - found
        found |= following
        rest.extend(following)
    return found


# ---- Report --------------------------------------------------------------------------------------


def report(top: Path) -> None:
    """Print the figures."""
    lines = {app: lines_of(sources(top, app)) for app in APPS}
    migrations = lines_of(sources(top, *APPS, migrations=True))
    parts = ", ".join(f"{app} {count:,}" for app, count in lines.items())
    loose = [file.name for file in sorted((top / "league").glob("*.py")) if file.name != "__init__.py"]
    sys.stdout.write(f"code lines: {sum(lines.values()):,} ({parts}); migrations: {migrations:,}\n")
    sys.stdout.write(f"modules at the root of league: {len(loose)} ({', '.join(loose)})\n")
    found = cycles(top)
    sys.stdout.write(f"package cycles: {sum(map(len, found.values()))}\n")
    for package, circle in found.items():
        for names in circle:
            sys.stdout.write(f"  in {package}: {', '.join(names)}\n")


if __name__ == "__main__":
    report(Path(__file__).resolve().parents[1])
