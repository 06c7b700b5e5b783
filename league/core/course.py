"""The course of a competition: what it waits for now, which round is next, and until when it is played."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import chain, count, pairwise
from typing import Final, Literal, TypeAlias
from zoneinfo import ZoneInfo

from games.engine.chain import stamp
from games.engine.messages import Message, text
from games.engine.refusals import Malformed
from league.core import formats
from league.core.drawing.draw import stage_sizes
from league.core.intake import due_play_offs, present
from league.core.state.competition import Competition, Entry, Point, Round, Stage, Table
from league.core.state.plan import StagePlan
from league.core.state.values import LAST_YEAR

Step: TypeAlias = Literal[
    "start", "start_stage", "draw", "publish", "play", "rule", "close_round", "finish", "none"
]

_OF_PERSONS: Final = ("start", "play", "rule", "none")
"""What the server cannot do."""


def next_step(state: Competition, *, overdue: bool = False) -> Step:
    """Return what the competition waits for; ``overdue`` says that the open round's deadline has passed.

    ``play`` waits for results; in open play it lasts until an organiser closes the round or its deadline has
    passed. ``rule`` waits for an organiser, because the game of every undecided table was abandoned. After
    the last round both wait for tables that were put off. ``none`` means paused or over. The other steps are
    verbs, which the automatic pace carries out (`wait`).
    """
    if not state.started:
        return "none" if state.over else "start"
    if state.status != "running":
        return "none"
    stage = state.stage
    if stage is None:
        return "start_stage"
    if stage.open_round is None:
        return _between_rounds(state, stage)
    return _in_round(stage.open_round, overdue)


def _between_rounds(state: Competition, stage: Stage) -> Step:
    if len(stage.rounds) < formats.of(stage.plan).rounds(state, stage) or due_play_offs(state):
        return "draw"
    if stage.to_come():
        return _waits_for([table for each in stage.rounds for table in each.tables if table.to_come])
    return "start_stage" if len(state.stages) < len(state.plans) else "finish"


def _in_round(open_round: Round, overdue: bool) -> Step:
    if open_round.status == "drawn":
        return "publish"
    if open_round.open and not overdue:
        return "play"
    return _waits_for(open_round.undecided) if open_round.undecided else "close_round"


def _waits_for(tables: Sequence[Table]) -> Step:
    """Return whether undecided tables wait for results, or all of them for an organiser."""
    return "rule" if all(table.status == "abandoned" for table in tables) else "play"


def wait(state: Competition, step: Step) -> int | None:
    """Return how many minutes after the last event, but those `BESIDE`, the automatic pace takes a step.

    None: it never does.
    """
    if state.opening.pace != "automatic" or step in _OF_PERSONS or state.awaited_beacon:
        return None
    if step == "draw" and too_few_present(state):
        return None
    waits = state.opening.waits
    return {"close_round": waits.close_round, "finish": waits.finish}.get(step, 0)


def drawn_next(state: Competition, step: Step) -> frozenset[str]:
    """Return the entries that a step would draw or publish, or of which the next stage takes some."""
    stage = state.stage
    if step == "start_stage":
        return present(state, len(state.stages) + 1)
    if step == "publish" and stage and stage.drawn_round:
        drawn = stage.drawn_round
        return frozenset(chain(drawn.byes, *(table.entries for table in drawn.tables)))
    if step != "draw" or stage is None or formats.of(stage.plan).open_tables:
        return frozenset()
    return frozenset(chain(*formats.of(stage.plan).playing(state, stage, state.next_round)))


BESIDE: Final = ("checking_set", "result_checked", "results_posted", "objected", "objection_decided")
"""Types of events after which the automatic pace waits no longer than without them."""


def has_next_round(state: Competition) -> bool:
    """Return whether the current stage, or the first, has another round, or one that can still be joined."""
    last = last_round(state)
    return last is None or state.next_change <= last


def last_round(state: Competition) -> int | None:
    """Return the number of the current stage's last round, not of a play-off; None before the first stage."""
    return formats.of(state.stage.plan).rounds(state, state.stage) if state.stage else None


