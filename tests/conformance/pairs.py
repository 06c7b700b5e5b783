"""The lines that play options in pairs: each two values of two options, or of seats, meet in a game.

The rows are a covering array of strength 2 (`tests.conformance.covering`), kept in the recorded lines. A row
is played for some moves by the game's bot, by random legal moves where it has none.
"""

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any, Final

from games import rules
from games.conformance import kit
from games.conformance.coverage import factors, options_of
from games.engine import replay
from games.engine.jsontypes import Json
from games.engine.refusals import Malformed
from games.engine.replay import AnyRuleset
from games.packages import has_bot
from tests.conformance.recorder import Play, Scenario
from tests.rules.randomplay import some_move
from tests.rules.recording import Recorder, as_clients_see

MOVES: Final = 16
TWENTY: Final = [{"sets": [3], "runs": []}, {"sets": [], "runs": [4]}] * 10
MORE: Final[Mapping[str, Mapping[str, Sequence[Json]]]] = {
    "scamper": {"contracts": [TWENTY[:1], TWENTY]},
    "scamper-scorecard": {"contracts": [TWENTY[:1], TWENTY]},
}
"""Further values of options that have too many to be listed."""
TOGETHER: Final[Mapping[str, Sequence[Sequence[str]]]] = {
    "scamper": [("contracts", "rounds"), ("seats", "hand_size", "packs", "wild_cards")],
    "scamper-scorecard": [("contracts", "rounds"), ("seats", "first_dealer")],
}
"""The options that may contradict each other."""


def values(ruleset: AnyRuleset) -> dict[str, list[str]]:
    """Return the values of each option, and of the number of seats, as JSON text."""
    more = MORE.get(ruleset.key, {})
    return {
        name: [json.dumps(value) for value in (*found, *more.get(name, ()))]
        for name, found in factors(ruleset).items()
    }


def fits(ruleset: AnyRuleset, row: Mapping[str, str]) -> bool:
    """Return whether a game opens with these options, the others at their default."""
    options = {name: json.loads(value) for name, value in row.items()}
    seats = options.pop("seats", ruleset.seats[0])
    try:
        ruleset.read_options(options, seats)
    except Malformed:
        return False
    return True


def can_meet(ruleset: AnyRuleset, pair: Mapping[str, str]) -> bool:
    """Return whether some game has both values."""
    listed = values(ruleset)
    groups = [names for names in TOGETHER.get(ruleset.key, ()) if {*names} & {*pair}]
    return all(
        any(
            fits(ruleset, dict(zip(names, combination, strict=True)))
            for combination in product(*([pair[name]] if name in pair else listed[name] for name in names))
        )
        for names in groups
    )


def recorded(ruleset: AnyRuleset) -> list[dict[str, str]]:
    """Return the rows that the kit holds."""
    lines = (line for line in kit.lines(game=ruleset.key) if line.name.startswith("options-"))
    return [{name: json.dumps(value) for name, value in options_of(line).items()} for line in lines]


def never_together(ruleset: AnyRuleset, rows: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """Yield a sentence for every two values that could meet and do so in no row."""
    met = {pair for row in rows for pair in pairs(row)}
    listed = values(ruleset)
    for (one, ones), (other, others) in combinations(sorted(listed.items()), 2):
        for pair in product(((one, value) for value in ones), ((other, value) for value in others)):
            if pair not in met and can_meet(ruleset, dict(pair)):
                yield f"no row of {ruleset.key} has {one} {pair[0][1]} and {other} {pair[1][1]}"


def pairs(row: Mapping[str, str]) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """Yield every two values of a row."""
    yield from combinations(sorted(row.items()), 2)


def played(ruleset: AnyRuleset, row: Mapping[str, str], number: int) -> Play:
    """Return a line that opens with the options of a row and plays on for some moves."""
    options = {name: json.loads(row[name]) for name in factors(ruleset)}
    play = Play(ruleset.key, options.pop("seats"), number, **options)
    bots = Recorder(ruleset.key, play.position.seats, options, secret=number.to_bytes(32, "big"))
    dice = random.Random(number)
    for _ in range(MOVES):
        if play.position.status == "active":
            seat, move = chosen(play, bots, dice)
            play.ask(do="move", role="seat", seat=seat, move=move, must=True)
    play.ask(do="view", viewer=None, must=True)
    play.ask(do="status", must=True)
    return play


def chosen(play: Play, bots: Recorder, dice: random.Random) -> tuple[int, dict[str, Any]]:
    """Return the next move, of a bot or random, and the seat that makes it."""
    if has_bot(bots.ruleset):
        bots.bot_move()
        entry = bots.entries[-1]
        return entry["seat"], entry["move"]
    seat = replay.to_act(play.position)[0]
    moves = replay.choices(play.position, seat)
    return seat, as_clients_see(some_move(dice.choice(moves), dice))


def scenarios(rows_of: Callable[[AnyRuleset], Sequence[Mapping[str, str]]]) -> list[Scenario]:
    """Return a line for each row of each game."""
    return [
        _scenario(ruleset, row, number)
        for ruleset in rules.RULESETS
        for number, row in enumerate(rows_of(ruleset), 1)
    ]


def _scenario(ruleset: AnyRuleset, row: Mapping[str, str], number: int) -> Scenario:
    def make() -> Play:
        return played(ruleset, row, number)

    make.__name__ = f"options_{number:02}"
    make.__doc__ = "A row of options in which every two values meet, played for some moves."
    return Scenario(ruleset.key, (), make)
