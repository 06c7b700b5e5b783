"""Stages and seasons: added, started, taken back."""

from fractions import Fraction
from typing import Annotated

from games.engine import shapes
from games.engine.chance import Chance
from games.engine.messages import plural
from games.engine.refusals import Illegal, below
from games.engine.shapes import Between, Help, Length
from games.engine.values import replace
from league.core import formats, intake, plans
from league.core.events import AND_SERVER, Event, apply
from league.core.intake import Carried
from league.core.plans import check_plan
from league.core.state import values as v
from league.core.state.competition import Competition, Stage
from league.core.state.cut_offs import Reveal
from league.core.state.plan import AnnouncedPlan, Editions, Fill, Intake, Sizes, StagePlan
from league.core.state.stages import Move
from league.core.state.updates import (
    begun_stage,
    discarded,
    refuse_unless_running,
    refuse_unless_under_way,
    refuse_with_tables_to_come,
)
from league.core.verb import RUNNING, UNDER_WAY, Button, Events, Given, Verb
from league.core.verbs.course import held
from league.core.verbs.cut_off import by_chance, lots_events, origin_of
from league.core.verbs.seeds import seeded_at_start

# ---- Add stage -----------------------------------------------------------------------------------


class StageAdded(Event, type="stage_added"):
    """Another stage follows the last one, such as a league's next season."""

    title = "Stage or season added"
    found_by = "new stage, next season"
    text = "Another stage is added: %(stage)s."
    stage: StagePlan

    def apply(self, state: Competition) -> Competition:
        plans.check_known(self.stage)
        return replace(state, plans=(*state.plans, self.stage))


def read_plan(stage: object) -> StagePlan:
    """Return the plan in a stage's JSON, in which ``params`` may be missing; raise `Malformed`."""
    return shapes.read(StagePlan, {"params": {}, **stage} if isinstance(stage, dict) else stage)


def checked(state: Competition, plan: StagePlan) -> StagePlan:
    """Return the plan of a further stage with its editions; raise `Malformed` where it does not fit."""
    check_plan(state.opening, plan, state.plans[-1])
    return plans.with_editions(plan)


class AddStage(Verb, key="add-stage"):
    """Announce another stage after the last one, such as a league's next season.

    `start-stage` starts it; with the automatic pace it starts by itself.
    """

    taken_back_by = ("remove-stage",)
    add_stage = Button(
        "Add a stage or season",
        "Another stage follows the last one, for example a league’s next season.",
        "“Remove the last stage” works until it begins.",
        statuses=UNDER_WAY,
        asks=("stage",),
    )

    stage: Annotated[AnnouncedPlan, Help("like the stages of an opening; see the guide for clients")]

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return state.started

    def decide(self, state: Competition, given: Given) -> Events:
        with below("stage"):
            return (StageAdded(checked(state, read_plan(self.stage))),)


# ---- Remove stage --------------------------------------------------------------------------------


class StageRemoved(Event, type="stage_removed"):
    """The last stage, which was announced after the opening and has not begun, is not played."""

    title = "Stage or season removed"
    found_by = "season cancelled"
    text = "%(stage)s is removed."
    stage: v.Count
    reason: v.Note = ""

    def apply(self, state: Competition) -> Competition:
        refuse_unless_under_way(state)
        if self.stage != len(state.plans) or len(state.plans) <= len(state.opening.stages):
            raise Illegal("Only the last stage can be removed, if it was added after the opening.")
        if self.stage <= len(state.stages):
            raise Illegal("Stage %(stage)d has begun; take back its start first.", stage=self.stage)
        return replace(state, plans=state.plans[:-1])


class RemoveStage(Verb, key="remove-stage"):
    """Remove the last stage, which was added after the opening and has not begun."""

    taken_back_by = ("add-stage",)
    remove_stage = Button(
        "Remove the last stage",
        "The stage or season that was added last is removed.",
        "Add it again.",
        statuses=UNDER_WAY,
        asks=("reason",),
        danger=True,
    )

    reason: v.Note = ""

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        added = len(state.plans) > len(state.opening.stages)
        return added and len(state.plans) > len(state.stages)

    def decide(self, state: Competition, given: Given) -> Events:
        return (StageRemoved(len(state.plans), self.reason),)


