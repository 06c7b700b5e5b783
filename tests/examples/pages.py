"""The examples that a page of the docs quotes."""

from pathlib import Path
from typing import Final

from league.ops.folders import TOP

HERE: Final = Path(__file__).parent


def code_on(page: str) -> list[str]:
    """Return the names of the files here whose whole text stands on a page as Python."""
    text = TOP.joinpath("docs", page).read_text(encoding="utf-8")
    return [
        path.name
        for path in sorted(HERE.glob("*.py"))
        if (code := path.read_text(encoding="utf-8")) and f"```python\n{code}```\n" in text
    ]
