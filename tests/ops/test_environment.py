"""The environment variables: accepted and refused values."""

import os
import runpy
from functools import partial
from pathlib import Path

import pytest
import yaml
from uvicorn.middleware.proxy_headers import _TrustedHosts

from league.ops import environment, folders, secret
from league.ops.environment import BadSetting
from league.ops.folders import TOP


@pytest.mark.parametrize(
    ("said", "heard"),
    [("1", True), ("Yes", True), ("on", True), ("0", False), ("off", False), ("", False), ("  ", False)],
)
def test_a_flag_is_read_in_the_usual_spellings_and_an_empty_one_is_absent(
    monkeypatch: pytest.MonkeyPatch, said: str, heard: bool
) -> None:
    monkeypatch.setenv("THING", said)
    assert environment.flag("THING") is heard


@pytest.mark.parametrize(
    ("read", "said"),
    [
        (environment.flag, "maybe"),
        (partial(environment.number, default=0), "-1"),
        (partial(environment.number, default=0), "²"),
    ],
)
def test_a_bad_value_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, read: object, said: str) -> None:
    monkeypatch.setenv("THING", said)
    assert callable(read)
    with pytest.raises(BadSetting, match=f"^THING is '{said}'"):
        read("THING")


def test_items_are_separated_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THING", " a.example, ,b.example ")
    assert environment.items("THING") == ["a.example", "b.example"]


@pytest.mark.parametrize(
    ("url", "host", "port", "user", "password", "name", "options"),
    [
        ("postgresql://u:p%40ss@db:5433/tr", "db", "5433", "u", "p@ss", "tr", {}),
        ("postgres://db/tr?sslmode=require", "db", "", "", "", "tr", {"sslmode": "require"}),
        ("postgresql://u@/tr?host=/run/postgresql", "/run/postgresql", "", "u", "", "tr", {}),
        ("postgresql://u@%2Frun%2Fpg/tr", "/run/pg", "", "u", "", "tr", {}),
    ],
)
def test_a_database_url_becomes_djangos_settings(
    url: str, host: str, port: str, user: str, password: str, name: str, options: dict[str, str]
) -> None:
    assert environment.database(url) == {
        "ENGINE": "league.ops.database",
        "NAME": name,
        "USER": user,
        "PASSWORD": password,
        "HOST": host,
        "PORT": port,
        "OPTIONS": options,
    }


def test_other_databases_are_refused() -> None:
    with pytest.raises(BadSetting, match="'sqlite'"):
        environment.database("sqlite:///db.sqlite3")


@pytest.mark.parametrize("url", ["redis://b/0", "rediss://b", "redis+socket:///run/b.sock", "amqp://u:p@b//"])
def test_a_broker_is_redis_or_rabbitmq(url: str) -> None:
    assert environment.broker(url) == url


def test_another_broker_is_refused() -> None:
    with pytest.raises(BadSetting, match="'memory'"):
        environment.broker("memory://")


def test_the_secret_key_is_created_once_and_readable_only_by_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "secret_key"
    first = secret.kept_in(path)
    assert secret.kept_in(path) == first
    assert len(first) > 50
    assert [file.name for file in tmp_path.iterdir()] == ["secret_key"]
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_secret_that_two_threads_make_at_once_is_the_first_one_s(tmp_path: Path) -> None:
    path, others = tmp_path / "push_key", list[str]()

    def make() -> str:
        others.append(secret.kept_in(path, lambda: "the first one"))
        return "the second one"

    assert [secret.kept_in(path, make), path.read_text()] == others * 2 == ["the first one"] * 2
    assert [file.name for file in tmp_path.iterdir()] == ["push_key"]


def test_a_private_folder_has_its_mode_under_any_umask(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        folder = folders.own_folder(tmp_path / "above" / "below", 0o711)
    finally:
        os.umask(before)
    assert {path.stat().st_mode & 0o777 for path in (folder, folder.parent)} == {0o711}


def test_the_deployment_trusts_the_addresses_of_its_proxies_alone() -> None:
    compose = yaml.safe_load((TOP / "deploy/compose.yaml").read_text())
    (network,) = compose["networks"]["default"]["ipam"]["config"]
    trusted = compose["services"]["trefoil"]["environment"]["FORWARDED_ALLOW_IPS"]
    assert trusted == network["gateway"]
    forwarded = "192.0.2.66, 198.51.100.7"  # the first is what a client wrote
    assert _TrustedHosts(trusted).get_trusted_client_address(forwarded)[0] == "198.51.100.7"
    assert "FORWARDED_ALLOW_IPS=*" not in (TOP / "deploy/trefoil.env").read_text()


def settings_with(monkeypatch: pytest.MonkeyPatch, data: Path, **variables: str) -> dict[str, object]:
    for name, value in {"TREFOIL_DATA": str(data), **variables}.items():
        monkeypatch.setenv(name, value)
    return runpy.run_path(str(TOP / "league/ops/settings.py"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("API_RATE_BOT", "lots"),
        ("BEACON_URLS", "api.drand.sh"),
        ("BEACON_URLS", "https://a.example, https://b.example/?x"),
        ("CELERY_BROKER_URL", "redis://h:x/0"),
        ("DATABASE_URL", "postgresql://u:hidden/word@h/db"),
        ("EMAIL_URL", "smtp://h:x"),
        ("LOG_LEVEL", "LOUD"),
        ("SITE_URL", "cards.example"),
        ("WEB_THREADS", "0"),
        ("WORKER_PROCESSES", "0"),
    ],
)
def test_an_invalid_value_is_refused_with_the_name_of_its_variable(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, value: str
) -> None:
    with pytest.raises(BadSetting, match=name) as refusal:
        settings_with(monkeypatch, tmp_path, **{name: value})
    assert "hidden" not in str(refusal.value)
