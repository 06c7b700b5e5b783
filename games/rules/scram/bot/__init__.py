"""The bot of Scram!"""

from collections.abc import Mapping
from typing import Final

from games.engine.policy import Level
from games.rules.scram.bot.camper import Camper

__all__ = ["POLICY", "SLIPS", "Camper"]

SLIPS: Final[Mapping[Level, int]] = {"easy": 40, "medium": 10}
"""In how many of 100 decisions the weaker bots make any legal move."""
POLICY: Final = Camper()
