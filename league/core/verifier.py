"""The checks of ``python -m league.verify FILE``, which need nothing but Python.

In a competition's file (docs/log.md) everything is checked: the log's chain, that each event could happen at
that point and be written in its role, groups and draws against the seed, every game as `games.verifier` does,
that each game belongs to its table, and that each recorded result is the game's.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from games import rules
from games import verifier as games
from games.engine.messages import Message, text
from games.engine.refusals import Illegal, Malformed
from games.engine.replay import Opening
from games.engine.values import replace
from games.lines import WrongLog, check_frame, checked_chain, is_id, parsed
from games.verifier import GOOD, UNFINISHED, WRONG
from league.core import commitment
from league.core.club_desks import club_may_not
from league.core.entering import with_names
from league.core.events import Event, OpensGames, apply, fold, read, without_account, write
from league.core.open_tables import TableOpened, WaitingSeated, table_opened
from league.core.portable import File, WrongFile
from league.core.standings import ranking
from league.core.state.competition import Competition, Pending
from league.core.state.cut_offs import Reveal
from league.core.verbs import ORGANISER_VERBS
from league.core.verbs.answers import untimely
from league.core.verbs.checking import ResultChecked
from league.core.verbs.cut_off import CutOffMade, LotsDrawn, Recommitted, draw_lots, seed_of
from league.core.verbs.draw import Drawn, draw_round
from league.core.verbs.objections import Objected, open_at
from league.core.verbs.results import ResultRecorded
from league.core.verbs.stages import StageStarted, next_stage

# ---- Draws, repeated -----------------------------------------------------------------------------

Verdict: TypeAlias = Literal["given", "different"]
"""Log and seed give the same (``given``), or do not."""

DIFFERENT: Final[Mapping[type[Event], Message]] = {
    StageStarted: text("The stage's groups are not those that the log and its seed give."),
    LotsDrawn: text("The lots are not those that the seed gives."),
    Drawn: text("The draw is not the one that the log and its seed give."),
    TableOpened: text("The format does not allow this table."),
    WaitingSeated: text("The format does not allow this table."),
}


def verified(events: Iterable[Event]) -> Competition:
    """Return the state after all events; every draw, opened table and division into groups is repeated.

    Raises `Illegal` where an event cannot happen, or is not what seed and format give. Draws are repeated as
    this release makes them.
    """
    log = list(events)
    state = fold(log[:1])
    for event in log[1:]:
        if verdict(state, event) == "different":
            raise Illegal(DIFFERENT[type(event)])
        state = apply(state, event)
    return state


def verdict(state: Competition, event: Event) -> Verdict | None:
    """Return the verdict on an event, None for one that depends on neither seed nor format."""
    match event:
        case StageStarted():
            return _compared(event, lambda: _started(state, event))
        case LotsDrawn():
            return _compared(event, lambda: draw_lots(*_pending(state, event.reveal)))
        case Drawn():
            return _compared(event, lambda: draw_round(*_pending(state, event.reveal)))
        case TableOpened():
            return _compared(event, lambda: _opened(state, event))
        case _:
            return None


def _compared(event: Event, make: Callable[[], Event]) -> Verdict:
    try:
        return "given" if make() == event else "different"
    except Illegal:
        return "different"


def _pending(state: Competition, reveal: Reveal) -> tuple[Pending, bytes, Reveal]:
    """Return the cut-off of a draw, its seed, and what was revealed; raise `Illegal` without a cut-off."""
    if state.pending is None:
        raise Illegal("Each draw needs a cut-off of its own.")
    return state.pending, seed_of(state.pending.cut_off, reveal), reveal


def _started(state: Competition, event: StageStarted) -> StageStarted:
    if event.reveal is None:
        return next_stage(state)
    pending, seed, reveal = _pending(state, event.reveal)
    return next_stage(pending.frozen, seed, reveal)


def _opened(state: Competition, event: TableOpened) -> TableOpened:
    entries = tuple(dict.fromkeys(entry for entry, _ in event.seats))
    opened = table_opened(state, table=event.table, entries=entries, games=event.games)
    return replace(event, **vars(opened))


# ---- Files ---------------------------------------------------------------------------------------

ENTRY_FIELDS: Final = {"seq", "role", "account", "event", "at", "hash"}
ROLES: Final = ("organiser", "scorekeeper", "player", "club", "kiosk", "clock", "system")
VERDICTS: Final = {
    GOOD: "verified",
    WRONG: "not verified: see above",
    UNFINISHED: "correct so far, but the competition or one of its games is not over",
}

UNCHECKED: Final = (
    "unchecked, since no file says it: whose accounts these are, and who was an organiser or scorekeeper"
)
UNCHECKED_OF_OLD: Final = (
    f"{UNCHECKED}; nor the server's own entries, which the edition of this log has as an organiser's"
)


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

    Each entry must be linked to the one before and be in canonical form, and its event must be possible, and
    of those that its role may write.
    """
    listed = list(entries)
    checked_chain(listed, _check_entry)
    state: Competition | None = None
    writers = {entry["seq"]: entry["account"] for entry in listed}
    for _, at_once in groupby(listed, key=_AT_ONCE):
        together = [(entry, _event(entry)) for entry in at_once]
        kinds = {event.type for _, event in together}
        for entry, event in together:
            _check_beacon(entry, event)
            _check_review(entry, event, state, writers)
            before, state = state, _after(state, event, entry["seq"])
            if wrong := _not_by(entry, event, kinds, before, state):
                raise WrongLog(entry["seq"], wrong)
            yield Step(before, event, state)


