"""The verbs of a competition: each turns a wish into the events that fulfil it, or refuses.

Every command takes the state and returns events to append, in order; it raises `Illegal` where `fold.apply`
would refuse one of them. A wish that is a single event needs no command of its own: `perform` checks it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal
from uuid import UUID, uuid5

from games import rules
from games.engine.chance import Chance
from games.engine.jsontypes import Json
from games.engine.refusals import Illegal, Malformed
from league import formats
from league.competition import events as e
from league.competition import fold, intake, values
from league.competition.plans import check_plan, check_plans, fitting
from league.competition.seating import seated, seats_of
from league.competition.state import Competition, Round, Stage
from league.formats import Draw, DrawnTable

Events = tuple[e.Event, ...]


def open_competition(
    *,
    name: str,
    ruleset: str,
    options: Mapping[str, Json],
    stages: Sequence[e.StagePlan],
    seed: str,
    clock: Mapping[str, Json],
    pace: values.Pace = "manual",
    lineup: values.Lineup = "single",
    team_size: int = 1,
    entering: e.Entering | None = None,
    overdue: values.Overdue = "organiser",
) -> Events:
    """Return the opening of a competition; raise `Malformed` where options, stages or formats do not fit.

    ``seed`` is 64 hex digits, drawn by the caller. The opening records the newest version of the ruleset with
    every option, and the numbers of seats for which the ruleset takes these options.
    """
    try:
        game = rules.find(ruleset)
    except KeyError:
        raise Malformed({"ruleset": ["There is no such game here."]}) from None
    seats, filled = fitting(game, options)
    opened = e.Opened(
        name=name,
        ruleset=game.name,
        options=filled,
        seats=seats,
        low_wins=game.low_wins,
        stages=tuple(stages),
        seed=seed,
        clock=clock,
        pace=pace,
        lineup=lineup,
        team_size=team_size,
        entering=entering or e.Entering(),
        overdue=overdue,
    )
    e.read(e.write(opened))
    fold.begin(opened)
    check_plans(opened)
    return (opened,)


def perform(state: Competition, *events: e.Event) -> Events:
    """Return the events as they are; raise `Illegal` unless they can happen now, one after another."""
    for event in events:
        state = fold.apply(state, event)
    return events


def tell(state: Competition, event: e.Event) -> Events:
    """Return the event, or nothing where it would change nothing; raise `Illegal` as `perform` does."""
    after = fold.apply(state, event)
    return () if replace(after, seq=state.seq) == state else (event,)


# ---- Entries -------------------------------------------------------------------------------------


def enter(
    state: Competition,
    *,
    entry: str,
    name: str,
    players: Sequence[str],
    affiliation: str = "",
    from_round: int | None = None,
) -> Events:
    """Enter a player or team: into the field, or the waiting list when all places are taken.

    After the start it is a late entry, from ``from_round`` on (by default the next round to be published), or
    for the next stage where this one is over.
    """
    number, between = _late(state, from_round)
    waiting = not state.started and _full(state)
    return perform(state, e.Entered(entry, name, tuple(players), affiliation, waiting, number, between))


def _late(state: Competition, from_round: int | None) -> tuple[int, bool]:
    """Return from which round a new entry plays, and whether that is one of the next stage."""
    if state.stage is not None and next_step(state) in ("start_stage", "finish"):
        return 1, True
    _refuse_late(state)
    return from_round or next_round(state), False


def _refuse_late(state: Competition) -> None:
    if state.stage and not formats.find(state.stage.plan.format).late_entries:
        raise Illegal("Nobody can enter once a stage of this format has begun.")


def _full(state: Competition) -> bool:
    places = state.opening.entering.places
    return bool(places) and sum(entry.status == "entered" for entry in state.entries) >= places


def next_round(state: Competition) -> int:
    """Return the number of the first round of the current stage that is not published."""
    return len(state.stage.shown_rounds) + 1 if state.stage else 1


def away(state: Competition) -> frozenset[str]:
    """Return the ids of the entries that will miss the next round."""
    coming = (max(1, len(state.stages)), next_round(state))
    return frozenset(entry.id for entry in state.entries if coming in entry.absences)


def apply_for(
    state: Competition, *, entry: str, name: str, players: Sequence[str], affiliation: str = ""
) -> Events:
    """Enter oneself while entries are open: at once, or for an organiser to approve.

    Nothing where just these players hold or ask for a place already.
    """
    held = state.entry_with(players[0])
    if held and held.live and held.players == tuple(players):
        return ()
    if state.status != "entering":
        raise Illegal("Entries are not open.")
    if state.opening.entering.approval:
        return perform(state, e.Applied(entry, name, tuple(players), affiliation))
    return enter(state, entry=entry, name=name, players=players, affiliation=affiliation)


def approve(state: Competition, *, entry: str) -> Events:
    """Approve an applicant: into the field, or the waiting list when all places are taken.

    Nothing for one who has been approved, as where an organiser clicks twice.
    """
    if state.entry(entry).status in ("entered", "waiting"):
        return ()
    return perform(state, e.Approved(entry, _full(state)))


def reject(state: Competition, *, entry: str, reason: str = "") -> Events:
    """Turn an applicant away; nothing for one who has been."""
    if state.entry(entry).status == "rejected":
        return ()
    return perform(state, e.Rejected(entry, reason))


def admit(state: Competition, *, entry: str, from_round: int | None = None) -> Events:
    """Let an entry of the waiting list take a place that is free; nothing for one who has a place.

    After the start it is a late entry, as `enter` makes one.
    """
    if state.entry(entry).status == "entered":
        return ()
    number, between = _late(state, from_round)
    return perform(state, e.Admitted(entry, number, between))


def check_in(state: Competition, *, entry: str) -> Events:
    """Note that an entry is there; nothing where that is known."""
    if state.entry(entry).checked_in:
        return ()
    return perform(state, e.CheckedIn(entry))


def miss(state: Competition, *, entry: str, number: int | None = None, reason: str = "") -> Events:
    """Keep an entry out of a round to come, the next one by default; nothing where that is known."""
    round_ = number or next_round(state)
    if (max(1, len(state.stages)), round_) in state.entry(entry).absences:
        return ()
    return perform(state, e.Absent(entry, round_, reason))


def attend(state: Competition, *, entry: str, number: int | None = None) -> Events:
    """Take an absence back, that of the next round by default; nothing where there is none."""
    round_ = number or next_round(state)
    if (max(1, len(state.stages)), round_) not in state.entry(entry).absences:
        return ()
    return perform(state, e.Present(entry, round_))


def withdraw(state: Competition, *, entry: str, reason: str = "", from_round: int | None = None) -> Events:
    """Withdraw an entry, from the next round on by default; nothing for one that has withdrawn.

    Before the start its place goes to the first that waits.
    """
    if state.entry(entry).status == "withdrawn":
        return ()
    left = e.Withdrawn(entry, from_round or next_round(state), reason)
    waiting = next((each.id for each in state.entries if each.status == "waiting" and each.id != entry), None)
    if state.started or waiting is None or state.entry(entry).status != "entered":
        return perform(state, left)
    return perform(state, left, e.Admitted(waiting))


def take_back(state: Competition, *, entry: str, from_round: int | None = None) -> Events:
    """Let a withdrawn entry play again, from the next round on by default."""
    return perform(state, e.Returned(entry, from_round or next_round(state)))


def substitute(
    state: Competition, *, entry: str, out: str, into: str, reason: str = "", from_round: int | None = None
) -> Events:
    """Let another player play for an entry, from the next round on by default."""
    return perform(state, e.Substituted(entry, out, into, from_round or next_round(state), reason))


# ---- Stages and rounds ---------------------------------------------------------------------------


def start(state: Competition) -> Events:
    """Start the competition and its first stage; who had to check in and has not misses its first round."""
    missing = tuple(
        e.Absent(entry.id, 1, "not checked in")
        for entry in state.entries
        if state.opening.entering.check_in and entry.status == "entered" and not entry.checked_in
    )
    started = perform(state, *missing, e.Started())
    after = state
    for event in started:
        after = fold.apply(after, event)
    return (*started, *start_stage(after))


def start_stage(state: Competition) -> Events:
    """Begin the next stage with those who play in it."""
    number = len(state.stages) + 1
    if number > len(state.plans):
        raise Illegal("There is no further stage.")
    groups, carried = intake.taken_in(state, number)
    return perform(state, e.StageStarted(number, groups, carried))


def add_stage(state: Competition, *, plan: e.StagePlan) -> Events:
    """Announce one more stage, such as a league's next season; raise `Malformed` where it does not fit."""
    check_plan(state.opening, plan, state.plans[-1])
    return perform(state, e.StageAdded(plan))


