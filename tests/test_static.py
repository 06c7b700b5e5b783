"""Static checks of the code."""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from secrets import token_urlsafe

import grimp
import pytest
from django.core.management import call_command

from league.core import formats
from league.ops.folders import TOP

_TINY = 8
_SMALL = 25
_LONGEST_FUNCTION = 50
_LONGEST_MODULE = 500
_MOST_LOOSE = 10
# Those that check shuffles, replay games and draw plots need a browser that has modules anyway.
_MODULES = {
    "check.js",
    "checks.js",
    "course.js",
    "dealing.js",
    "draws.js",
    "plots.js",
    "replay.js",
    "studio.js",
}
_SCRIPTS = sorted(
    str(path.relative_to(TOP))
    for folder in ("static/trefoil", "league/apps/*/static/*")
    for path in TOP.glob(f"{folder}/*.js")
    if path.name not in _MODULES
)
_NEWER_THAN_2016 = re.compile(
    r"\b(?:async|await)\b|\?\.\D|\?\?|\{\s*\.\.\.|catch \{|,\s*\)|\.requestSubmit\("
)

# Pure: what comes out depends on nothing but what goes in.
_ISLANDS = ("games/engine", "games/rules", "games/verifier.py", "league/core")
_COMMANDS = ("games.verify", "league.verify")
# Packages whose modules are found by themselves, and those that Django fills.
_UNLISTED = {
    *("games.rules", "league.core.formats", "league.core.standings.tie_breaks", "league.core.verbs"),
    *("league.locale", "league.locale.de", "league.locale.en_GB", "league.management"),
    "league.apps.programs.migrations.oauth2",
}
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


@pytest.mark.long
def test_mypy_finds_nothing() -> None:
    _run("-m", "mypy")


def test_imports_follow_the_contracts() -> None:
    _run("-c", "from importlinter.cli import lint_imports_command; lint_imports_command()", "--no-cache")


@pytest.mark.django_db
def test_migrations_match_the_models() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_the_deployment_checks_of_django_find_nothing() -> None:
    deployed = {
        "BEHIND_TLS": "1",
        "SECRET_KEY": token_urlsafe(64),
        "DJANGO_SETTINGS_MODULE": "league.ops.settings",
    }
    _run("manage.py", "check", "--deploy", "--fail-level", "WARNING", **deployed)


def _sources(*roots: str) -> Iterator[tuple[Path, str]]:
    for root in roots:
        path = TOP / root
        for file in [path] if path.is_file() else sorted(path.rglob("*.py")):
            if "migrations" not in file.parts:
                yield file.relative_to(TOP), file.read_text()


_ALL = ("manage.py", "games", "league", "api", "tests")


@cache
def _functions() -> list[tuple[int, str]]:
    """Return the lines of each function, the longest first, and where it is."""
    return sorted(
        (
            ((node.end_lineno or 0) - node.lineno + 1, f"{path}:{node.lineno} {node.name}")
            for path, source in _sources(*_ALL)
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ),
        reverse=True,
    )


def test_no_function_is_longer_than_a_screen() -> None:
    assert [where for lines, where in _functions() if lines > _LONGEST_FUNCTION] == []


