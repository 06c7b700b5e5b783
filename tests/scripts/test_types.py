"""The types of the pages' scripts, and the packages that they use."""

from pathlib import Path

import pytest

from league.ops import folders, typescript
from tests.scripts import node

VENDORED = folders.TOP / "static" / "vendor"
ADDED = ("LICENSE", "sortable.esm.d.ts")
"""Files that lie beside those of a package: its licence, and types where it comes without."""


def test_every_script_keeps_strict_types() -> None:
    compiler = typescript.installed() / "typescript" / "bin" / "tsc"
    node.run(str(compiler), "--project", str(node.HERE))


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
