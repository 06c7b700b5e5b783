"""A league that is played while everything goes wrong. Django must be set up, with the cluster's settings."""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Final

from league.demo import clients
from league.demo.course import set_up
from tests.cluster import faults, recovery
from tests.cluster.faults import Noticed
from tests.cluster.site import Site
from tests.crash.players import Players
from tests.crash.watchers import Watchers

_LEAGUE: Final = {"ruleset": "scoops", "players": 6, "rounds": 40, "table_size": 3}
_WATCHERS: Final = 4


def play(site: Site, url: str, only: str, times: int, say: Callable[[str], None]) -> None:
    """Play, let the faults happen, check what is left, and print it all; raise `Failed`."""
    setting = set_up(**_LEAGUE)  # type: ignore[arg-type]
    players = Players(url, setting.players)
    watchers = Watchers(url, str(setting.competition.pk), _WATCHERS)
    players.start()
    watchers.start()
    say("a league is played")
    moment, rows = None, list[Noticed]()
    recovery.archive(site)
    recovers = re.search(only, recovery.NAME)
    if recovers:
        recovery.back_up(site)
        say("a full backup was made")
    for fault in chain.from_iterable(faults.all_of(site) for _ in range(times)):
        if re.search(only, fault.name):
            rows.append(faults.suffered(fault, site, players, watchers))
            say(f"{rows[-1].fault}: noticed for {rows[-1].wait:.1f} s, well after {rows[-1].well:.0f} s")
            moment = moment or recovery.moment(site, players.made)
    players.stop()
    end = time.monotonic()
    site.wait("an event of each move", lambda: watchers.know(players.times, end))
    watchers.stop()
    logs = clients.logs_of(url, str(setting.competition.pk))
    say(clients.checked(logs, players.made))
    say(watchers.checked(logs, undone=any(row.fault == faults.WAITS for row in rows)))
    say(f"rows and standings equal what the logs give: {site.verified()}")
    if moment and recovers:
        say(recovery.recovered(site, moment, players.made))
    for line in table(rows):
        say(line)


def table(rows: Sequence[Noticed]) -> Iterator[str]:
    """Yield the lines of the table of faults, in Markdown."""
    yield "| fault | longest wait for an answer | longest wait for an event | all well after | moves |"
    yield "|---|---|---|---|---|"
    for row in rows:
        yield f"| {row.fault} | {row.wait:.1f} s | {row.lag:.1f} s | {row.well:.0f} s | {row.moves} |"
