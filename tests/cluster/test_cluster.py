"""The parts of the cluster command that need no cluster: the files of deploy/, and the checker."""

import json
import re
import shutil
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path

import django
import httpx
import pytest
from psycopg.pq import Conninfo

from league.demo import clients
from league.demo.clients import Api, Failed, Made
from league.ops.folders import TOP
from tests.cluster import hosts, units
from tests.cluster.site import Site
from tests.crash.watchers import Watchers

_DEPLOY = TOP / "deploy"
_GAME = "00000000-0000-4000-8000-000000000000"
_LOG = next((TOP / "tests" / "rules" / "scamper" / "logs").glob("*.jsonl")).read_text().splitlines()


def test_each_unit_is_run_by_a_host_and_its_variables_are_set(tmp_path: Path) -> None:
    hosts = Site(tmp_path).hosts.values()
    roles = {role for host in hosts for role in host.roles}
    assert roles == {path.stem.removeprefix("trefoil-") for path in units.FOLDER.iterdir()}
    for role in sorted(roles):
        unit = units.read(role, _DEPLOY)
        assert Path(unit.command[0]).is_absolute()
        assert "$" not in " ".join(unit.command)


def test_the_settings_that_units_name_are_in_deploy() -> None:
    texts = [path.read_text() for path in units.FOLDER.iterdir()]
    named = {name for text in texts for name in re.findall(rf"{units.SETTINGS}/([\w./]+)", text)}
    assert {name for name in named if not (_DEPLOY / name).exists()} == set()


def test_a_copy_from_a_primary_that_is_cut_off_ends_in_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in units.read("patroni", _DEPLOY).environment.items():
        monkeypatch.setenv(name, value.replace(units.SETTINGS, str(_DEPLOY)))
    found = {option.keyword: option.val for option in Conninfo.get_defaults()}
    assert found[b"tcp_user_timeout"] == b"10000"
    assert found[b"keepalives_idle"] == b"5"


def test_the_addresses_of_the_files_are_those_of_the_hosts(tmp_path: Path) -> None:
    known = {host.address for host in Site(tmp_path).hosts.values()} | {"10.20.0.0", "10.20.0.40"}
    files = [path for path in _DEPLOY.rglob("*") if path.is_file()]
    named = {address for path in files for address in re.findall(r"\b10\.20\.\d+\.\d+\b", path.read_text())}
    assert named <= known
    assert len(named) > 6


def test_the_variables_of_the_service_are_those_of_the_docs() -> None:
    page = (TOP / "docs" / "running.md").read_text()
    assert [name for name in units.variables(_DEPLOY / "trefoil.env") if f"`{name}`" not in page] == []


def entry(line: str) -> Made | None:
    """Return what the log has of a seat's move, as it was answered."""
    found = json.loads(line)
    if found.get("role") != "seat":
        return None
    return Made(_GAME, found["seq"], found["seat"], found["move"], last=found["seq"], head=found["hash"])


def test_a_copied_release_runs_with_the_packages_of_this_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TREFOIL_VENV", raising=False)
    release = tmp_path / "release"
    release.mkdir()
    shutil.copy(TOP / "manage.py", release)
    for name in ("requirements.lock", "games", "league", "api"):
        (release / name).symlink_to(TOP / name)
    site = Site(tmp_path / "site")
    site.write_settings()
    assert site.manage("version", code=release).strip() == django.__version__
    assert hosts.environment_of({})["TREFOIL_VENV"] == sys.prefix


def answered() -> list[Made]:
    return [*filter(None, map(entry, _LOG))]


def test_the_checker_finds_each_answered_move_once() -> None:
    assert f"{len(answered())} answered moves" in clients.checked({_GAME: _LOG}, answered())


def test_the_checker_names_lost_and_unanswered_moves_and_broken_chains() -> None:
    first, *others = answered()
    with pytest.raises(Failed, match=r"^0 answered moves are lost, 1 were never answered"):
        clients.checked({_GAME: _LOG}, others)
    with pytest.raises(Failed, match=r"^1 answered moves are lost, 0 were never answered"):
        clients.checked({_GAME: _LOG}, [first, first, *others])
    with pytest.raises(Failed, match="is wrong"):
        clients.checked({_GAME: [_LOG[0], *_LOG[2:]]}, answered())


def test_the_checker_notices_another_card_in_the_log_than_was_answered() -> None:
    others = answered()
    number = next(number for number, each in enumerate(others) if "card" in each.move)
    others[number] = replace(others[number], move={**others[number].move, "card": "none"})
    with pytest.raises(Failed, match=r"^1 answered moves are lost, 1 were never answered.*none"):
        clients.checked({_GAME: _LOG}, others)


def test_the_checker_notices_an_entry_with_another_hash_than_was_answered() -> None:
    first, *others = answered()
    with pytest.raises(Failed, match=r"^1 answers named an entry that is another one"):
        clients.checked({_GAME: _LOG}, [replace(first, head="0" * 64), *others])


def test_a_list_of_several_pages_is_read_to_its_end() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        page = int(request.url.params.get("page", 1))
        query = request.url.params.set("page", page + 1)
        return httpx.Response(
            200,
            json={
                "results": [f"{request.url.params['status']} {page}"],
                "next": str(request.url.copy_with(params=query)) if page < 3 else None,
            },
        )

    api = Api("http://localhost")
    api._client = httpx.Client(base_url="http://localhost/api/v1/", transport=httpx.MockTransport(answer))
    games = [*islice(api.listed("games/", status="active"), 5)]
    assert games == ["active 1", "active 2", "active 3"]


def test_the_checker_lets_an_undone_entry_hide_its_successor_and_no_other() -> None:
    log = [*clients.entries_of(_LOG)]
    watchers = Watchers("http://localhost", "", 1)
    (watcher,) = watchers._watchers
    watcher.arrived = {(_GAME, entry["seq"]): 0.0 for entry in log}
    watcher.seen = {_GAME: [entry["hash"] for entry in log]}
    watcher.seen[_GAME][3] = "undone"
    assert "1 watched games" in watchers.checked({_GAME: _LOG}, undone=True)
    with pytest.raises(Failed, match="has a gap"):
        watchers.checked({_GAME: _LOG})
    del watcher.arrived[_GAME, log[3]["seq"]]
    with pytest.raises(Failed, match="has a gap"):
        watchers.checked({_GAME: _LOG}, undone=True)
