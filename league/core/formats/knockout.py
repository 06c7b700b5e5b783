"""Knockout: a bracket of tables of two with seeds and byes, or heats whose best entries advance."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Annotated, Any, Final

from games.engine.chance import Chance
from games.engine.messages import Message, text
from games.engine.refusals import Malformed
from games.engine.shapes import Between, Help, Label
from league.core.drawing.bracket import (
    FINAL,
    THIRD_PLACE,
    Heats,
    Played,
    PlayOff,
    TieRule,
    due_in_heats,
    played_rounds,
    seeded,
    slots_after,
)
from league.core.drawing.draw import Draw, DrawnTable, GroupDraw, stage_sizes, table_sizes
from league.core.drawing.drawing import Drawing, begun, kept_apart, snaked
from league.core.formats.base import Bracket, Column, Format, Match
from league.core.formats.picture import GAP, TIES, TITLES, Picture, round_title
from league.core.scoring import Reached
from league.core.state.competition import Competition, Stage
from league.core.state.cut_offs import Wish
from league.core.state.plan import Opening, StagePlan

LABELS: Final = {2: FINAL, 4: "semi-final", 8: "quarter-final"}
FINALISTS: Final = (
    text("Won the final"),
    text("Second in the final"),
    text("Third in the final"),
    text("Fourth in the final"),
    text("Fifth in the final"),
)
WISHED: Final = 100
"""How many meetings it counts in heats that two wish not to meet."""
NEAR: Final = 20
"""How many more or fewer entries are tried where there would be no final."""


@dataclass(frozen=True)
class Cup:
    """The parameters of a knockout."""

    advance: Annotated[
        int,
        Between(0, 9),
        Help(
            "how many of each table advance; 0: half of it, and to the final as many as a table usually has"
        ),
    ] = 0
    third_place: Annotated[bool, Help("the losers of the semi-finals play for third place")] = True
    ties: Annotated[
        TieRule,
        Help("who advances of those level on the last place: the better seed, who wins a play-off, or all"),
        Label(
            values=(
                ("seed", text("the better seed advances")),
                ("play_off", text("those level play off")),
                ("all", text("all of them advance")),
            )
        ),
    ] = "seed"


class Knockout(Format):
    """The winner of the final wins the stage."""

    key = "knockout"
    edition = 2
    title = "Knockout"
    summary = "Losers are out: a bracket of tables of two, or heats whose best advance to a final table."
    params = Cup
    rounds_note = text("as many as needed")
    rounds_asked = False
    ignores = frozenset({"rounds"})
    late_entries = False
    postponable = False
    has_brackets = True

    def read_params(self, plan: StagePlan) -> Any:
        cup: Cup = super().read_params(plan)
        if plan.table_size == 2 and cup.ties == "all":
            raise Malformed(
                {"ties": [text("At a table of two only one can advance: choose another number.")]}
            )
        return cup

    def no_promise(self, plan: StagePlan, wish: Wish) -> Message | None:
        return text("In a knockout results decide who meets.")

    def heats(self, opening: Opening, plan: StagePlan) -> Heats:
        """Return how each match divides its entries."""
        cup: Cup = self.read_params(plan)
        allowed = stage_sizes(opening, plan)
        to_final = plan.table_size > 2 and not cup.advance and plan.table_size in allowed
        return Heats(cup.advance, cup.ties, plan.table_size if to_final else 0, allowed)

    def rounds(self, state: Competition, stage: Stage) -> int:
        heats = self._heats(state, stage)
        groups = range(1, len(stage.groups) + 1)
        most = max(_rounds(state, stage, group, heats) for group in groups)
        held = sum(each.play_off and each.status != "drawn" for each in stage.rounds)
        return most + held + bool(self.due_play_offs(state, stage))

    def foretold(self, opening: Opening, plan: StagePlan, entries: int) -> Sequence[Message]:
        if plan.table_size == 2:
            return ()
        works = partial(_final, heats=self.heats(opening, plan), plan=plan)
        if final := works(entries):
            odd = final != plan.table_size and entries // plan.groups > plan.table_size
            return (_odd_final(entries, final, plan.table_size),) if odd else ()
        fewer, more = range(entries - 1, max(0, entries - NEAR), -1), range(entries + 1, entries + NEAR)
        nearest = [*islice(filter(works, fewer), 1), *islice(filter(works, more), 1)]
        return (_no_final(entries, nearest),)

    def playing(self, state: Competition, stage: Stage, number: int) -> Sequence[Sequence[str]]:
        heats = self._heats(state, stage)
        return [
            _still_in(present, played_rounds(state, stage, group, heats, number - 1))
            for group, present in enumerate(super().playing(state, stage, number), 1)
        ]

    def due_play_offs(self, state: Competition, stage: Stage) -> tuple[PlayOff, ...]:
        return due_in_heats(state, stage, self._heats(state, stage))

    def propose(self, state: Competition, stage: Stage, number: int, chance: Chance) -> Draw:
        drawing = begun(state, stage, number, chance, self.rounds(state, stage))
        cup, heats = self._cup(stage), self._heats(state, stage)
        if due := self.due_play_offs(state, stage):
            return drawing.play_offs(due)
        return drawing.each_group(
            lambda group, playing: _GroupRound(drawing, cup, heats, group, playing).draw()
        )

    def reached(self, state: Competition, stage: Stage, through: int) -> dict[str, Reached]:
        heats = self._heats(state, stage)
        return {
            entry: reached
            for group in range(1, len(stage.groups) + 1)
            for entry, reached in _reached(
                stage.groups[group - 1], played_rounds(state, stage, group, heats, through)
            )
        }

    def brackets(self, state: Competition, stage: Stage, names: Mapping[str, str]) -> tuple[Bracket, ...]:
        heats, groups = self._heats(state, stage), range(1, len(stage.groups) + 1)
        return tuple(_Picture(state, stage, group, heats, names).bracket() for group in groups)

    def _heats(self, state: Competition, stage: Stage) -> Heats:
        return self.heats(state.opening, stage.plan)

    def _cup(self, stage: Stage) -> Cup:
        cup: Cup = self.read_params(stage.plan)
        return cup


class AnyFinal(Knockout):
    """The first edition: the final is of those left, and ties can let everybody at a table advance."""

    edition = 1

    def heats(self, opening: Opening, plan: StagePlan) -> Heats:
        cup: Cup = self.read_params(plan)
        return Heats(cup.advance, cup.ties, allowed=stage_sizes(opening, plan), all_may_stay=True)


# ---- Draws ---------------------------------------------------------------------------------------


class _GroupRound:
    """A round of one group that is being drawn."""

    def __init__(self, drawing: Drawing, cup: Cup, heats: Heats, group: int, playing: Sequence[str]) -> None:
        self.drawing, self.cup, self.group, self.playing = drawing, cup, group, playing
        self.seeds = drawing.stage.groups[group - 1]
        before = drawing.number - 1
        self.rounds = played_rounds(drawing.state, drawing.stage, group, heats, before)

    def draw(self) -> GroupDraw:
        """Return the matches, the entries that advance without one, and those that are out."""
        drawn = self._bracket() if self.drawing.stage.plan.table_size == 2 else self._heats()
        involved = {entry for table in drawn.tables for entry in table.entries} | {*drawn.byes}
        return GroupDraw(
            drawn.tables, drawn.byes, tuple(entry for entry in self.playing if entry not in involved)
        )

    def _bracket(self) -> GroupDraw:
        slots = [entry if entry in self.playing else None for entry in slots_after(self.seeds, self.rounds)]
        label = LABELS.get(len(slots), "")
        pairs = [
            [entry for entry in pair if entry is not None]
            for pair in zip(slots[::2], slots[1::2], strict=True)
        ]
        tables = [self.drawing.seated(self.group, pair, label) for pair in pairs if len(pair) == 2]
        if label == FINAL:
            tables.extend(self._third_place())
        return GroupDraw(tuple(tables), tuple(pair[0] for pair in pairs if len(pair) == 1))

    def _third_place(self) -> Iterator[DrawnTable]:
        if self.cup.third_place and self.rounds:
            losers = [entry for entry in self.rounds[-1].out if entry in self.playing]
            if len(losers) == 2:
                yield self.drawing.seated(self.group, losers, THIRD_PLACE)

    def _heats(self) -> GroupDraw:
        entries = [entry for entry in _still_in(self.seeds, self.rounds) if entry in self.playing]
        if len(entries) < 2:
            return GroupDraw(byes=tuple(entries))
        sizes = self.drawing.sizes_of(self.group, len(entries))
        byes = len(entries) - sum(sizes)
        label = FINAL if len(sizes) == 1 and not byes else ""
        met = {entry: Counter(met) for entry, met in self.drawing.history.opponents.items()}
        for one, other in map(sorted, self.drawing.rules(entries).apart):
            met[one][other] += WISHED
            met[other][one] += WISHED
        tables = kept_apart(snaked(entries[byes:], sizes), met)
        seated = tuple(self.drawing.seated(self.group, table, label) for table in tables)
        return GroupDraw(seated, tuple(entries[:byes]))


def _still_in(entries: Sequence[str], rounds: Sequence[Played]) -> list[str]:
    """Return those of the entries that no round has put out, in the same order."""
    return [entry for entry in entries if all(entry in each.advancing for each in rounds)]


# ---- Number of rounds ----------------------------------------------------------------------------


def _rounds(state: Competition, stage: Stage, group: int, heats: Heats) -> int:
    """Return how many rounds a group has, as if nobody withdraws from now on.

    It has no more than were played when all entries still in have withdrawn.
    """
    seeds = stage.groups[group - 1]
    rounds = played_rounds(state, stage, group, heats, len(stage.rounds))
    entered = {entry.id for entry in state.entries if entry.status == "entered"}
    if entered.isdisjoint(_still_in(seeds, rounds)):
        return len(rounds)
    if stage.plan.table_size == 2:
        return len(seeded(len(seeds))).bit_length() - 1
    if any(match.label == FINAL for each in rounds for match in each.matches):
        return len(rounds)
    left = len(_still_in(seeds, rounds))
    if chosen := _chosen(stage, group):
        # The round that is played has other tables than the plan foresees.
        final = chosen == (left,)
        after = heats.through(chosen, left - sum(chosen))
        return len(rounds) + 1 + (0 if final else len([*_heats_left(after, heats, stage.plan)]))
    return len(rounds) + len([*_heats_left(left, heats, stage.plan)])


def _chosen(stage: Stage, group: int) -> tuple[int, ...]:
    """Return the sizes that were chosen for a group's tables in the round that is played, if any."""
    current = stage.current_round
    sizes = current.origins[-1].cut_off.sizes if current and current.origins else ()
    return sizes[group - 1] if sizes else ()


