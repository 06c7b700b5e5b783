"""Bots held to the rules: a program chooses moves from views and choices, our engine judges them."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from games import rules
from games.conformance.kit import Line
from games.conformance.protocol import VERSION, Engine
from games.engine import replay
from games.engine.policy import Policy, Rememberer
from games.engine.refusals import Refusal
from games.packages import has_bot, policy_of

MOST_MOVES: Final = 400
"""Moves of a bot in one game; longer games are left unfinished."""

Ask: TypeAlias = Callable[[Mapping[str, Any]], Mapping[str, Any]]


def held(opened_by: Mapping[str, Any], ask: Ask, moves: int = MOST_MOVES) -> str | None:
    """Return a sentence on the first illegal move of a bot that plays all seats of a game, or None.

    ``opened_by`` is a request ``open``; the game is dealt at once, and each choice is checked to be a legal
    move.
    """
    engine = Engine()
    ask({**opened_by, "do": "start"})
    opened = engine.answer({**opened_by, "do": "open", "entropy": False})
    if not opened["ok"]:
        return f"the game does not open: {opened['sentence']}"
    for _ in range(moves):
        if engine.game.status != "active":
            break
        seat = replay.awaited(engine.game)[0]
        if wrong := _one_move(engine, seat, ask):
            return f"with {opened_by['seats']} seats and options {opened_by['options']}, {wrong}"
    return None


def _one_move(engine: Engine, seat: int, ask: Ask) -> str | None:
    view = engine.answer({"do": "view", "viewer": seat})["view"]
    choices = engine.answer({"do": "choices", "seat": seat})["choices"]
    move = ask({"do": "choose", "seat": seat, "view": view, "choices": choices}).get("move")
    answer = engine.answer({"do": "move", "role": "seat", "seat": seat, "move": move})
    if not answer["ok"]:
        rule = f" ({answer['rule']})" if answer["rule"] else ""
        return f"seat {seat} chose {move}, which is {answer['code']}{rule}: {answer['sentence']}"
    _tell(engine, seat, move, ask)
    return None


def _tell(engine: Engine, seat: int, move: Any, ask: Ask) -> None:
    """Tell each seat's bot what was played, with the view right after it."""
    for viewer in range(engine.game.seats):
        view = engine.answer({"do": "view", "viewer": viewer})["view"]
        entry = {"role": "seat", "seat": seat, "move": move}
        ask({"do": "played", "seat": viewer, "entry": entry, "view": view})


def opening(line: Line) -> Mapping[str, Any]:
    """Return the request that opens the game of a line."""
    return line.exchanges[0].request


class Bots:
    """Our bots behind the protocol."""

    def __init__(self) -> None:
        self.policies: dict[int, Policy] = {}

    def answer(self, request: object) -> Mapping[str, Any]:
        """Return the answer to ``hello``, ``start``, ``played`` or ``choose``."""
        try:
            match request:
                case {"do": "hello"}:
                    named = sorted(name for name, each in rules.BY_NAME.items() if has_bot(each))
                    return {"ok": True, "protocol": VERSION, "rulesets": named}
                case {"do": "start", "ruleset": str(name), "seats": int(seats)}:
                    self.policies = dict.fromkeys(range(seats), policy_of(rules.find(name)))
                    return {"ok": True}
                case {"do": "played", "seat": int(seat), "entry": entry, "view": view}:
                    policy = self.policies[seat]
                    if isinstance(policy, Rememberer):
                        self.policies[seat] = policy.after(seat, entry, view)
                    return {"ok": True}
                case {"do": "choose", "seat": int(seat), "view": view, "choices": choices}:
                    return {"ok": True, "move": self.policies[seat].choose(seat, view, choices)}
        except (KeyError, Refusal) as error:
            return {"ok": False, "code": "request", "sentence": f"{type(error).__name__}: {error}"}
        return {"ok": False, "code": "request", "sentence": "This is no request to a bot."}