def round_to_come(state: Competition) -> bool:
    """Return whether a round of the current stage, or of the first, is to be published, play-offs too."""
    if has_next_round(state) or state.drawn_round:
        return True
    return state.current_round is None and bool(due_play_offs(state))


def more_to_come(state: Competition) -> bool:
    """Return whether a round is to be published before the end, of this stage or of one after it."""
    return not state.over and (round_to_come(state) or len(state.stages) < len(state.plans))


def fewest_at_a_round(state: Competition, plan: StagePlan) -> int:
    """Return how many entries a round of a stage needs at least; 0 where tables are opened one by one."""
    return 0 if formats.of(plan).open_tables else min(stage_sizes(state.opening, plan))


def too_few_present(state: Competition) -> bool:
    """Return whether no group of the current stage can play the next round.

    Its entries fill no table, or all from which the round would be drawn are absent. Who is left alone in a
    cup goes on with a bye.
    """
    stage = state.stage
    if stage is None:
        return False
    format_, number = formats.of(stage.plan), state.next_round
    fewest = 1 if _only_byes_left(state, stage) else fewest_at_a_round(state, stage.plan)
    if all(len(group) < fewest for group in state.field(stage, number)):
        return True
    if any(format_.playing(state, stage, number)):
        return False
    return not (format_.due_play_offs(state, stage) or due_play_offs(state))


def _only_byes_left(state: Competition, stage: Stage) -> bool:
    """Return whether nobody who can still win a cup is missing: then the others have withdrawn."""
    at, left = (stage.number, state.next_round), formats.of(stage.plan).still_in(state, stage)
    return left is not None and not any(state.misses(state.entry(entry), at) for entry in left)


def absent_entries(state: Competition) -> frozenset[str]:
    """Return the ids of the entries that will miss the next round, or an open-ended one that is played."""
    if not round_to_come(state):
        return frozenset()
    point = state.round_point(state.next_change)
    return frozenset(entry.id for entry in state.entries if state.misses(entry, point))


def missed_last(state: Competition) -> tuple[str, ...]:
    """Return the names of the no-shows of the last round from which the next one would be drawn."""
    stage = state.stage
    if stage is None or not stage.shown_rounds:
        return ()
    outcomes = chain.from_iterable(table.outcomes for table in stage.shown_rounds[-1].tables)
    missing = {entry for entry, outcome in outcomes if outcome == "no_show"}
    playing = chain.from_iterable(formats.of(stage.plan).playing(state, stage, state.next_round))
    drawn = missing.intersection(playing)
    return tuple(entry.name for entry in state.entries if entry.id in drawn)


def left_at_tables(state: Competition) -> Iterator[tuple[Round, Table, Entry]]:
    """Yield who has withdrawn and sits at a table that is still to be decided, with its round."""
    for its_round in state.stage.rounds if state.stage else ():
        for table in its_round.tables:
            if table.decided or not (its_round.status == "published" or table.to_come):
                continue
            entries = (state.entry(each) for each in table.entries if each not in table.outcome_of)
            yield from ((its_round, table, entry) for entry in entries if entry.status == "withdrawn")


def proposal(state: Competition) -> tuple[Stage, Round] | None:
    """Return the round that is drawn and not published yet, with its stage."""
    stage = state.stage
    return (stage, stage.drawn_round) if stage and stage.drawn_round else None


def coming_absences(state: Competition, entry: Entry) -> tuple[int, ...]:
    """Return the unpublished rounds of the current stage, or of the first, that an entry will miss.

    Of those before its check-in only the next one is certain.
    """
    stage, first = state.round_point(state.next_change)
    announced = {number for at, number in entry.absences if at == stage and number >= first}
    return tuple(sorted(announced | {first} if entry.id in absent_entries(state) else announced))


