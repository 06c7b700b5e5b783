"""An organiser rules on a table, and takes decisions back."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from games import rules
from games.engine.messages import Message, plural, text
from games.engine.refusals import Illegal, Malformed
from games.engine.shapes import Between, Help, Label, Length
from games.engine.values import replace
from league.core import match_scores
from league.core.events import AND_CLUBS, Ending, EndsGames, Event, TableDecided, apply
from league.core.state import values as v
from league.core.state.competition import BEGINNING, Competition, Decision, Entry, Result, Table
from league.core.state.match import MOST_GAMES, GameScores, Tally
from league.core.state.plan import Placing
from league.core.state.updates import (
    decided,
    published_table,
    refuse_double,
    refuse_undecided_in_closed_round,
    with_entry,
    with_stage,
    with_table,
)
from league.core.verb import ANY_TABLE, UNDER_WAY, Button, Caution, EntryVerb, Events, Given, Verb
from league.core.verbs.checking import entered_alike
from league.core.verbs.course import Finished, Reopened
from league.core.verbs.results import NONE_COUNTS, in_seat_order, refuse_seats
from league.core.weighing import reseated

# ---- Rule ----------------------------------------------------------------------------------------

AgainstScores = Annotated[
    v.Note,
    Label("Why the ranks contradict the scores"),
    Help("for everyone to read; needed only where a better score has no better rank"),
]

WhyAgain = Annotated[
    str,
    Length(0, 500),
    Help(
        "why, for everyone to read; needed only to replace the result of a game, or of a closed round, and "
        "for scores to which no game comes"
    ),
]
NO_REASON = text("Say why the result is replaced.")

MatchGames = Annotated[
    tuple[GameScores, ...],
    Length(0, MOST_GAMES),
    Label("Games"),
    Help("of a match, its games in order; those after the one that decides don't count"),
]
Drawn = Annotated[
    int, Between(0, MOST_GAMES), Label("Drawn games"), Help("of a match whose games are not given one by one")
]


Side = Annotated[v.EntryId | None, Help("the entry for which the desk of its club says so, another club’s")]


class Ruled(TableDecided, type="ruled"):
    """A ruling: this result of a table replaces those of its games. A later ruling replaces it.

    Entries that are no-shows or have forfeited stay so and are last. The first result needs no ``reason``,
    nor does a ruling that replaces another while the round is open. With the same result it adds a reason.
    ``against_scores`` says why its ranks contradict its scores, where they do. Of a match the scores are the
    games won, which follow from ``games`` where they were typed in; the ``reason`` says why it ended early.
    """

    title = "Result set by hand"
    found_by = "correction, corrected, ruling, changed result, score entered, fixed"
    said_by = AND_CLUBS
    text = "%(table)s: the result is set: %(seats)s."
    text_against = "%(table)s: the result is set: %(seats)s. It is against the scores: %(against_scores)s."
    text_corrected = "%(table)s: the result is corrected: %(before)s → %(seats)s."
    text_corrected_against = (
        "%(table)s: the result is corrected: %(before)s → %(seats)s. It is against the scores: "
        "%(against_scores)s."
    )
    announces = "result"
    table: v.TableId
    seats: Annotated[tuple[Placing, ...], Length(1, 10)]
    reason: WhyAgain = ""
    against_scores: AgainstScores = ""
    games: MatchGames = ()
    drawn: Drawn = 0
    side: Side = None

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        before: Any = fields.get("before")
        if before and before.get("seats") != fields.get("seats"):
            return cls.text_corrected_against if fields.get("against_scores") else cls.text_corrected
        return cls.text_against if fields.get("against_scores") else cls.text

    def apply(self, state: Competition) -> Competition:
        table = published_table(state, self.table)
        placings = in_seat_order(table, self.seats)
        if any(each.left for each in placings):
            raise Illegal("A ruling does not say who left a game: the game's own result does.")
        ranks = [each.rank for each in placings]
        tally = self._tally(state, table, placings)
        made = made_ranks(state, table, placings, tally)
        if contradict(ranks, made) and not self.against_scores:
            raise Illegal(against(made), fields=["against_scores"])
        if table.decided and not self.reason and not is_first_hand(state, table):
            raise Illegal(NO_REASON, fields=["reason"])
        ruling = Result(placings, state.seq + 1, self.reason, self.against_scores, by_one=True)
        ruling = replace(ruling, side=self.side or "")
        if tally is not None:
            low_wins = state.opening.low_wins
            ruling = match_scores.of_ruling(table, ruling, self.games, tally, low_wins=low_wins)
        return with_table(state, decided(table, Decision(ruling, table.left_outcomes)))

    def _tally(self, state: Competition, table: Table, placings: Sequence[Placing]) -> Tally | None:
        """Return the games of a match, None where the table has one; raise `Illegal` where it can't be."""
        tally = tally_of(state, table, self.games, placings, self.drawn)
        if tally is not None:
            match_scores.check_tally(table, tally, early=bool(self.reason))
            if (tally.won, tally.drawn) != (match_scores.read_totals(table, placings, 0).won, self.drawn):
                raise Illegal("The score of a match is the number of games that each side won.")
        return tally


