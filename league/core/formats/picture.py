"""What the pictures of brackets share: the slots of a match with names, scores and who advanced."""

from collections.abc import Container, Mapping, Sequence
from typing import Final

from games.engine.messages import Message, text
from league.core.drawing.bracket import Heats, played_rounds
from league.core.formats.base import Slot
from league.core.scoring import by_entry, rate_of
from league.core.state.competition import Competition, Stage, Table
from league.core.state.values import Decider

TITLES: Final = {1: text("Final"), 2: text("Semi-finals"), 4: text("Quarter-finals")}
"""The title of a bracket's round by the number of its pairs."""
GAP: Final = 0.8
"""Between matches in the picture, in heights of a slot."""
TIES: Final[Mapping[Decider, str]] = {
    "seed": text("the better seed advanced"),
    "play_off": text("the play-off decided"),
}


class Picture:
    """The picture of one group, from what is public of a stage; rounds are counted from 0."""

    def __init__(
        self, state: Competition, stage: Stage, group: int, heats: Heats, names: Mapping[str, str]
    ) -> None:
        self.stage, self.group, self.names = stage, group, names
        self.rate = rate_of(state, stage)
        self.seeds = stage.groups[group - 1]
        self.closed = played_rounds(state, stage, group, heats, len(stage.rounds))
        self.shown = [each for each in stage.shown_rounds if not each.play_off]

    @property
    def group_title(self) -> str:
        """Return the group's name, empty where there is one group."""
        return text("Group %(number)s", number=self.group) if len(self.stage.groups) > 1 else ""

    def slots(
        self, number: int, entries: Sequence[str | None], winners: Container[str], empty: str = ""
    ) -> tuple[Slot, ...]:
        """Return the slots of a match of a round; ``empty`` is the note of those without an entry."""
        return tuple(
            Slot(
                self.names[entry],
                self._score(number, entry, entries),
                entry in winners,
                self._decided(number, entry),
            )
            if entry
            else Slot(note=empty)
            for entry in entries
        )

    def advancing(self, number: int) -> Container[str]:
        """Return the entries that advanced in a round, none before it is closed."""
        return self.closed[number].advancing if number < len(self.closed) else ()

    def tables(self, number: int) -> list[Table]:
        """Return the group's tables of a round, none before it is published."""
        if number >= len(self.shown):
            return []
        return [table for table in self.shown[number].tables if table.group == self.group]

    def _decided(self, number: int, entry: str) -> str:
        matches = self.closed[number].matches if number < len(self.closed) else ()
        lines = (match.line for match in matches)
        decided = (line.decided.get(entry) for line in lines if entry in line.through and line.out)
        return next((TIES[by] for by in decided if by and by in TIES), "")

    def _score(self, number: int, entry: str, match: Sequence[str | None]) -> int | None:
        """Return the scores of an entry's games in a match together; partners have one."""
        scores = [
            dict(by_entry(table, result, self.rate))[entry].score
            for table in self.tables(number)
            if set(table.entries) == set(match)
            for result in table.results
        ]
        return sum(scores) if scores else None


def round_title(number: int) -> Message:
    """Return the title of a round."""
    return text("Round %(number)s", number=number + 1)
