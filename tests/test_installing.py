"""What tests need is installed when they ask: which browser is used, and what is said if there is none."""

import os
from pathlib import Path

import pytest

from tests import installing
from tests.installing import CHROMIUM_VARIABLE, NotInstalled, chromium, found_chromium


def _program(path: Path, code: int = 0) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\nexit {code}\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine without a browser; returns its one folder on PATH."""
    monkeypatch.delenv(CHROMIUM_VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "cache"))
    monkeypatch.setattr(installing, "_MAC", tmp_path / "none")
    return tmp_path / "bin"


def test_only_the_configured_browser_is_used(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _program(bare / "chromium")
    monkeypatch.setenv(CHROMIUM_VARIABLE, str(bare / "own"))
    assert found_chromium() is None
    assert _program(bare / "own") == found_chromium()


def test_a_placeholder_that_does_not_run_is_skipped(bare: Path) -> None:
    _program(bare / "chromium-browser", code=1)
    assert found_chromium() is None
    assert _program(bare / "google-chrome") == found_chromium()


def test_the_shell_is_used_rather_than_a_whole_browser(bare: Path) -> None:
    cache = bare.parent / "cache"
    whole = _program(cache / "chromium-9" / "chrome-linux" / "chrome")
    assert found_chromium() == whole
    shells = cache / "chromium_headless_shell-9" / "chrome-headless-shell-linux64"
    assert _program(shells / "chrome-headless-shell") == found_chromium()
    _program(bare / "chromium")
    assert _program(bare / "chromium-headless-shell") == found_chromium()


def test_playwrights_own_browser_is_found_in_its_cache(bare: Path) -> None:
    own = _program(bare.parent / "cache" / "chromium-1234" / "chrome-linux" / "chrome")
    assert found_chromium() == own


def _install(monkeypatch: pytest.MonkeyPatch, uid: int, made: Path | None) -> list[str]:
    """Let `chromium` run commands on paper, the last of which makes a program. Return their first words."""
    commands: list[str] = []

    def run(*command: str) -> bool:
        words = command[-3:] if "playwright" in command else (command[2], command[5])
        commands.append(" ".join(words))
        if made and "install" in command:
            _program(made)
        return made is not None

    monkeypatch.setattr(os, "geteuid", lambda: uid)
    monkeypatch.setattr(installing, "_run", run)
    monkeypatch.setattr(installing, "_POLICY", Path("/"))  # which exists
    chromium()
    return commands


def test_root_gets_the_browser_of_the_system(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _program(bare / "apt-get")
    assert _install(monkeypatch, 0, bare / "chromium-headless-shell") == ["apt-get update", "apt-get install"]


def test_other_users_get_the_browser_of_playwright(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _program(bare / "apt-get")
    own = bare.parent / "cache" / "chromium-1234" / "chrome-linux" / "chrome"
    assert _install(monkeypatch, 1000, own) == ["playwright install chromium-headless-shell"]


def test_a_failed_installation_says_what_to_do(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _program(bare / "apt-get")
    with pytest.raises(NotInstalled, match=r"Tests need Chromium.* TREFOIL_CHROMIUM"):
        _install(monkeypatch, 0, None)
