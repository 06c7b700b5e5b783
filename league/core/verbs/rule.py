"""Set a result: an organiser or scorekeeper decides a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from games.engine.shapes import Between, Help, Label, Length
from league.core.events import AND_SCOREKEEPERS, TableDecided
from league.core.state import values as v
from league.core.state.checks import published_table
from league.core.state.competition import Competition, Decision, Result, Table
from league.core.state.plan import Placing
from league.core.state.updates import decided, with_table
from league.core.verb import ANY_TABLE, UNDER_WAY, Button, Events, Given, Verb
from league.core.verbs.results import in_seat_order, refuse_seats

AgainstScores = Annotated[
    v.Note,
    Label("Why the ranks contradict the scores"),
    Help("for everyone to read; needed only where a better score has no better rank"),
]

WhyAgain = Annotated[
    str,
    Length(0, 500),
    Help("why, for everyone to read; needed only to replace the result of a game, or of a closed round"),
]
NO_REASON = text("Say why the result is replaced.")


class Ruled(TableDecided, type="ruled"):
    """A ruling: this result of a table replaces those of its games. A later ruling replaces it.

    Entries that are no-shows or have forfeited stay so and are last. The first result needs no ``reason``,
    nor does a ruling that replaces another while the round is open.
    ``against_scores`` says why its ranks contradict its scores, where they do.
    """

    title = "Result set by hand"
    found_by = "correction, corrected, ruling, changed result, score entered, fixed"
    said_by = AND_SCOREKEEPERS
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

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        if fields.get("before"):
            return cls.text_corrected_against if fields.get("against_scores") else cls.text_corrected
        return cls.text_against if fields.get("against_scores") else cls.text

    def apply(self, state: Competition) -> Competition:
        table = published_table(state, self.table)
        placings = in_seat_order(table, self.seats)
        ranks, scores = [each.rank for each in placings], [each.score for each in placings]
        made = ranks_of(table, scores, low_wins=state.opening.low_wins)
        if contradict(ranks, made) and not self.against_scores:
            raise Illegal(against(made), fields=["against_scores"])
        if table.decided and not self.reason and not is_first_hand(state, table):
            raise Illegal(NO_REASON, fields=["reason"])
        ruling = Result(placings, state.seq + 1)
        return with_table(state, decided(table, Decision(ruling, table.left_outcomes)))


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
        Help("left out, or 0, for a no-show and for who has forfeited: they are last whatever it is"),
    ] = None
    rank: Annotated[
        Annotated[int, Between(1, 10)] | None, Help("1 is best; for all seats, or left out for all")
    ] = None


class SetResult(Verb, key="rule"):
    """Set the result of a table: a score for each seat, from which the ranks follow unless they are given.

    Ranks that contradict the scores need a reason of their own. The ruling replaces the results of the
    table's games and counts as played; a game that is still running ends. While the round is open, a ruling
    can be set again without a reason, by a scorekeeper too.
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
        statuses=UNDER_WAY,
        tables=ANY_TABLE,
        asks=("seats", "against_scores", "reason"),
    )

    table: v.TableId
    seats: Annotated[tuple[RuledSeat, ...], Length(1, 10)]
    reason: WhyAgain = ""
    against_scores: AgainstScores = ""

    @classmethod
    def needs_organiser(cls, state: Competition, table: str) -> bool:
        its_table = state.table(table)[2]
        return its_table.decided and not is_first_hand(state, its_table)

    def decide(self, state: Competition, given: Given) -> Events:
        table = state.table(self.table)[2]
        ordered = sorted(self.seats, key=lambda each: each.seat)
        refuse_seats(table, [each.seat for each in ordered])
        given_ranks = [each.rank for each in ordered if each.rank is not None]
        if given_ranks and len(given_ranks) < len(ordered):
            raise Malformed({"seats": [text("Give all ranks, or none: then they are made from the scores.")]})
        scores = _scores(table, ordered)
        ranks = given_ranks or ranks_of(table, scores, low_wins=state.opening.low_wins)
        placings = tuple(map(Placing, range(len(scores)), ranks, scores))
        return (Ruled(self.table, placings, self.reason, self.against_scores),)


def _scores(table: Table, seats: Sequence[RuledSeat]) -> list[int]:
    """Return the score of each seat; raise `Malformed` if one is missing whose entry has not left."""
    left = dict(table.left_outcomes)
    entries = [seat.entry for seat in table.seats]
    blank = [each.seat for each in seats if each.score is None and entries[each.seat] not in left]
    if blank:
        raise Malformed({f"seats.{seat}.score": [text("This field is required.")] for seat in blank})
    return [each.score or 0 for each in seats]
