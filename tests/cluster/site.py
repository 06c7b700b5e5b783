"""The cluster that deploy/ describes, with passwords of its own, on hosts of this machine."""

import os
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import httpx

from league.demo.clients import Failed
from league.ops.folders import TOP
from tests.cluster import encryption, units
from tests.cluster.hosts import PACKAGES, Host

DATABASES: Final = ("db1", "db2", "db3")
_ROLES: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    **{name: (f"10.20.0.{11 + number}", ("etcd", "patroni")) for number, name in enumerate(DATABASES)},
    "broker": ("10.20.0.31", ("redis",)),
    "proxy1": ("10.20.0.41", ("haproxy", "keepalived")),
    "proxy2": ("10.20.0.42", ("haproxy", "keepalived")),
    "web1": ("10.20.0.51", ("pgbouncer", "web")),
    "web2": ("10.20.0.52", ("pgbouncer", "web")),
    "worker1": ("10.20.0.61", ("pgbouncer", "worker")),
    "worker2": ("10.20.0.62", ("pgbouncer", "worker")),
    "scheduler1": ("10.20.0.71", ("pgbouncer", "scheduler")),
    "scheduler2": ("10.20.0.72", ("pgbouncer", "scheduler")),
    "clients": ("10.20.0.91", ()),
}
"""The hosts, with the addresses that are in the files of deploy/, and their units."""
SERVICE: Final = ("web1", "worker1", "scheduler1", "web2", "worker2", "scheduler2")
"""The hosts that have the code, in the order in which they get a new release."""
_ADDRESS: Final = "10.20.0.40"
"""Which one of the proxies has."""
_DISK: Final = ("/var/lib/postgresql", "700m")
URL: Final = f"http://{_ADDRESS}"
_SMALL: Final = {
    "BEHIND_TLS": "0",
    "ALLOWED_HOSTS": "*",
    "SITE_URL": URL,
    "WEB_PROCESSES": "1",
    "WORKER_PROCESSES": "1",
    "LOG_KEY_FILE": f"{units.SETTINGS}/log_key",
}
_START_SECONDS: Final = 180
_WELL_SECONDS: Final = 180