def add_season(
    state: Competition, *, name: str, promoted: int = 1, relegated: int = 1, carry: str = "0"
) -> Events:
    """Announce the last stage once more as a league's next season, some going up and down a division."""
    climb = e.Intake("promotion", promoted=promoted, relegated=relegated, carry=carry)
    return add_stage(state, plan=replace(state.plans[-1], name=name, intake=climb))


def draw(state: Competition) -> Events:
    """Propose the next round, or propose a drawn one anew; the same log gives the same draw."""
    stage = _playing(state)
    format_ = formats.find(stage.plan.format)
    number = len(stage.shown_rounds) + 1
    if stage.open_round and stage.open_round.status == "published":
        raise Illegal(f"Round {stage.open_round.number} is being played.")
    if number > format_.rounds(state, stage):
        raise Illegal("All rounds of this stage have been played.")
    seed = draw_seed(state, stage, number)
    return perform(state, proposal(state, stage, format_.propose(state, stage, number, Chance(seed)), seed))


def draw_seed(state: Competition, stage: Stage, number: int) -> bytes:
    """Return 32 bytes for a draw of its own, so that drawing anew does not repeat the last attempt."""
    words = state.chance.words(f"draw {stage.number} {number} {state.seq}")
    return b"".join(word.to_bytes(8, "big") for word, _ in zip(words, range(4), strict=False))


