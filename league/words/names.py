"""Names as readers see them: those of the house bots in the reader's language."""

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _

from league.core.house_bots import HOUSE_BOTS, HouseBot

_BY_NAME: Final[Mapping[str, HouseBot]] = {bot.name: bot for bot in HOUSE_BOTS.values()}


def shown_name(name: str) -> str:
    """Return the name of a player or an entry as it is shown and written for a reader.

    Rows and logs have the English name of a house bot, which is translated here; every other name, one that
    a club gave a house bot too, is as it is.
    """
    bot = _BY_NAME.get(name)
    return _of(bot) if bot else name


def _of(bot: HouseBot) -> str:
    match bot.level:
        case "easy":
            return _("Easy bot %(number)d") % {"number": bot.number}
        case "medium":
            return _("Medium bot %(number)d") % {"number": bot.number}
        case "strong":
            return _("Strong bot %(number)d") % {"number": bot.number}
