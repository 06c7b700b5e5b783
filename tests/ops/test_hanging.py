"""What users see when a server hangs for good (docs/trust.md).

An embedded one is ended, and started again; emails wait for a mail server.
"""

import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from league.ops import processes
from league.ops.postgres import home
from tests import patience
from tests.ops.service import manage, running, stop, stopped
from tests.ops.test_faults import _AT_ONCE, Service, told, well_again

pytestmark = pytest.mark.long

_FORGETFUL = """
from league.services.accounts import create_account
account = create_account(username="forgetful")
account.email = "forgetful@cards.example"
account.set_password("a deck of fifty-two")
account.save()
"""


@pytest.fixture(scope="module")
def mail() -> Iterator[socket.socket]:
    """A mail server that accepts and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as mail:
        mail.setblocking(False)
        yield mail


@pytest.fixture(scope="module")
def service(mail: socket.socket) -> Iterator[Service]:
    """Run a service that waits for 12 seconds only, and sends emails to this server."""
    data = Path(tempfile.mkdtemp(prefix=f"trefoil-test-{os.getpid()}-hanging-"))
    data.chmod(0o711)
    with running(
        data,
        DATABASE_SECONDS="5",
        SILENT_SECONDS="12",
        EMAIL_URL=f"smtp://127.0.0.1:{mail.getsockname()[1]}/?tls=0",
    ) as up:
        found = Service(up, up.hear(r"READY (http://\S+/)"), data)
        assert processes.eventually(found.is_ready, patience.SECONDS, every=0.5)
        yield found
    shutil.rmtree(home(data).parent, ignore_errors=True)
    shutil.rmtree(data, ignore_errors=True)


def hung(service: Service, name: str) -> int:
    """Return how often a server was ended because it hung."""
    return next(int(part["hung"]) for part in told(service) if part["name"] == name)


def test_a_mail_server_that_never_answers_keeps_nobody_waiting(service: Service, mail: socket.socket) -> None:
    with manage(service.data, "shell", "-c", _FORGETFUL) as shell:
        said, _ = shell.communicate(timeout=patience.SECONDS)
    assert shell.returncode == 0, said
    with httpx.Client(base_url=service.address, timeout=patience.SECONDS) as browser:
        browser.get("account/forgotten/")
        fields = {"email": "forgetful@cards.example", "csrfmiddlewaretoken": browser.cookies["csrftoken"]}
        with stopped(service.up.part("league.ops.worker")):
            answer = browser.post("account/forgotten/", data=fields)
            with pytest.raises(BlockingIOError):
                mail.accept()
    assert answer.status_code == 302
    service.up.hear("eemail_not_taken")
    status, seconds, _answer = service.seen("account/login/")
    assert (status, seconds < _AT_ONCE) == (200, True)
    assert service.is_ready()


def test_a_broker_that_hangs_for_good_is_started_again_while_pages_go_on(service: Service) -> None:
    stop(service.up.server("valkey-server"))
    assert service.seen("account/login/")[0] == 200
    service.up.hear("broker has not answered for long: it is ended")
    assert service.seen("account/login/")[0] == 200
    assert well_again(service.is_ready)
    assert hung(service, "broker") == 1


def test_a_database_that_hangs_for_good_is_started_again_with_all_that_it_held(service: Service) -> None:
    stop(service.up.server("postgres"))
    assert service.seen("clubs/nobody/")[0] == 503
    service.up.hear("PostgreSQL has not answered for long: it is ended")
    assert well_again(lambda: service.seen("clubs/nobody/")[0] == 404)
    assert well_again(service.is_ready)
    assert hung(service, "PostgreSQL") == 1
