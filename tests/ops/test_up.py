"""`manage.py up` as its users see it."""

import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
import psutil
import pytest

from league.ops import processes
from tests import patience
from tests.ops.service import manage, running


def _all_gone(family: list[psutil.Process]) -> bool:
    return processes.eventually(lambda: not any(each.is_running() for each in family), patience.SECONDS)


def _output_of(data: Path, *arguments: str) -> str:
    process = manage(data, *arguments)
    said, _ = process.communicate(timeout=patience.SECONDS)
    return f"{process.returncode} {said}"


@pytest.mark.long
def test_a_demonstration_of_a_league_survives_a_kill_and_a_stop_leaves_no_process(data: Path) -> None:
    with running(data) as up:
        address = up.hear(r"READY (http://\S+/)")
        assert (data / "address").read_text() + "/" == address
        said = _output_of(data, "demo", "--players", "2", "--rounds", "1", "--table-size", "2")
        assert said.startswith("0 "), said
        assert "every log is verified, no move is lost or doubled" in said
        (page,) = re.findall(rf"See {address}(competitions/\S+/)", said)
        played = _sides(f"{address}{page}")
        family = up.family()
        up.end(signal.SIGKILL)
        # Elsewhere than on Linux the embedded servers live on and are adopted.
        assert _all_gone(family if sys.platform == "linux" else family[:1])
    with running(data) as up:
        address = up.hear(r"READY (http://\S+/)")
        assert _sides(f"{address}{page}") == played
        family = up.family()
        code, said = up.end(signal.SIGINT)
        assert (code, said.splitlines()[-1].split()) == (0, ["up", "|", "stopped"])
        assert _all_gone(family)


def _sides(page: str) -> str:
    """Return the table of a competition's standings."""
    answer = httpx.get(page, timeout=patience.SECONDS)
    assert answer.status_code == 200, answer.text
    (table,) = re.findall(r'<table class="standings.*?</table>', answer.text, re.DOTALL)
    return str(table)


def test_a_stop_during_the_start_leaves_no_process(data: Path) -> None:
    with running(data) as up:
        up.hear(r"PostgreSQL \| started")
        family = up.family()
        up.end(signal.SIGTERM)
        assert _all_gone(family)


def test_a_port_in_use_is_reported_before_anything_starts(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = _output_of(data, "up", "--port", str(port))
    assert said.startswith(f"1 Cannot listen on 127.0.0.1 port {port}: Address already in use.")
    assert not (data / "postgres").exists()


def _file(data: Path) -> Path:
    data.rmdir()
    data.write_text("")
    return data


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (_file, "Not a directory"),
        (lambda data: _file(data) / "below", "Not a directory"),
        (lambda _data: Path("/sys/trefoil"), "Operation not permitted|Permission denied|Read-only"),
        (lambda data: (data / "up-all.lock").mkdir(), "Is a directory"),
        (lambda data: (data / "keeper.lock").mkdir(), "Is a directory"),
        (lambda data: (data / "broker").write_text(""), "Not a directory"),
    ],
    ids=["file", "below-file", "read-only", "its-lock", "lock-of-servers", "file-of-server"],
)
def test_a_data_folder_that_cannot_be_used_is_told_in_a_sentence(
    data: Path, spoil: Callable[[Path], Path | None], why: str
) -> None:
    folder = spoil(data)
    said = _output_of(folder if isinstance(folder, Path) else data, "up", "--port", "0")
    assert re.search(rf"(?m)^(1 )?\S+ can't be used: ({why})\. Trefoil keeps its data", said), said
    assert said.startswith("1 ")
    assert "Traceback" not in said


def test_a_full_disk_at_the_first_start_is_told(data: Path) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "trefoil-test", data], check=True)
    try:
        said = _output_of(data, "up", "--port", "0")
    finally:
        subprocess.run(["umount", "--lazy", data], check=True)
    assert said.startswith("1 ")
    assert "No space left on device" in said
    assert "Traceback" not in said


def test_a_second_service_on_one_folder_is_refused_at_once(data: Path) -> None:
    lock = processes.Lock(data / "up-all.lock")
    assert lock.try_to_take()
    said = _output_of(data, "up", "--port", "0")
    lock.release()
    assert said.startswith(f"1 Trefoil runs already with the data in {data}.")


@pytest.mark.long
def test_a_command_works_without_the_service_and_leaves_no_process(data: Path) -> None:
    assert _output_of(data, "migrate", "contenttypes", "--verbosity", "0") == "0 "
    assert not any(
        str(data) in " ".join(each.info["cmdline"] or ()) for each in psutil.process_iter(["cmdline"])
    )
