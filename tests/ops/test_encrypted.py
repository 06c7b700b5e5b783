"""The service speaks TLS to database and broker, and to nobody whom the site's own authority doesn't know."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from kombu import Connection
from kombu.exceptions import OperationalError

from league.ops import processes, queue
from league.ops.embedded import Broker
from league.ops.postgres import Postgres
from tests import patience
from tests.api.live import Events
from tests.ops.encrypted import Authority, Front, authority
from tests.ops.service import manage, running


@dataclass(frozen=True)
class Servers:
    """A database and a broker that are reached by TLS, and who signed their certificates."""

    ours: Authority
    database: Front
    broker: Front

    def database_url(self, known: Authority | None = None, host: str = "127.0.0.1") -> str:
        query = f"sslmode=verify-full&sslrootcert={(known or self.ours).certificate}"
        return f"postgresql://trefoil@{host}:{self.database.port}/trefoil?{query}"

    def broker_url(self, known: Authority | None = None, host: str = "127.0.0.1") -> str:
        query = f"ssl_cert_reqs=required&ssl_ca_certs={(known or self.ours).certificate}"
        return f"rediss://{host}:{self.broker.port}/0?{query}"

    def environment(self) -> dict[str, str]:
        url = self.database_url()
        return {"DATABASE_URL": url, "DATABASE_DIRECT_URL": url, "CELERY_BROKER_URL": self.broker_url()}


@pytest.fixture
def servers(data: Path) -> Iterator[Servers]:
    database, broker = Postgres(data, durable=False), Broker(data)
    ours = authority(data / "authority")
    database.start()
    broker.start()
    fronts = (
        Front(f"{database.sockets}/.s.PGSQL.5432", ours, first=True),
        Front(str(broker.socket), ours),
    )
    yield Servers(ours, *fronts)
    for each in (*fronts, database, broker):
        with suppress(OSError):
            each.close() if isinstance(each, Front) else each.stop()


@pytest.fixture
def another(data: Path) -> Authority:
    return authority(data / "another")


def test_another_authority_or_name_is_refused_by_the_database_s_clients(
    servers: Servers, another: Authority
) -> None:
    with psycopg.connect(servers.database_url()) as connection:
        assert connection.pgconn.ssl_in_use
    for url in (servers.database_url(another), servers.database_url(host="localhost")):
        with pytest.raises(psycopg.OperationalError, match=r"certificate verify failed|does not match host"):
            psycopg.connect(url)


def test_another_authority_or_name_is_refused_by_the_broker_s_clients(
    servers: Servers, another: Authority
) -> None:
    def reach(url: str) -> None:
        options = queue.transport_options(url)
        with Connection(url, transport_options=options) as connection:
            connection.ensure_connection(max_retries=1, timeout=patience.SECONDS)

    reach(servers.broker_url())
    for url in (servers.broker_url(another), servers.broker_url(host="localhost")):
        with pytest.raises(OperationalError, match="CERTIFICATE_VERIFY_FAILED"):
            reach(url)


_OPENED = "from tests.factories import cast; print('opened', cast().game('scoops').pk)"
_MADE = """
from games.models import Seat
from league.callers import ByAccount
from league.models import Account
from league.services.play import make_move
account = Account.objects.get(username="paul")
game = Seat.objects.get(account=account.pk).game
make_move(ByAccount(account), game_id=game.pk, seq=2, move={"type": "resign"})
"""
_SWEPT = "SELECT count(*) FROM league_periodicrun WHERE name = 'sweep'"


@pytest.mark.long
def test_all_parts_reach_database_and_broker_by_tls(servers: Servers, data: Path) -> None:
    service, given = data / "service", servers.environment()

    def said(code: str) -> str:
        return manage(service, "shell", "-c", code, **given).communicate(timeout=patience.SECONDS)[0]

    with running(service, **given) as up:
        address = up.hear(r"READY (http://\S+/)")

        def told() -> dict[str, Any]:
            answer: dict[str, Any] = httpx.get(f"{address}readyz", timeout=patience.SECONDS).json()
            return answer

        # Notifications are sent on one connection, and heard on the direct one.
        assert processes.eventually(lambda: told()["ready"], patience.SECONDS, every=0.5), told()
        game = said(_OPENED).split()[-1]
        with httpx.stream("GET", f"{address}api/v1/games/{game}/events/", timeout=patience.SECONDS) as answer:
            assert answer.status_code == 200, answer.read()
            events = (event for event in Events(answer) if "event" in event)
            assert next(events)["id"] == "1"
            said(_MADE)
            assert next(events)["id"] == "2"
        # The scheduler has asked for it, and the worker has done it.
        with psycopg.connect(servers.database_url()) as connection:
            assert connection.execute(_SWEPT).fetchone() == (1,)
    assert min(servers.database.connections, servers.broker.connections) > 2
