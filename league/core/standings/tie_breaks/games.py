"""The games of matches."""

from fractions import Fraction

from league.core.scoring import Line, Record
from league.core.standings.tie_breaks.base import Accounts, Mark, OwnMark


class Games(OwnMark):
    """Puts those ahead who won more games of their matches than they lost."""

    key = "games"
    title = "games won less lost"
    summary = (
        "the games that the entry won in its matches, less those that it lost; a drawn game as the stage "
        "says. 0 where tables have one game"
    )

    def fills_in(self, accounts: Accounts, record: Record) -> bool:
        return True

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        total = accounts.over_all_rounds(record, self.key, _lead)
        return Mark((total,), str(total))


def _lead(line: Line) -> Fraction:
    return line.games[0] - line.games[1] if line.games else Fraction()
