"""`manage.py up`: the whole service in one terminal."""

import os
import signal
import socket
import sys
from argparse import ArgumentParser
from io import StringIO
from typing import Any

from django.core.management import CommandError, call_command, get_commands
from django.core.management.base import BaseCommand

from league.ops import checks, environment, folders
from league.ops.embedded import EmbeddedServers
from league.ops.supervisor import Part, Supervisor

_WEB = ("-m", "league.ops.web")
# A single worker needs no messages to other workers.
_ALONE = ("--without-gossip", "--without-mingle")
_CELERY = ("-m", "celery", "-A", "league.ops", "--quiet")


class Command(BaseCommand):
    """Runs the service until Ctrl-C."""

    help = "Run the whole service: database, broker, web server, worker and scheduler. Ctrl-C stops it."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
        parser.add_argument(
            "--port", type=int, default=8000, help="port to listen on (8000); 0 takes a free one"
        )

    def handle(self, *, host: str, port: int, **_: Any) -> None:
        """Run until a signal. Exits with 1 if a part of the service ends by itself."""
        with listening(host, port) as listener, EmbeddedServers(folders.data_folder()).kept() as servers:
            for server, how in servers:
                self._say(server.name, how)
            checks.check()
            welcome = prepared()
            os.environ.setdefault("SITE_URL", f"http://{address(listener)}")
            supervisor = Supervisor(self._say, lambda: next((s.name for s, _ in servers if s.died()), ""))
            code = supervisor.run(parts(listener), lambda: self._announce(listener, welcome))
        self._say("up", "stopped")
        sys.exit(code)

    def _announce(self, listener: socket.socket, welcome: str) -> None:
        folders.note_address(f"http://{address(listener)}")
        for line in (f"READY http://{address(listener)}/  (Ctrl-C stops)", *welcome.splitlines()):
            self._say("up", line)

    def _say(self, name: str, line: str) -> None:
        self.stdout.write(f"{name:<10} | {line}")
        self.stdout.flush()


def listening(host: str, port: int) -> socket.socket:
    """Return a listening socket, so that the port is ours before anything starts. Raises CommandError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=1024)
    except OverflowError as error:
        raise CommandError(f"Port {port} does not exist: ports go from 0 to 65535.") from error
    except OSError as error:
        raise CommandError(
            f"Cannot listen on {host} port {port}: {_reason(error)}. "
            f"If another program uses the port, choose another one: --port {port + 1}."
        ) from error


def _reason(error: OSError) -> str:
    """Return the system's message; the error of an unknown host name has no errno."""
    return os.strerror(error.errno) if error.errno and error.errno > 0 else str(error.strerror)


def address(listener: socket.socket) -> str:
    """Return host and port as in a URL."""
    host, port = listener.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def prepared() -> str:
    """Migrate the database and make the first club. Returns what `first_club` prints."""
    call_command("migrate", verbosity=0)
    welcome = StringIO()
    if "first_club" in get_commands():
        call_command("first_club", stdout=welcome)
    return welcome.getvalue()


def parts(listener: socket.socket) -> list[Part]:
    """Return the programs of the service, in starting order."""
    web, workers = environment.number("WEB_PROCESSES", 2), environment.number("WORKER_PROCESSES", 2)
    worker = (*_CELERY, "worker", "--concurrency", str(workers), *_ALONE)
    python, descriptor = sys.executable, listener.fileno()
    return [
        *(
            Part(f"web.{number}", (python, *_WEB, str(descriptor)), keep=(descriptor,))
            for number in range(1, web + 1)
        ),
        # Otherwise a worker would wait for a broker that has ended too.
        Part("worker", (python, *worker), dies_by=signal.SIGKILL),
        Part("beat", (python, *_CELERY, "beat")),
    ]
