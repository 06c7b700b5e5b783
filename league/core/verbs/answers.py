"""What becomes of challenges that wait for an answer: accepted, refused, lapsed, withdrawn."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import ClassVar, Final

from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core import course, formats
from league.core.events import AND_PLAYERS, Event, Role, apply
from league.core.open_tables import table_opened
from league.core.state import values as v
from league.core.state.challenges import Challenge, ChallengeStatus, Cost, Unanswered, waiting
from league.core.state.competition import Competition, Entry
from league.core.state.updates import (
    begun_stage,
    with_challenge,
)
from league.core.verb import RUNNING, Audience, Button, Events, Given, OwnButton, Verb
from league.core.verbs.challenges import NOT_OPEN, Between, OfChallenge, answer_by, in_time, numbered
from league.core.verbs.tables import refuse_missing

# ---- Accepted, refused, lapsed, withdrawn ---------------------------------------------------------


class ChallengeAccepted(Between, Event, type="challenge_accepted"):
    """The challenged accepts: a table opens, by an event of its own."""

    title = "Challenge accepted"
    found_by = "answer, agrees, ladder"
    said_by = AND_PLAYERS
    by_code = True
    text = "The challenge of %(by)s to %(entry)s is accepted."
    table: v.TableId

    def apply(self, state: Competition) -> Competition:
        accepted = replace(self.waits(state), status="accepted", closed=state.seq + 1, table=self.table)
        return with_challenge(state, accepted)


class _NotAccepted(Between, Event):
    """A challenge that is not accepted, with what that costs the challenged."""

    how: ClassVar[Unanswered]
    text_lost: ClassVar[str]
    text_drop: ClassVar[str]
    costs: Cost = "nothing"

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        return {"lost": cls.text_lost, "drop": cls.text_drop}.get(str(fields.get("costs")), cls.text)

    def apply(self, state: Competition) -> Competition:
        found = self.waits(state)
        stage = begun_stage(state)
        if self.costs != formats.of(stage.plan).cost_of(state, stage, found, self.how):
            raise Illegal("By the stage's rules this costs something else.", fields=["costs"])
        return with_challenge(state, replace(found, status=self.how, closed=state.seq + 1, costs=self.costs))


class ChallengeRefused(_NotAccepted, type="challenge_refused"):
    """The challenged refuses; what that costs follows from the stage."""

    title = "Challenge refused"
    found_by = "answer, declines, ladder, rung"
    said_by = AND_PLAYERS
    by_code = True
    how = "refused"
    text = "The challenge of %(by)s to %(entry)s is refused."
    text_lost = "The challenge of %(by)s to %(entry)s is refused, which counts as lost: both change rungs."
    text_drop = "The challenge of %(by)s to %(entry)s is refused, which costs %(entry)s one rung."


class ChallengeLapsed(_NotAccepted, type="challenge_lapsed"):
    """The time to answer is over; what that costs the challenged follows from the stage."""

    title = "Challenge lapsed"
    found_by = "no answer, too late, ladder, rung"
    said_by = ("system",)
    how = "lapsed"
    text = "The challenge of %(by)s to %(entry)s is not answered in time."
    text_lost = (
        "The challenge of %(by)s to %(entry)s is not answered in time, which counts as lost: "
        "both change rungs."
    )
    text_drop = (
        "The challenge of %(by)s to %(entry)s is not answered in time, which costs %(entry)s one rung."
    )


class ChallengeWithdrawn(Between, Event, type="challenge_withdrawn"):
    """The challenger takes the challenge back; it costs nothing."""

    title = "Challenge withdrawn"
    found_by = "taken back, ladder"
    said_by = AND_PLAYERS
    text = "The challenge of %(by)s to %(entry)s is withdrawn."

    def apply(self, state: Competition) -> Competition:
        return with_challenge(state, replace(self.waits(state), status="withdrawn", closed=state.seq + 1))


class Answer(OfChallenge, Verb):
    """What one of the two does with an open challenge, or an organiser for them."""

    own = ("challenge",)
    status: ClassVar[ChallengeStatus]
    challenger: ClassVar[bool] = False

    @classmethod
    def theirs(cls, state: Competition, entry: str) -> Iterator[Challenge]:
        """Yield the open challenges with which an entry can do this."""
        for each in waiting(state.challenges):
            if entry == (each.by if cls.challenger else each.entry):
                yield each

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return bool(waiting(state.challenges))

    @classmethod
    def open_to_player(cls, state: Competition, given: Given, entry: Entry | None) -> bool:
        theirs = cls.theirs(state, entry.id) if entry and state.status == "running" else ()
        return any(cls.challenger or given.now < answer_by(state, each) for each in theirs)

    def decide(self, state: Competition, given: Given) -> Events:
        found = numbered(state, self.challenge)
        if given.role == "player":
            own = state.entry_with(given.player or "")
            if own is None or own.id != (found.by if self.challenger else found.entry):
                raise Illegal("This challenge is not yours to answer.", fields=["challenge"])
        if found.status == self.status:
            return ()
        if found.status != "open":
            raise Illegal(NOT_OPEN, fields=["challenge"])
        if given.role == "player" and not (self.challenger or in_time(found, given.now)):
            raise Illegal("The time to answer is over.")
        if not self.challenger and course.deadline_passed(state.current_round, given.now):
            raise Illegal("The time for this round is over.")
        return self.answered(state, given, found)

    def answered(self, state: Competition, given: Given, challenge: Challenge) -> Events:
        """Return the events of an open challenge."""
        raise NotImplementedError


class AcceptChallenge(Answer, key="accept-challenge"):
    """Accept a challenge: its table opens at once. Organisers do it for who told them.

    A player accepts before its time is over. Accepted again, nothing changes.
    """

    taken_back_by = ("void",)
    status = "accepted"
    own_button = OwnButton("Accept", "A table opens at once.", "Your table is open.", rank=10)
    accept_challenge = Button(
        "Accept a challenge",
        "Who is challenged has accepted: a table opens at once.",
        "You can void the table.",
        statuses=RUNNING,
        part="round",
        asks=("challenge",),
    )

    def answered(self, state: Competition, given: Given, challenge: Challenge) -> Events:
        refuse_missing(state, challenge.at, challenge.entries)
        table = given.id_for(f"challenge {challenge.number}")
        accepted = ChallengeAccepted(challenge.number, *challenge.entries, table)
        # As at a table that a player opens, who is challenged sits first.
        entries, games = challenge.entries[::-1], [given.first_game(table)]
        opened = table_opened(apply(state, accepted), table=table, entries=entries, games=games)
        return accepted, opened


class RefuseChallenge(Answer, key="refuse-challenge"):
    """Refuse a challenge; the stage says what that costs. Organisers do it for who told them.

    A player refuses before its time is over. Refused again, nothing changes.
    """

    taken_back_by = ("reopen-challenge",)
    status = "refused"
    own_button = OwnButton("Refuse", "The challenger is told.", "You have refused.", danger=True, rank=11)
    refuse_challenge = Button(
        "Refuse a challenge",
        "Who is challenged has refused. The stage says what that costs.",
        "Let the challenge wait again.",
        statuses=RUNNING,
        part="round",
        asks=("challenge",),
        danger=True,
    )

    def answered(self, state: Competition, given: Given, challenge: Challenge) -> Events:
        stage = begun_stage(state)
        costs = formats.of(stage.plan).cost_of(state, stage, challenge, "refused")
        return (ChallengeRefused(challenge.number, *challenge.entries, costs),)


ANSWERS: Final[Mapping[str, type[Answer]]] = {"accept": AcceptChallenge, "refuse": RefuseChallenge}
"""The answers of who is challenged, by what a button sends."""


class WithdrawChallenge(Answer, key="withdraw-challenge"):
    """Take back a challenge that waits for an answer. Withdrawn again, nothing changes."""

    taken_back_by = ("reopen-challenge",)
    status = "withdrawn"
    challenger = True
    own_button = OwnButton(
        "Withdraw the challenge", "Who is challenged is told.", "Your challenge is withdrawn.", rank=12
    )
    withdraw_challenge = Button(
        "Withdraw a challenge",
        "The challenge is over. It costs nothing.",
        "Let the challenge wait again.",
        statuses=RUNNING,
        part="round",
        asks=("challenge",),
    )

    def answered(self, state: Competition, given: Given, challenge: Challenge) -> Events:
        return (ChallengeWithdrawn(challenge.number, *challenge.entries),)


class LapseChallenges(Verb, key="lapse-challenges"):
    """Let the challenges lapse whose time is over; nothing where there are none."""

    audience: ClassVar[Audience] = "system"

    def decide(self, state: Competition, given: Given) -> Events:
        found: list[Event] = []
        if state.status != "running":
            return ()
        for each in lapsing(state):
            if in_time(each, given.now):
                break
            stage = begun_stage(state)
            costs = formats.of(stage.plan).cost_of(state, stage, each, "lapsed")
            found.append(ChallengeLapsed(each.number, *each.entries, costs))
            state = apply(state, found[-1])
        return found


def lapsing(state: Competition) -> Sequence[Challenge]:
    """Return the challenges that the clock lets lapse, the first one first.

    Those end with the round, at no cost, whose time is longer: nobody can accept them after it.
    """
    return [each for each in waiting(state.challenges) if not in_time(each, answer_by(state, each))]


def untimely(event: Event, role: Role, state: Competition, at: datetime) -> str:
    """Return why a player could not answer, or the clock not let lapse, at a moment; empty where it could."""
    if not isinstance(event, ChallengeAccepted | _NotAccepted) or role not in ("player", "system"):
        return ""
    found = next((each for each in state.challenges if each.number == event.challenge), None)
    if found is None:
        return ""
    early = in_time(found, at)
    if early == (role == "player"):
        return ""
    return "the time to answer was over" if role == "player" else "the time to answer was not over"
