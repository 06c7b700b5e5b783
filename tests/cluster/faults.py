"""What goes wrong in the cluster, one after the other, and the seconds that users notice of it."""

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from league.demo.clients import Failed
from league.ops import processes
from tests.cluster.hosts import Host
from tests.cluster.site import DATABASES, SERVICE, Site
from tests.crash.players import Players
from tests.crash.watchers import Watchers

WAITS: Final = "waits for a standby are cancelled, then the primary loses its power"
_SECONDS: Final = 8
_FAILOVER_SECONDS: Final = 30
"""Longer than the lease of a primary."""
_REWIND_SECONDS: Final = 60
_WAIT_SECONDS: Final = 3
"""Shorter than what it takes until another standby is the synchronous one."""


@dataclass(frozen=True)
class Fault:
    """What goes wrong, for how many seconds, and how it is put right."""

    name: str
    begin: Callable[[], object]
    end: Callable[[], object] = lambda: None
    seconds: float = 0


@dataclass(frozen=True)
class Noticed:
    """Seconds: the longest wait for an answer, the longest from an answer to its event, and to all well."""

    fault: str
    wait: float
    lag: float
    well: float
    moves: int


def suffered(fault: Fault, site: Site, players: Players, watchers: Watchers) -> Noticed:
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
    site.wait(f"an event of each move after: {fault.name}", lambda: watchers.know(players.times, healed))
    lag = watchers.longest_lag(players.times, began)
    site.wait(f"all well after: {fault.name}", site.is_well)
    return Noticed(fault.name, wait, lag, time.monotonic() - began, len(players.made) - moves)


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
    yield _of_rewinds(site, primary())
    yield _of_waits(site, primary())
    yield from _of_proxies(site)
    web = hosts["web1"]
    yield Fault("the pooler of web1 is killed", partial(web.kill, "pgbouncer"))
    stop, go = (partial(web.signal, "pgbouncer", number) for number in (signal.SIGSTOP, signal.SIGCONT))
    yield Fault(f"the pooler of web1 hangs for {_SECONDS} seconds", stop, go, _SECONDS)
    for names in (("broker",), ("web1", "worker1", "scheduler1")):
        away = _All([hosts[name] for name in names])
        yield Fault(f"{_listed(names)} cut off for {_SECONDS} seconds", away.cut, away.heal, _SECONDS)
    yield Fault("web2 loses its power", hosts["web2"].kill, hosts["web2"].start, _SECONDS)
    yield Fault("the broker is killed", partial(hosts["broker"].kill, "redis"))
    yield from _of_disks(site, primary)
    yield Fault("the database is migrated to the next release", site.make_release)
    for name in SERVICE:
        yield Fault(f"{name} gets the next release", partial(site.upgrade, name))
    for name in sorted(DATABASES, key=lambda each: each == primary()):
        yield Fault(f"{name}{', the primary,' if name == primary() else ''} is updated", hosts[name].restart)


def _of_rewinds(site: Site, name: str) -> Fault:
    """Return the cut of a primary while the one before it copies from it what it missed."""
    former, cut = site.hosts[name], list[Host]()

    def begin() -> None:
        former.cut()
        site.wait("another primary", lambda: site.primary() not in (None, name))
        site.wait("a standby of it", lambda: site.synchronous() is not None)
        cut.append(site.hosts[str(site.primary())])
        former.heal()
        if not processes.eventually(lambda: site.is_copied(cut[0].name), _REWIND_SECONDS):
            raise Failed(f"{name} was not rewound.")
        cut[0].cut()

    return Fault(
        "the next primary is cut off while the first is rewound from it",
        begin,
        lambda: cut[0].heal(),
        _FAILOVER_SECONDS,
    )


def _of_proxies(site: Site) -> Iterator[Fault]:
    host = site.hosts[site.proxy()]
    yield Fault(f"the proxy is cut off for {_SECONDS} seconds", host.cut, host.heal, _SECONDS)
    host = site.hosts[site.proxy()]
    yield Fault("the host of the proxy loses its power", host.kill, host.start, _SECONDS)
    host = site.hosts[site.proxy()]
    stop, go = (partial(host.signal, "haproxy", number) for number in (signal.SIGSTOP, signal.SIGCONT))
    yield Fault(f"HAProxy hangs for {_SECONDS} seconds", stop, go, _SECONDS)


def _of_waits(site: Site, name: str) -> Fault:
    """Return a failover to a standby without the entries whose waits for it were cancelled."""
    primary, standby = site.hosts[name], site.hosts[str(site.synchronous())]

    def begin() -> None:
        standby.cut()
        site.cancel_waits(name, _WAIT_SECONDS)
        primary.kill()
        standby.heal()

    return Fault(WAITS, begin, primary.start, _FAILOVER_SECONDS)


def _of_disks(site: Site, primary: Callable[[], str]) -> Iterator[Fault]:
    """Yield full disks; the write-ahead log is switched, so that it needs new files at once."""
    switch = partial(site.switch_wal, 60)
    for names, whose in (((primary(),), "the primary"), (DATABASES, "all database hosts")):
        full = _All([site.hosts[name] for name in names])

        def fill(full: _All = full) -> None:
            full.fill()
            switch()

        seconds = _FAILOVER_SECONDS
        yield Fault(f"disk full on {whose} for {seconds} seconds", fill, full.make_room, seconds)


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

    def fill(self) -> None:
        for host in self.hosts:
            host.fill()

    def make_room(self) -> None:
        for host in self.hosts:
            host.make_room()


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names)} {'is' if len(names) == 1 else 'are'}"
