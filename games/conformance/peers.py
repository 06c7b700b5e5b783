"""The other side of the protocol: a program that answers one line of JSON with one line of JSON."""

import json
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from queue import Empty, Queue
from typing import IO, Any, Final, Self

PATIENCE: Final = 60.0
"""Seconds that a program may think about one request."""


class Broken(Exception):
    """The program on the other side does not keep to the protocol."""


class Peer:
    """A running program; `ask` sends it a request and waits for its answer."""

    def __init__(self, command: str, patience: float = PATIENCE) -> None:
        self.command, self.patience = command, patience
        words = shlex.split(command)
        try:
            self.process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", bufsize=1
            )
        except OSError as error:
            raise Broken(f"`{command}` cannot be started: {error.strerror}") from None
        self.lines: Queue[str] = Queue()
        threading.Thread(target=self._read, args=(_stream(self.process.stdout),), daemon=True).start()

    def _read(self, stream: IO[str]) -> None:
        for line in stream:
            self.lines.put(line)
        self.lines.put("")

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a request; raise `Broken` if it is late, missing or no object."""
        try:
            _stream(self.process.stdin).write(json.dumps(request, ensure_ascii=False) + "\n")
            line = self.lines.get(timeout=self.patience)
        except OSError:
            line = ""
        except Empty:
            raise Broken(f"`{self.command}` did not answer within {self.patience:g} seconds") from None
        if not line:
            raise Broken(f"`{self.command}` ended before it answered")
        return _object(line, self.command)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()


def _stream(stream: IO[str] | None) -> IO[str]:
    assert stream is not None  # all streams that are used are pipes
    return stream


def _object(line: str, command: str) -> dict[str, Any]:
    try:
        answer = json.loads(line)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise Broken(f"`{command}` answered {line.strip()[:80]!r}, which is no JSON object")
    return answer


def serve(answer: Callable[[object], Mapping[str, Any]], requests: Iterable[str] | None = None) -> None:
    """Answer each line of standard input with one line on standard output, until the input ends."""
    for line in sys.stdin if requests is None else requests:
        try:
            request = json.loads(line)
        except ValueError:
            request = None
        sys.stdout.write(json.dumps(answer(request), ensure_ascii=False) + "\n")
        sys.stdout.flush()
