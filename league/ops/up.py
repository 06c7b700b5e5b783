"""`manage.py up`: starts the service's parts and keeps them running, in a process of the standard library.

It runs for as long as the service does; what needs Django is done by other processes.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path

from league.ops import environment, folders, processes
from league.ops.embedded import EmbeddedServers
from league.ops.servers import CannotServe, Server, check_owner, needing_files
from league.ops.supervisor import Part, Supervisor

HELP = (
    "Run the whole service: database, broker, web server, worker and scheduler. What ends by itself is "
    "started again. Ctrl-C stops it."
)
_WEB = ("-m", "league.ops.web")
_PREPARE = ("-m", "league.ops.prepare")
_KINDS = ("web", "worker", "beat")
_WORKER = ("-m", "league.ops.worker")


def main(arguments: Sequence[str]) -> None:
    """Run the service as the command's arguments say, until a signal."""
    parser = ArgumentParser("manage.py up", description=HELP)
    add_arguments(parser)
    given = parser.parse_args(arguments)
    processes.end_when_asked()
    try:
        run(given.host, given.port, given.only)
    except (CannotServe, environment.BadSetting) as refusal:
        sys.exit(str(refusal))


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
    parser.add_argument("--port", type=int, default=8000, help="port to listen on (8000); 0 takes a free one")
    parser.add_argument(
        "--only", choices=_KINDS, help="run this part alone, with a database and a broker that run already"
    )


def run(host: str, port: int, only: str | None) -> None:
    """Run until a signal. Exits with 1 where the service can't be started or kept running."""
    with ExitStack() as stack:
        with needing_files():
            embedded = EmbeddedServers(folders.data_folder())
            stack.callback(_claim(embedded.data, only or "all").release)
            if only in (None, "web"):
                _note_address("")
            listener = stack.enter_context(listening(host, port)) if only in (None, "web") else None
            servers = _served(stack, embedded, only)
            welcome = prepared()
            if listener:
                hosts = reached_at(listener)
                os.environ.setdefault("ALLOWED_HOSTS", ",".join(hosts))
                os.environ.setdefault("SITE_URL", f"http://{hosts[0]}:{listener.getsockname()[1]}")
            stack.callback(shutil.rmtree, _count_anew(embedded.data, only or "all"), ignore_errors=True)
        note = embedded.data / f"parts-{only or 'all'}.json"
        supervisor = Supervisor(say, servers, note)
        code = supervisor.run(parts(listener, only), partial(_announce, listener, welcome))
    say("up", "stopped")
    sys.exit(code)


def _served(stack: ExitStack, embedded: EmbeddedServers, only: str | None) -> list[Server]:
    """Return the embedded servers that run from now on, until the stack is left; none for a part alone."""
    if only:
        stack.enter_context(embedded.used())
        return []
    servers = stack.enter_context(embedded.kept())
    for server, how in servers:
        say(server.name, how)
    return [server for server, _ in servers]


def _claim(data: Path, parts: str) -> processes.Lock:
    """Return the lock that tells others that these parts run on a folder. Raises CannotServe."""
    lock = processes.Lock(data / f"up-{parts}.lock")
    # `demo` takes it for a moment, to see whether it is free.
    if processes.eventually(lock.try_to_take, 1):
        return lock
    raise CannotServe(
        f"Trefoil runs already with the data in {data}. Stop that one first, "
        "or set TREFOIL_DATA to another folder for a second one."
    )


def _count_anew(data: Path, parts: str) -> Path:
    """Return an empty folder in which the parts share their numbers for Prometheus. Raises CannotServe.

    It is in memory where the system has a place for that.
    """
    made = data.stat()
    memory = Path("/dev/shm")
    place = memory / f"trefoil-{made.st_dev:x}-{made.st_ino:x}" if memory.is_dir() else data / "metrics"
    folder = folders.own_folder(place.with_name(f"{place.name}-{parts}"), 0o700)
    check_owner(folder, os.geteuid())
    for file in folder.glob("*.db"):
        file.unlink()
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)
    return folder


