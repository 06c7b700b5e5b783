"""Challenges that wait for an answer: made, and waiting again; answers are in `answers`."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Annotated

from games.engine.chain import stamp
from games.engine.messages import plural, text
from games.engine.refusals import Illegal
from games.engine.shapes import Help, Label
from games.engine.values import replace
from league.core import course, formats
from league.core.events import AND_PLAYERS, Event
from league.core.formats.base import Answering
from league.core.state import values as v
from league.core.state.challenges import Challenge, waiting
from league.core.state.competition import Competition, Entry, Stage
from league.core.state.updates import (
    begun_stage,
    groups,
    played_round,
    refuse_unless_running,
    with_challenge,
)
from league.core.verb import RUNNING, Button, EntryVerb, Events, Given, OwnButton, Verb
from league.core.verbs.checking import Seq
from league.core.verbs.tables import playing_already, refuse_missing

# ---- Made ----------------------------------------------------------------------------------------


class Challenged(Event, type="challenged"):
    """An entry challenges another one, which answers before a time; until then no table opens."""

    title = "Challenge made"
    found_by = "ladder, opponent, asks, dares"
    said_by = AND_PLAYERS
    text = "Challenge: %(by)s against %(entry)s. To be answered by %(until)s."
    stage: v.Count
    round: v.Count
    by: v.EntryId
    entry: v.EntryId
    until: v.Time

    def apply(self, state: Competition) -> Competition:
        refuse_unless_running(state)
        stage, _played = played_round(state, self.stage, self.round)
        made = Challenge(state.seq + 1, (self.stage, self.round), self.by, self.entry, self.until)
        _refuse_pair(state, stage, made)
        formats.of(stage.plan).check_table(state, stage, made.entries)
        _refuse_again(state, stage, made)
        most = _answering(stage).most
        own = sum(each.by == self.by for each in waiting(state.challenges))
        if most and own >= most:
            raise Illegal(
                plural(
                    "%(name)s has %(count)d challenge open already: no more are allowed at once.",
                    "%(name)s has %(count)d challenges open already: no more are allowed at once.",
                    own,
                    name=state.entry(self.by).name,
                )
            )
        return replace(state, challenges=(*state.challenges, made))


def _answering(stage: Stage) -> Answering:
    answering = formats.of(stage.plan).answering(stage.plan)
    if answering is None:
        raise Illegal("In this stage no challenge waits for an answer: open a table.")
    return answering


def _refuse_pair(state: Competition, stage: Stage, challenge: Challenge) -> None:
    """Raise `Illegal` where the two of a challenge can't meet now, or meet already."""
    _answering(stage)
    one, other = map(state.entry, challenge.entries)
    if one is other:
        raise Illegal("An entry can't play against itself.")
    refuse_missing(state, challenge.at, challenge.entries)
    group_of = groups(state, stage, challenge.at[1])
    if group_of.get(one.id) != group_of.get(other.id):
        raise Illegal("The entries of a table must play in the round, all in one group.")
    if any({*each.entries} == {*challenge.entries} for each in waiting(state.challenges)):
        raise Illegal(
            "A challenge between %(one)s and %(other)s is open already.", one=one.name, other=other.name
        )
    current = state.current_round
    if current and (number := playing_already(current, one.id).get(other.id)):
        raise Illegal(
            "%(one)s and %(other)s play each other already, at table %(number)d.",
            one=one.name,
            other=other.name,
            number=number,
        )


def _refuse_again(state: Competition, stage: Stage, challenge: Challenge) -> None:
    """Raise `Illegal` where the last challenge of the two was too short a time ago.

    Both have the same time to answer, so the times until which tell how far apart they were made.
    """
    again = timedelta(days=_answering(stage).again)
    pair, until = {*challenge.entries}, datetime.fromisoformat(challenge.until)
    before = [
        datetime.fromisoformat(each.until)
        for each in state.challenges
        if each.stage == challenge.stage and each.status != "withdrawn" and {*each.entries} == pair
    ]
    if before and (left := max(before) + again - until) > timedelta():
        one, other = map(state.entry, challenge.entries)
        raise Illegal(
            plural(
                "%(one)s and %(other)s can challenge each other again in %(count)d day.",
                "%(one)s and %(other)s can challenge each other again in %(count)d days.",
                ceil(left / timedelta(days=1)),
                one=one.name,
                other=other.name,
            )
        )


def _until(stage: Stage, given: Given) -> str:
    """Return until when a challenge can be answered that waits from now on."""
    return stamp(course.hours_from(24 * _answering(stage).days, given.now, given.zone))


class MakeChallenge(EntryVerb, key="challenge"):
    """Challenge another entry, which has some days to answer, where the stage says so.

    A table opens once it accepts. The same two have one open challenge, or one table, at a time; the same
    challenge again changes nothing while it is open.
    """

    taken_back_by = ("withdraw-challenge",)
    until_deadline = True
    own = ("opponent",)
    own_button = OwnButton(
        "Challenge somebody",
        "Whom you challenge is told, and answers in time. A table opens once they accept.",
        "Your challenge is on its way.",
        rank=40,
    )
    challenge = Button(
        "Write down a challenge",
        "Whom the first one challenges is told, and answers in time. A table opens once they accept.",
        "Withdraw the challenge.",
        statuses=RUNNING,
        part="round",
        steps=("play", "rule"),
        asks=("entry", "opponent"),
    )

    opponent: Annotated[v.EntryId, Label("Opponent"), Help("who is challenged")]

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return state.current_round is not None and answers_wanted(state)

    @classmethod
    def open_to_player(cls, state: Competition, given: Given, entry: Entry | None) -> bool:
        current, stage = state.current_round, state.stage
        if entry is None or stage is None or current is None or state.status != "running":
            return False
        here = entry.plays((stage.number, current.number)) and entry.id not in state.outside
        return here and answers_wanted(state) and not course.deadline_passed(current, given.now)

    def decide(self, state: Competition, given: Given) -> Events:
        stage = begun_stage(state)
        if any(each.entries == (self.entry, self.opponent) for each in waiting(state.challenges)):
            return ()
        if stage.current_round is None:
            raise Illegal("No round is being played.")
        if course.deadline_passed(stage.current_round, given.now):
            raise Illegal("The time for this round is over.")
        if given.role == "player" and not {*state.entry(self.opponent).players} <= {*given.players}:
            raise Illegal("A player of this table is no longer active in the club.")
        number, until = stage.current_round.number, _until(stage, given)
        return (Challenged(stage.number, number, self.entry, self.opponent, until),)


