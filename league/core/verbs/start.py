"""The opening of a competition, its entries and its start."""

from collections.abc import Iterator, Sequence

from games import rules
from games.engine.messages import Message, plural, text
from games.engine.refusals import Illegal, Malformed, together
from games.engine.replay import AnyRuleset
from games.engine.values import replace
from league.core import formats, plans
from league.core.course import absent_entries, fewest_at_a_round
from league.core.events import Event, apply, read, write
from league.core.plans import check_plans, fitting
from league.core.sizes import coming
from league.core.state import values as v
from league.core.state.competition import BEGINNING, Competition, Entries, Entry, Point
from league.core.state.plan import Opening
from league.core.state.updates import discarded, refuse_after_start, refuse_unless_under_way, with_entries
from league.core.verb import PREPARING, UNDER_WAY, Button, Caution, Events, Given, Verb
from league.core.verbs.stages import refuse_shown, stage_events
from league.core.verbs.wishes import wishes_told

# ---- Opening -------------------------------------------------------------------------------------


class Opened(Opening, Event, type="opened"):
    """The competition is set up, with everything announced about it."""

    title = "Competition set up"
    found_by = "opened, created, new competition"
    text = "%(name)s is set up."
    announces = "competition_opened"

    def check(self) -> None:
        """Raise `Illegal` where line-up and team size contradict each other, or an edition is not known."""
        if self.lineup == "single" and self.team_size != 1:
            raise Illegal("An entry of a single player has a team size of 1.")
        for plan in self.stages:
            plans.check_known(plan)
        plans.check_roles(self.roles)

    def begin(self) -> Competition:
        self.check()
        return Competition(seq=1, opening=self, status="preparing", plans=self.stages, root=self.root)

    def apply(self, state: Competition) -> Competition:
        raise Illegal("The competition is opened already.")


def opening_of(announced: Opening) -> Opened:
    """Return the event that opens a competition; raise `Malformed` where something does not fit.

    It records the newest version of the ruleset, the editions of each stage and of roles, all options with
    defaults, and the numbers of seats for which the ruleset accepts them.
    """
    try:
        game = rules.of(announced.ruleset, announced.options)
    except KeyError:
        raise Malformed({"ruleset": [text("There is no such game here.")]}) from None
    seats, options = game.seats, announced.options
    with together() as each:
        with each():
            seats, options = fitting(game, announced.options)
        fixed = {"ruleset": game.name, "options": options, "seats": seats, "low_wins": game.low_wins}
        sides = _changing_sides(game, seats) if announced.lineup == "single" else ()
        fixed |= {"sides": sides, "roles": plans.ROLES[-1]}
        opened = Opened(**{**vars(announced), **fixed})
        with each():
            read(write(opened))
        with each():
            check_plans(opened)
    opened = replace(opened, stages=tuple(map(plans.with_editions, opened.stages)))
    opened.check()
    return opened


