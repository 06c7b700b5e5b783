"""Who enters what: fields of a deal that only its dealer, its winner or scorekeepers and organisers enter.

Who wins a deal is who has the best score of it by what is entered; of several each may enter it.

Scorekeepers and organisers enter everything. A seat leaves what it does not enter as it is: empty in a new
deal, and as it was written in one that it corrects. For a dealer who has left the game everybody enters.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from games.engine.choosing import Choice, FieldChoice
from games.engine.jsontypes import Json
from games.engine.messages import Message, text
from games.engine.refusals import Illegal
from games.engine.values import replace
from games.rules.card_game.definition import Definition, Written
from games.rules.card_game.formula import worked_out
from games.rules.card_game.score_card import FIELDS, State, numbers

Lines = tuple[Mapping[str, FieldChoice], ...]


WHO: Final = {
    "dealer": text("who deals"),
    "winner": text("who wins the deal"),
    "scorekeepers": text("a scorekeeper or an organiser"),
}
"""Who enters what not everybody does."""


def restricts(game: Definition) -> bool:
    """Return whether there is anything that not everybody at the table enters."""
    return any(each.by != "players" for each in game.fields)


def kept_from(card: State, by: int | None, number: int) -> tuple[Written, ...]:
    """Return the fields of a deal that a seat, or None for a scorekeeper, does not enter."""
    dealer = (number - 1) % card.seats
    deals = by == dealer or dealer in card.out
    return tuple(
        each
        for each in card.options.definition.fields
        if by is not None and not (each.by in ("players", "winner") or (each.by == "dealer" and deals))
    )


def check_writer(card: State, by: int | None, number: int, result: Any, before: Any = None) -> None:
    """Raise `Illegal` for a seat that changes what it does not enter; ``before`` is what was written."""
    for each in (*kept_from(card, by, number), *_of_winners(card, by, number, result)):
        was = dict(_held(each, before)) if before else {}
        wrong = [path for path, value in _held(each, result) if value != was.get(path)]
        if wrong:
            who = WHO[each.by]
            sentence = text("%(field)s: only %(who)s enters this.", field=Message(each.title, {}), who=who)
            raise Illegal(sentence, FIELDS, wrong)


def _of_winners(card: State, by: int | None, number: int, result: Any) -> tuple[Written, ...]:
    """Return the fields that only winners enter, where a seat has not won what it enters."""
    game = card.options.definition
    won = tuple(each for each in game.fields if each.by == "winner")
    if by is None or not won:
        return ()
    scores = worked_out(game, card.seats, number, numbers(game, card.seats, result))[game.score]
    best = min(scores) if game.low_wins else max(scores)
    winners = {seat for seat, score in enumerate(scores) if score == best} - {*card.out}
    return won if winners and by not in winners else ()


def _held(each: Written, result: Any) -> Iterator[tuple[str, Any]]:
    """Yield path and value of a field, None where it is empty."""
    lines = [(f"seats.{seat}.", line) for seat, line in enumerate(getattr(result, "seats", ()))]
    for path, holder in lines if each.per != "deal" else [("", result)]:
        value = getattr(holder, each.name)
        yield f"{path}{each.name}", None if value is False else value


def offered_to(card: State, by: int | None, choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """Return the choices of a seat without what it does not enter."""
    return tuple(found for each in choices if (found := _offered(card, by, each)))


def _offered(card: State, by: int | None, whole: Choice) -> Choice | None:
    if whole.type == "confirm":
        return whole
    number = int(str(next(iter(whole.fields.values())).values[0]))
    kept = kept_from(card, by, number)
    if any(each.by == "winner" for each in card.options.definition.fields):
        whole = Choice(whole.type, _without_lists(whole.fields))  # who wins is known only of what is entered
    needed = any(not each.optional for each in kept)
    if kept == card.options.definition.fields or (needed and whole.type == "round"):
        return None
    names = {each.name for each in kept}
    fields = _as_they_are(whole.fields, names)
    if names and "seats" in fields:
        lines = tuple(_as_they_are(line, names) for line in fields["seats"].by_seat)
        fields["seats"] = replace(
            fields["seats"], by_seat=lines, values=_fitting(fields["seats"].values, lines, names)
        )
    told = {name: field for name, field in fields.items() if name not in names or field.values}
    return Choice(whole.type, told)


def _without_lists(fields: Mapping[str, FieldChoice]) -> dict[str, FieldChoice]:
    """Return fields without results that are listed as possible."""
    return {
        name: replace(field, values=()) if name not in ("round", "replaces") else field
        for name, field in fields.items()
    }


def _as_they_are(fields: Mapping[str, FieldChoice], names: Collection[str]) -> dict[str, FieldChoice]:
    """Return fields of which some can't be changed: what is written stays, what is empty stays empty."""
    empty = FieldChoice(optional=True)
    return {
        name: field
        if name not in names
        else empty
        if field.draft is None
        else replace(field, values=(field.draft,), offered=(field.draft,), optional=False)
        for name, field in fields.items()
    }


def _fitting(listed: tuple[Json, ...], lines: Lines, names: Collection[str]) -> tuple[Json, ...]:
    """Return the listed lines that have nothing of these fields, none where something is written there."""
    written = any(field.draft is not None for line in lines for name, field in line.items() if name in names)
    found: Any = () if written else listed
    return tuple(each for each in found if not any(line.get(name) for line in each for name in names))
