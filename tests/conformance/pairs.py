"""The lines that play options in pairs: each two values of two options, or of seats, meet in a game.

The rows are a covering array of strength 2 (`tests.conformance.covering`), kept in the recorded lines. A row
is played for some moves by the game's bot, by random legal moves where it has none.
"""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from games import rules
from games.conformance import coverage, kit
from games.conformance.coverage import Row
from games.engine import replay
from games.engine.jsontypes import Json
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


def values(ruleset: AnyRuleset) -> dict[str, Sequence[str]]:
    """Return the values of each option, and of the number of seats, as JSON text."""
    more = MORE.get(ruleset.key, {})
    return {
        name: [*found, *map(json.dumps, more.get(name, ()))]
        for name, found in coverage.listed(ruleset).items()
    }


def recorded(ruleset: AnyRuleset) -> Sequence[Row]:
    """Return the rows that the kit holds."""
    lines = (line for line in kit.lines(game=ruleset.key) if line.name.startswith("options-"))
    return [coverage.as_text(coverage.options_of(line)) for line in lines]


def lacking(ruleset: AnyRuleset) -> list[str]:
    """Return a sentence for every two values that could meet and do so in no row."""
    apart = coverage.never_together(ruleset, recorded(ruleset), values(ruleset))
    return [f"no row of {ruleset.key} has {pair}" for pair in apart]


def played(ruleset: AnyRuleset, row: Row, number: int) -> Play:
    """Return a line that opens with the options of a row and plays on for some moves."""
    given = {name: json.loads(row[name]) for name in coverage.factors(ruleset)}
    play = Play(ruleset.key, given.pop("seats"), number, **given)
    bots = Recorder(ruleset.key, play.position.seats, given, secret=number.to_bytes(32, "big"))
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


def scenarios(rows_of: Callable[[AnyRuleset], Sequence[Row]]) -> list[Scenario]:
    """Return a line for each row of each game."""
    return [
        _scenario(ruleset, row, number)
        for ruleset in rules.RULESETS
        for number, row in enumerate(rows_of(ruleset), 1)
    ]


def _scenario(ruleset: AnyRuleset, row: Row, number: int) -> Scenario:
    def make() -> Play:
        return played(ruleset, row, number)

    make.__name__ = f"options_{number:02}"
    make.__doc__ = "A row of options in which every two values meet, played for some moves."
    return Scenario(ruleset.key, (), make)