def _changing_sides(game: AnyRuleset, seats: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return the side of each seat at tables of these sizes, none where nobody ever has a partner."""
    sides = tuple(map(game.teams, seats))
    return sides if any(len({*each}) < len(each) for each in sides) else ()


# ---- Open ----------------------------------------------------------------------------------------


class EntriesOpened(Event, type="entries_opened"):
    """Players can enter themselves. Organisers can enter players at any time."""

    title = "Entries opened"
    found_by = "registration opened"
    text = "Entries are open."

    def apply(self, state: Competition) -> Competition:
        return with_entries(state, "entering")


class OpenEntries(Verb, key="open"):
    """Open entries: players can enter themselves until the start, or until entries are closed.

    In open play and ladders they stay open while a round is played, and can be opened in it.
    """

    taken_back_by = ("close-entries",)
    event = EntriesOpened
    open = Button(
        "Open entries",
        "Players with an account can enter themselves from now on.",
        "You can close entries at any time.",
        part="entries",
    )

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return (state.open_ended and state.before_start != "entering") or state.status == "preparing"


# ---- Start ---------------------------------------------------------------------------------------


class Started(Event, type="started"):
    """Entries are fixed; new ones are late entries.

    With check-in, an entry that has not checked in misses each round until it does, or is marked as present.
    """

    title = "Start"
    found_by = "started, began"
    text = "The competition starts."
    announces = "competition_started"

    def apply(self, state: Competition) -> Competition:
        refuse_after_start(state)
        if _entered(state) < 2:
            raise Illegal("There are too few entries for a table.")
        return replace(state, status="running", started=True, before_start=state.status)


class StartCompetition(Verb, key="start"):
    """Start the competition and its first stage.

    Entries that did not check in miss each round until they do, or are marked as present. Where it has
    started already, nothing changes.
    """

    taken_back_by = ("take-back-start",)
    uses_secret = True
    start = Button(
        "Start",
        "Entries are fixed, and round 1 comes next. In open play and ladders open entries stay open.",
        "“Take back the start” works until round 1 is published.",
        statuses=PREPARING,
    )

    @classmethod
    def draws(cls, state: Competition) -> bool:
        return True

    @classmethod
    def undo(cls, state: Competition, button: Button) -> str:
        if state.opening.pace != "automatic":
            return super().undo(state, button)
        return text("“Withdraw the round” works until a game has begun, and “Take back the start” after it.")

    @classmethod
    def cautions(cls, state: Competition) -> Sequence[Caution]:
        playing, missing = _present(state)
        refusal, found = _too_few(state, playing), list[Caution]()
        if refusal is None:
            found += map(Caution, _first_round(state, playing))
        if missing:
            found.append(
                Caution(_not_checked_in(state, len(missing)), "check-in-all", stops=refusal is not None)
            )
        elif refusal:
            found.append(Caution(refusal, "present", stops=True))
        if state.opening.pace == "automatic" and refusal is None:
            found.append(Caution(text("Round 1 is published at once: the pace is automatic.")))
        found += wishes_told(state)
        plan = state.plans[0]
        if plan.intake.source == "entries":
            found += map(Caution, formats.of(plan).foretold(state.opening, plan, _entered(state)))
        return found

    def decide(self, state: Competition, given: Given) -> Events:
        if state.started:
            return ()
        playing, _ = _present(state)
        if refusal := _too_few(state, playing):
            raise Illegal(refusal)
        started = Started()
        return started, *stage_events(apply(state, started), given)


def _first_round(state: Competition, present: int) -> Iterator[Message]:
    """Yield how many of those present play in round 1, and how many sit out where tables don't hold all."""
    begun = state if state.started else apply(state, Started())
    open_tables = formats.of(state.plans[0]).open_tables
    seated = 0 if open_tables else sum(map(sum, coming(begun)))
    playing = seated if 0 < seated < present else present
    yield plural("%(count)d entry plays in round 1.", "%(count)d entries play in round 1.", playing)
    if byes := present - playing:
        yield plural("%(count)d sits out (a bye).", "%(count)d sit out (byes).", byes)


def _present(state: Competition) -> tuple[int, Sequence[Entry]]:
    """Return how many entries would play in round 1, and those who would miss it for want of a check-in."""
    away = absent_entries(state)
    unseen = state.not_checked_in if state.opening.entering.check_in else ()
    missing = [entry for entry in unseen if entry.id not in away]
    absent = {entry.id for entry in missing} | away
    playing = sum(entry.status == "entered" and entry.id not in absent for entry in state.entries)
    return playing, missing


def _entered(state: Competition) -> int:
    return sum(entry.status == "entered" for entry in state.entries)


def _not_checked_in(state: Competition, missing: int) -> Message:
    count = _entered(state)
    here = count - len(state.not_checked_in)
    if not here:
        return plural(
            "Nobody has checked in: %(count)d entry would miss round 1.",
            "Nobody has checked in: all %(count)d entries would miss round 1.",
            count,
        )
    return plural(
        "%(present)d of %(all)d checked in: %(count)d entry would miss round 1.",
        "%(present)d of %(all)d checked in: %(count)d entries would miss round 1.",
        missing,
        present=here,
        all=count,
    )


def _too_few(state: Competition, playing: int) -> Message | None:
    """Return why round 1 could have no table, None where it can."""
    fewest, count = fewest_at_a_round(state, state.plans[0]), _entered(state)
    if playing >= fewest:
        return None
    if playing == count:
        return plural(
            "A table needs at least %(fewest)d entries, and there is %(count)d.",
            "A table needs at least %(fewest)d entries, and there are %(count)d.",
            count,
            fewest=fewest,
        )
    return text(
        "%(playing)d of %(count)d would play in round 1; a table needs at least %(fewest)d. "
        "Check in those who are here, or mark them as present.",
        playing=playing,
        count=count,
        fewest=fewest,
    )


# ---- Take back start -----------------------------------------------------------------------------


class StartTakenBack(Event, type="start_taken_back"):
    """The competition has not started: entries are no longer fixed. A draw of round 1 is discarded."""

    title = "Start taken back"
    found_by = "undone"
    text = "The start is taken back."
    reason: v.Reason

    def apply(self, state: Competition) -> Competition:
        refuse_unless_under_way(state)
        if len(state.stages) > 1:
            raise Illegal("%(count)d stages would be lost.", count=len(state.stages))
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
    owners = {_earlier(since): players for since, players in entry.owners}
    here_from = None if entry.here_from is None else BEGINNING
    entry = replace(entry, lineups=tuple(lineups.items()), owners=tuple(owners.items()))
    return replace(entry, spells=spells, here_from=here_from)


def _earlier(at: Point) -> Point:
    return BEGINNING if at <= (1, 1) else at


class TakeBackStart(Verb, key="take-back-start"):
    """Take back the start, as long as no round is published: entries can change and check in as before it."""

    taken_back_by = ("start",)
    take_back_start = Button(
        "Take back the start",
        "The competition has not started; an unpublished round is discarded. Entries can change again.",
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
