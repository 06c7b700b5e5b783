"""Plays a line of the conformance kit by our engine and records every exchange.

A line says beforehand what must be true (`refused`, `sees`, `ends`), so that the recorded answers are not
merely what the engine happened to answer.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from games import rules
from games.conformance.kit import Exchange, Line, comparable, wordless
from games.conformance.protocol import Engine
from games.engine import replay
from games.engine.replay import Position
from tests.rules.recording import as_clients_see


class Wrong(AssertionError):
    """A line of play that does not show what it should."""


class Missing(Exception):
    """A deal that lacks the cards for a line: the next one is tried."""


class Play:
    """A line in play. Moves are written as a type and fields; ``from`` is written ``source``."""

    def __init__(self, ruleset: str, seats: int, number: int = 1, *, entropy: bool = False, **options: Any):
        self.engine = Engine()
        self.exchanges: list[Exchange] = []
        secret = number.to_bytes(32, "big").hex()
        name = rules.find(ruleset).name
        self.ask(
            do="open", ruleset=name, seats=seats, options=options, entropy=entropy, secret=secret, must=True
        )

    @property
    def position(self) -> Position:
        return self.engine.game

    @property
    def state(self) -> Any:
        """Return what the ruleset keeps; drivers know all cards."""
        return self.position.state

    def ask(self, *, must: bool, **request: Any) -> dict[str, Any]:
        """Record a request with its answer, which is good or a refusal as it must be."""
        answer: dict[str, Any] = as_clients_see(self.engine.answer(as_clients_see(request)))
        if answer["ok"] != must:
            raise Wrong(f"{request}: {answer}")
        self.exchanges.append(Exchange(as_clients_see(request), _kept(request, answer)))
        return answer

    def seat(self, seat: int, kind: str, /, **fields: Any) -> None:
        """Make a seat's move."""
        self.ask(do="move", role="seat", seat=seat, move=_move(kind, fields), must=True)

    def clock(self, seat: int, kind: str = "timeout", /, **fields: Any) -> None:
        """Make the clock's move."""
        self.ask(do="move", role="clock", seat=seat, move=_move(kind, fields), must=True)

    def arbiter(self, kind: str, /, **fields: Any) -> None:
        """Make a ruling."""
        self.ask(do="move", role="arbiter", move=_move(kind, fields), must=True)

    def refused(
        self, seat: int | None, rule: str | Sequence[str] | None, kind: str, /, **fields: Any
    ) -> None:
        """Try a move of a seat, or of the arbiter (None), that this rule, or one of these, forbids."""
        actor = {"role": "arbiter"} if seat is None else {"role": "seat", "seat": seat}
        answer = self.ask(do="move", **actor, move=_move(kind, fields), must=False)
        right = [rule] if isinstance(rule, str | None) else rule
        if answer["code"] != "illegal" or answer["rule"] not in right:
            raise Wrong(f"{kind} {fields} of seat {seat} must be refused by {rule}: {answer}")

    def malformed(self, seat: int, kind: str, /, **fields: Any) -> None:
        """Try what is no move at all."""
        answer = self.ask(do="move", role="seat", seat=seat, move=_move(kind, fields), must=False)
        if answer["code"] != "malformed":
            raise Wrong(f"{kind} {fields} must be malformed: {answer}")

    def look(self) -> None:
        """Record the view of the spectator and of every seat, and what each seat to act is offered."""
        for viewer in (None, *range(self.position.seats)):
            self.ask(do="view", viewer=viewer, must=True)
        for seat in replay.to_act(self.position):
            self.ask(do="choices", seat=seat, must=True)
        self.ask(do="status", must=True)

    def sees(self, viewer: int | None, /, **fields: Any) -> None:
        """Record a view, in which these fields must have these values."""
        view = self.ask(do="view", viewer=viewer, must=True)["view"]
        for name, value in fields.items():
            if view[name] != as_clients_see(value):
                raise Wrong(f"viewer {viewer} must see {name} as {value}, not {view[name]}")

    def offered(self, seat: int, *types: str) -> None:
        """Record what a seat is offered, which must be moves of these types."""
        answer = self.ask(do="choices", seat=seat, must=True)
        found = sorted({each["type"] for each in answer["choices"]})
        if found != sorted(types):
            raise Wrong(f"seat {seat} must be offered {types}, not {found}")

    def ends(self, scores: list[int] | None, ranks: list[int] | None = None) -> None:
        """Record the end: these scores and ranks, or none of an abandoned game."""
        self.look()
        answer = self.ask(do="status", must=True)
        result = answer["result"]
        found = None if result is None else [each["score"] for each in result["seats"]]
        ranked = None if result is None else [each["rank"] for each in result["seats"]]
        if answer["status"] == "active" or found != scores or (ranks and ranked != ranks):
            raise Wrong(f"the game must end with {scores} and ranks {ranks}: {answer}")

    def row(self, **fields: Any) -> None:
        """Record the spectator's view, whose last row of the score sheet must have these values."""
        row = self.ask(do="view", viewer=None, must=True)["view"]["sheet"][-1]
        for name, value in fields.items():
            if row[name] != as_clients_see(value):
                raise Wrong(f"the row must have {name} as {value}, not {row[name]}")


