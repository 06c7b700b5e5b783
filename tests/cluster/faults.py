"""What goes wrong in the cluster, one after the other, and the seconds that users notice of it."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from tests.cluster.hosts import Host
from tests.cluster.site import DATABASES, Site
from tests.crash.players import Players

_SECONDS: Final = 8
_FAILOVER_SECONDS: Final = 30
"""Longer than the lease of a primary."""


@dataclass(frozen=True)
class Fault:
    """What goes wrong, for how many seconds, and how it is put right."""

    name: str
    begin: Callable[[], object]
    end: Callable[[], object] = lambda: None
    seconds: float = 0


@dataclass(frozen=True)
class Noticed:
    """The longest that a user waited for an answer, and when everything was well again, in seconds."""

    fault: str
    wait: float
    well: float
    moves: int


def suffered(fault: Fault, site: Site, players: Players) -> Noticed:
    """Let a fault happen, and return what was noticed; raise `Failed` if the site is not well in time."""
    began, moves = time.monotonic(), len(players.made)
    fault.begin()
    end = time.monotonic() + fault.seconds
    while time.monotonic() < end:
        site.keep()
        time.sleep(0.2)
    fault.end()
    healed = time.monotonic()
    site.wait(f"an answer for everybody after: {fault.name}", lambda: players.all_answered(healed))
    wait = players.longest_wait(began)
    site.wait(f"all well after: {fault.name}", site.is_well)
    return Noticed(fault.name, wait, time.monotonic() - began, len(players.made) - moves)


def all_of(site: Site) -> Iterator[Fault]:
    """Yield the faults; who is the primary is asked when its turn has come."""
    hosts = site.hosts

    def primary() -> str:
        site.wait("a primary", lambda: site.primary() is not None)
        return str(site.primary())

    name = primary()
    yield Fault("PostgreSQL of the primary is killed", partial(hosts[name].kill, "postgres"))
    name = primary()
    yield Fault("the primary is cut off", hosts[name].cut, hosts[name].heal, _FAILOVER_SECONDS)
    name = primary()
    yield Fault(
        "the host of the primary loses its power", hosts[name].kill, hosts[name].start, _FAILOVER_SECONDS
    )
    name = str(site.synchronous())
    yield Fault("the synchronous standby is cut off", hosts[name].cut, hosts[name].heal, 2 * _SECONDS)
    name = site.other()
    yield Fault("the other standby is cut off", hosts[name].cut, hosts[name].heal, _SECONDS)
    for names in (("pooler",), ("proxy",), ("broker",), ("web1", "worker1", "scheduler1")):
        away = _All([hosts[name] for name in names])
        yield Fault(f"{_listed(names)} cut off for {_SECONDS} seconds", away.cut, away.heal, _SECONDS)
    yield Fault("web2 loses its power", hosts["web2"].kill, hosts["web2"].start, _SECONDS)
    yield Fault("the broker is killed", partial(hosts["broker"].kill, "redis"))
    for names in (("web1", "worker1", "scheduler1"), ("web2", "worker2", "scheduler2")):
        yield Fault(f"{_listed(names)} updated", _All([hosts[name] for name in names]).restart)
    for name in sorted(DATABASES, key=lambda each: each == primary()):
        yield Fault(f"{name}{', the primary,' if name == primary() else ''} is updated", hosts[name].restart)


@dataclass(frozen=True)
class _All:
    """Hosts to which the same happens."""

    hosts: Sequence[Host]

    def cut(self) -> None:
        for host in self.hosts:
            host.cut()

    def heal(self) -> None:
        for host in self.hosts:
            host.heal()

    def restart(self) -> None:
        for host in self.hosts:
            host.restart()


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names)} {'is' if len(names) == 1 else 'are'}"
