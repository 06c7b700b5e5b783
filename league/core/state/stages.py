"""The stages of a competition: how entries came into a stage, its rounds and their tables."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import takewhile
from typing import Annotated, Any, Final, Literal, TypeAlias, assert_never

from games.engine.jsontypes import JsonObject
from games.engine.messages import Message, plural, text
from games.engine.shapes import Between, Help
from league.core.state import values as v
from league.core.state.cut_offs import Lots, Origin
from league.core.state.indexed import Indexed
from league.core.state.match import Match, Tally, Winner
from league.core.state.plan import Placing, StagePlan
from league.core.state.rooms import NO_ROOMS, InRooms, Rooms
from league.core.state.values import WhyDivision


@dataclass(frozen=True)
class Move:
    """An entry's way into a stage, or why it is not in it.

    ``line`` is what decided where the entry was level with ``level`` others on the last place that counts.
    """

    entry: v.EntryId
    group: Annotated[int, Between(0, 100), Help("its group or division in the stage; 0: it is out")]
    why: v.Why
    before: Annotated[int, Between(0, 100), Help("its group in the stage before; 0: none")] = 0
    rank: Annotated[int, Between(0, v.MAX_ENTRIES), Help("its rank in that group")] = 0
    line: Annotated[v.Decider, Help("what decided a tie on the last place; empty without a tie")] = ""
    level: Annotated[int, Between(0, v.MAX_ENTRIES), Help("how many others it was level with there")] = 0
    reason: v.Note = ""


_LINE: Final[Mapping[v.Decider, str]] = {
    "lots": text("lots decided"),
    "lots_to_come": text("lots decide, which are drawn when the next stage starts"),
    "tie_breaks": text("the tie-breaks decided"),
    "seed": text("the better seed decided"),
    "all": text("all of them advance"),
    "play_off": text("the play-off decided"),
}

PLAY_OFF_DECIDES: Final = text("Level on the last place: a play-off decides.")


def sentence(move: Move) -> Message:
    """Return why an entry goes where it goes, in one or two sentences."""
    why = _why(move)
    if not move.line:
        return why
    level = plural(
        "Level with %(count)s other on the last place: %(how)s.",
        "Level with %(count)s others on the last place: %(how)s.",
        move.level,
        how=_LINE[move.line],
    )
    return level if move.line == "lots_to_come" else text("%(why)s %(level)s", why=why, level=level)


def _why(move: Move) -> Message:
    rank, before, group = move.rank, move.before, move.group
    match move.why:
        case "qualified":
            return text("Qualified: rank %(rank)s of group %(before)s.", rank=rank, before=before)
        case "out":
            return text("Does not qualify: rank %(rank)s of group %(before)s.", rank=rank, before=before)
        case "new":
            return text("New: begins in the last division.")
        case "placed":
            return text(
                "Placed by the organiser in group %(group)s: %(reason)s", group=group, reason=move.reason
            )
        case _:
            return _why_division(move.why, rank, before, group)


def _why_division(why: WhyDivision, rank: int, before: int, group: int) -> Message:
    match why:
        case "promoted":
            return text("Promoted: rank %(rank)s of division %(before)s.", rank=rank, before=before)
        case "next_best":
            return text(
                "Promoted to fill division %(group)s: next best, rank %(rank)s of division %(before)s.",
                group=group,
                rank=rank,
                before=before,
            )
        case "relegated":
            return text("Relegated: rank %(rank)s of division %(before)s.", rank=rank, before=before)
        case "stays":
            return text("Stays in division %(group)s: rank %(rank)s.", group=group, rank=rank)
        case "kept":
            return text("Not relegated, to fill division %(group)s: rank %(rank)s.", group=group, rank=rank)
        case "surplus":
            return text(
                "Relegated to keep the size of division %(before)s: rank %(rank)s, the last who stayed.",
                before=before,
                rank=rank,
            )
        case "no_place":
            return text("Not promoted: rank %(rank)s, but the division above has no place left.", rank=rank)
        case _:
            assert_never(why)


# ---- Tables --------------------------------------------------------------------------------------

Outcome: TypeAlias = Literal["no_show", "forfeit", "walkover"]
TableStatus: TypeAlias = Literal["drawn", "playing", "postponed", "abandoned", "played", "walkover", "void"]


@dataclass(frozen=True)
class Seat:
    """A seat at a table: a player, and the entry that they play for."""

    entry: str
    player: str


@dataclass(frozen=True)
class Result:
    """The result of a game, or of a ruling; ``seq`` is the number of the event that brought it.

    ``reason`` and ``against_scores`` are those of a ruling. ``by_one``: one person has entered it alone. Of a
    match the scores are the games that each side won, ``tally`` has the drawn ones too, and ``points`` are
    the scores of all its games together, by seat; ``games`` and their ``winners`` are those that a ruling has
    one by one. ``side`` is the entry for which the desk of its club set it.
    """

    placings: tuple[Placing, ...]
    seq: int
    reason: str = ""
    against_scores: str = ""
    by_one: bool = False
    tally: Tally | None = None
    points: tuple[int, ...] = ()
    games: tuple[tuple[int, ...], ...] = ()
    winners: tuple[Winner, ...] = ()
    side: str = ""


@dataclass(frozen=True)
class TableGame:
    """A game of a table, with its result once it is over, and the head of its log then.

    ``number`` is which of a match it is. ``dropped``: it was ended because the match was decided without it.
    """

    id: str
    abandoned: bool = False
    result: Result | None = None
    head: str = ""
    number: int = 1
    dropped: bool = False

    @property
    def turn(self) -> int:
        """Return 1 where neighbours have changed seats, at every other game of a match, else 0.

        So the other side begins. Seat ``n`` of the table is then seat ``n ^ 1`` of the game.
        """
        return (self.number - 1) % 2

    @property
    def over(self) -> bool:
        """Return whether the end of the game is recorded."""
        return self.abandoned or self.result is not None


@dataclass(frozen=True)
class Decision:
    """What decides a table in place of its games: a ruling, a walkover, that it is void, or nothing yet."""

    ruling: Result | None = None
    outcomes: tuple[tuple[str, Outcome], ...] = ()
    walked_over: bool = False
    walked: int = 0
    void: str | None = None


@dataclass(frozen=True)
class Postponement:
    """Why a table is put off, and by when it must be played, None for no deadline."""

    reason: str
    deadline: str | None = None


@dataclass(frozen=True)
class Table:
    """A table of a round, with its games, and its result as far as there is one.

    ``earlier`` are replaced decisions, the last one last, ``left`` running games that an entry left as a
    no-show or by a forfeit, ``finished`` the number of the event with the first result that counts and
    ``walked`` that of the walkover, else 0, ``gone`` entries that left by then; ``place``: `rooms.Placed`.
    """

    id: str
    seats: tuple[Seat, ...]
    group: int
    board: int = 1
    label: str = ""
    games: tuple[TableGame, ...] = ()
    ruling: Result | None = None
    outcomes: tuple[tuple[str, Outcome], ...] = ()
    walked_over: bool = False
    void: str | None = None
    postponement: Postponement | None = None
    earlier: tuple[Decision, ...] = ()
    left: tuple[tuple[str, tuple[str, ...]], ...] = ()
    finished: int = 0
    walked: int = 0
    gone: tuple[str, ...] = ()
    more_minutes: int = 0
    match: Match | None = None
    place: int = 0

    @cached_property
    def derived(self) -> dict[str, Any]:
        """What was computed from the table alone, by name: kept for as long as the table stays as it is."""
        return {}

    @property
    def decision(self) -> Decision:
        """Return what decides the table in place of its games."""
        return Decision(self.ruling, self.outcomes, self.walked_over, self.walked, self.void)

    @property
    def entries(self) -> tuple[str, ...]:
        """Return the entries at the table, each once, in seat order."""
        return tuple(dict.fromkeys(seat.entry for seat in self.seats))

    @property
    def results(self) -> tuple[Result, ...]:
        """Return the results that count: of a ruled table the ruling alone, of a void table none.

        Of a match this is one, that of all its games, once it is decided.
        """
        if self.void is not None:
            return ()
        if self.ruling:
            return (self.ruling,)
        if self.match is not None:
            return self._of_match if self.status == "played" else ()
        return self.games_over

    @property
    def entered(self) -> tuple[Result, ...]:
        """Return the results that count as they came in: those of a match's games one by one."""
        single = self.match is None or self.ruling is not None or self.status != "played"
        return self.results if single else self.games_over

    @property
    def games_over(self) -> tuple[Result, ...]:
        """Return the results of the games that are over and count, of a match as far as it has come."""
        if self.match is not None:
            return self.course[: self.tally.counted]
        return tuple(game.result for game in self.games if game.result)

    @property
    def status(self) -> TableStatus:
        """Return the status; an ``abandoned`` table waits for an organiser."""
        if self.void is not None:
            return "void"
        if self.walked_over:
            return "walkover"
        if self.ruling:
            return "played"
        if not self.games:
            return "drawn"
        if self.match is not None and self.match.decided(self.tally):
            return "played"
        if any(game.abandoned for game in self.needed):
            return "abandoned"
        if all(game.result for game in self.needed) and (self.match is None or self.left_outcomes):
            return "played"
        return "postponed" if self.postponement else "playing"

    def turn(self, game: str) -> int:
        """Return whether neighbours have changed seats for a game (1) or sit as drawn (0)."""
        return next((each.turn for each in self.games if each.id == game), 0)

    def players_of(self, game: str) -> tuple[str, ...]:
        """Return the players in the order of a game's seats."""
        return tuple(seat.player for seat in self.seats_of(game))

    def seats_of(self, game: str) -> tuple[Seat, ...]:
        """Return the seats in the order of a game's."""
        turn = self.turn(game)
        return tuple(self.seats[number ^ turn] for number in range(len(self.seats)))

    @property
    def counted_games(self) -> tuple[TableGame, ...]:
        """Return the games that count; those that a match played after its decision do not."""
        return self.needed[: self.tally.counted] if self.match is not None else self.games

    @property
    def needed(self) -> tuple[TableGame, ...]:
        """Return the games without those that a match dropped."""
        return tuple(game for game in self.games if not game.dropped)

    @cached_property
    def course(self) -> tuple[Result, ...]:
        """Return the results of a match's games up to the first that is not over, in their order."""
        over = takewhile(lambda game: game.result is not None, self.needed)
        return tuple(game.result for game in over if game.result)

    @cached_property
    def tally(self) -> Tally:
        """Return the games of a match as far as they count."""
        assert self.match is not None
        return self.match.tally([self.winner(result.placings) for result in self.course])

    def winner(self, placings: Sequence[Placing]) -> Winner:
        """Return which of two sides won a game; where none did, it is drawn."""
        best = [min(each.rank for each in placings if self._side(each) == side) for side in (0, 1)]
        return None if best[0] == best[1] else best.index(1)

    def _side(self, placing: Placing) -> int:
        return self.entries.index(self.seats[placing.seat].entry)

    @property
    def _of_match(self) -> tuple[Result, ...]:
        """Return the result of a match that is decided by its games, or because a side left it."""
        counted, tally = self.games_over, self.tally
        if not counted:
            return ()
        scores = [each.placings for each in counted]
        points = tuple(sum(each[seat].score for each in scores) for seat in range(len(self.seats)))
        placings, seq = self.match_placings(tally), max(each.seq for each in counted)
        return (
            Result(placings, seq, by_one=any(each.by_one for each in counted), tally=tally, points=points),
        )

    def match_placings(self, tally: Tally) -> tuple[Placing, ...]:
        """Return rank and games won of each seat; a side that has left the match is behind the other."""
        left = dict(self.left_outcomes)
        marks = [(entry not in left, tally.won[side]) for side, entry in enumerate(self.entries)]
        ranks = [1 + sum(other > mark for other in marks) for mark in marks]
        share = len(self.seats) // len(self.entries)
        sides = [self.entries.index(seat.entry) for seat in self.seats]
        return tuple(
            Placing(seat, 1 + share * (ranks[side] - 1), tally.won[side]) for seat, side in enumerate(sides)
        )

    @property
    def decided(self) -> bool:
        """Return whether the table needs no further result."""
        return self.status in ("played", "walkover", "void")

    @property
    def to_come(self) -> bool:
        """Return whether the table is put off and still to be decided."""
        return self.postponement is not None and not self.decided

    @property
    def left_outcomes(self) -> tuple[tuple[str, Outcome], ...]:
        """Return the outcomes of entries that did not come or have left, which a ruling does not replace."""
        return () if self.walked_over else self.outcomes

    @property
    def outcome_of(self) -> Mapping[str, Outcome]:
        """Return the outcomes that replace results, by entry."""
        return dict(self.outcomes)


