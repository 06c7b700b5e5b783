"""`manage.py makemessages`: extract texts for translation, also messages of the engine and the core."""

from pathlib import Path

from django.core.management.commands import makemessages

from league.words.extraction import marked, words_in


class BuildFile(makemessages.BuildFile):
    """A file for xgettext; in Python files declared message ids are marked first."""

    @property
    def is_templatized(self) -> bool:
        """Return whether xgettext reads a changed copy of this file."""
        if Path(self.path).suffix != ".py":
            return bool(super().is_templatized)
        return bool(words_in(Path(self.path).read_text()))

    def preprocess(self) -> None:
        if Path(self.path).suffix != ".py":
            super().preprocess()
        elif self.is_templatized:
            Path(self.work_path).write_text(marked(Path(self.path).read_text()))


class Command(makemessages.Command):
    """Django's command, extended by our functions for messages."""

    help = f"{makemessages.Command.help} Finds the messages of the engine and the core too."
    build_file_class = BuildFile
    xgettext_options = [*makemessages.Command.xgettext_options, "--keyword=text:1", "--keyword=plural:1,2"]
