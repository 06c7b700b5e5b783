"""Scripts of a page in one file: it does what its modules do."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from league.ops import folders, scripts
from tests import installing
from tests.scripts import node

STATIC = folders.TOP / "static"
NAMES = sorted(file.stem for file in node.SCRIPTS.glob("*.js"))
VENDORED = sorted((STATIC / "vendor").glob("*/*.js"))
PURE = ("announcement", "backoff", "checks", "dealing", "draws", "order", "replay", "taking")
"""Modules that need no page."""
KINDS = {
    "a.js": 'import "./b.js";\nimport { one, two as second } from "./c.js";\nimport * as c from "./c.js";\n'
    'import d from "./d.js";\nexport const told = [one, second, c.three(), d];\n',
    "b.js": 'import { one } from "./c.js";\nconst two = 0;\n'
    "globalThis.ran = [...(globalThis.ran || []), one + two];\n",
    "c.js": "/* By C.\nexport const none = 0;\n*/\nexport const one = 1;\nexport function two() {}\n"
    "export const three = () => ran;\nexport {};\n",
    "d.js": 'import {\n  Old,\n} from "./e.js";\nconst found = Old();\nexport { found as default };\n',
    "e.js": 'var Old=function(){return "old"};',
}
REFUSED = (
    "import d, { one } from './c.js';",
    'import d, { one } from "./c.js";',
    'import { one } from "./c.js"',
    '  import { one } from "./c.js";',
    'import "./c.js"; import "./d.js";',
    'import { none } from "./c.js";',
    'import none from "./c.js";',
    'import { none } from "./e.js";',
    'import "./circle.js";',
    'import "c";',
    'export * from "./c.js";',
    'export { one } from "./c.js";',
    "export let x = 1;",
    "let x = 1;\nexport { x };",
    "var x;\nx = 1;\nexport { x };",
    "function x() {}\nx = null;\nexport default x;",
    "export function x() {}\nif (x) x ||= null;",
    "export default function () {}",
    "export default { x: 1 };",
    "export const { x } = {};",
    "export const x = 1, y = 2;\nexport { y };",
    "const here = import.meta.url;",
    "const name = './c.js';\nimport(name);",
    'const c = await import("./c.js");',
    "await null;",
    "for await (const x of []) x();",
)
LISTED = """
const ts = process.getBuiltinModule("module").createRequire(given.from)("typescript");
return given.files.map((path) => {
    const text = ts.sys.readFile(path);
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
    const [imports, exports] = [[], []];
    const named = (each) => exports.push(...each.map(({ name }) => name.text));
    for (const each of file.statements) {
        if (ts.isImportDeclaration(each)) imports.push(each.moduleSpecifier.text);
        else if (ts.isExportAssignment(each)) exports.push("default");
        else if (ts.isExportDeclaration(each)) named(each.exportClause.elements);
        else if (ts.getCombinedModifierFlags(each) & ts.ModifierFlags.Export)
            named(each.declarationList?.declarations || [each]);
    }
    return [imports, exports.sort()];
});
"""
"""What TypeScript's compiler finds that modules import and export."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of modules that stands for that of the pages."""
    for name, text in KINDS.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(scripts, "_FOLDER", tmp_path)
    return tmp_path


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


def test_every_module_is_read_as_a_compiler_reads_it() -> None:
    files = [*(node.SCRIPTS / f"{name}.js" for name in NAMES), *VENDORED]
    given = {"from": f"{installing.node_packages()}/", "files": [str(file) for file in files]}
    found: list[Any] = node.found("backoff.js", LISTED, given)
    for file, (imports, exports) in zip(files, found, strict=True):
        module = scripts.read(file)
        assert [other for other, _names in module.imports] == [
            (file.parent / each).resolve() for each in imports
        ]
        assert sorted(module.exports) == (exports or sorted({"Idiomorph"} & module.exports.keys())), file


def test_all_ways_to_import_and_export_are_joined(folder: Path) -> None:
    (folder / "joined.mjs").write_text(joined := scripts.joined(("a",)))
    assert "By C." in joined
    code = "return import(given).then(({ told }) => [told, String(told[1])]);"
    (one, _, ran, old), two = node.found("backoff.js", code, (folder / "joined.mjs").as_uri())
    assert (one, ran, old) == (1, [1], "old") and two.startswith("function two")


@pytest.mark.parametrize("text", REFUSED)
def test_any_other_way_is_refused(folder: Path, text: str) -> None:
    (folder / "circle.js").write_text('import "./refused.js";\n')
    (folder / "refused.js").write_text(f"{text}\n")
    with pytest.raises(scripts.CannotJoin):
        scripts.joined(("refused",))


def test_what_pages_ask_for_is_one_module_that_imports_nothing(tmp_path: Path) -> None:
    text = scripts.joined(NAMES)
    assert [line for line in text.splitlines() if line.startswith(("import", "export"))] == []
    (tmp_path / "joined.mjs").write_text(text)
    node.run("--check", str(tmp_path / "joined.mjs"))


def test_what_is_imported_later_shares_no_state_with_its_page() -> None:
    for page, later in (("check", "checks"), ("studio", "course")):
        both = [
            {line for line in scripts.joined((name,)).splitlines() if line.startswith("const $")}
            for name in (page, later)
        ]
        assert both[0] & both[1] <= {f"const $trefoil_{name} = (() => {{" for name in PURE}


def test_browsers_keep_scripts_for_good(client: Client) -> None:
    address = scripts.address_of(["tables", "copy"])
    answer = client.get(address)
    assert answer.content.decode() == scripts.joined(("tables", "copy"))
    assert "immutable" in answer["Cache-Control"] and answer["Vary"] == "Accept-Encoding"
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert client.get(address, headers={"accept-encoding": "gzip"})["Content-Encoding"] == "gzip"
    assert client.head(address).status_code == 200
    kept = client.get(address, headers={"if-none-match": answer["ETag"]})
    assert kept.status_code == 304 and "immutable" in kept["Cache-Control"]


def test_an_address_of_an_earlier_release_leads_to_the_scripts_of_this_one(client: Client) -> None:
    asked = client.get("/static/0123456789abcdef/scripts/tables+copy.js")
    assert asked["Location"] == scripts.address_of(["tables", "copy"]) and "Cache-Control" not in asked


@pytest.mark.parametrize(
    "name", ["none", "..", "tables+../vendor", "tables+", "", "tables+tables", "a" * 300]
)
def test_other_addresses_of_scripts_are_not_found(client: Client, name: str) -> None:
    assert client.get(scripts.address_of([name])).status_code == 404
