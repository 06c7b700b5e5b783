"""How long the draws of a big competition take: ``python -m benchmarks.draw_times [ENTRIES]``.

Plays a competition of each format with results by lot, and prints the slowest draw, the slowest standings and
the time to fold the whole log, in seconds of processor time, then the report of each draw.
"""

import sys
from collections.abc import Callable, Sequence
from time import process_time
from typing import Any, TypeVar
from uuid import NAMESPACE_OID, uuid5

from benchmarks.machine import described
from games.engine.chance import Chance
from league.core.events import Event, apply, fold
from league.core.plans import with_editions
from league.core.standings import ranking
from league.core.state.plan import Placing, StagePlan
from league.core.verbs.entering import Entered
from league.core.verbs.results import ResultRecorded
from league.core.verbs.start import Opened
from tests.core import deciding as commands
from tests.core.committed import committed

T = TypeVar("T")
CHANCE = Chance(bytes(32))
ROUNDS = 7
PLANS = (
    StagePlan("Everybody", "rounds", ROUNDS, 4, {}),
    StagePlan("Swiss at tables of four", "swiss", ROUNDS, 4, {}),
    StagePlan("Swiss of duels", "swiss", ROUNDS, 2, {}),
    StagePlan("Round robin at tables of four", "round_robin", ROUNDS, 4, {}),
    StagePlan("Knockout at tables of four", "knockout", 0, 4, {}),
    StagePlan("Bracket of duels", "knockout", 0, 2, {}),
)


def uid(name: str) -> str:
    """Return an id that is the same in every run."""
    return str(uuid5(NAMESPACE_OID, name))


class Played:
    """A competition as it is played, with its log and the times that were taken."""

    def __init__(self, plan: StagePlan, entries: int) -> None:
        opening = Opened(
            "Big", "scoops@1", {}, tuple(range(2, 10)), False, (with_editions(plan),), committed(), {}
        )
        self.log: list[Event] = [opening]
        self.state = opening.begin()
        self.slowest: dict[str, float] = {}
        for number in range(entries):
            self.say(Entered(uid(f"entry {number}"), f"P{number}", (uid(f"player {number}"),)))

    def say(self, *events: Event) -> None:
        """Append events."""
        for event in events:
            self.log.append(event)
            self.state = apply(self.state, event)

    def timed(self, what: str, work: Callable[[], T]) -> T:
        """Return what the work gives, keeping the longest time that this kind of work has taken."""
        began = process_time()
        done = work()
        self.slowest[what] = max(self.slowest.get(what, 0.0), process_time() - began)
        return done

    def play(self) -> list[Any]:
        """Play to the end; return the report of each draw."""
        reports = []
        self.say(*commands.start(self.state))
        while (step := commands.next_step(self.state)) != "finish":
            if step == "draw":
                self.say(*self.timed("draw", lambda: commands.draw(self.state)))
                reports.append(self.state.stages[-1].rounds[-1].report)
            elif step == "publish":
                self.say(*commands.publish(self.state, games=self.games()))
            elif step == "play":
                self.results()
                self.timed("standings", lambda: ranking.standings(self.state, 1))
            else:
                self.say(*commands.close_round(self.state))
        self.timed("fold", lambda: fold(self.log))
        return reports

    def games(self) -> dict[str, Sequence[str]]:
        """Return one game for each table of the round."""
        return {table.id: [uid(f"game {table.id}")] for table in self.state.stages[-1].rounds[-1].tables}

    def results(self) -> None:
        """Record a result by lot at every table."""
        for table in self.state.stages[-1].rounds[-1].tables:
            order = CHANCE.shuffled(table.id, range(1, len(table.seats) + 1))
            placings = tuple(Placing(seat, rank, 10 - rank) for seat, rank in enumerate(order))
            self.say(ResultRecorded(table.id, table.games[0].id, "0" * 64, "finished", placings))


def main(arguments: Sequence[str]) -> None:
    """Play every plan and print its line."""
    entries = int(arguments[0]) if arguments else 1000
    sys.stdout.write(f"{described()}\n")
    for plan in PLANS:
        played = Played(plan, entries)
        reports = played.play()
        times = ", ".join(f"{what} {seconds:.2f} s" for what, seconds in played.slowest.items())
        sys.stdout.write(f"{plan.name}, {entries} entries, {len(played.log)} events: {times}\n")
        sys.stdout.writelines(f"    {report}\n" for report in reports)


if __name__ == "__main__":
    main(sys.argv[1:])
