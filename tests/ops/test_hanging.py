"""What users see when an embedded server hangs for good: it is ended, and started again (docs/trust.md)."""

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from league.ops import processes
from league.ops.postgres import home
from tests.ops.service import running
from tests.ops.test_faults import Service, told, well_again


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """Run a service that waits for 20 seconds only."""
    data = Path(tempfile.mkdtemp(prefix=f"trefoil-test-{os.getpid()}-hanging-"))
    data.chmod(0o711)
    with running(data, DATABASE_SECONDS="2", SILENT_SECONDS="20") as up:
        found = Service(up, up.hear(r"READY (http://\S+/)"), data)
        assert processes.eventually(found.is_ready, 60, every=0.5)
        yield found
    shutil.rmtree(home(data).parent, ignore_errors=True)
    shutil.rmtree(data, ignore_errors=True)


def hung(service: Service, name: str) -> int:
    """Return how often a server was ended because it hung."""
    return next(int(part["hung"]) for part in told(service) if part["name"] == name)


def test_a_broker_that_hangs_for_good_is_started_again_while_pages_go_on(service: Service) -> None:
    service.up.server("valkey-server").send_signal(signal.SIGSTOP)
    assert service.seen("account/login/")[0] == 200
    service.up.hear("broker has not answered for long: it is ended")
    assert service.seen("account/login/")[0] == 200
    assert well_again(service.is_ready)
    assert hung(service, "broker") == 1


def test_a_database_that_hangs_for_good_is_started_again_with_all_that_it_held(service: Service) -> None:
    server = service.up.server("postgres")
    for process in (server, *server.children(recursive=True)):
        process.send_signal(signal.SIGSTOP)
    assert service.seen("clubs/nobody/")[0] == 503
    service.up.hear("PostgreSQL has not answered for long: it is ended")
    assert well_again(lambda: service.seen("clubs/nobody/")[0] == 404)
    assert well_again(service.is_ready)
    assert hung(service, "PostgreSQL") == 1
