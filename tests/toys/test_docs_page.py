"""The page on how to add a game quotes the games of the tests."""

import re
from collections.abc import Iterator
from typing import Final

import pytest

from league.ops.folders import TOP
from tests.toys import TOYS

PAGE: Final = (TOP / "docs" / "adding-a-game.md").read_text("utf-8")
QUOTE: Final = re.compile(r"^```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FILE: Final = re.compile(r"`((?:[\w-]+/)+[\w-]+\.\w+)`")


def quotes() -> Iterator[tuple[str, str]]:
    """Yield each quoted text with the last of the toys' files that is named before it."""
    for quote in QUOTE.finditer(PAGE):
        named = [file for file in FILE.findall(PAGE[: quote.start()]) if file.startswith("tests/")]
        yield named[-1], quote[1]


@pytest.mark.parametrize(("file", "quote"), [*quotes()])
def test_code_on_the_page_is_in_its_file(file: str, quote: str) -> None:
    assert quote in (TOP / file).read_text("utf-8")


@pytest.mark.parametrize("file", sorted({*FILE.findall(PAGE)}))
def test_every_file_named_on_the_page_exists(file: str) -> None:
    shared_or_of_a_game = (TOP / file, TOP / TOYS[0].package.replace(".", "/") / file)
    optional = [f"templates/{name}.html" for name in ("sheet", "play", "guide", "guide_later", "ended")]
    assert file in optional or any(path.is_file() for path in shared_or_of_a_game), file


def test_the_page_names_every_kind_of_file_in_the_folder() -> None:
    folder = TOP / TOYS[0].package.replace(".", "/")
    files = [path.relative_to(folder) for path in folder.rglob("*.*") if path.suffix != ".pyc"]
    assert len(files) >= 5
    assert [str(file) for file in files if f"`{file}`" not in PAGE] == []