def test_most_functions_are_short() -> None:
    lengths = [lines for lines, where in _functions() if not where.startswith("tests/")]
    assert lengths[len(lengths) // 2] <= _TINY
    assert lengths[len(lengths) // 10] <= _SMALL


def test_no_module_is_too_long() -> None:
    lines = {str(path): source.count("\n") for path, source in _sources(*_ALL)}
    assert [path for path, count in lines.items() if count > _LONGEST_MODULE] == []


def test_pure_code_uses_no_clock_and_no_files() -> None:
    asking = [
        f"{path}:{node.lineno} {name}"
        for path, source in _sources(*_ISLANDS)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and (name := ast.unparse(node.func).rpartition(".")[2]) in _IMPURE
    ]
    assert asking == []


_KEYS = {*formats.BY_KEY}


def _asks(node: ast.AST) -> bool:
    """Return whether code compares something with the key of a format, or imports one format."""
    match node:
        case ast.Compare() | ast.MatchValue():
            return any(isinstance(each, ast.Constant) and each.value in _KEYS for each in ast.walk(node))
        case ast.ImportFrom(module=str(module)):
            return module.startswith("league.core.formats.") and not module.endswith(".base")
    return False


def test_nothing_outside_of_the_formats_asks_which_format_it_is() -> None:
    asking = [
        f"{path}:{node.lineno}"
        for path, source in _sources("games", "league", "api")
        if "formats" not in path.parts
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.stmt | ast.expr | ast.pattern) and _asks(node)
    ]
    asks = re.compile(rf"(?:==|case|in)\s*[\"'](?:{'|'.join(_KEYS)})[\"']")
    shown = [*(TOP / "templates").rglob("*.html"), *(TOP / "static/trefoil").rglob("*.js")]
    assert asking + [str(path) for path in shown if asks.search(path.read_text())] == []


# ---- What imports what ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def imports() -> grimp.ImportGraph:
    """Return what imports what, packages that others made included."""
    return grimp.build_graph("games", "league", "api", include_external_packages=True, cache_dir=None)


def _ours(module: str) -> bool:
    return module.partition(".")[0] in ("games", "league", "api")


def test_the_verifiers_need_only_python(imports: grimp.ImportGraph) -> None:
    running = {each for command in _COMMANDS for each in (command, *imports.find_upstream_modules(command))}
    # A verb registers itself: nothing names it.
    running |= imports.find_descendants("league.core.verbs")
    running |= {
        each for module in {*running} if _ours(module) for each in imports.find_upstream_modules(module)
    }
    foreign = {
        (module, name)
        for module in running
        if _ours(module)
        for name in imports.find_modules_directly_imported_by(module)
        if not _ours(name) and name not in sys.stdlib_module_names
    }
    assert not foreign


def _packages(imports: grimp.ImportGraph) -> list[str]:
    """Return the packages in which every module has its place."""
    return sorted(
        module
        for module in imports.modules
        if _ours(module) and imports.find_children(module) and module not in _UNLISTED
        and not module.startswith("games.rules.") and not module.endswith(".migrations")
    )  # fmt: skip


def test_a_module_outside_the_layers_breaks_the_contracts(imports: grimp.ImportGraph, tmp_path: Path) -> None:
    for root in ("games", "league", "api"):
        shutil.copytree(TOP / root, tmp_path / root, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(TOP / "pyproject.toml", tmp_path)
    strays = [f"{package}.stray" for package in _packages(imports)]
    for stray in strays:
        (tmp_path / stray.replace(".", "/")).with_suffix(".py").touch()
    command = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    result = subprocess.run(
        [sys.executable, "-c", command, "--no-cache"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode != 0
    assert [stray for stray in strays if f"- {stray}\n" not in result.stdout] == []


@pytest.mark.parametrize("script", _SCRIPTS)
def test_scripts_have_no_syntax_newer_than_2016(script: str) -> None:
    source = re.sub(r"//.*|\"[^\"\n]*\"", "0", (TOP / script).read_text())
    assert _NEWER_THAN_2016.findall(source) == []


def test_the_league_package_has_few_modules_at_its_root() -> None:
    loose = {path.name for path in (TOP / "league").glob("*.py")} - {"__init__.py"}
    assert len(loose) <= _MOST_LOOSE, loose


def test_every_test_and_benchmark_that_the_docs_name_is_there() -> None:
    named = {
        (path.name, name)
        for path in (*TOP.glob("*.md"), *TOP.glob("docs/*.md"))
        for name in re.findall(r"\b(?:tests|benchmarks)/[\w/]+\.py", path.read_text())
    }
    assert sorted(each for each in named if not (TOP / each[1]).exists()) == []
