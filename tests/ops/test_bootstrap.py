"""manage.py with nothing but Python: it creates the environment and runs the command inside it."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from league.ops.folders import TOP

_BASE = str(getattr(sys, "_base_executable", sys.executable))


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout whose locks name no package and whose only command says where it runs."""
    shutil.copy(TOP / "manage.py", tmp_path)
    for lock in ("requirements.lock", "requirements-dev.lock"):
        (tmp_path / lock).write_text(f"# {lock}\n")
    ops = tmp_path / "league" / "ops"
    ops.mkdir(parents=True)
    (ops / "command.py").write_text("import sys\ndef run(argv): print(sys.prefix, *argv[1:])\n")
    return tmp_path


def _start(checkout: Path, *arguments: str) -> "subprocess.Popen[str]":
    environment = {name: value for name, value in os.environ.items() if name != "TREFOIL_VENV"}
    return subprocess.Popen(
        [_BASE, str(checkout / "manage.py"), *arguments],
        env={**environment, "PATH": "/usr/bin:/bin"},  # no uv
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _installed(checkout: Path, command: str) -> int:
    """Return how often packages were installed for a command."""
    return _start(checkout, command).communicate(timeout=120)[1].count("Installing what")


@pytest.mark.long
def test_two_first_commands_make_one_environment_which_changes_only_with_a_lock_or_python(
    checkout: Path,
) -> None:
    both = [_start(checkout, name) for name in ("one", "two")]
    said, complained = zip(*(each.communicate(timeout=120) for each in both), strict=True)
    assert said == (f"{checkout}/.venv one\n", f"{checkout}/.venv two\n")
    assert "".join(complained).count("Installing what") == 1
    counts = [_installed(checkout, command) for command in ("check", "develop", "check")]
    (checkout / "requirements-dev.lock").write_text("# newer\n")
    counts += [_installed(checkout, command) for command in ("check", "test")]
    (checkout / ".venv" / "bin" / "python").unlink()
    counts += [_installed(checkout, "check")]
    assert counts == [0, 1, 0, 0, 1, 1]


def test_a_missing_package_is_reported_and_nothing_is_marked_as_installed(checkout: Path) -> None:
    options = ("--without-pip", "--system-site-packages")  # a pip of its own takes long
    subprocess.run([_BASE, "-m", "venv", *options, checkout / ".venv"], check=True)
    (checkout / "requirements.lock").write_text("trefoil-nowhere @ file:///nowhere.whl --hash=sha256:00\n")
    process = _start(checkout, "check")
    _, complained = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "could not be installed" in complained
    assert not (checkout / ".venv" / "lock.sha256").exists()


def test_an_environment_that_cannot_be_made_is_told_in_a_sentence(checkout: Path) -> None:
    (checkout / ".venv.lock").mkdir()  # as little of use as one in another user's checkout
    process = _start(checkout, "check")
    said = process.communicate(timeout=120)[1]
    assert (process.returncode, said.partition(":")[0]) == (1, f"{checkout}/.venv can't be used")
    assert "Traceback" not in said


@pytest.fixture
def manage() -> ModuleType:
    spec = importlib.util.spec_from_file_location("manage", TOP / "manage.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_without_root_the_system_package_to_install_is_named(
    manage: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(SystemExit, match=rf"apt-get install python3\.{sys.version_info[1]}-venv"):
        manage.install_ensurepip()


def test_the_pip_of_the_system_is_used_if_ensurepip_is_missing(
    manage: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said: list[list[str]] = []

    def succeeds(command: list[str]) -> bool:
        said.append(command)
        return True

    monkeypatch.setattr(manage, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(manage, "runs", lambda command: True)
    monkeypatch.setattr(manage, "succeeds", succeeds)
    manage.make_venv()
    assert said[0][1:] == ["-m", "venv", "--without-pip", str(tmp_path / ".venv")]
