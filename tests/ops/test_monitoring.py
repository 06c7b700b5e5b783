"""Alert rules and the dashboard name numbers that /metrics has, with labels that these have."""

import json
import re
from collections.abc import Iterator

import pytest
from prometheus_client.parser import text_string_to_metric_families

from games import heads  # noqa: F401  # its numbers
from league.ops import metrics
from league.ops.folders import TOP
from league.web import health

_FOLDER = TOP / "deploy" / "monitoring"
_ALERTS = (_FOLDER / "alerts.yml").read_text()
_DASHBOARD = json.loads((_FOLDER / "dashboard.json").read_text())
_BY_OTHERS = {"up", "node_filesystem_avail_bytes", "node_filesystem_size_bytes"}


def expressions() -> Iterator[str]:
    yield from re.findall(r"^ +expr: (.+)$", _ALERTS, re.MULTILINE)
    for panel in _DASHBOARD["panels"]:
        yield from (target["expr"] for target in panel["targets"])


def told(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Return the names of what a server tells to which everything has happened once."""
    monkeypatch.delenv(metrics.VARIABLE, raising=False)
    metrics.REFUSALS.labels("internal").inc(0)
    metrics.SHED.labels("503").inc(0)
    by_task = {work.name: 0.0 for work in health.works()}
    waiting = metrics.Waiting(by_task, by_task)
    text = metrics.exposition(waiting).decode()
    samples = [each for family in text_string_to_metric_families(text) for each in family.samples]
    tasks = {f"task={each.labels['task']}" for each in samples if "task" in each.labels}
    return {each.name for each in samples} | tasks


def test_every_number_in_alerts_and_dashboard_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    known, found = told(monkeypatch) | _BY_OTHERS, [*expressions()]
    assert len(found) == _ALERTS.count("- alert:") + sum(
        len(each["targets"]) for each in _DASHBOARD["panels"]
    )
    for expression in found:
        names = {*re.findall(r"\b(?:(?:trefoil|node)_\w+|up)\b", expression)}
        tasks = {f"task={name}" for name in re.findall(r'task!?="(\w+)"', expression)}
        assert names and names | tasks <= known, expression


def test_every_number_is_on_the_dashboard(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = " ".join(expressions())
    names = {name for name in told(monkeypatch) if name.startswith("trefoil_")}
    stems = {re.sub(r"_(bucket|count|sum|total|created)$", "", name) for name in names}
    assert {stem for stem in stems if stem not in shown} == set()