def _announce(listener: socket.socket | None, welcome: str) -> None:
    if listener is None:
        say("up", "READY  (Ctrl-C stops)")
        return
    _note_address(f"http://{address(listener)}")
    port = listener.getsockname()[1]
    urls = "  ".join(f"http://{host}:{port}/" for host in reached_at(listener))
    for line in (f"READY {urls}  (Ctrl-C stops)", *welcome.splitlines()):
        say("up", line)


def _note_address(url: str) -> None:
    with suppress(OSError):  # a full disk is no reason to stop
        folders.note_address(url)


def say(name: str, line: str) -> None:
    """Print a line of a part; where nothing can be written it is printed later, or not at all."""
    with suppress(OSError):
        sys.stdout.write(f"{name:<10} | {line}\n")
        sys.stdout.flush()


def listening(host: str, port: int) -> socket.socket:
    """Return a listening socket, so that the port is ours before anything starts. Raises CannotServe."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=1024)
    except OverflowError as error:
        raise CannotServe(f"Port {port} does not exist: ports go from 0 to 65535.") from error
    except OSError as error:
        raise CannotServe(
            f"Cannot listen on {host} port {port}: {_reason(error)}. "
            f"If another program uses the port, choose another one: --port {port + 1}."
        ) from error


def _reason(error: OSError) -> str:
    """Return the system's message; the error of an unknown host name has no errno."""
    return os.strerror(error.errno) if error.errno and error.errno > 0 else str(error.strerror)


def reached_at(listener: socket.socket) -> list[str]:
    """Return the hosts, as in a URL, at which browsers reach the listener.

    One on all addresses of the machine has none itself: it is reached at the one in the network, if there is
    a network, and on the machine.
    """
    host = listener.getsockname()[0]
    if host == "::":
        return ["[::1]"]
    if host != "0.0.0.0":
        return [f"[{host}]" if ":" in host else host]
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.connect(("192.0.2.1", 9))  # sends nothing: the system chooses the address to send from
        return [asking.getsockname()[0], "127.0.0.1"]
    return ["127.0.0.1"]


def address(listener: socket.socket) -> str:
    """Return host and port, as in a URL, at which this machine reaches the listener."""
    return f"{reached_at(listener)[-1]}:{listener.getsockname()[1]}"


def prepared() -> str:
    """Have another process migrate the database; return what it says of the first club.

    Raises CannotServe.
    """
    terminal = ("terminal",) if sys.stdout.isatty() and not _is_contained() else ()
    child = processes.start(
        [sys.executable, *_PREPARE, *terminal], output=subprocess.PIPE, dies_by=signal.SIGTERM
    )
    welcome, _ = child.communicate()
    if child.returncode:
        raise CannotServe(welcome.decode(errors="replace").strip() or "The database can't be prepared.")
    return welcome.decode(errors="replace")


def _is_contained() -> bool:
    """Return whether this runs in a container, whose log keeps what a terminal shows."""
    marks = map(Path, ("/.dockerenv", "/run/.containerenv"))
    return any(mark.exists() for mark in marks) or "KUBERNETES_SERVICE_HOST" in os.environ


def parts(listener: socket.socket | None, only: str | None) -> list[Part]:
    """Return the programs of the service, in starting order; of one kind, if ``only`` names it.

    All together need no scheduler of its own: the worker is one beside its tasks.
    """
    if only == "beat":
        return [Part("beat", (sys.executable, "-m", "league.ops.queue"))]
    if only == "web":
        return [*_web(listener)]
    return [*_web(listener), _worker(schedules=only is None)]


def _web(listener: socket.socket | None) -> Iterator[Part]:
    if listener is None:
        return
    web = (sys.executable, *_WEB, "0")
    for number in range(1, environment.number("WEB_PROCESSES", 2, 1) + 1):
        yield Part(f"web.{number}", web, stdin=listener.fileno())


def _worker(*, schedules: bool) -> Part:
    options = ("--schedule",) if schedules else ()
    processes = str(environment.number("WORKER_PROCESSES", 2, 1))
    worker = (sys.executable, *_WORKER, *options, processes)
    # Otherwise a worker would wait for a broker that has ended too.
    return Part("worker", worker, dies_by=signal.SIGKILL)


if __name__ == "__main__":
    main(sys.argv[1:])
