"""Numbers for Prometheus: who may read them, and what they say."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from league.ops import metrics
from tests.cluster.hosts import fill

COUNT = """
import os, sys
from league.ops import metrics
metrics.STREAMS.inc()
metrics.REFUSALS.labels("stale").inc()
os._exit(0)
"""


@pytest.mark.parametrize(
    ("client", "authorization", "token", "may"),
    [
        ("127.0.0.1", "", "", True),
        ("10.0.0.7", "", "", False),
        (None, "", "", False),
        ("127.0.0.1", "", "secret", False),
        ("10.0.0.7", "Bearer secret", "secret", True),
        ("10.0.0.7", "Bearer other", "secret", False),
    ],
    ids=["here", "elsewhere", "nowhere", "here-without-token", "token", "wrong-token"],
)
def test_numbers_are_for_this_host_or_whoever_has_the_token(
    client: str | None, authorization: str, token: str, may: bool
) -> None:
    assert metrics.allowed(client, authorization, token) is may


def test_numbers_of_processes_are_summed_and_those_of_the_dead_are_no_longer_current(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(metrics.VARIABLE, str(tmp_path))
    for _process in range(2):
        subprocess.run([sys.executable, "-c", COUNT], env={**os.environ}, check=True)
    assert len([*tmp_path.glob("gauge_livesum_*.db")]) == 2
    told = metrics.exposition(metrics.Waiting({"run_out": 3.0}, {"run_out": 7.0})).decode()
    assert 'trefoil_refusals_total{code="stale"} 2.0' in told
    assert "trefoil_streams 1.0" not in told
    assert 'trefoil_waiting{task="run_out"} 3.0' in told
    assert 'trefoil_lag_seconds{task="run_out"} 7.0' in told


def test_a_full_place_for_numbers_ends_nobody_who_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "trefoil-test", tmp_path], check=True)
    try:
        fill(tmp_path)
        monkeypatch.setenv(metrics.VARIABLE, str(tmp_path))
        ended = subprocess.run([sys.executable, "-c", COUNT], capture_output=True, text=True, check=False)
        assert [*tmp_path.glob("*.db")] == []
        assert (ended.returncode, ended.stderr.count("No space left on device")) == (0, 1)
    finally:
        subprocess.run(["umount", "--lazy", tmp_path], check=True)


def test_a_database_that_does_not_answer_is_a_number_too() -> None:
    assert "trefoil_database_up 0.0" in metrics.exposition(None).decode()
