"""Enter, apply, admit: how players come into a competition."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

from games.engine.messages import Message, plural, text
from games.engine.refusals import Illegal, Malformed
from games.engine.shapes import Help, Length
from games.engine.values import replace
from league.core.entering import NewEntry, first_round, own_name, start_point
from league.core.events import AND_PLAYERS, Event
from league.core.state import values as v
from league.core.state.competition import BEGINNING, Competition, Entry
from league.core.state.updates import (
    arrived,
    in_smallest_group,
    refuse_after_start,
    refuse_if_full,
    with_entries,
    with_entry,
    with_status,
)
from league.core.verb import Button, EntryVerb, Events, Given, OwnButton, Verb, changes_something

# ---- Enter ---------------------------------------------------------------------------------------


class Entered(NewEntry, Event, type="entered"):
    """An entry takes part, or with ``waiting`` joins the waiting list.

    After the start it is a *late entry*: it takes part from the unpublished round ``from_round`` on, in the
    smallest group, with points only for earlier rounds that the stage credits (``late_rounds``); or with
    ``next_stage`` from the next stage on. An empty name is that of its players, which is in no log.
    """

    title = "Entry"
    found_by = "entered, registered, signed up, joined, new player"
    said_by = (*AND_PLAYERS, "club")
    text = "Entered: %(name)s."
    text_later = "Entered from round %(from_round)s on: %(name)s."
    text_waiting = "Entered on the waiting list: %(name)s."
    waiting: bool = False
    from_round: v.Count = 1
    next_stage: bool = False

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        return cls.text_waiting if fields.get("waiting") else super().sentence(fields)

    @classmethod
    def sentence_of_many(cls, count: int) -> Message:
        return plural("%(count)d entry was added.", "%(count)d entries were added.", count)

    def apply(self, state: Competition) -> Competition:
        if self.waiting:
            refuse_after_start(state)
            return self.added(state, "waiting", BEGINNING)
        refuse_if_full(state)
        since = start_point(state, self.from_round, self.next_stage)
        if self.next_stage:
            return self.added(state, "entered", since)
        return in_smallest_group(self.added(state, "entered", since), self.entry)


def entered(
    state: Competition, given: Given, team: v.Team, name: str, affiliation: str, from_round: int | None
) -> Entered:
    """Return the event that enters a team; it joins the waiting list if all places are taken."""
    names = given.names(team, "players.{}")
    first, next_stage = first_round(state, from_round)
    waiting = not state.started and state.full
    entry = given.id_for(f"entry {state.seq + 1}")
    own = own_name(name, names, given.hidden)
    return Entered(entry, own, team, affiliation, given.club, waiting, first, next_stage)


class EnterPlayers(Verb, key="enter"):
    """Enter a player or a team of the club; an entry without a name gets its players' names.

    The order of a team's players is its line-up: on boards the first player sits at board 1. Draws keep
    entries with the same affiliation apart. The entry joins the waiting list if all places are taken. After
    the start it is a late entry, by default from the next round on. Refused while the same players have a
    withdrawn entry in that stage: it can return.
    """

    taken_back_by = ("withdraw",)
    brings = "players"

    players: Annotated[v.Team, Help("ids of players in line-up order")]
    name: Annotated[str, Length(0, 100), Help("by default the players' names")] = ""
    affiliation: v.Affiliation = ""
    from_round: v.FromRound = None

    enter = Button(
        "Enter players",
        "The players you tick take part; after the start, from the next round on, "
        "or at once where tables open one by one.",
        "You can withdraw an entry.",
        part="entries",
        asks=("players",),
    )
    enter_team = Button(
        "Enter a team",
        "The team takes part; after the start, from the next round on, "
        "or at once where tables open one by one.",
        "You can withdraw an entry.",
        part="entries",
        asks=("players", "name", "affiliation"),
    )
    enter_names = Button(
        "Enter a list of names",
        "All players on the list take part; after the start, from the next round on, "
        "or at once where tables open one by one.",
        "You can withdraw an entry.",
        part="entries",
        asks=("players",),
    )

    def decide(self, state: Competition, given: Given) -> Events:
        enters = entered(state, given, self.players, self.name, self.affiliation, self.from_round)
        said = (enters.players, enters.name, enters.affiliation)
        theirs = (
            each for each in state.entries.found(self.players[0]) if each.status in ("entered", "waiting")
        )
        if any((each.players, each.own_name, each.affiliation) == said for each in theirs):
            return ()
        return (enters,)

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        unused = "enter" if state.opening.lineup != "single" else "enter-team"
        return button.key != unused


# ---- Apply ---------------------------------------------------------------------------------------


class Applied(NewEntry, Event, type="applied"):
    """A player applies; the entry waits for an organiser's approval."""

    title = "Application"
    found_by = "applied, registered, signed up"
    said_by = ("player",)
    text = "Application: %(name)s."

    def apply(self, state: Competition) -> Competition:
        _refuse_unless_open(state)
        return self.added(state, "applied", BEGINNING)


