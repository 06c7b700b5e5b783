"""The checks of ``python -m league.verify FILE``, which need nothing but Python.

In a competition's file (docs/log.md) everything is checked: the log's chain, that each event could happen at
that point, groups and draws against the seed, every game as `games.verifier` does, that each game belongs to
its table, and that each recorded result is the game's.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, NamedTuple

from games import rules
from games import verifier as games
from games.engine.refusals import Illegal, Malformed
from games.engine.replay import Opening
from games.lines import WrongLog, check_frame, checked_chain, parsed
from games.verifier import GOOD, UNFINISHED, WRONG
from league.core import beacon, fold
from league.core.events import Event, OpensGames, read, write
from league.core.portable import File, WrongFile
from league.core.redraw import DIFFERENT, Verdict, verdict
from league.core.standings import ranking
from league.core.state.competition import Competition
from league.core.state.cut_off import Reveal
from league.core.verbs.cut_off import CutOffMade
from league.core.verbs.recommit import Recommitted
from league.core.verbs.result import ResultRecorded

ENTRY_FIELDS: Final = {"seq", "role", "account", "event", "at", "hash"}
ROLES: Final = ("organiser", "scorekeeper", "player", "kiosk", "clock", "system")
VERDICTS: Final = {
    GOOD: "verified",
    WRONG: "not verified: see above",
    UNFINISHED: "correct so far, but the competition or one of its games is not over",
}


class Step(NamedTuple):
    """An event, with the states before and after it."""

    before: Competition | None
    event: Event
    after: Competition


@dataclass(frozen=True)
class Report:
    """The result of checking a competition's file.

    ``running`` games are not over, so only their chains were checked; ``verdicts`` are those on groups, draws
    and opened tables, with the number of the event; ``recommitted`` are number and reason of each new
    commitment, ``beacons`` the signatures of the beacon's rounds that draws used.
    """

    state: Competition
    head: str
    games: int
    running: int
    verdicts: tuple[tuple[int, Event, Verdict], ...] = ()
    recommitted: tuple[tuple[int, str], ...] = ()
    beacons: Mapping[int, str] = field(default_factory=dict)

    def events_with(self, verdict: Verdict) -> Sequence[int]:
        """Return the numbers of the events with a verdict."""
        return [seq for seq, _, given in self.verdicts if given == verdict]

    @property
    def code(self) -> int:
        """Return the exit code."""
        if self.events_with("different"):
            return WRONG
        return GOOD if self.state.over and not self.running else UNFINISHED


# ---- The competition's log -----------------------------------------------------------------------


def steps(entries: Iterable[Mapping[str, Any]]) -> Iterator[Step]:
    """Yield what each entry of a competition's log does; raise `WrongLog` at the first that is wrong.

    Each entry must be linked to the one before and be in canonical form, and its event must be possible.
    """
    listed = list(entries)
    checked_chain(listed, _check_entry)
    state: Competition | None = None
    for entry in listed:
        event = _event(entry)
        _check_beacon(entry, event)
        before, state = state, _after(state, event, entry["seq"])
        yield Step(before, event, state)


def _check_beacon(entry: Mapping[str, Any], event: Event) -> None:
    """Raise `WrongLog` where the round of the beacon for which a draw waits is too early."""
    at = datetime.fromisoformat(entry["at"])
    if isinstance(event, CutOffMade) and event.beacon and beacon.time_of(event.beacon) < at + beacon.LEAD:
        raise WrongLog(entry["seq"], "the beacon’s round is less than 30 seconds after the cut-off")


def _check_entry(seq: int, entry: Mapping[str, Any]) -> None:
    check_frame(seq, entry, ENTRY_FIELDS, ROLES)


def _event(entry: Mapping[str, Any]) -> Event:
    try:
        event = read(entry["event"])
    except Malformed as refusal:
        raise WrongLog(entry["seq"], refusal.sentence) from None
    if write(event) != entry["event"]:
        raise WrongLog(entry["seq"], "its event is not in canonical form")
    return event


def _after(state: Competition | None, event: Event, seq: int) -> Competition:
    try:
        return fold.begin(event) if state is None else fold.apply(state, event)
    except Illegal as refusal:
        raise WrongLog(seq, refusal.sentence) from None


# ---- The file ------------------------------------------------------------------------------------


def check(file: File) -> Report:
    """Return the report on a competition's file; raise `WrongFile` where it is wrong."""
    try:
        entries = [parsed(number, line) for number, line in enumerate(file.log, 1)]
        checked = list(steps(entries))
    except WrongLog as wrong:
        raise WrongFile(f"the competition's log: {wrong}") from None
    if {*file.players} != {*players_of(step.event for step in checked)}:
        raise WrongFile("the file must name the players of its log and no others")
    running = sum(_checked_games(file, checked))
    return Report(
        checked[-1].after,
        entries[-1]["hash"],
        len(file.games),
        running,
        tuple(verdicts(checked)),
        tuple((step.after.seq, step.event.reason) for step in checked if isinstance(step.event, Recommitted)),
        dict(_beacons(checked)),
    )


