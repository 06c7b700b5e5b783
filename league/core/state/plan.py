"""The announced plan of a competition: stages, scoring and who may enter; and the result of a seat."""

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from games.engine.common_moves import Left
from games.engine.messages import Message, Param, plural, text
from games.engine.shapes import Between, Described, Help, Label, Length
from league.core.state import values as v
from league.core.state.match import LONGEST, DrawnGame, Match


@dataclass(frozen=True)
class Scoring:
    """How results become a stage's points; ``bye`` to ``late`` say what earns points without a result."""

    by: Annotated[Literal["place", "win", "score"], Help("what earns points")] = "place"
    place_points: Annotated[
        tuple[v.Points, ...],
        Length(0, 10),
        Help("for first, second, … place; empty: one for each entry beaten"),
    ] = ()
    fair: Annotated[bool, Help("make tables of different size worth the same")] = True
    best: Annotated[int, Between(0, 1000), Help("how many of the best rounds count; 0: all of them")] = 0
    average: Annotated[
        int,
        Between(0, 1000),
        Help("points are the average of a table, of at least so many: missing ones count 0; 0: a sum"),
    ] = 0
    bye: v.Policy = "average"
    absent: v.Policy = "last"
    no_show: v.Policy = "last"
    forfeit: v.Policy = "last"
    walkover: v.Policy = "win"
    requested: v.Policy = "middle"
    late: v.Policy = "middle"
    match_points: Annotated[
        tuple[v.Points, ...],
        Length(0, 3),
        Help("for a team match won, drawn, lost; empty: the points of its boards count"),
    ] = ()


Sizes: TypeAlias = Annotated[
    tuple[Annotated[int, Between(2, v.MAX_ENTRIES)], ...],
    Length(0, 99),
    Help("sizes of the divisions from the top, without the last; a division not given keeps its size"),
]
Fill: TypeAlias = Annotated[
    Literal["promote", "keep"],
    Help("who fills a free place: the next best of the division below, or one relegated fewer"),
]


@dataclass(frozen=True)
class Intake:
    """Who plays in a stage: every entry, or those that qualify in the stage before."""

    source: Literal["entries", "best", "promotion"] = "entries"
    seeding: Annotated[
        Literal["lots", "order", "rating", "series"] | v.SeriesAddress,
        Help(
            "by lot, or as entered, or by the ratings or the year’s table at its start, the best first; "
            "set-seeds and set-seed change it"
        ),
    ] = "lots"
    divide: Annotated[
        Literal["spread", "stack", "pots", "lots"],
        Help(
            "seeds spread over the groups, or division by division, or by lot: each group has one of every "
            "pot of like seeds, or all are drawn; of one group it is the order at the start, as of a bracket"
        ),
    ] = "spread"
    best: Annotated[int, Between(0, 1000), Help("how many of each group qualify")] = 0
    promoted: Annotated[int, Between(0, 100), Help("how many go up a division, before any are relegated")] = 0
    relegated: Annotated[int, Between(0, 100), Help("how many of the others go down a division")] = 0
    sizes: Sizes = ()
    fill: Fill = "promote"
    carry: Annotated[v.Points, Help("the part of the points that entries keep")] = "0"


def by_series(order: str) -> Message | None:
    """Return an order in words if it is that of one of several series, which is known by its address."""
    _kind, _slash, name = order.partition("/")
    return text("by the year’s table (%(name)s)", name=name) if name else None


Edition: TypeAlias = Annotated[int, Between(0, 1000)]
Side: TypeAlias = Annotated[int, Between(0, 9)]


@dataclass(frozen=True)
class Editions:
    """The editions of what gives a stage its draws, tables and points. What one does never changes."""

    draws: Annotated[Edition, Help("of the draw engine; 0: the newest")] = 0
    format: Annotated[Edition, Help("of the format; 0: the newest")] = 0
    scoring: Annotated[Edition, Help("of points, tie-breaks and standings; 0: the newest")] = 0

    @property
    def rung_is_rank(self) -> bool:
        """Return whether who holds a rung of a ladder is ranked by it, and a walkover wins one."""
        return self.scoring not in range(1, 6)


@dataclass(frozen=True)
class StagePlan:
    """A stage as it was announced."""

    name: v.Name
    format: v.Keyword
    rounds: Annotated[int, Between(0, 1000), Help("0: as many as the format needs")]
    table_size: Annotated[int, Between(2, 10), Help("entries at a table, where numbers allow")]
    params: Annotated[v.AnyObject, Help("the format's own parameters")]
    scoring: Scoring = Scoring()
    tie_breaks: Annotated[tuple[v.Keyword, ...], Length(0, 20)] = ()
    groups: Annotated[int, Between(1, 100), Help("groups or divisions that play separately")] = 1
    intake: Intake = Intake()
    hours: Annotated[int, Between(0, 8784), Help("to play a round, from its publication; 0: no deadline")] = 0
    line: Annotated[
        v.LineRule, Help("how a tie on the last place that qualifies, is promoted or stays is decided")
    ] = "lots"
    line_level: Annotated[
        Literal["tie_breaks", "points"], Help("entries are level there after all tie-breaks, or on points")
    ] = "tie_breaks"
    editions: Annotated[Editions, Help("a log names the newest where the announcement named none")] = (
        Editions()
    )
    best_of: Annotated[
        int, Between(1, LONGEST), Label("Best of"), Help("games of a table of two sides, until it is decided")
    ] = 1
    drawn_game: DrawnGame = "half"
    requested_byes: Annotated[
        int, Between(0, 100), Help("how many byes an entry can ask for in the stage; 0: none")
    ] = 0
    requested_not_last: Annotated[
        int, Between(0, 1000), Help("so many rounds at the end in which nobody can ask for a bye")
    ] = 1
    late_rounds: Annotated[
        int,
        Between(0, 1000),
        Help("for how many rounds at most, from the first on, a late entry earns points; 0: for none"),
    ] = 0

    @property
    def match(self) -> Match | None:
        """Return how the stage's tables are decided, None where each has one game."""
        return Match(self.best_of, self.drawn_game) if self.best_of > 1 else None


