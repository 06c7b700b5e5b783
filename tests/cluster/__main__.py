"""`manage.py cluster-test`: a cluster of thirteen hosts on this machine, and all that goes wrong there.

It needs root, and installs Debian's packages where they are missing. Everything is in network namespaces and
a folder of its own, and removed at the end. It exits with 1 if anything is wrong.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import django

from league.demo.clients import Failed
from league.ops import processes
from tests.cluster.hosts import network
from tests.cluster.site import URL, Site
from tests.installing import apt_install

_PACKAGES: Final = {
    "patroni": "patroni",
    "etcd": "etcd-server",
    "/usr/lib/python3/dist-packages/etcd": "python3-etcd",
    "haproxy": "haproxy",
    "keepalived": "keepalived",
    "curl": "curl",
    "pgbouncer": "pgbouncer",
    "redis-server": "redis-server",
    "pgbackrest": "pgbackrest",
    "ip": "iproute2",
    "openssl": "openssl",
    "psql": "postgresql-client",
    "/usr/lib/postgresql/15/bin/postgres": "postgresql-15",
}
"""Programs, and the packages that have them."""
_BEGAN: Final = time.monotonic()


def main(arguments: Sequence[str]) -> None:
    """Run the cluster as the arguments say, and print the table of faults."""
    parser = argparse.ArgumentParser("manage.py cluster-test", description=__doc__)
    parser.add_argument("--only", default="", help="only faults whose name this regular expression finds")
    parser.add_argument("--times", type=int, default=1, help="how often each of them happens (1)")
    parser.add_argument("--keep", action="store_true", help="keep the folder with settings and logs")
    parser.add_argument("--tls", action="store_true", help="with TLS between the hosts")
    given = parser.parse_args(arguments)
    processes.end_when_asked()
    try:
        install()
        run(given.only, given.times, given.keep, given.tls)
    except Failed as failure:
        sys.exit(f"FAILED: {failure}")


def install() -> None:
    """Install what is missing; raise `Failed`."""
    if os.geteuid() != 0:
        raise Failed("Only root can make network namespaces.")
    missing = {
        package
        for program, package in _PACKAGES.items()
        if not (shutil.which(program) or Path(program).is_dir())
    }
    if missing and not apt_install(*sorted(missing)):
        raise Failed(f"These packages of Debian 12 are missing: {', '.join(sorted(missing))}.")


def say(line: str) -> None:
    """Print a line with the seconds since the start."""
    sys.stdout.write(f"{time.monotonic() - _BEGAN:6.1f} s  {line}\n")
    sys.stdout.flush()


def run(only: str, times: int, keep: bool, tls: bool) -> None:
    """Start the cluster, play, let the faults happen, check; raise `Failed`."""
    folder = Path(tempfile.mkdtemp(prefix="trefoil-cluster-"))
    folder.chmod(0o755)
    site = Site(folder, tls=tls)
    try:
        with network([*site.hosts.values()], folder):
            site.write_settings()
            site.start(say)
            os.environ.update(site.settings(), DJANGO_SETTINGS_MODULE="league.ops.settings")
            django.setup()
            from tests.cluster.league import play

            play(site, URL, only, times, say)
    finally:
        if keep:
            say(f"logs are in {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1:])