def tally_of(
    state: Competition,
    table: Table,
    games: Sequence[GameScores],
    placings: Sequence[Placing],
    drawn: int,
) -> Tally | None:
    """Return the games of a match that were typed in, from them or from the games won; None without one."""
    if games:
        return match_scores.read_games(table, games, low_wins=state.opening.low_wins)
    if table.match is None:
        if drawn:
            match_scores.match_of(table)
        return None
    match_scores.refuse_totals(state, table)
    return match_scores.read_totals(table, placings, drawn)


def made_ranks(
    state: Competition, table: Table, placings: Sequence[Placing], tally: Tally | None
) -> list[int]:
    """Return the ranks that the scores make, or the games of a match."""
    if tally is not None:
        return [each.rank for each in table.match_placings(tally)]
    scores = [each.score for each in placings]
    return ranks_of(table, scores, low_wins=state.opening.low_wins)


def is_first_hand(state: Competition, table: Table) -> bool:
    """Return whether a table's result is a ruling of the round that is still open."""
    return table.ruling is not None and state.table(table.id)[1].status == "published"


def ranks_of(table: Table, scores: Sequence[int], *, low_wins: bool) -> list[int]:
    """Return the rank of each seat by the scores; equal scores share the better rank.

    The seats of an entry share the rank of its best score. Those of an entry that did not come or has left
    share the last rank, whatever their scores.
    """
    left = dict(table.left_outcomes)
    worth: dict[str, tuple[bool, int]] = {}
    for seat, score in zip(table.seats, scores, strict=True):
        own = (False, 0) if seat.entry in left else (True, -score if low_wins else score)
        worth[seat.entry] = max(worth.get(seat.entry, own), own)
    each = [worth[seat.entry] for seat in table.seats]
    return [1 + sum(other > own for other in each) for own in each]


def contradict(ranks: Sequence[int], by_score: Sequence[int]) -> bool:
    """Return whether a seat with a better score has no better rank; equal scores may have any ranks."""
    pairs = list(zip(ranks, by_score, strict=True))
    return any(one[1] < other[1] and one[0] >= other[0] for one in pairs for other in pairs)


def against(made: Sequence[int]) -> str:
    """Return the refusal of ranks that contradict the scores, which would make other ranks."""
    listed = ", ".join(map(str, made))
    return text(
        "According to the scores the ranks are %(ranks)s. Correct them, or say why they differ.", ranks=listed
    )


@dataclass(frozen=True)
class RuledSeat:
    """The result of a seat in a ruling; ranks that are left out are made from the scores."""

    seat: Annotated[int, Between(0, 9)]
    score: Annotated[
        Annotated[int, Between(-1_000_000_000, 1_000_000_000)] | None,
        Help("left out, or 0, for a no-show and for who has forfeited: they are last, and no score counts"),
    ] = None
    rank: Annotated[
        Annotated[int, Between(1, 10)] | None, Help("1 is best; for all seats, or left out for all")
    ] = None


