"""The games' own scores."""

from fractions import Fraction

from league.core.scoring import ZERO, Line, Record
from league.core.standings.tie_breaks.base import Accounts, Mark, OwnMark


class ScoreDifference(OwnMark):
    """The difference from the average of the others at the table, whatever its size."""

    key = "score_difference"
    title = "score difference"
    summary = "by how much the scores beat the average of the others at the table, added up"

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        total = accounts.over_all_rounds(record, self.key, _difference)
        return Mark((total,), str(total))


def _difference(line: Line) -> Fraction:
    return line.difference


class GameScore(OwnMark):
    """The average score of the games, so that the number of games does not matter."""

    key = "game_score"
    title = "game scores"
    summary = "the average score of the games; the lower or the higher is better, as in the game"

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        scores = [line.score for line in record.lines if line.kind == "played"]
        average = Fraction(sum(scores), len(scores)) if scores else ZERO
        return Mark((-average if accounts.rate.low_wins else average,), str(average))
