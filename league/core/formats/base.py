"""The contract of a format: it proposes each round's tables from the log and a seed."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from games.engine import shapes
from games.engine.chance import Chance
from games.engine.messages import Message, text
from league.core.drawing.bracket import PlayOff
from league.core.drawing.draw import Draw, stage_sizes, table_sizes
from league.core.drawing.possible import Possible
from league.core.records import Reached
from league.core.state.challenges import Challenge, Cost, Unanswered
from league.core.state.competition import Competition, Stage
from league.core.state.cut_offs import Sizes, Wish
from league.core.state.plan import Opening, StagePlan


@dataclass(frozen=True)
class NoParams:
    """A format without parameters."""


@dataclass(frozen=True)
class Answering:
    """How challenges wait for an answer: for so many days; a challenger has at most so many (0: any).

    The same two can challenge each other ``again`` so many days after their last challenge.
    """

    days: int
    most: int = 0
    again: int = 0


@dataclass(frozen=True)
class Slot:
    """A place in a match: the name of an entry with its score, as far as they are known; whether it advanced.

    ``note`` says what decided for an entry that advanced from a table at which it was level with one that did
    not, or why there is no entry. ``why`` is what decided in place of play, in a word or two.
    """

    name: str = ""
    score: int | None = None
    advanced: bool = False
    note: str = ""
    why: str = ""


@dataclass(frozen=True)
class Match:
    """A match of a bracket; ``centre`` is the height of its middle, in heights of a slot.

    ``feeders`` are those matches of the column before it, by index, from which lines lead to it.
    """

    slots: tuple[Slot, ...]
    centre: float
    label: str = ""
    feeders: tuple[int, ...] = ()


@dataclass(frozen=True)
class Column:
    """The matches of a round, from the top down, under its title; ``over`` once the round is closed."""

    title: str
    matches: tuple[Match, ...]
    over: bool = False


@dataclass(frozen=True)
class Bracket:
    """A picture of matches, column by column; a title where there are several."""

    columns: tuple[Column, ...]
    title: str = ""

    @property
    def height(self) -> float:
        """Return the height of the picture, in heights of a slot."""
        matches = (match for column in self.columns for match in column.matches)
        return max((match.centre + len(match.slots) / 2 for match in matches), default=0.0)

    @property
    def running(self) -> int:
        """Return the index of the first column that is not over, of the last one where all are."""
        last = max(0, len(self.columns) - 1)
        return next((at for at, column in enumerate(self.columns) if not column.over), last)

    @property
    def level(self) -> tuple[Slot, ...]:
        """Return who advanced from a table at which they were level with one who did not."""
        slots = (slot for column in self.columns for match in column.matches for slot in match.slots)
        return tuple(slot for slot in slots if slot.name and slot.note)


AGREED_BYES: Final = frozenset(
    {"requested_byes", "requested_not_last", "late_rounds", "scoring.requested", "scoring.late"}
)
"""The fields of byes on request and of late entries, for formats that draw each round from who is there."""


class Format(ABC):
    """A way to run a stage. A new one is a file and a line in the registry."""

    key: ClassVar[str]
    edition: ClassVar[int] = 1
    """What an edition does never changes. Another behaviour is another edition, with a class of its own."""
    title: ClassVar[str]
    summary: ClassVar[str]
    rounds_note: ClassVar[str] = "as asked"
    """How many rounds there are, for organisers and the docs."""
    params: ClassVar[type] = NoParams
    late_entries: ClassVar[bool] = True
    """Whether an entry may join once the stage has begun."""
    rounds_asked: ClassVar[bool] = True
    """Whether the organiser chooses the number of rounds; otherwise the format knows it."""
    pairs_only: ClassVar[bool] = False
    """Whether all tables are of two."""
    ignores: ClassVar[frozenset[str]] = AGREED_BYES | {"scoring.average"}
    """The fields of a stage's plan that have no effect in it, by path: forms don't offer them."""
    open_tables: ClassVar[bool] = False
    """Whether tables are opened one by one at any time, if `check_table` allows, instead of being drawn."""

    seats_waiting: ClassVar[bool] = False
    """Whether tables are opened by themselves for those who wait, as `next_table` says."""

    heeds_wishes: ClassVar[bool] = True
    """Whether wishes for draws count in it."""

    fills_by_order: ClassVar[bool] = False
    """Whether the tables of a round can be filled by an order, such as the standings, instead of drawn."""

    numbers_by_standing: ClassVar[bool] = False
    """Whether the tables of a round are numbered by the standings of who sits there, the leaders' first."""

    postponable: ClassVar[bool] = True
    """Whether a table can be put off: not where the next round needs its result."""
    has_brackets: ClassVar[bool] = False
    """Whether `brackets` draws a stage, for pages and prints."""

    def read_params(self, plan: StagePlan) -> Any:
        """Return the stage's parameters, an instance of `params`; raise `Malformed`."""
        return shapes.read(self.params, plan.params)

    def rounds(self, state: Competition, stage: Stage) -> int:
        """Return how many rounds the stage has."""
        return stage.plan.rounds

    def fewest_rounds(self, opening: Opening, plan: StagePlan, entries: int) -> tuple[int, int] | None:
        """Return the fewest rounds known in which all meet, and a bound by counting; None where it is no aim.

        ``entries`` is the size of the biggest group.
        """
        return None

    def foretold(self, opening: Opening, plan: StagePlan, entries: int) -> Sequence[Message]:
        """Return what an organiser should know of a stage's rounds before it starts."""
        return ()

    def rules(self, plan: StagePlan) -> Sequence[Message]:
        """Return how a stage is played, in sentences, as far as its title, rounds and tables don't say it."""
        return ()

    def ranked_by(self) -> Message | None:
        """Return what alone ranks the entries, in a sentence; None where points and tie-breaks do."""
        return None

    def ranked_first_by(self) -> Message | None:
        """Return what ranks entries before points do, in a sentence; None where nothing does."""
        return None

    def ahead(self, state: Competition, stage: Stage) -> Message | None:
        """Return what follows the rounds that are known where a result decides it, None for nothing."""
        return None

    def tables_ahead(self, state: Competition, stage: Stage) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Yield who meets in each round to come, at two the first seat first, where no draw decides it."""
        yield from ()

    def still_in(self, state: Competition, stage: Stage) -> frozenset[str] | None:
        """Return the entries that can still win a stage, None where nobody is out before its end."""
        return None

    def without_absent(self, state: Competition, stage: Stage, number: int) -> Sequence[Message]:
        """Return what it means for a round that is to be drawn that entries are absent from it."""
        return ()

    def by_standing_from(self, plan: StagePlan) -> int:
        """Return the first round whose tables are filled by the standings, 0 for none."""
        return 0

    def first_by(self, plan: StagePlan) -> str:
        """Return by which order from elsewhere the first round is filled, empty for none."""
        return ""

    def sizes_fixed(self, plan: StagePlan) -> Message | None:
        """Return why nobody can choose how big the tables of a round are; None where one can."""
        return text("Players open the tables of this stage themselves.") if self.open_tables else None

    def no_promise(self, plan: StagePlan, wish: Wish) -> Message | None:
        """Return why no draw of a stage can promise a wish; None where one can."""
        return None

    def check_plan(self, opening: Opening, plan: StagePlan) -> None:  # noqa: B027
        """Raise `Malformed` where the stage can't be planned with its parameters in this competition."""

    def check_groups(self, opening: Opening, plan: StagePlan, sizes: Sequence[int]) -> None:  # noqa: B027
        """Raise `Illegal` where the stage can't be planned with groups of these sizes."""

    def check_table(self, state: Competition, stage: Stage, entries: Sequence[str]) -> None:  # noqa: B027
        """Raise `Illegal` where these entries may not open a table with each other."""

    def next_table(
        self, state: Competition, stage: Stage, *, smaller: bool = False, wishes: Sequence[Wish] = ()
    ) -> tuple[str, ...]:
        """Return the entries, in seat order, for whom a table is due now; none where nobody is to be seated.

        With ``smaller`` an organiser seats all who wait, at smaller tables where need be. ``wishes`` are
        those of who is here for each other.
        """
        return ()

    def opponents(self, state: Competition, stage: Stage, entry: str) -> Sequence[str]:
        """Return the entries that an entry may meet at a table that it opens."""
        return [each for group in stage.groups if entry in group for each in group if each != entry]

    def answering(self, plan: StagePlan) -> Answering | None:
        """Return how challenges wait for an answer; None where a table opens at once.

        Who is challenged accepts, refuses, or lets the time pass, of which the clock writes an event.
        """
        return None

    def cost_of(self, state: Competition, stage: Stage, challenge: Challenge, how: Unanswered) -> Cost:
        """Return what it costs who is challenged not to accept an open challenge now."""
        return "nothing"

    def levels(self, state: Competition, stage: Stage) -> Mapping[str, int] | None:
        """Return each entry's standing as a whole number, where the format lets equals meet."""
        return None

    def playing(self, state: Competition, stage: Stage, number: int) -> Sequence[Sequence[str]]:
        """Return, group by group, the present entries from which a round is drawn."""
        return state.field(stage, number)

    def sizes(self, state: Competition, stage: Stage, number: int) -> Sizes:
        """Return, group by group, the sizes of the tables of a round as planned, the biggest first."""
        allowed, usual = stage_sizes(state.opening, stage.plan), stage.plan.table_size
        fields = self.playing(state, stage, number)
        return tuple(table_sizes(len(each), allowed, usual) for each in fields)

    def bye_turns(self, state: Competition, stage: Stage) -> Mapping[str, Any] | None:
        """Return what decides who has a bye, the least first; None where it is who had the fewest."""
        return None

    def due_play_offs(self, state: Competition, stage: Stage) -> tuple[PlayOff, ...]:
        """Return the play-offs that have to be drawn before the format's next round."""
        return ()

    @abstractmethod
    def propose(self, state: Competition, stage: Stage, number: int, chance: Chance) -> Draw:
        """Return the draw of a round, the same for the same log and seed."""

    def reached(self, state: Competition, stage: Stage, through: int) -> Mapping[str, Reached]:
        """Return the ranks that the format itself gives after a round; entries left out share rank 0.

        Points and tie-breaks decide only between entries of equal rank.
        """
        return {}

    def possible(self, state: Competition, stage: Stage) -> Possible:
        """Return the ranks still possible now of entries that can leave the class of their rank.

        Where tables are drawn, all others can later pass only those of equal rank.
        """
        return {}

    def brackets(self, state: Competition, stage: Stage, names: Mapping[str, str]) -> tuple[Bracket, ...]:
        """Return the pictures of a stage, made of what is public; ``names`` are those to show, by entry."""
        return ()
