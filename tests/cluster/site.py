"""The cluster that deploy/ describes, with passwords of its own, on hosts of this machine."""

import os
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import httpx

from league.ops.folders import TOP
from tests.cluster import units
from tests.cluster.hosts import Host
from tests.crash.checker import Failed

DATABASES: Final = ("db1", "db2", "db3")
_ROLES: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    **{name: (f"10.20.0.{11 + number}", ("etcd", "patroni")) for number, name in enumerate(DATABASES)},
    "pooler": ("10.20.0.21", ("pgbouncer",)),
    "broker": ("10.20.0.31", ("redis",)),
    "proxy": ("10.20.0.41", ("haproxy",)),
    "web1": ("10.20.0.51", ("web",)),
    "web2": ("10.20.0.52", ("web",)),
    "worker1": ("10.20.0.61", ("worker",)),
    "worker2": ("10.20.0.62", ("worker",)),
    "scheduler1": ("10.20.0.71", ("scheduler",)),
    "scheduler2": ("10.20.0.72", ("scheduler",)),
    "clients": ("10.20.0.91", ()),
}
"""The hosts, with the addresses that are in the files of deploy/, and their units."""
URL: Final = "http://10.20.0.41"
_SMALL: Final = {
    "BEHIND_TLS": "0",
    "ALLOWED_HOSTS": "*",
    "SITE_URL": URL,
    "WEB_PROCESSES": "1",
    "WORKER_PROCESSES": "1",
    "LOG_KEY_FILE": f"{units.SETTINGS}/log_key",
}
_START_SECONDS: Final = 180
_WELL_SECONDS: Final = 90


class Site:
    """The running cluster."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.hosts = {name: Host(name, at, folder / name, roles) for name, (at, roles) in _ROLES.items()}
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

    def settings(self) -> dict[str, str]:
        """Return the variables of the service, as a command on one of its hosts has them."""
        found = units.variables(self.hosts["clients"].settings / "trefoil.env")
        data = self.folder / "commands"
        return {**found, "TREFOIL_DATA": str(data), "LOG_KEY_FILE": str(self.folder / "log_key")}

    # ---- Start -------------------------------------------------------------------------------------

    def start(self, say: Callable[[str], None]) -> None:
        """Start all hosts, the databases first; raise `Failed`."""
        self._start(*DATABASES)
        self.wait("a primary with a standby", lambda: self.synchronous() is not None, _START_SECONDS)
        say(f"{self.primary()} is the primary, {self.synchronous()} its synchronous standby")
        self._start("pooler", "broker", "proxy")
        self._make_roles()
        as_owner = {"DATABASE_DIRECT_URL": self._url("owner", *DATABASES)}
        self.manage("migrate", "--verbosity", "0", **as_owner)
        self.manage("grant", "trefoil", **as_owner)
        say("the database is migrated by its owner; the service has a role that owns nothing")
        key = self.folder / "log_key"
        if key.exists():
            for host in self.hosts.values():
                shutil.copy(key, host.settings / key.name)
        self._start(*(name for name in self.hosts if name not in DATABASES))
        self.wait("two web hosts that are ready", self._is_ready, _START_SECONDS)

    def _url(self, role: str, *names: str) -> str:
        """Return the URL of the database for the owner or the service, on one of these hosts."""
        user = "trefoil_owner" if role == "owner" else "trefoil"
        hosts = ",".join(self.hosts[name].address for name in names)
        options = f"host={hosts}&target_session_attrs=read-write"
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

    def manage(self, *arguments: str, **environment: str) -> str:
        """Run a command of manage.py with the settings of the service; return what it prints."""
        given = {**os.environ, **self.settings(), **environment}
        command = [sys.executable, str(TOP / "manage.py"), *arguments]
        done = subprocess.run(command, env=given, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failed(f"manage.py {' '.join(arguments)} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

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

    def is_well(self) -> bool:
        """Return whether all database hosts follow one primary, and both web hosts are ready."""
        states = [each["state"] for each in self.members()]
        return len(states) == len(DATABASES) and {*states} <= {"running", "streaming"} and self._is_ready()

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
