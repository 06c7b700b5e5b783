"""The score card of a club's game: the result of a deal as its definition declares it, and the end."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, make_dataclass
from dataclasses import field as with_default
from functools import cache, lru_cache
from typing import Annotated, Any, Final, Literal, TypeAlias

from games.engine import messages
from games.engine.messages import Message, all_of, text
from games.engine.paper import Card, added, check_filled, check_lines
from games.engine.refusals import Illegal, Malformed
from games.engine.shapes import Between, Help, Label, Length
from games.engine.values import replace
from games.rules.card_game.definition import MOST_SEATS, Definition, Options, Written
from games.rules.card_game.formula import built_in, worked_out

State: TypeAlias = Card[Options, Any]
FIELDS: Final = "K2"
LAST: Final = text("The last deal")

# ---- The result of a deal ------------------------------------------------------------------------


def of_deal(game: Definition) -> tuple[Written, ...]:
    """Return what is written once in a deal."""
    return tuple(each for each in game.fields if each.per == "deal")


def of_seats(game: Definition) -> tuple[Written, ...]:
    """Return what is written for each seat, or for each side in the line of its first seat."""
    return tuple(each for each in game.fields if each.per != "deal")


def lined(game: Definition, seat: int) -> tuple[Written, ...]:
    """Return what is written in the line of a seat: that of a side stands with its first seat."""
    return tuple(each for each in of_seats(game) if each.per == "seat" or seat < game.sides)


def written_alone(game: Definition) -> bool:
    """Return whether anything is written for each seat; else only the first of a side has a line."""
    return any(each.per == "seat" for each in game.fields)


def whole(card: State, result: Any) -> Any:
    """Return a result with a line for each seat, where those of partners without anything were left out."""
    game = card.options.definition
    if not of_seats(game) or written_alone(game) or not game.sides <= len(result.seats) < card.seats:
        return result
    blank = type(result.seats[0])()
    return replace(result, seats=(*result.seats, *[blank] * (card.seats - len(result.seats))))


@cache
def result_of(game: Definition) -> type:
    """Return the dataclass of a deal's result."""
    declared = [_declared(each) for each in of_deal(game)]
    if of_seats(game):
        line: Any = make_dataclass("Line", [_declared(each) for each in of_seats(game)], frozen=True)
        line.__doc__ = "What is written for a seat."
        rows = Annotated[
            tuple[line, ...],
            Length(min(game.seats) if written_alone(game) else game.sides, max(game.seats)),
            Help("one for each seat, in order"),
        ]
        declared.append(("seats", rows))
    declared.sort(key=len)  # those with a default stand last
    if game.may_end:
        last = Annotated[bool, Help("whether the game ended with this deal"), Label(LAST)]
        declared.append(("last", last, with_default(default=False)))
    result = make_dataclass("Result", declared, frozen=True)
    result.__doc__ = "The result of a deal."
    return result


def _declared(each: Written) -> Any:
    """Return name, annotation and, where it can be left out, default of a field of the result."""
    notes = (Help(each.about), Label(each.title))
    bare: Any = {
        "tick": bool,
        "number": Annotated[int, Between(each.least, each.most)],
        "player": Annotated[int, Between(0, MOST_SEATS - 1)],
        "choice": Literal[tuple(str(value.name) for value in each.values)] if each.values else None,
    }[each.kind]
    if each.optional or each.kind == "tick" or each.per != "deal":
        return each.name, Annotated[(bare | None, *notes)], with_default(default=None)
    return each.name, Annotated[(bare, *notes)]


def numbers(game: Definition, seats: int, result: Any) -> dict[str, tuple[int, ...]]:
    """Return what was written as numbers of each seat, 0 where it is left out."""
    found = {}
    for each in game.fields:
        if each.per == "deal":
            value = getattr(result, each.name)
            told = [_number(each, value, seat) for seat in range(seats)]
        else:
            owners = range(seats) if each.per == "seat" else game.teams(seats)
            told = [_number(each, getattr(result.seats[owner], each.name), owner) for owner in owners]
        found[each.name] = tuple(told)
    return found


def _number(each: Written, value: Any, seat: int) -> int:
    if value is None:
        return 0
    if each.kind == "player":
        return int(value == seat)
    if each.kind == "choice":
        return next(known.worth for known in each.values if known.name == value)
    return int(value)


# ---- What cannot be --------------------------------------------------------------------------------


def check_result(card: State, number: int, result: Any) -> None:
    """Raise `Illegal` for a result that a deal cannot have, `Malformed` where a value is missing."""
    game, seats = card.options.definition, card.seats
    if of_seats(game):
        check_lines(seats, result.seats, FIELDS)
        for each in of_seats(game):
            _check_lines(card, number, each, [getattr(line, each.name) for line in result.seats])
    for each in of_deal(game):
        value = getattr(result, each.name)
        if each.kind == "player" and value is not None and value >= seats:
            sentence = text("There is no %(seat)s at this table.", seat=messages.seat(value))
            raise Illegal(sentence, FIELDS, [each.name])
    if missing := [each.name for each in of_deal(game) if _is_missing(each, result)]:
        raise Malformed({name: [text("This field is required.")] for name in missing})
    for refusal in _broken(card, number, result):
        raise refusal


def _is_missing(each: Written, result: Any) -> bool:
    """Return whether what is written once is empty though it would count: a tick is yes or no."""
    if getattr(result, each.name) is not None:
        return False
    return not each.optional or bool(each.needed_with and getattr(result, each.needed_with) is not None)


