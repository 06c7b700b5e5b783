"""The house bots: accounts for which this server plays, at three levels, and with which nobody logs in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID, uuid5

from games.engine.messages import text
from games.engine.policy import LEVELS, Level
from games.engine.refusals import Malformed

MOST: Final = 9
"""How many bots of a level there are: no game has more seats beside one's own."""
_NAMESPACE: Final = UUID("5d0a2c0e-6a55-4c4f-9a34-2a1e4b3f7c11")


@dataclass(frozen=True)
class HouseBot:
    """A house bot: the id of its account, the same on every server, and its number within its level."""

    id: UUID
    level: Level
    number: int

    @property
    def name(self) -> str:
        """Return the name in English, which its player has in a club, such as "Easy bot 1"."""
        return f"{self.level.capitalize()} bot {self.number}"


HOUSE_BOTS: Final[Mapping[UUID, HouseBot]] = {
    bot.id: bot
    for level in LEVELS
    for number in range(1, MOST + 1)
    for bot in [HouseBot(uuid5(_NAMESPACE, f"{level} {number}"), level, number)]
}


def read_level(written: str) -> Level:
    """Return the level of a name; raises `Malformed`."""
    level = next((each for each in LEVELS if each == written), None)
    if level is None:
        raise Malformed({"level": [text("There is no such level.")]})
    return level


def bots_of(level: Level) -> Sequence[HouseBot]:
    """Return the house bots of a level, by number."""
    return [bot for bot in HOUSE_BOTS.values() if bot.level == level]
