"""`manage.py crash-test`: a league is played on one machine while its processes are killed.

Each kill is a `kill -9` of a process that is chosen by chance, at a time that is chosen by chance; up to five
make a burst, and the next one comes once everybody has had an answer. At the end every answered move must be
in the logs once, every stream must have been whole, and all rows must be what the logs give. It exits with 1
if anything is wrong. With `--fills` nothing is killed: the data are on a small disk,
which is full again and again.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import django

from league.demo import clients
from league.demo.clients import Failed
from league.ops import processes
from league.ops.folders import TOP
from tests.crash import disk
from tests.crash.service import KINDS, Given, Service

if TYPE_CHECKING:
    from tests.crash.players import Players

_LEAGUE: Final = {"ruleset": "scoops", "players": 6, "rounds": 300, "table_size": 3}
_LONGEST_PAUSE: Final = 0.8
_MOST_AT_ONCE: Final = 5
_REPORT_EVERY: Final = 25
_SMALL: Final = {"WEB_PROCESSES": "2", "WEB_THREADS": "4", "WORKER_PROCESSES": "1"}


def main(arguments: Sequence[str]) -> None:
    """Run the crashes that the arguments ask for, and print what was noticed of them."""
    parser = argparse.ArgumentParser("manage.py crash-test", description=__doc__)
    parser.add_argument("--kills", type=int, default=50, help="how many (50)")
    parser.add_argument("--fills", type=int, default=0, help="how often the disk is full instead (root)")
    parser.add_argument("--seed", type=int, default=1, help="of what is chosen by chance (1)")
    parser.add_argument("--minutes", type=float, default=240, help="none after so long (240)")
    parser.add_argument("--url", default="", help="a service that runs already, on the data of TREFOIL_DATA")
    parser.add_argument("--pid", type=int, default=0, help="its supervisor")
    given = parser.parse_args(arguments)
    processes.end_when_asked()
    os.environ["DJANGO_SETTINGS_MODULE"] = "league.ops.settings"
    until, dice = time.monotonic() + given.minutes * 60, random.Random(given.seed)
    crashes = Crashes(given.kills, until, dice, _burst)
    if given.fills:
        crashes = Crashes(given.fills, until, dice, disk.full)
    try:
        if given.url:
            run(Given(given.url, given.pid), crashes)
        else:
            with served(small=given.fills > 0) as service:
                run(service, crashes)
    except Failed as failure:
        sys.exit(f"FAILED: {failure}")


@dataclass(frozen=True)
class Crashes:
    """How many there are to be, until when, what is chosen by chance, and what makes at most so many at once.

    That yields what kind each was.
    """

    count: int
    until: float
    dice: random.Random
    burst: Callable[[Service, "Players", int, random.Random], Iterator[str]]


@dataclass(frozen=True)
class Burst:
    """The kinds of the crashes, and the longest wait for an answer, in seconds."""

    kinds: Sequence[str]
    wait: float


@contextmanager
def served(*, small: bool) -> Iterator[Service]:
    """Provide a service with an empty folder of data; it is kept, and its log, if anything fails.

    A small disk of its own is not kept.
    """
    folder = Path(tempfile.mkdtemp(prefix="trefoil-crash-"))
    folder.chmod(0o711)
    os.environ.update(_SMALL, TREFOIL_DATA=str(folder))
    service = Service(folder)
    with ExitStack() as stack:
        if small:
            stack.enter_context(disk.small(folder))
        stack.callback(service.stop)
        yield service
    shutil.rmtree(folder)
    service.log.unlink()


def run(service: Service, crashes: Crashes) -> None:
    """Play, crash, and check; raise `Failed`."""
    service.start()
    service.wait("a service that is ready", service.is_well)
    django.setup()
    from league.demo.course import set_up
    from tests.crash.players import Players
    from tests.crash.watchers import Watchers

    setting = set_up(**_LEAGUE)  # type: ignore[arg-type]
    competition = str(setting.competition.pk)
    players = Players(service.url, setting.players)
    watchers = Watchers(service.url, competition, 4)
    players.start()
    watchers.start()
    bursts = crashed(service, players, crashes)
    service.wait("a service that is well", service.is_well)
    players.stop()
    end = time.monotonic()
    service.wait("events of all moves", lambda: watchers.know(players.times, end))
    watchers.stop()
    logs = clients.logs_of(service.url, competition)
    say(clients.checked(logs, players.made))
    say(watchers.checked(logs))
    say(f"rows and standings equal what the logs give: {verified()}")
    for line in table(bursts):
        say(line)


def crashed(service: Service, players: "Players", crashes: Crashes) -> Sequence[Burst]:
    """Crash so often, in bursts, each once everybody has had an answer; return the bursts."""
    bursts: list[Burst] = []
    left, reports = crashes.count, crashes.count
    while left and time.monotonic() < crashes.until:
        began = time.monotonic()
        kinds = [*crashes.burst(service, players, left, crashes.dice)]
        end = time.monotonic()
        service.wait("an answer for everybody", partial(players.all_answered, end))
        bursts.append(Burst(kinds, players.longest_wait(began)))
        left -= len(kinds)
        if reports - left >= _REPORT_EVERY:
            reports = left
            say(f"{crashes.count - left} crashes, {len(players.made)} answered moves")
    return bursts


def _burst(service: Service, _: "Players", most: int, dice: random.Random) -> Iterator[str]:
    """Kill some processes one after the other, and yield their kinds."""
    count = min(dice.randint(1, _MOST_AT_ONCE), most)
    weights = [kind.weight for kind in KINDS.values()]
    while count:
        time.sleep(dice.uniform(0, _LONGEST_PAUSE))
        (kind,) = dice.choices([*KINDS], weights)
        if service.killed(kind, dice):
            count -= 1
            yield kind
        else:
            service.start()


def verified() -> str:
    """Return what `verify_logs` says; raise `Failed`."""
    command = [sys.executable, str(TOP / "manage.py"), "verify_logs"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"{done.stdout}{done.stderr}")
    return "; ".join(filter(None, done.stdout.split("\n")))


def table(bursts: Sequence[Burst]) -> Iterator[str]:
    """Yield the lines of the table of crashes, in Markdown."""
    counts = Counter(kind for burst in bursts for kind in burst.kinds)
    yield "| what crashed | times |"
    yield "|---|---|"
    for kind, times in sorted(counts.items()):
        yield f"| {kind} | {times} |"
    waits = sorted(burst.wait for burst in bursts)
    middle, most = (waits[len(waits) * share // 100] for share in (50, 95))
    yield ""
    yield (
        f"{counts.total()} crashes in {len(bursts)} bursts. The longest wait for an answer was {middle:.1f} "
        f"s in half of the bursts, {most:.1f} s in 95 of 100, {waits[-1]:.1f} s in the worst."
    )


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
