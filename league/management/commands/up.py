"""`manage.py up`: the whole service in one terminal."""

import os
import signal
import socket
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import ExitStack
from io import StringIO
from typing import Any

from django.core.management import CommandError, call_command, get_commands
from django.core.management.base import BaseCommand
from django.db import connection

from league.ops import checks, environment, folders
from league.ops.embedded import EmbeddedServers
from league.ops.supervisor import Part, Supervisor

_WEB = ("-m", "league.ops.web")
_KINDS = ("web", "worker", "beat")
# A single worker needs no messages to other workers.
_ALONE = ("--without-gossip", "--without-mingle")
_CELERY = ("-m", "celery", "-A", "league.ops", "--quiet")
# Any number that nothing else in the database locks.
_MIGRATING = 7_366_051


class Command(BaseCommand):
    """Runs the service until Ctrl-C."""

    help = (
        "Run the whole service: database, broker, web server, worker and scheduler. What ends by itself is "
        "started again. Ctrl-C stops it."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
        parser.add_argument(
            "--port", type=int, default=8000, help="port to listen on (8000); 0 takes a free one"
        )
        parser.add_argument(
            "--only",
            choices=_KINDS,
            help="run this part alone, with a database and a broker that run already",
        )

    def handle(self, *, host: str, port: int, only: str | None, **_: Any) -> None:
        """Run until a signal. Exits with 1 if the service can't be started or kept running."""
        embedded = EmbeddedServers(folders.data_folder())
        with ExitStack() as stack:
            listener = stack.enter_context(listening(host, port)) if only in (None, "web") else None
            servers = [] if only else stack.enter_context(embedded.kept())
            if only:
                stack.enter_context(embedded.used())
            for server, how in servers:
                self._say(server.name, how)
            checks.check()
            welcome = prepared()
            if listener:
                os.environ.setdefault("SITE_URL", f"http://{address(listener)}")
            supervisor = Supervisor(self._say, [server for server, _ in servers])
            code = supervisor.run(parts(listener, only), lambda: self._announce(listener, welcome))
        self._say("up", "stopped")
        sys.exit(code)

    def _announce(self, listener: socket.socket | None, welcome: str) -> None:
        if listener is None:
            self._say("up", "READY  (Ctrl-C stops)")
            return
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
    with connection.cursor() as cursor:
        # Several machines may start at once, on an empty database.
        cursor.execute("SELECT pg_advisory_lock(%s)", [_MIGRATING])
        try:
            call_command("migrate", verbosity=0)
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [_MIGRATING])
    welcome = StringIO()
    if "first_club" in get_commands():
        call_command("first_club", stdout=welcome)
    return welcome.getvalue()


def parts(listener: socket.socket | None, only: str | None) -> list[Part]:
    """Return the programs of the service, in starting order; of one kind, if ``only`` names it."""
    made = (*_web(listener), *_others())
    return [part for part in made if only is None or part.name.partition(".")[0] == only]


def _web(listener: socket.socket | None) -> Iterator[Part]:
    if listener is None:
        return
    descriptor = listener.fileno()
    for number in range(1, environment.number("WEB_PROCESSES", 2) + 1):
        yield Part(f"web.{number}", (sys.executable, *_WEB, str(descriptor)), keep=(descriptor,))


def _others() -> Iterator[Part]:
    workers = str(environment.number("WORKER_PROCESSES", 2))
    # Otherwise a worker would wait for a broker that has ended too.
    worker = (sys.executable, *_CELERY, "worker", "--concurrency", workers, *_ALONE)
    yield Part("worker", worker, dies_by=signal.SIGKILL)
    yield Part("beat", (sys.executable, "-m", "league.ops.timer"))
