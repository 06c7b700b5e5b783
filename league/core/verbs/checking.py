"""Results that a second person checks, and objections to those that are posted, until a stated time."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from games.engine.messages import plural, text
from games.engine.refusals import Illegal, Malformed
from games.engine.shapes import Between, Help, Label, Length
from games.engine.values import replace
from league.core import course
from league.core.events import AND_CLUBS, AND_PLAYERS, Event
from league.core.state import values as v
from league.core.state.competition import (
    Competition,
    Counted,
    Entry,
    Objection,
    Posting,
    Result,
    Status,
    Table,
)
from league.core.state.updates import published_table
from league.core.verb import LIVE, UNDER_WAY, Button, Caution, EntryVerb, Events, Given, OwnButton, Verb

FARTHEST = 10_000_000
Seq = Annotated[int, Between(1, FARTHEST)]
"""The number of an event."""
LATER: tuple[Status, ...] = (*UNDER_WAY, "finished")

_SAME = text("Correct the result of the table first: it is still the same.")
DECIDED = text("This objection was decided meanwhile. Read that decision; you can still decide it again.")
_CHANGED = text("The result has changed meanwhile. Compare it once more.")

# ---- Whether a second person checks --------------------------------------------------------------


@dataclass(frozen=True)
class _CheckingFields:
    required: Annotated[
        bool, Label("A second person checks"), Help("results that one scorekeeper has entered alone")
    ]


class CheckingSet(_CheckingFields, Event, type="checking_set"):
    """Results that one person has entered are checked by another from here on, or are no longer."""

    title = "Checking of results"
    found_by = "second person, four eyes, checked, verified lists"
    text = "Results that one person has entered are checked by another."
    text_no = "Results need no second person any more."

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        return cls.text if fields.get("required") else cls.text_no

    def apply(self, state: Competition) -> Competition:
        return replace(state, checking=self.required)


class SetChecking(_CheckingFields, Verb, key="set-checking"):
    """Say whether results that one scorekeeper has entered alone are checked by a second person."""

    event = CheckingSet
    taken_back_by = ("set-checking",)
    set_checking = Button(
        "Checking of results",
        "What one scorekeeper enters alone counts at once, but is shown as not checked until somebody else "
        "has compared it with the sheet.",
        "Set it again at any time.",
        statuses=LIVE,
        asks=("required",),
        rare=True,
    )


# ---- A result is checked -------------------------------------------------------------------------


def unchecked_at(state: Competition, table: Table) -> tuple[Result, ...]:
    """Return the results of a table that wait for a second person, in order."""
    if not state.checking:
        return ()
    return tuple(each for each in table.entered if each.by_one and each.seq not in state.checked)


def unchecked(state: Competition) -> Iterator[tuple[Table, Result]]:
    """Yield the results that wait for a second person with their tables, the oldest first."""
    found = [(table, each) for _, _, table in state.tables() for each in unchecked_at(state, table)]
    yield from sorted(found, key=lambda each: each[1].seq)


@dataclass(frozen=True)
class _CheckFields:
    table: v.TableId
    result: Annotated[Seq, Help("the number of the event that brought the result")]


class ResultChecked(_CheckFields, Event, type="result_checked"):
    """Somebody else than who entered a result has compared it with the sheet: it is right."""

    title = "Result checked"
    found_by = "compared, verified, second person, four eyes"
    said_by = AND_CLUBS
    text = "%(table)s: the result is checked."
    text_side = "%(table)s: %(side)s confirms the result."
    after_end = True
    side: Annotated[
        v.EntryId | None, Help("the entry for which the desk of its club says so, another club’s")
    ] = None

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        return cls.text_side if fields.get("side") else cls.text

    def apply(self, state: Competition) -> Competition:
        table = published_any(state, self.table)
        if all(each.seq != self.result for each in table.entered):
            raise Illegal(_CHANGED, fields=["result"])
        if self.result in state.checked:
            return state
        return replace(state, checked=(*state.checked, self.result))


def published_any(state: Competition, table: str) -> Table:
    """Return a table of a shown round, also once the competition is over; raise `Illegal`."""
    if state.over and state.status != "cancelled":
        return state.table(table)[2]
    return published_table(state, table)


@dataclass(frozen=True)
class ScoreOf:
    """The score of a seat, as the second person reads it on the sheet."""

    seat: Annotated[int, Between(0, 9)]
    score: Annotated[int, Between(-1_000_000_000, 1_000_000_000)]


class CheckResult(_CheckFields, Verb, key="check-result"):
    """Say that a result is right which somebody else has entered; never for an account's own entry.

    With ``seats``, the scores typed once more from the sheet, every difference is refused by its seat. A
    result that was set again meanwhile has another number, and is not checked.
    """

    audience = "scorekeepers"
    scope = "club:rule"
    taken_back_by = ("rule",)
    check_result = Button(
        "Check",
        "Somebody else than who entered the result compares it with the sheet, and it is right.",
        "Set the result: then it waits to be checked again.",
        statuses=LATER,
        tables=("played",),
        asks=("result", "seats"),
    )

    seats: Annotated[
        tuple[ScoreOf, ...], Length(0, 10), Help("the scores once more, to be compared; all or none")
    ] = ()

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return state.checking

    @classmethod
    def fits(cls, table: Table) -> bool:
        return any(each.by_one for each in table.entered)

    def decide(self, state: Competition, given: Given) -> Events:
        table = published_any(state, self.table)
        result = next((each for each in table.entered if each.seq == self.result), None)
        if result is None:
            raise Illegal(_CHANGED, fields=["result"])
        if self.result in given.wrote:
            raise Illegal("You entered this result: somebody else must check it.")
        self._compare(result)
        return (ResultChecked(self.table, self.result, given.side),)

    def _compare(self, result: Result) -> None:
        """Raise `Malformed` at each seat whose score was typed as another one."""
        typed = {each.seat: each.score for each in self.seats}
        if not typed:
            return
        entered = {each.seat: each.score for each in result.placings}
        different = {
            f"seats.{seat}.score": [text("Entered before: %(score)s", score=score)]
            for seat, score in entered.items()
            if typed.get(seat) != score
        }
        if different or {*typed} - {*entered}:
            raise Malformed(different or {"seats": [text("There is no such seat at this table.")]})


# ---- Results are posted --------------------------------------------------------------------------


class ResultsPosted(Event, type="results_posted"):
    """The results so far are posted: who played may object until a time. Then they are final.

    Those up to event ``after`` were final before.
    """

    title = "Results posted"
    found_by = "objections, protests, complaints, deadline, final results"
    text = "The results are posted. Objections until %(until)s."
    after_end = True
    until: v.Time
    after: Annotated[int, Between(0, FARTHEST)] = 0

    def apply(self, state: Competition) -> Competition:
        if not state.started or state.status == "cancelled":
            raise Illegal("There are no results to post.")
        before = state.posting
        if self.after not in (0 if before is None else before.after, before.seq if before else 0):
            raise Illegal("Other results were final before.")
        return replace(state, posting=Posting(state.seq + 1, self.after, self.until))


class PostResults(Verb, key="post-results"):
    """Post the results so far: who played may object until a time, then they are final.

    Posted again before that time, they are open until the new one, which is not earlier. Works after the
    end, too.
    """

    taken_back_by = ("post-results",)
    post_results = Button(
        "Post the results",
        "Everybody reads until when they may object. Who played can object until then, on the phone too.",
        "Post them again with a later time.",
        statuses=LATER,
        asks=("until",),
        rank=55,
    )

    until: Annotated[v.Instant, Label("Objections until")]

    def decide(self, state: Competition, given: Given) -> Events:
        try:
            until = course.read_deadline(self.until, given.now)
        except Malformed as refusal:
            raise Malformed({"until": refusal.errors["deadline"]}) from None
        assert until is not None
        posting, still_open = state.posting, open_at(state, given.now)
        if posting and still_open and until < posting.until:
            raise Malformed({"until": [text("The time that was stated can only be extended.")]})
        after = 0 if posting is None else posting.after if still_open else posting.seq
        if not posted(replace(state, posting=Posting(state.seq + 1, after, until))):
            raise Illegal("There are no results to post that are not final.")
        return (ResultsPosted(until=until, after=after),)


def open_at(state: Competition, now: datetime) -> bool:
    """Return whether somebody may object at a moment."""
    posting = state.posting
    in_time = posting is not None and now < datetime.fromisoformat(posting.until)
    return in_time and state.status != "cancelled"


# ---- An objection --------------------------------------------------------------------------------


@dataclass(frozen=True)
class _ObjectionFields:
    table: Annotated[v.TableId, Label("Table")]
    what: Annotated[str, Length(1, 500), Label("What is wrong"), Help("for everyone to read")]


class Objected(_ObjectionFields, Event, type="objected"):
    """An entry that played objects to a posted result."""

    title = "Objection"
    found_by = "protest, complaint, wrong result"
    said_by = (*AND_PLAYERS, "club")
    text = "%(entry)s objects to the result of %(table)s: %(what)s"
    after_end = True
    entry: v.EntryId

    def apply(self, state: Competition) -> Competition:
        table, posting = published_any(state, self.table), state.posting
        if posting is None or not _covers(posting, table):
            raise Illegal("The result of this table is not posted.", fields=["table"])
        if self.entry not in seated(state):
            raise Illegal("Only who has played can object.")
        theirs = [each for each in state.objections if (each.entry, each.table) == (self.entry, self.table)]
        waiting = [each for each in theirs if not each.decision]
        if any(each.what == self.what for each in waiting):
            return state
        if waiting:
            raise Illegal("You have objected to this table already. An organiser decides.", fields=["table"])
        made = Objection(state.seq + 1, self.table, self.entry, self.what, counted(table))
        return replace(state, objections=(*state.objections, made))


class Object(_ObjectionFields, EntryVerb, key="object"):
    """Object to a posted result, in time, as an entry that played; the same objection again changes nothing.

    Organisers write down what somebody without a phone says.
    """

    taken_back_by = ("decide-objection",)
    own = ("table", "what")
    own_button = OwnButton(
        "Object",
        "Say which result is wrong, and what. Everybody can read it; an organiser decides.",
        "Your objection is written down. You see here what an organiser decides.",
        rank=20,
    )
    object = Button(
        "Write down an objection",
        "Somebody who played objects to a posted result. Everybody can read it.",
        "Decide it.",
        statuses=LATER,
        part="entries",
        asks=("entry", "table", "what"),
        rare=True,
    )

    @classmethod
    def candidates(cls, state: Competition) -> tuple[str, ...]:
        sat = seated(state)
        return tuple(entry.id for entry in state.entries if entry.id in sat)

    @classmethod
    def entry_of(cls, state: Competition, player: str) -> Entry | None:
        return objector(state, player)

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return bool(posted(state))

    @classmethod
    def open_to_player(cls, state: Competition, given: Given, entry: Entry | None) -> bool:
        if not (open_at(state, given.now) and posted(state)):
            return False
        theirs = objector(state, given.player or "")
        return theirs is not None and theirs.id in seated(state)

    def decide(self, state: Competition, given: Given) -> Events:
        if state.posting is None or not open_at(state, given.now):
            raise Illegal("The time for objections is over.")
        return (Objected(table=self.table, what=self.what, entry=self.entry),)


def seated(state: Competition) -> Set[str]:
    """Return the entries that have had a table."""
    return {seat.entry for _, _, table in state.tables() for seat in table.seats}


def objector(state: Competition, player: str) -> Entry | None:
    """Return the entry for which a player may object, where it has had a table; None for who has none.

    It is the player's own, or the last one for which they played until somebody else did.
    """
    own, sat = state.entry_with(player), seated(state)
    if own and own.id in sat:
        return own
    theirs = [each for each in reversed(state.entries.found(player)) if each.id in sat]
    return next((each for each in theirs if player in _played_for(state, each)), own)


def _played_for(state: Competition, entry: Entry) -> Set[str]:
    """Return all who have played for an entry, those also whom somebody replaced in a round of it."""
    found: set[str] = set()
    for stage, its_round, table in state.tables():
        seats = [seat.player for seat in table.seats if seat.entry == entry.id]
        if seats:
            found.update(seats, entry.lineup((stage.number, its_round.number)))
    return found


def posted(state: Competition) -> Sequence[tuple[int, int, Table]]:
    """Return the tables whose results are posted, each with its round and its number, the newest first."""
    posting = state.posting
    if posting is None:
        return ()
    return [
        (its_round.number, its_round.number_of(table), table)
        for _, its_round, table in state.tables()
        if _covers(posting, table)
    ]


def _covers(posting: Posting, table: Table) -> bool:
    """Return whether a table's first result is posted, or what replaced it after it was final."""
    seqs = (table.finished, table.walked, *(each.seq for each in table.results))
    return any(posting.after < seq <= posting.seq for seq in seqs)


