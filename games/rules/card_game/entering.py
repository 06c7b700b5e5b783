"""What may be written for a deal of a club's game, for forms and clients."""

from typing import Any

from games.engine.choosing import FieldChoice
from games.engine.jsontypes import Json
from games.engine.messages import Message, all_of, text
from games.engine.values import replace
from games.rules.card_game.definition import Written
from games.rules.card_game.examples import example
from games.rules.card_game.score_card import LAST, State, lined, of_deal, of_seats, sitting_out


def result_fields(card: State, number: int, result: Any) -> dict[str, FieldChoice]:
    """Return the fields of a result, drafted from the present one."""
    game, seats = card.options.definition, card.seats
    known = example(game, seats, number) or {}
    found = {}
    for each in of_deal(game):
        values = (known[each.name],) if each.name in known else ()
        found[each.name] = replace(_choice(each, seats, result and getattr(result, each.name)), values=values)
    if of_seats(game):
        titles = all_of([Message(each.title, {}) for each in of_seats(game)])
        about = text("For each player: %(fields)s.", fields=titles)
        lines = tuple(_line(card, number, seat, result) for seat in range(seats))
        listed: tuple[Json, ...] = (known["seats"],) if known else ()
        found["seats"] = FieldChoice(listed, complete=False, about=about, by_seat=lines)
    if game.may_end:
        draft = True if result and result.last else None
        found["last"] = FieldChoice(complete=False, optional=True, title=LAST, offered=(True,), draft=draft)
    return found


def _line(card: State, number: int, seat: int, result: Any) -> dict[str, FieldChoice]:
    line, idle = result.seats[seat] if result else None, seat in sitting_out(card, number)
    fields = of_seats(card.options.definition)
    return {each.name: _of_line(card, each, seat, line, idle=idle) for each in fields}


def _of_line(card: State, each: Written, seat: int, line: Any, *, idle: bool) -> FieldChoice:
    game = card.options.definition
    if each not in lined(game, seat):
        return FieldChoice(optional=True)
    found = _choice(each, card.seats, line and getattr(line, each.name))
    worth = {each.name: int(each.name == game.score)}
    left = seat in card.out
    return replace(found, optional=found.optional or left or idle, worth=worth, left=left)


def _choice(each: Written, seats: int, draft: Any) -> FieldChoice:
    """Return what a field may hold: numbers are typed, all else is picked from what is offered."""
    # A tick that can be left out is yes or empty: no is no third answer.
    two_way = each.kind == "tick" and each.optional and not each.needed_with
    kinds: dict[str, tuple[Json, ...]] = {
        "number": (),
        "player": tuple(range(seats)),
        "tick": (True,) if two_way else (True, False),
        "choice": tuple(str(value.name) for value in each.values),
    }
    return FieldChoice(
        complete=False,
        optional=each.optional,
        about=each.about,
        draft=None if two_way and draft is False else draft,
        seats=each.kind == "player",
        title=each.title,
        offered=kinds[each.kind],
        needed_with=each.needed_with or "",
    )
