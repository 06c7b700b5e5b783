"""Plain counts of standings as columns, for pages, screens and prints."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from uuid import UUID

from django.utils.translation import gettext as _

from league.core.scoring import ZERO
from league.core.standings.plain import COUNTED, DUEL, Plain
from league.words.values import exact
from league.words.values import tie_break as title


@dataclass(frozen=True)
class PlainColumn:
    """A column of plain counts: its title, what it is, and what it shows of each entry, by id.

    ``decides`` are the tie-breaks whose values it shows.
    """

    title: str
    about: str
    shown: Mapping[str, str]
    decides: Collection[str] = ()

    def of(self, entry: UUID) -> str:
        """Return what is shown of an entry, a dash where it has not played."""
        return self.shown.get(str(entry), "–")


def title_of(tie_break: str, plain: Plain | None) -> str:
    """Return a tie-break's title; at tables of more than two, places are compared with the average."""
    if plain and plain.biggest > DUEL and tie_break in COUNTED:
        return _("Wins above average") if tie_break == "wins" else _("Places above average")
    return title(tie_break)


def plain_columns(plain: Plain) -> list[PlainColumn]:
    """Return the columns: the places taken, where tables have more than two, and the total score."""
    taken = {entry: each for entry, each in plain.taken.items() if each.score is not None}
    score = PlainColumn(
        _("Total score"),
        _("the sum of the scores of all games"),
        {entry: exact(each.score) for entry, each in taken.items()},
    )
    if plain.biggest <= DUEL:
        return [score]
    places = PlainColumn(
        _("Places taken"),
        _("how often first, second, third … of a table: 2-1-0-2 is twice first, once second, twice fourth"),
        {entry: "-".join(map(exact, _padded(each.places, plain.biggest))) for entry, each in taken.items()},
        plain.told_plainly,
    )
    return [places, score]


def _padded(places: Sequence[Fraction], size: int) -> list[Fraction]:
    return [*places, *[ZERO] * (size - len(places))]
