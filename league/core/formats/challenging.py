"""The parameters of a ladder: who challenges whom, how challenges are answered, and what it costs not to."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Final

from games.engine.messages import Message, plural, text
from games.engine.shapes import Between, Help, Label
from league.core.state.challenges import COSTS, Cost, Unanswered


@dataclass(frozen=True)
class Reach:
    """The parameters of a ladder's first editions."""

    reach: Annotated[int, Between(0, 1000), Help("how many rungs apart a table may be; 0: any")] = 0


@dataclass(frozen=True)
class Rungs(Reach):
    """The parameters of a ladder."""

    answer_days: Annotated[
        int,
        Between(0, 60),
        Label("Days to answer a challenge"),
        Help("how many days who is challenged has to accept or refuse; 0: challenges open a table at once"),
    ] = 0
    refused: Annotated[
        Cost,
        Label("A refusal costs", COSTS),
        Help("what it costs to refuse a challenge from below; lost: both change rungs"),
    ] = "nothing"
    lapsed: Annotated[
        Cost,
        Label("No answer costs", COSTS),
        Help("what it costs to let the time for a challenge from below pass; lost: both change rungs"),
    ] = "nothing"
    free_refusals: Annotated[
        int,
        Between(0, 1000),
        Label("Free refusals"),
        Help("so many first refusals of each entry cost nothing"),
    ] = 0
    open_challenges: Annotated[
        int,
        Between(0, 1000),
        Label("Open challenges"),
        Help("how many of an entry’s own challenges may wait for an answer at once; 0: any number"),
    ] = 0

    again_days: Annotated[
        int,
        Between(0, 366),
        Label("Days until the same two"),
        Help(
            "so many days after a challenge the same two can challenge each other again, whoever challenged "
            "and whatever came of it unless it was withdrawn; 0: at once"
        ),
    ] = 0

    def cost(self, how: Unanswered, refusals: int) -> Cost:
        """Return what it costs not to accept a challenge from below, after so many refusals."""
        free = how == "refused" and refusals < self.free_refusals
        return "nothing" if free else {"refused": self.refused, "lapsed": self.lapsed}[how]

    def told(self) -> Iterator[Message]:
        """Yield how challenges are answered, in sentences; nothing where tables open at once."""
        if not self.answer_days:
            return
        yield plural(
            "Who is challenged has %(count)d day to answer. A table opens once they accept.",
            "Who is challenged has %(count)d days to answer. A table opens once they accept.",
            self.answer_days,
        )
        yield _REFUSED[self.refused]
        if self.refused != "nothing" and self.free_refusals:
            yield plural(
                "The first refusal of each is free.",
                "The first %(count)d refusals of each are free.",
                self.free_refusals,
            )
        yield _LAPSED[self.lapsed]
        if {self.refused, self.lapsed} != {"nothing"}:
            yield text("A challenge from above costs nothing, whatever the answer.")
        if self.open_challenges:
            yield plural(
                "At most %(count)d challenge of each may wait for an answer.",
                "At most %(count)d challenges of each may wait for an answer.",
                self.open_challenges,
            )
        if self.again_days:
            yield plural(
                "The same two can challenge each other again %(count)d day after their last challenge.",
                "The same two can challenge each other again %(count)d days after their last challenge.",
                self.again_days,
            )


_REFUSED: Final[dict[Cost, Message]] = {
    "nothing": text("To refuse costs nothing."),
    "lost": text("Who refuses counts as beaten: both change rungs."),
    "drop": text("Who refuses drops one rung."),
}
_LAPSED: Final[dict[Cost, Message]] = {
    "nothing": text("Not to answer costs nothing."),
    "lost": text("Who does not answer in time counts as beaten: both change rungs."),
    "drop": text("Who does not answer in time drops one rung."),
}
