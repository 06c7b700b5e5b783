"""What the pictures of brackets share: the slots of a match with names, scores and who advanced."""

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Final

from games.engine.messages import Message, text
from games.engine.values import replace
from league.core.drawing.bracket import Heats, Played, played_rounds
from league.core.drawing.bracket import Match as PlayedMatch
from league.core.drawing.double_bracket import Coming, Pair
from league.core.formats.base import Column, Slot
from league.core.records import Reached
from league.core.scoring import by_entry, rate_of
from league.core.state.competition import Competition, Outcome, Stage, Table
from league.core.state.values import Decider

TITLES: Final = {1: text("Final"), 2: text("Semi-finals"), 4: text("Quarter-finals")}
"""The title of a bracket's round by the number of its pairs."""
GAP: Final = 0.8
"""Between matches in the picture, in heights of a slot."""
TIES: Final[Mapping[Decider, str]] = {
    "seed": text("the better seed advanced"),
    "play_off": text("the play-off decided"),
}
BY: Final[Mapping[Decider, str]] = {"seed": text("better seed"), "play_off": text("play-off")}
BYE: Final = text("bye")
OUTCOMES: Final[Mapping[Outcome, str]] = {
    "no_show": text("no-show"),
    "forfeit": text("forfeit"),
    "walkover": text("walkover"),
}


RANKED_BY_ROUND: Final = text(
    "The rank is how far one came in the cup; points decide only among those who came equally far"
)


class Picture:
    """The picture of one group, from what is public of a stage; rounds are counted from 0."""

    def __init__(
        self, state: Competition, stage: Stage, group: int, heats: Heats, names: Mapping[str, str]
    ) -> None:
        self.state, self.stage, self.group, self.names = state, stage, group, names
        self.rate = rate_of(state, stage)
        self.seeds = stage.groups[group - 1]
        self.closed = played_rounds(state, stage, group, heats, len(stage.rounds))
        self.shown = [each for each in stage.shown_rounds if not each.play_off]

    @property
    def group_title(self) -> str:
        """Return the group's name, empty where there is one group."""
        return text("Group %(number)s", number=self.group) if len(self.stage.groups) > 1 else ""

    def titled(self, half: str) -> str:
        """Return the title of a part of the group's picture."""
        return text("%(half)s, %(group)s", half=half, group=self.group_title) if self.group_title else half

    def slots(
        self, number: int, entries: Sequence[str | None], winners: Container[str], empty: str = ""
    ) -> tuple[Slot, ...]:
        """Return the slots of a match of a round; ``empty`` is the note of those without an entry."""
        return tuple(
            self._slot(number, entry, entries, entry in winners) if entry else Slot(note=empty)
            for entry in entries
        )

    def _slot(self, number: int, entry: str, match: Sequence[str | None], won: bool) -> Slot:
        by = self._decided(number, entry)
        return Slot(
            self.names[entry],
            self._score(number, entry, match),
            won,
            TIES[by] if by else "",
            self._why(number, entry, match, won) or (BY[by] if by and won else ""),
        )

    def both(self, number: int, pair: Pair, winners: Container[str]) -> tuple[Slot, ...]:
        """Return the slots of a pair in a round: of those who are not known, where they come from."""
        slots = self.slots(number, pair, winners)
        return tuple(self._coming(entry) or slot for entry, slot in zip(pair, slots, strict=True))

    def _coming(self, entry: str | None) -> Slot | None:
        """Return a slot that no entry has yet: of nobody, or of who wins or loses at a table or has a bye."""
        if entry is None:
            return Slot(note=BYE)
        if not isinstance(entry, Coming):
            return None
        if entry.step >= len(self.shown):
            return Slot()
        shown = self.shown[entry.step]
        for number, table in shown.numbered:
            if {*table.entries} == {*entry.pair}:
                return Slot(note=_of_table(number, wins=entry.wins))
        alone = [one for one in entry.pair if one and one in shown.byes]
        return Slot(self.names[alone[0]]) if entry.wins and alone else Slot()

    def winners(self, number: int) -> Container[str]:
        """Return who advanced in a round, or won a match beside the bracket; none before it is closed."""
        if number >= len(self.closed):
            return ()
        closed = self.closed[number]
        return {*closed.advancing, *(match.order[0] for match in closed.matches)}

    def advancing(self, number: int) -> Container[str]:
        """Return the entries that advanced in a round, none before it is closed."""
        return self.closed[number].advancing if number < len(self.closed) else ()

    def over(self, number: int) -> bool:
        """Return whether a round is closed."""
        return number < len(self.closed)

    def tables(self, number: int) -> list[Table]:
        """Return the group's tables of a round, none before it is published."""
        if number >= len(self.shown):
            return []
        return [table for table in self.shown[number].tables if table.group == self.group]

    def _why(self, number: int, entry: str, match: Sequence[str | None], won: bool) -> str:
        """Return what decided for or against an entry in place of play, in a word or two."""
        tables = self.tables_of(number, match)
        outcomes = [table.outcome_of[entry] for table in tables if entry in table.outcome_of]
        if outcomes:
            return OUTCOMES[outcomes[0]]
        # Without a reason it was typed from a sheet, as at any other table.
        if any(table.ruling and table.ruling.reason for table in tables):
            return text("result set") if won else ""
        return self._missing(number, entry)

    def _missing(self, number: int, entry: str) -> str:
        """Return why an entry has neither table nor bye in a round that is published."""
        if number >= len(self.shown):
            return ""
        shown = self.shown[number]
        if entry in (*shown.byes, *shown.idle) or any(entry in table.entries for table in shown.tables):
            return ""
        return text("absent") if self.state.entry(entry).status == "entered" else text("withdrawn")

    def tables_of(self, number: int, match: Sequence[str | None]) -> list[Table]:
        """Return the tables of a match: one, or the boards of two teams."""
        return [table for table in self.tables(number) if set(table.entries) == set(match)]

    def _decided(self, number: int, entry: str) -> Decider | None:
        """Return what decided for an entry that was level with one that did not advance, None for play."""
        matches = self.closed[number].matches if number < len(self.closed) else ()
        lines = (match.line for match in matches)
        decided = (line.decided.get(entry) for line in lines if entry in line.through and line.out)
        return next((by for by in decided if by in TIES), None)

    def _score(self, number: int, entry: str, match: Sequence[str | None]) -> int | None:
        """Return the scores of an entry's games in a match together; partners have one."""
        scores = [
            dict(by_entry(table, result, self.rate))[entry].score
            for table in self.tables_of(number, match)
            for result in table.results
        ]
        return sum(scores) if scores else None


