"""A match: games of two sides in a row at one table, as many as its decision needs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Final, Literal, TypeAlias

from games.engine.messages import Message, text
from games.engine.shapes import Between, Help, Label, Length

DRAWN: Final[Mapping[str, str]] = {
    "half": text("half a game to each"),
    "replay": text("does not count, and another is played"),
    "nothing": text("counts as played, for nobody"),
}
DrawnGame: TypeAlias = Annotated[
    Literal["half", "replay", "nothing"],
    Label("A drawn game", tuple(DRAWN.items())),
    Help("what a drawn game of a match is worth"),
]
MOST_GAMES: Final = 99
"""The most games of a match that are typed in, drawn ones too."""
LONGEST: Final = 25
"""The most games that a match can be best of."""
Score: TypeAlias = Annotated[int, Between(-1_000_000_000, 1_000_000_000)]
FIRST, SECOND = 0, 1
Winner: TypeAlias = int | None
"""The side that won a game, FIRST or SECOND; None for a drawn one."""


@dataclass(frozen=True)
class GameScores:
    """The scores of one game of a match that was typed in, in the order of the table's seats."""

    scores: Annotated[tuple[Score, ...], Length(2, 10)]


@dataclass(frozen=True)
class Tally:
    """The games of a match that count: how many each side won, and how many were drawn."""

    won: tuple[int, int] = (0, 0)
    drawn: int = 0

    @property
    def counted(self) -> int:
        """Return how many games count, drawn ones too."""
        return sum(self.won) + self.drawn

    def after(self, winner: Winner) -> "Tally":
        """Return the tally after one more game."""
        first, second = self.won
        match winner:
            case None:
                return Tally(self.won, self.drawn + 1)
            case 0:
                return Tally((first + 1, second), self.drawn)
            case _:
                return Tally((first, second + 1), self.drawn)


@dataclass(frozen=True)
class Match:
    """How a match is decided: best of how many games, and what a drawn one is worth.

    It is over as soon as the games left can't change who wins, or level it; at the latest after ``best_of``
    games, of which drawn ones are none where they are played again. So a match can end level.
    """

    best_of: int
    drawn_game: str = "half"

    @property
    def rule(self) -> Message:
        """Return how the match is decided, in a sentence."""
        return text(
            "Best of %(games)d: the games follow each other with changed seats until the match is decided. A "
            "drawn game: %(drawn)s.",
            games=self.best_of,
            drawn=DRAWN[self.drawn_game],
        )

    def decided(self, tally: Tally) -> bool:
        """Return whether the match is over."""
        used = sum(tally.won) if self.drawn_game == "replay" else tally.counted
        lead = abs(tally.won[FIRST] - tally.won[SECOND])
        return used >= self.best_of or lead > self.best_of - used

    def tallies(self, winners: Sequence[Winner]) -> Iterator[Tally]:
        """Yield the tally after each game that counts: none after the one that decides."""
        tally = Tally()
        for winner in winners:
            if self.decided(tally):
                return
            tally = tally.after(winner)
            yield tally

    def tally(self, winners: Sequence[Winner]) -> Tally:
        """Return the tally after the games that count."""
        return next(iter([*self.tallies(winners)][-1:]), Tally())

    def games(self, tally: Tally) -> tuple[Fraction, Fraction]:
        """Return what each side has of the games, with its part of the drawn ones."""
        half = Fraction(tally.drawn, 2) if self.drawn_game == "half" else Fraction()
        return tally.won[FIRST] + half, tally.won[SECOND] + half

    def reached(self, tally: Tally) -> bool:
        """Return whether games in some order give a tally: none may follow the one that decided.

        What is decided stays so, so it is enough that one game less was undecided.
        """
        (first, second), drawn = tally.won, tally.drawn
        before = [
            *([Tally((first - 1, second), drawn)] if first else ()),
            *([Tally((first, second - 1), drawn)] if second else ()),
            *([Tally(tally.won, drawn - 1)] if drawn else ()),
        ]
        return not before or any(not self.decided(each) for each in before)
