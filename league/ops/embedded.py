"""The embedded servers of one checkout: one command runs them, others can use them."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from league.ops import environment, folders, processes
from league.ops.broker import Broker
from league.ops.postgres import Postgres
from league.ops.servers import Server

_START_SECONDS = 60


class EmbeddedServers:
    """The servers of a data folder, in starting order, without those that the environment replaces."""

    def __init__(self, data: Path) -> None:
        self.data = folders.own_folder(data, 0o711)
        self.servers: list[Server] = []
        if not environment.text("DATABASE_URL"):
            self.servers.append(Postgres(data))
        if not environment.text("CELERY_BROKER_URL"):
            self.servers.append(Broker(data))

    @contextmanager
    def kept(self) -> Iterator[list[tuple[Server, str]]]:
        """Run the servers, once no other command does. Yields each with "started" or "adopted"."""
        keeper = processes.Lock(self.data / "keeper.lock")
        if not keeper.try_to_take():
            sys.stderr.write("Waiting for another command of this checkout to end …\n")
            keeper.take()
        try:
            with self._running() as how:
                yield how
        finally:
            keeper.release()

    @contextmanager
    def used(self) -> Iterator[None]:
        """Use the servers: those that another command runs, else our own, until no command uses them."""
        if not self.servers:
            yield
            return
        keeper, users = (processes.Lock(self.data / name) for name in ("keeper.lock", "users.lock"))
        mine = self._settle(keeper, users)
        try:
            if not mine:
                yield
                return
            with self._running():
                yield
                users.take()  # waits for other commands that now use these servers
        finally:
            users.release()
            keeper.release()

    def _settle(self, keeper: processes.Lock, users: processes.Lock) -> bool:
        """Return True if we must run the servers, False if those of another command are ready."""
        while not keeper.try_to_take():
            users.take(shared=True)
            if (
                processes.eventually(lambda: self._answer() or self._unkept(), _START_SECONDS)
                and self._answer()
            ):
                return False
            users.give_back()
        return True

    def _answer(self) -> bool:
        return all(server.answers() for server in self.servers)

    def _unkept(self) -> bool:
        probe = processes.Lock(self.data / "keeper.lock")
        try:
            return probe.try_to_take()
        finally:
            probe.release()

    @contextmanager
    def _running(self) -> Iterator[list[tuple[Server, str]]]:
        try:
            yield [(server, server.start()) for server in self.servers]
        finally:
            for server in reversed(self.servers):
                server.stop()