def _heats_left(count: int, heats: Heats, plan: StagePlan) -> Iterator[int]:
    """Yield for each further round the size of its final table, 0 where it is no final.

    There is none where those left fill no table.
    """
    while sizes := table_sizes(count, heats.allowed, plan.table_size):
        final = sizes == (count,)
        yield count if final else 0
        if final:
            return
        count = heats.through(sizes, count - sum(sizes))


def _final(entries: int, heats: Heats, plan: StagePlan) -> int:
    """Return the size of the smallest final table of a stage's groups, 0 where one has none."""
    groups = {entries // plan.groups, -(-entries // plan.groups)}
    return min(max(_heats_left(group, heats, plan), default=0) for group in groups)


def _odd_final(entries: int, final: int, usual: int) -> Message:
    return text(
        "With %(entries)d entries the final table has %(final)d instead of %(usual)d.",
        entries=entries,
        final=final,
        usual=usual,
    )


def _no_final(entries: int, nearest: Sequence[int]) -> Message:
    if not nearest:
        return text(
            "With %(entries)d entries there is no final: the entries left at the end don’t make one table, "
            "so points rank them. Let more of each table advance.",
            entries=entries,
        )
    listed = ", ".join(map(str, nearest))
    return text(
        "With %(entries)d entries there is no final: the entries left at the end don’t make one table, "
        "so points rank them. Numbers of entries that have a final: %(nearest)s.",
        entries=entries,
        nearest=listed,
    )


# ---- Ranks ---------------------------------------------------------------------------------------


def _reached(seeds: Sequence[str], rounds: Sequence[Played]) -> Iterator[tuple[str, Reached]]:
    """Yield how far each entry came: still in, ranked by a final, or out in some round."""
    rank = 1
    for words, entries in _classes(seeds, rounds):
        for entry in entries:
            yield entry, Reached(rank, _with_tie(words, entry, rounds))
        rank += len(entries)


def _with_tie(words: str, entry: str, rounds: Sequence[Played]) -> str:
    """Return how far an entry came, with what decided against it in a tie on the last place."""
    lines = [match.line for each in rounds for match in each.matches]
    for line in lines:
        if entry in line.out and entry in line.decided:
            return text(
                "%(reached)s, level on the last place: %(how)s", reached=words, how=TIES[line.decided[entry]]
            )
    return words


def _classes(seeds: Sequence[str], rounds: Sequence[Played]) -> Iterator[tuple[str, list[str]]]:
    """Yield the entries that came equally far, best first, with the words for it."""
    final, third = _order(rounds, FINAL), _order(rounds, THIRD_PLACE)
    ranked = {*final, *third}
    yield from ((_words(index), [entry]) for index, entry in enumerate(final))
    yield text("Still in"), [entry for entry in _still_in(seeds, rounds) if entry not in ranked]
    for index, each in reversed([*enumerate(rounds)]):
        before = _still_in(seeds, rounds[:index])
        out = [entry for entry in before if entry not in each.advancing and entry not in ranked]
        yield text("Out in round %(round)s", round=each.number), out
        if each is rounds[-1]:
            yield from zip((text("Third"), text("Fourth")), ([entry] for entry in third), strict=False)


def _order(rounds: Sequence[Played], label: str) -> tuple[str, ...]:
    """Return how the last round's match with a label ended; empty where there is none."""
    matches = rounds[-1].matches if rounds else ()
    return next((match.order for match in matches if match.label == label), ())


def _words(index: int) -> str:
    if index < len(FINALISTS):
        return FINALISTS[index]
    return text("Place %(number)s in the final", number=index + 1)


# ---- The picture ---------------------------------------------------------------------------------


class _Picture(Picture):
    """The picture of one group."""

    def bracket(self) -> Bracket:
        columns = self._paired() if self.stage.plan.table_size == 2 else self._heats()
        return Bracket(tuple(columns), self.group_title)

    # ---- Tables of two ----

    def _paired(self) -> Iterator[Column]:
        centres = [at * (2 + GAP) + 1 for at in range(len(seeded(len(self.seeds))) // 2)]
        number = 0
        while centres:
            title = TITLES.get(len(centres)) or round_title(number)
            matches = (*self._pairs(number, centres), *self._third(number, centres))
            yield Column(title, matches, self.over(number))
            centres = [(one + other) / 2 for one, other in zip(centres[::2], centres[1::2], strict=False)]
            number += 1

    def _pairs(self, number: int, centres: Sequence[float]) -> Iterator[Match]:
        known = number <= len(self.closed)
        slots = slots_after(self.seeds, self.closed[:number]) if known else (None,) * (2 * len(centres))
        pairs = zip(slots[::2], slots[1::2], strict=True)
        for at, (centre, pair) in enumerate(zip(centres, pairs, strict=True)):
            feeders = (2 * at, 2 * at + 1) if number else ()
            yield Match(
                self.slots(number, pair, self.advancing(number), _bye(number)), centre, feeders=feeders
            )

    def _third(self, number: int, centres: Sequence[float]) -> Iterator[Match]:
        for table in self.tables(number):
            if table.label == THIRD_PLACE:
                slots = self.slots(number, table.entries, _order(self.closed[number:], THIRD_PLACE)[:1])
                yield Match(slots, centres[-1] + 2 + 2 * GAP, THIRD_PLACE)

    # ---- Heats ----

    def _heats(self) -> Iterator[Column]:
        for number, _shown in enumerate(self.shown):
            bottom, matches = 0.0, []
            for label, entries in self._order(number):
                slots = self.slots(number, entries, self.advancing(number), _bye(number))
                matches.append(Match(slots, bottom + len(slots) / 2, label))
                bottom += len(slots) + GAP
            yield Column(round_title(number), tuple(matches), self.over(number))

    def _order(self, number: int) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield the label and the entries of each match, best first where it is over."""
        if number < len(self.closed):
            yield from ((match.label, match.order) for match in self.closed[number].matches)
        else:
            yield from {table.entries: (table.label, table.entries) for table in self.tables(number)}.values()


def _bye(number: int) -> str:
    """Return the note of an empty slot: only in the first round is it a bye for sure."""
    return "" if number else text("bye")