AnnouncedPlan: TypeAlias = Annotated[
    v.AnyObject,
    Described("StagePlan", {"name": "League", "format": "rounds", "rounds": 5, "table_size": 4}),
]
"""A stage's plan as JSON, in which ``params`` may be missing."""


@dataclass(frozen=True)
class Entering:
    """Who may enter, and how."""

    places: Annotated[
        int, Between(0, v.MAX_ENTRIES), Help("0 means no limit. Further entries go to a waiting list.")
    ] = 0
    approval: Annotated[bool, Help("an organiser approves each player's own entry")] = False
    check_in: Annotated[
        bool, Help("entries miss rounds until they have checked in or are marked as present")
    ] = False


@dataclass(frozen=True)
class Waits:
    """How long the automatic pace waits after the last event, so that a wrong result can be put right."""

    close_round: Annotated[int, Between(0, 10080), Help("minutes before it closes a decided round")] = 60
    finish: Annotated[int, Between(0, 10080), Help("minutes before it finishes the competition")] = 60


OpenHands: TypeAlias = Annotated[
    Annotated[int, Between(0, 7 * 24 * 60)] | None,
    Help("all hands of a deal are shown so many minutes after it while the game goes on; null: not then"),
]


@dataclass(frozen=True)
class Qualified:
    """How those were chosen who are entered first: by the table of a series, after an entry of its log."""

    series: v.Id
    name: v.Name
    seq: Annotated[int, Between(1, 1_000_000), Help("the entries of the series' log")]
    evening: Annotated[int, Between(1, 1000), Help("the last evening that had counted, by date")]
    first: Annotated[int, Between(0, v.MAX_ENTRIES), Help("so many of the table; 0: all who had a rank")]
    places: Annotated[
        tuple[Annotated[int, Between(1, v.MAX_ENTRIES)], ...],
        Length(1, v.MAX_ENTRIES),
        Help("the places in the table, in the order of entry"),
    ]


@dataclass(frozen=True)
class Opening:
    """Everything announced about a competition. What no draw depends on can change until the first one."""

    name: v.Name
    ruleset: Annotated[str, Length(1, 60)]
    options: Annotated[v.AnyObject, Described("AnyOptions")]
    seats: Annotated[tuple[Annotated[int, Between(1, 10)], ...], Length(1, 10), Help("players of a game")]
    low_wins: bool
    stages: Annotated[tuple[StagePlan, ...], Length(1, 20)]
    root: Annotated[v.Hash, Help("the commitment to the secret values of all draws")]
    clock: Annotated[v.AnyObject, Described("Clock")]
    entropy: Annotated[
        v.Entropy, Help("what draws take from outside: entries’ texts, or a public beacon’s value")
    ] = "texts"
    pace: v.Pace = "manual"
    lineup: Annotated[v.Lineup, Help("single players, partners at one table, or a team on boards")] = "single"
    team_size: Annotated[int, Between(1, v.MAX_TEAM)] = 1
    entering: Entering = Entering()
    overdue: Annotated[v.Overdue, Help("what happens to games still running at their round's deadline")] = (
        "organiser"
    )
    waits: Waits = Waits()
    aided: Annotated[bool, Help("the page of a game offers players what their hands make")] = False
    open_hands: OpenHands = None
    roles: Annotated[Edition, Help("the edition of who may write what; the server names the newest")] = 1
    qualified: Annotated[Qualified | None, Help("how the first entries were chosen, of a final")] = None
    sides: Annotated[
        tuple[Annotated[tuple[Side, ...], Length(1, 10)], ...],
        Length(0, 10),
        Help("of partners that change: who is on a side, for each number of seats; the server names it"),
    ] = ()

    def sides_at(self, seats: int) -> tuple[int, ...]:
        """Return the side of each seat at a table of partners that change, empty where there are none."""
        found = next((each for each in self.sides if len(each) == seats), ())
        return found if len({*found}) < len(found) else ()

    def sized(self, size: int) -> Param:
        """Return the size of a table for a sentence: "4", or "2 teams" where partners share it."""
        return plural("%(count)d team", "%(count)d teams", size) if self.lineup == "partners" else size


@dataclass(frozen=True)
class Placing:
    """The result of a seat in a game: rank 1 is best, the score is the game's own."""

    seat: Annotated[int, Between(0, 9)]
    rank: Annotated[int, Between(1, 10)]
    score: Annotated[int, Between(-1_000_000_000, 1_000_000_000)]
    left: Annotated[Left | None, Help("why it left the game before the end; late: its time ran out")] = None