def counted(table: Table) -> Counted:
    """Return what counts at a table, whatever brought it and why: a correction is something else."""
    plain = tuple(replace(each, seq=0, reason="", by_one=False) for each in table.results)
    return table.status, table.outcomes, plain


# ---- An organiser decides ------------------------------------------------------------------------


@dataclass(frozen=True)
class _DecisionFields:
    objection: Annotated[Seq, Label("Objection"), Help("the number of its event")]
    decision: Annotated[
        Literal["corrected", "dismissed"],
        Label(
            "Decision",
            (("corrected", text("The result was corrected")), ("dismissed", text("The result stands"))),
        ),
        Help("corrected only once the table has another result"),
    ]
    reason: v.Reason


class ObjectionDecided(_DecisionFields, Event, type="objection_decided"):
    """An organiser decides about an objection: the result was corrected, or it stands."""

    title = "Objection decided"
    found_by = "protest rejected, upheld, dismissed, corrected"
    text = "The objection in event %(objection)s is granted, the result is corrected."
    text_dismissed = "The objection in event %(objection)s is dismissed."
    after_end = True

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        return cls.text_dismissed if fields["decision"] == "dismissed" else cls.text

    def apply(self, state: Competition) -> Competition:
        found = next((each for each in state.objections if each.number == self.objection), None)
        if found is None:
            raise Illegal("There is no such objection.", fields=["objection"])
        table = state.any_table(found.table)
        newer = table.status != "played" or any(each.seq > found.number for each in table.results)
        if self.decision == "corrected" and not newer:
            raise Illegal(_SAME, fields=["decision"])
        if (found.decision, found.reason) == (self.decision, self.reason):
            return state
        now = replace(found, decision=self.decision, reason=self.reason, decided=state.seq + 1)
        decided = replace(now, earlier=found.decisions)
        listed = tuple(decided if each is found else each for each in state.objections)
        return replace(state, objections=listed)


