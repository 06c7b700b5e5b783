"""`manage.py crash-test`: a league is played on one machine while its processes are killed.

Each kill is a `kill -9` of a process that is chosen by chance, at a time that is chosen by chance. At the end
every answered move must be in the logs once, every stream must have been whole, and all rows must be what the
logs give. It exits with 1 if anything is wrong.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import django

from league.ops import processes
from league.ops.folders import TOP
from tests.crash import checker
from tests.crash.checker import Failed
from tests.crash.service import KINDS, Given, Service

if TYPE_CHECKING:
    from tests.crash.players import Players

_LEAGUE: Final = {"ruleset": "scoops", "players": 6, "rounds": 300, "table_size": 3}
_LONGEST_PAUSE: Final = 1.5
_REPORT_EVERY: Final = 25
_SMALL: Final = {"WEB_PROCESSES": "2", "WEB_THREADS": "4", "WORKER_PROCESSES": "1"}


def main(arguments: Sequence[str]) -> None:
    """Run the crashes that the arguments ask for, and print what was noticed of them."""
    parser = argparse.ArgumentParser("manage.py crash-test", description=__doc__)
    parser.add_argument("--kills", type=int, default=50, help="how many (50)")
    parser.add_argument("--seed", type=int, default=1, help="of what is chosen by chance (1)")
    parser.add_argument("--minutes", type=float, default=240, help="no kill after so long (240)")
    parser.add_argument("--url", default="", help="a service that runs already, on the data of TREFOIL_DATA")
    parser.add_argument("--pid", type=int, default=0, help="its supervisor")
    given = parser.parse_args(arguments)
    processes.end_when_asked()
    os.environ["DJANGO_SETTINGS_MODULE"] = "league.ops.settings"
    crashes = Crashes(given.kills, time.monotonic() + given.minutes * 60, random.Random(given.seed))
    try:
        if given.url:
            run(Given(given.url, given.pid), crashes)
        else:
            with served() as service:
                run(service, crashes)
    except Failed as failure:
        sys.exit(f"FAILED: {failure}")


@dataclass(frozen=True)
class Crashes:
    """How many there are to be, until when, and what is chosen by chance."""

    kills: int
    until: float
    dice: random.Random


@contextmanager
def served() -> Iterator[Service]:
    """Provide a service with an empty folder of data; its log is kept if anything fails."""
    folder = Path(tempfile.mkdtemp(prefix="trefoil-crash-"))
    folder.chmod(0o711)
    os.environ.update(_SMALL, TREFOIL_DATA=str(folder))
    service = Service(folder)
    try:
        yield service
    finally:
        service.stop()
        shutil.rmtree(folder, ignore_errors=True)
    service.log.unlink()


def run(service: Service, crashes: Crashes) -> None:
    """Play, kill, and check; raise `Failed`."""
    service.start()
    service.wait("a service that is ready", service.is_well)
    django.setup()
    from league.demo.setting import set_up
    from tests.crash.players import Players
    from tests.crash.watchers import Watchers

    setting = set_up(**_LEAGUE)  # type: ignore[arg-type]
    competition = str(setting.competition.pk)
    players = Players(service.url, setting.players)
    watchers = Watchers(service.url, competition, 4)
    players.start()
    watchers.start()
    waits = killed(service, players, crashes)
    service.wait("a service that is well", service.is_well)
    players.stop()
    end = time.monotonic()
    service.wait("events of all moves", lambda: watchers.know(players.times, end))
    watchers.stop()
    logs = checker.logs_of(service.url, competition)
    say(checker.checked(logs, players.made))
    say(watchers.checked(logs))
    say(f"rows and standings equal what the logs give: {verified()}")
    for line in table(waits):
        say(line)


def killed(service: Service, players: "Players", crashes: Crashes) -> Mapping[str, Sequence[float]]:
    """Kill so often, each time once everybody has had an answer; return the longest waits by kind."""
    waits: dict[str, list[float]] = defaultdict(list)
    done = 0
    weights = [kind.weight for kind in KINDS.values()]
    dice, start = crashes.dice, time.monotonic()
    while done < crashes.kills and time.monotonic() < crashes.until:
        time.sleep(dice.uniform(0, _LONGEST_PAUSE))
        (kind,) = dice.choices([*KINDS], weights)
        began = time.monotonic()
        if service.killed(kind, dice):
            done += 1
            service.wait("an answer for everybody", lambda: players.all_answered(began))  # noqa: B023
            waits[kind].append(players.longest_wait(began))
            if done % _REPORT_EVERY == 0:
                say(f"{done} kills, {len(players.made)} answered moves")
    say(f"{done} kills in {time.monotonic() - start:.0f} s")
    return waits


def verified() -> str:
    """Return what `verify_logs` says; raise `Failed`."""
    command = [sys.executable, str(TOP / "manage.py"), "verify_logs"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"{done.stdout}{done.stderr}")
    return "; ".join(filter(None, done.stdout.split("\n")))


def table(waits: Mapping[str, Sequence[float]]) -> Iterator[str]:
    """Yield the lines of the table of kills, in Markdown."""
    yield "| killed | times | median of the longest waits for an answer | longest |"
    yield "|---|---|---|---|"
    for kind in KINDS:
        if found := sorted(waits.get(kind, ())):
            middle = found[len(found) // 2]
            yield f"| {kind} | {len(found)} | {middle:.1f} s | {found[-1]:.1f} s |"


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
