"""A small disk under the data, which is full in the middle of what is written."""

import os
import random
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from django.db import InterfaceError, OperationalError, connection

from league.demo.clients import Failed
from league.ops.folders import data_folder
from tests.cluster.hosts import fill
from tests.crash.service import KINDS, Service

if TYPE_CHECKING:
    from tests.crash.players import Players

_MOST_LEFT: Final = 1 << 20
"""Bytes of the disk."""
_MOST_LOG_LEFT: Final = 1 << 16
"""Bytes of the write-ahead log, in the files that it has."""
_LONGEST_FULL: Final = 3.0
_USE_UP: Final = """
    SELECT pg_logical_emit_message(true, '', repeat('x', greatest(0, (segment * count(*)
        - (pg_walfile_name_offset(pg_current_wal_insert_lsn())).file_offset) * 8168 / 8192 - %s)::int))
    FROM pg_ls_waldir(), (SELECT pg_size_bytes(current_setting('wal_segment_size')) AS segment) AS setting
    WHERE name >= pg_walfile_name(pg_current_wal_insert_lsn()) AND name ~ '^[0-9A-F]{24}$'
    GROUP BY segment
"""
"""Each page of the log, of 8,192 bytes, begins with 24 of its own."""


@contextmanager
def small(folder: Path, size: str = "200m") -> Iterator[None]:
    """Put a small disk of its own under an empty folder. Raises `Failed`."""
    if os.geteuid():
        raise Failed("Only root can mount the small disk that is to be full.")
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size},mode=711", "trefoil-small", folder], check=True
    )
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def full(service: Service, players: "Players", _: int, dice: random.Random) -> Iterator[str]:
    """Fill the disk but for a rest, until moves have been refused for a while; yield what came of it.

    Nothing of ours may end by it.
    """
    if not data_folder().is_mount():
        raise Failed(f"{data_folder()} is not a disk of its own, which could be full.")
    time.sleep(dice.uniform(0, 1))
    _keep_log_short()
    before, refused = _running(service), players.refusals()
    ballast = fill(data_folder())
    os.truncate(ballast, ballast.stat().st_size - dice.randrange(_MOST_LEFT))
    _use_up(dice.randrange(_MOST_LOG_LEFT))
    service.wait("a refusal", lambda: players.refusals() > refused)
    time.sleep(dice.uniform(0, _LONGEST_FULL))
    ballast.unlink()
    played = len(players.made)
    service.wait("a service that is well", service.is_well)
    service.wait("a move", lambda: len(players.made) > played)
    after = _running(service)
    if ended := [kind for kind in before if kind != "PostgreSQL" and before[kind] != after[kind]]:
        raise Failed(f"What has ended of a full disk: {ended}. The log: {service.log}")
    if "Traceback" in service.log.read_text():
        raise Failed(f"A full disk is more than a line for each refusal. The log: {service.log}")
    yield "PostgreSQL, at a commit" if before != after else "a statement"


def _running(service: Service) -> dict[str, list[int]]:
    """Return the processes of all kinds but the connections, which come and go."""
    return {kind: sorted(service.processes(kind)) for kind in KINDS if "connection" not in kind}


def _keep_log_short() -> None:
    """Let PostgreSQL keep few files of the log for use again: it keeps the more, the more are used up."""
    with connection.cursor() as cursor:
        for bound in ("min", "max"):
            cursor.execute(f"ALTER SYSTEM SET {bound}_wal_size = '32MB'")
        cursor.execute("SELECT pg_reload_conf()")
    connection.close()


def _use_up(rest: int) -> None:
    """Use the files up that the write-ahead log has, but for a rest: after it a commit needs a new one."""
    with suppress(OperationalError, InterfaceError), connection.cursor() as cursor:
        cursor.execute(_USE_UP, [rest])
    connection.close()
