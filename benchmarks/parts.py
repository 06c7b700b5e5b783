"""What each part of a move over HTTP costs a web process: ``python -m benchmarks.moves --profile``."""

import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import Any, Final
from unittest.mock import patch

from benchmarks.machine import spent

PARTS: Final[Mapping[str, Sequence[str]]] = {
    "token": ("api.callers.BearerAuthentication.authenticate",),
    "throttle": ("api.callers.CallerThrottle.allow_request",),
    "body: JSON and its shape": ("api.requests.strict_json", "games.engine.shapes.read"),
    "step: the move read, played and written": (
        *("games.engine.replay.read_move", "games.engine.replay.played", "games.engine.replay.due"),
        "games.engine.replay.write_move",
    ),
    "entry and its hash": ("games.log._entry",),
    "row of the game, clocks, snapshot": (
        *("games.log.copied", "games.heads.tick", "games.heads.follow", "games.log.grown"),
    ),
    "seat, names, guard": (
        *("league.queries.reading.last_place", "league.queries.reading.still", "api.callers.Guard"),
        "league.queries.reading.after",
    ),
    "statement": ("games.log.append_entries",),
    "answer: view, choices, JSON": (
        "api.views.games.game_body",
        "rest_framework.renderers.JSONRenderer.render",
    ),
    "headers, compression": (
        "api.views.games.headers_of_game",
        "league.ops.answers.CompressionMiddleware.maybe_compress",
    ),
    "line of the log": ("league.ops.logs._finished", "league.ops.logs._names"),
}
"""Parts of a move, and the functions that do them."""
REST: Final = "all else"


class Clocks:
    """Counts the microseconds of parts, each without those of the parts inside it."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self._inside = [0]

    def around(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function with a clock of its part."""

        def timed(*given: Any, **named: Any) -> Any:
            self._inside.append(0)
            begun = time.process_time_ns()
            try:
                return function(*given, **named)
            finally:
                whole = time.process_time_ns() - begun
                self.spent[part] = self.spent.get(part, 0) + (whole - self._inside.pop()) / 1000
                self._inside[-1] += whole

        return timed


@contextmanager
def clocks() -> Iterator[Clocks]:
    """Provide clocks around all parts; raises AttributeError where a function is gone."""
    made = Clocks()
    with ExitStack() as stack:
        for part, names in PARTS.items():
            for name in names:
                owner, attribute = found(name)
                timed = made.around(part, getattr(owner, attribute))
                stack.enter_context(patch.object(owner, attribute, timed))
        yield made


def found(name: str) -> tuple[Any, str]:
    """Return the module or class of a function, and its name there."""
    path, _, attribute = name.rpartition(".")
    try:
        return import_module(path), attribute
    except ModuleNotFoundError:
        module, _, owner = path.rpartition(".")
        return getattr(import_module(module), owner), attribute


def profile(requests: Sequence[Callable[[], object]]) -> None:
    """Make requests, every second one with clocks in it; print medians of both and of the parts.

    The first tenth warms up. A clock takes about a microsecond, of which a part has a half.
    """
    plain, whole = list[float](), list[float]()
    parts: dict[str, list[float]] = {part: [] for part in (*PARTS, REST)}
    for number, request in enumerate(requests):
        counts = number >= len(requests) // 10
        if number % 2:
            taken = 1000 * spent(request)
            plain += [taken] * counts
            continue
        with clocks() as made:
            taken = 1000 * spent(request)
        whole += [taken] * counts
        for part in PARTS:
            parts[part] += [made.spent.get(part, 0)] * counts
        parts[REST] += [taken - sum(made.spent.values())] * counts
    middle = statistics.median(whole)
    sys.stdout.write("| part of a move | µs | per cent |\n|---|---|---|\n")
    for part, costs in parts.items():
        cost = statistics.median(costs)
        sys.stdout.write(f"| {part} | {cost:.0f} | {100 * cost / middle:.0f} |\n")
    sys.stdout.write(f"| all, with clocks | {middle:.0f} | 100 |\n")
    sys.stdout.write(f"| all, without | {statistics.median(plain):.0f} | |\n")
