"""What a result costs: ``python -m benchmarks.standings [48 200 500]``, with the sizes of fields.

In a throw-away PostgreSQL each field plays a round at tables of four, of which ten are still being played.
After each of their results the standings are brought up to it, and, as the yardstick, one SQL aggregate adds
up places and ranks the field by them. Then the log is folded from its beginning. Times are means of processor
time, of this process and of the database together. At last a reader without a log-in looks at the
page of each competition: made anew, then kept and not modified, some times in a row, in processor time of
this process, by turns with canonical JSON and SHA-256 of a thousand entries, which shows how quick the
machine was meanwhile.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, Final
from unittest.mock import patch
from uuid import uuid4

from benchmarks.machine import HASHED, described, hash_entries, hush, one_core, seconds_of, server, spent
from league.ops import processes

FIELDS: Final = (48, 200, 500)
RESULTS: Final = 10
REPEATED: Final = 20
"""How often the yardstick is repeated for each result, because it is too short to be measured once."""
LOOKS: Final = 15
AGAIN: Final = 20
"""How often in a row a page is asked for that is kept, as it is because many ask for it."""
FOLDS: Final = 25
PLAN: Final = {"name": "League", "format": "rounds", "rounds": 2, "table_size": 4}
AGGREGATE: Final = """
SELECT entry_id, count(*), sum(1 + ranks.among - seats.rank) AS points, rank() OVER (
    ORDER BY sum(1 + ranks.among - seats.rank) DESC
) FROM league_tableseat AS seats
JOIN league_table AS tables ON tables.id = seats.table_id
JOIN league_round AS rounds ON rounds.id = tables.round_id
JOIN league_stage AS stages ON stages.id = rounds.stage_id
JOIN LATERAL (SELECT count(*) AS among FROM league_tableseat WHERE table_id = tables.id) AS ranks ON true
WHERE stages.competition_id = %s AND seats.rank IS NOT NULL GROUP BY entry_id ORDER BY points DESC
"""


def played(house: Any, size: int) -> Any:
    """Return a competition of so many entries, all of whose first round is over but for ten tables."""
    from league.core.verbs.draw import DrawRound
    from league.core.verbs.rounds import PublishRound
    from league.core.verbs.start import StartCompetition
    from league.models import Player
    from league.models.names import search_key
    from league.services.competitions import open_competition
    from tests.league.acting import act

    by, club = house
    names = [f"{size} {number}" for number in range(size)]
    players = Player.objects.bulk_create(
        Player(club=club, name=name, search_name=search_key(name), public_name=name) for name in names
    )
    competition = open_competition(
        by=by, club=club, name=f"Field of {size}", ruleset="scoops", options={}, stages=[PLAN]
    )
    entered(by, competition, players)
    for verb in (StartCompetition, DrawRound, PublishRound):
        act(by, competition, verb)
    for table in tables_to_play(competition)[RESULTS:]:
        decide_table(by, competition, table)
    return competition


def entered(by: Any, competition: Any, players: Sequence[Any]) -> None:
    """Enter players in one append, as no person would."""
    from league.core.events import apply
    from league.log import Author
    from league.models.events import Event
    from league.services import verbs
    from tests.core import deciding

    def command(state: Any, now: Any) -> list[Any]:
        events: list[Any] = []
        for player in players:
            named = {"name": player.name, "players": [str(player.pk)]}
            shown = deciding.enter(state, entry=str(uuid4()), **named)
            state = apply(state, *shown)
            events += shown
        return events

    author = Author(Event.Role.ORGANISER, str(by.pk))
    verbs.write(competition_id=competition.pk, author=author, command=command)


def tables_to_play(competition: Any) -> list[Any]:
    """Return the tables that are being played."""
    from league.models import Table

    return list(Table.objects.filter(round__stage__competition=competition, status="playing"))


def decide_table(by: Any, competition: Any, table: Any, scores: Sequence[int] = (10, 9, 8, 7)) -> None:
    """Record a result of a table, in the order of its seats."""
    from league.core.verbs.rulings import SetResult
    from tests.league.acting import act

    seats = [{"seat": seat, "rank": seat + 1, "score": scores[seat]} for seat in range(table.seats.count())]
    act(by, competition, SetResult, table=table.pk, seats=seats, reason="real cards")


def measure(postmaster: int, house: Any, size: int, looks: int = LOOKS) -> None:
    """Print what a result costs in a field, and what its log costs to fold."""
    from django.db import connection

    from league import log
    from league.core import events
    from league.projections.standings import compute_standings

    competition = played(house, size)
    compute_standings(competition.pk)
    processes.settle()  # as worker processes do
    ours, theirs = list[float](), list[float]()

    def aggregate() -> None:
        with connection.cursor() as cursor:
            for _ in range(REPEATED):
                cursor.execute(AGGREGATE, [competition.pk])
                cursor.fetchall()

    for table in tables_to_play(competition):
        decide_table(house[0], competition, table)
        ours.append(taken(postmaster, lambda: compute_standings(competition.pk)))
        theirs.append(taken(postmaster, aggregate) / REPEATED)
    result, yardstick = statistics.mean(ours), statistics.mean(theirs)
    competition.refresh_from_db()
    history = [events.read(entry.event) for entry in log.entries(competition)]
    folded = min(spent(lambda: events.fold(history)) for _ in range(FOLDS)) / len(history)
    sys.stdout.write(
        f"field of {size}: one more result {result * 1000:.1f} ms, aggregate {yardstick * 1000:.2f} ms, "
        f"{result / yardstick:.1f} times; folding {len(history)} events {folded * 1000:.1f} µs each\n"
    )
    with one_core(postmaster):
        look(competition, size, looks)
    sys.stdout.flush()


def look(competition: Any, size: int, looks: int) -> None:
    """Print what the page of a competition costs, and its weight."""
    from benchmarks.moves import Sent, inside
    from league.web import competitions as pages

    def anew() -> None:
        pages._PAGES.clear()
        inside(page, 200)

    page = Sent(f"/competitions/{competition.slug}/", {})
    headers, content = inside(page, 200)
    weight = len(inside(Sent(page.path, {"Accept-Encoding": "gzip"}), 200)[1]) / 1000
    known = Sent(page.path, {"If-None-Match": headers["ETag"]})
    turns = (
        (anew, 1),
        (lambda: inside(page, 200), AGAIN),
        (lambda: inside(known, 304), AGAIN),
        (hash_entries, 1),
    )
    costs = [[[spent(do) for _ in range(times)] for do, times in turns] for _ in range(looks)]
    made, kept, same, hashed = (
        statistics.median(chain.from_iterable(each)) for each in zip(*costs, strict=True)
    )
    sys.stdout.write(
        f"page of {size}: {made:.1f} ms made anew, {kept:.2f} ms kept, {same:.2f} ms not modified, "
        f"{len(content) / 1000:.0f} kB, {weight:.1f} kB compressed; "
        f"{HASHED} entries hashed in {hashed:.1f} ms, so anew is {made / hashed:.1f} times that\n"
    )


def taken(postmaster: int, do: Callable[[], object]) -> float:
    """Return the processor seconds of this process and of the database for a call."""
    before = time.process_time() + seconds_of(postmaster)
    do()
    return time.process_time() + seconds_of(postmaster) - before


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=FIELDS)
    asked = parser.parse_args()
    sys.stdout.write(f"{described()}\n")
    with server() as postmaster, patch("league.ops.celery.send"):  # there is no broker
        from league.services.accounts import create_account
        from league.services.clubs import create_club

        hush()
        by = create_account(username="organiser")
        club = create_club(by=by, name="Benchmark")
        for size in asked.sizes:
            measure(postmaster, (by, club), size)


if __name__ == "__main__":
    main()