# ---- Start stage ---------------------------------------------------------------------------------


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
            raise Illegal("Stage %(stage)d is not the next one.", stage=self.stage)
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
    seeded = seeded_at_start(state, given)
    for event in seeded:
        state = apply(state, event)
    preview = next_stage(state)
    if not intake.by_lots(state.plans[preview.stage - 1].intake):
        return *lots, *seeded, preview
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
        "The stage begins with the entries shown here. After that come its rounds.",
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


# ---- Take back stage -----------------------------------------------------------------------------


class StageTakenBack(Event, type="stage_taken_back"):
    """A stage of which no round is published has not begun; a draw of its first round is discarded."""

    title = "Start of a stage taken back"
    found_by = "undone"
    text = "The start of %(stage)s is taken back."
    stage: v.Count
    reason: v.Reason

    def apply(self, state: Competition) -> Competition:
        refuse_unless_under_way(state)
        stage = begun_stage(state)
        if stage.number != self.stage or self.stage == 1:
            raise Illegal("The start of stage %(stage)d cannot be taken back.", stage=self.stage)
        refuse_shown(stage)
        state = discarded(state, self.reason)
        return replace(state, stages=state.stages[:-1], placements=stage.placements)


def refuse_shown(stage: Stage) -> None:
    """Raise `Illegal` where the stage has published rounds."""
    if stage.shown_rounds:
        raise Illegal(
            plural(
                "%(count)d published round of stage %(stage)d would be lost.",
                "%(count)d published rounds of stage %(stage)d would be lost.",
                len(stage.shown_rounds),
                stage=stage.number,
            )
        )


class TakeBackStage(Verb, key="take-back-stage"):
    """Take back the start of the current stage, as long as none of its rounds is published.

    The stage before can then be corrected. With the automatic pace the competition is paused too.
    """

    taken_back_by = ("start-stage",)
    take_back_stage = Button(
        "Take back the start of the stage",
        "The stage has not begun; an unpublished round is discarded. The stage before can be corrected.",
        "Start the stage again.",
        statuses=UNDER_WAY,
        asks=("reason",),
        danger=True,
    )

    reason: v.Reason

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        stage = state.stage
        return stage is not None and stage.number > 1 and not stage.shown_rounds

    def decide(self, state: Competition, given: Given) -> Events:
        return StageTakenBack(begun_stage(state).number, self.reason), *held(state, self.reason)


# ---- Add season ----------------------------------------------------------------------------------


class AddSeason(Verb, key="add-season"):
    """Announce the next season of a league: the last stage again, with promotion and relegation.

    The best ``promoted`` entries of each division go up, then the last ``relegated`` of those left go down.
    Divisions keep their ``sizes``: ``fill`` says who fills a free place. New entries begin in the last
    division; `place` places an entry elsewhere. ``carry`` is the part of the points that entries keep.
    `start-stage` starts the season. With the automatic pace add it before the competition finishes, or reopen
    the competition.
    """

    taken_back_by = ("remove-stage",)

    name: v.Name
    promoted: Annotated[int, Between(0, 100), Help("how many of each division go up")] = 1
    relegated: Annotated[int, Between(0, 100), Help("how many of each division go down")] = 1
    carry: Annotated[v.Points, Help("the part of the points that entries keep")] = "0"
    sizes: Sizes = ()
    fill: Fill = "promote"

    def decide(self, state: Competition, given: Given) -> Events:
        intake = Intake(
            "promotion",
            promoted=self.promoted,
            relegated=self.relegated,
            carry=self.carry,
            sizes=self.sizes,
            fill=self.fill,
        )
        season = replace(state.plans[-1], name=self.name, intake=intake, editions=Editions())
        return (StageAdded(checked(state, season)),)
