"""The types of the pages' scripts, and the packages that they use."""

import re
from pathlib import Path

import pytest

from league.ops import folders
from tests import installing
from tests.scripts import node

VENDORED = folders.TOP / "static" / "vendor"
ADDED = ("LICENSE", "idiomorph.min.d.ts", "sortable.esm.d.ts", "uPlot.esm.d.ts")
"""Files that lie beside those of a package: its licence, and types of modules that come without."""
EXPORT = re.compile(r"^export (?:async )?(?:const|let|function\*?|class) (\w+)", re.MULTILINE)


def test_every_script_keeps_strict_types() -> None:
    compiler = installing.node_packages() / "typescript" / "bin" / "tsc"
    node.run(str(compiler), "--project", str(node.HERE))


def test_every_export_is_used_by_another_script_or_a_test() -> None:
    scripts = {path.name: path.read_text() for path in node.SCRIPTS.glob("*.js")}
    tests = "".join(path.read_text() for path in node.HERE.glob("test_*.py"))
    unused = [
        f"{module}: {name}"
        for module, text in scripts.items()
        for name in EXPORT.findall(text)
        if f"made.{name}" not in tests
        and not any(module in other and re.search(rf"\b{name}\b", other) for other in scripts.values())
    ]
    assert unused == []


@pytest.mark.parametrize("package", ["idiomorph", "noble-hashes", "sortable", "uplot"])
def test_vendored_files_are_those_of_the_package(package: str) -> None:
    origin = node.vendored()[package]
    files = [path for path in (VENDORED / package).iterdir() if path.name not in ADDED]
    assert files
    assert [path.name for path in files if code(path) != code(origin / path.name)] == []


def code(path: Path) -> str:
    """Return a file without the name of its source map."""
    lines = path.read_text().splitlines()
    return "\n".join(line for line in lines if not line.startswith("//# sourceMappingURL="))
