"""Files of other clubs beside a series: that each is the one from which an evening was brought."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final

from games.engine.refusals import Illegal
from games.lines import WrongLog, parsed
from games.verifier import GOOD
from league.apps.series.core.evenings import brought_shares
from league.apps.series.core.state import Brought, Evening, Series
from league.core import portable
from league.core import verifier as competitions
from league.core.portable import WrongFile

_BEFORE: Final = timedelta(days=31)
_AFTER: Final = timedelta(days=1)


def beside_it(state: Series, beside: Iterable[Sequence[str]], own: Collection[str]) -> Mapping[int, bool]:
    """Return for each evening that was brought whether its file is beside, and says so; raise `WrongFile`.

    ``own`` are the first entries, by their hashes, of the competitions in the series' file.
    """
    files, begun = dict[str, portable.File](), {*own}
    for number, lines in enumerate(beside, 1):
        try:
            its = portable.read(lines)
            first = opening_of(its)
        except WrongFile as wrong:
            raise WrongFile(f"file {number} beside: {wrong}") from None
        if first in begun:
            raise WrongFile(f"file {number} beside: this competition is given twice")
        files[its.header.competition] = its
        begun.add(first)
    found = dict[int, bool]()
    for each in state.evenings:
        its_file = files.pop(each.brought.competition, None) if each.brought else None
        if its_file and each.brought:
            _check(each, each.brought, its_file)
        if each.brought:
            found[each.id] = its_file is not None
    if files:
        raise WrongFile(f"no evening was brought from the file of competition {', '.join(files)}")
    return found


def _check(evening: Evening, brought: Brought, its: portable.File) -> None:
    """Raise `WrongFile` unless a file is verified and gives what was brought from it."""
    of_it = f"evening {evening.id}, the file beside"
    try:
        report = competitions.check(its)
        if report.head != brought.head:
            raise WrongFile(f"it has the head {report.head}, not {brought.head}")
        if brought.opening not in ("", opening_of(its)):
            raise WrongFile(f"its log does not begin with {brought.opening}")
        if report.code != GOOD:
            raise WrongFile("its competition, or one of its games, is not over or not verified")
        part, shares = brought_shares(report.state, {each.theirs: each.player for each in evening.shares})
    except (WrongFile, Illegal) as wrong:
        raise WrongFile(f"{of_it}: {wrong}") from None
    said = (evening.shares, evening.field, evening.tables, evening.low_wins)
    if (shares, part.field, part.tables, part.low_wins) != said:
        raise WrongFile(f"{of_it}: its people had something else")
    if not may_be_on(its, date.fromisoformat(evening.on)):
        raise WrongFile(f"{of_it}: its log was not written at the time of {evening.on}")


def _entry(its: portable.File, at: int) -> Mapping[str, Any]:
    try:
        return parsed(1, its.log[at])
    except WrongLog as wrong:
        raise WrongFile(f"the competition's log: {wrong}") from None


def opening_of(its: portable.File) -> str:
    """Return the hash of the first entry of a file's log, which all its versions have; raise `WrongFile`."""
    if not its.log:
        raise WrongFile("its log is empty")
    return str(_entry(its, 0).get("hash"))


def may_be_on(its: portable.File, day: date) -> bool:
    """Return whether a verified competition may have been played on a day, which no hash covers.

    Results may be written a month later, and are not written before; a day more, as zones have other dates.
    """
    first, last = (datetime.fromisoformat(_entry(its, at)["at"]).date() for at in (0, -1))
    return first - _BEFORE <= day <= last + _AFTER
