"""Start the next stage."""

from fractions import Fraction
from typing import Annotated

from games.engine.chance import Chance
from games.engine.messages import text
from games.engine.refusals import Illegal
from games.engine.shapes import Help, Length
from games.engine.values import replace
from league.core import formats, intake
from league.core.events import AND_SERVER, Event
from league.core.intake import Carried
from league.core.state import values as v
from league.core.state.checks import refuse_unless_running, refuse_with_tables_to_come
from league.core.state.competition import Competition, Stage
from league.core.state.cut_off import Reveal
from league.core.state.moves import Move
from league.core.verb import RUNNING, Button, Events, Given, Verb
from league.core.verbs.cut_off import by_chance, lots_events, origin_of


class StageStarted(Event, type="stage_started"):
    """A stage begins, with its groups, best seed first, and the points that entries bring into it."""

    title = "Stage started"
    found_by = "season started, groups"
    said_by = AND_SERVER
    text = "%(stage)s begins."
    stage: v.Count
    groups: Annotated[tuple[v.Entries, ...], Length(1, 100)]
    carried: Annotated[tuple[Carried, ...], Length(0, v.MAX_ENTRIES)] = ()
    moves: Annotated[
        tuple[Move, ...], Length(0, v.MAX_ENTRIES), Help("why entries of the stage before are in it or not")
    ] = ()
    reveal: Annotated[Reveal | None, Help("the secret value of groups that were drawn")] = None

    def apply(self, state: Competition) -> Competition:
        refuse_unless_running(state)
        if self.stage != len(state.stages) + 1 or self.stage > len(state.plans):
            raise Illegal(text("Stage %(stage)d is not the next one.", stage=self.stage))
        if state.stage and state.stage.open_round:
            raise Illegal("A round of the stage before is still open.")
        refuse_with_tables_to_come(state)
        placed = [entry for group in self.groups for entry in group]
        known = {entry.id for entry in state.entries}
        if len({*placed}) != len(placed) or not {*placed} <= known:
            raise Illegal("The groups must hold entries of the competition, each only once.")
        carried = tuple((each.entry, Fraction(each.points)) for each in self.carried)
        if {entry for entry, _ in carried} - {*placed}:
            raise Illegal("Only an entry of the stage can bring points into it.")
        plan = state.plans[self.stage - 1]
        if intake.by_lots(plan.intake) != (self.reveal is not None):
            raise Illegal("Groups that are drawn, and only they, need a secret value.")
        pending = state.pending_for("groups", self.stage)
        stage = Stage(
            number=self.stage,
            plan=plan,
            groups=self.groups,
            carried=carried,
            moves=self.moves,
            sizes=tuple(map(len, self.groups)),
            placements=state.placements,
            origin=origin_of(pending, self.reveal) if self.reveal else None,
        )
        return replace(state, stages=(*state.stages, stage), placements=(), pending=None)


def next_stage(state: Competition, seed: bytes | None = None, reveal: Reveal | None = None) -> StageStarted:
    """Return the event that starts the next stage; raise `Illegal` where there is none.

    Without a seed, groups that lots would make are in the order of entering.
    """
    number = len(state.stages) + 1
    if number > len(state.plans):
        raise Illegal("There is no further stage.")
    groups, carried, moves = intake.taken_in(state, number, Chance(seed) if seed else None)
    plan = state.plans[number - 1]
    formats.of(plan).check_groups(state.opening, plan, [len(group) for group in groups])
    return StageStarted(number, groups, carried, moves, reveal)


def stage_events(state: Competition, given: Given) -> Events:
    """Return the events that start the next stage, with the lots of the one before and its own draw.

    Only the first of them where one waits for the beacon.
    """
    next_stage(state)
    lots, state = lots_events(state, given)
    if lots and not (state.stage and state.stage.lots):
        return lots
    preview = next_stage(state)
    if not intake.by_lots(state.plans[preview.stage - 1].intake):
        return *lots, preview
    drawn, _ = by_chance(
        state, given, "groups", lambda pending, seed, reveal: next_stage(pending.frozen, seed, reveal)
    )
    return *lots, *drawn


class StartStage(Verb, key="start-stage"):
    """Start the next stage, with the entries that qualify for it. `start` starts the first one.

    First lots are drawn for entries of the stage before that are level. Refused if there is no further
    stage, a round is open, or a group is too small for a table.
    """

    taken_back_by = ("take-back-stage",)
    uses_secret = True
    start_stage = Button(
        "Start the next stage",
        "The stage begins with the entries shown here. After that you can draw its rounds.",
        "“Take back the start of the stage” works until its first round is published.",
        statuses=RUNNING,
        steps=("start_stage",),
    )

    @classmethod
    def draws(cls, state: Competition) -> bool:
        number = len(state.stages) + 1
        return number <= len(state.plans) and intake.by_lots(state.plans[number - 1].intake)

    def decide(self, state: Competition, given: Given) -> Events:
        return stage_events(state, given)
