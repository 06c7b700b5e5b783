"""Where practice takes part: house bots play in clubs' games too, and practice games are a visitor's own."""

from league import hooks
from league.apps.practice.bots import BOTS
from league.apps.practice.queries import games_of, seats_unheard
from league.apps.practice.services import forget_practice, forget_practice_of
from league.hooks import upkeep

hooks.HOUSE_BOTS.update((bot.id, bot) for bot in BOTS)
hooks.GUEST_GAMES.append(games_of)
hooks.SITE_PAGES.append("practice")
upkeep.WORK.append(upkeep.Work(f"{__package__}.tasks.move_bot", seats_unheard, "game__moved_at", "game"))
hooks.account_deleted.connect(forget_practice_of)
upkeep.tidied.connect(forget_practice)