def _beacons(checked: Iterable[Step]) -> Iterator[tuple[int, str]]:
    """Yield round and signature for each draw that took the beacon's value."""
    for before, event, _ in checked:
        reveal = getattr(event, "reveal", None)
        if isinstance(reveal, Reveal) and reveal.signature and before and before.pending:
            yield before.pending.cut_off.beacon, reveal.signature


def verdicts(checked: Iterable[Step]) -> Iterator[tuple[int, Event, Verdict]]:
    """Yield number, event and verdict for each draw, each opened table and each stage's groups."""
    for before, event, after in checked:
        if before is not None and (found := verdict(before, event)):
            yield after.seq, event, found


def players_of(events: Iterable[Event]) -> Iterator[str]:
    """Yield the players that the events bring into the competition; one may come several times."""
    for event in events:
        yield from event.joining()


# ---- Its games -----------------------------------------------------------------------------------


def _checked_games(file: File, checked: Sequence[Step]) -> Iterator[bool]:
    """Check each game that the log opened, and yield whether it is still running."""
    state = checked[-1].after
    tables = {
        game: table
        for step in checked
        if isinstance(step.event, OpensGames)
        for table, game in step.event.opened_games()
    }
    ended = {step.event.game: step.event for step in checked if isinstance(step.event, ResultRecorded)}
    if {*tables} != {*file.games}:
        raise WrongFile("the file must hold the games of its log and no others")
    for game, lines in file.games.items():
        try:
            report = games.check(lines)
        except WrongLog as wrong:
            raise WrongFile(f"game {game}: {wrong}") from None
        if not _is_of_table(report.opening, state, tables[game]):
            place = _place(state, tables[game])
            raise WrongFile(f"game {game}: rules, options, clock or players are not those of {place}")
        if game in ended and ended[game].status != "active" and not _is_end_of(report, ended[game]):
            raise WrongFile(f"game {game}: it did not end as the competition's log says")
        yield not report.replayed


def _place(state: Competition, table: str) -> str:
    """Return where a table is, as the log draws it."""
    for stage, each, found in state.tables():
        if found.id == table:
            number = each.tables.index(found) + 1
            return f"table {number} of round {each.number} in the log, stage {stage.number}"
    return "its table in the log"


def _is_of_table(opening: Opening, state: Competition, table: str) -> bool:
    """Return whether a game has the rules, options, clock and players of its table."""
    announced = state.opening
    players = tuple(seat.player for seat in state.any_table(table).seats)
    if (opening.ruleset, opening.seats, opening.clock) != (announced.ruleset, players, announced.clock):
        return False
    try:
        ruleset = rules.find(announced.ruleset)
        options = ruleset.write_options(ruleset.read_options(announced.options, len(players)))
    except (KeyError, Malformed):
        return False
    return bool(options == opening.options)


def _is_end_of(report: games.Report, recorded: ResultRecorded) -> bool:
    seats = report.result["seats"] if report.result else []
    placings = [{"seat": each.seat, "rank": each.rank, "score": each.score} for each in recorded.seats]
    return (report.head, report.status, seats) == (recorded.head, recorded.status, placings)


# ---- In words ------------------------------------------------------------------------------------


def in_words(report: Report) -> Iterator[str]:
    """Yield the report as lines of text: the checks, the standings, the verdict."""
    yield from _sentences(report)
    yield from standings(report.state)
    yield from ("", VERDICTS[report.code])


def _sentences(report: Report) -> Iterator[str]:
    state = report.state
    yield (
        f"{state.opening.name}: {state.opening.ruleset}, {state.status}, {state.seq} events, "
        f"head {report.head}, {report.games} games"
    )
    if report.running:
        yield f"{report.running} of the games are not over: only their chains could be checked"
    repeated = len(report.events_with("given"))
    yield f"groups, draws, lots and opened tables repeated from seed and format: {repeated}"
    yield f"secret values used: {state.next_k}, each only once and committed to before"
    for seq, reason in report.recommitted:
        yield f"event {seq}: from here on the server is committed to another secret: {reason}"
    yield from differences(report)


def differences(report: Report) -> Iterator[str]:
    """Yield a sentence for each event that is not what the log and its seed give."""
    for seq, event, found in report.verdicts:
        if found == "different":
            yield f"event {seq}: {DIFFERENT[type(event)]}"


def standings(state: Competition) -> Iterator[str]:
    """Yield the standings of every stage that has begun as lines of text, each group best first."""
    names = {entry.id: entry.name for entry in state.entries}
    for stage in state.stages:
        shown = 0
        for row in ranking.standings(state, stage.number):
            if row.group != shown:
                shown = row.group
                group = f", group {row.group}" if len(stage.groups) > 1 else ""
                yield f"\n{stage.plan.name}{group}"
            yield f"{row.rank:>4}. {names[row.entry]}  {row.points}  {row.explanation}"
