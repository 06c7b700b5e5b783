"""A bot's memory of the cards that it has seen, updated with every move of the game."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from games.engine.base import replaced
from games.engine.values import replace

View: TypeAlias = Mapping[str, Any]
Target: TypeAlias = Mapping[str, int]
Believed: TypeAlias = str | None
Cards: TypeAlias = tuple[Believed, ...]


@dataclass(frozen=True)
class Memory:
    """The cards of the campsites and the deck as far as the bot knows them; None for an unknown card.

    ``deck`` ends with the deepest known card; ``left`` is the size of the deck; ``aimed`` holds the targets
    of an action under way.
    """

    round: int
    rows: tuple[Cards, ...]
    deck: Cards
    left: int
    drawn: Believed
    aimed: tuple[Target, ...]

    def at(self, target: Target) -> Believed:
        """Return the card at a target."""
        if "seat" in target:
            return self.rows[target["seat"]][target["index"]]
        return self.deck[target["deck"]] if target["deck"] < len(self.deck) else None

    def putting(self, target: Target, card: Believed) -> "Memory":
        """Return the memory with another card at a target."""
        if "seat" in target:
            return self.with_row(target["seat"], replaced(self.rows[target["seat"]], target["index"], card))
        deck = [*self.deck, *[None] * (1 + target["deck"] - len(self.deck))]
        deck[target["deck"]] = card
        return replace(self, deck=tuple(deck))

    def with_row(self, seat: int, row: Sequence[Believed]) -> "Memory":
        """Return the memory with another campsite."""
        return replace(self, rows=replaced(self.rows, seat, tuple(row)))

    def swapped(self, targets: Sequence[Target]) -> "Memory":
        """Return the memory after two cards were exchanged."""
        one, other = targets
        return self.putting(one, self.at(other)).putting(other, self.at(one))

    def adding(self, seat: int, card: Believed, end: str) -> "Memory":
        """Return the memory with a card added at an end of a campsite."""
        row = self.rows[seat]
        return self.with_row(seat, (card, *row) if end == "left" else (*row, card))

    def without(self, targets: Sequence[Target]) -> "Memory":
        """Return the memory after cards were removed from campsites."""
        gone = {(target["seat"], target["index"]) for target in targets}
        rows = (
            tuple(card for index, card in enumerate(row) if (seat, index) not in gone)
            for seat, row in enumerate(self.rows)
        )
        return replace(self, rows=tuple(rows))


def fresh(view: View) -> Memory:
    """Return what a view shows."""
    rows = tuple(tuple(card["card"] for card in row) for row in view["campsites"])
    aimed = tuple(view["action"]["targets"]) if view["action"] else ()
    memory = Memory(view["round"], rows, (), view["deck"], view["drawn"] or view["taken"], aimed)
    for entry in view["seen"]:
        if "drawn" in entry["target"]:
            memory = replace(memory, drawn=entry["card"])
        else:
            memory = memory.putting(entry["target"], entry["card"])
    return memory


def after(memory: Memory | None, entry: Mapping[str, Any], view: View) -> Memory:
    """Return the memory after an entry of the log and the view right after it."""
    now = fresh(view)
    if memory is None or memory.round != now.round:
        return now
    return overlaid(_moved(memory, entry["seat"], entry["move"], view), now)


def overlaid(memory: Memory | None, now: Memory) -> Memory:
    """Return what is seen now, completed by the memory of rows of the same length."""
    if memory is None or memory.round != now.round:
        return now
    fitting = zip(memory.rows, now.rows, strict=True)
    rows = tuple(_either(new, old) if len(old) == len(new) else new for old, new in fitting)
    depth = max(len(now.deck), len(memory.deck))
    deck = _either(_padded(now.deck, depth), _padded(memory.deck, depth))
    return replace(now, rows=rows, deck=deck[: now.left], drawn=now.drawn or memory.drawn)


def _moved(memory: Memory, seat: int, move: Mapping[str, Any], view: View) -> Memory:
    """Return the memory with each card where the move has put it."""
    match move["type"]:
        case "draw" if move["from"] == "deck":
            return replace(memory, drawn=memory.deck[0] if memory.deck else None, deck=memory.deck[1:])
        case "timeout":
            # The clock may have drawn and discarded; no other known card has moved.
            return replace(memory, deck=memory.deck[memory.left - view["deck"] :])
        case "replace":
            return _replaced(memory, seat, move, len(view["campsites"][seat]))
        case "act":
            return _acted(memory, move, view)
        case "exchange" if move["do"]:
            return memory.swapped(memory.aimed)
        case _:
            return memory


def _replaced(memory: Memory, seat: int, move: Mapping[str, Any], length: int) -> Memory:
    """Return the memory after a replacement: a longer campsite means that the cards did not match."""
    had = len(memory.rows[seat])
    if length > had:
        added = length - had - 1
        unseen = (*memory.deck[:added], *[None] * (added - len(memory.deck)))
        ends = [move["end"], *move.get("extra_ends", ()), *[move["end"]] * added]
        rest = replace(memory, deck=memory.deck[added:])
        for card, end in zip((memory.drawn, *unseen), ends, strict=False):
            rest = rest.adding(seat, card, end)
        return rest
    slot = {"seat": seat, "index": move.get("slot", move["cards"][0]["index"])}
    others = [target for target in move["cards"] if target != slot]
    return memory.putting(slot, memory.drawn).without(others)


def _acted(memory: Memory, move: Mapping[str, Any], view: View) -> Memory:
    """Return the memory after an action; a 9, an 11 and a 13 move cards."""
    if "seat" in move:
        gone = [{"seat": move["seat"], "index": index} for index in move.get("cards", ())]
        return memory.without(gone).adding(move["seat"], None, move["end"])
    return memory.swapped(move["targets"]) if view["discard"][-1:] == ["11"] else memory


def _either(new: Cards, old: Cards) -> Cards:
    return tuple(now or before for now, before in zip(new, old, strict=True))


def _padded(cards: Cards, length: int) -> Cards:
    return (*cards, *[None] * (length - len(cards)))


def fading(memory: Memory, view: View, recall: int, when: str) -> Memory:
    """Return the memory after each hidden card was kept with a probability of ``recall`` per cent.

    A hash decides, so that the same game is always remembered in the same way.
    """
    now = fresh(view)
    for target in _targets(memory):
        card = memory.at(target)
        out_of_sight = card is not None and now.at(target) is None
        if out_of_sight and _percent(f"{when} {sorted(target.items())} {card}") >= recall:
            memory = memory.putting(target, None)
    return memory


def _targets(memory: Memory) -> list[Target]:
    rows = [
        {"seat": seat, "index": index} for seat, row in enumerate(memory.rows) for index in range(len(row))
    ]
    return [*rows, *({"deck": depth} for depth in range(len(memory.deck)))]


def _percent(text: str) -> int:
    """Return a uniform number from 0 to 99 that depends on the text alone."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % 100
