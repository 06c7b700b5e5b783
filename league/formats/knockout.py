"""Knockout: who is beaten is out. Brackets of duels with seeds and byes, or heats whose best go on."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias

from games.engine.chance import Chance
from games.engine.shapes import Between, Help
from league.competition.events import StagePlan
from league.competition.state import Competition, Stage
from league.formats.base import Draw, DrawnTable, Format
from league.formats.bracket import FINAL, THIRD_PLACE, Played, going_on, played_rounds, seeded, slots_after
from league.formats.drawing import Drawing, Part
from league.formats.sizes import stage_sizes, table_sizes
from league.scoring import Reached

LABELS: Final = {2: FINAL, 4: "semi-final", 8: "quarter-final"}
Met: TypeAlias = Mapping[str, Counter[str]]
"""How often each entry met each other one."""
ORDINALS: Final = ("Won", "Second in", "Third in", "Fourth in", "Fifth in")


@dataclass(frozen=True)
class Cup:
    """What a knockout asks beside the table size."""

    advance: Annotated[int, Between(0, 9), Help("how many of each table go on; 0: half of it")] = 0
    third_place: Annotated[bool, Help("the losers of the semi-finals play for third place")] = True


class Knockout(Format):
    """The title goes to the winner of the final."""

    key = "knockout"
    title = "Knockout"
    summary = "Who is beaten is out: a bracket of duels, or heats whose best go on to the final table."
    params = Cup
    rounds_asked = False
    late_entries = False

    def rounds(self, state: Competition, stage: Stage) -> int:
        groups = range(1, len(stage.groups) + 1)
        return max(_rounds(state, stage, group, self._cup(stage)) for group in groups)

    def propose(self, state: Competition, stage: Stage, number: int, chance: Chance) -> Draw:
        drawing = Drawing(state, stage, number, chance)
        cup = self._cup(stage)
        return drawing.each_group(lambda group, playing: _part(drawing, cup, group, playing))

    def reached(self, state: Competition, stage: Stage, through: int) -> dict[str, Reached]:
        cup = self._cup(stage)
        return {
            entry: reached
            for group in range(1, len(stage.groups) + 1)
            for entry, reached in _reached(
                stage.groups[group - 1], played_rounds(state, stage, group, cup.advance, through)
            )
        }

    def _cup(self, stage: Stage) -> Cup:
        cup: Cup = self.read_params(stage.plan)
        return cup


def _part(drawing: Drawing, cup: Cup, group: int, playing: Sequence[str]) -> Part:
    """Return a group's round: its matches, those who go on without one, and those who are out."""
    before = drawing.number - 1
    rounds = played_rounds(drawing.state, drawing.stage, group, cup.advance, before)
    seeds = drawing.stage.groups[group - 1]
    drawn = _duels if drawing.stage.plan.table_size == 2 else _heats
    part = drawn(drawing, cup, group, playing, seeds, rounds)
    placed = {entry for table in part.tables for entry in table.entries} | {*part.byes}
    return Part(part.tables, part.byes, tuple(entry for entry in playing if entry not in placed))


# ---- Duels ---------------------------------------------------------------------------------------


def _duels(
    drawing: Drawing,
    cup: Cup,
    group: int,
    playing: Sequence[str],
    seeds: Sequence[str],
    rounds: Sequence[Played],
) -> Part:
    slots = [entry if entry in playing else None for entry in slots_after(seeds, rounds)]
    label = LABELS.get(len(slots), "")
    pairs = [
        [entry for entry in pair if entry is not None] for pair in zip(slots[::2], slots[1::2], strict=True)
    ]
    tables = [drawing.seated(group, pair, label) for pair in pairs if len(pair) == 2]
    if cup.third_place and label == FINAL and rounds:
        tables.extend(_for_third_place(drawing, group, playing, rounds[-1]))
    return Part(tuple(tables), tuple(pair[0] for pair in pairs if len(pair) == 1))


def _for_third_place(
    drawing: Drawing, group: int, playing: Sequence[str], semi_finals: Played
) -> Iterator[DrawnTable]:
    losers = [entry for entry in semi_finals.out if entry in playing]
    if len(losers) == 2:
        yield drawing.seated(group, losers, THIRD_PLACE)


# ---- Heats ---------------------------------------------------------------------------------------


def _heats(
    drawing: Drawing,
    cup: Cup,
    group: int,
    playing: Sequence[str],
    seeds: Sequence[str],
    rounds: Sequence[Played],
) -> Part:
    alive = [entry for entry in _alive(seeds, rounds) if entry in playing]
    if len(alive) < 2:
        return Part(byes=tuple(alive))
    sizes = table_sizes(len(alive), drawing.sizes, drawing.stage.plan.table_size)
    byes = len(alive) - sum(sizes)
    label = FINAL if len(sizes) == 1 and not byes else ""
    dealt = kept_apart(snaked(alive[byes:], sizes), drawing.remembered.opponents)
    tables = tuple(drawing.seated(group, table, label) for table in dealt)
    return Part(tables, tuple(alive[:byes]))


