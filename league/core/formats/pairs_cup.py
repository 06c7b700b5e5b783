"""A knockout at tables of two: its draws, how far entries came, and its pictures."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from games.engine.messages import Message, text
from games.engine.values import replace
from league.core.drawing.bracket import Heats
from league.core.drawing.double_bracket import Pair
from league.core.drawing.draw import DrawnTable, GroupDraw
from league.core.drawing.drawing import Drawing
from league.core.drawing.placing import Class, Consolation, Part, PlacingBracket
from league.core.formats.base import Bracket, Column, Match, Slot
from league.core.formats.picture import (
    GAP,
    TITLES,
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

PLACES: Final = (text("Won the final"), text("Second in the final"), text("Third"), text("Fourth"))

# ---- Draws ---------------------------------------------------------------------------------------


def draw_pairs(drawing: Drawing, bracket: PlacingBracket, group: int, playing: Sequence[str]) -> GroupDraw:
    """Return the matches of a group's next round, the entries that go on without one, and all others.

    Where those who could play in a consolation have all left, the others of it have byes: a round must have
    something.
    """
    tables: list[DrawnTable] = []
    byes: list[str] = []
    for part, label, pair in bracket.labelled():
        here = [entry for entry in pair if entry and entry in playing]
        if len(here) == 2:
            tables.append(drawing.seated(group, here, label))
        elif part is None or not part.decided(pair):
            byes += here
    if not tables and not byes:
        byes = [entry for entry in bracket.consolation.still_in if entry in playing]
    involved = {entry for table in tables for entry in table.entries} | {*byes}
    idle = tuple(entry for entry in playing if entry not in involved)
    return GroupDraw(tuple(tables), tuple(byes), idle)


def rounds_of_pairs(bracket: PlacingBracket, entered: frozenset[str]) -> int:
    """Return how many rounds a group has, as if nobody withdraws from now on.

    It has no more than were played when all who are still in, and who play for places, have withdrawn.
    """
    played, consolation = len(bracket.rounds), bracket.consolation
    over = entered.isdisjoint((*bracket.still_in, *bracket.for_places))
    rounds = played if over else max(bracket.depth, played)
    if len(entered.intersection(consolation.still_in)) > 1:
        rounds = max(rounds, played + consolation.rounds_left)
    return rounds


# ---- Ranks ---------------------------------------------------------------------------------------


def reached_in_pairs(bracket: PlacingBracket) -> Iterator[tuple[str, Reached]]:
    """Yield how far each entry came: still in, at a place, or out in some round."""
    rank, met = 1, last_met(bracket.rounds)
    for each in bracket.classes:
        for level in _levels(bracket, each, _words(bracket, each, rank)):
            for entry, words in level.items():
                other, won = met.get(entry, ("", False))
                told = each.kind == "placed" or (each.kind == "out" and not won)
                if each.kind not in ("placed", "out"):
                    yield entry, Reached(rank, words)
                    continue
                against, placed = other if told else "", each.kind == "placed"
                yield entry, reached_at(rank, words, entry, bracket.rounds, against=against, placed=placed)
            rank += len(level)


def _levels(bracket: PlacingBracket, each: Class, words: Message) -> Iterator[Mapping[str, Message]]:
    """Yield those of a class who are level, with words for each; of who is out a consolation decides.

    First come those who won a match, then the consolation, then who did neither. Who lost there is level with
    those still in it who could lose as early.
    """
    consolation = bracket.consolation
    if each.kind != "out" or not consolation.entries:
        yield dict.fromkeys(each.entries, words)
        return
    inside = [entry for entry in each.entries if entry in consolation.entries]
    others = [entry for entry in each.entries if entry not in inside]
    yield {entry: words for entry in others if entry in bracket.won}
    came = {entry: consolation.came_to(entry) for entry in inside}
    least = min((came[entry] for entry in inside if entry not in consolation.lost), default=consolation.depth)
    told = {entry: _with_consolation(words, consolation, entry) for entry in inside}
    for level in range(least, 0, -1):
        yield {entry: told[entry] for entry in inside if min(came[entry], least) == level}
    yield {entry: words for entry in others if entry not in bracket.won}


def _words(bracket: PlacingBracket, each: Class, rank: int) -> Message:
    if each.kind == "out":
        return text("Out in round %(round)s", round=bracket.rounds[each.round - 1].number)
    if each.kind == "placed":
        return PLACES[rank - 1] if rank <= len(PLACES) else text("Place %(number)s", number=rank)
    if each.above == 0:
        return text("Still in")
    if (each.above, each.size) == (2, 2):
        return text("Plays for third place")
    if each.size == 2:
        return text("Plays for place %(number)s", number=each.above + 1)
    return text("Plays for places %(first)s to %(last)s", first=each.above + 1, last=each.above + each.size)


def _with_consolation(words: Message, consolation: Consolation, entry: str) -> Message:
    if entry in consolation.lost:
        number = consolation.lost[entry]
        last = number == consolation.depth
        how = (
            text("second in the consolation")
            if last
            else text("out in round %(round)s of the consolation", round=number)
        )
    elif consolation.winner == entry:
        how = text("won the consolation")
    else:
        how = text("still in the consolation")
    return text("%(reached)s, %(how)s", reached=words, how=how)


# ---- The pictures --------------------------------------------------------------------------------


class PairsPicture(Picture):
    """The pictures of one group: the bracket, what is played for places, and the consolation."""

    def __init__(
        self,
        state: Competition,
        stage: Stage,
        group: int,
        heats: Heats,
        names: Mapping[str, str],
        bracket: PlacingBracket,
    ) -> None:
        super().__init__(state, stage, group, heats, names)
        self.bracket = bracket

    def brackets(self) -> Iterator[Bracket]:
        """Yield the bracket, then those for places from the best on, then the consolation."""
        for part in sorted(self.bracket.parts, key=lambda each: each.above):
            if part.above == 0 or part.size > 2:
                yield Bracket(with_matches(self._columns(part)), self._title_of(part))
        if any(self.bracket.consolation.levels[0]):
            yield Bracket(with_matches(self._consolation()), self.titled(text("Consolation")))

    def _title_of(self, part: Part) -> str:
        if part.above == 0:
            return self.group_title
        first, last = part.above + 1, part.above + part.size
        return self.titled(text("Places %(first)s to %(last)s", first=first, last=last))

    def _columns(self, part: Part) -> Iterator[Column]:
        centres = first_centres(part.size // 2)
        for at, pairs in enumerate(part.rounds):
            number, feeds = part.begins + at, 2 if at else 0
            title = TITLES.get(len(pairs)) if part.above == 0 else None
            matches = [*self._matches(number, pairs, centres, feeds)]
            if len(pairs) == 1:
                matches += self._below(part, number, centres[-1])
            yield Column(title or round_title(number), tuple(matches), self.over(number))
            centres = halved(centres)

    def _matches(
        self, number: int, pairs: Sequence[Pair], centres: Sequence[float], feeds: int
    ) -> Iterator[Match]:
        for at, (pair, centre) in enumerate(zip(pairs, centres, strict=True)):
            feeders = tuple(range(feeds * at, feeds * (at + 1)))
            yield Match(self._both(number, pair), centre, feeders=feeders)

    def _below(self, part: Part, number: int, centre: float) -> Iterator[Match]:
        """Yield the match of the losers of the round before, unless one of them does not come."""
        for other in self.bracket.parts:
            if other.above == part.above + 2 and other.size == 2:
                pair = other.rounds[0][0]
                if self.tables_of(number, pair) or (None not in pair and number >= len(self.shown)):
                    yield Match(self._both(number, pair), centre + 2 + 2 * GAP, other.label(1))

    def _both(self, number: int, pair: Pair) -> tuple[Slot, ...]:
        return self.both(number, pair, self.winners(number))

    def _consolation(self) -> Iterator[Column]:
        consolation = self.bracket.consolation
        centres = first_centres(len(consolation.levels[0]) // 2)
        for level, slots in enumerate(consolation.levels[:-1], 1):
            matches = tuple(
                self._in_consolation((level, at), (one, other), centres[at])
                for at, (one, other) in enumerate(zip(slots[::2], slots[1::2], strict=True))
            )
            title = text("Final") if level == consolation.depth else round_title(level - 1)
            yield Column(title, matches, "" not in consolation.levels[level])
            centres = halved(centres)

    def _in_consolation(self, node: tuple[int, int], pair: Pair, centre: float) -> Match:
        level, at = node
        consolation = self.bracket.consolation
        slots = self._both(consolation.when.get(node, len(self.closed)), pair)
        winner = consolation.levels[level][at]
        shown = tuple(
            replace(slot, advanced=bool(entry) and entry == winner)
            for entry, slot in zip(pair, slots, strict=True)
        )
        return Match(shown, centre, feeders=(2 * at, 2 * at + 1) if level > 1 else ())
