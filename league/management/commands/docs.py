"""`manage.py docs`: update what is made from declarations: tables, schemas, and draws for the browser."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from league.ops.folders import TOP
from league.words.reference import draws_module, filled, schema_files


class Command(BaseCommand):
    """Writes each page whose tables have changed, each schema that has, and the draws of all games."""

    help = "Update what is made from declarations: tables and JSON Schemas in docs/, and the draws of games."

    def handle(self, *args: Any, **options: Any) -> None:
        for path in sorted((TOP / "docs").glob("*.md")):
            self._write(path, filled(path.read_text(encoding="utf-8")))
        schemas = TOP / "docs" / "schemas"
        schemas.mkdir(exist_ok=True)
        for name, made in schema_files().items():
            self._write(schemas / name, made)
        self._write(TOP / "static" / "trefoil" / "draws.js", draws_module())

    def _write(self, path: Path, made: str) -> None:
        if not path.exists() or path.read_text(encoding="utf-8") != made:
            path.write_text(made, encoding="utf-8")
            self.stdout.write(f"{path.relative_to(TOP)} is written.")
