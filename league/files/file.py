"""A file that was made for somebody: what is in it, its name, and whether a worker should make it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from django.http import HttpResponse
from django.utils.http import content_disposition_header

Progress: TypeAlias = Callable[[int, int], None]
"""Called between steps with how many are done, and how many there are; raises where the work is cancelled."""


def no_progress(done: int, total: int) -> None:
    """Tell nobody: for work that is done at once."""


# ---- How long it takes ---------------------------------------------------------------------------

MOST_PAGES: Final = 50
MOST_TABLES: Final = 100


@dataclass(frozen=True)
class Extent:
    """How much is in a file: pages that are drawn one by one, and tables that are read."""

    pages: int = 0
    tables: int = 0

    @property
    def is_long(self) -> bool:
        """Return whether a worker makes the file: this is the rule for all prints and downloads."""
        return self.pages > MOST_PAGES or self.tables > MOST_TABLES


# ---- What was made -------------------------------------------------------------------------------


@dataclass(frozen=True)
class File:
    """What is in a file, and its name."""

    content: bytes
    name: str


MEDIA_TYPES: Final = {
    "pdf": "application/pdf",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "zip": "application/zip",
    "jpg": "image/jpeg",
    "ics": "text/calendar; charset=utf-8",
    "jsonl": "application/jsonl",
    "tlog-proof": "text/plain; charset=utf-8",
}
"""The media types of files by the suffix of their names."""
_KEPT: Final = frozenset({"csv", "json", "xlsx", "zip"})
"""Files that a browser keeps; the others it shows."""


def as_answer(file: File) -> HttpResponse:
    """Return a file as a response, to be shown or kept."""
    suffix = file.name.rpartition(".")[2]
    answer = HttpResponse(file.content, content_type=MEDIA_TYPES[suffix])
    answer["Content-Disposition"] = str(content_disposition_header(suffix in _KEPT, file.name))
    return answer
