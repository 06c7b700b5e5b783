"""What is counted of an entry: a line for each table or match of a round, and all of a stage."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from games import rules
from games.engine.values import replace
from league.core.agreed import Kind
from league.core.state.competition import Adjustment
from league.core.state.plan import Placing, Scoring

ZERO = Fraction(0)
HALVES = (ZERO, Fraction(1, 2), Fraction(1))
"""What an entry has of a meeting: behind, level, ahead."""


@dataclass(frozen=True)
class Meeting:
    """An entry's result against another at one table: 1 ahead, 1/2 level, 0 behind."""

    opponent: str
    share: Fraction


@dataclass(frozen=True)
class Line:
    """An entry's result of a round at one table, or without one.

    ``places`` are its parts of first, second, … place among those who came: (1/2, 1/2) is a shared win.
    ``score`` is the score of the game, or of all games of a match, of which ``games`` were won and lost;
    ``difference`` is by how much it beat the average of the others who came. ``against`` are the others at a
    table without a result for this entry. ``counts`` is false in a round that best-of scoring leaves out.
    Of a match of teams that earns match points ``boards`` is what the team had on its boards. ``own`` is what
    an entry that left earned by what it had played, None where nothing is known of that.
    """

    entry: str
    round: int
    kind: Kind
    points: Fraction = ZERO
    table: str | None = None
    places: tuple[Fraction, ...] = ()
    score: int = 0
    difference: Fraction = ZERO
    meetings: tuple[Meeting, ...] = ()
    games: tuple[Fraction, ...] = ()
    against: tuple[str, ...] = ()
    counts: bool = True
    boards: Fraction = ZERO
    own: Fraction | None = None

    @property
    def wins(self) -> Fraction:
        """Return the part of the first place, 1 for a win that is not shared."""
        return self.places[0] if self.places else ZERO


@dataclass(frozen=True)
class Record:
    """An entry's record in a stage.

    ``missed`` are the last rounds, if it was absent, did not come or had withdrawn, and was not available
    since. ``voided`` are lines without points for its void tables, by which nobody is to be worse or better
    off in tie-breaks. ``open_rounds`` are the open-ended ones; ``average`` is the least number by which what
    lines earned is divided, 0 where it is added.
    """

    entry: str
    lines: tuple[Line, ...] = ()
    carried: Fraction = ZERO
    adjustments: tuple[Adjustment, ...] = ()
    missed: tuple[int, ...] = ()
    voided: tuple[Line, ...] = ()
    open_rounds: Container[int] = ()
    average: int = 0

    # Tie-breaks read it many times, and standings spend most of their time adding fractions.
    @cached_property
    def points(self) -> Fraction:
        """Return the total of the stage."""
        earned = [line.points for line in self.lines if line.counts]
        earned = [total(earned) / self.divisor] if self.average and earned else earned
        if not self.adjustments and self.carried is ZERO:
            return total(earned)
        return total([self.carried, *earned, *(each.points for each in self.adjustments)])

    @property
    def divisor(self) -> int:
        """Return by what each line's points are divided in the total: 1 where they are added."""
        return max(self.average, sum(line.counts for line in self.lines)) if self.average else 1

    @property
    def away(self) -> bool:
        """Return whether a round without a result counts for the entry."""
        return any(line.kind != "played" for line in self.lines)

    @property
    def played(self) -> int:
        """Return the number of rounds in which the entry played, and of tables in open-ended rounds."""
        played = (line for line in self.lines if line.kind == "played")
        return len({(line.round, line.table if line.round in self.open_rounds else None) for line in played})


@dataclass(frozen=True)
class Rate:
    """How a stage awards points; ``best_score`` says that partners level in rank have the best of theirs.

    ``own_last``: who leaves and counts as the last has the own score if that is worse. ``size`` is how many
    come to a usual table. Those of one of the ``sides``, which are given for tables of partners that change,
    count as one that comes.
    """

    scoring: Scoring
    size: int
    low_wins: bool
    best_score: bool = True
    sides: tuple[tuple[int, ...], ...] = ()
    own_last: bool = False

    def sides_at(self, seats: int) -> Sequence[int]:
        """Return the side of each seat at a table of so many: each is its own where no partners change."""
        return next((each for each in self.sides if len(each) == seats), range(seats))

    def parties(self, seats: int) -> int:
        """Return how many sides a table of so many seats has."""
        return len({*self.sides_at(seats)})

    def worth(self, placing: Placing) -> tuple[int, int]:
        """Return what sorts the placings of an entry's seats, the best first."""
        score = placing.score if self.best_score else 0
        return rules.best_first(placing.rank, score, low_wins=self.low_wins)

    @property
    def low_points_win(self) -> bool:
        """Return whether the fewest points lead: only where scores of such a game are added as they are."""
        return self.low_board_points_win and not self.scoring.match_points

    @property
    def low_board_points_win(self) -> bool:
        """Return whether the fewest points of its boards win a match of teams."""
        return self.scoring.by == "score" and not self.scoring.fair and self.low_wins

    @property
    def match_points(self) -> tuple[Fraction, ...]:
        """Return what a match of teams earns if won, drawn, lost; none where the boards' points count."""
        return tuple(map(Fraction, self.scoring.match_points))

    @property
    def of_boards(self) -> "Rate":
        """Return how the boards of a match earn points."""
        alone = replace(self.scoring, match_points=())
        return replace(self, scoring=alone) if self.scoring.match_points else self


@dataclass(frozen=True)
class Reached:
    """The rank that a format gives, 1 the best, its words, and whether a rule decided a tie.

    ``against`` is who was met in the match that gave it, empty where there is none of two.
    """

    rank: int = 0
    words: str = ""
    by_seed: bool = False
    against: str = ""


NOWHERE = Reached()


def total(values: Sequence[Fraction]) -> Fraction:
    """Return the sum, which most often is one of whole numbers, or of one number that is not 0."""
    if len(values) == 1:
        return values[0]
    terms = [value for value in values if value.numerator]
    if len(terms) < 2:
        return terms[0] if terms else ZERO
    if all(value.denominator == 1 for value in terms):
        return Fraction(sum(value.numerator for value in terms))
    return sum(terms, ZERO)
