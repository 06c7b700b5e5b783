"""A competition's listings as files for its organisers, by name."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from league.files.exports import competitions
from league.files.exports.files import BUNDLES, FORMATS
from league.files.exports.listing import Listing
from league.files.file import Extent, File, Progress, file_name, no_progress
from league.models import Competition
from league.queries.rounds import tables_of_competition

Parts = Sequence[Callable[[], Listing]]


def _standings(competition: Competition) -> Parts:
    return [partial(competitions.standings, competition, stage) for stage in competitions.begun(competition)]


def _results(competition: Competition) -> Parts:
    return [partial(competitions.results, competition, drawn=True)]


def _entries(competition: Competition) -> Parts:
    return [partial(competitions.entries, competition)]


def _log(competition: Competition) -> Parts:
    return [partial(competitions.log, competition)]


def _everything(competition: Competition) -> Parts:
    return [part for each in (_entries, _results, _standings, _log) for part in each(competition)]


DOWNLOADS: Final[Mapping[str, Callable[[Competition], Parts]]] = {
    "standings": _standings,
    "results": _results,
    "entries": _entries,
    "log": _log,
    "everything": _everything,
}
"""The listings of each download, as its organisers see them."""


def extent(competition: Competition) -> Extent:
    """Return how much is in a competition's downloads."""
    return Extent(tables=tables_of_competition(competition, drawn=True).count())


def download(name: str, suffix: str, competition: Competition, progress: Progress = no_progress) -> File:
    """Return one of `DOWNLOADS` in one of `FORMATS`; several listings are bundled in one file."""
    parts = DOWNLOADS[name](competition)
    steps = len(parts) + 1
    listings = []
    for done, part in enumerate(parts, 1):
        listings.append(part())
        progress(done, steps)
    if len(listings) == 1:
        written, suffix = FORMATS[suffix].write(listings[0]), FORMATS[suffix].suffix
    else:
        written, suffix = BUNDLES[suffix].write(listings), BUNDLES[suffix].suffix
    content = written.encode() if isinstance(written, str) else written
    return File(content, file_name(competition, name, suffix))