_AT_ONCE: Final = itemgetter("role", "account", "at")
"""Entries that were written together have this in common."""
_LIMITED: Final = {
    verb.event: verb for verb in ORGANISER_VERBS.values() if verb.audience == "scorekeepers_undecided"
}
"""The verbs that scorekeepers use while a table is undecided, by their events."""


def _not_by(
    entry: Mapping[str, Any],
    event: Event,
    kinds: Collection[str],
    before: Competition | None,
    state: Competition,
) -> str:
    """Return why an event can't be written in the role and by the account of its entry; empty where it can.

    Who had the role, and whose account it is, is in no file.
    """
    role, account, earlier = entry["role"], entry["account"], state.opening.roles == 1
    if not (earlier and role == "organiser"):
        if role not in event.said_by or event.said_with.get(role, event.type) not in kinds:
            return "its role may not write such an event"
        if account is None and not earlier and not without_account(role, event, kinds):
            return "it names no account"
    if role == "kiosk" and account is not None:
        return "at a kiosk nobody has an account"
    if role == "system" and account is not None and ResultRecorded.type not in kinds:
        return "the server names an account for the result of a card alone"
    if role == "club" and before and (refused := club_may_not(before, event)):
        return refused
    verb = _LIMITED.get(type(event)) if role == "scorekeeper" else None
    if verb and before and verb.needs_organiser(before, vars(event)["table"]):
        return "The table is decided: only an organiser can change that."
    return ""


def _check_beacon(entry: Mapping[str, Any], event: Event) -> None:
    """Raise `WrongLog` where the round of the beacon for which a draw waits is too early or too late."""
    if isinstance(event, CutOffMade) and event.beacon:
        at = datetime.fromisoformat(entry["at"])
        latest = commitment.latest_round(at + commitment.FARTHEST)
        if event.beacon > latest or commitment.round_time(event.beacon) < at + commitment.LEAD:
            sentence = "the beacon’s round is less than 30 seconds, or more than a day after the cut-off"
            raise WrongLog(entry["seq"], sentence)


def _check_review(
    entry: Mapping[str, Any], event: Event, state: Competition | None, writers: Mapping[int, str | None]
) -> None:
    """Raise `WrongLog` for an objection or an answer out of time, and for a check of an own result."""
    if isinstance(event, Objected) and state and not open_at(state, datetime.fromisoformat(entry["at"])):
        raise WrongLog(entry["seq"], "the time for objections was over")
    if state and (late := untimely(event, entry["role"], state, datetime.fromisoformat(entry["at"]))):
        raise WrongLog(entry["seq"], late)
    if isinstance(event, ResultChecked) and writers.get(event.result) == entry["account"]:
        raise WrongLog(entry["seq"], "the account that entered the result can't check it")


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
        return event.begin() if state is None else apply(state, event)
    except Illegal as refusal:
        raise WrongLog(seq, refusal.sentence) from None


