"""`manage.py docs`: update the tables in docs/ that are made from declarations."""

from typing import Any

from django.core.management.base import BaseCommand

from league.ops.folders import TOP
from league.words.reference import filled


class Command(BaseCommand):
    """Writes each page whose tables have changed."""

    help = "Update the tables in docs/ that are made from declarations, such as that of the formats."

    def handle(self, *args: Any, **options: Any) -> None:
        for path in sorted((TOP / "docs").glob("*.md")):
            page = path.read_text(encoding="utf-8")
            if (made := filled(page)) != page:
                path.write_text(made, encoding="utf-8")
                self.stdout.write(f"{path.relative_to(TOP)} is written.")