class SetResult(Verb, key="rule"):
    """Set the result of a table: a score for each seat, from which the ranks follow unless they are given.

    Of a match the scores are the games won; or its games are given, and ``seats`` may be empty.
    Ranks that contradict the scores need a reason of their own. The ruling replaces the results of the
    table's games and counts as played; a game that is still running ends. While the round is open, a ruling
    can be set again without a reason, by a scorekeeper too. A finished competition is reopened for it and
    finished again.
    """

    event = Ruled
    taken_back_by = ("reopen-table",)
    scope = "club:rule"
    ends_its_game = True
    audience = "scorekeepers_undecided"
    rule = Button(
        "Set the result",
        "This result counts instead of the table’s games. A game that is still running ends.",
        "Set it again, or “Reopen”: then what it replaced counts again.",
        statuses=(*UNDER_WAY, "finished"),
        tables=ANY_TABLE,
        asks=("seats", "against_scores", "reason"),
    )

    table: v.TableId
    seats: Annotated[tuple[RuledSeat, ...], Length(0, 10)]
    reason: WhyAgain = ""
    against_scores: AgainstScores = ""
    games: MatchGames = ()
    drawn: Drawn = 0

    @classmethod
    def needs_organiser(cls, state: Competition, table: str) -> bool:
        its_table = state.table(table)[2]
        return state.over or (its_table.decided and not is_first_hand(state, its_table))

    @classmethod
    def cautions(cls, state: Competition) -> Sequence[Caution]:
        if state.status != "finished":
            return ()
        told = text("The competition is reopened for it and finished again; standings then say “corrected”.")
        return (Caution(told),)

    def decide(self, state: Competition, given: Given) -> Events:
        if state.status != "finished":
            return self._decide(state, given)
        if not self.reason:
            raise Illegal(NO_REASON, fields=["reason"])
        reopened = Reopened(self.reason)
        found = self._decide(apply(state, reopened), given)
        # Without lots from its first end, organisers finish it themselves: that draws them.
        again = (Finished(),) if state.stage and state.stage.lots else ()
        return (reopened, *found, *again) if found else ()

    def _decide(self, state: Competition, given: Given) -> Events:
        table = state.table(self.table)[2]
        ordered = sorted(self.seats, key=lambda each: each.seat)
        drawn = self.drawn
        if self.games:
            tally = match_scores.read_games(table, self.games, low_wins=state.opening.low_wins)
            ordered, drawn = _with_won(table, ordered, tally), tally.drawn
        elif not ordered:
            raise Malformed({"seats": [text("Give a line for each seat of the table.")]})
        refuse_seats(table, [each.seat for each in ordered])
        given_ranks = [each.rank for each in ordered if each.rank is not None]
        if given_ranks and len(given_ranks) < len(ordered):
            raise Malformed({"seats": [text("Give all ranks, or none: then they are made from the scores.")]})
        scores = _scores(table, ordered, state.opening.ruleset)
        typed = tuple(map(Placing, range(len(scores)), given_ranks or [1] * len(scores), scores))
        made = tally_of(state, table, self.games, typed, drawn)
        ranks = given_ranks or made_ranks(state, table, typed, made)
        placings = tuple(map(Placing, range(len(scores)), ranks, scores))
        if not self.reason and made is None:
            _check_totals(state, table, scores)
        reason, against_scores = self.reason, self.against_scores
        # What a club's desk has entered is decided once an organiser sets the same.
        same = None if table.ruling and table.ruling.side and not given.side else table.ruling
        if same and same.placings == placings and self._same_games(same, drawn):
            reason, against_scores = reason or same.reason, against_scores or same.against_scores
            if (reason, against_scores) == (same.reason, same.against_scores):
                return entered_alike(self.table, same, state, given)
        return (Ruled(self.table, placings, reason, against_scores, self.games, drawn, given.side),)

    def _same_games(self, before: Result, drawn: int) -> bool:
        """Return whether a ruling has the same games of a match."""
        games = tuple(each.scores for each in self.games)
        return before.games == games and (before.tally.drawn if before.tally else 0) == drawn


