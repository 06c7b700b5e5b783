"""What a release has stored, this one upgrades: a data folder, and a backup put in its place."""

from pathlib import Path

import httpx
import pytest

from tests.ops.service import manage, running
from tests.ops.upgrades import FILES, unpack

VERSIONS = sorted(file.stem for file in FILES.glob("*.dump"))


def test_every_release_from_the_first_is_kept() -> None:
    assert VERSIONS[0] == "0.9.0"
    assert sorted(file.name.removesuffix(".tar.xz") for file in FILES.glob("*.tar.xz")) == VERSIONS


@pytest.mark.long
@pytest.mark.parametrize("version", VERSIONS)
def test_a_data_folder_and_a_backup_of_a_release_are_upgraded(version: str, data: Path) -> None:
    unpack(FILES / f"{version}.tar.xz", data)
    assert _said(data, "upgrade").endswith("The database is upgraded and verified.\n")
    with running(data) as up:
        listed = httpx.get(f"{up.hear(r'READY (http[^ ]+)')}api/v1/competitions/").json()
        games = [each["name"].split()[0] for each in listed["results"]]
        assert games == ["Scoops", "Scram!", "Scamper"]
        backup = str(FILES / f"{version}.dump")
        assert _said(data, "restore", "--replace", backup).endswith(
            "The database is restored and verified.\n"
        )


def _said(data: Path, *arguments: str) -> str:
    command = manage(data, *arguments)
    said, _ = command.communicate()
    assert command.returncode == 0, said
    return said
