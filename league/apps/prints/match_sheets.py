"""Sheets of a round's matches: of two teams on boards, and of two sides that play several games."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine import shapes
from league.apps.prints.contents import Heading
from league.core.match_view import lines_of
from league.core.state.entries import JOIN
from league.core.state.plan import StagePlan
from league.models import Round, Table, TableSeat
from league.queries.competitions import details_of, state_of
from league.words.messages import name_at_table, team_at_table, translated
from league.words.options import earned_in_words
from league.words.values import in_room, names_of_side, sides

_TWO: Final = 2


@dataclass(frozen=True)
class Line:
    """A board of a match, or its only table: each side's names and seats, and how many games it has."""

    board: str
    table: str
    players: tuple[tuple[str, str], tuple[str, str]]
    games: int


@dataclass(frozen=True)
class MatchSheet:
    """A match on paper; ``of_teams`` it is on boards, and the first team is at home."""

    heading: Heading
    sides: tuple[str, str]
    lines: tuple[Line, ...]
    rules: tuple[str, ...]
    date_and_place: str
    of_teams: bool


def matches_of(tables: Iterable[Table]) -> Sequence[Sequence[Table]]:
    """Return the tables of each match in the order of its boards; none where tables have one game each."""
    listed = [*tables]
    on_boards = any(table.board > 1 for table in listed)
    found: dict[object, list[Table]] = {}
    for table in listed:
        if (on_boards or table.match) and len(_sides(table)) == _TWO:
            teams = frozenset(seat.entry_id for seat in table.seats.all())
            found.setdefault(teams if on_boards else table.pk, []).append(table)
    return [sorted(match, key=lambda table: table.board) for match in found.values()]


def sheets_of(its_round: Round, heading: Heading) -> Iterator[MatchSheet]:
    """Yield a sheet for each match of a round."""
    heading = replace(heading, occasion="")  # it is told, or filled in, above the signatures
    rules, date_and_place = tuple(_rules(its_round)), _date_and_place(its_round)
    matches = matches_of(its_round.tables.all())
    of_teams = any(table.board > 1 for match in matches for table in match)
    for match in matches:
        first, second = _sides(match[0])
        lines = tuple(_line(table, first[0], of_teams=of_teams) for table in match)
        yield MatchSheet(heading, (_side(first), _side(second)), lines, rules, date_and_place, of_teams)


def _sides(table: Table) -> list[list[TableSeat]]:
    return sides(table.seats.all(), table.round.stage.competition.ruleset)


def _side(side: Sequence[TableSeat]) -> str:
    return team_at_table(side[0]) or names_of_side(side)


def _line(table: Table, home: TableSeat, *, of_teams: bool) -> Line:
    """Return a board with the side at home first: at every other board that has the second seat."""
    first, second = sorted(_sides(table), key=lambda side: side[0].entry_id != home.entry_id)
    return Line(
        board=_("Board %(number)d") % {"number": table.board} if of_teams else "",
        table=in_room(str(table), table.room),
        players=(_players(first), _players(second)),
        games=lines_of(table.match) if table.match else 1,
    )


def _players(side: Sequence[TableSeat]) -> tuple[str, str]:
    told = ngettext("Seat %(seats)s", "Seats %(seats)s", len(side))
    seats = ", ".join(str(seat.number + 1) for seat in side)
    return JOIN.join(map(name_at_table, side)), told % {"seats": seats}


def _rules(its_round: Round) -> Iterator[str]:
    """Yield how the match is decided, and what it earns."""
    plan = shapes.read(StagePlan, its_round.stage.plan)
    if plan.match:
        yield translated(plan.match.rule)
    if plan.scoring.match_points:
        yield earned_in_words(plan, state_of(its_round.stage.competition).opening)


def _date_and_place(its_round: Round) -> str:
    """Return the day of the round, or of a competition of one day, and the place, as far as known."""
    competition = its_round.stage.competition
    details, at = details_of(competition), (its_round.stage.number, its_round.number)
    day = next((each.day for each in state_of(competition).days if each.at == at), None)
    if not day and details.begins_on and details.ends_on in (None, details.begins_on):
        day = details.begins_on.isoformat()
    told = date_format(date.fromisoformat(day), "DATE_FORMAT") if day else ""
    return " · ".join(filter(None, (told, details.place)))
