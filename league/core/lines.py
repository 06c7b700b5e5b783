"""The lines between the entries that go on and those that do not, and promotion and relegation by them.

One pure function, `line_at`, serves every line: who qualifies for the next stage, who is promoted or
relegated, and who advances from a table of a knockout.

The rules between the divisions of two seasons, in this order:

1. The organiser's placements.
2. The best ``promoted`` of each division go up, then the last ``relegated`` of those left go down: in a
   small division promotion comes before relegation.
3. From the top down each division but the last gets its size back. A free place goes to the next best of the
   division below, or, if the plan says ``keep`` or nobody is left there, to the best of those relegated from
   it. Where there are too many, the last of those who stayed go down, and if nobody stayed, the last of those
   promoted into it stay below.
4. Newcomers begin in the last division, which takes all who are left.

A place that the organiser gives, or that a tie in which all go on adds, is one more than the size.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final, Literal

from games.engine.messages import text
from games.engine.values import replace
from league.core.state.competition import Placement
from league.core.state.stages import Move
from league.core.state.values import Decider, LineRule, Why


@dataclass(frozen=True)
class Line:
    """Who goes on and who does not, each in order; ``extra`` is how many more go on than there are places.

    ``level`` are the entries that share the last place, empty without such a tie. ``decided`` says of each of
    them what decided.
    """

    through: tuple[str, ...]
    out: tuple[str, ...]
    level: tuple[str, ...] = ()
    decided: Mapping[str, Decider] = field(default_factory=dict)
    extra: int = 0


def line_at(
    classes: Sequence[Sequence[str]],
    places: int,
    rule: LineRule,
    *,
    seeds: Sequence[str] = (),
    play_offs: Sequence[Mapping[str, int]] = (),
    otherwise: Decider = "lots",
) -> Line:
    """Return the line after ``places`` entries of ``classes``: the entries in order, level ones together.

    ``seeds`` are entries, the best seed first. ``play_offs`` are the ranks that play-offs gave, by entry: the
    first with at least two of those level counts, and entries that were not in it come last. What a play-off
    leaves level, or was not played, is decided by the order inside the class: ``otherwise`` names what gave
    that order.
    """
    before: list[str] = []
    for index, level in enumerate(classes):
        room = places - len(before)
        if 0 < room < len(level):
            decided = _decided(level, room, rule, seeds, play_offs, otherwise)
            on = tuple(entry for entry in level if entry in decided.through)
            off = tuple(entry for entry in level if entry not in decided.through)
            rest = tuple(entry for members in classes[index + 1 :] for entry in members)
            return Line((*before, *on), (*off, *rest), tuple(level), decided.decided, len(on) - room)
        if room <= 0:
            return Line(tuple(before), tuple(entry for members in classes[index:] for entry in members))
        before.extend(level)
    return Line(tuple(before), ())


def _decided(
    level: Sequence[str],
    room: int,
    rule: LineRule,
    seeds: Sequence[str],
    play_offs: Sequence[Mapping[str, int]],
    otherwise: Decider,
) -> Line:
    ranks = next((ranks for ranks in play_offs if len(ranks.keys() & {*level}) > 1), None)
    match rule:
        case "all":
            return Line(tuple(level), (), decided=dict.fromkeys(level, "all"))
        case "seed":
            return _first(sorted(level, key=seeds.index), room, "seed")
        case "play_off" if ranks:
            return _played_off(level, room, ranks, otherwise)
        case _:
            return _first(level, room, otherwise)


def _first(order: Sequence[str], room: int, by: Decider) -> Line:
    return Line(tuple(order[:room]), tuple(order[room:]), decided=dict.fromkeys(order, by))


def _played_off(level: Sequence[str], room: int, ranks: Mapping[str, int], otherwise: Decider) -> Line:
    """Return the line by a play-off; entries that it leaves level across the line keep their order."""

    def rank(entry: str) -> int:
        return ranks.get(entry, len(level) + 1)

    classes = [list(members) for _, members in groupby(sorted(level, key=rank), key=rank)]
    line = line_at(classes, room, "lots", otherwise=otherwise)
    by: dict[str, Decider] = dict.fromkeys(level, "play_off")
    return Line(line.through, line.out, decided={**by, **line.decided})


# ---- Divisions -----------------------------------------------------------------------------------

RULE: Final = text(
    "First the best of each division are promoted, then the last of those left are relegated: an entry "
    "among both is promoted. Then each division but the last gets its size back: the next best of the "
    "division below are promoted, or fewer are relegated; if it has too many, the last of those who stayed "
    "go down, or if nobody stayed, the last of those promoted stay below. New entries begin in the last "
    "division."
)
"""The rules in short, for pages on which promotion is planned or shown."""


@dataclass(frozen=True)
class Division:
    """A division after a season: the ranks of those who may play on, best first, and its lines.

    ``up`` is the line after those promoted, ``down`` the one before those relegated. ``size`` is the number
    of entries that it should have; None for the last division, which takes all who are left.
    """

    ranks: Mapping[str, int]
    up: Line | None
    down: Line | None
    size: int | None


@dataclass
class _Season:
    """The moves as far as they are decided, by entry, in the order of divisions and ranks."""

    divisions: Sequence[Division]
    fill: Literal["promote", "keep"]
    moves: dict[str, Move] = field(default_factory=dict)
    extra: dict[int, int] = field(default_factory=dict)

    def in_division(self, number: int) -> int:
        """Return how many entries a division has by now."""
        return sum(move.group == number for move in self.moves.values())

    def among(self, before: int, *whys: Why) -> list[Move]:
        """Return the moves of a division's entries for these reasons, best rank first."""
        return [move for move in self.moves.values() if move.before == before and move.why in whys]

    def change(self, move: Move, group: int, why: Why) -> None:
        """Send an entry elsewhere, for a reason that has nothing to do with a tie."""
        self.moves[move.entry] = replace(move, group=group, why=why, line="", level=0)


