"""Plain counts of standings as columns, for pages, screens and prints."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.jsontypes import Json, JsonObject
from league.core.standings.plain import COUNTED, Plain, Taken
from league.core.standings.settled import Settled
from league.words.messages import translated
from league.words.values import LOT, exact, numbers_within
from league.words.values import tie_break as title

C = TypeVar("C")


class _Row(Protocol):
    @property
    def entry_id(self) -> UUID: ...
    @property
    def points(self) -> str: ...
    @property
    def rank(self) -> int: ...
    @property
    def by_lot(self) -> bool: ...


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


RULE: Final = "‡"
"""Marks a rank of who was level at a table of a bracket, and for whom its rule decided."""


ORGANISER: Final = "†"
"""Marks a rank for which an organiser decided something."""

_SIGNS: Final = {
    LOT: gettext_lazy("by lot: everything else is equal"),
    ORGANISER: gettext_lazy("an organiser decided a result or points"),
    RULE: gettext_lazy("level at a table: the better seed went on"),
}


def title_of(tie_break: str, plain: Plain | None) -> str:
    """Return a tie-break's title; of more than two sides, places are compared with the average."""
    if plain and plain.compared and tie_break in COUNTED:
        return _("Wins above average") if tie_break == "wins" else _("Places above average")
    return title(tie_break)


def plain_columns(plain: Plain, points: Mapping[UUID, str]) -> list[PlainColumn]:
    """Return the columns: duels, games of matches, or places at bigger tables; and the total score.

    That has none where it is what the entries have as ``points``.
    """
    taken = {entry: each for entry, each in plain.taken.items() if each.score is not None}
    score = PlainColumn(
        _("Total score"),
        _("the sum of the scores of all games"),
        {entry: exact(each.score) for entry, each in taken.items()},
    )
    said = all(score.of(entry) == exact(own) for entry, own in points.items() if str(entry) in taken)
    scores = [] if said else [score]
    if plain.of_matches:
        # Of matches that were typed in as games won nobody knows the scores.
        scores = scores if any(each.score for each in taken.values()) else []
        return [*_duels(plain), _games(taken), *scores]
    return [*(_places(plain, taken) if plain.compared else _duels(plain)), *scores]


def signs_of(row: _Row, plain: Plain | None) -> list[tuple[str, str]]:
    """Return the signs beside a rank, each with what it says: a lot, an organiser or a rule decided."""
    told = plain.settled.get(str(row.entry_id), Settled()) if plain else Settled()
    holds = {LOT: row.by_lot, ORGANISER: bool(told.by_organiser), RULE: told.by_rule}
    return [(sign, str(why)) for sign, why in _SIGNS.items() if holds[sign]]


def rank_with_signs(row: _Row, plain: Plain) -> str:
    """Return a rank as a cell has it, with the signs of what decided it: "1*"."""
    return f"{row.rank}{''.join(sign for sign, _why in signs_of(row, plain))}"


def legend(rows: Iterable[_Row], plain: Plain | None) -> str:
    """Return what ranks before points do, and what the signs in the ranks of rows mean; often nothing."""
    found = dict(pair for row in rows for pair in signs_of(row, plain))
    first = translated(plain.first_by) if plain and plain.first_by else ""
    return " · ".join(filter(None, [first, *(f"{sign} {why}" for sign, why in found.items())]))


def counts_of(row: _Row, plain: Plain) -> JsonObject:
    """Return the plain counts of an entry as JSON: places, games won, drawn and lost, and its score."""
    taken = plain.taken.get(str(row.entry_id), Taken((), None))
    won, drawn, lost = taken.duels
    places: list[Json] = [*_padded(taken.places, plain.biggest, 0)]
    return {"places": places, "won": won, "drawn": drawn, "lost": lost, "score": taken.score}


def decided_in_words(row: _Row, plain: Plain | None) -> Sequence[str]:
    """Return what organisers decided of an entry, in sentences."""
    told = plain.settled.get(str(row.entry_id), Settled()) if plain else Settled()
    return [numbers_within(translated(each)) for each in told.by_organiser]


def points_of(rows: Iterable[_Row]) -> Mapping[UUID, str]:
    """Return the points of rows of standings by entry."""
    return {row.entry_id: row.points for row in rows}


def _duels(plain: Plain) -> Iterator[PlainColumn]:
    """Yield what entries won, drew and lost where all tables are of two sides, and how many byes they had."""
    if not (plain.duels and plain.biggest):
        return
    yield PlainColumn(
        _("Won–drawn–lost"),
        _("tables won, drawn and lost; a walkover is a win, and who did not come or forfeited has lost"),
        {entry: "–".join(map(str, each.duels)) for entry, each in plain.taken.items()},
        plain.told_plainly,
    )
    if any(each.byes for each in plain.taken.values()):
        byes = {entry: str(each.byes) for entry, each in plain.taken.items()}
        paid = any(each.paid for each in plain.taken.values())
        yield PlainColumn(
            _("Byes"),
            _("rounds without a table; some earned as much as a win")
            if paid
            else _("rounds without a table"),
            byes,
        )


def _places(plain: Plain, taken: Mapping[str, Taken]) -> Iterator[PlainColumn]:
    """Yield how often entries took each place of a table; of places that they shared they have a part."""
    about = _(
        "how often first, second, third … of a table: 2-1-0-2 is twice first, once second, twice fourth"
    )
    shared = any(part % 1 for each in taken.values() for part in each.parts)
    told = (
        about,
        _("who shares places has a part of each: two who are first together, ½ first and ½ second")
        if shared
        else "",
        _("only of the tables that count") if plain.left_out else "",
    )
    counted = {entry: [exact(part) for part in each.parts] for entry, each in taken.items()}
    shown = {entry: "-".join(_padded(each, plain.biggest, "0")) for entry, each in counted.items()}
    yield PlainColumn(_("Places taken"), "; ".join(filter(None, told)), shown, plain.told_plainly)


def _games(taken: Mapping[str, Taken]) -> PlainColumn:
    shown = {entry: "–".join(map(exact, each.games)) for entry, each in taken.items() if each.games}
    return PlainColumn(_("Games"), _("the games won and lost in all matches"), shown)


def _padded(places: Sequence[C], size: int, none: C) -> list[C]:
    return [*places, *[none] * (size - len(places))]
