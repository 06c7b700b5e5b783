"""Parts that are forked from one process: how they begin, are stopped and told of."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from league.ops import forks, processes, supervisor
from league.ops.forks import Forked, Preloaded, Request
from league.ops.supervisor import Part, Supervisor
from tests import patience
from tests.ops.test_supervisor import Said, interrupt_once

# Without the application, which takes seconds to load.
_PARENT: Final = """
import socket, sys
from league.ops import preload
request = preload.Parent(socket.socket(fileno=int(sys.argv[1]))).next_child()
if request:
    preload.run(request)
"""
_PROGRAM: Final = """
import os, sys, time
print(sys.stdin.read(), os.getsid(0) == os.getpid(), sys.argv[1], flush=True)
os.write(int(os.environ["TREFOIL_READY_FD"]), b"1")
time.sleep(float(sys.argv[2]))
sys.exit(int(sys.argv[1]))
"""

pytestmark = pytest.mark.skipif(not forks.POSSIBLE, reason="parts are forked on Linux alone")


@pytest.fixture
def parent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Preloaded]:
    (tmp_path / "sleeper.py").write_text(_PROGRAM)
    (tmp_path / "input").write_text("given")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{Path.cwd()}")
    started = Preloaded((sys.executable, "-c", _PARENT))
    yield started
    started.kill()


def forked(parent: Preloaded, folder: Path, code: int, seconds: int) -> tuple[Forked, str]:
    """Return a part that sleeps, once it is ready, and what it has said."""
    ready, ready_end = os.pipe()
    with (folder / "input").open() as given, (folder / "output").open("w") as output:
        request = Request("sleeper", [str(code), str(seconds)], signal.SIGTERM)
        part = parent.fork(request, stdin=given.fileno(), output=output.fileno(), ready=ready_end)
    os.close(ready_end)
    assert os.read(ready, 1) == b"1"
    os.close(ready)
    # Its parent tells its number after the fork, perhaps later than the part itself is ready.
    assert processes.eventually(lambda: part.poll() is not None or part.pid is not None, patience.SECONDS)
    return part, (folder / "output").read_text()


def test_a_part_has_its_input_output_session_name_and_exit_code(parent: Preloaded, tmp_path: Path) -> None:
    part, said = forked(parent, tmp_path, 7, 0)
    assert said == "given True 7\n"
    assert part.wait() == 7
    running, _said = forked(parent, tmp_path, 0, 60)
    assert running.poll() is None and running.pid
    assert "-m sleeper 0 60" in processes.command_of(running.pid)
    running.send_signal(signal.SIGTERM)
    assert running.wait() == -signal.SIGTERM


def test_a_parent_that_is_replaced_waits_for_its_last_part(parent: Preloaded, tmp_path: Path) -> None:
    part, _said = forked(parent, tmp_path, 0, 60)
    parent.leave()
    assert part.poll() is None and not parent.has_ended()
    part.send_signal(signal.SIGKILL)
    assert part.wait() == -signal.SIGKILL
    assert parent.has_ended()


def test_a_parent_that_is_stopped_is_noticed_until_it_goes_on(
    parent: Preloaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forks, "_EVERY", 0.1)
    parent._process.send_signal(signal.SIGSTOP)
    assert processes.eventually(lambda: parent.unanswered() > 1, patience.SECONDS)
    parent._process.send_signal(signal.SIGCONT)
    assert processes.eventually(lambda: parent.unanswered() == 0, patience.SECONDS)


@pytest.mark.usefixtures("parent")
def test_a_parent_that_is_stopped_is_replaced_with_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forks, "_EVERY", 0.3)
    monkeypatch.setattr(supervisor, "Preloaded", lambda: Preloaded((sys.executable, "-c", _PARENT)))
    runs = Supervisor(said := Said(), forks=True)

    def when_ready() -> None:
        runs._parents[0]._process.send_signal(signal.SIGSTOP)
        interrupt_once(lambda: said.count("a:  True 0") == 2)

    part = Part("a", (sys.executable, "-m", "sleeper", "0", "60"), forked=True)
    assert runs.run([part], when_ready) == 0
    assert said.count("up: The process that forks parts has not answered for long: it is ended.") == 1
    assert said[-2:] == ["up: a (-9) has ended: starting it again in 1 s.", "a:  True 0"]


def test_parts_end_with_their_parent_and_none_begins_after_it(parent: Preloaded, tmp_path: Path) -> None:
    part, _said = forked(parent, tmp_path, 0, 60)
    assert part.poll() is None and part.pid
    parent.kill()
    assert part.wait() == -signal.SIGKILL
    assert processes.eventually(lambda: not processes.command_of(part.pid or 0), patience.SECONDS)
    with Path(os.devnull).open("w") as nowhere:
        request = Request("sleeper", ["0", "60"], signal.SIGTERM)
        late = parent.fork(request, stdin=None, output=nowhere.fileno(), ready=nowhere.fileno())
    assert (late.wait(), late.pid) == (-signal.SIGKILL, None)
