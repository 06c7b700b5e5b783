"""What can be printed of a competition, by name: gathered from its rows and drawn."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from django.utils.translation import gettext as _

from league import selectors
from league.models import Competition, Round, Stage, Standing, Table, TableSeat
from league.sheets import notices
from league.sheets.notices import Heading, Ranking, Seating
from league.sheets.tables import of_round
from league.templatetags.trefoil import exact, words


class NothingToPrint(LookupError):
    """The competition has no such print, or not yet."""


@dataclass(frozen=True)
class Asked:
    """What is to be printed of a competition.

    ``stage`` and ``round`` are numbers, 0 for the last; ``drawn`` lets a round be printed that isn't
    published; ``address`` turns a page's path into the address that a printed code opens.
    """

    competition: Competition
    stage: int
    round: int
    drawn: bool
    address: Callable[[str], str]


def printed(kind: str, asked: Asked) -> bytes:
    """Return a PDF; raise `NothingToPrint`, and `league.sheets.NoForm` for a game without score sheets."""
    if kind not in PRINTS:
        raise NothingToPrint
    return PRINTS[kind](asked)


# ---- Rounds --------------------------------------------------------------------------------------


def _pairings(asked: Asked) -> bytes:
    found = _round(asked)
    without = [bye.entry.name for bye in found.byes.all()]
    tables = [_seating(table, asked, code=False) for table in found.tables.all()]
    return notices.pairings(_heading_of_round(asked, found), tables, without)


def _cards(asked: Asked) -> bytes:
    found = _round(asked)
    tables = [_seating(table, asked, code=True) for table in found.tables.all()]
    return notices.table_cards(_heading_of_round(asked, found), tables)


def _sheets(asked: Asked) -> bytes:
    return of_round(_round(asked), asked.address)


def _round(asked: Asked) -> Round:
    """Return the round that is asked for, the last where none is named."""
    rounds = selectors.rounds_of(asked.competition, drawn=asked.drawn)
    named = {"stage__number": asked.stage, "number": asked.round}
    found = rounds.filter(**{name: value for name, value in named.items() if value}).first()
    if found is None:
        raise NothingToPrint
    return found


def _heading_of_round(asked: Asked, found: Round) -> Heading:
    told = _("Round %(round)d") % {"round": found.number}
    draft = [_("not published yet")] if found.status == Round.Status.DRAWN else []
    parts = [asked.competition.club.name, found.stage.name, *draft]
    return Heading(f"{asked.competition.name}: {told}", " · ".join(parts))


def _seating(table: Table, asked: Asked, *, code: bool) -> Seating:
    place = next(iter(table.games.all()), None) if code else None
    return Seating(
        title=_("Table %(number)d") % {"number": table.number},
        label=table.label,
        names=tuple(_name(seat) for seat in table.seats.all()),
        url=asked.address(f"/games/{place.game_id}/") if place else "",
    )


def _name(seat: TableSeat) -> str:
    """Return a player's name, with the team's where the entry is one."""
    player, entry = seat.player.name, seat.entry.name
    return player if player == entry else f"{player} ({entry})"


# ---- Standings -----------------------------------------------------------------------------------


def _standings(asked: Asked) -> bytes:
    stage = _stage(asked)
    rows = list(selectors.standings_of(stage, after=asked.round or None))
    if not rows:
        raise NothingToPrint
    tie_breaks = [name for name in rows[0].tiebreaks if name != "lot"]
    columns = ("", _("Entry"), _("Points"), _("Played"), *map(words, tie_breaks))
    groups = {number: list(own) for number, own in groupby(rows, key=lambda row: row.group)}
    rankings = [
        Ranking(
            _("Group %(number)d") % {"number": number} if len(groups) > 1 else "",
            columns,
            tuple(_cells(row, tie_breaks) for row in own),
        )
        for number, own in groups.items()
    ]
    return notices.standings(_heading_of_standings(asked, stage), rankings)


def _stage(asked: Asked) -> Stage:
    number = asked.stage or asked.competition.stage
    found = selectors.stages_of(asked.competition).filter(number=number).first()
    if found is None:
        raise NothingToPrint
    return found


def _cells(row: Standing, tie_breaks: list[str]) -> tuple[str, ...]:
    told = (row.tiebreaks[name] for name in tie_breaks)
    values = ("–" if value is None else exact(value) for value in told)
    return (f"{row.rank}.", row.entry.name, exact(row.points), str(row.played), *values)


def _heading_of_standings(asked: Asked, stage: Stage) -> Heading:
    competition = asked.competition
    after = _("after round %(round)d") % {"round": asked.round} if asked.round else _("so far")
    parts = [competition.club.name, stage.name, after]
    return Heading(_("%(name)s: standings") % {"name": competition.name}, " · ".join(parts))


PRINTS: Final[Mapping[str, Callable[[Asked], bytes]]] = {
    "pairings": _pairings,
    "cards": _cards,
    "sheets": _sheets,
    "standings": _standings,
}