class Tables(Indexed[Table]):
    """The tables of a round, found by their ids and those of their games."""

    @staticmethod
    def words(item: Table) -> tuple[str, ...]:
        return item.id, *(game.id for game in item.games)


# ---- Rounds and stages ---------------------------------------------------------------------------

RoundStatus: TypeAlias = Literal["drawn", "published", "closed"]

PLAY_OFF: Final = "play-off"
"""The label of a table whose result decides a tie on the last place that counts, and nothing else."""


@dataclass(frozen=True)
class Round(InRooms[Table]):
    """A round of a stage.

    ``proposed`` and ``proposed_byes`` are the draw as it was before seats were moved, ``placed`` and
    ``placed_byes`` the same after that. The tables and byes are these without who has left since the
    cut-off; ``before`` are those of earlier rounds as they were then. ``origins``: its drafts, its own last.
    ``queue`` is who waits for a table, the longest first, since which event, None where tables are drawn;
    ``seated`` is the last event that opened one for them.
    """

    number: int
    status: RoundStatus
    tables: Tables
    byes: tuple[str, ...]
    idle: tuple[str, ...]
    proposed: tuple[Table, ...]
    proposed_byes: tuple[str, ...]
    placed: tuple[Table, ...]
    placed_byes: tuple[str, ...]
    report: JsonObject
    origins: tuple[Origin, ...]
    open: bool = False
    moved: tuple[str, ...] = ()
    deadline: str | None = None
    rooms: Rooms = NO_ROOMS
    before: tuple[Tables, ...] = ()
    queue: tuple[tuple[str, int], ...] | None = None
    seated: int = 0

    @property
    def undecided(self) -> tuple[Table, ...]:
        """Return the tables that the round waits for: those neither decided nor put off."""
        return tuple(table for table in self.tables if not (table.decided or table.to_come))

    @property
    def play_off(self) -> bool:
        """Return whether the round was drawn for play-offs, which give no points."""
        return any(table.label == PLAY_OFF for table in self.proposed)


