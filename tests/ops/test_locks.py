"""The lock files match pyproject.toml, have hashes, and name no machine."""

import re
import tomllib
from collections.abc import Iterable
from importlib import metadata

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from league.ops.folders import TOP

_PROJECT = tomllib.loads((TOP / "pyproject.toml").read_text())
_RUNTIME: list[str] = _PROJECT["project"]["dependencies"]
_DEV: list[str] = [*_RUNTIME, *_PROJECT["dependency-groups"]["dev"]]

_PROJECT_LOCKS = ("requirements.lock", "requirements-dev.lock")
LOCKS = pytest.mark.parametrize(("lock", "inputs"), list(zip(_PROJECT_LOCKS, (_RUNTIME, _DEV), strict=True)))


def _pins(lock: str) -> list[str]:
    return [line.rstrip(" \\") for line in (TOP / lock).read_text().splitlines() if re.match(r"\w", line)]


def _here(lock: str) -> dict[str, Version]:
    """Return the locked version of each package that this Python on this machine gets."""
    pins = [Requirement(pin) for pin in _pins(lock)]
    return {
        canonicalize_name(pin.name): Version(str(pin.specifier).removeprefix("=="))
        for pin in pins
        if pin.marker is None or pin.marker.evaluate()
    }


def _needed(inputs: Iterable[str], extras: Iterable[str] = ("",)) -> list[Requirement]:
    wanted = map(Requirement, inputs)
    return [
        need
        for need in wanted
        if need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in extras)
    ]


def _closure(inputs: Iterable[str]) -> list[Requirement]:
    """Return all requirements that follow from some, by what the installed packages say of themselves."""
    found, waiting, seen = [], _needed(inputs), set()
    while waiting:
        need = waiting.pop()
        key = (canonicalize_name(need.name), frozenset(need.extras), str(need.specifier))
        if key not in seen:
            seen.add(key)
            found.append(need)
            waiting += _needed(metadata.requires(need.name) or (), ("", *need.extras))
    return found


@LOCKS
def test_a_lock_has_exactly_the_packages_that_the_inputs_need(lock: str, inputs: list[str]) -> None:
    locked, needed = _here(lock), _closure(inputs)
    assert {canonicalize_name(need.name) for need in needed} == locked.keys()
    unfit = [
        str(need) for need in needed if not need.specifier.contains(locked[canonicalize_name(need.name)])
    ]
    assert unfit == []


@LOCKS
def test_a_lock_has_no_host_and_no_folder(lock: str, inputs: list[str]) -> None:
    text = (TOP / lock).read_text()
    assert not re.search(r"://|@|--(?!hash=sha256:)|/", text)


@LOCKS
def test_every_pin_has_its_hashes(lock: str, inputs: list[str]) -> None:
    entries = re.split(r"\n(?=\w)", (TOP / lock).read_text().strip())
    assert len(entries) == len(_pins(lock)) > len(inputs)
    assert [entry.partition(" ")[0] for entry in entries if "--hash=sha256:" not in entry] == []


def test_the_dev_lock_pins_all_that_the_runtime_lock_pins() -> None:
    runtime, dev = ({pin.partition(" ")[0] for pin in _pins(lock)} for lock in _PROJECT_LOCKS)
    assert runtime <= dev
