"""The printed sheet of a club's game."""

from typing import Final

from games.engine.base import Form, FormRow
from games.engine.messages import Message, text
from games.rules.card_game.definition import Options
from games.rules.card_game.score_card import of_deal, of_seats

MOST_ROWS: Final = 16
"""Deals on a sheet; for more, another one is taken."""


def form(options: Options) -> Form:
    """Return a row for each deal, with blanks for what is written once, and the scoring in short below."""
    game, seats = options.definition, max(options.definition.seats)
    deals = min(options.dealt(seats), MOST_ROWS)
    blanks = [f"{each.title} ____" for each in of_deal(game)]
    half = (len(blanks) + 1) // 2
    upper, lower = " · ".join(blanks[:half]), " · ".join(blanks[half:])
    return Form(
        tuple(FormRow(number, upper, lower) for number in range(1, deals + 1)),
        tuple(_legend(options, deals, seats)),
        first_dealer=0,
        heading=text("What was played"),
        placing=text("Place (lowest total wins)") if game.low_wins else text("Place (highest total wins)"),
    )


def _legend(options: Options, deals: int, seats: int) -> list[Message | str]:
    game = options.definition
    written = ", ".join(each.title for each in of_seats(game))
    told: list[Message | str] = [game.summary] if game.summary else []
    if written:
        told.append(text("For each player: %(fields)s. Under it the total so far.", fields=written))
    if game.target:
        told.append(text("The game ends with a total of %(target)s.", target=game.target))
    if options.dealt(seats) > deals:
        told.append(text("For more than %(rounds)s deals take another sheet.", rounds=deals))
    return told
