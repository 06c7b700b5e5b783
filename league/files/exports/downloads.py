"""The desk's listings as files: a competition's by name, and any of them in the reader's language."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.engine.messages import Message
from league.choices import EntryStatus, EventRole, Outcome, TableStatus
from league.core.events import EVENTS
from league.core.standings.tie_breaks import BY_KEY
from league.files.exports import competitions
from league.files.exports.files import BUNDLES, FORMATS, JSON
from league.files.exports.listing import Listing, Value
from league.files.file import Extent, File, Progress, file_name, no_progress
from league.models import Competition
from league.queries.rounds import tables_of_competition
from league.words.messages import translated
from league.words.values import tie_break

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


TITLES: Final[Mapping[str, Any]] = {
    "id": gettext_lazy("id"),
    "name": gettext_lazy("name"),
    "account": gettext_lazy("account"),
    "active": gettext_lazy("active"),
    "email": gettext_lazy("email"),
    "phone": gettext_lazy("phone"),
    "note": gettext_lazy("note"),
    "club": gettext_lazy("club"),
    "group": gettext_lazy("group"),
    "rank": gettext_lazy("rank"),
    "entry": gettext_lazy("entry"),
    "played": gettext_lazy("played"),
    "points": gettext_lazy("points"),
    "decided_by": gettext_lazy("decided by"),
    "movement": gettext_lazy("movement"),
    "best_rank": gettext_lazy("best rank"),
    "worst_rank": gettext_lazy("worst rank"),
    "to_come": gettext_lazy("tables put off"),
    "corrected": gettext_lazy("corrected"),
    "next_group": gettext_lazy("next group"),
    "next_why": gettext_lazy("why there"),
    "by_lot": gettext_lazy("by lot"),
    "withdrawn": gettext_lazy("withdrawn"),
    "expelled": gettext_lazy("expelled"),
    "away": gettext_lazy("away"),
    "never_came": gettext_lazy("did not play"),
    "stage": gettext_lazy("stage"),
    "round": gettext_lazy("round"),
    "table": gettext_lazy("table"),
    "board": gettext_lazy("board"),
    "status": gettext_lazy("status"),
    "seat": gettext_lazy("seat"),
    "player": gettext_lazy("player"),
    "score": gettext_lazy("score"),
    "outcome": gettext_lazy("outcome"),
    "ruled": gettext_lazy("set by an organiser"),
    "reason": gettext_lazy("reason"),
    "number": gettext_lazy("number"),
    "players": gettext_lazy("players"),
    "affiliation": gettext_lazy("affiliation"),
    "checked_in": gettext_lazy("checked in"),
    "withdrawn_from": gettext_lazy("withdrawn from round"),
    "log.entry": pgettext_lazy("of a log", "entry"),
    "at": gettext_lazy("time"),
    "role": gettext_lazy("role"),
    "kind": gettext_lazy("kind"),
    "what": gettext_lazy("what"),
}
"""The titles of columns by their keys in the API, those of one listing with its name before them."""
_BYE: Final = {"bye": gettext_lazy("bye")}
_VALUES: Final[Mapping[str, Callable[[str], Any]]] = {
    "results.status": lambda value: {**dict(TableStatus.choices), **_BYE}.get(value, value),
    "entries.status": lambda value: dict(EntryStatus.choices).get(value, value),
    "results.outcome": lambda value: dict(Outcome.choices).get(value, value),
    "log.role": lambda value: EventRole(value).label,
    "log.kind": lambda value: translated(EVENTS[value].title),
    "decided_by": tie_break,
}


def in_words(listing: Listing) -> Listing:
    """Return a listing with titles and values in the reader's language; the API gives their keys."""
    return replace(
        listing,
        columns=tuple(str(_of(TITLES, listing, key) or _heading(key)) for key in listing.columns),
        rows=tuple(
            tuple(_told(listing, key, value) for key, value in zip(listing.columns, row, strict=True))
            for row in listing.rows
        ),
    )


def _heading(key: str) -> str:
    return tie_break(key) if key in BY_KEY else key


def _of(known: Mapping[str, Any], listing: Listing, key: str) -> Any:
    return known.get(f"{listing.name}.{key}") or known.get(key)


def _told(listing: Listing, key: str, value: Value) -> Value:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, Message):
        return translated(value)
    told = _of(_VALUES, listing, key)
    return str(told(value)) if told and value and isinstance(value, str) else value


def extent(competition: Competition) -> Extent:
    """Return how much is in a competition's downloads."""
    return Extent(tables=tables_of_competition(competition, drawn=True).count())


def download(name: str, suffix: str, competition: Competition, progress: Progress = no_progress) -> File:
    """Return one of `DOWNLOADS` in one of `FORMATS`; several listings are bundled in one file."""
    parts = DOWNLOADS[name](competition)
    steps = len(parts) + 1
    listings = []
    for done, part in enumerate(parts, 1):
        listings.append(part() if suffix == JSON.suffix else in_words(part()))
        progress(done, steps)
    if len(listings) == 1:
        written, suffix = FORMATS[suffix].write(listings[0]), FORMATS[suffix].suffix
    else:
        written, suffix = BUNDLES[suffix].write(listings), BUNDLES[suffix].suffix
    content = written.encode() if isinstance(written, str) else written
    return File(content, file_name(competition, name, suffix))
