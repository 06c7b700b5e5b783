"""Checks what is left after all faults, by the files of the logs."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from games import verifier
from league.demo.clients import Api, Made

Key = tuple[str, int, int, str]


class Failed(Exception):
    """The service does not do what it should; the message says what."""


def logs_of(url: str, competition: str) -> Mapping[str, Sequence[str]]:
    """Return the lines of the logs of a competition's games."""
    api = Api(url)
    games = [game["id"] for game in api.listed("games/", competition=competition)]
    return {game: api.text(f"games/{game}/log/").splitlines() for game in games}


def checked(logs: Mapping[str, Sequence[str]], made: Sequence[Made]) -> str:
    """Return how many moves were answered and found once, in chains that are whole; raise `Failed`."""
    for game, lines in logs.items():
        try:
            verifier.check(lines)
        except verifier.WrongLog as wrong:
            raise Failed(f"The log of game {game} is wrong: {wrong}") from wrong
    logged, answered = Counter(_logged(logs)), Counter(map(_answered, made))
    lost, more = answered - logged, logged - answered
    if lost or more:
        raise Failed(
            f"{lost.total()} answered moves are lost, {more.total()} were never answered: {lost} {more}"
        )
    return f"{answered.total()} answered moves are in {len(logs)} logs, each once, and all chains are whole"


def _logged(logs: Mapping[str, Sequence[str]]) -> Iterator[Key]:
    for game, lines in logs.items():
        for entry in map(json.loads, lines):
            if entry.get("role") == "seat":
                yield game, entry["seq"], entry["seat"], entry["move"]["type"]


def _answered(made: Made) -> Key:
    return made.game, made.seq, made.seat, str(made.move["type"])
