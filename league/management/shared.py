"""What commands share: going through everything on all cores from where that stopped, and a passphrase."""

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from getpass import getpass
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.management import CommandError
from django.core.management.base import BaseCommand
from django.db.models import Sum
from tqdm import tqdm

from games import packages
from games.models import Game
from league.ops import environment, folders
from league.ops.folders import TOP
from league.services.shares import Place, Step

_LEAST = 12


def reason_of(error: Exception) -> str:
    """Return what is wrong in words, without the system's number and the name of the file."""
    return getattr(error, "strerror", None) or str(error)


def passphrase() -> str:
    """Return the passphrase of packed keys: KEYS_PASSPHRASE, else what is typed. Raises CommandError."""
    given = environment.text("KEYS_PASSPHRASE")
    if not given and not sys.stdin.isatty():
        raise CommandError("Set KEYS_PASSPHRASE to the passphrase of the packed keys.")
    given = given or getpass("The passphrase of the packed keys: ")
    if len(given) < _LEAST:
        raise CommandError(f"A passphrase must have at least {_LEAST} characters.")
    return given


def write_lines(file: Path, lines: Iterable[str], *, replace: bool) -> str:
    """Write a file of lines to the disk and return what there is to say of it; raises CommandError."""
    try:
        with folders.writing(file, replace=replace) as opened:
            opened.writelines(f"{line}\n".encode() for line in lines)
    except FileExistsError:
        raise CommandError(f"There is another {file}. With --replace it is replaced.") from None
    except OSError as error:
        raise CommandError(f"{file} could not be brought to the disk: {error.strerror}.") from None
    return f"{file}: {file.stat().st_size} bytes"


class Mark:
    """A file that says how far work by this release has come, as long as it has not come to its end."""

    def __init__(self, file: Path, about: dict[str, Any]) -> None:
        self._file = file
        self._work = {"release": packages.fingerprint() + packages.digest_of(TOP / "league"), **about}

    def read(self) -> tuple[Place, int]:
        """Return where this work was interrupted, the beginning if it was not, and how much was wrong."""
        with suppress(FileNotFoundError, ValueError, KeyError):
            kept = json.loads(self._file.read_text())
            if {name: kept[name] for name in self._work} == self._work:
                return Place(kept["stage"], UUID(kept["after"])), int(kept["wrong"])
        return Place(), 0

    def write(self, place: Place, wrong: int) -> None:
        """Write down that everything up to a place is done, and how much is wrong."""
        half = self._file.with_suffix(".half")
        kept = {"stage": place.stage, "after": str(place.after), "wrong": wrong}
        half.write_text(json.dumps({**self._work, **kept}))
        half.replace(self._file)

    def remove(self) -> None:
        """Remove the file."""
        self._file.unlink(missing_ok=True)


class SharedCommand(BaseCommand):
    """Does work in steps (`league.services.shares`), shows how far it is, and prints what is wrong."""

    mark: str
    """The name of the file that says how far the work has come."""
    noun: str
    """What the work is, as in: where a rebuild stopped."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        cores = os.cpu_count() or 1
        parser.add_argument("--processes", type=int, default=cores, help=f"processes that share it ({cores})")
        parser.add_argument("--anew", action="store_true", help="begin again after an interruption")

    def walk(
        self, begin: Callable[[Place], Iterator[Step]], *, processes: int, anew: bool, **about: Any
    ) -> int:
        """Do all steps from the place on where the same work was interrupted; return how much is wrong.

        ``about`` are the options that make it other work.
        """
        if processes < 1:
            raise CommandError("There must be at least one process.")
        mark = Mark(Path(settings.DATA_DIR) / self.mark, about)
        since, wrong = (Place(), 0) if anew else mark.read()
        if since.after:
            self.stdout.write(
                f"Going on after {since.after} of the {since.stage}, where {self.noun} stopped."
            )
        kept = True
        with tqdm(total=Game.kept.aggregate(total=Sum("seq"))["total"], unit=" entries") as shown:
            for step in begin(since):
                shown.set_description(step.place.stage)
                shown.update(step.done.entries)
                for each in step.done.wrong:
                    self.stdout.write(each)
                wrong += len(step.done.wrong)
                kept = kept and self._mark(mark, step.place, wrong)
        mark.remove()
        return wrong

    def _mark(self, mark: Mark, place: Place, wrong: int) -> bool:
        """Write down how far the work has come; where that fails say so once, and go on without."""
        try:
            mark.write(place, wrong)
        except OSError as error:
            self.stdout.write(f"Where this stops is not written down: {reason_of(error)}.")
            return False
        return True
