"""A bot for Scram!: it chooses the move with the best expected difference between the teams' campsites.

Its memory is a setting: at each of its moves, when A4 hides what it has looked at, it remembers each card
with a probability of ``recall`` per cent.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import Any, Final, TypeAlias

from games.engine.jsontypes import JsonObject
from games.engine.values import replace
from games.rules.scram.actions import Action, actions
from games.rules.scram.bot.memory import Believed, Cards, Memory, Target, View, after, fading, fresh, overlaid
from games.rules.scram.cards import EQUALS, FACES, numbers, pack
from games.rules.scram.moves import Options

# ---- What cards are worth ------------------------------------------------------------------------

POINT = 10


@dataclass(frozen=True)
class Table:
    """The table as a seat knows it."""

    view: View
    memory: Memory
    seat: int

    @cached_property
    def mine(self) -> tuple[int, ...]:
        """Return the seats of the team, this seat first."""
        teams = self.view["teams"]
        team = [seat for seat, of in enumerate(teams) if of == teams[self.seat]]
        return tuple(sorted(team, key=lambda seat: seat != self.seat))

    @cached_property
    def theirs(self) -> tuple[int, ...]:
        """Return the seats of the other team."""
        return tuple(seat for seat in range(len(self.view["teams"])) if seat not in self.mine)

    def targets(self, seats: tuple[int, ...]) -> list[Target]:
        """Return all cards of these seats' campsites."""
        return [
            {"seat": seat, "index": index} for seat in seats for index in range(len(self.memory.rows[seat]))
        ]

    @cached_property
    def unknown(self) -> int:
        """Return the average value of an unknown card."""
        shown = [card for row in self.memory.rows for card in row if card]
        gone = Counter([*shown, *self.view["discard"], *filter(None, (*self.memory.deck, self.memory.drawn))])
        left = numbers((Counter(pack(len(self.view["teams"]))) - gone).elements())
        return POINT * sum(left) // max(1, len(left))

    @cached_property
    def lead(self) -> int:
        """Return the expected lead of the team."""
        return self._worth(self.memory)

    def gain(self, changed: Memory) -> int:
        """Return by how much a change of the table would raise the lead."""
        return self._worth(changed) - self.lead

    def _worth(self, memory: Memory) -> int:
        ours = sum(self._sum(memory.rows[seat]) for seat in self.mine)
        return sum(self._sum(memory.rows[seat]) for seat in self.theirs) - ours

    def _sum(self, row: Cards) -> int:
        """Return a campsite's expected sum; each ``=`` counts as the lowest number (B15)."""
        counted = [self._count(card) for card in row if card != EQUALS]
        return sum(counted) + (len(row) - len(counted)) * min(counted, default=0)

    def _count(self, card: Believed) -> int:
        return self.unknown if card is None else POINT * int(card)


# ---- Choosing ------------------------------------------------------------------------------------

Option: TypeAlias = tuple[int, JsonObject]

# Values in tenths of a point, found in games against bots with other values.
A_LOOK: Final = 24
"""A look at a card of the team."""
A_TURNED_CARD: Final = 3
"""Turning up a card of the team."""
A_CHOICE: Final = 40
"""A look at two cards, one of them unknown, before exchanging them."""
A_DRAW: Final = 100
"""A draw from the deck."""
A_LAST_TURN: Final = 30
"""The lead that may be lost in the last turns, for each camper."""
SURE: Final = 10_000


@dataclass(frozen=True)
class Camper:
    """A policy with a memory (`games.engine.policy.Rememberer`); ``recall`` is 0 to 100 per cent."""

    recall: int = 100
    memory: Memory | None = None

    def choose(self, seat: int, view: Mapping[str, Any], choices: Sequence[Mapping[str, Any]]) -> JsonObject:
        """Return the move with the best expectation."""
        memory = overlaid(self.memory, fresh(view))
        mind = Mind(seat, view, memory, Table(view, memory, seat), choices)
        return max(mind.options(), key=lambda option: option[0])[1]

    def after(self, seat: int, entry: Mapping[str, Any], view: Mapping[str, Any]) -> "Camper":
        """Return the camper after an entry; at its own moves it may forget cards."""
        if view["phase"] == "joining":
            return self
        memory = after(self.memory, entry, view)
        if entry["seat"] == seat:
            memory = fading(memory, view, self.recall, f"{seat} {entry['seq']}")
        return replace(self, memory=memory)


