"""The games of matches, and the boards of matches of teams."""

from fractions import Fraction

from league.core.records import Line, Record, total
from league.core.standings.tie_breaks.base import Accounts, Mark, OwnMark


class Games(OwnMark):
    """Puts those ahead who won more games of their matches than they lost."""

    key = "games"
    title = "games won less lost"
    summary = (
        "the games that the entry won in its matches, less those that it lost; a drawn game as the stage "
        "says. 0 where tables have one game"
    )
    lasts = True

    def fills_in(self, accounts: Accounts, record: Record) -> bool:
        return True

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        total = accounts.over_all_rounds(record, self.key, _lead)
        return Mark((total,), str(total))


def _lead(line: Line) -> Fraction:
    return line.games[0] - line.games[1] if line.games else Fraction()


class BoardPoints(OwnMark):
    """Puts those teams ahead that had more on the boards of their matches."""

    key = "board_points"
    title = "board points"
    summary = (
        "what a team’s players earned on the boards of its matches, added up. 0 where team matches earn no "
        "points of their own"
    )
    lasts = True

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        own = total([line.boards for line in record.lines if line.counts])
        return Mark((-own if accounts.rate.low_board_points_win else own,), str(own))
