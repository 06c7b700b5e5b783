"""The printed sheet of a club's game."""

from collections.abc import Sequence
from typing import Final

from games.engine.base import Form, FormRow
from games.engine.messages import Message, all_of, text
from games.rules.card_game.definition import Options, Written
from games.rules.card_game.score_card import of_deal, of_seats

MOST_ROWS: Final = 60
"""Deals on the pages of a sheet; for more, another one is taken."""


def form(options: Options) -> Form:
    """Return a row for each deal, with blanks for what is written once, and the scoring in short below."""
    game, seats = options.definition, max(options.definition.seats)
    deals = min(options.dealt(seats), MOST_ROWS)
    blanks = [_blank(each) for each in of_deal(game)]
    upper, lower = _beside(blanks[: max(1, len(blanks) // 2)]), _beside(blanks[max(1, len(blanks) // 2) :])
    return Form(
        tuple(FormRow(number, upper, lower) for number in range(1, deals + 1)),
        tuple(_legend(options, deals, seats)),
        first_dealer=0,
        heading=text("What was played") if blanks else text("Notes"),
        placing=text("Place (lowest total wins)") if game.low_wins else text("Place (highest total wins)"),
        by_side=bool(game.sides) and all(each.per != "seat" for each in game.fields),
        parts=tuple(Message(each.title, {}) for each in of_seats(game)),
    )


def _blank(each: Written) -> Message:
    title = Message(each.title, {})
    return text("%(name)s ☐", name=title) if each.kind == "tick" else text("%(name)s ____", name=title)


def _beside(blanks: Sequence[Message]) -> str:
    """Return blanks beside each other."""
    row: str = ""
    for blank in blanks:
        row = text("%(first)s · %(second)s", first=row, second=blank) if row else blank
    return row


def _legend(options: Options, deals: int, seats: int) -> list[Message]:
    game = options.definition
    told = [Message(game.summary, {})] if game.summary else []
    if titles := [Message(each.title, {}) for each in of_seats(game) if each.per == "seat"]:
        told.append(text("For each player: %(fields)s. Under it the total so far.", fields=all_of(titles)))
    if titles := [Message(each.title, {}) for each in of_seats(game) if each.per == "side"]:
        fields = all_of(titles)
        told.append(text("For each side: %(fields)s. Under it the total so far.", fields=fields))
    told.append(text("● marks who deals."))
    if game.target:
        told.append(text("The game ends with a total of %(target)s.", target=game.target))
    if options.dealt(seats) > deals:
        told.append(text("For more than %(rounds)s deals take another sheet.", rounds=deals))
    return told
