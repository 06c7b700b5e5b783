"""The embedded services of one checkout: who runs them, who only uses them, and for how long."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from league.house import environment, places, processes
from league.house.broker import Broker
from league.house.postgres import Postgres
from league.house.servers import Server

_START_SECONDS = 60


class House:
    """The servers of a data folder, in the order of starting; without those the environment replaces."""

    def __init__(self, data: Path) -> None:
        self.data = places.own_folder(data, 0o711)
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
        """Have the servers for a while: those of whoever runs them, else our own until nobody uses them."""
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
                users.take()  # another command may have come to rely on these servers
        finally:
            users.release()
            keeper.release()

    def _settle(self, keeper: processes.Lock, users: processes.Lock) -> bool:
        """Return True when the servers are ours to run, False when another command's are ready for us."""
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
