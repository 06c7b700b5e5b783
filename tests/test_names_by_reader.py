"""Faces ask for the names of people and entries by reader: `called`, never `name`."""

import ast
import re
from pathlib import Path
from typing import Final

TOP: Final = Path(__file__).parents[1]
ROWS: Final = {"player", "entry", "opponent", "brought_by", "asker", "most", "holder", "other"}
"""What a row of a person or an entry is called in faces."""
DESK: Final = re.compile(r"templates/admin/|/templates/[a-z_]+/(?:at_)?desk|/templates/exchange/import_")
"""What the club's people alone see."""
OF_TEMPLATES: Final = re.compile(rf"\b(?:{'|'.join(sorted(ROWS))})\.name\b")
FACES: Final = (
    *("api/serializers", "api/views", "league/web", "league/files"),
    *(
        "league/words/messages.py",
        "league/words/moves.py",
        "league/words/options.py",
        "league/words/people.py",
    ),
    *("league/apps/exchange/listings.py", "league/apps/hall/screens.py", "league/apps/prints/printing.py"),
)


def modules() -> list[Path]:
    found = [TOP / each for each in FACES]
    return [file for each in found for file in (each.rglob("*.py") if each.is_dir() else [each])]


def names_in(file: Path) -> list[str]:
    """Return where a module reads the name of a row of a person or an entry."""
    found = []
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Attribute) and node.attr == "name" and isinstance(node.ctx, ast.Load):
            of = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
            found += [f"{file.relative_to(TOP)}:{node.lineno}"] if of in ROWS else []
        if isinstance(node, ast.Constant) and node.value in {f"{row}.name" for row in ROWS}:
            found.append(f"{file.relative_to(TOP)}:{node.lineno}")
    return found


def test_no_face_for_the_public_reads_the_name_of_a_row() -> None:
    assert [each for file in modules() for each in names_in(file)] == []


def test_no_template_for_the_public_reads_the_name_of_a_row() -> None:
    folders = [TOP / "templates", *TOP.glob("league/apps/*/templates"), *TOP.glob("games/rules/*/templates")]
    files = [file for folder in folders for file in folder.rglob("*.*")]
    public = [file for file in files if not DESK.search(str(file.relative_to(TOP)))]
    assert len(public) > 100
    assert [str(file) for file in public if OF_TEMPLATES.search(file.read_text())] == []


def test_a_face_that_does_is_named() -> None:
    module = TOP / "api" / "serializers" / "people.py"
    assert names_in(module) == []
    assert OF_TEMPLATES.search("{{ seat.player.name|shown_name }}")
    assert not OF_TEMPLATES.search("{{ player.called }} {{ club.name }}")