class Site:
    """The running cluster."""

    def __init__(self, folder: Path, *, tls: bool = False) -> None:
        self.folder, self.tls = folder, tls
        self._release = TOP
        self.hosts = {
            name: Host(name, at, folder / name, roles, disk=_DISK if name in DATABASES else None)
            for name, (at, roles) in _ROLES.items()
        }
        self._secrets = {
            name: secrets.token_hex(16) for name in ("owner", "service", "superuser", "replication")
        }
        self._key = secrets.token_urlsafe(60)

    # ---- Settings ----------------------------------------------------------------------------------

    def write_settings(self) -> None:
        """Give each host the files of deploy/, with passwords."""
        for host in self.hosts.values():
            shutil.copytree(TOP / "deploy", host.settings, dirs_exist_ok=True)
            _write(host.settings / "host.env", NAME=host.name, ADDRESS=host.address)
            _write(
                host.settings / "database.env",
                PATRONI_SUPERUSER_PASSWORD=self._secrets["superuser"],
                PATRONI_REPLICATION_PASSWORD=self._secrets["replication"],
            )
            _write(host.settings / "trefoil.env", SECRET_KEY=self._key, **_SMALL)
            service = host.settings / "trefoil.env"
            service.write_text(service.read_text().replace("PASSWORD", self._secrets["service"]))
            users = host.settings / "database" / "userlist.txt"
            users.write_text(f'"trefoil" "{self._secrets["service"]}"\n')
        if self.tls:
            encryption.encrypt([*self.hosts.values()], _ADDRESS)

    def settings(self) -> dict[str, str]:
        """Return the variables of the service, as a command on one of its hosts has them."""
        found = units.variables(self.hosts["clients"].settings / "trefoil.env")
        data = self.folder / "commands"
        # A host without a pooler.
        direct = {"DATABASE_URL": found["DATABASE_DIRECT_URL"]}
        found = {name: self._inside(value) for name, value in {**found, **direct}.items()}
        return {**found, "TREFOIL_DATA": str(data), "LOG_KEY_FILE": str(self.folder / "log_key")}

    def _inside(self, setting: str) -> str:
        """Return a setting of TLS for a command, which does not see the folders of a host; else as it is."""
        return setting.replace(units.SETTINGS, str(self.hosts["clients"].settings))

    # ---- Start -------------------------------------------------------------------------------------

    def start(self, say: Callable[[str], None]) -> None:
        """Start all hosts, the databases first; raise `Failed`."""
        self._start(*DATABASES)
        self.wait("a primary with a standby", lambda: self.synchronous() is not None, _START_SECONDS)
        say(f"{self.primary()} is the primary, {self.synchronous()} its synchronous standby")
        self._start("broker", "proxy1", "proxy2")
        self._make_roles()
        self._migrate(TOP)
        say("the database is migrated by its owner; the service has a role that owns nothing")
        self._start(*(name for name in self.hosts if name not in DATABASES))
        self.wait("two web hosts that are ready", self._is_ready, _START_SECONDS)

    def _migrate(self, code: Path) -> None:
        """Migrate the database as its owner."""
        as_owner = {"DATABASE_DIRECT_URL": self._url("owner", *DATABASES)}
        self.manage("migrate", "--verbosity", "0", code=code, **as_owner)
        self.manage("grant", "trefoil", code=code, **as_owner)

    def make_release(self) -> None:
        """Make another release, and migrate the database to it; no host runs it yet."""
        self._release = self.folder / "release"
        shutil.copytree(TOP, self._release, ignore=shutil.ignore_patterns(".*", "tests"))
        # Caches of one release are not used by another.
        with (self._release / "league" / "__init__.py").open("a") as file:
            file.write("# The next release.\n")
        self._migrate(self._release)

    def upgrade(self, name: str) -> None:
        """Let a host run the other release, if it was made."""
        self.hosts[name].code = self._release
        self.hosts[name].restart()

    def _url(self, role: str, *names: str) -> str:
        """Return the URL of the database for the owner or the service, on one of these hosts."""
        user = "trefoil_owner" if role == "owner" else "trefoil"
        hosts = ",".join(self.hosts[name].address for name in names)
        options = f"host={hosts}&target_session_attrs=read-write"
        if self.tls:
            options += self._inside(encryption.VERIFIED)
        return f"postgresql://{user}:{self._secrets[role]}@:5432/trefoil?{options}"

    def _start(self, *names: str) -> None:
        for name in names:
            self.hosts[name].start()

    def _make_roles(self) -> None:
        passwords = (f"--set={name}_password={self._secrets[name]}" for name in ("owner", "service"))
        self.psql("postgres", *passwords, "--file", str(TOP / "deploy" / "database" / "roles.sql"))

    def psql(self, database: str, *arguments: str, host: str | None = None) -> str:
        """Run psql as the superuser, on the primary or another host; return what it prints."""
        host = host or self.primary()
        if host is None:
            raise Failed("There is no primary.")
        command = ("psql", "--quiet", "--no-align", "--tuples-only", "--set=ON_ERROR_STOP=1")
        where = ("--host", self.hosts[host].address, "--username", "postgres", "--dbname", database)
        password = {**os.environ, "PGPASSWORD": self._secrets["superuser"]}
        done = subprocess.run(
            [*command, *where, *arguments], env=password, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise Failed(f"psql failed: {done.stderr}")
        return done.stdout.strip()

    def manage(self, *arguments: str, code: Path = TOP, **environment: str) -> str:
        """Run a command of manage.py with the settings of the service; return what it prints."""
        given = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "league.ops.settings",
            **PACKAGES,
            **self.settings(),
            **environment,
        }
        command = [sys.executable, str(code / "manage.py"), *arguments]
        done = subprocess.run(command, env=given, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failed(f"manage.py {' '.join(arguments)} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

    def switch_wal(self, most: int) -> None:
        """Let the primary begin new files of its write-ahead log, until it has no room for one."""
        for _ in range(most):
            try:
                self.psql(
                    "postgres",
                    "--command=SET synchronous_commit = off; SET statement_timeout = '5s'",
                    "--command=SELECT txid_current(), pg_switch_wal()",
                )
            except Failed:
                return

    def cancel_waits(self, host: str, seconds: float) -> None:
        """Cancel all waits for a standby for a while; raise `Failed` if there were none."""
        waits = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        cancelled, end = "", time.monotonic() + seconds
        while time.monotonic() < end:
            cancelled += self.psql("postgres", f"--command={waits}", host=host)
            time.sleep(0.1)
        if not cancelled:
            raise Failed("Nothing waited for a standby.")

    def is_copied(self, host: str) -> bool:
        """Return whether pg_rewind reads files of a primary."""
        reads = "query LIKE '%pg_read_binary_file%' AND pid <> pg_backend_pid()"
        found = f"--command=SELECT count(*) > 0 FROM pg_stat_activity WHERE {reads}"
        with suppress(Failed):
            return self.psql("postgres", found, host=host) == "t"
        return False

    def verified(self, host: str | None = None) -> str:
        """Return what `verify_logs` says, which compares all rows with what the logs give."""
        names = [host] if host else DATABASES
        said = self.manage(
            "verify_logs", "--processes", "1", DATABASE_DIRECT_URL=self._url("service", *names)
        )
        return "; ".join(said.split("\n")).strip("; ")

    # ---- How it is ---------------------------------------------------------------------------------

    def members(self) -> Sequence[Mapping[str, Any]]:
        """Return what Patroni says of the database hosts, asked of any that answers."""
        for name in DATABASES:
            found = _json(f"http://{self.hosts[name].address}:8008/cluster")
            if found and any(each["role"] == "leader" for each in found["members"]):
                members: Sequence[Mapping[str, Any]] = found["members"]
                return members
        return ()

    def primary(self) -> str | None:
        """Return the database host that is the primary."""
        return next((each["name"] for each in self.members() if each["role"] == "leader"), None)

    def synchronous(self) -> str | None:
        """Return the standby for which commits wait."""
        return next((each["name"] for each in self.members() if each["role"] == "sync_standby"), None)

    def other(self) -> str:
        """Return the standby for which commits don't wait."""
        return next(name for name in DATABASES if name not in (self.primary(), self.synchronous()))

    def proxy(self) -> str:
        """Return the proxy host that has the address of the site."""
        for name in ("proxy1", "proxy2"):
            if f" {_ADDRESS}/" in self.hosts[name].addresses():
                return name
        raise Failed("No proxy has the address of the site.")

    def is_well(self) -> bool:
        """Return whether all database hosts follow one primary, and both web hosts are ready.

        A former primary runs on a timeline of its own until it is rewound.
        """
        members = self.members()
        states, timelines = ({each.get(key) for each in members} for key in ("state", "timeline"))
        return (
            len(members) == len(DATABASES)
            and states <= {"running", "streaming"}
            and len(timelines) == 1
            and self._is_ready()
        )

    def _is_ready(self) -> bool:
        found = [_json(f"http://{self.hosts[name].address}:8000/readyz") for name in ("web1", "web2")]
        return self.synchronous() is not None and all(each and each["ready"] for each in found)

    def wait(self, what: str, happened: Callable[[], bool], seconds: float = _WELL_SECONDS) -> None:
        """Wait for something, and keep what ends by itself running; raise `Failed` after so many seconds."""
        end = time.monotonic() + seconds
        while not happened():
            if time.monotonic() > end:
                raise Failed(f"There was not, in {seconds} seconds: {what}.\n{self.members()}")
            self.keep()
            time.sleep(0.5)

    def keep(self) -> None:
        """Start again what has ended by itself on hosts that run."""
        for host in self.hosts.values():
            if host.running:
                host.keep()


def _json(url: str) -> Any:
    try:
        return httpx.get(url, timeout=3).json()
    except (httpx.TransportError, ValueError):
        return None


def _write(file: Path, **values: str) -> None:
    """Set variables in an environment file."""
    found = {**units.variables(file), **values}
    file.write_text("".join(f"{name}={value}\n" for name, value in found.items()))
