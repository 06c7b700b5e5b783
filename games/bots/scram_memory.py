"""What a bot at a table of Scram! still knows of the cards that it saw, carried through everybody's moves."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

View: TypeAlias = Mapping[str, Any]
Target: TypeAlias = Mapping[str, int]
Believed: TypeAlias = str | None
Cards: TypeAlias = tuple[Believed, ...]

SIDES: Final = {"left": True, "right": False}


@dataclass(frozen=True)
class Memory:
    """Every place of a table with the card that lies there, None where the bot does not know it.

    ``deck`` reaches as deep as something is known; ``aimed`` are the targets of an action under way.
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
            row = list(self.rows[target["seat"]])
            row[target["index"]] = card
            return self.with_row(target["seat"], row)
        deck = [*self.deck, *[None] * (1 + target["deck"] - len(self.deck))]
        deck[target["deck"]] = card
        return replace(self, deck=tuple(deck))

    def with_row(self, seat: int, row: Sequence[Believed]) -> "Memory":
        """Return the memory with another campsite."""
        return replace(self, rows=(*self.rows[:seat], tuple(row), *self.rows[seat + 1 :]))

    def swapped(self, targets: Sequence[Target]) -> "Memory":
        """Return the memory after two cards changed places."""
        one, other = targets
        return self.putting(one, self.at(other)).putting(other, self.at(one))

    def adding(self, seat: int, cards: Sequence[Believed], end: str) -> "Memory":
        """Return the memory with cards added to a campsite, each further out than the one before."""
        row = self.rows[seat]
        return self.with_row(seat, (*reversed(cards), *row) if SIDES[end] else (*row, *cards))

    def without(self, places: Sequence[Target]) -> "Memory":
        """Return the memory with cards gone from campsites, the rows closed up."""
        gone = {(place["seat"], place["index"]) for place in places}
        rows = (
            tuple(card for index, card in enumerate(row) if (seat, index) not in gone)
            for seat, row in enumerate(self.rows)
        )
        return replace(self, rows=tuple(rows))


def fresh(view: View) -> Memory:
    """Return what a view alone tells."""
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
    """Return the memory after an entry of the log, with what the view shows right after it."""
    now = fresh(view)
    if memory is None or memory.round != now.round:
        return now
    return overlaid(_moved(memory, entry["seat"], entry["move"], view), now)


def overlaid(memory: Memory | None, now: Memory) -> Memory:
    """Return what is seen now, and elsewhere what is remembered; a row that does not fit is lost."""
    if memory is None or memory.round != now.round:
        return now
    fitting = zip(memory.rows, now.rows, strict=True)
    rows = tuple(_either(new, old) if len(old) == len(new) else new for old, new in fitting)
    depth = max(len(now.deck), len(memory.deck))
    deck = _either(_padded(now.deck, depth), _padded(memory.deck, depth))
    return replace(now, rows=rows, deck=deck[: now.left], drawn=now.drawn or memory.drawn)


def _moved(memory: Memory, seat: int, move: Mapping[str, Any], view: View) -> Memory:
    """Return the memory with every card where the move has taken it."""
    match move["type"]:
        case "draw" if move["from"] == "deck":
            return replace(memory, drawn=memory.deck[0] if memory.deck else None, deck=memory.deck[1:])
        case "timeout":
            # The clock may have drawn and discarded; it moves nothing else that could be known.
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
    """Return the memory after a replace: the length of the campsite tells whether the cards matched."""
    had = len(memory.rows[seat])
    if length > had:
        added = length - had - 1
        unseen = (*memory.deck[:added], *[None] * (added - len(memory.deck)))
        rest = replace(memory, deck=memory.deck[added:])
        return rest.adding(seat, (memory.drawn, *unseen), move["end"])
    hole = {"seat": seat, "index": move.get("slot", move["cards"][0]["index"])}
    others = [place for place in move["cards"] if place != hole]
    return memory.putting(hole, memory.drawn).without(others)


def _acted(memory: Memory, move: Mapping[str, Any], view: View) -> Memory:
    """Return the memory after an action: looks move nothing, an 11, a 9 and a 13 do."""
    if "seat" in move:
        gone = [{"seat": move["seat"], "index": index} for index in move.get("cards", ())]
        return memory.without(gone).adding(move["seat"], [None], move["end"])
    return memory.swapped(move["targets"]) if view["discard"][-1:] == ["11"] else memory


def _either(new: Cards, old: Cards) -> Cards:
    return tuple(now or before for now, before in zip(new, old, strict=True))


def _padded(cards: Cards, length: int) -> Cards:
    return (*cards, *[None] * (length - len(cards)))


def fading(memory: Memory, view: View, recall: int, when: str) -> Memory:
    """Return the memory with each card that is out of sight kept with a chance of ``recall`` per cent.

    The chance is a hash of when and what: the same game is always forgotten in the same way.
    """
    now = fresh(view)
    for target in _places(memory):
        card = memory.at(target)
        out_of_sight = card is not None and now.at(target) is None
        if out_of_sight and _percent(f"{when} {sorted(target.items())} {card}") >= recall:
            memory = memory.putting(target, None)
    return memory


def _places(memory: Memory) -> list[Target]:
    rows = [
        {"seat": seat, "index": index} for seat, row in enumerate(memory.rows) for index in range(len(row))
    ]
    return [*rows, *({"deck": depth} for depth in range(len(memory.deck)))]


def _percent(text: str) -> int:
    """Return an even number from 0 to 99 that hangs on the text alone."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % 100
