"""Take back the start of the competition, as long as no round is published."""

from games.engine.messages import text
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.events import Event
from league.core.state import values as v
from league.core.state.checks import refuse_unless_under_way
from league.core.state.competition import BEGINNING, Competition, Entries, Entry, Point
from league.core.state.updates import discarded
from league.core.verb import UNDER_WAY, Button, Events, Given, Verb
from league.core.verbs.stages import refuse_shown


class StartTakenBack(Event, type="start_taken_back"):
    """The competition has not started: entries are no longer fixed. A draw of round 1 is discarded."""

    title = "Start taken back"
    found_by = "undone"
    text = "The start is taken back."
    reason: v.Reason

    def apply(self, state: Competition) -> Competition:
        refuse_unless_under_way(state)
        if len(state.stages) > 1:
            raise Illegal(text("%(count)d stages would be lost.", count=len(state.stages)))
        if state.stage:
            refuse_shown(state.stage)
        state = discarded(state, self.reason)
        entries = Entries(_before_start(entry) for entry in state.entries)
        before = replace(state, status=state.before_start, started=False, stages=(), entries=entries)
        return replace(before, reason="")


def _before_start(entry: Entry) -> Entry:
    """Return an entry with what counts from round 1 on counting from the beginning."""
    spells = tuple((_earlier(since), end) for since, end in entry.spells if end is None or end > (1, 1))
    lineups = {_earlier(since): players for since, players in entry.lineups}
    here_from = None if entry.here_from is None else BEGINNING
    return replace(entry, spells=spells, lineups=tuple(lineups.items()), here_from=here_from)


def _earlier(at: Point) -> Point:
    return BEGINNING if at <= (1, 1) else at


class TakeBackStart(Verb, key="take-back-start"):
    """Take back the start, as long as no round is published: entries can change and check in as before it."""

    taken_back_by = ("start",)
    take_back_start = Button(
        "Take back the start",
        "The competition has not started; an unpublished draw is discarded. Entries can change again.",
        "Start it again.",
        statuses=UNDER_WAY,
        asks=("reason",),
        danger=True,
    )

    reason: v.Reason

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return len(state.stages) == 1 and not state.stages[0].shown_rounds

    def decide(self, state: Competition, given: Given) -> Events:
        return (StartTakenBack(self.reason),)