def proposal(state: Competition, stage: Stage, proposed: Draw, seed: bytes) -> e.Drawn:
    """Return the event that proposes a draw of the next round, made with the seed."""
    number = len(stage.shown_rounds) + 1
    tables = seated(state, stage, number, proposed, UUID(bytes=seed[:16]))
    open_tables = formats.find(stage.plan.format).open_tables
    return e.Drawn(stage.number, number, tables, proposed.report, proposed.byes, proposed.idle, open_tables)


def _playing(state: Competition) -> Stage:
    if state.stage is None:
        raise Illegal("No stage has begun.")
    return state.stage


def publish(state: Competition, *, games: Mapping[str, Sequence[str]], deadline: str | None = None) -> Events:
    """Publish the drawn round; ``games`` are the ids of each table's games."""
    stage = _playing(state)
    if stage.open_round is None:
        raise Illegal("No round is drawn.")
    opened = tuple(e.TableGame(table, game) for table, ids in games.items() for game in ids)
    return perform(state, e.Published(stage.number, stage.open_round.number, opened, deadline))


def open_table(state: Competition, *, table: str, entries: Sequence[str], games: Sequence[str]) -> Events:
    """Open a table in the round that runs, of entries in seat order, where the format lets them choose.

    Nothing where these have opened the table of this id already.
    """
    stage = _playing(state)
    opened = next((each for _, _, each in state.tables() if each.id == table), None)
    if opened and opened.entries == tuple(entries):
        return ()
    format_ = formats.find(stage.plan.format)
    if not format_.open_tables or stage.open_round is None:
        raise Illegal("Tables are drawn in this stage.")
    format_.check_table(state, stage, entries)
    number = stage.open_round.number
    group = next((at for at, group in enumerate(stage.groups, 1) if {*entries} <= {*group}), 1)
    lineups = {each.id: each.lineup((stage.number, number)) for each in state.entries}
    if not {*entries} <= {*lineups}:
        raise Illegal("There is no such entry in this competition.")
    seats = seats_of(DrawnTable(tuple(entries), group), lineups, None)
    return perform(state, e.TableOpened(stage.number, number, table, seats, tuple(games), group))


