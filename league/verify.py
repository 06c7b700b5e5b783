"""The verifier of every file: ``python -m league.verify FILE`` needs nothing but the file and Python.

A competition's file (docs/log.md) is checked whole: its log's chain, that each event could happen where it
stands, groups and draws against the seed, every game as `games.verify` does, that each game is the one its
table had to play, and each recorded result the game's. A game's own file is handed to `games.verify`.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from games import rules
from games import verify as games
from games.engine.refusals import Illegal, Malformed
from games.engine.replay import Opening
from games.verify import GOOD, UNFINISHED, WRONG, WrongLog, check_frame, checked_chain, parsed
from league import portable, ranking
from league.competition import events as e
from league.competition import fold
from league.competition.games import games_of
from league.competition.state import Competition
from league.competition.verify import DIFFERENT, Verdict, verdict
from league.portable import File, WrongFile

ENTRY_FIELDS: Final = {"seq", "role", "account", "event", "at", "hash"}
ROLES: Final = ("organiser", "scorekeeper", "player", "clock", "system")
VERDICTS: Final = {
    GOOD: "verified",
    WRONG: "not verified: see above",
    UNFINISHED: "what is there holds, but the competition or a game of it is not over",
}


class Step(NamedTuple):
    """An event, and the state that it found and left."""

    before: Competition | None
    event: e.Event
    after: Competition


@dataclass(frozen=True)
class Report:
    """What holds of a competition's file.

    ``running`` of its games have no end, so that only their chains could be checked; ``verdicts`` are those
    on groups, draws and open tables, by entry.
    """

    state: Competition
    head: str
    games: int
    running: int
    verdicts: tuple[tuple[int, e.Event, Verdict], ...] = ()

    def said(self, verdict: Verdict) -> Sequence[int]:
        """Return the numbers of the entries with a verdict."""
        return [seq for seq, _, said in self.verdicts if said == verdict]

    @property
    def code(self) -> int:
        """Return the exit code."""
        if self.said("different"):
            return WRONG
        return GOOD if self.state.over and not self.running else UNFINISHED


# ---- The competition's log -----------------------------------------------------------------------


def steps(entries: Iterable[Mapping[str, Any]]) -> Iterator[Step]:
    """Yield what each entry of a competition's log does; raise `WrongLog` at the first that is wrong.

    Each must be linked to the one before, be written in the one way that logs write it, and be able to happen
    where it stands.
    """
    told = list(entries)
    checked_chain(told, _check_entry)
    state: Competition | None = None
    for entry in told:
        event = _event(entry)
        before, state = state, _after(state, event, entry["seq"])
        yield Step(before, event, state)


def _check_entry(seq: int, entry: Mapping[str, Any]) -> None:
    check_frame(seq, entry, ENTRY_FIELDS, ROLES)


def _event(entry: Mapping[str, Any]) -> e.Event:
    try:
        event = e.read(entry["event"])
    except Malformed as refusal:
        raise WrongLog(entry["seq"], refusal.sentence) from None
    if e.write(event) != entry["event"]:
        raise WrongLog(entry["seq"], "its event is not written in the one way that logs write it")
    return event


def _after(state: Competition | None, event: e.Event, seq: int) -> Competition:
    try:
        return fold.begin(event) if state is None else fold.apply(state, event)
    except Illegal as refusal:
        raise WrongLog(seq, refusal.sentence) from None


# ---- The file ------------------------------------------------------------------------------------


def check(file: File, *, draws: bool = True) -> Report:
    """Return the report on a competition's file; raise `WrongFile` where it does not hold.

    Without ``draws`` groups and draws are not made again.
    """
    try:
        entries = [parsed(number, line) for number, line in enumerate(file.log, 1)]
        told = list(steps(entries))
    except WrongLog as wrong:
        raise WrongFile(f"the competition's log: {wrong}") from None
    _check_players(file, told)
    running = sum(_checked_games(file, told))
    said = tuple(verdicts(told)) if draws else ()
    return Report(told[-1].after, entries[-1]["hash"], len(file.games), running, said)


def verdicts(told: Iterable[Step]) -> Iterator[tuple[int, e.Event, Verdict]]:
    """Yield entry, event and verdict for each draw, each opened table and each stage's groups."""
    for before, event, after in told:
        if before is not None and (said := verdict(before, event)):
            yield after.seq, event, said


