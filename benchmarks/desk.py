"""What each page of the desk costs in a club of 500 players with 50 competitions, one of them of everybody.

Run: ``.venv/bin/python -m pytest -n 0 -q -s benchmarks/desk.py``. Prints processor time in milliseconds, the
better of two, and the number of queries of each page, the dearest first; then what entering 470 names costs.
"""

import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league import tasks
from league.models import Competition, Job
from tests.factories import Cast
from tests.league.playing import opened
from tests.league.test_admin_scope import logged_in
from tests.league.test_big_club import big, pages
from tests.league.test_desk_verbs import post

__all__ = ["big"]
pytest_plugins = ["tests.conftest"]

NAMES = [f"Guest {number} {number * 7 % 101}" for number in range(470)]


@pytest.fixture
def cast(db: None) -> Cast:
    from tests import factories

    return factories.cast()


@pytest.fixture(autouse=True)
def tally() -> Iterator[None]:
    from games import rules
    from tests.league.tally import Tally

    with rules.registered(Tally()):
        yield


def test_pages(cast: Cast, big: Competition) -> None:
    client: Any = logged_in(cast.olga)
    measured = []
    for address in [each for each in pages(cast, big) if each.startswith("/admin")]:
        client.get(address)
        best = min(_measured(client, address) for _ in range(2))
        measured.append((*best, address.replace(str(big.pk), "<big>")))
    sys.stdout.write("\n")
    for seconds, queries, address in sorted(measured, reverse=True):
        sys.stdout.write(f"{seconds * 1000:6.0f} ms {queries:4} queries  {address}\n")


def _measured(client: Any, address: str) -> tuple[float, int]:
    with CaptureQueriesContext(connection) as queries:
        began = time.process_time()
        client.get(address)
        return time.process_time() - began, len(queries)


def test_entering_470_names(cast: Cast) -> None:
    client = logged_in(cast.olga)
    began = time.process_time()
    post(client, opened(cast), "enter-names", names="\n".join(NAMES), add="on")
    asked = time.process_time() - began
    began = time.process_time()
    tasks.run_job(str(Job.objects.get().pk))
    worked = time.process_time() - began
    assert Job.objects.get().result == {"entered": 470}
    sys.stdout.write(f"\n{asked * 1000:6.0f} ms until the job's page, {worked * 1000:.0f} ms in the worker\n")
