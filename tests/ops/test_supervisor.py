"""The supervisor of several programs: their output, and how they stop."""

import errno
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest

from league.ops import folders, processes, up
from league.ops.processes import QUESTIONS
from league.ops.servers import CannotServe
from league.ops.supervisor import Part, Supervisor
from tests import patience

_READY = f"import os; os.write(int(os.environ['{processes.VARIABLE}']), b'1'); "
_WAIT = "import time; time.sleep(60)"
_TOLD_WHILE_SOMETHING_GOES = """
import signal, sys
from league.ops import processes
from league.ops.supervisor import Part, Supervisor

class Fleeting:
    def __del__(self):
        signal.raise_signal(signal.SIGTERM)

processes.end_when_asked()
Fleeting()
sleeper = Part("sleeper", (sys.executable, "-c", "import time; time.sleep(60)"))
print(Supervisor(print).run([sleeper], lambda: None))
"""
_STUBBORN = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); "


def _part(name: str, program: str) -> Part:
    return Part(name, (sys.executable, "-c", program))


def _interrupt(times: int = 1) -> Callable[[], None]:
    """Return what to do when all is ready: press Ctrl-C, and again after a moment."""

    def press() -> None:
        for moment in range(times):
            threading.Timer(moment * 0.5, os.kill, (os.getpid(), signal.SIGINT)).start()

    return press


def interrupt_once(happened: Callable[[], bool]) -> None:
    """Press Ctrl-C when something has happened, or after a long while."""

    def wait() -> None:
        processes.eventually(happened, patience.SECONDS)
        _interrupt()()

    threading.Thread(target=wait).start()


class Said(list[str]):
    """The lines that were said, with who said them."""

    def __call__(self, name: str, line: str) -> None:
        self.append(f"{name}: {line}")


def test_whole_lines_are_printed_with_the_name_of_their_process() -> None:
    said = Said()
    halves = "print('tw', end='', flush=True); time.sleep(.3); print('o')"
    program = f"import sys, time; print('one'); {halves}; sys.exit('end')"
    assert Supervisor(said).run([_part("a", program)], lambda: None) == 1
    assert said[:2] == ["a: one", "a: two"]
    assert sorted(said[2:]) == ["a: end", "up: a (1) has ended: stopping everything."]


def test_it_is_ready_when_each_part_is_and_ctrl_c_stops_it() -> None:
    parts = [_part("a", _READY + _WAIT), _part("b", "import time; time.sleep(.3); " + _READY + _WAIT)]
    assert Supervisor(Said()).run(parts, _interrupt()) == 0


def test_a_second_ctrl_c_stops_at_once() -> None:
    said = Said()
    parts = [_part("a", _STUBBORN + _READY + _WAIT)]
    assert Supervisor(said).run(parts, _interrupt(times=2)) == 0


def test_child_processes_of_a_part_end_with_it() -> None:
    said = Said()
    child = (
        f"import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', '{_WAIT}']).pid, flush=True)"
    )
    Supervisor(said).run([_part("a", child)], lambda: None)
    left = int(said[0].removeprefix("a: "))
    assert processes.eventually(lambda: not processes.command_of(left), patience.SECONDS)


class Server:
    """A needed server that has ended and can't be started."""

    name = "PostgreSQL"

    def died(self) -> bool:
        return True

    def start(self) -> str:
        raise CannotServe("There is no room on the disk.")

    def unanswered(self) -> int:
        return 0

    def break_off(self) -> None:
        raise AssertionError("It has ended already.")


class Hanging(Server):
    """A needed server that hangs until it is ended."""

    def __init__(self) -> None:
        self.ended = 0
        self.started = 0

    def died(self) -> bool:
        return self.ended > self.started

    def start(self) -> str:
        self.started += 1
        return "started"

    def unanswered(self) -> int:
        return 0 if self.started else QUESTIONS

    def break_off(self) -> None:
        self.ended += 1


def test_a_needed_server_that_hangs_is_ended_and_started_again(tmp_path: Path) -> None:
    said, server, note = Said(), Hanging(), tmp_path / "parts.json"
    told: list[dict[str, object]] = []

    def runs_again() -> bool:
        told[:] = json.loads(note.read_text())["parts"] if note.exists() else []
        return bool(server.started and told and told[0]["runs"])

    parts = [_part("a", _READY + _WAIT)]
    run = Supervisor(said, [cast(Any, server)], note).run
    assert run(parts, lambda: interrupt_once(runs_again)) == 0
    assert said == [
        "up: PostgreSQL has not answered for long: it is ended.",
        "up: PostgreSQL has ended: starting it again in 1 s.",
    ]
    assert (server.ended, told[0]["hung"], told[0]["ends"], told[0]["silent"]) == (1, 1, 1, False)


