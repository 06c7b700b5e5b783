"""Results that a second person checks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from games.engine.shapes import Between, Help, Label, Length
from games.engine.values import replace
from league.core.events import AND_CLUBS, Event
from league.core.state import values as v
from league.core.state.competition import (
    Competition,
    Result,
    Status,
    Table,
)
from league.core.state.updates import published_table
from league.core.verb import LIVE, UNDER_WAY, Button, Events, Given, Verb

FARTHEST = 10_000_000
Seq = Annotated[int, Between(1, FARTHEST)]
"""The number of an event."""
LATER: tuple[Status, ...] = (*UNDER_WAY, "finished")

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


def checked_by(state: Competition, result: Result) -> str | None:
    """Return the entry whose club's desk confirmed a result, empty for a person; None as long as it waits."""
    return state.checked.get(result.seq)


def unchecked_at(state: Competition, table: Table) -> tuple[Result, ...]:
    """Return the results of a table that wait for a second person, in order."""
    if not state.checking:
        return ()
    return tuple(each for each in table.entered if each.by_one and checked_by(state, each) is None)


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
        return replace(state, checked={**state.checked, self.result: self.side or ""})


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
    def fits(cls, table: Table, state: Competition) -> bool:
        return bool(unchecked_at(state, table))

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


def entered_alike(table: str, before: Result, state: Competition, given: Given) -> Events:
    """Return the confirmation of what another club's desk entered before, where it waits; else nothing.

    Raises `Illegal` for an account that has entered it itself.
    """
    others = before.side and given.side not in (None, before.side)
    waits = others and checked_by(state, before) is None
    return CheckResult(table, before.seq).decide(state, given) if waits else ()
