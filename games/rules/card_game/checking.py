"""What a definition must fulfil so that it can be played: it is judged before it stands in any opening."""

from collections.abc import Iterator
from typing import Final, TypeAlias

from games.engine.messages import Message, text
from games.engine.refusals import Malformed
from games.rules.card_game.definition import LIMIT, RESERVED, Definition, Options, Written
from games.rules.card_game.formula import Range, first_ranges, range_after, ranges_of
from games.rules.card_game.telling import titles

Found: TypeAlias = Iterator[tuple[str, Message]]
TAKEN: Final = text("This name is taken.")


def check(game: Definition) -> None:
    """Raise `Malformed` for a definition that contradicts itself, or whose numbers could grow too large."""
    errors: dict[str, list[str]] = {}
    for field, sentence in (*_wrong_table(game), *_wrong_fields(game), *_wrong_formula(game)):
        errors.setdefault(field, []).append(sentence)
    if errors:
        raise Malformed(errors)


def _wrong_table(game: Definition) -> Found:
    if list(game.seats) != sorted({*game.seats}):
        yield "seats", text("These must be different numbers in ascending order.")
    if game.sides == 1:
        yield "sides", text("A single side plays against nobody.")
    elif game.sides and any(seats % game.sides for seats in game.seats):
        yield "sides", text("Every table must be divisible into sides of the same size.")
    if game.low_wins and game.several_at_target == "in_turn":
        yield "several_at_target", text("Where the lowest total wins, whoever reaches the target loses.")
    if game.players and game.sides:
        yield "players", text("Where there are sides nobody sits out.")
    elif game.players and not game.players <= max(game.seats) <= game.players + 1:
        yield "players", text("Only who deals can sit out.")


def _wrong_fields(game: Definition) -> Found:
    if all(field.by == "scorekeepers" for field in game.fields):
        yield "fields.0.by", text("Players must enter something.")
    names = [field.name for field in game.fields]
    for place, field in enumerate(game.fields):
        if names.index(field.name) != place or field.name in RESERVED:
            yield f"fields.{place}.name", TAKEN
        if field.needed_with and not _can_be_needed(game, field):
            yield f"fields.{place}.needed_with", text("Only what is written once can be needed with another.")
        for part, sentence in _wrong_field(game, field):
            yield f"fields.{place}.{part}", sentence


def _can_be_needed(game: Definition, field: Written) -> bool:
    others = {each.name for each in game.fields if each.per == "deal" and each != field}
    return field.per == "deal" and field.optional and field.by == "players" and field.needed_with in others


def _wrong_field(game: Definition, field: Written) -> Found:
    if field.least > field.most:
        yield "least", text("The least is more than the most.")
    if (field.kind == "choice") != bool(field.values):
        yield "values", text("A choice has values, and nothing else has.")
    if len({value.name for value in field.values}) != len(field.values):
        yield "values", text("Two values have the same name.")
    if field.kind == "player" and field.per != "deal":
        yield "per", text("A player is named once in a deal.")
    if field.by == "scorekeepers" and not field.optional:
        yield "by", text("What no player enters can be left out.")
    if field.per == "side" and not game.sides:
        yield "per", text("This game has no sides.")


def _wrong_formula(game: Definition) -> Found:
    if any(field.kind == "choice" and not field.values for field in game.fields):
        return  # told already, and without values nothing has bounds
    known, called = first_ranges(game), titles(game)
    for place, step in enumerate(game.steps):
        if step.name in known or step.name in RESERVED:
            yield f"steps.{place}.name", TAKEN
        try:
            known[step.name] = range_after(step, known)
        except KeyError as unknown:
            yield (
                f"steps.{place}",
                text(
                    "Nothing before it has the name %(name)s.",
                    name=called.get(unknown.args[0], unknown.args[0]),
                ),
            )
            return
        if _too_large(known[step.name], 1):
            yield f"steps.{place}", text("It could exceed a million.")
    for place, rule in enumerate(game.checks):
        if rule.of not in known:
            yield f"checks.{place}.of", text("Nothing has the name %(name)s.", name=rule.of)
    if game.score not in known:
        yield "score", text("Nothing has the name %(name)s.", name=game.score)
    elif _too_large(known[game.score], max(map(game.dealt, game.seats))):
        yield "score", text("With so many deals the total of a game could exceed a million.")


def check_length(options: Options) -> None:
    """Raise `Malformed` for so many deals that totals could grow too large."""
    if options.rounds and not _total_fits(options.definition, options.rounds):
        sentence = text("With so many deals the total of a game could exceed a million.")
        raise Malformed({"rounds": [sentence]})


def _total_fits(game: Definition, deals: int) -> bool:
    return not _too_large(ranges_of(game)[game.score], deals)


def _too_large(bounds: Range, times: int) -> bool:
    return max(map(abs, bounds)) * times > LIMIT
