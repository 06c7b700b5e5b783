"""Recovery to a point in time: a backup while the league is played, restored beside to a moment within it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from league.demo.clients import Failed, Made
from tests.cluster import units
from tests.cluster.site import Site

NAME: Final = "recovery to a point in time"
_BACKREST: Final = ("pgbackrest", f"--config={units.SETTINGS}/database/pgbackrest.conf", "--stanza=trefoil")
_DATA: Final = "/var/lib/postgresql/15/trefoil"
_BESIDE: Final = "clients"
"""A host without a database of its own."""
_SERVER: Final = ("-c synchronous_standby_names=", "-c archive_mode=off", "-c listen_addresses=*")


@dataclass(frozen=True)
class Moment:
    """A moment by the database's clock, and how many moves had been answered before."""

    at: str
    moves: int


def archive(site: Site) -> None:
    """Let the hosts archive their write-ahead log, which fills their disks otherwise."""
    site.hosts[str(site.primary())].run(*_BACKREST, "stanza-create")


def back_up(site: Site) -> None:
    """Make a full backup on the primary; from then on every second can be restored."""
    site.hosts[str(site.primary())].run(*_BACKREST, "--type=full", "backup")


def moment(site: Site, made: Sequence[Made]) -> Moment:
    """Return what is now."""
    moves = len(made)
    return Moment(site.psql("trefoil", "--command=SELECT clock_timestamp()"), moves)


def recovered(site: Site, to: Moment, made: Sequence[Made]) -> str:
    """Restore the database as it was at a moment, and return what is in it; raise `Failed`."""
    last = site.psql("trefoil", "--command=SELECT pg_walfile_name(pg_switch_wal())")
    archived = f"--command=SELECT last_archived_wal >= '{last}' FROM pg_stat_archiver"
    site.wait("the archive of the last moves", lambda: site.psql("trefoil", archived) == "t")
    host = site.hosts[_BESIDE]
    host.run("mkdir", "-p", _DATA)
    host.run(*_BACKREST, "--type=time", f"--target={to.at}", "--target-action=promote", "restore")
    start = (
        "pg_ctl",
        "start",
        "--wait",
        f"--pgdata={_DATA}",
        f"--log={_DATA}.log",
        f"--options={' '.join(_SERVER)}",
    )
    host.run(f"/usr/lib/postgresql/15/bin/{start[0]}", *start[1:])
    replays = "--command=SELECT pg_is_in_recovery()"
    # It can be read before.
    site.wait("the end of the recovery", lambda: site.psql("trefoil", replays, host=_BESIDE) == "f")
    found = site.psql(
        "trefoil", "--command=SELECT game_id, seq, encode(hash, 'hex') FROM games_move", host=_BESIDE
    )
    rows = {*found.splitlines()}
    before = {f"{move.game}|{move.last}|{move.head}" for move in made[: to.moves]}
    later = f"--command=SELECT count(*) FROM games_move WHERE at > '{to.at}'"
    if not before <= rows or site.psql("trefoil", later, host=_BESIDE) != "0":
        raise Failed(f"The restored database has not what was answered at {to.at}.")
    said = site.verified(host=_BESIDE)
    return f"restored to {to.at}: {len(rows)} entries, all that were answered before; {said}"
