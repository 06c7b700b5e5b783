"""A test in a browser is tried once more, named, and excused twice in a run at most."""

import subprocess
import sys
from pathlib import Path

import pytest

from league.ops.folders import TOP

CONFTEST = """
import pytest
from tests.again import let_browsers_try_again, pytest_sessionfinish, pytest_terminal_summary
tries = {}

def pytest_collection_modifyitems(items):
    let_browsers_try_again(items)

@pytest.fixture
def browser(request):
    tries[request.node.name] = tries.get(request.node.name, 0) + 1
    return tries[request.node.name]
"""
FAILS_ONCE = "def test_{}(browser):\n    assert browser == 2\n"


def run(folder: Path, tests: str) -> tuple[int, list[str]]:
    """Return the code and the lines with which a run of these tests ends."""
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_it.py").write_text(tests)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:django",
        "-p",
        "no:schemathesis",
        "--rootdir",
        str(folder),
        str(folder),
    ]
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines()


def test_what_fails_once_in_a_browser_passes_and_is_named(tmp_path: Path) -> None:
    code, lines = run(tmp_path, FAILS_ONCE.format("one") + FAILS_ONCE.format("two"))
    assert code == 0
    assert [line for line in lines if line.startswith("TRIED AGAIN")] == [
        "TRIED AGAIN test_it.py::test_one: a bug to mend",
        "TRIED AGAIN test_it.py::test_two: a bug to mend",
    ]


def test_a_run_in_which_three_were_tried_again_fails(tmp_path: Path) -> None:
    code, lines = run(tmp_path, "".join(map(FAILS_ONCE.format, ("one", "two", "three"))))
    assert code == 1
    assert "FAILED: 3 tests were tried again, 2 may be" in lines


@pytest.mark.parametrize(
    "test", ["def test_it(browser):\n    assert browser > 2\n", "def test_it():\n    assert 0\n"]
)
def test_what_fails_twice_or_uses_no_browser_fails(tmp_path: Path, test: str) -> None:
    assert run(tmp_path, test)[0] == 1
