"""Bots held to the rules: a program chooses moves from views and choices, our engine judges them."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from games import rules
from games.conformance.kit import Line
from games.conformance.protocol import VERSION, Broken, Engine
from games.engine import replay
from games.engine.policy import Policy, Rememberer
from games.engine.refusals import Refusal
from games.packages import has_bot, policy_of

MOST_MOVES: Final = 400
"""Moves of a bot in one game; longer games are left unfinished."""

Ask: TypeAlias = Callable[[Mapping[str, Any]], Mapping[str, Any]]


def held(opened_by: Mapping[str, Any], ask: Ask, moves: int = MOST_MOVES) -> str | None:
    """Return a sentence on the first illegal move of a bot that plays all seats of a game, or None.

    ``opened_by`` is a request ``open``; the game is dealt at once, and each move is judged at once.
    """
    engine = Engine()
    told = {name: opened_by[name] for name in ("ruleset", "seats", "options")}
    _told(ask, {"do": "start", **told})
    opened = engine.answer({**opened_by, "do": "open", "entropy": False})
    if not opened["ok"]:
        return f"the game does not open: {opened['sentence']}"
    for seq in range(2, moves + 2):
        if engine.game.status != "active":
            break
        if wrong := _one_move(engine, seq, ask):
            return f"with {opened_by['seats']} seats and options {opened_by['options']}, {wrong}"
    return None


def _one_move(engine: Engine, seq: int, ask: Ask) -> str | None:
    seat = replay.awaited(engine.game)[0]
    view = engine.answer({"do": "view", "viewer": seat})["view"]
    choices = engine.answer({"do": "choices", "seat": seat})["choices"]
    move = _told(ask, {"do": "choose", "seat": seat, "view": view, "choices": choices}).get("move")
    answer = engine.answer({"do": "move", "role": "seat", "seat": seat, "move": move})
    if not answer["ok"]:
        rule = f" ({answer['rule']})" if answer["rule"] else ""
        return f"seat {seat} chose {move}, which is {answer['code']}{rule}: {answer['sentence']}"
    entry = {"seq": seq, "role": "seat", "seat": seat, "move": move}
    for viewer in range(engine.game.seats):
        view = engine.answer({"do": "view", "viewer": viewer})["view"]
        _told(ask, {"do": "played", "seat": viewer, "entry": entry, "view": view})
    return None


def _told(ask: Ask, request: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the answer of a bot; raise `Broken` if it is not good."""
    answer = ask(request)
    if not answer.get("ok"):
        raise Broken(f"the bot answered {request['do']} with {answer}")
    return answer


def opening(line: Line) -> Mapping[str, Any]:
    """Return the request that opens the game of a line."""
    return line.exchanges[0].request


def openings(lines: Iterable[Line]) -> Sequence[Line]:
    """Return the first line of each ruleset with each number of seats and options."""
    found: dict[str, Line] = {}
    for line in lines:
        request = opening(line)
        found.setdefault(json.dumps([line.ruleset, request["seats"], request["options"]]), line)
    return [*found.values()]


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
                    if seats not in rules.find(name).seats:
                        raise ValueError(f"{name} is not for {seats} seats")
                    self.policies = dict.fromkeys(range(seats), policy_of(rules.find(name)))
                    return {"ok": True}
                case {"do": "played", "seat": int(seat), "entry": entry, "view": view}:
                    policy = self.policies[seat]
                    if isinstance(policy, Rememberer):
                        self.policies[seat] = policy.after(seat, entry, view)
                    return {"ok": True}
                case {"do": "choose", "seat": int(seat), "view": view, "choices": choices}:
                    return {"ok": True, "move": self.policies[seat].choose(seat, view, choices)}
        except (LookupError, TypeError, ValueError, Refusal) as error:
            return {"ok": False, "code": "request", "sentence": f"{type(error).__name__}: {error}"}
        return {"ok": False, "code": "request", "sentence": "This is no request to a bot."}