def _check_totals(state: Competition, table: Table, scores: Sequence[int]) -> None:
    """Raise `Illegal` for totals to which no game comes by its rules, where nobody has left the table."""
    opening = state.opening
    try:
        ruleset = rules.of(opening.ruleset, opening.options)
    except KeyError:
        return
    if table.left_outcomes or len(scores) not in ruleset.seats:
        return
    if doubt := ruleset.doubt_of_totals(ruleset.read_options(opening.options, len(scores)), scores):
        raise Illegal(doubt, fields=["reason"])


def _with_won(table: Table, seats: Sequence[RuledSeat], tally: Tally) -> list[RuledSeat]:
    """Return each seat with the games that its side won; ranks stay as they were given."""
    ranks = {each.seat: each.rank for each in seats}
    placings = table.match_placings(tally)
    return [RuledSeat(each.seat, each.score, ranks.get(each.seat)) for each in placings]


def _scores(table: Table, seats: Sequence[RuledSeat], ruleset: str) -> list[int]:
    """Return the score of each seat; raise `Malformed` if one is missing whose entry has not left.
    So it does for one that would not count, and where those of one team of a game have different ones.
    """
    left = dict(table.left_outcomes)
    entries = [seat.entry for seat in table.seats]
    if gone := [each.seat for each in seats if each.score and entries[each.seat] in left and not table.match]:
        raise Malformed({f"seats.{seat}.score": [NONE_COUNTS] for seat in gone})
    blank = [each.seat for each in seats if each.score is None and entries[each.seat] not in left]
    if blank:
        raise Malformed({f"seats.{seat}.score": [text("This field is required.")] for seat in blank})
    teams = rules.scores_by_team(ruleset, len(seats))
    present = [each for each in seats if entries[each.seat] not in left]
    different = {
        f"seats.{each.seat}.score": [text("The score is the team’s: give all of its players the same.")]
        for each in present
        if any(teams[each.seat] == teams[other.seat] and each.score != other.score for other in present)
    }
    if different:
        raise Malformed(different)
    return [each.score or 0 for each in seats]


# ---- Take back decision --------------------------------------------------------------------------


@dataclass(frozen=True)
class _TakeBackDecisionFields:
    entry: v.EntryId
    reason: v.Note = ""


class EntryDecisionTakenBack(_TakeBackDecisionFields, Event, type="entry_decision_taken_back"):
    """An entry that was approved or rejected applies again; one that was admitted waits again."""

    title = "Decision on an entry taken back"
    found_by = "approval undone, rejection undone, admission undone"
    text = "The last decision on %(entry)s is taken back."
    text_before = "Taken back: %(before)s"
    about = ("entry",)
    replaces = ("approved", "rejected", "admitted")
    takes_back = True

    @classmethod
    def sentence_of_many(cls, count: int) -> Message:
        return plural("%(count)d decision is taken back.", "%(count)d decisions are taken back.", count)

    def apply(self, state: Competition) -> Competition:
        entry = state.entry(self.entry)
        if entry.id not in _decided(state):
            raise Illegal("Nothing was decided about %(name)s that can be taken back.", name=entry.name)
        if _seated(state, entry):
            raise Illegal("In a published round already, so withdraw instead: %(name)s.", name=entry.name)
        refuse_double(state, entry.players, itself=entry.id)
        before = replace(entry, status=entry.was[-1], spells=((BEGINNING, None),), was=entry.was[:-1])
        return _without_place(reseated(with_entry(state, before)), entry.id)


def _decided(state: Competition) -> tuple[str, ...]:
    """Return the ids of the entries with a decision that can be taken back."""
    decided = ("entered", "waiting", "rejected")
    found = [entry for entry in state.entries if entry.status in decided and entry.was]
    # After the start only a late admission, or a rejection, has nothing standing on it.
    return tuple(
        entry.id
        for entry in found
        if not state.started or entry.status == "rejected" or entry.spells[0][0] > BEGINNING
    )


