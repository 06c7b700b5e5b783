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
)
from league.core.drawing.double_bracket import sizes_of_pairs
from league.core.drawing.draw import Draw, GroupDraw, stage_sizes, table_sizes
from league.core.drawing.drawing import Drawing, begun, kept_apart, snaked
from league.core.drawing.gone_on import exchanged
from league.core.drawing.placing import PlacingBracket
from league.core.drawing.possible import Possible, all_possible, possible_in_heats
from league.core.formats.base import Bracket, Column, Format, Match
from league.core.formats.pairs_cup import PairsPicture, draw_pairs, reached_in_pairs, rounds_of_pairs
from league.core.formats.picture import GAP, RANKED_BY_ROUND, Picture, reached_at, round_title
from league.core.records import Reached
from league.core.state.competition import Competition, Stage
from league.core.state.cut_offs import Sizes, Wish
from league.core.state.plan import Opening, StagePlan

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
    placing: Annotated[
        int,
        Between(0, 64),
        Help(
            "at tables of two the losers of a round play on for the places down to this one: 8 for places 5 "
            "to 8 too; 0: for none but the third"
        ),
        Label("Places played out"),
    ] = 0
    consolation: Annotated[
        bool,
        Help(
            "at tables of two those who lose the first match that they play, and don’t play on for a place, "
            "play a cup of their own; a bye or a walkover is no match played"
        ),
    ] = False
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
    edition = 3
    title = "Knockout"
    summary = "Losers are out: a bracket of tables of two, or heats whose best advance to a final table."
    params = Cup
    rounds_note = text("as many as needed")
    rounds_asked = False
    ignores = Format.ignores | {"rounds"}
    late_entries = False
    postponable = False
    has_brackets = True

    def read_params(self, plan: StagePlan) -> Any:
        cup: Cup = super().read_params(plan)
        if plan.table_size == 2 and cup.ties == "all":
            raise Malformed(
                {"ties": [text("At a table of two only one can advance: choose another number.")]}
            )
        beside = {"placing": cup.placing, "consolation": cup.consolation}
        if plan.table_size != 2 and any(beside.values()):
            sentence = text("Losers play on at tables of two only.")
            raise Malformed({name: [sentence] for name, asked in beside.items() if asked})
        return cup

    def no_promise(self, plan: StagePlan, wish: Wish) -> Message | None:
        return text("In a knockout results decide who meets.")

    def heats(self, opening: Opening, plan: StagePlan) -> Heats:
        """Return how each match divides its entries."""
        cup: Cup = self.read_params(plan)
        allowed = stage_sizes(opening, plan)
        to_final = plan.table_size > 2 and not cup.advance and plan.table_size in allowed
        return Heats(cup.advance, cup.ties, plan.table_size if to_final else 0, allowed)

    def rules(self, plan: StagePlan) -> Sequence[Message]:
        cup, found = self._cup(plan), list[Message]()
        if cup.placing > 4:
            found.append(text("The places down to %(place)d are played out.", place=cup.placing))
        if cup.consolation:
            found.append(
                text("Who loses the first match, byes and walkovers apart, goes on in a consolation.")
            )
        return [*found, text("Nobody can ask for a bye: who is away from a round is out.")]

    def in_parts(self, plan: StagePlan) -> bool:
        """Return whether losers can play on in parts of a bracket: else all who are left play in heats."""
        return plan.table_size == 2

    def rounds(self, state: Competition, stage: Stage) -> int:
        if self.in_parts(stage.plan):
            brackets = self._brackets(state, stage, len(stage.rounds))
            most = max(rounds_of_pairs(bracket, _entered(state)) for bracket in brackets)
        else:
            heats, groups = self._heats(state, stage), range(1, len(stage.groups) + 1)
            most = max(_rounds(state, stage, group, heats) for group in groups)
        held = sum(each.play_off and each.status != "drawn" for each in stage.rounds)
        return most + held + bool(self.due_play_offs(state, stage))

    def ranked_first_by(self) -> Message:
        return RANKED_BY_ROUND

    def foretold(self, opening: Opening, plan: StagePlan, entries: int) -> Sequence[Message]:
        if plan.table_size == 2:
            late = self._cup(plan).consolation and entries // plan.groups > 4
            return (_round_more(),) if late and None in seeded(entries // plan.groups) else ()
        works = partial(_final, heats=self.heats(opening, plan), plan=plan)
        if final := works(entries):
            odd = final != plan.table_size and entries // plan.groups > plan.table_size
            return (_odd_final(entries, final, plan.table_size),) if odd else ()
        fewer, more = range(entries - 1, max(0, entries - NEAR), -1), range(entries + 1, entries + NEAR)
        nearest = [*islice(filter(works, fewer), 1), *islice(filter(works, more), 1)]
        return (_no_final(entries, nearest),)

    def playing(self, state: Competition, stage: Stage, number: int) -> Sequence[Sequence[str]]:
        if self.in_parts(stage.plan):
            brackets = self._brackets(state, stage, number - 1)
            fields, entered = super().playing(state, stage, number), _entered(state)
            return [
                [entry for entry in present if entry in bracket.awaited(entered)]
                for bracket, present in zip(brackets, fields, strict=True)
            ]
        heats = self._heats(state, stage)
        return [
            still_in(present, played_rounds(state, stage, group, heats, number - 1))
            for group, present in enumerate(super().playing(state, stage, number), 1)
        ]

    def sizes(self, state: Competition, stage: Stage, number: int) -> Sizes:
        if stage.plan.table_size > 2:
            return super().sizes(state, stage, number)
        brackets = zip(self._brackets(state, stage, number - 1), state.field(stage, number), strict=True)
        return tuple(sizes_of_pairs((pair for *_, pair in each.labelled()), here) for each, here in brackets)

    def due_play_offs(self, state: Competition, stage: Stage) -> tuple[PlayOff, ...]:
        return due_in_heats(state, stage, self._heats(state, stage))

    def propose(self, state: Competition, stage: Stage, number: int, chance: Chance) -> Draw:
        drawing = begun(state, stage, number, chance, self.rounds(state, stage))
        if due := self.due_play_offs(state, stage):
            return drawing.play_offs(due)
        if self.in_parts(stage.plan):
            brackets = self._brackets(state, stage, number - 1)
            return drawing.each_group(
                lambda group, playing: draw_pairs(drawing, brackets[group - 1], group, playing)
            )
        heats = self._heats(state, stage)
        return drawing.each_group(lambda group, playing: self.heat(drawing, heats, group, playing))

    def heat(self, drawing: Drawing, heats: Heats, group: int, playing: Sequence[str]) -> GroupDraw:
        """Return a group's next heats, the entries that advance without one, and those that are out."""
        return _draw_heats(drawing, heats, group, playing)

    def reached(self, state: Competition, stage: Stage, through: int) -> dict[str, Reached]:
        if self.in_parts(stage.plan):
            brackets = self._brackets(state, stage, through)
            return {entry: how for bracket in brackets for entry, how in reached_in_pairs(bracket)}
        heats = self._heats(state, stage)
        found: dict[str, Reached] = {}
        for group, seeds in enumerate(stage.groups, 1):
            rounds = played_rounds(state, stage, group, heats, through)
            as_before = heats.as_corrected and stage.plan.table_size > 2
            found |= _reached(seeds, rounds if as_before else _to_final(rounds))
        return found

    def possible(self, state: Competition, stage: Stage) -> Possible:
        heats = self._heats(state, stage)
        if self.in_parts(stage.plan):
            return all_possible(state, stage, heats, self._brackets(state, stage, len(stage.rounds)))
        groups = range(1, len(stage.groups) + 1)
        found = (possible_in_heats(state, stage, group, heats) for group in groups)
        return {entry: ranks for each in found for entry, ranks in each.items()}

    def brackets(self, state: Competition, stage: Stage, names: Mapping[str, str]) -> tuple[Bracket, ...]:
        heats, groups = self._heats(state, stage), range(1, len(stage.groups) + 1)
        if stage.plan.table_size > 2:
            return tuple(_Picture(state, stage, group, heats, names).bracket() for group in groups)
        found = self._brackets(state, stage, len(stage.rounds))
        pictures = (PairsPicture(state, stage, group, heats, names, found[group - 1]) for group in groups)
        return tuple(bracket for picture in pictures for bracket in picture.brackets())

    def still_in(self, state: Competition, stage: Stage) -> frozenset[str]:
        through = len(stage.rounds)
        if self.in_parts(stage.plan):
            brackets = self._brackets(state, stage, through)
            return frozenset(entry for bracket in brackets for entry in bracket.playing)
        heats = self._heats(state, stage)
        return frozenset(
            entry
            for group, seeds in enumerate(stage.groups, 1)
            for entry in still_in(seeds, played_rounds(state, stage, group, heats, through))
        )

    def _brackets(self, state: Competition, stage: Stage, through: int) -> list[PlacingBracket]:
        cup, heats = self._cup(stage.plan), self._heats(state, stage)
        most = max(cup.placing, 4 if cup.third_place else 0)
        moved = () if heats.as_corrected else exchanged(stage, through)
        groups = (
            (seeds, played_rounds(state, stage, group, heats, through))
            for group, seeds in enumerate(stage.groups, 1)
        )
        return [PlacingBracket(seeds, rounds, most, cup.consolation, moved) for seeds, rounds in groups]

    def _heats(self, state: Competition, stage: Stage) -> Heats:
        return self.heats(state.opening, stage.plan)

    def _cup(self, plan: StagePlan) -> Cup:
        cup: Cup = self.read_params(plan)
        return cup


# ---- Draws ---------------------------------------------------------------------------------------


def _draw_heats(drawing: Drawing, heats: Heats, group: int, playing: Sequence[str]) -> GroupDraw:
    """Return a group's next heats, the entries that advance without one, and those that are out."""
    seeds = drawing.stage.groups[group - 1]
    rounds = played_rounds(drawing.state, drawing.stage, group, heats, drawing.number - 1)
    entries = [entry for entry in still_in(seeds, rounds) if entry in playing]
    idle = tuple(entry for entry in playing if entry not in entries)
    if len(entries) < 2:
        return GroupDraw(byes=tuple(entries), idle=idle)
    sizes = drawing.sizes_of(group, len(entries))
    byes = len(entries) - sum(sizes)
    label = FINAL if len(sizes) == 1 and not byes else ""
    met = {entry: Counter(met) for entry, met in drawing.history.opponents.items()}
    for one, other in map(sorted, drawing.rules(entries).apart):
        met[one][other] += WISHED
        met[other][one] += WISHED
    tables = kept_apart(snaked(entries[byes:], sizes), met)
    seated = tuple(drawing.seated(group, table, label) for table in tables)
    return GroupDraw(seated, tuple(entries[:byes]), idle)


def _entered(state: Competition) -> frozenset[str]:
    return frozenset(entry.id for entry in state.entries if entry.status == "entered")


def still_in(entries: Sequence[str], rounds: Sequence[Played]) -> list[str]:
    """Return those of the entries that no round has put out, in the same order."""
    return [entry for entry in entries if all(entry in each.advancing for each in rounds)]


# ---- Number of rounds ----------------------------------------------------------------------------


def _rounds(state: Competition, stage: Stage, group: int, heats: Heats) -> int:
    """Return how many rounds a group has, as if nobody withdraws from now on.

    It has no more than were played when all entries still in have withdrawn.
    """
    seeds = stage.groups[group - 1]
    rounds = played_rounds(state, stage, group, heats, len(stage.rounds))
    if _entered(state).isdisjoint(still_in(seeds, rounds)):
        return len(rounds)
    if stage.plan.table_size == 2:
        return len(seeded(len(seeds))).bit_length() - 1
    if any(match.label == FINAL for each in rounds for match in each.matches):
        return len(rounds)
    left = len(still_in(seeds, rounds))
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


def _round_more() -> Message:
    return text("The consolation takes a round more if one with a bye in round 1 then loses.")


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
    rank, placed = 1, {*_order(rounds, FINAL), *_order(rounds, THIRD_PLACE)}
    for words, entries in _classes(seeds, rounds):
        for entry in entries:
            yield entry, reached_at(rank, words, entry, rounds, placed=entry in placed)
        rank += len(entries)


def _classes(seeds: Sequence[str], rounds: Sequence[Played]) -> Iterator[tuple[str, list[str]]]:
    """Yield the entries that came equally far, best first, with the words for it."""
    final, third = _order(rounds, FINAL), _order(rounds, THIRD_PLACE)
    ranked = {*final, *third}
    yield from ((_words(index), [entry]) for index, entry in enumerate(final))
    yield text("Still in"), [entry for entry in still_in(seeds, rounds) if entry not in ranked]
    for index, each in reversed([*enumerate(rounds)]):
        before = still_in(seeds, rounds[:index])
        out = [entry for entry in before if entry not in each.advancing and entry not in ranked]
        yield text("Out in round %(round)s", round=each.number), out
        if each is rounds[-1]:
            yield from zip((text("Third"), text("Fourth")), ([entry] for entry in third), strict=False)


def _to_final(rounds: Sequence[Played]) -> Sequence[Played]:
    """Return a group's rounds up to its final: another group may have more."""
    over = (
        number for number, each in enumerate(rounds, 1) if any(one.label == FINAL for one in each.matches)
    )
    return rounds[: next(over, len(rounds))]


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
    """The picture of one group's heats."""

    def bracket(self) -> Bracket:
        return Bracket(tuple(self._heats()), self.group_title)

    def _heats(self) -> Iterator[Column]:
        for number, _shown in enumerate(self.shown):
            bottom, matches = 0.0, []
            for label, entries in self._order(number):
                slots = self.slots(number, entries, self.advancing(number))
                matches.append(Match(slots, bottom + len(slots) / 2, label))
                bottom += len(slots) + GAP
            yield Column(round_title(number), tuple(matches), self.over(number))

    def _order(self, number: int) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield the label and the entries of each match, best first where it is over."""
        if number < len(self.closed):
            yield from ((match.label, match.order) for match in self.closed[number].matches)
        else:
            yield from {table.entries: (table.label, table.entries) for table in self.tables(number)}.values()
