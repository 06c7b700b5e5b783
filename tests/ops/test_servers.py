"""The embedded servers: starting, stopping, killing and restarting them."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import psutil
import psycopg
import pytest

from league.ops import folders, postgres, processes, servers
from league.ops.embedded import Broker
from league.ops.postgres import Postgres
from league.ops.processes import Pulse
from league.ops.servers import CannotServe, Server
from tests import patience
from tests.ops.service import stop


def _postgres(data: Path) -> Postgres:
    return Postgres(data, durable=False)


BOTH = pytest.mark.parametrize("make", [_postgres, Broker])
Make = Callable[[Path], Server]


@BOTH
def test_a_server_starts_responds_and_stops(make: Make, data: Path) -> None:
    server = make(data)
    assert (server.start(), server.answers(), server.died()) == ("started", True, False)
    server.stop()
    assert (server.answers(), server.died()) == (False, True)


@BOTH
def test_an_orphaned_server_is_adopted_and_stopped(make: Make, data: Path) -> None:
    make(data).start()
    heir = make(data)
    assert (heir.start(), heir.died()) == ("adopted", False)
    heir.stop()
    assert not make(data).answers()


def test_a_server_that_hangs_since_its_parent_died_is_replaced(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "_STOP_SECONDS", 0.3)
    hanging = Broker(data)
    hanging.start()
    pid = hanging.noted_pid()
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    server = Broker(data)
    assert server.start() == "started"
    assert server.noted_pid() != pid
    server.stop()


@BOTH
def test_a_server_is_started_again_after_a_kill(make: Make, data: Path) -> None:
    server = make(data)
    server.start()
    pid = server.noted_pid()
    assert pid is not None
    subprocess.run(["kill", "-9", str(pid)], check=True)
    assert processes.eventually(server.died, patience.SECONDS)
    assert server.start() == "started"
    server.stop()


def test_the_database_ends_when_one_of_its_processes_is_killed(data: Path) -> None:
    server = _postgres(data)
    server.start()
    children = psutil.Process(server.noted_pid()).children()
    next(each for each in children if "checkpointer" in processes.command_of(each.pid)).kill()
    assert processes.eventually(server.died, patience.SECONDS)
    assert server.start() == "started"
    server.stop()


@BOTH
def test_a_server_that_hangs_is_ended_with_its_children(
    make: Make, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "_BREAK_SECONDS", 0)
    server = make(data)
    server.start()
    family = stop(psutil.Process(server.noted_pid()))
    server.break_off()
    assert psutil.wait_procs(family, patience.SECONDS)[1] == []
    assert server.start() == "started"
    server.stop()


@BOTH
def test_a_server_answers_the_question_whether_it_hangs(make: Make, data: Path) -> None:
    server = make(data)
    server.start()
    pulse = Pulse(*server.question(), 0)
    assert processes.eventually(lambda: _answered(pulse), patience.SECONDS)
    server.stop()


def _answered(pulse: Pulse) -> bool:
    """Return whether the last question was answered, and ask again."""
    time.sleep(0.2)
    pulse.feel()
    return pulse.missed == 0


class Slow(Broker):
    """A server that says for a while that it is starting."""

    late = 3

    def answers(self) -> bool:
        return not self.late and super().answers()

    def is_starting(self) -> bool:
        self.late = max(self.late - 1, 0)
        return True


def test_a_server_that_is_slow_to_start_is_waited_for(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers, "_STOP_SECONDS", 0)
    monkeypatch.setattr(servers, "_START_SECONDS", 0)
    server = Slow(data)
    assert server.start() == "started"
    server.stop()


@BOTH
def test_a_stale_pid_file_of_another_program_is_ignored(make: Make, data: Path) -> None:
    server = make(data)
    server.prepare()
    for name in ("data/postmaster.pid", "valkey.pid"):
        if (server.home / name).parent.exists():
            (server.home / name).write_text("1\n")
    assert server.died()


_PARENT = """
import pathlib, sys, time
from league.ops.{module} import {kind}
server = {kind}(pathlib.Path(sys.argv[1]))
server.start()
print(server.noted_pid(), flush=True)
time.sleep(60)
"""


@BOTH
def test_killing_the_parent_stops_the_server_or_leaves_it_for_adoption(make: Make, data: Path) -> None:
    kind = type(make(data))
    program = _PARENT.format(module=kind.__module__.rpartition(".")[2], kind=kind.__name__)
    parent = subprocess.Popen(
        [sys.executable, "-c", program, str(data)], cwd=folders.TOP, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    parent.kill()
    parent.communicate()
    if sys.platform == "linux":
        assert processes.eventually(lambda: not processes.command_of(pid), patience.SECONDS)
    heir = make(data)
    assert heir.start() in {"started", "adopted"}
    heir.stop()


def test_data_survives_a_restart(data: Path) -> None:
    for statement in ("CREATE TABLE kept AS SELECT 1", "SELECT * FROM kept"):
        server = _postgres(data)
        server.start()
        with psycopg.connect(server.url) as connection:
            connection.execute(statement)
        server.stop()


def test_a_killed_initdb_leaves_no_partial_cluster(data: Path) -> None:
    server = _postgres(data)
    half = server.home / "data.new"
    half.mkdir(parents=True, mode=0o700)
    (half / "PG_VERSION").write_text("18\n")
    assert server.start() == "started"
    server.stop()
    assert not half.exists()


def test_a_cluster_of_another_major_version_is_refused_with_a_way_out(data: Path) -> None:
    server = _postgres(data)
    server.prepare()
    (server.cluster / "PG_VERSION").write_text("14\n")
    with pytest.raises(CannotServe, match=r"made by PostgreSQL 14; .* pg_dump"):
        server.start()


@pytest.mark.parametrize("lost", ["its PG_VERSION", "all"])
def test_a_cluster_whose_files_are_lost_is_refused_with_a_way_out(data: Path, lost: str) -> None:
    server = _postgres(data)
    server.prepare()
    if lost == "all":
        shutil.rmtree(server.cluster)
        server.cluster.mkdir()
    else:
        (server.cluster / "PG_VERSION").unlink()
    with pytest.raises(CannotServe, match=r"holds no whole database.* restore a backup"):
        server.start()


def test_the_error_of_a_failed_server_quotes_its_log(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "_USUAL", ("no_such_setting=1",))
    with pytest.raises(CannotServe, match=r"(?s)unrecognized configuration parameter.*set DATABASE_URL"):
        Postgres(data).start()
    monkeypatch.setattr("shutil.disk_usage", lambda _folder: SimpleNamespace(free=0))
    with pytest.raises(CannotServe, match=r"The disk of .* is full"):
        Postgres(data).start()


@pytest.mark.parametrize("log", ["server.log", "server.log.old"])
def test_a_server_whose_log_cannot_be_written_says_so_and_starts_once_it_can(data: Path, log: str) -> None:
    server = Broker(data)
    server.prepare()
    (server.home / "server.log.old").mkdir()
    if log == "server.log":
        server.log.symlink_to("missing/server.log")
    else:
        server.log.touch()
    with pytest.raises(CannotServe, match=f"{log} can't be used: "):
        server.start()
    server.log.unlink()
    assert server.start() == "started"
    server.stop()


def test_a_data_folder_with_a_long_name_gets_its_socket_elsewhere(data: Path) -> None:
    server = _postgres(data / ("long" * 20))
    server.home.parent.mkdir()
    assert server.sockets.parent == Path("/tmp")
    assert server.start() == "started"
    server.stop()
    server.sockets.rmdir()


def test_a_private_folder_stays_private(data: Path) -> None:
    data.chmod(0o700)
    server = _postgres(data)
    assert server.start() == "started"
    server.stop()
    assert data.stat().st_mode & 0o777 == 0o700


def test_a_cluster_in_a_private_folder_is_kept_in_the_system_state_folder(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "server_user", lambda: processes.User(65534, 65534))
    assert postgres.home(data) == data / "postgres"
    data.chmod(0o700)
    assert postgres.home(data).parent.parent == folders.STATE


def test_programs_in_a_private_folder_are_copied(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "STATE", data / "state")
    monkeypatch.setattr(processes, "server_user", lambda: processes.User(65534, 65534))
    monkeypatch.setattr(folders, "open_to_all", lambda path: False)
    copied = postgres.reachable_programs(postgres.find_programs())
    assert copied.is_relative_to(data / "state")
    assert {path.stat().st_mode & 0o005 for path in (copied, copied / "postgres")} == {0o005}
    assert postgres.major_version(copied) >= postgres.OLDEST


def test_programs_are_not_copied_for_ordinary_users(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "server_user", lambda: processes.User(65534, 65534))
    monkeypatch.setattr(folders, "open_to_all", lambda path: False)
    with pytest.raises(CannotServe, match="nobody cannot enter /opt/pg/bin"):
        postgres.reachable_programs(Path("/opt/pg/bin"))


def test_the_error_for_a_missing_postgresql_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREFOIL_POSTGRES_BIN", "/nowhere")
    with pytest.raises(CannotServe, match=r"(?s)/nowhere.*Install one .* or set DATABASE_URL"):
        postgres.find_programs()