# ---- The file ------------------------------------------------------------------------------------


def check(file: File) -> Report:
    """Return the report on a competition's file; raise `WrongFile` where it is wrong."""
    if not is_id(file.header.competition):
        raise WrongFile("line 1: the competition has no id as logs write it")
    try:
        entries = [parsed(number, line) for number, line in enumerate(file.log, 1)]
        checked = list(steps(entries))
    except WrongLog as wrong:
        raise WrongFile(f"the competition's log: {wrong}") from None
    if {*file.players} != {*players_of(step.event for step in checked)}:
        raise WrongFile("the file must name the players of its log and no others")
    running = sum(_checked_games(file, checked, [entry["account"] for entry in entries]))
    return Report(
        with_names(checked[-1].after, file.players),
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


def _checked_games(file: File, checked: Sequence[Step], accounts: Sequence[str | None]) -> Iterator[bool]:
    """Check each game that the log opened, and yield whether it is still running."""
    state = checked[-1].after
    opened = {
        game: (table, account, step.after.any_table(table).players_of(game))
        for step, account in zip(checked, accounts, strict=True)
        if isinstance(step.event, OpensGames)
        for table, game in step.event.opened_games()
    }
    ended = {step.event.game: step.event for step in checked if isinstance(step.event, ResultRecorded)}
    if {*opened} != {*file.games}:
        raise WrongFile("the file must hold the games of its log and no others")
    for game, lines in file.games.items():
        try:
            report = games.check(lines)
        except WrongLog as wrong:
            raise WrongFile(f"game {game}: {wrong}") from None
        table, account, players = opened[game]
        if report.account != account:
            raise WrongFile(f"game {game}: the competition's log says that another account opened it")
        if not _is_of_table(report.opening, state, players):
            place = _place(state, table)
            raise WrongFile(f"game {game}: rules, options, clock or players are not those of {place}")
        if game in ended and ended[game].status != "active" and not _is_end_of(report, ended[game], state):
            raise WrongFile(f"game {game}: it did not end as the competition's log says")
        yield not report.replayed


def _place(state: Competition, table: str) -> str:
    """Return where a table is, as the log draws it."""
    for stage, each, found in state.tables():
        if found.id == table:
            number = each.number_of(found)
            return f"table {number} of round {each.number} in the log, stage {stage.number}"
    return "its table in the log"


def _is_of_table(opening: Opening, state: Competition, players: tuple[str, ...]) -> bool:
    """Return whether a game has the rules, options, clock and players of its table, in its seats' order."""
    announced = state.opening
    if (opening.ruleset, opening.seats, opening.clock) != (announced.ruleset, players, announced.clock):
        return False
    try:
        ruleset = rules.of(announced.ruleset, announced.options)
        # Games opened before an option was there have none of it: both are read as they are played now.
        wanted, given = (
            ruleset.write_options(ruleset.read_options(each, len(players)))
            for each in (announced.options, opening.options)
        )
    except (KeyError, Malformed):
        return False
    return bool(wanted == given)


def _is_end_of(report: games.Report, recorded: ResultRecorded, state: Competition) -> bool:
    seats = report.result["seats"] if report.result else []
    turn = state.any_table(recorded.table).turn(recorded.game)
    in_game = sorted((each.seat ^ turn, each) for each in recorded.seats)
    placings = [{"seat": seat, "rank": each.rank, "score": each.score} for seat, each in in_game]
    left = {seat: each.left for seat, each in in_game if each.left}
    unsaid = state.opening.roles < 3 and not left
    same = (report.head, report.status, seats) == (recorded.head, recorded.status, placings)
    return same and (unsaid or left == report.left)


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
    yield UNCHECKED if state.opening.roles > 1 else UNCHECKED_OF_OLD
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
