"""The bot of Scram!"""

from typing import Final

from games.rules.scram.bot.camper import Camper

__all__ = ["POLICY", "Camper"]

POLICY: Final = Camper()
