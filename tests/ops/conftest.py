"""Fixtures of the tests of servers, settings and commands."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from league.ops import folders
from league.ops.postgres import home


@pytest.fixture
def data() -> Iterator[Path]:
    """A data folder that every user may pass through, unlike pytest's own; the next run sweeps it."""
    folder = Path(tempfile.mkdtemp(prefix=f"trefoil-test-{os.getpid()}-ops-"))
    folder.chmod(0o711)
    yield folder
    cluster = home(folder)
    for rest in (folders.socket_folder(cluster), folders.socket_folder(folder / "broker"), cluster.parent):
        shutil.rmtree(rest, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)
