"""A camper for Scram!: it does what lowers its team's campsites, or raises the others', most in expectation.

How well it remembers what it saw is a setting: at every move of its own, when A4 takes what it looked at out
of its view, each card stays in its mind with so many per cent.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final, TypeAlias

from games.bots.scram_memory import Memory, Target, View, after, fading, fresh, overlaid
from games.bots.scram_worth import Table
from games.engine.jsontypes import JsonObject
from games.rules.scram.actions import ACTIONS, Action
from games.rules.scram.cards import EQUALS, FACES

Option: TypeAlias = tuple[int, JsonObject]

# What things are worth, in tenths of a point; found by letting campers with other figures play this one.
A_LOOK: Final = 24
"""To have looked at a card of one's team."""
A_TURNED_CARD: Final = 3
"""To have a card of one's team turned up."""
A_CHOICE: Final = 40
"""To see two cards, one of them new, before exchanging them."""
A_DRAW: Final = 100
"""To draw from the deck."""
A_LAST_TURN: Final = 30
"""For each camper, the lead that last turns may cost."""
SURE: Final = 10_000


@dataclass(frozen=True)
class Camper:
    """A policy that remembers (`games.bots.Rememberer`); ``recall`` is 0 to 100 per cent."""

    recall: int = 100
    memory: Memory | None = None

    def choose(self, seat: int, view: Mapping[str, Any], choices: Sequence[Mapping[str, Any]]) -> JsonObject:
        """Return the move with the best expectation."""
        memory = overlaid(self.memory, fresh(view))
        mind = Mind(seat, view, memory, Table(view, memory, seat), choices)
        return max(mind.options(), key=lambda option: option[0])[1]

    def after(self, seat: int, entry: Mapping[str, Any], view: Mapping[str, Any]) -> "Camper":
        """Return the camper with what it has seen of an entry; at its own moves it may forget."""
        if view["phase"] == "joining":
            return self
        memory = after(self.memory, entry, view)
        if entry["seat"] == seat:
            memory = fading(memory, view, self.recall, f"{seat} {entry['seq']}")
        return replace(self, memory=memory)


@dataclass(frozen=True)
class Mind:
    """One decision: what the seat sees and remembers, what that is worth, and what it may do."""

    seat: int
    view: View
    memory: Memory
    table: Table
    choices: Sequence[Mapping[str, Any]]

    def options(self) -> Iterator[Option]:
        """Yield moves with what they are expected to bring."""
        match self.view["phase"]:
            case "begin":
                yield from self._beginnings()
            case "play":
                yield from self._plays(self.view["drawn"])
            case "act":
                yield 0, {"type": "act", "targets": self.choices[0]["fields"]["targets"]["values"][0]}
            case _:
                yield 0, {"type": "exchange", "do": False}
                swapped = self.memory.swapped(self.memory.aimed)
                yield self.table.gain(swapped), {"type": "exchange", "do": True}

    def _may(self, kind: str) -> bool:
        return any(choice["type"] == kind for choice in self.choices)

    def _beginnings(self) -> Iterator[Option]:
        yield A_DRAW, {"type": "draw", "from": "deck"}
        if self.view["discard"] and self.memory.rows[self.seat]:
            best = max(gain for gain, _ in self._replacements(self.view["discard"][-1]))
            yield best, {"type": "draw", "from": "discard"}
        if self._may("scram") and self.table.lead() > A_LAST_TURN * len(self.view["teams"]):
            yield SURE, {"type": "scram"}

    def _plays(self, card: str) -> Iterator[Option]:
        yield from self._replacements(card)
        if self._may("discard"):
            yield 0, {"type": "discard"}
        if self._may("act"):
            yield from self._acts(ACTIONS[card])

    def _replacements(self, card: str) -> Iterator[Option]:
        """Yield the replacing of each card of one's own, and of every set that is known to match."""
        for place in self.table.places((self.seat,)):
            yield self._replaced(card, [place])
        for places in self._known_sets():
            yield self._replaced(card, places)

    def _replaced(self, card: str, places: Sequence[Target]) -> Option:
        first, *others = places
        ends: JsonObject = {"end": "left"} if others else {}
        move: JsonObject = {"type": "replace", "cards": [*places], **ends}
        return self.table.gain(self.memory.putting(first, card).without(others)), move

    def _known_sets(self) -> Iterator[list[Target]]:
        """Yield the sets of two or more cards that are known to match, one of one's own first."""
        ours = self.table.places(self.table.mine)
        wild = [place for place in ours if self.memory.at(place) == EQUALS]
        for face in FACES[:-1]:
            same = [place for place in ours if self.memory.at(place) == face]
            for places in (same, [*same, *wild[:1]], [*same, *wild]) if same else ():
                places = sorted(places, key=lambda place: place["seat"] != self.seat)
                if len(places) > 1 and places[0]["seat"] == self.seat:
                    yield places

    def _acts(self, row: Action) -> Iterator[Option]:
        match row.deed:
            case "look" | "turn up":
                each = A_LOOK if row.deed == "look" else A_TURNED_CARD
                news, targets = self._unseen(row)
                yield each * news, {"type": "act", "targets": targets}
            case "look and exchange" | "exchange":
                yield from self._exchanges(row)
            case "clear":
                yield from self._clearings(row)
            case "place":
                for seat in self.table.theirs:
                    added = self.memory.adding(seat, [row.card], "left")
                    yield self.table.gain(added), {"type": "act", "seat": seat, "end": "left"}

    def _unseen(self, row: Action) -> tuple[int, list[Target]]:
        """Return the best places to look at, own team first, and how many of the team's are news."""
        down = [
            place
            for place in self.table.places((*self.table.mine, *self.table.theirs))
            if self._is_down(place)
        ]
        news = [place for place in down if self.memory.at(place) is None]
        ours = [place for place in news if place["seat"] in self.table.mine]
        if not news and row.deck:
            return 0, [{"deck": depth} for depth in range(min(row.deck, self.view["deck"]))]
        known = [place for place in down if place not in news]
        return len(ours[: row.count]), [*news, *known][: row.count]

    def _is_down(self, place: Target) -> bool:
        down: bool = not self.view["campsites"][place["seat"]][place["index"]]["up"]
        return down

    def _exchanges(self, row: Action) -> Iterator[Option]:
        """Yield exchanges of the team's cards with the others' and the deck's; a 12 may look and leave it."""
        deck: list[Target] = [{"deck": depth} for depth in range(min(row.deck, self.view["deck"]))]
        for one in self.table.places(self.table.mine):
            for other in (*self.table.places(self.table.theirs), *deck):
                gain = self.table.gain(self.memory.swapped((one, other)))
                if row.deed == "look and exchange":
                    guess = None in (self.memory.at(one), self.memory.at(other))
                    gain = max(gain, 0) + A_CHOICE * guess
                yield gain, {"type": "act", "targets": [one, other]}

    def _clearings(self, row: Action) -> Iterator[Option]:
        """Yield every way to clear cards from a campsite of either team."""
        for seat, cards in enumerate(self.memory.rows):
            for indexes in combinations(range(len(cards)), min(row.count, len(cards))) if cards else ():
                gone = self.memory.without([{"seat": seat, "index": index} for index in indexes])
                gain = self.table.gain(gone.adding(seat, [row.card], "left"))
                yield gain, {"type": "act", "seat": seat, "cards": [*indexes], "end": "left"}
