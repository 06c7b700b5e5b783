"""Double elimination: an upper bracket, a lower one for those who lost once, and a final of both winners."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from games.engine.chance import Chance
from games.engine.messages import Message, both, either, text
from games.engine.refusals import Illegal, Malformed
from games.engine.shapes import Help, Label
from league.core.drawing.bracket import FINAL, Heats, PlayOff, due_in_heats, played_rounds, seeded
from league.core.drawing.double_bracket import DEEPEST, DoubleBracket, Pair, sizes_of_pairs
from league.core.drawing.draw import Draw, DrawnTable, GroupDraw, stage_sizes
from league.core.drawing.drawing import Drawing, begun
from league.core.drawing.gone_on import exchanged
from league.core.drawing.possible import Possible, all_possible
from league.core.formats.base import Bracket, Column, Format, Match
from league.core.formats.picture import (
    RANKED_BY_ROUND,
    Picture,
    first_centres,
    halved,
    last_met,
    reached_at,
    round_title,
    with_matches,
)
from league.core.records import Reached
from league.core.state.competition import Competition, Stage
from league.core.state.cut_offs import Sizes, Wish
from league.core.state.plan import Opening, StagePlan

LOWER: Final = "lower bracket"
SECOND_FINAL: Final = "second final"
UPPER_TITLES: Final = {1: text("Upper final"), 2: text("Upper semi-finals")}


@dataclass(frozen=True)
class DoubleCup:
    """The parameters of a double elimination."""

    second_final: Annotated[
        bool, Help("where the unbeaten entry loses the final, which is its first loss, a second one decides")
    ] = True
    ties: Annotated[
        Literal["seed", "play_off"],
        Help("who advances of two that are level: the better seed, or who wins a play-off"),
        Label(
            values=(
                ("seed", text("the better seed advances")),
                ("play_off", text("those level play off")),
            )
        ),
    ] = "seed"


class DoubleElimination(Format):
    """Who has lost twice is out."""

    key = "double_elimination"
    title = "Double elimination"
    summary = "Tables of two; who loses goes on in a lower bracket, who loses again is out."
    params = DoubleCup
    rounds_note = text("as many as needed")
    rounds_asked = False
    pairs_only = True
    ignores = Format.ignores | {"rounds"}
    late_entries = False
    postponable = False
    has_brackets = True

    def read_params(self, plan: StagePlan) -> Any:
        if plan.table_size != 2:
            raise Malformed({"table_size": [text("Double elimination is played at tables of two.")]})
        return super().read_params(plan)

    def no_promise(self, plan: StagePlan, wish: Wish) -> Message | None:
        return text("In a double elimination results decide who meets.")

    def check_groups(self, opening: Opening, plan: StagePlan, sizes: Sequence[int]) -> None:
        if 2 not in stage_sizes(opening, plan):
            raise Illegal("Double elimination needs a game for two.")
        if max(sizes) > 2**DEEPEST:
            raise Illegal("A double elimination has at most %(most)d entries a group.", most=2**DEEPEST)

    def ranked_first_by(self) -> Message:
        return RANKED_BY_ROUND

    def foretold(self, opening: Opening, plan: StagePlan, entries: int) -> Sequence[Message]:
        if plan.groups > 1 or entries < 2:
            return ()
        rounds = 2 * (len(seeded(entries)).bit_length() - 1)
        return (
            text(
                "%(entries)d entries play %(matches)d matches in %(rounds)d rounds.",
                entries=entries,
                matches=2 * entries - 2,
                rounds=rounds,
            ),
        )

    def rules(self, plan: StagePlan) -> Sequence[Message]:
        cup: DoubleCup = self.read_params(plan)
        second = text("If the unbeaten player loses the final, a second final decides.")
        once = text("The final decides, even if it is the first loss of the unbeaten player.")
        away = text("Nobody can ask for a bye: who is away loses the match of the round.")
        return (second if cup.second_final else once, away)

    def rounds(self, state: Competition, stage: Stage) -> int:
        brackets = self._brackets(state, stage, len(stage.rounds))
        entered = {entry.id for entry in state.entries if entry.status == "entered"}
        most = max(
            len(each.rounds) if entered.isdisjoint(each.still_in) else each.length for each in brackets
        )
        held = sum(each.play_off and each.status != "drawn" for each in stage.rounds)
        return most + held + bool(self.due_play_offs(state, stage))

    def playing(self, state: Competition, stage: Stage, number: int) -> Sequence[Sequence[str]]:
        brackets = self._brackets(state, stage, number - 1)
        fields = super().playing(state, stage, number)
        return [
            [entry for entry in present if entry in bracket.still_in]
            for bracket, present in zip(brackets, fields, strict=True)
        ]

    def sizes(self, state: Competition, stage: Stage, number: int) -> Sizes:
        brackets = zip(self._brackets(state, stage, number - 1), state.field(stage, number), strict=True)
        return tuple(sizes_of_pairs((pair for _, pair in _labelled(each)), here) for each, here in brackets)

    def ahead(self, state: Competition, stage: Stage) -> Message | None:
        names = [
            state.entry(unbeaten).name
            for bracket in self._brackets(state, stage, len(stage.rounds))
            if (unbeaten := _has_to_lose(bracket))
        ]
        return (
            text("After a final lost by %(name)s, a second final follows.", name=either(names))
            if names
            else None
        )

    def still_in(self, state: Competition, stage: Stage) -> frozenset[str]:
        brackets = self._brackets(state, stage, len(stage.rounds))
        return frozenset(entry for bracket in brackets for entry in bracket.still_in)

    def without_absent(self, state: Competition, stage: Stage, number: int) -> Sequence[Message]:
        names = {entry.id: entry.name for entry in state.entries}
        losing = [
            names[entry]
            for bracket, present in zip(
                self._brackets(state, stage, number - 1), state.field(stage, number), strict=True
            )
            for _label, pair in _labelled(bracket)
            for entry in pair
            if entry and entry not in present and state.entry(entry).status == "entered"
        ]
        if not losing:
            return []
        return [text("Who is away loses the match of this round: %(names)s.", names=both(losing))]

    def due_play_offs(self, state: Competition, stage: Stage) -> tuple[PlayOff, ...]:
        return due_in_heats(state, stage, self.heats(stage.plan))

    def propose(self, state: Competition, stage: Stage, number: int, chance: Chance) -> Draw:
        drawing = begun(state, stage, number, chance, self.rounds(state, stage))
        if due := self.due_play_offs(state, stage):
            return drawing.play_offs(due)
        brackets = self._brackets(state, stage, number - 1)
        return drawing.each_group(lambda group, playing: _draw(drawing, brackets[group - 1], group, playing))

    def reached(self, state: Competition, stage: Stage, through: int) -> dict[str, Reached]:
        return {
            entry: reached
            for bracket in self._brackets(state, stage, through)
            for entry, reached in _reached(bracket)
        }

    def possible(self, state: Competition, stage: Stage) -> Possible:
        return all_possible(
            state, stage, self.heats(stage.plan), self._brackets(state, stage, len(stage.rounds))
        )

    def brackets(self, state: Competition, stage: Stage, names: Mapping[str, str]) -> tuple[Bracket, ...]:
        groups = range(1, len(stage.groups) + 1)
        pictures = (_Picture(self, state, stage, group, names) for group in groups)
        return tuple(bracket for picture in pictures for bracket in picture.brackets())

    def _brackets(self, state: Competition, stage: Stage, through: int) -> list[DoubleBracket]:
        heats, cup = self.heats(stage.plan), self.read_params(stage.plan)
        moved = exchanged(stage, through)
        return [
            DoubleBracket(seeds, played_rounds(state, stage, group, heats, through), cup.second_final, moved)
            for group, seeds in enumerate(stage.groups, 1)
        ]

    def heats(self, plan: StagePlan) -> Heats:
        """Return how each match divides its entries."""
        cup: DoubleCup = self.read_params(plan)
        return Heats(1, cup.ties)


# ---- Draws ---------------------------------------------------------------------------------------


def _draw(drawing: Drawing, bracket: DoubleBracket, group: int, playing: Sequence[str]) -> GroupDraw:
    """Return the matches of a group's next round; all others who are still in have byes.

    They advance without a match, or wait for the other half.
    """
    tables: list[DrawnTable] = []
    for label, pair in _labelled(bracket):
        here = [entry for entry in pair if entry and entry in playing]
        if len(here) == 2:
            tables.append(drawing.seated(group, here, label))
    seated = {entry for table in tables for entry in table.entries}
    going_on = {*bracket.still_in} - seated if len(bracket.rounds) < bracket.length else set[str]()
    byes = tuple(entry for entry in playing if entry in going_on)
    idle = tuple(entry for entry in playing if entry not in going_on | seated)
    return GroupDraw(tuple(tables), byes, idle)


def _labelled(bracket: DoubleBracket) -> Iterator[tuple[str, Pair]]:
    """Yield the pairs of the next round, each with what its table is for."""
    number = len(bracket.rounds)
    if number >= bracket.length:
        return
    step = bracket.steps[number]
    yield from (("", pair) for pair in step.upper)
    yield from ((LOWER, pair) for pair in step.lower)
    yield from ((SECOND_FINAL if number == 2 * bracket.depth else FINAL, pair) for pair in step.final)


def _has_to_lose(bracket: DoubleBracket) -> str | None:
    """Return who has to lose the final for a second one; None before that is known, or if there is none."""
    if len(bracket.rounds) >= 2 * bracket.depth or not bracket.second_final:
        return None
    return bracket.steps[2 * bracket.depth - 1].final[0][0]


# ---- Ranks ---------------------------------------------------------------------------------------


def _reached(bracket: DoubleBracket) -> Iterator[tuple[str, Reached]]:
    """Yield how far each entry came: those who can still win first, then by the lower round that was lost."""
    rank, over, met = 1, len(bracket.rounds) >= bracket.length, last_met(bracket.rounds)
    playing = {*bracket.still_in}
    for words, entries in _classes(bracket):
        for entry in entries:
            other, won = met.get(entry, ("", False))
            told = not (won or entry in playing) or (over and rank == 1)
            yield (
                entry,
                reached_at(rank, words, entry, bracket.rounds, against=other, placed=True)
                if told
                else Reached(rank, words),
            )
        rank += len(entries)


def _classes(bracket: DoubleBracket) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield those who came equally far, the best first, with words."""
    if len(bracket.rounds) >= bracket.length:
        yield text("Won the final"), bracket.still_in
    else:
        below = [entry for entry in bracket.still_in if entry in bracket.beaten]
        yield text("Still in, unbeaten"), [each for each in bracket.still_in if each not in below]
        yield text("Still in, with one loss"), below
    for number, out in reversed([*enumerate(bracket.out)]):
        yield _words(number, bracket.depth), out


