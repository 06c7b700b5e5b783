"""The table of a series as people read it: all faces of it have it from here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from django.utils.translation import gettext as _

from games.engine.messages import Message, all_of, filled
from games.engine.values import replace
from league.apps.series import queries
from league.apps.series.core import telling
from league.apps.series.core.ranking import Row, Tie
from league.apps.series.queries import Counted
from league.models import Player
from league.models.names import sort_key
from league.words.messages import translated
from league.words.people import called, tell_apart
from league.words.values import column, exact, numbers_within


def rank_of(row: Row) -> str:
    """Return the rank of a row as a column shows it."""
    return "–" if row.rank is None else str(row.rank)


def corrected(corrections: Mapping[int, str]) -> str:
    """Return in a sentence what `queries.corrections_of` names, empty for nothing."""
    names = translated(all_of([*corrections.values()]))
    return filled(_("Corrected: %(evenings)s."), {"evenings": names}) if corrections else ""


@dataclass(frozen=True)
class Line:
    """A row: who has it, ``total`` as its column shows it, and in sentences why it is so.

    ``counting`` says what counts and what is left out, ``why`` all of it: what is lacking for a rank, what
    decides beside somebody level, what would help, and what of it is for attendance.
    """

    row: Row
    player: Player
    name: str
    total: str
    counting: str
    more: tuple[str, ...]

    @property
    def rank(self) -> str:
        """Return the rank as a column shows it."""
        return rank_of(self.row)

    @property
    def asked(self) -> str:
        """Return what is asked of the row, for who doesn't see the arrow after the name."""
        return filled(_("Why %(name)s has this rank"), {"name": self.name})

    @property
    def why(self) -> Sequence[str]:
        """Return all sentences."""
        return self.counting, *self.more

    @property
    def counted(self) -> str:
        """Return how many count, of how many: for a column."""
        cells = self.row.cells
        return f"{sum(each.counts for each in cells)}/{len(cells)}"

    @property
    def values(self) -> str:
        """Return which values count, and in brackets those left out: for a column that has room."""
        return numbers_within(telling.in_brief(self.row))


@dataclass(frozen=True)
class Shown:
    """The table of a series with the people whom it names."""

    counted: Counted

    @cached_property
    def players(self) -> Mapping[str, Player]:
        """Return the players by their ids; those of one name are told apart."""
        named = queries.players_of(self.counted.people)
        tell_apart({player.pk: player for player in named.values()}.values())
        return named

    def name(self, person: str) -> str:
        """Return how a person is called here."""
        return called(self.players[person])

    @cached_property
    def rows(self) -> Sequence[Row]:
        """Return the rows in order, by name where they share a rank."""
        alike = groupby(self.counted.table.rows, key=lambda row: (row.rank, row.total))
        return [row for _, level in alike for row in self._by_names([*level])]

    def _by_names(self, level: Sequence[Row]) -> Sequence[Row]:
        return level if len(level) < 2 else sorted(level, key=lambda row: self._by_name(row.person))

    def _by_name(self, person: str) -> tuple[str | int, ...]:
        return sort_key(self.name(person))

    @cached_property
    def totals(self) -> Mapping[str, str]:
        """Return the total of each person as its column shows it, in order."""
        shown = column([str(row.total) for row in self.rows], signed=False)
        return {row.person: total for row, total in zip(self.rows, shown, strict=True)}

    def places(self) -> Mapping[str, tuple[str, str]]:
        """Return rank and total of each person as their columns show them."""
        return {row.person: (rank_of(row), self.totals[row.person]) for row in self.rows}

    def lines(self) -> list[Line]:
        """Return the rows in order."""
        return [self.line(row) for row in self.rows]

    def line(self, row: Row) -> Line:
        """Return a row of the table."""
        person = row.person
        counting, *more = [numbers_within(translated(each)) for each in (telling.counted(row), *row.lacks)]
        more += self._why(row)
        return Line(row, self.players[person], self.name(person), self.totals[person], counting, tuple(more))

    def _why(self, row: Row) -> list[str]:
        told: list[Message | None] = [telling.own_points(row)]
        told += [telling.tie(row, self._in_order(each), self.name) for each in row.ties]
        if row.reach and not self.counted.state.closed and self.counted.until is None:
            told.append(telling.reach(row.reach, low_wins=self.counted.table.low_wins))
            told.append(telling.as_place(row.reach))
        sentences = [numbers_within(translated(each)) for each in told if each]
        if row.bonus:
            sentences.append(_("With %(points)s for attendance.") % {"points": exact(row.bonus)})
        return sentences

    def _in_order(self, tie: Tie) -> Tie:
        """Return a tie in which nothing decides with the others by name; else they are in its order."""
        return tie if tie.nth else replace(tie, others=tuple(sorted(tie.others, key=self._by_name)))
