"""Withdraw, come back, expel, substitute, correct a name: what happens to an entry."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from games.engine.messages import Message, plural, text
from games.engine.refusals import Illegal
from games.engine.shapes import Help, Label
from games.engine.values import replace
from league.core import formats
from league.core.course import has_next_round, more_to_come
from league.core.entering import joined, named_after
from league.core.events import AND_PLAYERS, Event
from league.core.public_names import tells
from league.core.state import values as v
from league.core.state.competition import Competition, Entry, Point
from league.core.state.updates import (
    arrived,
    in_smallest_group,
    refuse_double,
    refuse_if_full,
    refuse_taken_name,
    with_entry,
    with_status,
)
from league.core.verb import LIVE, UNDER_WAY, Button, EntryVerb, Events, Given, OwnButton, changes_something
from league.core.verbs.entering import Admitted
from league.core.verbs.results import Forfeited, Voided
from league.core.weighing import reseated

# ---- Withdraw ------------------------------------------------------------------------------------


class Withdrawn(Event, type="withdrawn"):
    """An entry does not play from ``from_round`` on, by default from the first unpublished round on.

    A second withdrawal can only bring this forward. Its results still count; its current tables are decided
    like any others.
    """

    title = "Withdrawal"
    found_by = "withdrew, left, dropped out, quit, gone, retired, expulsion, thrown out, disqualified"
    said_by = AND_PLAYERS
    emails = "entry"
    text = "Withdrawn: %(entry)s."
    text_expelled = "Expelled: %(entry)s."
    text_later = "Withdrawn from round %(from_round)s on: %(entry)s."
    entry: v.EntryId
    from_round: v.Count | None = None
    reason: v.Note = ""
    expelled: Annotated[bool, Help("an organiser expelled the entry")] = False

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        return cls.text_expelled if fields.get("expelled") else super().sentence(fields)

    @classmethod
    def sentence_of_many(cls, count: int) -> Message:
        return plural("%(count)d entry is withdrawn.", "%(count)d entries are withdrawn.", count)

    def apply(self, state: Competition) -> Competition:
        entry = state.entry(self.entry)
        until = state.upcoming(self.from_round or state.next_round)
        if not entry.live and not _leaves_after(entry, until):
            raise Illegal("Not taking part: %(name)s.", name=entry.name)
        spells = tuple((since, min(end or until, until)) for since, end in entry.spells if since < until)
        was = (*entry.was, entry.status) if entry.live else entry.was
        expulsions = (*entry.expulsions, (until, None)) if self.expelled else entry.expulsions
        left = replace(entry, status="withdrawn", spells=spells, was=was, expulsions=expulsions)
        return reseated(with_entry(state, left))


def _leaves_after(entry: Entry, until: Point) -> bool:
    """Return whether an entry has withdrawn from a round after a point."""
    left = entry.spells[-1][1] if entry.status == "withdrawn" and entry.spells else None
    return left is not None and until < left


class WithdrawEntry(EntryVerb, key="withdraw"):
    """Withdraw an entry, by default from the next round on, or at once while a round is open-ended.

    Before the start the first entry of the waiting list takes its place. An entry that has withdrawn from a
    later round leaves at the earlier one; otherwise a second withdrawal changes nothing.
    """

    taken_back_by = ("return-entry",)
    takes = ("entered", "waiting", "applied")
    own = ("reason",)
    own_button = OwnButton(
        "Withdraw",
        "You do not play from the next round on; where tables open one by one, at once. "
        "Your results still count. In a ladder you leave your rung, and win none at a running table.",
        "You have withdrawn.",
        danger=True,
        rank=90,
    )
    withdraw = Button(
        "Withdraw",
        "The entries you tick do not play from the next round on; where tables open one by one, at once. "
        "Their results still count. A table at which they sit now stays undecided: the page then offers a "
        "walkover or a forfeit. In a ladder they leave their rungs, and win none at running tables.",
        "“Return” lets a withdrawn entry play again.",
        part="entries",
        asks=("entry", "reason"),
        several=True,
        danger=True,
    )

    reason: v.Note = ""
    from_round: v.FromRound = None

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return True

    @classmethod
    def open_to_player(cls, state: Competition, given: Given, entry: Entry | None) -> bool:
        return entry is not None and changes_something(state, cls(entry.id), given)

    def decide(self, state: Competition, given: Given) -> Events:
        entry, first = state.entry(self.entry), self.from_round or state.next_change
        if entry.status == "withdrawn" and not _leaves_after(entry, state.round_point(first)):
            return ()
        told = self.from_round or (first if state.stage and has_next_round(state) else None)
        withdrawn = Withdrawn(self.entry, told, self.reason)
        if state.started or entry.status != "entered":
            return (withdrawn,)
        waiting = [Admitted(entry.id) for entry in state.entries if entry.status == "waiting"]
        return withdrawn, *waiting[:1]


# ---- Return entry --------------------------------------------------------------------------------


class Returned(Event, type="returned"):
    """A withdrawn entry takes part again from ``from_round`` on, by default the first round it can join.

    In the rounds between it did not belong to the stage. After the start it needs no check-in. Who comes back
    to a ladder in the same stage has the old rung, unless results since then gave another.
    """

    title = "Return"
    found_by = "returned, back again, plays again"
    text = "Playing again: %(entry)s."
    text_later = "Playing again from round %(from_round)s on: %(entry)s."
    text_rung = "Playing again, with the rung that the results since then give: %(entry)s."
    text_rung_later = (
        "Playing again from round %(from_round)s on, "
        "with the rung that the results since then give: %(entry)s."
    )
    emails = "entry"
    entry: v.EntryId
    from_round: v.Count | None = None
    old_rung: Annotated[bool, Help("it comes back to its rung of a ladder")] = False

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        if fields.get("old_rung"):
            return cls.text_rung_later if "from_round" in fields else cls.text_rung
        return super().sentence(fields)

    @classmethod
    def sentence_of_many(cls, count: int) -> Message:
        return plural("%(count)d entry plays again.", "%(count)d entries play again.", count)

    def apply(self, state: Competition) -> Competition:
        entry = with_status(state, self.entry, "withdrawn", text("Only a withdrawn entry can return."))
        usual = max(state.next_round, state.joining_round(self.entry))
        since = state.joining(self.from_round or usual, self.entry)
        refuse_double(state, entry.players, since, itself=entry.id)
        status = entry.was[-1] if entry.was else "entered"
        expulsions = tuple((start, end or since) for start, end in entry.expulsions if end or start < since)
        back = replace(
            entry, status=status, spells=entry.spells_from(since), was=entry.was[:-1], expulsions=expulsions
        )
        if status != "entered":
            return with_entry(state, back)
        refuse_if_full(state)
        state = reseated(with_entry(state, arrived(state, back, since)))
        if state.stage and entry.id not in state.stage.entries:
            return in_smallest_group(state, entry.id)
        return state


class ReturnEntry(EntryVerb, key="return-entry"):
    """Let a withdrawn entry play again, by default from the next round on.

    A withdrawal from a later round is taken back. One that waited or had applied does so again.

    Refused if all places are taken, or one of its players now plays for another entry.
    """

    taken_back_by = ("withdraw",)
    takes = ("withdrawn",)
    return_entry = Button(
        "Return",
        "The entries you tick play again from the next round on; where tables open one by one, at once. "
        "On a ladder they have the rungs that the results since they left give, and those below move down.",
        "You can withdraw an entry again.",
        part="entries",
        asks=("entry",),
        several=True,
    )

    from_round: v.FromRound = None

    def decide(self, state: Competition, given: Given) -> Events:
        first = state.joining_round(self.entry) if has_next_round(state) else None
        stage = state.stage if state.stage and self.entry in state.stage.entries else None
        old_rung = bool(stage and formats.of(stage.plan).ranked_by())
        return (Returned(self.entry, self.from_round or first, old_rung),)


# ---- Expel ---------------------------------------------------------------------------------------


class ExpelEntry(EntryVerb, key="expel"):
    """Expel an entry: it forfeits the tables that it is playing at, and plays no more.

    Its played results stay, unless ``annul`` makes all its tables of the current stage void, those that it
    was playing at too; the results of the others there then don't count either.
    """

    taken_back_by = ("return-entry", "take-back-outcome", "reopen-table")
    expel = Button(
        "Expel",
        "The entry forfeits the tables that it is playing at, and plays no more. Its results stay, "
        "unless you annul all of them; the preview shows what that changes.",
        "“Return” lets it play again; “Take back no-show or forfeit” or “Reopen” each table.",
        statuses=UNDER_WAY,
        part="entries",
        asks=("entry", "reason", "annul"),
        danger=True,
    )

    reason: v.Reason
    annul: Annotated[
        bool, Label("Annul all its results"), Help("its tables of this stage become void, for the others too")
    ] = False

    def decide(self, state: Competition, given: Given) -> Events:
        entry = state.entry(self.entry)
        if entry.status != "entered":
            raise Illegal("Not taking part: %(name)s.", name=entry.name)
        first = state.next_change if state.stage and has_next_round(state) else None
        return *self._tables(state), Withdrawn(self.entry, first, self.reason, expelled=True)

    def _tables(self, state: Competition) -> Iterator[Event]:
        for each in state.stage.shown_rounds if state.stage else ():
            for table in each.tables:
                if self.entry not in table.entries or table.void is not None:
                    continue
                if self.annul:
                    yield Voided(table.id, self.reason)
                elif not table.decided and self.entry not in table.outcome_of:
                    yield Forfeited(table.id, self.entry, self.reason)


# ---- Substitute ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _SubstituteFields:
    entry: v.EntryId
    out: Annotated[v.PlayerId, Label("Who leaves")]
    into: Annotated[v.PlayerId, Label("Who plays instead")]
    reason: v.Note = ""
    points: Annotated[
        Literal["entry", "stand_in"],
        Label(
            "Whose points these are in a table over several evenings",
            (
                ("entry", text("of the one who entered")),
                ("stand_in", text("of the one who plays instead, from then on")),
            ),
        ),
        Help("in this competition the entry has them"),
    ] = "entry"


class Substituted(_SubstituteFields, Event, type="substituted"):
    """From ``from_round`` on another player plays for the entry, which keeps its results.

    By default that is the first unpublished round. ``points`` says for a table over several evenings whose
    they are from then on: those of who entered, or the stand-in's own.
    """

    title = "Substitute"
    found_by = "substitution, replacement, replaced, stand-in"
    text = "%(into)s plays for %(entry)s in place of %(out)s."
    text_later = "%(into)s plays for %(entry)s in place of %(out)s from round %(from_round)s on."
    text_own = "%(into)s plays for %(entry)s in place of %(out)s, for points of their own."
    text_own_later = (
        "%(into)s plays for %(entry)s in place of %(out)s from round %(from_round)s on, "
        "for points of their own."
    )
    text_alone = "%(into)s plays in place of %(out)s."
    text_alone_later = "%(into)s plays in place of %(out)s from round %(from_round)s on."
    text_alone_own = "%(into)s plays in place of %(out)s, for points of their own."
    text_alone_own_later = (
        "%(into)s plays in place of %(out)s from round %(from_round)s on, for points of their own."
    )
    from_round: v.Count | None = None

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        """Return the sentence; where the entry is called as one of the two, it is named no second time."""
        alone = "_alone" if fields.get("alone") else ""
        own = "_own" if fields.get("points") == "stand_in" else ""
        later = "_later" if "from_round" in fields else ""
        found: str = getattr(cls, f"text{alone}{own}{later}")
        return found

    def joining(self) -> tuple[str, ...]:
        return (self.into,)

    def apply(self, state: Competition) -> Competition:
        entry = state.entry(self.entry)
        if entry.status != "entered":
            raise Illegal("Not taking part: %(name)s.", name=entry.name)
        if self.out not in entry.players:
            raise Illegal("Only a player of %(name)s can be replaced.", name=entry.name)
        since = state.upcoming(self.from_round or state.next_round)
        refuse_double(state, [self.into], since)
        players = tuple(self.into if player == self.out else player for player in entry.players)
        before = tuple(each for each in entry.lineups if each[0] < since)
        same = bool(before) and before[-1][1] == players
        lineups = before if same else (*before, (since, players))
        now = replace(entry, lineups=lineups, owners=tuple(each for each in entry.owners if each[0] < since))
        owners = self._owners(entry, now, since)
        if owners != now.owners_at(since):
            now = replace(now, owners=(*now.owners, (since, owners)))
        return reseated(with_entry(state, now))

    def _owners(self, entry: Entry, now: Entry, since: Point) -> tuple[str, ...]:
        """Return whose points the places earn from a round on."""
        latest = entry.owners[-1][1] if entry.owners else now.owners_at(since)
        place = entry.players.index(self.out)
        entrant = replace(now, owners=()).owners_at(since)[place]
        owner = self.into if self.points == "stand_in" else entrant
        return *latest[:place], owner, *latest[place + 1 :]


class SubstitutePlayer(_SubstituteFields, EntryVerb, key="substitute"):
    """Let another player of the club play for an entry, by default from the next round on."""

    taken_back_by = ("substitute",)
    brings = "into"
    substitute = Button(
        "Substitute",
        "Another player plays for the entry from the next round on. The entry keeps its results.",
        "Substitute again, the other way round.",
        part="entries",
        asks=("out", "into", "points", "reason"),
    )

    from_round: v.FromRound = None

    def decide(self, state: Competition, given: Given) -> Events:
        given.names([self.into], "into")
        if self.points == "stand_in" and not more_to_come(state):
            raise Illegal(
                "No further round is played in which somebody else could earn points of their own: who sits "
                "down in this one plays for %(name)s.",
                name=state.entry(self.entry).name,
            )
        first = state.next_change if has_next_round(state) else None
        fields = {**vars(self), "from_round": self.from_round or first}
        return (Substituted(**fields),)


# ---- Correct name --------------------------------------------------------------------------------


@dataclass(frozen=True)
class _CorrectNameFields:
    entry: v.EntryId
    name: v.Name


class NameCorrected(_CorrectNameFields, Event, type="name_corrected"):
    """The name ``former`` of an entry was misspelt: it has another one everywhere, in earlier rounds too.

    This can be after the end, and changes no standings. An empty name is that of its players.
    """

    title = "Name corrected"
    found_by = "renamed, rename, misspelt, typing error, spelling, new name"
    text = "%(former)s is now written %(name)s."
    text_first = "An entry has a name of its own: %(name)s."
    after_end = True
    name: v.OwnName
    former: v.OwnName

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        return cls.text if fields.get("former") else cls.text_first

    def apply(self, state: Competition) -> Competition:
        entry = state.entry(self.entry)
        if entry.own_name != self.former:
            raise Illegal("The entry is named %(name)s.", name=entry.name)
        if entry.live:
            refuse_taken_name(state, self.name, itself=entry.id)
        return with_entry(state, replace(entry, name=self.name, own_name=self.name))


class CorrectName(_CorrectNameFields, EntryVerb, key="correct-name"):
    """Correct the name of an entry, also after the end.

    Entries that are named after their players follow by themselves when the name of a player is changed.
    """

    taken_back_by = ("correct-name",)
    takes = ("applied", "rejected", "waiting", "entered", "withdrawn")
    correct_name = Button(
        "Correct a name",
        "The entry has this name everywhere: in rounds that were published, standings and prints, too. "
        "The log says both names. If the name of a player is wrong, correct it in the player’s form instead.",
        "Correct it once more.",
        statuses=(*LIVE, "finished", "cancelled"),
        part="entries",
        asks=("entry", "name"),
    )

    def decide(self, state: Competition, given: Given) -> Events:
        entry = state.entry(self.entry)
        name = "" if tells(self.name, given.hidden) else self.name
        corrected = entry.name != self.name and name != entry.own_name
        return (NameCorrected(self.entry, name, entry.own_name),) if corrected else ()


def corrections(
    state: Competition, names: Mapping[str, str], now: Mapping[str, str]
) -> Iterator[NameCorrected]:
    """Yield what corrects the entries whose names were made from those of players who have others now.

    ``names`` and ``now`` are the names of players by their ids, before and after. The log is told those only
    of an entry whose first players are not the ones that it is named after.
    """
    for entry in state.entries:
        players = named_after(entry, names)
        if players and any(names.get(player) != now.get(player) for player in players):
            name = "" if players == entry.eponyms else joined([now.get(each, "") for each in players])
            yield NameCorrected(entry.id, name, entry.own_name)