def answers_wanted(state: Competition) -> bool:
    """Return whether challenges of the current stage wait for an answer."""
    stage = state.stage
    return stage is not None and formats.of(stage.plan).answering(stage.plan) is not None


def challengeable(state: Competition, entry: str) -> Sequence[str]:
    """Return whom an entry can challenge now: in reach and here, and they neither play nor wait already."""
    stage, current = state.stage, state.current_round
    if stage is None or current is None:
        return ()
    busy = {*playing_already(current, entry)}
    busy |= {other for each in waiting(state.challenges) if entry in each.entries for other in each.entries}
    near, at = formats.of(stage.plan).opponents(state, stage, entry), (stage.number, current.number)
    return [each for each in near if each not in busy and state.entry(each).plays(at)]


# ---- What is done with one ----------------------------------------------------------------------------


@dataclass(frozen=True)
class OfChallenge:
    """What a verb or an event is about."""

    challenge: Annotated[Seq, Label("Which challenge"), Help("the number of its event")]


@dataclass(frozen=True)
class Between(OfChallenge):
    """An event of a challenge, with the two that it is between."""

    by: v.EntryId
    entry: v.EntryId

    def waits(self, state: Competition) -> Challenge:
        """Return the challenge; raise `Illegal` where it is none between these two that waits."""
        refuse_unless_running(state)
        found = numbered(state, self.challenge)
        if found.entries != (self.by, self.entry) or found.status != "open":
            raise Illegal(NOT_OPEN, fields=["challenge"])
        return found


NOT_OPEN = text("This challenge is not open any more.")


def numbered(state: Competition, number: int) -> Challenge:
    """Return a challenge by its number; raise `Illegal`."""
    found = next((each for each in state.challenges if each.number == number), None)
    if found is None:
        raise Illegal("There is no such challenge.", fields=["challenge"])
    return found


def in_time(challenge: Challenge, at: datetime) -> bool:
    """Return whether a challenge can be answered at a moment, if it is open."""
    return at < datetime.fromisoformat(challenge.until)


def answer_by(state: Competition, challenge: Challenge) -> datetime:
    """Return when the time to answer a challenge ends: its own, or before that its round's."""
    until = datetime.fromisoformat(challenge.until)
    current = state.current_round
    ends = current.deadline if current else None
    return min(until, datetime.fromisoformat(ends)) if ends else until


# ---- Waiting again -------------------------------------------------------------------------------


class ChallengeReopened(Between, Event, type="challenge_reopened"):
    """A challenge waits for an answer again, or for longer; what the last one cost is given back."""

    title = "Challenge waits again"
    found_by = "longer, extended, taken back, undone, ladder"
    text = "The challenge of %(by)s to %(entry)s waits for an answer again. To be answered by %(until)s."
    until: v.Time
    reason: v.Note = ""

    def apply(self, state: Competition) -> Competition:
        refuse_unless_running(state)
        found = numbered(state, self.challenge)
        stage, _played = played_round(state, *found.at)
        if found.entries != (self.by, self.entry) or found.status == "accepted":
            raise Illegal("A table was opened for this challenge: void it instead.", fields=["challenge"])
        others = tuple(each for each in state.challenges if each is not found)
        _refuse_pair(replace(state, challenges=others), stage, found)
        again = replace(found, until=self.until, status="open", closed=0, costs="nothing")
        return with_challenge(state, again)


class ReopenChallenge(OfChallenge, Verb, key="reopen-challenge"):
    """Let a challenge wait for an answer once more, with the whole time from now on.

    It takes back a refusal, a lapse or a withdrawal with what it cost, and gives an open one more time.
    """

    taken_back_by = ("withdraw-challenge",)
    reopen_challenge = Button(
        "Let a challenge wait again",
        "The challenge can be answered once more, with the whole time. What a refusal or a lapse cost is "
        "given back.",
        "Withdraw the challenge.",
        statuses=RUNNING,
        part="round",
        asks=("challenge", "reason"),
        rare=True,
    )

    reason: v.Note = ""

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return bool(reopenable(state))

    def decide(self, state: Competition, given: Given) -> Events:
        found = numbered(state, self.challenge)
        until = _until(begun_stage(state), given)
        return (ChallengeReopened(found.number, *found.entries, until, self.reason),)


def reopenable(state: Competition) -> Sequence[Challenge]:
    """Return the challenges of the current round that were not accepted, the newest first."""
    current = state.current_round
    at = (len(state.stages), current.number) if current else None
    return [each for each in reversed(state.challenges) if each.at == at and each.status != "accepted"]


def waiting_on(state: Competition, given: Given) -> Events:
    """Return the events with which open challenges have the whole time again, as after a pause."""
    return [
        ChallengeReopened(each.number, *each.entries, _until(begun_stage(state), given))
        for each in waiting(state.challenges)
    ]
