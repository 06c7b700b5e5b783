"""Years of a club as tables in tests: a line for each person, a column for each evening."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

from games.engine.values import replace
from league.apps.series.core import ranking
from league.apps.series.core.parts import Part, Share
from league.apps.series.core.ranking import Facts, Prize, Span, Table
from league.apps.series.core.rule import Rule

FIRST = date(2026, 1, 7)
WEEK = timedelta(days=7)


def evenings(year: str, *, low_wins: bool = False, **about: Any) -> list[Part]:
    """Return the evenings of a table such as "Ann 60 55; Ben 40 -", a week apart: points, and ranks by them.

    ``about`` are fields of all parts.
    """
    lines = [line.split() for line in year.replace(";", "\n").split("\n") if line.strip()]
    columns = zip(*(values for _, *values in lines), strict=True)
    parts = []
    for number, column in enumerate(columns, 1):
        points = {
            who: Fraction(value) for (who, *_), value in zip(lines, column, strict=True) if value != "-"
        }
        part = Part(
            str(number), number, f"Evening {number}", FIRST + number * WEEK, _shares(points, low_wins)
        )
        parts.append(replace(part, field=len(points), low_wins=low_wins, **about))
    return parts


def _shares(points: Mapping[str, Fraction], low_wins: bool) -> tuple[Share, ...]:
    ordered = sorted(points.values(), reverse=not low_wins)
    return tuple(
        Share(who, value, 1 + ordered.index(value), ordered.count(value) - 1) for who, value in points.items()
    )


def placed(*places: int, field: int = 20, **about: Any) -> list[Part]:
    """Return evenings in which Ann had these places in a field."""
    return [
        Part(str(at), at, "", FIRST + at * WEEK, (Share("Ann", Fraction(0), place),), field=field, **about)
        for at, place in enumerate(places, 1)
    ]


def table(rule: Rule, parts: Sequence[Part], **facts: Any) -> Table:
    """Return the table of everybody who played."""
    people = {share.person: (Span(),) for part in parts for share in part.shares}
    return ranking.table(rule, parts, Facts(people, **facts))


def rows(rule: Rule, parts: Sequence[Part], **facts: Any) -> dict[str, Any]:
    """Return the rows by person."""
    return {row.person: row for row in table(rule, parts, **facts).rows}


def totals(rule: Rule, parts: Sequence[Part], **facts: Any) -> dict[str, Any]:
    """Return rank and total of each person, in order."""
    return {row.person: (row.rank, row.total) for row in table(rule, parts, **facts).rows}


def won(person: str, name: str, on: date = FIRST) -> Prize:
    """Return a prize."""
    return Prize(person, on, name)
