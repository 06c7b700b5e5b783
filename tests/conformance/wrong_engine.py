"""Engines and a bot that are wrong in one way each: ``python wrong_engine.py FAULT``."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from games.conformance.protocol import Engine, serve
from games.engine.chance import commitment


class Wrong:
    """Our engine, whose answers pass through a fault."""

    def __init__(self, fault: Callable[[dict[str, Any], dict[str, Any]], dict[str, Any]]) -> None:
        self.engine, self.fault = Engine(), fault

    def answer(self, request: object) -> Mapping[str, Any]:
        assert isinstance(request, dict)
        return self.fault(request, {**self.engine.answer(altered(request))})


def altered(request: dict[str, Any]) -> dict[str, Any]:
    if "deals-otherwise" in sys.argv and request["do"] == "open":
        return {**request, "secret": "ff" * 32}
    return request


def other_code(_: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    return answer if answer["ok"] else {"ok": False, "code": "refused", "rule": answer["rule"]}


def refuses_all(request: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    return answer if request["do"] == "hello" else {"ok": False, "code": "illegal", "sentence": "No."}


def accepts_all(_: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    return {**answer, "ok": True}


def names_types(_: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    offered = answer.pop("choices", None)
    return {**answer, "types": sorted({each["type"] for each in offered})} if offered else answer


def another_rule(_: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    return answer if answer["ok"] else {**answer, "rule": "C99"}


def shows_a_hand(request: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    if request["do"] == "view" and request["viewer"] is None:
        answer["view"] = {**answer["view"], "hand": ["AS"]}
    return answer


def adds_a_field(request: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    if request["do"] == "view":
        answer["view"] = {**answer["view"], "deck_cards": []}
    return answer


def drops_a_field(request: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    if request["do"] == "view":
        answer["view"] = {name: value for name, value in answer["view"].items() if name != "scores"}
    return answer


def deals_otherwise(request: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    if request["do"] == "open":
        answer["commitment"] = commitment(bytes.fromhex(request["secret"]))
    return answer


def knows_no_game(_: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    return {**answer, "rulesets": []}


def another_protocol(_: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    return {**answer, "protocol": 99}


def falls_silent(request: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    if request["do"] == "move":
        sys.exit()
    return answer


def talks_nonsense(request: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    if request["do"] == "move":
        sys.stdout.write("Well, let me think.\n")
    return answer


def a_stubborn_bot(request: object) -> Mapping[str, Any]:
    """Draw from the deck, whatever is asked."""
    return {"ok": True, "protocol": 1, "rulesets": ["scoops@1"], "move": {"type": "draw", "from": "deck"}}


def a_bot_of_chess(request: object) -> Mapping[str, Any]:
    return {"ok": True, "protocol": 1, "rulesets": ["chess@1"]}


if __name__ == "__main__":
    named = globals()[sys.argv[1].replace("-", "_")]
    serve(named if "bot" in sys.argv[1] else Wrong(named).answer)