# ---- Deadlines -----------------------------------------------------------------------------------


def read_deadline(deadline: str | None, now: datetime) -> str | None:
    """Return a deadline as the log writes it.

    Raises `Malformed` for a time that has passed, that is after `LAST_YEAR`, or that is no time.
    """
    if not deadline:
        return None
    try:
        until = datetime.fromisoformat(deadline).astimezone(UTC)
    except (ValueError, OverflowError):
        raise Malformed({"deadline": [text("There is no such time.")]}) from None
    if until <= now:
        raise Malformed({"deadline": [text("This time has passed.")]})
    if until.year > LAST_YEAR:
        raise Malformed({"deadline": [text("This time is after the year %(year)s.", year=LAST_YEAR)]})
    return stamp(until)


def instants(wall: datetime, zone: tzinfo) -> tuple[datetime, ...]:
    """Return when clocks in a zone show this time: once, twice where they go back, never where forward."""
    read_deadline = {wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)}
    return tuple(sorted(at for at in read_deadline if at.astimezone(zone).replace(tzinfo=None) == wall))


def unclear(wall: datetime, zone: tzinfo) -> Message | None:
    """Return what to ask about a time that clocks in a zone don't show exactly once, with the nearest two."""
    shown = len(instants(wall, zone))
    if shown == 1:
        return None
    before, after = (_nearest(wall, timedelta(minutes=sign), zone) for sign in (-1, 1))
    if shown:
        return text(
            "Clocks show this time twice on this day: they go back. Choose %(before)s or %(after)s.",
            before=before,
            after=after,
        )
    return text(
        "There is no such time on this day: the clocks go forward. Choose %(before)s or %(after)s.",
        before=before,
        after=after,
    )


def _nearest(wall: datetime, step: timedelta, zone: tzinfo) -> str:
    """Return the next time, in full minutes, that clocks show once; with its date where that is another."""
    start = wall.replace(second=0, microsecond=0)
    found = next(at for n in count(1) if len(instants(at := start + n * step, zone)) == 1)
    return f"{found:%H:%M}" if found.date() == wall.date() else f"{found:%Y-%m-%d %H:%M}"


def planned_deadline(plan: StagePlan, now: datetime, zone: str) -> str | None:
    """Return the deadline of a round that is published now, None if the plan has none.

    Whole days lead to the same time of day in the zone, other hours are counted; then it is the next full
    hour there. The log keeps the instant, so that later rules of the zone change nothing.
    """
    return stamp(hours_from(plan.hours, now, zone)) if plan.hours else None


def hours_from(count: int, now: datetime, zone: str) -> datetime:
    """Return the time so many hours from now, as `planned_deadline` counts them."""
    days, hours = divmod(count, 24)
    here = now.astimezone(ZoneInfo(zone))
    same_time = (here + timedelta(days=days)).astimezone(UTC) + timedelta(hours=hours)
    until = same_time.astimezone(here.tzinfo).replace(microsecond=0)
    beyond = timedelta(minutes=until.minute, seconds=until.second)
    return until.astimezone(UTC) + (timedelta(hours=1) - beyond if beyond else timedelta())


def deadline_passed(its_round: Round | None, now: datetime) -> bool:
    """Return whether a round has a deadline that has passed."""
    if its_round is None or its_round.deadline is None:
        return False
    return datetime.fromisoformat(its_round.deadline) <= now


# ---- The timetable of an evening -----------------------------------------------------------------

_ONE_EVENING: Final = timedelta(hours=12)
_ABOUT: Final = timedelta(minutes=5)


@dataclass(frozen=True)
class Timing:
    """How long an organiser says that the rounds of an evening last, and the break; 0 for not said.

    ``begins`` is when the first one shall begin. The break comes ``after`` so many rounds of the evening.
    """

    minutes: int
    begins: datetime | None = None
    after: int = 0
    pause: int = 0