def sitting_out(card: State, number: int) -> tuple[int, ...]:
    """Return the seat that sits out a deal, if one does."""
    out = built_in(card.options.definition, card.seats, number)["sits_out"]
    return tuple(seat for seat in range(card.seats) if out[seat])


def _check_lines(card: State, number: int, each: Written, values: list[Any]) -> None:
    if each.per == "side":
        partners = range(card.options.definition.sides, card.seats)
        given = [seat for seat in partners if values[seat] not in (None, False)]
        if given:
            sentence = text("It is written in the line of the side’s first seat.")
            raise Malformed({f"seats.{seat}.{each.name}": [sentence] for seat in given})
        values = values[: card.options.definition.sides]
    if not each.optional:
        check_filled(values, {*card.out, *sitting_out(card, number)}, each.name)


def _broken(card: State, number: int, result: Any) -> Iterator[Illegal]:
    game, seats = card.options.definition, card.seats
    known = worked_out(game, seats, number, numbers(game, seats, result))
    for rule in game.checks:
        if not {*known[rule.of]} <= {*rule.one_of}:
            lines = [f"seats.{seat}.{each.name}" for seat in range(seats) for each in lined(game, seat)]
            yield Illegal(Message(rule.says, {}), FIELDS, lines or [of_deal(game)[0].name])


# ---- Points, and the end -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Course:
    """What each deal brought each seat, and the number of the deal that ended the game, if any did.

    ``first`` is the seat whose side wins since it comes first of several that have reached the target.
    """

    points: tuple[tuple[int, ...], ...]
    end: int | None
    first: int | None = None


@lru_cache(maxsize=256)
def course(card: State) -> Course:
    """Return the course of a game: deals that were played after its end bring nothing."""
    game, seats = card.options.definition, card.seats
    totals, brought, end, first = (0,) * seats, [], None, None
    for number, entry in enumerate(card.entries, 1):
        known = worked_out(game, seats, number, numbers(game, seats, entry.result))
        brought.append(known[game.score] if end is None else (0,) * seats)
        before, totals = totals, added((totals, brought[-1], _penalties(card, number)))
        if end is None and _ends(card, number, entry.result, totals, before):
            end, first = number, _first_in_turn(game, number, totals)
    return Course(tuple(brought), end, first)


def _first_in_turn(game: Definition, number: int, totals: tuple[int, ...]) -> int | None:
    """Return who comes first after the dealer of those who have reached the target, if that decides."""
    if game.several_at_target != "in_turn" or len(at_target(game, totals)) < 2:
        return None
    turns = ((number + turn) % len(totals) for turn in range(len(totals)))
    return next(seat for seat in turns if totals[seat] >= game.target)


def at_target(game: Definition, totals: Sequence[int]) -> set[int]:
    """Return the sides that have reached the target."""
    teams = game.teams(len(totals))
    return {team for total, team in zip(totals, teams, strict=True) if game.target and total >= game.target}


def _penalties(card: State, number: int) -> tuple[int, ...]:
    teams, own = card.options.definition.teams(card.seats), card.penalties_in(number)
    return tuple(sum(p for p, other in zip(own, teams, strict=True) if other == team) for team in teams)


def _ends(card: State, number: int, result: Any, totals: tuple[int, ...], before: tuple[int, ...]) -> bool:
    game = card.options.definition
    if number >= card.options.dealt(card.seats) or (game.may_end and result.last):
        return True
    return has_ended(game, totals, before)


def has_ended(game: Definition, totals: tuple[int, ...], before: tuple[int, ...]) -> bool:
    """Return whether the target ends a game with these totals, which were others before the latest deal."""
    there = at_target(game, totals)
    if not there:
        return False
    if len(there) > 1 and game.several_at_target != "best":
        if game.several_at_target == "in_turn":
            return True
        if not at_target(game, before):
            return False
    best = min(totals) if game.low_wins else max(totals)
    teams = game.teams(len(totals))
    first = {team for total, team in zip(totals, teams, strict=True) if total == best}
    return len(first) == 1 or game.level_at_target == "share"


# ---- In words ---------------------------------------------------------------------------


def in_words(game: Definition, result: Any) -> str:
    """Return a result in words: what is written once, then the line of each seat."""
    lines = [
        text("%(name)s: %(told)s", name=messages.seat(seat), told=all_of(told))
        for seat, line in enumerate(getattr(result, "seats", ()))
        if (told := _values_told(lined(game, seat), line))
    ]
    every = [*_values_told(of_deal(game), result), *lines]
    if every:
        return all_of(every)
    passes = any(each.kind == "player" and each.optional for each in of_deal(game))
    return text("passed in") if passes else text("nothing")


def _values_told(fields: Iterable[Written], values: Any) -> list[str]:
    found = [(each, getattr(values, each.name)) for each in fields]
    return [
        _told(each, value)
        for each, value in found
        if value is not None and (value is not False or _is_no(each, values))
    ]


def _is_no(each: Written, values: Any) -> bool:
    """Return whether a tick that is not set says something: what it is needed with is written."""
    return bool(each.needed_with) and getattr(values, str(each.needed_with), None) is not None


_WON: Final = "Won"
"""The tick of games whose declarers win or lose."""


def _told(each: Written, value: Any) -> str:
    title = Message(each.title, {})  # one that comes with the server has a translation
    if value is True:
        return title
    if value is False:
        return text("lost") if each.title == _WON else text("%(field)s: no", field=title)
    if each.kind == "player":
        return text("%(field)s %(value)s", field=title, value=messages.seat(value))
    return text("%(field)s %(value)s", field=title, value=Message(str(value), {}))
