"""Hosts of a cluster on one machine: network namespaces on a bridge, each with folders of its own."""

import ctypes
import os
import pwd
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from league.demo.clients import Failed
from league.ops import processes
from league.ops.folders import TOP
from tests.cluster import units
from tests.cluster.units import Unit

PREFIX: Final = "trefoil-"
_NET: Final = f"{PREFIX}net"
_BRIDGE: Final = "bridge"
_FOLDERS: Final = {
    "/var/lib/postgresql": "postgres",
    "/var/lib/etcd": "etcd",
    "/var/lib/redis": "redis",
    "/run/postgresql": "postgres",
    "/var/lib/trefoil": "root",
    units.SETTINGS: "root",
}
"""What each host has for itself, and whose it is."""
_BACKUPS: Final = "/var/lib/pgbackrest"
"""What the hosts share, as a disk in the network."""
_DISK: Final = "trefoil-disk"
_BALLAST: Final = "ballast"
PACKAGES: Final = {"TREFOIL_VENV": sys.prefix}
"""For copies of the code on hosts without a network."""
_NEW_NETWORK: Final = 0x40000000
_STOP_SECONDS: Final = 60


@dataclass
class Host:
    """A host: its name, address, folder, and what runs there."""

    name: str
    address: str
    folder: Path
    roles: tuple[str, ...]
    disk: tuple[str, str] | None = None
    """A folder that is a small disk of its own, and its size."""
    code: Path = TOP
    running: dict[str, "subprocess.Popen[bytes]"] = field(default_factory=dict)

    @property
    def space(self) -> str:
        return f"{PREFIX}{self.name}"

    @property
    def settings(self) -> Path:
        return self.folder / units.SETTINGS[1:]

    def join(self) -> None:
        """Make the host's namespace, with a cable to the bridge."""
        for path, user in _FOLDERS.items():
            folder = self.folder / path[1:]
            folder.mkdir(parents=True)
            if self.disk and self.disk[0] == path:
                mount = ("mount", "-t", "tmpfs", "-o", f"size={self.disk[1]}", _DISK, str(folder))
                subprocess.run(mount, check=True)
            shutil.chown(folder, user, user)
        _ip("netns", "add", self.space)
        pair = ("type", "veth", "peer", "name", "eth0", "netns", self.space)
        _ip("link", "add", self.name, "netns", _NET, *pair)
        _ip("-n", _NET, "link", "set", self.name, "master", _BRIDGE, "up")
        _ip("-n", self.space, "link", "set", "lo", "up")
        _ip("-n", self.space, "addr", "add", f"{self.address}/24", "dev", "eth0")
        _ip("-n", self.space, "link", "set", "eth0", "up")

    def cut(self) -> None:
        """Pull the host's cable."""
        _ip("-n", _NET, "link", "set", self.name, "down")

    def heal(self) -> None:
        """Plug the host's cable in again."""
        _ip("-n", _NET, "link", "set", self.name, "up")

    def addresses(self) -> str:
        """Return what `ip` says of the host's addresses."""
        shown = ["ip", "-n", self.space, "-oneline", "addr"]
        return subprocess.run(shown, capture_output=True, text=True, check=True).stdout

    def fill(self) -> None:
        """Let the host's small disk be full."""
        if self.disk is None:
            raise Failed(f"{self.name} has no disk of its own.")
        fill(self.folder / self.disk[0][1:])

    def make_room(self) -> None:
        """Free what `fill` has taken."""
        if self.disk is not None:
            (self.folder / self.disk[0][1:] / _BALLAST).unlink()

    def command(self, unit: Unit) -> list[str]:
        """Return the command that runs a unit's program on this host."""
        mounts = [f"mount --bind {self.folder / path[1:]} {path}" for path in _FOLDERS]
        mounts.append(f"mount --bind {self.folder.parent / 'backups'} {_BACKUPS}")
        # The service has a user of its own where it is installed.
        user = unit.user if _is_known(unit.user) else "root"
        groups = ("--init-groups",) if user != "root" else ("--clear-groups",)
        become = ("setpriv", "--reuid", user, "--regid", user, *groups, "--", *unit.command)
        return [
            "ip",
            "netns",
            "exec",
            self.space,
            "sh",
            "-c",
            " && ".join((*mounts, f"exec {shlex.join(become)}")),
        ]

    def start(self) -> None:
        """Start what the host does not run."""
        for role in self.roles:
            if role not in self.running:
                unit = units.read(role, self.settings, self.code)
                with (self.folder / f"{role}.log").open("ab") as log:
                    self.running[role] = subprocess.Popen(
                        self.command(unit),
                        env=environment_of(unit.environment),
                        stdin=subprocess.DEVNULL,
                        stdout=log,
                        stderr=log,
                        start_new_session=True,
                        cwd="/",
                    )

    def keep(self) -> None:
        """Start again what has ended by itself, as systemd does."""
        for role, process in [*self.running.items()]:
            if process.poll() is not None:
                del self.running[role]
        self.start()

    def run(self, *command: str, user: str = "postgres", **environment: str) -> str:
        """Run a command on the host to its end, and return what it prints; raise `Failed`."""
        unit = Unit(command[0], command, user, environment)
        done = subprocess.run(
            self.command(unit),
            env=environment_of(environment),
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
        )
        if done.returncode:
            raise Failed(f"{shlex.join(command)} on {self.name} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

    def restart(self) -> None:
        """End what the host runs as systemd does, and start it again."""
        for process in self.running.values():
            process.terminate()
        for process in self.running.values():
            with suppress(subprocess.TimeoutExpired):
                process.wait(_STOP_SECONDS)
        self.kill()
        self.start()

    def signal(self, word: str, number: signal.Signals) -> None:
        """Send a signal to what has a word in its command."""
        for pid in self._pids():
            if word in processes.command_of(pid):
                with suppress(ProcessLookupError):
                    os.kill(pid, number)

    def kill(self, word: str = "") -> None:
        """Kill all that runs on the host, as a loss of power does; or what has a word in its command."""
        self.signal(word, signal.SIGKILL)
        if not word:
            for process in self.running.values():
                process.wait()
            self.running.clear()

    def leave(self) -> None:
        """Remove the host and all that runs there."""
        self.kill()
        subprocess.run(["ip", "netns", "del", self.space], capture_output=True, check=False)

    def _pids(self) -> list[int]:
        listed = subprocess.run(
            ["ip", "netns", "pids", self.space], capture_output=True, text=True, check=False
        )
        return [int(pid) for pid in listed.stdout.split() if int(pid) != os.getpid()]


@contextmanager
def network(hosts: Sequence[Host], folder: Path) -> Iterator[None]:
    """Connect the hosts, and this process with the last of them; at the end remove them all."""
    sweep()
    made = [path for path in (*_FOLDERS, _BACKUPS) if not Path(path).exists()]
    for path in made:
        Path(path).mkdir(parents=True)
    (folder / "backups").mkdir()
    shutil.chown(folder / "backups", "postgres", "postgres")
    home = os.open("/proc/self/ns/net", os.O_RDONLY)
    try:
        _ip("netns", "add", _NET)
        _ip("-n", _NET, "link", "add", _BRIDGE, "type", "bridge")
        _ip("-n", _NET, "link", "set", _BRIDGE, "up")
        for host in hosts:
            host.join()
        with Path(f"/run/netns/{hosts[-1].space}").open() as space:
            _enter(space.fileno())
        yield
    finally:
        _enter(home)
        os.close(home)
        for host in hosts:
            host.leave()
        sweep()
        for path in made:
            with suppress(OSError):
                Path(path).rmdir()


def fill(folder: Path) -> Path:
    """Leave no room on the disk of a folder; return the file without which there is some."""
    ballast = folder / _BALLAST
    with ballast.open("ab") as file, suppress(OSError):
        while True:
            os.posix_fallocate(file.fileno(), file.seek(0, os.SEEK_END), 1 << 12)
    return ballast


def sweep() -> None:
    """Remove the namespaces of a run that was killed, and what runs in them."""
    listed = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=False)
    for line in listed.stdout.splitlines():
        name = line.split()[0]
        if name.startswith(PREFIX):
            Host(name.removeprefix(PREFIX), "", Path(), ()).leave()
    for mounted in Path("/proc/mounts").read_text().splitlines():
        source, folder = mounted.split()[:2]
        if source == _DISK:
            subprocess.run(["umount", "--lazy", folder], check=False)


def _enter(descriptor: int) -> None:
    """Move this thread, and those that it starts, into a network."""
    if ctypes.CDLL(None, use_errno=True).setns(descriptor, _NEW_NETWORK):
        raise OSError(ctypes.get_errno(), "setns")


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True)


def _is_known(user: str) -> bool:
    try:
        return bool(pwd.getpwnam(user))
    except KeyError:
        return False


def environment_of(given: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a program: what systemd gives it, and where this run finds its packages."""
    return {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", **PACKAGES, **given}
