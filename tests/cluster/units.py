"""The systemd units of deploy/, read as far as they say what to run."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Final

from league.ops.folders import TOP

FOLDER: Final = TOP / "deploy" / "systemd"
_CODE: Final = "/srv/trefoil"
"""Where the units expect the service."""
SETTINGS: Final = "/etc/trefoil"
"""Where they expect their settings."""


@dataclass(frozen=True)
class Unit:
    """A program of a host: its command, the user that runs it, and what it finds in its environment."""

    name: str
    command: tuple[str, ...]
    user: str
    environment: Mapping[str, str]


def read(name: str, settings: Path, code: Path = TOP) -> Unit:
    """Return the unit ``trefoil-<name>``; the folders of settings and code are those of its host."""
    given: dict[str, list[str]] = {}
    for line in (FOLDER / f"trefoil-{name}.service").read_text().splitlines():
        key, is_setting, value = line.partition("=")
        if is_setting and not line.startswith("#"):
            given.setdefault(key, []).append(value)
    environment = dict(each.split("=", 1) for each in given.get("Environment", ()))
    for path in given.get("EnvironmentFile", ()):
        environment |= variables(settings / Path(path).relative_to(SETTINGS))
    command = Template(given["ExecStart"][0].replace(_CODE, str(code))).substitute(environment)
    return Unit(name, (*shlex.split(command),), given.get("User", ["root"])[0], environment)


def variables(file: Path) -> dict[str, str]:
    """Return the variables of an environment file."""
    lines = [line for line in file.read_text().splitlines() if line and not line.startswith("#")]
    return dict(line.split("=", 1) for line in lines)
