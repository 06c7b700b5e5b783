"""The games' own scores."""

from fractions import Fraction
from functools import partial

from league.core.records import ZERO, Line, Record
from league.core.standings.tie_breaks.base import Accounts, Mark, OwnMark


class ScoreDifference(OwnMark):
    """The difference from the average of the others, on the scale of a usual table.

    Where scores are evenly spread, the first of k is ahead of the others' average by k/(k + 1) of half their
    range. So a table of k counts (k + 1)/k as much, divided by the same for a usual table, and the first and
    the last place are worth the same at every table.
    """

    key = "score_difference"
    title = "score difference"
    summary = (
        "by how much the entry's score was better than the average of the others at its table, partners "
        "apart, added up over all games; below 0 it was worse. Where tables differ in size, a smaller one "
        "counts a little "
        "more, so that first and last place are worth the same at every table"
    )
    lasts = True

    def fills_in(self, accounts: Accounts, record: Record) -> bool:
        return True

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        total = accounts.over_all_rounds(record, self.key, partial(_difference, accounts.rate.size))
        return Mark((total,), str(total))


def _difference(usual: int, line: Line) -> Fraction:
    size = len(line.places)
    return line.difference * Fraction((size + 1) * usual, size * (usual + 1))


class GameScore(OwnMark):
    """The average score of the games, so that the number of games does not matter."""

    key = "game_score"
    title = "average score"
    summary = (
        "the score of a game on average; the lower or the higher is better, as in the game. Who has not "
        "played counts with the average of those who have as many points"
    )
    lasts = True

    def fills_in(self, accounts: Accounts, record: Record) -> bool:
        # In the first edition it was 0, the best score of games that the lowest one wins.
        return accounts.edition > 1 and not record.played

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        scores = [line.score for line in record.lines if line.kind == "played"]
        if scores:
            average = Fraction(sum(scores), len(scores))
        else:
            stands_in = self.fills_in(accounts, record)
            average = accounts.without_game(record, self.key, _score) if stands_in else ZERO
        return Mark((-average if accounts.rate.low_wins else average,), str(average))


def _score(line: Line) -> Fraction:
    return Fraction(line.score)
