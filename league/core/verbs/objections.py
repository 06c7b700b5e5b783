"""Results that are posted, objections to them until a stated time, and what organisers decide."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from games.engine.messages import plural, text
from games.engine.refusals import Illegal, Malformed
from games.engine.shapes import Between, Help, Label, Length
from games.engine.values import replace
from league.core import course
from league.core.events import AND_PLAYERS, Event
from league.core.state import values as v
from league.core.state.competition import (
    Competition,
    Counted,
    Entry,
    Objection,
    Posting,
    Table,
)
from league.core.verb import Button, Caution, EntryVerb, Events, Given, OwnButton, Verb
from league.core.verbs.checking import FARTHEST, LATER, Seq, published_any, unchecked

_SAME = text("Correct the result of the table first: it is still the same.")
DECIDED = text("This objection was decided meanwhile. Read that decision; you can still decide it again.")

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
    by_code = True
    text = "Objection of %(entry)s to the result of %(table)s: %(what)s"
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
    text = "The objection is granted, the result is corrected."
    text_dismissed = "The objection is dismissed."
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
