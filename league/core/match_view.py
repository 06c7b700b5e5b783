"""A match as pages and the API tell it: its score and its games one by one."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from games.engine.jsontypes import JsonObject
from league.core.state.competition import Table, TableGame
from league.core.state.match import MOST_GAMES, Winner

Status: TypeAlias = Literal["playing", "abandoned", "won", "drawn", "replayed", "not_needed"]
"""What became of a game of a match; one that is ``replayed`` was drawn and counts for nothing."""


def as_json(table: Table) -> JsonObject | None:
    """Return the match at a table as JSON, None where it has one game.

    ``score`` is what each side has, in the order of the table's entries, as a whole number or a fraction.
    Each of the ``games`` has the scores of the table's seats, if it is over, and the entry that won it. A
    match whose result was set without games has none; one that was not needed or was replaced is told too.
    """
    match = table.match
    if match is None:
        return None
    tally = table.ruling.tally if table.ruling and table.ruling.tally else table.tally
    return {
        "best_of": match.best_of,
        "drawn_game": match.drawn_game,
        "score": [str(each) for each in match.games(tally)],
        "drawn": tally.drawn,
        "games": [*(_typed(table) if table.ruling else _played(table))],
    }


def _typed(table: Table) -> Iterator[JsonObject]:
    """Yield the games of a match that were typed in."""
    assert table.ruling is not None and table.match is not None
    counted = table.ruling.tally.counted if table.ruling.tally else 0
    for index, scores in enumerate(table.ruling.games):
        winner = table.ruling.winners[index]
        yield _told(table, index + 1, "", scores, winner, counts=index < counted)


def _played(table: Table) -> Iterator[JsonObject]:
    """Yield the games of a match that were opened, dropped ones too."""
    assert table.match is not None
    counted, over = table.tally.counted, table.match.decided(table.tally)
    numbers = {game.id: index for index, game in enumerate(table.needed)}
    for game in table.games:
        if game.result is None:
            yield _without_result(game)
            continue
        scores = [each.score for each in game.result.placings]
        counts = numbers[game.id] < counted or not over
        winner = table.winner(game.result.placings)
        yield _told(table, game.number, game.id, scores, winner, counts=counts)


def _without_result(game: TableGame) -> JsonObject:
    status = "not_needed" if game.dropped else "abandoned" if game.abandoned else "playing"
    return {"number": game.number, "game": game.id, "status": status, "scores": [], "winner": None}


def _told(
    table: Table, number: int, game: str, scores: Sequence[int], winner: Winner, *, counts: bool
) -> JsonObject:
    assert table.match is not None
    status: Status = "won"
    if not counts:
        status = "not_needed"
    elif winner is None:
        status = "replayed" if table.match.drawn_game == "replay" else "drawn"
    won = None if winner is None else table.entries[winner]
    return {"number": number, "game": game or None, "status": status, "scores": [*scores], "winner": won}


MORE_LINES: Final = 2
"""Lines of a form or a sheet for drawn games that are played again."""


def lines_of(match: Mapping[str, Any]) -> int:
    """Return how many games a form for a match, as `as_json` tells it, has lines for."""
    more = MORE_LINES if match["drawn_game"] == "replay" else 0
    entered = sum(bool(each["scores"]) for each in match["games"])
    return min(MOST_GAMES, max(int(match["best_of"]) + more, entered + 1 if more else entered))


def counted(match: Mapping[str, Any] | None) -> Sequence[Mapping[str, Any]]:
    """Return the games of a match that are over and count, none where a table has one game."""
    games = (match or {}).get("games", ())
    return [each for each in games if each["scores"] and each["status"] != "not_needed"]
