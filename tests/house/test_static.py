"""What machines can say of the code without running it."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from secrets import token_urlsafe

import pytest
from django.core.management import call_command

from league.house.places import TOP

_TINY = 8
_SMALL = 25
_LONGEST_FUNCTION = 50
_LONGEST_MODULE = 500

# Pure: what comes out depends on nothing but what goes in.
_ISLANDS = (
    *("games/engine", "games/rules", "games/bots", "league/competition", "league/formats"),
    *("league/ranking.py", "league/scoring.py", "league/tie_breaks.py"),
)
# The offline verifier runs these with nothing but Python.
_PYTHON_ALONE = (
    *("games/engine", "games/rules", "games/bots", "games/verify.py", "league/__init__.py"),
    *("league/competition", "league/formats", "league/portable.py", "league/verify.py"),
    *("league/ranking.py", "league/scoring.py", "league/tie_breaks.py"),
)
# Imported where it is used: the verifier says what it leaves out without it.
_WHERE_THERE_IS_ONE = "league/formats/pairing.py imports rustworkx"
_IMPURE = {"open", "print", "input", "now", "today", "utcnow", "uuid1", "uuid4"}

_OURS = "DJANGO_ALLOW_ASYNC_UNSAFE"  # what the browser's tests set in this process


def _run(*command: str, **environment: str) -> None:
    result = subprocess.run(
        [sys.executable, *command],
        cwd=TOP,
        env={name: value for name, value in os.environ.items() if name != _OURS} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_ruff_finds_nothing() -> None:
    _run("-m", "ruff", "check", "--no-cache")


def test_every_file_is_formatted() -> None:
    _run("-m", "ruff", "format", "--check", "--no-cache")


def test_mypy_finds_nothing() -> None:
    _run("-m", "mypy")


def test_imports_keep_to_the_contracts() -> None:
    _run("-c", "from importlinter.cli import lint_imports_command; lint_imports_command()", "--no-cache")


@pytest.mark.django_db
def test_the_migrations_are_those_of_the_models() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_djangos_own_checks_find_nothing_where_it_is_deployed() -> None:
    deployed = {
        "BEHIND_TLS": "1",
        "SECRET_KEY": token_urlsafe(64),
        "DJANGO_SETTINGS_MODULE": "league.settings",
    }
    _run("manage.py", "check", "--deploy", "--fail-level", "WARNING", **deployed)


def _sources(*roots: str) -> Iterator[tuple[Path, ast.Module]]:
    for root in roots:
        path = TOP / root
        for file in [path] if path.is_file() else sorted(path.rglob("*.py")):
            if "migrations" not in file.parts:
                yield file.relative_to(TOP), ast.parse(file.read_text())


_ALL = ("manage.py", "games", "league", "api", "tests")


def _functions(*roots: str) -> list[tuple[int, str]]:
    """Return the lines of each function, the longest first, and where it is."""
    return sorted(
        (
            ((node.end_lineno or 0) - node.lineno + 1, f"{path}:{node.lineno} {node.name}")
            for path, tree in _sources(*roots)
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ),
        reverse=True,
    )


def test_no_function_is_longer_than_a_screen() -> None:
    assert [where for lines, where in _functions(*_ALL) if lines > _LONGEST_FUNCTION] == []


def test_half_of_the_functions_are_tiny_and_nine_in_ten_are_small() -> None:
    lengths = [lines for lines, _ in _functions("manage.py", "games", "league", "api")]
    assert lengths[len(lengths) // 2] <= _TINY
    assert lengths[len(lengths) // 10] <= _SMALL


def test_no_module_is_longer_than_can_be_overseen() -> None:
    lines = {str(path): (TOP / path).read_text().count("\n") for path, _ in _sources(*_ALL)}
    assert [path for path, count in lines.items() if count > _LONGEST_MODULE] == []


def test_pure_code_asks_no_clock_and_touches_no_file() -> None:
    asking = [
        f"{path}:{node.lineno} {name}"
        for path, tree in _sources(*_ISLANDS)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and (name := ast.unparse(node.func).rpartition(".")[2]) in _IMPURE
    ]
    assert asking == []


def test_what_the_verifier_runs_needs_nothing_but_python() -> None:
    foreign = [
        f"{path} imports {name}"
        for path, tree in _sources(*_PYTHON_ALONE)
        for node in ast.walk(tree)
        for name in _imported(node)
        if name.partition(".")[0] not in sys.stdlib_module_names | {"games", "league"}
    ]
    assert foreign == [_WHERE_THERE_IS_ONE]


def _imported(node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module=str(module)):
            return [module]
        case _:
            return []
