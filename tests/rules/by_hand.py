"""What a player does at the table to make a move: the inverse of what rulesets take gestures for."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from games.engine.gestures import Gesture


def cards(codes: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"card:{code}" for code in codes)


def groups(laid: Sequence[Mapping[str, Any]]) -> tuple[tuple[str, ...], ...]:
    return tuple(cards(group["cards"]) for group in laid)


def thing(target: Mapping[str, Any]) -> str:
    return f"top:{target['deck']}" if "deck" in target else f"at:{target['seat']}.{target['index']}"


def gesture_for(move: Mapping[str, Any]) -> Gesture:
    """Return what a player does at the table to make a move."""
    return _with_piles(move) or _with_melds(move) or _with_places(move) or Gesture()


def _with_piles(move: Mapping[str, Any]) -> Gesture | None:
    match move:
        case {"type": "draw", "from": source}:
            return Gesture(onto=f"pile:{source}")
        case {"type": "draw"}:
            return Gesture(onto="pile:deck")
        case {"type": "take"}:
            return Gesture(onto="pile:discard")
        case {"type": "discard", "card": card}:
            return Gesture(cards([card]), groups(move.get("melds", [])))
    return None


def _with_melds(move: Mapping[str, Any]) -> Gesture | None:
    match move:
        case {"type": "lay_down", "groups": laid}:
            return Gesture(cards([move["discard"]] if "discard" in move else []), groups(laid))
        case {"type": "meld"}:
            return Gesture((), groups(move.get("groups") or move["melds"]))
        case {"type": "float" | "lay_off", "meld": meld, "cards": given}:
            return Gesture(cards(given), (), f"meld:{meld}")
        case {"type": "swap", "meld": meld, "card": card}:
            return Gesture(cards([card]), (), f"meld:{meld}")
    return None


def _with_places(move: Mapping[str, Any]) -> Gesture | None:
    match move:
        case {"type": "assign", "special": [one, other], "rule": rule}:
            return Gesture((f"die:{one}", f"die:{other}", f"die:{rule}"))
        case {"type": "replace", "cards": places}:
            first = {"seat": places[0]["seat"], "index": move.get("slot", places[0]["index"])}
            return Gesture(tuple(map(thing, [first, *(each for each in places if each != first)])))
        case {"type": "act", "targets": targets}:
            return Gesture(tuple(map(thing, targets)))
        case {"type": "act", "seat": seat, "cards": indexes}:
            return Gesture(tuple(f"at:{seat}.{index}" for index in indexes))
        case {"type": "act", "seat": seat}:
            return Gesture(onto=f"seat:{seat}")
    return None


def pointless(move: Mapping[str, Any]) -> bool:
    """Return whether a move is a swap for a natural card or a meld of too few, as only S30 allows."""
    too_few = any(len(group["cards"]) < 3 for group in move.get("melds", []))
    return too_few or (move["type"] == "swap" and not move["wild"].startswith(("2", "JK")))


def same(move: Mapping[str, Any]) -> str:
    """Return a move without what does not matter: the order of sets, and how a place is named."""
    plain = json.loads(json.dumps(move))
    for group in [*plain.get("groups", []), *plain.get("melds", [])]:
        group["cards"].sort()
    if plain["type"] == "replace":
        plain["cards"].sort(key=lambda at: (at["seat"], at["index"]))
        plain.pop("slot", None)
    if plain["type"] == "lay_off":
        plain["cards"].sort()
    return json.dumps(plain, sort_keys=True)