def _alive(seeds: Sequence[str], rounds: Sequence[Played]) -> list[str]:
    """Return who is still in, best seed first."""
    return [entry for entry in seeds if all(entry in each.on for each in rounds)]


def snaked(entries: Sequence[str], sizes: Sequence[int]) -> list[list[str]]:
    """Return the entries dealt to tables of the sizes to and fro, so that the best seeds are spread."""
    tables: list[list[str]] = [[] for _ in sizes]
    left = iter(entries)
    for turn in range(max(sizes)):
        order = range(len(sizes)) if turn % 2 == 0 else reversed(range(len(sizes)))
        for at in order:
            if len(tables[at]) < sizes[at]:
                tables[at].append(next(left))
    return tables


def kept_apart(tables: Sequence[Sequence[str]], met: Met) -> list[list[str]]:
    """Return the tables with entries exchanged as long as fewer then meet again.

    First within a pot, those dealt in the same turn, so that the best seeds stay spread; then across pots.
    """
    found = [list(table) for table in tables]
    for within in (True, False):
        while sum(_exchanged(found, at, seat, met, within) for at, seat in _seats(found)):
            pass
    return found


def _seats(tables: Sequence[Sequence[str]]) -> Iterator[tuple[int, int]]:
    return ((at, seat) for at, table in enumerate(tables) for seat in range(len(table)))


def _exchanged(tables: list[list[str]], at: int, seat: int, met: Met, within: bool) -> bool:
    """Exchange an entry for the one elsewhere that spares most meetings; return whether there was one."""
    here = tables[at]
    if not _again(here, seat, here[seat], met):
        return False
    others = [(to, place) for to, place in _seats(tables) if to != at and (place == seat or not within)]
    spared = [_spared(here, seat, tables[to], place, met) for to, place in others]
    most = max(spared, default=0)
    if most <= 0:
        return False
    to, place = others[spared.index(most)]
    here[seat], tables[to][place] = tables[to][place], here[seat]
    return True


def _spared(here: Sequence[str], seat: int, there: Sequence[str], place: int, met: Met) -> int:
    one, other = here[seat], there[place]
    before = _again(here, seat, one, met) + _again(there, place, other, met)
    return before - _again(here, seat, other, met) - _again(there, place, one, met)


def _again(table: Sequence[str], seat: int, entry: str, met: Met) -> int:
    """Return how often an entry has met those at a table, were it to take the seat."""
    return sum(met[entry][other] for at, other in enumerate(table) if at != seat)


# ---- How long, how far ---------------------------------------------------------------------------


def _rounds(state: Competition, stage: Stage, group: int, cup: Cup) -> int:
    """Return how many rounds a group's knockout has, those to come counted as if nobody withdrew."""
    seeds = stage.groups[group - 1]
    if stage.plan.table_size == 2:
        return len(seeded(len(seeds))).bit_length() - 1
    rounds = played_rounds(state, stage, group, cup.advance, len(stage.rounds))
    if any(match.label == FINAL for each in rounds for match in each.matches):
        return len(rounds)
    sizes = stage_sizes(state.opening, stage.plan)
    return len(rounds) + _rounds_left(len(_alive(seeds, rounds)), sizes, stage.plan, cup.advance)


def _rounds_left(count: int, allowed: Sequence[int], plan: StagePlan, advance: int) -> int:
    rounds = 0
    while count > 1:
        sizes = table_sizes(count, allowed, plan.table_size)
        rounds += 1
        if len(sizes) == 1 and sizes[0] == count:
            break
        count += sum(going_on(size, advance) - size for size in sizes)
    return rounds


def _reached(seeds: Sequence[str], rounds: Sequence[Played]) -> Iterator[tuple[str, Reached]]:
    """Yield how far each entry came: still in, placed by the last matches, or out in some round."""
    place = 1
    for words, entries in _classes(seeds, rounds):
        for entry in entries:
            yield entry, Reached(place, words)
        place += len(entries)


def _classes(seeds: Sequence[str], rounds: Sequence[Played]) -> Iterator[tuple[str, list[str]]]:
    """Yield classes of entries that came equally far, best first, each with the words for it."""
    final, third = _order(rounds, FINAL), _order(rounds, THIRD_PLACE)
    told = {*final, *third}
    yield from ((_words(at), [entry]) for at, entry in enumerate(final))
    yield "Still in", [entry for entry in _alive(seeds, rounds) if entry not in told]
    for at, each in reversed([*enumerate(rounds)]):
        out = [entry for entry in _alive(seeds, rounds[:at]) if entry not in each.on and entry not in told]
        yield f"Out in round {each.number}", out
        if each is rounds[-1]:
            yield from zip(("Third", "Fourth"), ([entry] for entry in third), strict=False)


def _order(rounds: Sequence[Played], label: str) -> tuple[str, ...]:
    """Return how the last round's match of a label ended, empty where there was none."""
    matches = rounds[-1].matches if rounds else ()
    return next((match.order for match in matches if match.label == label), ())


def _words(at: int) -> str:
    return f"{ORDINALS[at]} the final" if at < len(ORDINALS) else f"Number {at + 1} in the final"