class DecideObjection(_DecisionFields, Verb, key="decide-objection"):
    """Decide about an objection, with a sentence that its author reads; a correction comes before it.

    Who decides it once more names the decision that this one replaces.
    """

    taken_back_by = ("decide-objection",)
    decide_objection = Button(
        "Decide an objection",
        "Who objected reads it. To correct a result, set it first.",
        "Decide it again.",
        statuses=LATER,
        asks=("objection", "decision", "reason"),
    )

    instead_of: Annotated[
        Seq | None,
        Help("the `decided` of the decision that this one replaces; left out: nobody has decided yet"),
    ] = None

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return bool(state.objections)

    def decide(self, state: Competition, given: Given) -> Events:
        found = next((each for each in state.objections if each.number == self.objection), None)
        if found and self._is_made(found.decisions):
            return ()
        same = found is not None and counted(state.any_table(found.table)) == found.counted
        if self.decision == "corrected" and same:
            raise Illegal(_SAME, fields=["decision"])
        return (ObjectionDecided(self.objection, self.decision, self.reason),)

    def _is_made(self, made: Sequence[Objection]) -> bool:
        """Return whether this decision was made before; raise `Illegal` where another one was instead."""
        before = [None, *(each.decided for each in made)]
        if self.instead_of not in before:
            raise Illegal("There is no such decision about this objection.", fields=["instead_of"])
        later = made[before.index(self.instead_of) :]
        if later and (later[0].decision, later[0].reason) != (self.decision, self.reason):
            raise Illegal(DECIDED, fields=["objection"])
        return bool(later)


def undecided(state: Competition) -> tuple[Objection, ...]:
    """Return the objections that wait for an organiser, the oldest first.

    With its round withdrawn an objection is settled: nothing that it is about counts any more.
    """
    withdrawn = {table.id for table in state.withdrawn_tables()} if state.objections else ()
    return tuple(each for each in state.objections if not each.decision and each.table not in withdrawn)


def cautions(state: Competition) -> Iterator[Caution]:
    """Yield what is still to be checked or decided before the results are final."""
    if count := sum(1 for _ in unchecked(state)):
        yield Caution(plural("%(count)d result is not checked.", "%(count)d results are not checked.", count))
    if count := len(undecided(state)):
        yield Caution(
            plural("%(count)d objection is not decided.", "%(count)d objections are not decided.", count),
            "decide-objection",
        )
