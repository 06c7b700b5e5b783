"""`manage.py messages`: extract texts for translation, fill in translations, and compile them."""

import sys
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.words import catalogue


class Command(BaseCommand):
    """Writes the catalogues of all languages again from the source; translations that fit are kept."""

    help = "Extract all texts to league/locale, keep the translations that fit, and compile them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--language", choices=catalogue.LANGUAGES, help="only this language")
        what = parser.add_mutually_exclusive_group()
        what.add_argument(
            "--missing",
            action="store_true",
            help="print texts without translation as JSON lines, and end with status 1 if there are any",
        )
        what.add_argument(
            "--fill", metavar="FILE", type=Path, help="take translations from a file of JSON lines"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        languages = [options["language"]] if options["language"] else catalogue.LANGUAGES
        if options["fill"] and len(languages) > 1:
            raise CommandError("Say for which --language the translations are.")
        for language in languages:
            texts = catalogue.up_to_date(catalogue.read(language))
            if not options["missing"]:
                self._write(language, texts, options["fill"])
            elif missing := [catalogue.as_line(text) for text in catalogue.missing(texts)]:
                self.stdout.write("\n".join(missing))
                sys.exit(1)

    def _write(self, language: str, texts: Catalog, fill: Path | None) -> None:
        if fill is not None:
            try:
                catalogue.filled(texts, fill.read_text(encoding="utf-8").splitlines())
            except (OSError, catalogue.BadTranslations) as refusal:
                raise CommandError("\n".join(map(str, refusal.args))) from None
        catalogue.write(language, texts)
        ids = [catalogue.ids_of(text) for text in catalogue.texts_in(texts)]
        words = sum(len(each.split()) for forms in ids for each in forms[:1])
        left = sum(1 for _ in catalogue.missing(texts))
        self.stdout.write(f"{language}: {len(ids)} texts ({words} words), {left} not translated.")