def _of_table(number: int, *, wins: bool) -> Message:
    if wins:
        return text("winner of table %(number)s", number=number)
    return text("loser of table %(number)s", number=number)


def round_title(number: int) -> Message:
    """Return the title of a round."""
    return text("Round %(number)s", number=number + 1)


def first_centres(count: int) -> list[float]:
    """Return the heights of the middles of the first round's matches."""
    return [at * (2 + GAP) + 1 for at in range(count)]


def halved(centres: Sequence[float]) -> list[float]:
    """Return the heights of the next round's, each between two of these."""
    return [(one + other) / 2 for one, other in zip(centres[::2], centres[1::2], strict=False)]


def last_met(rounds: Sequence[Played]) -> Mapping[str, tuple[str, bool]]:
    """Return whom each entry met in its last match of two, and whether it won that."""
    orders = (match.order for each in rounds for match in each.matches if len(match.order) == 2)
    return {one: (other, won) for order in orders for one, other, won in _both_ways(*order)}


def _both_ways(winner: str, loser: str) -> tuple[tuple[str, str, bool], ...]:
    return (winner, loser, True), (loser, winner, False)


def reached_at(
    rank: int, words: str, entry: str, rounds: Sequence[Played], *, against: str = "", placed: bool = False
) -> Reached:
    """Return how far an entry came, with what decided where it was level.

    Its last match has ``placed`` it, whether it won that or not; otherwise it is one that it lost.
    """
    met = [match for each in rounds for match in each.matches if entry in match.order]
    for match in met[-1:] if placed else [each for each in met if entry in each.line.out]:
        by = match.line.decided.get(entry)
        if by == "":
            return Reached(
                rank, text("%(reached)s for now: a play-off decides", reached=words), against=against
            )
        if by and by in TIES:
            told = _at_pair(words, by, match) if placed or len(match.order) == 2 else _at_heat(words, by)
            return Reached(rank, told, by == "seed", against)
    return Reached(rank, words, against=against)


def _at_heat(words: str, by: Decider) -> Message:
    return text("%(reached)s, level on the last place: %(how)s", reached=words, how=TIES[by])


def _at_pair(words: str, by: Decider, match: PlayedMatch) -> Message:
    if by == "play_off":
        return text("%(reached)s by a play-off after a level match", reached=words)
    if not match.played:
        return text("%(reached)s by seed without a match", reached=words)
    return text("%(reached)s by seed after a level match", reached=words)


def with_matches(columns: Iterable[Column]) -> tuple[Column, ...]:
    """Return the columns without matches to which nobody comes, and without those that have no others."""
    found: list[Column] = []
    before: dict[int, int] = {}
    for column in columns:
        left = [
            at for at, match in enumerate(column.matches) if any(slot.note != BYE for slot in match.slots)
        ]
        kept = {at: number for number, at in enumerate(left)}
        matches = (
            replace(match, feeders=tuple(before[feeder] for feeder in match.feeders if feeder in before))
            for match in (column.matches[at] for at in kept)
        )
        if kept:
            found.append(replace(column, matches=tuple(matches)))
        before = kept
    return tuple(found)