def _words(number: int, depth: int) -> str:
    if number >= 2 * depth - 1:
        return text("Second in the final")
    if number == 2 * depth - 2:
        return text("Third: lost the last match of the lower bracket")
    return text("Out in round %(round)s of the lower bracket", round=number)


# ---- The picture ---------------------------------------------------------------------------------


class _Picture(Picture):
    """The pictures of one group: its upper half with the finals, and its lower half."""

    def __init__(
        self, cup: DoubleElimination, state: Competition, stage: Stage, group: int, names: Mapping[str, str]
    ) -> None:
        super().__init__(state, stage, group, cup.heats(stage.plan), names)
        moved = exchanged(stage, len(stage.rounds))
        self.double = DoubleBracket(self.seeds, self.closed, cup.read_params(stage.plan).second_final, moved)

    def brackets(self) -> Iterator[Bracket]:
        """Yield the upper half and, where there is one, the lower half."""
        yield Bracket(with_matches(self._upper()), self.titled(text("Upper bracket")))
        if any(step.lower for step in self.double.steps):
            yield Bracket(with_matches(self._lower()), self.titled(text("Lower bracket")))

    def _upper(self) -> Iterator[Column]:
        centres: list[float] = []
        for number, step in enumerate(self.double.steps):
            if step.upper:
                centres = halved(centres) or first_centres(len(step.upper))
                title = UPPER_TITLES.get(len(step.upper)) or round_title(number)
                yield self._column(title, number, step.upper, centres, feeds=2 if number else 0)
            if step.final:
                yield self._column(self._final_title(number), number, step.final, centres[:1], feeds=1)

    def _final_title(self, number: int) -> str:
        if number < 2 * self.double.depth:
            return text("Final")
        return text("Second final") if number < len(self.shown) else text("Second final, if needed")

    def _lower(self) -> Iterator[Column]:
        centres: list[float] = []
        for number, step in enumerate(self.double.steps):
            if step.lower:
                feeds = bool(centres) + (len(step.lower) < len(centres))
                centres = halved(centres) if feeds == 2 else centres or first_centres(len(step.lower))
                yield self._column(
                    text("Lower round %(number)s", number=number), number, step.lower, centres, feeds
                )

    def _column(
        self, title: str, number: int, pairs: Sequence[Pair], centres: Sequence[float], feeds: int
    ) -> Column:
        """Return the matches of a round; to each lead lines from so many of the column before."""
        matches = (
            Match(
                self.both(number, pair, self.advancing(number)),
                centre,
                feeders=tuple(range(feeds * at, feeds * (at + 1))),
            )
            for at, (pair, centre) in enumerate(zip(pairs, centres, strict=True))
        )
        return Column(title, tuple(matches), self.over(number))