def _check_players(file: File, told: Sequence[Step]) -> None:
    if {*file.players} != {*players_of(step.event for step in told)}:
        raise WrongFile("the file must name the players of its log and nobody else")


def players_of(events: Iterable[e.Event]) -> Iterator[str]:
    """Yield every player that the events bring in, as often as they do."""
    for event in events:
        match event:
            case e.Applied() | e.Entered():
                yield from event.players
            case e.Substituted():
                yield event.into
            case _:
                pass


# ---- Its games -----------------------------------------------------------------------------------


def _checked_games(file: File, told: Sequence[Step]) -> Iterator[bool]:
    """Check each game that the log opened, and yield whether it still runs."""
    state = told[-1].after
    tables = {game: table for table, game in games_of(step.event for step in told)}
    ended = {step.event.game: step.event for step in told if isinstance(step.event, e.ResultRecorded)}
    if {*tables} != {*file.games}:
        raise WrongFile("the file must hold the games of its log and no others")
    for game, lines in file.games.items():
        try:
            report = games.check(lines)
        except WrongLog as wrong:
            raise WrongFile(f"game {game}: {wrong}") from None
        if not _is_of_table(report.opening, state, tables[game]):
            raise WrongFile(f"game {game}: it is not the one that its table had to play")
        if game in ended and not _is_end_of(report, ended[game]):
            raise WrongFile(f"game {game}: it did not end as the competition's log says")
        yield not report.replayed


def _is_of_table(opening: Opening, state: Competition, table: str) -> bool:
    """Return whether a game has the rules, options, clock and players that the competition gave its table."""
    announced = state.opening
    players = tuple(seat.player for seat in state.table(table)[2].seats)
    if (opening.ruleset, opening.seats, opening.clock) != (announced.ruleset, players, announced.clock):
        return False
    try:
        ruleset = rules.find(announced.ruleset)
        options = ruleset.write_options(ruleset.read_options(announced.options, len(players)))
    except (KeyError, Malformed):
        return False
    return bool(options == opening.options)


def _is_end_of(report: games.Report, recorded: e.ResultRecorded) -> bool:
    seats = report.result["seats"] if report.result else []
    told = [{"seat": each.seat, "rank": each.rank, "score": each.score} for each in recorded.seats]
    return (report.head, report.status, seats) == (recorded.head, recorded.status, told)


# ---- In words ------------------------------------------------------------------------------------


def _sentences(report: Report) -> Iterator[str]:
    state = report.state
    yield (
        f"{state.opening.name}: {state.opening.ruleset}, {state.status}, {state.seq} entries, "
        f"head {report.head}, {report.games} games"
    )
    if report.running:
        yield f"{report.running} of the games have no end yet: of these only the chain could be checked"
    yield f"groups, draws and open tables that seed and format give again: {len(report.said('given'))}"
    if fitting := report.said("fitting"):
        yield (
            f"not made again for want of the package rustworkx, the draws at entries {_listed(fitting)}: "
            "their tables, byes and reports fit, and no exchange of two entries is cheaper"
        )
    for seq, event, said in report.verdicts:
        if said == "different":
            yield f"entry {seq}: {DIFFERENT[type(event)]} in this release"


def _listed(seqs: Sequence[int]) -> str:
    return ", ".join(map(str, seqs))


def standings(state: Competition) -> Iterator[str]:
    """Yield the standings of every stage that has begun as lines for people, each group best first."""
    names = {entry.id: entry.name for entry in state.entries}
    for stage in state.stages:
        for row in ranking.standings(state, stage.number):
            if row.rank == 1:
                group = f", group {row.group}" if len(stage.groups) > 1 else ""
                yield f"\n{stage.plan.name}{group}"
            yield f"{row.rank:>4}. {names[row.entry]}  {row.points}  {row.explanation}"


def main(arguments: Sequence[str]) -> int:
    """Check the file that the only argument names, say what holds or is wrong; return the exit code."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m league.verify FILE\n")
        return WRONG
    try:
        lines = Path(arguments[0]).read_text(encoding="utf-8").split("\n")
        if not portable.is_export(lines[0]):
            return games.main(arguments)
        report = check(portable.read(lines))
    except (OSError, UnicodeDecodeError, WrongFile) as error:
        sys.stderr.write(f"{error}\n")
        return WRONG
    told = [*_sentences(report), *standings(report.state), "", VERDICTS[report.code]]
    sys.stdout.write("\n".join(told) + "\n")
    return report.code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