def _move(kind: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": kind, **{"from" if name == "source" else name: fields[name] for name in fields}}


def _kept(request: Mapping[str, Any], answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what the kit keeps of an answer: no wording, and of choices the types."""
    if request["do"] == "choices":
        return comparable({"ok": True, "types": []}, answer)
    kept: Mapping[str, Any] = wordless(answer)
    return kept


@dataclass(frozen=True)
class Scenario:
    """A line to record: its game and name, the rules that it shows, and how it is played."""

    game: str
    shows: tuple[str, ...]
    make: Callable[[], Play]

    @property
    def name(self) -> str:
        return self.make.__name__.replace("_", "-")

    @property
    def path(self) -> Path:
        """Return the file of the line, below the folder of the kit."""
        return Path(self.game) / f"{self.name}.jsonl"

    def record(self) -> Line:
        """Play the line and return it."""
        title = (self.make.__doc__ or "").strip()
        exchanges = tuple(self.make().exchanges)
        return Line(self.name, rules.find(self.game).name, title, self.shows, exchanges)


SCENARIOS: Final[list[Scenario]] = []


def line(game: str, *shows: str) -> Callable[[Callable[[], Play]], Callable[[], Play]]:
    """Register a function as a line of a game that shows these rules; its docstring is the title."""

    def register(make: Callable[[], Play]) -> Callable[[], Play]:
        SCENARIOS.append(Scenario(game, shows, make))
        return make

    return register


MOST_DEALS: Final = 5_000


def searched(
    game: str, *shows: str, seats: int, start: int = 1, entropy: bool = False, **options: Any
) -> Callable[[Callable[[Play], None]], None]:
    """Register a script as a line, played with the first secret from ``start`` that has the cards for it."""

    def register(script: Callable[[Play], None]) -> None:
        def make() -> Play:
            for number in range(start, start + MOST_DEALS):
                play = Play(game, seats, number, entropy=entropy, **options)
                if played(script, play):
                    return play
            raise Wrong(f"no deal has the cards for {script.__name__}")

        make.__name__, make.__doc__ = script.__name__, script.__doc__
        SCENARIOS.append(Scenario(game, shows, make))

    return register


def played(script: Callable[[Play], None], play: Play) -> bool:
    """Play a script; return whether the deal has the cards for it."""
    try:
        script(play)
    except Missing:
        return False
    return True


def first_deal(open_game: Callable[[int], Play], shows: Callable[[Play], bool]) -> Play:
    """Return the first game, by the number of its secret, whose deal shows what is wanted."""
    return next(play for play in map(open_game, range(1, MOST_DEALS)) if shows(play))
