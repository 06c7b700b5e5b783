"""Checks what is left after a league was played, by the files of the logs."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games import verifier
from league.demo.clients import Api, Made

Key = tuple[str, int, int, str]
"""A move: its game, number, seat, and all of its content."""


class Failed(Exception):
    """The service does not do what it should; the message says what."""


def logs_of(url: str, competition: str) -> Mapping[str, Sequence[str]]:
    """Return the lines of the logs of a competition's games."""
    api = Api(url)
    games = [game["id"] for game in api.listed("games/", competition=competition)]
    return {game: api.text(f"games/{game}/log/").splitlines() for game in games}


def checked(logs: Mapping[str, Sequence[str]], made: Sequence[Made]) -> str:
    """Return how many moves were answered and found once, in chains that are whole; raise `Failed`.

    Each entry that an answer named by its hash must be there too, with the time and account that it had then.
    """
    for game, lines in logs.items():
        try:
            verifier.check(lines)
        except verifier.WrongLog as wrong:
            raise Failed(f"The log of game {game} is wrong: {wrong}") from wrong
    entries = {game: [*entries_of(lines)] for game, lines in logs.items()}
    logged, answered = Counter(_logged(entries)), Counter(map(_answered, made))
    lost, more = answered - logged, logged - answered
    if lost or more:
        raise Failed(
            f"{lost.total()} answered moves are lost, {more.total()} were never answered: {lost} {more}"
        )
    hashes = {(game, entry["seq"]): entry["hash"] for game in entries for entry in entries[game]}
    if others := [each for each in made if hashes.get((each.game, each.last)) != each.head]:
        raise Failed(f"{len(others)} answers named an entry that is another one in the log: {others}")
    return f"{answered.total()} answered moves are in {len(logs)} logs, each once, and all chains are whole"


def entries_of(lines: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    """Yield the entries of a log."""
    return (entry for entry in map(json.loads, lines) if "seq" in entry)


def _logged(logs: Mapping[str, Sequence[Mapping[str, Any]]]) -> Iterator[Key]:
    for game, entries in logs.items():
        for entry in entries:
            if entry["role"] == "seat":
                yield game, entry["seq"], entry["seat"], _content(entry["move"])


def _answered(made: Made) -> Key:
    return made.game, made.seq, made.seat, _content(made.move)


def _content(move: Mapping[str, Any]) -> str:
    return json.dumps(move, sort_keys=True)