@dataclass(frozen=True)
class Adjustment:
    """Points that an organiser gave, or took if negative; ``round`` is the last one published then."""

    entry: str
    points: Fraction
    reason: str
    seq: int
    round: int = 0


@dataclass(frozen=True)
class Placement:
    """An organiser's decision that an entry plays in a group of the next stage, whatever its rank."""

    entry: str
    group: int
    reason: str


@dataclass(frozen=True)
class Stage:
    """A stage that has begun: its groups (best seed first) and its rounds.

    ``origin`` is that of groups which were drawn. There are no ``lots`` until the stage closes.
    ``moves`` say how entries came into it, or why not. ``sizes`` are the groups’ at its start, ``placements``
    those that it used up. ``corrected``: something was changed after its standings had been final.
    """

    number: int
    plan: StagePlan
    groups: tuple[tuple[str, ...], ...]
    carried: tuple[tuple[str, Fraction], ...] = ()
    rounds: tuple[Round, ...] = ()
    adjustments: tuple[Adjustment, ...] = ()
    moves: tuple[Move, ...] = ()
    sizes: tuple[int, ...] = ()
    corrected: bool = False
    placements: tuple[Placement, ...] = ()
    origin: Origin | None = None
    lots: Lots | None = None

    @property
    def entries(self) -> tuple[str, ...]:
        """Return the entries of all groups."""
        return tuple(entry for group in self.groups for entry in group)

    def to_come(self, through: int | None = None) -> Counter[str]:
        """Return how many tables of each entry are put off, in all rounds or those up to ``through``."""
        put_off = (one for each in self.shown_rounds[:through] for one in each.tables if one.to_come)
        return Counter(entry for table in put_off for entry in table.entries)

    @property
    def open_round(self) -> Round | None:
        """Return the round that is not closed yet: drawn, or being played."""
        return self.rounds[-1] if self.rounds and self.rounds[-1].status != "closed" else None

    @property
    def drawn_round(self) -> Round | None:
        """Return the round that is drawn and not published yet."""
        return self.open_round if self.open_round and self.open_round.status == "drawn" else None

    @property
    def current_round(self) -> Round | None:
        """Return the round that is being played."""
        return self.open_round if self.open_round and self.open_round.status == "published" else None

    @property
    def shown_rounds(self) -> tuple[Round, ...]:
        """Return the published rounds, closed ones too."""
        return self.rounds[:-1] if self.drawn_round else self.rounds