def next_divisions(
    divisions: Sequence[Division],
    newcomers: Iterable[str],
    placements: Mapping[str, Placement],
    fill: Literal["promote", "keep"],
) -> tuple[Move, ...]:
    """Return where every entry goes, in the order of divisions and ranks, newcomers last.

    ``newcomers`` are the entries that were in no division; a placement of an entry that is in neither is
    ignored.
    """
    season = _Season(divisions, fill)
    for number, division in enumerate(divisions, 1):
        for entry, rank in division.ranks.items():
            season.moves[entry] = _by_rank(division, number, entry, rank)
        _add_extra(season, number, division)
    for entry in newcomers:
        season.moves[entry] = Move(entry, len(divisions), "new")
    _place(season, placements)
    for number, division in enumerate(divisions, 1):
        if division.size is not None:
            _keep_size(season, number, division.size + season.extra.get(number, 0))
    return tuple(season.moves.values())


def _by_rank(division: Division, number: int, entry: str, rank: int) -> Move:
    """Return the move that rank and lines give: guaranteed movers first, promotion before relegation."""
    up, down = division.up, division.down
    if up and entry in up.through:
        return _at(up, Move(entry, number - 1, "promoted", number, rank))
    if down and entry in down.out:
        return _at(down, Move(entry, number + 1, "relegated", number, rank))
    stays = Move(entry, number, "stays", number, rank)
    for line in (up, down):
        if line and entry in line.decided:
            return _at(line, stays)
    return stays


def _at(line: Line, move: Move) -> Move:
    """Return a move with what decided a tie at its line, if it was in one."""
    if move.entry not in line.decided:
        return move
    return replace(move, line=line.decided[move.entry], level=len(line.level) - 1)


def _add_extra(season: _Season, number: int, division: Division) -> None:
    """Add the places of ties in which all go on: above the line they are promoted, or they stay."""
    if division.up:
        season.extra[number - 1] = season.extra.get(number - 1, 0) + division.up.extra
    if division.down:
        season.extra[number] = season.extra.get(number, 0) + division.down.extra


def _place(season: _Season, placements: Mapping[str, Placement]) -> None:
    for entry, placement in placements.items():
        if move := season.moves.get(entry):
            if placement.group != move.group:
                season.extra[placement.group] = season.extra.get(placement.group, 0) + 1
            season.change(move, placement.group, "placed")
            season.moves[entry] = replace(season.moves[entry], reason=placement.reason)


def _keep_size(season: _Season, number: int, size: int) -> None:
    """Fill a division up to its size, or send as many down as are too many, as far as entries are left."""
    while season.in_division(number) < size and _fill_place(season, number):
        pass
    while season.in_division(number) > size and _free_place(season, number):
        pass


def _fill_place(season: _Season, number: int) -> bool:
    """Give a free place to the next best of the division below, or to one that was relegated."""
    below = [*season.among(number + 1, "stays")[:1]]
    own = [*season.among(number, "relegated")[:1]]
    first = below or own if season.fill == "promote" else own or below
    for move in first:
        season.change(move, number, "next_best" if move.before > number else "kept")
    return bool(first)


def _free_place(season: _Season, number: int) -> bool:
    """Send the last of those who stayed down, otherwise let the last of those promoted stay below."""
    stayed = season.among(number, "stays")[-1:]
    promoted = season.among(number + 1, "promoted")[-1:]
    for move in stayed or promoted:
        season.change(move, number + 1, "surplus" if stayed else "no_place")
    return bool(stayed or promoted)


def members(moves: Sequence[Move], divisions: int) -> tuple[tuple[str, ...], ...]:
    """Return the divisions: those from above first, then those that stay, then from below, then newcomers."""
    order = sorted(moves, key=lambda move: (move.before == 0, move.before, move.rank))
    return tuple(
        tuple(move.entry for move in order if move.group == number) for number in range(1, divisions + 1)
    )
