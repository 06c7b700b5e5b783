"""TLS between the hosts, as docs/running.md says: to PostgreSQL, between its hosts, and to the broker."""

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.cluster import units
from tests.cluster.hosts import Host

VERIFIED: Final = f"&sslmode=verify-full&sslrootcert={units.SETTINGS}/tls/ca.pem"
"""What is added to the URL of the database."""
_TLS: Final = f"{units.SETTINGS}/tls"
_PARAMETERS: Final = f"""
        ssl: "on"
        ssl_cert_file: {_TLS}/host.pem
        ssl_key_file: {_TLS}/host.key
        archive_mode"""
_REDIS: Final = f"""port 0
tls-port 6379
tls-cert-file {_TLS}/host.pem
tls-key-file {_TLS}/host.key
tls-ca-cert-file {_TLS}/ca.pem
tls-auth-clients no
"""


def encrypt(hosts: Sequence[Host], shared: str) -> None:
    """Give each host a certificate for its address and the shared one, and settings to use it."""
    authority = hosts[0].folder.parent / "authority"
    authority.mkdir()
    own = ("-subj", "/CN=the authority of the site", "-keyout", "ca.key", "-out", "ca.pem")
    _openssl(authority, "req", "-x509", "-days", "2", *_NEW_KEY, *own)
    for host in hosts:
        folder = host.settings / "tls"
        folder.mkdir()
        shutil.copy(authority / "ca.pem", folder)
        names = f"subjectAltName=IP:{host.address},IP:{shared}"
        signed = ("-CA", "ca.pem", "-CAkey", "ca.key", "-addext", names, "-subj", f"/CN={host.name}")
        files = ("-keyout", str(folder / "host.key"), "-out", str(folder / "host.pem"))
        _openssl(authority, "req", "-x509", "-days", "2", *_NEW_KEY, *signed, *files)
        shutil.chown(folder / "host.key", "redis" if "redis" in host.roles else "postgres")
        _configure(host.settings)


_NEW_KEY: Final = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc")


def _openssl(folder: Path, *arguments: str) -> None:
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)


def _configure(settings: Path) -> None:
    """Let the programs of a host use its certificate, and demand those of others."""
    patroni = settings / "database" / "patroni.yml"
    told = patroni.read_text().replace("\n        archive_mode", _PARAMETERS)
    patroni.write_text(re.sub(r"- host (.*10\.20\.0\.0)", r"- hostssl \1", told))
    with (settings / "database.env").open("a") as file:
        for role in ("SUPERUSER", "REPLICATION"):
            file.write(f"PATRONI_{role}_SSLMODE=verify-full\nPATRONI_{role}_SSLROOTCERT={_TLS}/ca.pem\n")
    with (settings / "database" / "pgbouncer.ini").open("a") as file:
        file.write(f"server_tls_sslmode = verify-full\nserver_tls_ca_file = {_TLS}/ca.pem\n")
    redis = settings / "redis.conf"
    redis.write_text(redis.read_text().replace("port 6379\n", _REDIS))
    service = settings / "trefoil.env"
    broker = f"ssl_cert_reqs=required&ssl_ca_certs={_TLS}/ca.pem"
    told = re.sub(r"redis:(.*)", rf"rediss:\1?{broker}", service.read_text())
    service.write_text(told.replace("=read-write", f"=read-write{VERIFIED}"))