def _seated(state: Competition, entry: Entry) -> bool:
    shown = [(stage, each) for stage in state.stages for each in stage.shown_rounds]
    return any(entry.takes_part((stage.number, each.number)) for stage, each in shown)


def _without_place(state: Competition, entry: str) -> Competition:
    """Return the state with the entry in no group of the current stage."""
    stage = state.stage
    if stage is None or entry not in stage.entries:
        return state
    groups = tuple(tuple(each for each in group if each != entry) for group in stage.groups)
    return with_stage(state, replace(stage, groups=groups))


class TakeBackEntryDecision(_TakeBackDecisionFields, EntryVerb, key="take-back-decision"):
    """Take back the last decision on an entry: approval, rejection, or admission from the waiting list.

    It applies or waits again. Refused once the entry is in a published round.
    """

    taken_back_by = ("approve", "reject", "admit")
    event = EntryDecisionTakenBack
    take_back_decision = Button(
        "Take back approval, rejection or admission",
        "The entries you tick apply or wait again, as before the last decision on them.",
        "Decide again.",
        part="entries",
        asks=("entry", "reason"),
        several=True,
    )

    @classmethod
    def candidates(cls, state: Competition) -> tuple[str, ...]:
        return _decided(state)


# ---- Take back outcome ---------------------------------------------------------------------------


@dataclass(frozen=True)
class _TakeBackOutcomeFields:
    table: v.TableId
    entry: v.EntryId
    reason: v.Reason


class OutcomeTakenBack(_TakeBackOutcomeFields, EndsGames, type="outcome_taken_back"):
    """A no-show or a forfeit of an entry is taken back.

    A seat that left a game can't come back to it: such a game ends, and it counts as abandoned even if it was
    finished without the entry. The table then waits for an organiser.
    """

    title = "No-show or forfeit taken back"
    found_by = "came after all, undone"
    text = "%(table)s: the no-show or forfeit of %(entry)s is taken back."
    text_before = "Taken back: %(before)s"
    about = ("table", "entry")
    replaces = ("no_show", "forfeited")
    takes_back = True
    announces = "result"

    def apply(self, state: Competition) -> Competition:
        table = published_table(state, self.table)
        if table.walked_over or table.void is not None or self.entry not in table.outcome_of:
            raise Illegal("This entry has no no-show or forfeit at this table.")
        before = _without_outcome(table, self.entry)
        refuse_undecided_in_closed_round(state, before)
        return with_table(state, before)

    def endings(self, state: Competition) -> Iterable[Ending]:
        return (Ending(self.table, self.reason),)


def _without_outcome(table: Table, entry: str) -> Table:
    left: Mapping[str, tuple[str, ...]] = dict(table.left)
    games = tuple(
        replace(game, abandoned=True, result=None) if game.result and game.id in left.get(entry, ()) else game
        for game in table.games
    )
    return replace(
        table,
        games=games,
        outcomes=tuple(each for each in table.outcomes if each[0] != entry),
        left=tuple(each for each in table.left if each[0] != entry),
    )


class TakeBackOutcome(_TakeBackOutcomeFields, Verb, key="take-back-outcome"):
    """Take back the no-show or the forfeit of an entry at its table.

    The game that it left can't go on with it: it is abandoned, and the table needs a replay or a ruling. A
    ruling made without the entry stays until it is set again.
    """

    taken_back_by = ("no-show", "forfeit")
    scope = "club:rule"
    ends_its_game = True
    event = OutcomeTakenBack
    take_back_outcome = Button(
        "Take back no-show or forfeit",
        "The entry takes part after all. The game that it left ends without a result: replay it, or set the "
        "result. A result that was set already must be set again.",
        "Mark it as a no-show or let it forfeit again.",
        statuses=UNDER_WAY,
        tables=tuple(status for status in ANY_TABLE if status not in ("walkover", "void")),
        asks=("entry", "reason"),
        danger=True,
    )

    @classmethod
    def fits(cls, table: Table, state: Competition) -> bool:
        return bool(table.outcomes)

    @classmethod
    def entries_at(cls, table: Table) -> Sequence[str]:
        return [entry for entry in table.entries if entry in table.outcome_of]
