"""Start: entries are fixed, and the first stage begins."""

from collections.abc import Sequence

from games.engine.messages import Message, plural, text
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core import formats
from league.core.course import absent_entries, fewest_at_a_round
from league.core.events import Event, apply
from league.core.state.checks import refuse_after_start
from league.core.state.competition import Competition, Entry
from league.core.verb import PREPARING, Button, Caution, Events, Given, Verb
from league.core.verbs.stages import stage_events


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
        "Entries are fixed, and round 1 can be drawn. In open play and ladders open entries stay open.",
        "“Take back the start” works until round 1 is published.",
        statuses=PREPARING,
    )

    @classmethod
    def draws(cls, state: Competition) -> bool:
        return True

    @classmethod
    def cautions(cls, state: Competition) -> Sequence[Caution]:
        playing, missing = _present(state)
        refusal, found = _too_few(state, playing), []
        if refusal is None:
            found.append(
                Caution(
                    plural("%(count)d entry plays in round 1.", "%(count)d entries play in round 1.", playing)
                )
            )
        if missing:
            found.append(
                Caution(_not_checked_in(state, len(missing)), "check-in-all", stops=refusal is not None)
            )
        elif refusal:
            found.append(Caution(refusal, "present", stops=True))
        if state.opening.pace == "automatic" and refusal is None:
            found.append(Caution(text("Round 1 is drawn and published at once: the pace is automatic.")))
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
            "0 of %(count)d checked in: it would miss round 1.",
            "0 of %(count)d checked in: all would miss round 1.",
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