def test_a_needed_server_is_started_again_also_after_a_start_that_failed() -> None:
    said, server = Said(), cast(Any, Server())
    ended = "up: PostgreSQL has ended: starting it again in {} s."
    last = ended.format(4)
    parts = [_part("a", _READY + _WAIT)]
    assert Supervisor(said, [server]).run(parts, lambda: interrupt_once(lambda: last in said)) == 0
    failed = "up: There is no room on the disk."
    assert said == [ended.format(1), failed, ended.format(2), failed, last]


def test_a_note_that_cannot_be_removed_is_no_reason_to_fail(tmp_path: Path) -> None:
    (tmp_path / "parts.json").mkdir()  # as on a disk that can't be written: it isn't unlinked
    parts = [_part("a", _READY + _WAIT)]
    assert Supervisor(Said(), note=tmp_path / "parts.json").run(parts, _interrupt()) == 0


def _once(all_ready: Path) -> str:
    """Return a program that ends once a file is there."""
    return f"""{_READY}print('here', flush=True)
import pathlib, sys, time
while not pathlib.Path({str(all_ready)!r}).exists(): time.sleep(.01)
sys.exit(3)"""


def test_a_part_that_ends_is_started_again_after_a_pause(tmp_path: Path) -> None:
    said, all_ready = Said(), tmp_path / "ready"
    last = "up: a (3) has ended: starting it again in 2 s."
    parts = [_part("a", _once(all_ready)), _part("b", _READY + _WAIT)]

    def when_ready() -> None:
        all_ready.touch()
        interrupt_once(lambda: last in said)

    assert Supervisor(said).run(parts, when_ready) == 0
    assert said.count("a: here") >= 2
    assert said.count("up: a (3) has ended: starting it again in 1 s.") == 1
    assert last in said


def test_each_part_is_started_anew_in_turn_when_that_is_asked_for(tmp_path: Path) -> None:
    said, note = Said(), tmp_path / "parts.json"
    here = "print('here', flush=True); "
    well = {"runs": True, "silent": False, "ends": 0, "hung": 0, "last_end": None}
    both = [{"name": name, **well} for name in ("a", "b")]
    told: list[bool] = []

    def both_run_again() -> bool:
        told.append(said.count("b: here") == 2 and json.loads(note.read_text())["parts"] == both)
        return told[-1]

    def when_ready() -> None:
        os.kill(os.getpid(), signal.SIGUSR1)
        interrupt_once(both_run_again)

    parts = [_part("a", here + _READY + _WAIT), _part("b", here + _READY + _WAIT)]
    assert Supervisor(said, [], note).run(parts, when_ready) == 0
    assert told[-1]
    assert [line for line in said if line.startswith("a")] == ["a: here"] * 2
    assert said.index("up: b is restarted.") > len(said) - 1 - said[::-1].index("a: here")
    assert not note.exists()


def test_a_full_disk_stops_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        nowhere = tmp_path / "gone" / "parts.json"
        part = _part("a", "print('here', flush=True); " + _READY + _WAIT)
        assert Supervisor(up.say, [], nowhere).run([part], _interrupt()) == 0
        monkeypatch.undo()
        with suppress(OSError):
            full.close()


def test_output_that_nobody_takes_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    output, end = os.pipe()
    os.close(output)
    nobody = os.fdopen(end, "w")
    monkeypatch.setattr(sys, "stdout", nobody)
    up.say("up", "here")
    monkeypatch.undo()
    with suppress(OSError):
        nobody.close()


def test_a_part_that_the_system_cannot_start_now_is_started_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, start, fails = Said(), processes.start, [False, True]

    def fail_once(*arguments: Any, **named: Any) -> Any:
        if fails and fails.pop(0):
            raise OSError(errno.EAGAIN, "No more processes")
        return start(*arguments, **named)

    def when_ready() -> None:
        (tmp_path / "ready").touch()
        interrupt_once(lambda: said.count("a: here") == 2)

    monkeypatch.setattr(processes, "start", fail_once)
    assert Supervisor(said).run([_part("a", _once(tmp_path / "ready"))], when_ready) == 0
    assert "up: a can't be started: No more processes." in said


def test_a_stop_during_garbage_collection_is_not_lost() -> None:
    program = [sys.executable, "-c", _TOLD_WHILE_SOMETHING_GOES]
    done = subprocess.run(
        program, capture_output=True, text=True, timeout=patience.SECONDS, check=True, cwd=folders.TOP
    )
    assert done.stdout == "0\n"
