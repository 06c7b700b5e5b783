"""The games' own scores."""

from fractions import Fraction

from league.core.scoring import ZERO, Record
from league.core.standings.tie_breaks.base import Accounts, Mark, OwnMark


class ScoreDifference(OwnMark):
    """The difference from the average of the others at the table, whatever its size."""

    key = "score_difference"
    title = "score difference"
    summary = "by how much the scores beat the average of the others at the table, added up"

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        total = sum((line.difference for line in record.lines), ZERO)
        return Mark((total,), str(total))


class GameScore(OwnMark):
    """The scores of the games, added up."""

    key = "game_score"
    title = "game scores"
    summary = "the games' scores, added up; the lower or the higher sum is better, as in the game"

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        total = Fraction(sum(line.score for line in record.lines))
        return Mark((-total if accounts.rate.low_wins else total,), str(total))