@dataclass(frozen=True)
class Mind:
    """One decision: what the seat sees and remembers, and its choices."""

    seat: int
    view: View
    memory: Memory
    table: Table
    choices: Sequence[Mapping[str, Any]]

    def options(self) -> Iterator[Option]:
        """Yield the possible moves with their expected gain."""
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
        if self._may("scram") and self.table.lead > A_LAST_TURN * len(self.view["teams"]):
            yield SURE, {"type": "scram"}

    def _plays(self, card: str) -> Iterator[Option]:
        yield from self._replacements(card)
        if self._may("discard"):
            yield 0, {"type": "discard"}
        if self._may("act"):
            yield from self._acts(actions(Options(**self.view["corrected"]))[card])

    def _replacements(self, card: str) -> Iterator[Option]:
        """Yield the replacement of each card of the seat, and of each set that is known to match."""
        for target in self.table.targets((self.seat,)):
            yield self._replaced(card, [target])
        for targets in self._known_sets():
            yield self._replaced(card, targets)

    def _replaced(self, card: str, targets: Sequence[Target]) -> Option:
        first, *others = targets
        ends: JsonObject = {"end": "left"} if others else {}
        move: JsonObject = {"type": "replace", "cards": [*targets], **ends}
        return self.table.gain(self.memory.putting(first, card).without(others)), move

    def _known_sets(self) -> Iterator[list[Target]]:
        """Yield the sets of two or more cards that are known to match, the seat's cards first."""
        ours = self.table.targets(self.table.mine)
        equals = [target for target in ours if self.memory.at(target) == EQUALS]
        for face in FACES[:-1]:
            same = [target for target in ours if self.memory.at(target) == face]
            for targets in (same, [*same, *equals[:1]], [*same, *equals]) if same else ():
                targets = sorted(targets, key=lambda target: target["seat"] != self.seat)
                if len(targets) > 1 and targets[0]["seat"] == self.seat:
                    yield targets

    def _acts(self, row: Action) -> Iterator[Option]:
        match row.deed:
            case "look" | "turn up":
                each = A_LOOK if row.deed == "look" else A_TURNED_CARD
                unknown, targets = self._unseen(row)
                yield each * unknown, {"type": "act", "targets": targets}
            case "look and exchange" | "exchange":
                yield from self._exchanges(row)
            case "clear":
                yield from self._clearings(row)
            case "place":
                for seat in self._campsites_for(row):
                    added = self.memory.adding(seat, row.card, "left")
                    yield self.table.gain(added), {"type": "act", "seat": seat, "end": "left"}

    def _campsites_for(self, row: Action) -> Sequence[int]:
        """Return the campsites to put a card in: the others' where that is allowed."""
        if row.whose == "own_team":
            return self.table.mine
        theirs = self.table.theirs
        if row.whose == "not_empty":
            rows = self.memory.rows
            return [seat for seat in (*theirs, *self.table.mine) if rows[seat]]
        return theirs

    def _unseen(self, row: Action) -> tuple[int, list[Target]]:
        """Return the number of unknown cards of the team to look at, and the targets, own team first."""
        everywhere = self.table.targets((*self.table.mine, *self.table.theirs))
        down = [at for at in everywhere if not self.view["campsites"][at["seat"]][at["index"]]["up"]]
        unknown = [target for target in down if self.memory.at(target) is None]
        ours = [target for target in unknown if target["seat"] in self.table.mine]
        if not unknown and row.deck:
            return 0, self._top_of_deck(row)
        known = [target for target in down if target not in unknown]
        return len(ours[: row.count]), [*unknown, *known][: row.count]

    def _top_of_deck(self, row: Action) -> list[Target]:
        return [{"deck": depth} for depth in range(min(row.deck, self.view["deck"]))]

    def _exchanges(self, row: Action) -> Iterator[Option]:
        """Yield exchanges of the team's cards with the others' and the deck's; a 12 may leave them."""
        theirs = [*self.table.targets(self.table.theirs), *self._top_of_deck(row)]
        for one, other in product(self.table.targets(self.table.mine), theirs):
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
                gain = self.table.gain(gone.adding(seat, row.card, "left"))
                yield gain, {"type": "act", "seat": seat, "cards": [*indexes], "end": "left"}
