"""Debian's packages, for what tests need of the system."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_APT: Final = ("apt-get", "--yes", "--quiet")
# https://people.debian.org/~hmh/invokerc.d-policyrc.d-specification.txt
_POLICY: Final = Path("/usr/sbin/policy-rc.d")
_FORBIDDEN: Final = "#!/bin/sh\nexit 101\n"


def can_install() -> bool:
    """Return whether this is a system with apt-get, and we are root."""
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def install(*names: str) -> bool:
    """Install packages without starting their services; return whether that went well."""
    if not can_install():
        return False
    with _no_service_starts():
        return _succeeds("update") and _succeeds("install", "--no-install-recommends", *names)


@contextmanager
def _no_service_starts() -> Iterator[None]:
    """Forbid that packages start services, unless the system has a policy of its own."""
    if _POLICY.exists():
        yield
        return
    _POLICY.write_text(_FORBIDDEN)
    _POLICY.chmod(0o755)
    try:
        yield
    finally:
        _POLICY.unlink()


def _succeeds(*command: str) -> bool:
    given = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    return subprocess.run([*_APT, *command], env=given, stdout=sys.stderr, check=False).returncode == 0
