"""The line between the entries that go on and those that do not, and what decides a tie on it.

One pure function serves every line: who qualifies for the next stage, who is promoted or relegated, and who
advances from a table of a knockout.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from league.core.state.values import Decider, LineRule


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
