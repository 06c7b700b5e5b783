"""What users see while a part hangs, and how long it takes to be well again (docs/trust.md).

All on one running service: the tests go on from each other, and each leaves it well.
"""

import json
import os
import re
import shutil
import socket
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from league.ops import folders, processes
from league.ops.postgres import home
from tests import patience
from tests.crash.disk import small
from tests.ops.service import Up, manage, running, stopped

pytestmark = pytest.mark.long

_AT_ONCE = 30.0
"""Seconds within which a busy machine answers what takes no time; what hangs does so for longer."""
_DATABASE_SECONDS = 2
_DISK = "300m"


@dataclass(frozen=True)
class Service:
    """A running service and its address."""

    up: Up
    address: str
    data: Path

    def seen(self, path: str) -> tuple[int, float, httpx.Response]:
        """Return the status of a page, the seconds that it took, and the answer."""
        began = time.monotonic()
        answer = httpx.get(f"{self.address}{path}", timeout=patience.SECONDS)
        return answer.status_code, time.monotonic() - began, answer

    def is_ready(self) -> bool:
        return self.seen("readyz")[0] == 200


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """Run a service, as root on a small disk of its own."""
    data = Path(tempfile.mkdtemp(prefix=f"trefoil-test-{os.getpid()}-faults-"))
    data.chmod(0o711)
    disk = small(data, _DISK) if os.geteuid() == 0 else nullcontext()
    with disk, running(data, DATABASE_SECONDS=str(_DATABASE_SECONDS)) as up:
        found = Service(up, up.hear(r"READY (http://\S+/)"), data)
        assert processes.eventually(found.is_ready, patience.SECONDS, every=0.5)
        yield found
    shutil.rmtree(home(data).parent, ignore_errors=True)
    shutil.rmtree(data, ignore_errors=True)


def well_again(happened: Callable[[], bool]) -> bool:
    return processes.eventually(happened, patience.SECONDS, every=0.5)


def all_run(service: Service) -> bool:
    return all(each["runs"] for each in told(service))


def test_a_broker_that_hangs_is_seen_by_probes_alone(service: Service) -> None:
    with stopped(service.up.server("valkey-server")):
        status, seconds, answer = service.seen("readyz")
        while answer.json()["broker"]:  # what was found is kept for two seconds
            status, seconds, answer = service.seen("readyz")
        assert (status, seconds < _AT_ONCE) == (503, True)
        status, seconds, _answer = service.seen("account/login/")
        assert (status, seconds < _AT_ONCE) == (200, True)
    assert well_again(service.is_ready)


def test_a_broker_that_refuses_all_messages_stops_no_page(service: Service) -> None:
    before = ends(service).get("worker", 0)
    refuse(service, "1")  # as one does whose disk is full
    try:
        assert well_again(lambda: ends(service).get("worker", 0) > before)
        assert service.seen("account/login/")[0] == 200
    finally:
        refuse(service, "0")
    assert well_again(lambda: all_run(service))


def refuse(service: Service, replicas: str) -> None:
    """Let the broker demand so many replicas before it takes a message; it has none."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(folders.socket_folder(service.data / "broker") / "valkey.sock"))
        connection.sendall(f"CONFIG SET min-replicas-to-write {replicas}\r\n".encode())
        assert connection.recv(16).startswith(b"+OK")


def test_a_database_that_hangs_makes_pages_ask_for_patience(service: Service) -> None:
    with stopped(service.up.server("postgres")):
        status, seconds, answer = service.seen("clubs/nobody/")
        assert (status, int(answer.headers["Retry-After"]) > 0) == (503, True)
        assert seconds < 4 * _DATABASE_SECONDS + _AT_ONCE
        for path, expected in (("healthz", 200), ("readyz", 503)):
            status, seconds, _answer = service.seen(path)
            assert (status, seconds < _AT_ONCE) == (expected, True)
        assert "application/problem+json" in service.seen("api/v1/clubs/nobody/")[2].headers["Content-Type"]
    assert well_again(lambda: service.seen("clubs/nobody/")[0] == 404)
    assert well_again(service.is_ready)


def test_a_part_or_server_that_is_killed_is_started_again_and_the_web_goes_on(service: Service) -> None:
    assert well_again(lambda: all_run(service))
    before = ends(service)
    service.up.part("league.ops.worker").kill()
    service.up.hear(r"worker \(-9\) has ended: starting it again in")
    assert service.seen("account/login/")[0] == 200
    assert well_again(lambda: ended_again(service, "worker", before))
    service.up.server("postgres").kill()
    service.up.hear("PostgreSQL has ended: starting it again")
    assert well_again(lambda: ended_again(service, "PostgreSQL", before))
    assert well_again(service.is_ready)


def ended_again(service: Service, name: str, before: Mapping[str, int]) -> bool:
    """Return whether a part has ended since, and all run now."""
    return ends(service).get(name, 0) > before.get(name, 0) and all_run(service)


def ends(service: Service) -> dict[str, int]:
    """Return how often the parts have ended, where they have."""
    return {each["name"]: each["ends"] for each in told(service) if each["ends"]}


def told(service: Service) -> Sequence[dict[str, Any]]:
    """Return what the supervisor has noted of each part."""
    parts: Sequence[dict[str, Any]] = json.loads((service.data / "parts-all.json").read_text())["parts"]
    return parts


def crashed(service: Service, *how: str) -> str:
    """Let a league be played while something crashes; return what the command says of it."""
    at = ("--url", service.address.rstrip("/"), "--pid", str(service.up.process.pid))
    with manage(service.data, "crash-test", *how, *at) as crashes:
        said, _ = crashes.communicate(timeout=2 * patience.SECONDS)
    assert crashes.returncode == 0, said
    return said


def test_processes_that_are_killed_while_a_league_is_played_lose_and_double_no_move(service: Service) -> None:
    assert "2 crashes" in crashed(service, "--kills", "2")


def marked(service: Service, mark: str) -> str:
    """Return what the service has said until now."""
    service.seen(f"clubs/{mark}/")
    service.up.hear(mark)
    return service.up.said


def test_a_full_disk_is_a_line_for_each_refusal_loses_no_move_and_ends_nothing_of_ours(
    service: Service,
) -> None:
    assert service.data.is_mount(), "Only root can mount the small disk that this test fills."
    before, began = {**ends(service), "PostgreSQL": 0}, len(marked(service, "before"))
    assert "1 crashes" in crashed(service, "--fills", "1")
    said = marked(service, "afterwards")[began:]
    refused = re.findall(r"request_\w+ code=503\b.*?\brequest_id=(\S+)", said)
    assert len(refused) == len({*refused}) > 0
    assert "Traceback" not in said
    assert len(re.findall("^(?!.*(request_finished|code=503))", said, re.MULTILINE)) < 100
    assert {**ends(service), "PostgreSQL": 0} == before
    assert well_again(service.is_ready)


def test_numbers_are_told_to_this_host(service: Service) -> None:
    assert well_again(lambda: service.seen("api/v1/clubs/nobody/")[0] == 404)
    numbers = service.seen("metrics")[2].text
    assert 'trefoil_refusals_total{code="not_found"}' in numbers
    assert 'trefoil_waiting{task="run_out"} 0.0' in numbers


def test_the_supervisor_stays_small(service: Service) -> None:
    supervisor = psutil.Process(service.up.process.pid)
    assert supervisor.memory_info().rss < 18_000_000