class ApplyForEntry(Verb, key="enter"):
    """Enter yourself, or a team of the club's players that includes you, while entries are open.

    Depending on the competition the entry takes part at once, needs an organiser's approval, or joins the
    waiting list. Nothing changes if these players have an entry already.
    """

    audience = "players"
    brings = "players"
    own = ("players", "name", "affiliation")
    own_button = OwnButton("Enter this competition", "Press the button to take part.", rank=0)

    players: Annotated[tuple[v.PlayerId, ...], Length(0, v.MAX_TEAM), Help("by default only yourself")] = ()
    name: Annotated[str, Length(0, 100), Help("by default the players' names")] = ""
    affiliation: v.Affiliation = ""

    @classmethod
    def open_to_player(cls, state: Competition, given: Given, entry: Entry | None) -> bool:
        if entry is not None:
            return False
        if state.opening.team_size > 1:
            # Whether its players are free is checked when the team enters.
            return state.entries_open
        return changes_something(state, cls(), given)

    def decide(self, state: Competition, given: Given) -> Events:
        team = self.players or ((given.player,) if given.player else ())
        if given.player not in team:
            raise Malformed({"players": [text("You can enter only teams in which you play.")]})
        existing = state.entry_with(team[0])
        if existing and existing.live and existing.players == team and self._fits(existing):
            return ()
        _refuse_unless_open(state)
        if not state.opening.entering.approval:
            return (entered(state, given, team, self.name, self.affiliation, None),)
        name = own_name(self.name, given.names(team, "players.{}"), given.hidden)
        return (Applied(given.id_for(f"entry {state.seq + 1}"), name, team, self.affiliation),)

    def _fits(self, entry: Entry) -> bool:
        named = self.name in ("", entry.name, entry.own_name)
        return named and self.affiliation in ("", entry.affiliation)


def _refuse_unless_open(state: Competition) -> None:
    """Raise `Illegal` where players can't enter themselves now."""
    if not state.entries_open:
        raise Illegal("Entries are not open.")
    if state.started and any(entry.status == "waiting" for entry in state.entries):
        raise Illegal("Others are on the waiting list: ask an organiser.")


# ---- Admit ---------------------------------------------------------------------------------------


class Admitted(Event, type="admitted"):
    """An entry of the waiting list takes part, from ``from_round`` on or from the next stage on.

    Before the start this happens to the first in the list when an entry withdraws. After the start only an
    organiser admits entries, as late entries.
    """

    title = "Admitted from the waiting list"
    found_by = "moved up, promoted from the waiting list"
    said_by = AND_PLAYERS
    said_with: ClassVar = {"player": "withdrawn"}
    text = "Moved up from the waiting list: %(entry)s."
    text_later = "Moved up from the waiting list, from round %(from_round)s on: %(entry)s."
    entry: v.EntryId
    from_round: v.Count = 1
    next_stage: bool = False

    @classmethod
    def sentence_of_many(cls, count: int) -> Message:
        return plural(
            "%(count)d entry moves up from the waiting list.",
            "%(count)d entries move up from the waiting list.",
            count,
        )

    def apply(self, state: Competition) -> Competition:
        entry = with_status(state, self.entry, "waiting", text("Only a waiting entry can be admitted."))
        refuse_if_full(state)
        since = start_point(state, self.from_round, self.next_stage)
        entry = arrived(state, entry, since)
        admitted = replace(entry, status="entered", spells=((since, None),), was=(*entry.was, "waiting"))
        if self.next_stage:
            return with_entry(state, admitted)
        return in_smallest_group(with_entry(state, admitted), entry.id)


