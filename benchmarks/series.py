"""What a club's year costs: ``python -m benchmarks.series``, 60 evenings of 40 people.

For each preset the table is made of all evenings, with what would help each person, in processor time of this
process, by turns with canonical JSON and SHA-256 of a thousand entries, which shows how quick the machine was
meanwhile. Medians. Then, in a throw-away PostgreSQL, one of the evenings is being played: after each of its
last results its row in the series is made anew, and then the table, in processor time of this process and of
the database together. Means. At last the page of the series and its charts are made anew, as the table of
each preset is measured.
"""

import statistics
import sys
from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction
from random import Random
from typing import Any, Final
from unittest.mock import patch

from benchmarks.machine import HASHED, described, hash_entries, hush, one_core, server, spent
from benchmarks.standings import decide_table, played, tables_to_play, taken
from league.apps.series.core.counting import Facts, Span
from league.apps.series.core.parts import Part, Share
from league.apps.series.core.presets import PRESETS
from league.apps.series.core.ranking import table
from league.ops import processes

EVENINGS: Final = 60
PEOPLE: Final = 40
LOOKS: Final = 15


def year() -> Sequence[Part]:
    """Return the evenings of a year, to each of which nine of ten people came."""
    random, first = Random(1), date(2026, 1, 1)
    people = [str(number) for number in range(PEOPLE)]
    parts = []
    for number in range(1, EVENINGS + 1):
        came = [(random.randint(300, 1500), person) for person in people if random.random() < 0.9]
        shares = [
            Share(person, Fraction(points), rank, 0, 48, 2, frozenset(random.sample(people, 2)))
            for rank, (points, person) in enumerate(sorted(came, reverse=True), 1)
        ]
        on = first + timedelta(days=6 * number)
        parts.append(Part(str(number), number, "", on, tuple(shares), 1, len(shares), len(shares) // 4))
    return parts


def tables() -> None:
    """Print what the table costs by each preset."""
    parts, facts = year(), Facts({str(number): (Span(),) for number in range(PEOPLE)})
    found = []
    for key, preset in PRESETS.items():
        costs = [
            (spent(lambda: table(preset.rule, parts, facts)), spent(hash_entries))  # noqa: B023
            for _ in range(LOOKS)
        ]
        made, hashed = (statistics.median(each) for each in zip(*costs, strict=True))
        found.append((made, made / hashed))
        sys.stdout.write(f"{key}: {made:.1f} ms, {made / hashed:.1f} times {HASHED} hashed entries\n")
        sys.stdout.flush()
    slowest, ratio = max(found)
    sys.stdout.write(f"slowest of all presets: {slowest:.1f} ms, {ratio:.1f} times\n")


def begun(house: Any) -> tuple[Any, Any]:
    """Return a series with all evenings but one typed in, and the competition that is the last."""
    from league.apps.series import services
    from league.apps.series.core.events import EveningTypedIn
    from league.apps.series.core.state import TypedTotal
    from league.models import Player

    by, club = house
    competition = played(house, PEOPLE)
    ids = [str(player.pk) for player in Player.objects.filter(club=club)]
    series = services.open_series(by=by, club=club, name="Year", rule=PRESETS["swiss_club"].rule)
    typed = [
        EveningTypedIn(
            on=part.on.isoformat(),
            name=part.key,
            totals=tuple(TypedTotal(ids[int(share.person)], str(share.points)) for share in part.shares),
        )
        for part in year()[1:]
    ]
    services.perform(by=by, series=series, event=typed)
    series.refresh_from_db()
    services.add_evening(by=by, series=series, competition=competition)
    return series, competition


def results(postmaster: int, house: Any) -> None:
    """Print what one more result costs a series."""
    from league.apps.series import projections, queries
    from league.projections.standings import compute_standings

    series, competition = begun(house)
    rows, shown = list[float](), list[float]()
    for left in tables_to_play(competition):
        decide_table(house[0], competition, left)
        compute_standings(competition.pk)
        rows.append(taken(postmaster, lambda: projections.follow_competition(competition.pk)))
        series.refresh_from_db()
        shown.append(taken(postmaster, lambda: queries.table_of(series)))
    row, counted = statistics.mean(rows) * 1000, statistics.mean(shown) * 1000
    sys.stdout.write(f"one more result: row {row:.1f} ms, table from the rows {counted:.1f} ms\n")
    with one_core(postmaster):
        look(series)


def look(series: Any) -> None:
    """Print what the page of a series costs a reader without a log-in, and its charts, made anew."""
    from django.core.cache import cache

    from benchmarks.moves import Sent, inside
    from league.apps.series import queries

    def anew(page: Any) -> None:
        queries._LATEST.cache_clear()
        cache.clear()
        inside(page, 200)

    processes.settle()  # as worker processes do
    for what, path in (("page", ""), ("page after evening 30", "?after=30"), ("charts", "chart/")):
        page = Sent(f"/clubs/{series.club.slug}/series/{series.slug}/{path}", {})
        anew(page)
        costs = [(spent(lambda: anew(page)), spent(hash_entries)) for _ in range(LOOKS)]  # noqa: B023
        made, hashed = (statistics.median(each) for each in zip(*costs, strict=True))
        sys.stdout.write(
            f"{what}: {made:.1f} ms made anew, {made / hashed:.1f} times {HASHED} hashed entries\n"
        )


def main() -> None:
    """Measure and print."""
    sys.stdout.write(f"{described()}\n")
    tables()
    with server() as postmaster, patch("league.ops.celery.send"):  # there is no broker
        from league.services.accounts import create_account
        from league.services.clubs import create_club

        hush()
        by = create_account(username="organiser")
        club = create_club(by=by, name="Benchmark")
        with one_core(postmaster):
            results(postmaster, (by, club))


if __name__ == "__main__":
    main()