@dataclass(frozen=True)
class TimedRound:
    """When a round began, or will about begin."""

    stage: int
    number: int
    at: datetime
    begun: bool = False


@dataclass(frozen=True)
class Timetable:
    """When the rounds of an evening begin, with the break after one of them, and when it ends.

    What is to come is known to five minutes. ``ends`` is None where later rounds are not known yet.
    """

    rounds: tuple[TimedRound, ...]
    ends: datetime | None
    pause: int = 0
    pause_after: Point | None = None

    @property
    def pause_round(self) -> int:
        """Return the number of the round before the break, 0 without one."""
        return self.pause_after[1] if self.pause_after else 0

    @property
    def to_come(self) -> tuple[TimedRound, ...]:
        return tuple(each for each in self.rounds if not each.begun)


def timetable(
    state: Competition,
    timing: Timing,
    now: datetime,
    *,
    begun: Mapping[Point, datetime],
    closed: Mapping[Point, datetime],
    until: datetime | None = None,
) -> Timetable | None:
    """Return the timetable of an evening; None where nobody said how long a round lasts, or all are over.

    ``begun`` and ``closed`` are the times of rounds that were published and closed, ``until`` when the round
    that is played ends. Once a round of the evening is over, the next ones last as long as those so far did
    on average, of which none counts as more than twice what was said.
    """
    rounds, whole = _known_rounds(state)
    done = [point for point in rounds if point in begun]
    start = begun[done[-1]] if done else timing.begins
    if not timing.minutes or not rounds or state.over or start is None or now - start > _ONE_EVENING:
        return None
    if whole and done[-1:] == rounds[-1:] and done[-1] in closed:
        return None
    pause = {timing.after: timedelta(minutes=timing.pause)} if timing.after < len(rounds) else {}
    length = _length(timing, [begun[point] for point in done], pause)
    if not done:
        at = max(start, now)
    elif done[-1] in closed:
        at = max(closed[done[-1]] + pause.get(len(done), timedelta()), now)
    else:
        at = max(until or start + length, now) + pause.get(len(done), timedelta())
    timed = [TimedRound(*point, begun[point], begun=True) for point in done]
    for number, point in enumerate(rounds[len(done) :], len(done) + 1):
        timed.append(TimedRound(*point, _about(at)))
        at += length + pause.get(number, timedelta())
    ends = _about(at) if whole else None
    after = rounds[timing.after - 1] if pause and timing.after > 0 and timing.pause else None
    return Timetable(tuple(timed), ends, timing.pause if after else 0, after)


def _known_rounds(state: Competition) -> tuple[list[Point], bool]:
    """Return the rounds of all stages that are known now, in order, and whether these are all."""
    known: list[Point] = []
    for number, plan in enumerate(state.plans, 1):
        format_ = formats.of(plan)
        begun = number <= len(state.stages)
        if format_.open_tables or not (begun or format_.rounds_asked):
            return known, False
        last = format_.rounds(state, state.stages[number - 1]) if begun else plan.rounds
        known += [(number, each) for each in range(1, last + 1)]
    return known, True


def _length(timing: Timing, begun: Sequence[datetime], pause: Mapping[int, timedelta]) -> timedelta:
    said = timedelta(minutes=timing.minutes)
    took = [
        min(later - earlier - pause.get(number, timedelta()), 2 * said)
        for number, (earlier, later) in enumerate(pairwise(begun), 1)
        if later - earlier <= _ONE_EVENING
    ]
    return max(sum(took, timedelta()) / len(took), _ABOUT) if took else said


def _about(at: datetime) -> datetime:
    """Return the nearest full five minutes."""
    beyond = timedelta(minutes=at.minute % 5, seconds=at.second, microseconds=at.microsecond)
    return at - beyond + (_ABOUT if 2 * beyond >= _ABOUT else timedelta())
