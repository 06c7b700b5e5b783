"""Loads templates from the packages of rulesets: "rulesets/KEY/table.html" is `templates/table.html`."""

from collections.abc import Iterator
from typing import Final

from django.core.exceptions import SuspiciousFileOperation
from django.template import Origin
from django.template.loaders.filesystem import Loader as FilesystemLoader
from django.utils._os import safe_join

from games import rules
from games.engine.replay import AnyRuleset
from games.packages import MissingPart, folder_of

PREFIX: Final = "rulesets"


def template_of(ruleset: AnyRuleset, part: str) -> str:
    """Return the name of a ruleset's template, which may not exist: ``rulesets/rummy@1/table.html``."""
    return f"{PREFIX}/{ruleset.name}/{part}.html"


class Loader(FilesystemLoader):
    """Loads templates whose name starts with `PREFIX` and a ruleset's key or name."""

    def get_template_sources(self, template_name: str) -> Iterator[Origin]:
        """Yield the file of the template; nothing for other names and unknown rulesets."""
        prefix, _, rest = template_name.partition("/")
        name, _, part = rest.partition("/")
        if prefix != PREFIX:
            return
        try:
            file = safe_join(folder_of(rules.find(name)) / "templates", part)
        except (KeyError, MissingPart, SuspiciousFileOperation):
            return
        yield Origin(name=file, template_name=template_name, loader=self)