def record_result(state: Competition, *, result: e.ResultRecorded) -> Events:
    """Record a game's result; nothing where it is recorded already."""
    _, _, table = state.table(result.table)
    game = next((each for each in table.games if each.id == result.game), None)
    if game and (game.result or game.abandoned):
        return ()
    return perform(state, result)


def replay(
    state: Competition, *, table: str, ended: Sequence[e.ResultRecorded] = (), reason: str = ""
) -> Events:
    """Play a table's abandoned game again; ``ended`` are results that the log does not hold yet."""
    recorded = tuple(event for result in ended for event in record_result(state, result=result))
    after = state
    for event in recorded:
        after = fold.apply(after, event)
    abandoned = next((game for game in after.table(table)[2].games if game.abandoned), None)
    if abandoned is None:
        raise Illegal("Only a game that was abandoned is replayed.")
    # Named by its place in the log, so that a retry opens no second game.
    game = str(uuid5(UUID(table), f"game after {after.seq}"))
    return perform(state, *recorded, e.Replayed(table, abandoned.id, game, reason))


def set_deadline(state: Competition, *, deadline: str | None, reason: str = "") -> Events:
    """Say anew until when the round that is played is to be played, None for no limit."""
    stage = _playing(state)
    number = len(stage.shown_rounds)
    if stage.open_round and stage.open_round.deadline == deadline and stage.open_round.status == "published":
        return ()
    return perform(state, e.DeadlineSet(stage.number, number, deadline, reason))


def close_round(state: Competition, *, void_undecided: str = "") -> Events:
    """Close the round that is played; with a reason in ``void_undecided`` its undecided tables are voided."""
    stage = _playing(state)
    open_round = stage.open_round
    if open_round is None:
        raise Illegal("No round is being played.")
    voided = _voided(open_round, void_undecided) if void_undecided else ()
    return perform(state, *voided, e.RoundClosed(stage.number, open_round.number))


def _voided(open_round: Round, reason: str) -> tuple[e.Voided, ...]:
    return tuple(e.Voided(table.id, reason) for table in open_round.tables if not table.decided)


# ---- What comes next -----------------------------------------------------------------------------

Step = Literal["start", "start_stage", "draw", "publish", "play", "rule", "close_round", "finish", "none"]


def next_step(state: Competition, *, overdue: bool = False) -> Step:
    """Return what the competition waits for now; ``overdue`` says that the open round's deadline has passed.

    ``play``: results, in open play until an organiser closes the round or its deadline has passed; ``rule``:
    an organiser, for every open table's game was abandoned; ``none``: it is paused or over. The others are
    commands, which an automatic pace carries out at once.
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
    return _of_round(stage.open_round, overdue)


def _between_rounds(state: Competition, stage: Stage) -> Step:
    if len(stage.rounds) < formats.find(stage.plan.format).rounds(state, stage):
        return "draw"
    return "start_stage" if len(state.stages) < len(state.plans) else "finish"


def _of_round(open_round: Round, overdue: bool) -> Step:
    if open_round.status == "drawn":
        return "publish"
    if open_round.open and not overdue:
        return "play"
    if open_round.decided:
        return "close_round"
    return "play" if any(table.status == "playing" for table in open_round.tables) else "rule"