class AdmitEntry(EntryVerb, key="admit"):
    """Admit an entry from the waiting list, not necessarily the first, if a place is free.

    Before the start the first in the list moves up when an entry withdraws. After the start an admitted entry
    is a late entry, by default from the next round on.
    """

    taken_back_by = ("take-back-decision",)
    takes = ("waiting",)
    done = ("entered",)
    admit = Button(
        "Admit from the waiting list",
        "The entries you tick take part if places are free; after the start, from the next round on.",
        "“Take back approval, rejection or admission” works until the entry is in a published round.",
        part="entries",
        asks=("entry",),
        several=True,
    )

    from_round: v.FromRound = None

    def decide(self, state: Competition, given: Given) -> Events:
        return (Admitted(self.entry, *first_round(state, self.from_round)),)


# ---- Approve -------------------------------------------------------------------------------------


class Approved(Event, type="approved"):
    """An applicant takes part, or with ``waiting`` joins the waiting list."""

    title = "Entry approved"
    found_by = "accepted, approval"
    text = "Approved: %(entry)s."
    text_waiting = "Approved, and on the waiting list: %(entry)s."
    entry: v.EntryId
    waiting: bool = False

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        return cls.text_waiting if fields.get("waiting") else cls.text

    @classmethod
    def sentence_of_many(cls, count: int) -> Message:
        return plural("%(count)d entry is approved.", "%(count)d entries are approved.", count)

    def apply(self, state: Competition) -> Competition:
        entry = with_status(state, self.entry, "applied", text("Only an applicant can be approved."))
        if not state.open_ended:
            refuse_after_start(state)
        if self.waiting:
            refuse_after_start(state)
            return with_entry(state, replace(entry, status="waiting", was=(*entry.was, "applied")))
        refuse_if_full(state)
        since = state.joining(state.joining_round()) if state.started else BEGINNING
        approved = replace(arrived(state, entry, since), status="entered", spells=((since, None),))
        return in_smallest_group(
            with_entry(state, replace(approved, was=(*entry.was, "applied"))), self.entry
        )


class ApproveEntry(EntryVerb, key="approve"):
    """Approve an applicant before the start, or in an open-ended round.

    Before the start they join the waiting list if all places are taken.
    """

    taken_back_by = ("take-back-decision",)
    takes = ("applied",)
    done = ("entered", "waiting")
    approve = Button(
        "Approve",
        "The applicants you tick take part, or join the waiting list if all places are taken.",
        "“Take back approval, rejection or admission” works until the entry is in a published round.",
        part="entries",
        asks=("entry",),
        several=True,
    )

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return super().offered(state, button) and (state.open_ended or not state.started)

    def decide(self, state: Competition, given: Given) -> Events:
        return (Approved(self.entry, not state.started and state.full),)


# ---- Reject --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _RejectFields:
    entry: v.EntryId
    reason: v.Note = ""


class Rejected(_RejectFields, Event, type="rejected"):
    """An applicant does not take part."""

    title = "Entry rejected"
    found_by = "refused, turned down"
    text = "Rejected: %(entry)s."

    @classmethod
    def sentence_of_many(cls, count: int) -> Message:
        return plural("%(count)d entry is rejected.", "%(count)d entries are rejected.", count)

    def apply(self, state: Competition) -> Competition:
        entry = with_status(state, self.entry, "applied", text("Only an applicant can be rejected."))
        return with_entry(state, replace(entry, status="rejected", was=(*entry.was, "applied")))


class RejectEntry(_RejectFields, EntryVerb, key="reject"):
    """Reject an applicant; the reason is public."""

    taken_back_by = ("take-back-decision",)
    event = Rejected
    takes = ("applied",)
    done = ("rejected",)
    reject = Button(
        "Reject",
        "The applicants you tick do not take part.",
        "“Take back approval, rejection or admission”, or enter them yourself.",
        part="entries",
        asks=("entry", "reason"),
        several=True,
        danger=True,
    )


# ---- Close entries -------------------------------------------------------------------------------


class EntriesClosed(Event, type="entries_closed"):
    """Players can no longer enter themselves; organisers still can enter players."""

    title = "Entries closed"
    found_by = "registration closed"
    text = "Entries are closed."

    def apply(self, state: Competition) -> Competition:
        return with_entries(state, "preparing")


class CloseEntries(Verb, key="close-entries"):
    """Close entries: from now on only organisers can enter players."""

    taken_back_by = ("open",)
    event = EntriesClosed
    close_entries = Button(
        "Close entries",
        "Only organisers can enter players from now on.",
        "“Open entries” again.",
        part="entries",
    )

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return state.entries_open
