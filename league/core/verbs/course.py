"""Pause, resume, finish, reopen, cancel: the course of a competition."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from games.engine.messages import Message, plural, text
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core import formats
from league.core.course import next_step
from league.core.events import AND_SERVER, Ending, EndsGames, Event, apply
from league.core.standings.ranking import Level, levels_of, lots_to_draw
from league.core.state import values as v
from league.core.state.competition import Competition, Stage, Table
from league.core.state.updates import discarded, refuse_with_tables_to_come, tables_to_come
from league.core.verb import RUNNING, Button, Caution, Events, Given, Verb
from league.core.verbs import objections
from league.core.verbs.challenges import waiting_on
from league.core.verbs.cut_off import lots_events

# ---- Pause ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _PauseFields:
    reason: v.Note = ""


class Paused(_PauseFields, Event, type="paused"):
    """No round is drawn, published or closed until the competition resumes; open games still count."""

    title = "Pause"
    found_by = "paused, interrupted, break"
    text = "The competition is paused."

    def apply(self, state: Competition) -> Competition:
        if state.status != "running":
            raise Illegal("Only a running competition can be paused.")
        return replace(state, status="paused", reason=self.reason)


def held(state: Competition, reason: str) -> Sequence[Paused]:
    """Return the event that pauses an automatic competition, which would else do again what is taken back."""
    automatic = state.opening.pace == "automatic" and state.status == "running"
    return (Paused(reason),) if automatic else ()


class PauseCompetition(_PauseFields, Verb, key="pause"):
    """Pause the competition: no round is drawn, published or closed; open games still count."""

    taken_back_by = ("resume",)
    event = Paused
    pause = Button(
        "Pause",
        "No round is prepared, published or closed until you resume. Open games can be finished.",
        "You can resume at any time.",
        statuses=RUNNING,
        asks=("reason",),
    )


# ---- Resume --------------------------------------------------------------------------------------


class Resumed(Event, type="resumed"):
    """The pause is over."""

    title = "Pause ended"
    found_by = "resumed, continued"
    text = "The competition resumes."

    def apply(self, state: Competition) -> Competition:
        if state.status != "paused":
            raise Illegal("The competition is not paused.")
        return replace(state, status="running", reason="")


class ResumeCompetition(Verb, key="resume"):
    """Resume a paused competition. Challenges that wait for an answer have the whole time again."""

    taken_back_by = ("pause",)
    resume = Button(
        "Resume",
        "The pause is over.",
        "You can pause again.",
        statuses=("paused",),
    )

    def decide(self, state: Competition, given: Given) -> Events:
        resumed = Resumed()
        return resumed, *waiting_on(apply(state, resumed), given)


# ---- Finish --------------------------------------------------------------------------------------


class Finished(Event, type="finished"):
    """The standings are final."""

    title = "Competition finished"
    found_by = "end, over, final"
    said_by = AND_SERVER
    text = "The competition is over."
    announces = "competition_finished"

    def apply(self, state: Competition) -> Competition:
        if state.status != "running":
            raise Illegal("Only a running competition can be finished.")
        if state.stage and state.stage.open_round:
            raise Illegal("A round is still open.")
        refuse_with_tables_to_come(state)
        return replace(state, status="finished", before_end=state.status)


class FinishCompetition(Verb, key="finish"):
    """Finish the competition; its standings become final. First lots are drawn for entries that are level."""

    taken_back_by = ("reopen",)
    uses_secret = True
    finish = Button(
        "Finish",
        "The standings become final. Lots are drawn for entries that nothing else separates.",
        "“Reopen the competition”; standings that are changed then say “corrected”.",
        statuses=RUNNING,
        steps=("finish", "start_stage", "draw"),
        danger=True,
    )

    def decide(self, state: Competition, given: Given) -> Events:
        lots, state = lots_events(state, given)
        waits = bool(lots) and not (state.stage and state.stage.lots)
        return lots if waits else (*lots, Finished())

    @classmethod
    def cautions(cls, state: Competition) -> Sequence[Caution]:
        return [
            *_unplayed(state),
            *objections.cautions(state),
            *(_lots(state, state.stage) if state.stage else ()),
        ]


def _unplayed(state: Competition) -> Iterator[Caution]:
    """Yield what would not be played."""
    stage = state.stage
    if stage and next_step(state) == "draw":
        planned = formats.of(stage.plan).rounds(state, stage)
        rounds = text("Rounds played: %(played)d of %(planned)d.", played=len(stage.rounds), planned=planned)
        yield Caution(rounds, "draw")
    if waits := tables_to_come(state):
        yield Caution(waits, stops=True)
    if left := len(state.plans) - len(state.stages):
        sentence = plural(
            "%(count)d planned stage would not be played.",
            "%(count)d planned stages would not be played.",
            left,
        )
        yield Caution(sentence, "start-stage")
    elif state.plans[-1].groups > 1:
        yield Caution(text("No next season is planned."), "add-stage")


def _lots(state: Competition, stage: Stage) -> Iterator[Caution]:
    """Yield for which entries lots would be drawn, and how they could play for the first place instead."""
    levels = levels_of(state, stage)
    for level in levels:
        yield Caution(lots_to_draw(state, stage, level))
    if len(stage.groups) == 1 and state.next_plan is None and levels and levels[0].first == 1:
        yield Caution(_play_for_it(levels[0]), "add-stage")


def _play_for_it(level: Level) -> Message:
    return text(
        "To let them play for the first place, add a stage that the best %(count)d of this one play.",
        count=len(level.entries),
    )


# ---- Reopen --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _ReasonFields:
    reason: v.Reason


class Reopened(_ReasonFields, Event, type="reopened"):
    """A finished or cancelled competition goes on as before its end; games that the end abandoned stay so.

    What is changed after it was finished marks the standings as corrected. An unpublished draw of a cancelled
    competition, which everybody could read, is discarded.
    """

    title = "Competition reopened"
    found_by = "correction after the end, open again"
    text = "The competition is reopened."
    announces = "competition_reopened"
    emails = "changed"
    after_end = True

    def apply(self, state: Competition) -> Competition:
        if not state.over:
            raise Illegal("The competition is not over.")
        before = replace(discarded(state, self.reason), status=state.before_end, reason="")
        return replace(before, final_stages=len(state.stages)) if state.status == "finished" else before


class ReopenCompetition(_ReasonFields, Verb, key="reopen"):
    """Reopen a finished competition for a correction, or reinstate a cancelled one.

    It goes on as before its end. What is changed after it was finished marks its standings as corrected.
    """

    taken_back_by = ("finish", "cancel")
    event = Reopened
    reopen = Button(
        "Reopen the competition",
        "The competition continues as before its end. Once something is changed, standings say “corrected”.",
        "Finish or cancel it again.",
        statuses=("finished", "cancelled"),
        asks=("reason",),
        danger=True,
    )

    @classmethod
    def cautions(cls, state: Competition) -> Sequence[Caution]:
        found = []
        undecided = sum(not table.decided for _, _, table in state.tables())
        if undecided and state.status == "cancelled":
            sentence = plural(
                "%(count)d table was not decided; its game has ended: replay it, or set the result.",
                "%(count)d tables were not decided; their games have ended: replay them, or set the results.",
                undecided,
            )
            found.append(Caution(sentence))
        if state.opening.pace == "automatic" and state.status == "finished":
            sentence = plural(
                "It finishes again by itself, %(count)d minute after the last change.",
                "It finishes again by itself, %(count)d minutes after the last change.",
                state.opening.waits.finish,
            )
            found.append(Caution(sentence))
        if state.drawn_round:
            found.append(
                Caution(text("The unpublished round %(round)d is discarded.", round=state.drawn_round.number))
            )
        return found


# ---- Cancel --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _NoteFields:
    reason: v.Note = ""


class Cancelled(_NoteFields, EndsGames, type="cancelled"):
    """The competition is over without a winner; its standings remain."""

    title = "Competition cancelled"
    found_by = "called off, abandoned"
    text = "The competition is cancelled."
    announces = "competition_finished"
    emails = "changed"

    def apply(self, state: Competition) -> Competition:
        return replace(state, status="cancelled", reason=self.reason, before_end=state.status)

    def endings(self, state: Competition) -> Iterable[Ending]:
        return (Ending(table.id, self.reason) for table in _undecided(state))


def _undecided(state: Competition) -> Iterable[Table]:
    return (table for _, _, table in state.tables() if not table.decided)


class CancelCompetition(_NoteFields, Verb, key="cancel"):
    """End the competition without a winner; its running games are abandoned. Who has entered is told."""

    taken_back_by = ("reopen",)
    event = Cancelled
    cancel = Button(
        "Cancel the competition",
        "The competition ends without a winner, and those who have entered are told. Results and standings "
        "remain visible.",
        "“Reopen the competition” reinstates it; games that were running must be replayed or get a result.",
        asks=("reason",),
        danger=True,
    )

    @classmethod
    def ends(cls, state: Competition, button: Button, table: str) -> Iterable[Table]:
        return _undecided(state)
