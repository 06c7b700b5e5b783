"""Scripts of a page in one file: it does what its modules do."""

from pathlib import Path

import pytest
from django.test import Client

from league.ops import scripts
from tests.scripts import node

PURE = ("announcement", "backoff", "checks", "dealing", "draws", "order", "replay", "taking")
"""Modules that need no page."""
PAGE = ("live", "table", "past", "rematch", "studio", "check", "plots", "scores", "follow", "grid", "course")
KINDS = {
    "a.js": 'import "./b.js";\nimport { one, two as second } from "./c.js";\nimport * as c from "./c.js";\n'
    'import d from "./d.js";\nexport const told = [one, second, c.three(), d];\n',
    "b.js": 'import { one } from "./c.js";\nconst two = 0;\n'
    "globalThis.ran = [...(globalThis.ran || []), one + two];\n",
    "c.js": "/* By C.\nexport const none = 0;\n*/\nexport const one = 1;\nexport function two() {}\n"
    "export const three = () => ran;\nexport {};\n",
    "d.js": 'import { Old } from "./e.js";\nconst found = Old();\nexport { found as default };\n',
    "e.js": 'var Old=function(){return "old"};',
}


@pytest.mark.parametrize("name", PURE)
def test_a_module_that_is_joined_exports_what_it_does_by_itself(name: str, tmp_path: Path) -> None:
    joined = tmp_path / "joined.mjs"
    joined.write_text(scripts.joined((name,)))
    code = (
        "return import(given).then((other) => [made, other].map((each) => Object.keys(each).map((name) =>"
        " [name, typeof each[name] === 'object' ? Object.keys(each[name]) : typeof each[name]])));"
    )
    alone, together = node.found(f"{name}.js", code, joined.as_uri())
    assert alone and alone == together


def test_all_ways_to_import_and_export_are_joined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in KINDS.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(scripts, "_FOLDER", tmp_path)
    (tmp_path / "joined.mjs").write_text(joined := scripts.joined.__wrapped__(("a",)))
    assert "By C." in joined
    code = "return import(given).then(({ told }) => [told, String(told[1])]);"
    (one, _, ran, old), two = node.found("backoff.js", code, (tmp_path / "joined.mjs").as_uri())
    assert (one, ran, old) == (1, [1], "old") and two.startswith("function two")


def test_what_pages_ask_for_is_one_module_that_imports_nothing(tmp_path: Path) -> None:
    text = scripts.joined(PAGE)
    assert [line for line in text.splitlines() if line.startswith(("import", "export"))] == []
    (tmp_path / "joined.mjs").write_text(text)
    node.run("--check", str(tmp_path / "joined.mjs"))


def test_browsers_keep_scripts_for_good(client: Client) -> None:
    answer = client.get(scripts.address_of(["tables", "copy"]))
    assert answer.content.decode() == scripts.joined(("tables", "copy"))
    assert "immutable" in answer["Cache-Control"] and answer["Vary"] == "Accept-Encoding"
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    for name in ("none", "..", "tables+../vendor", "tables+", ""):
        assert client.get(scripts.address_of([name])).status_code == 404
