"""What a table of Scram! is expected to be worth to a team, in whole tenths of a point."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from games.bots.scram_memory import Believed, Cards, Memory, Target, View
from games.rules.scram.cards import EQUALS, numbers, pack

POINT = 10


@dataclass(frozen=True)
class Table:
    """The table as one seat knows it; ``gain`` measures what a change of it would bring."""

    view: View
    memory: Memory
    seat: int

    @cached_property
    def mine(self) -> tuple[int, ...]:
        """Return the seats of the own team, the own seat first."""
        teams = self.view["teams"]
        team = [seat for seat, of in enumerate(teams) if of == teams[self.seat]]
        return tuple(sorted(team, key=lambda seat: seat != self.seat))

    @cached_property
    def theirs(self) -> tuple[int, ...]:
        """Return the seats of the other team."""
        return tuple(seat for seat in range(len(self.view["teams"])) if seat not in self.mine)

    def places(self, seats: tuple[int, ...]) -> list[Target]:
        """Return every place of these seats' campsites."""
        return [
            {"seat": seat, "index": index} for seat in seats for index in range(len(self.memory.rows[seat]))
        ]

    @cached_property
    def unknown(self) -> int:
        """Return what a card that is not known counts on average."""
        shown = [card for row in self.memory.rows for card in row if card]
        gone = Counter([*shown, *self.view["discard"], *filter(None, (*self.memory.deck, self.memory.drawn))])
        left = numbers((Counter(pack(len(self.view["teams"]))) - gone).elements())
        return POINT * sum(left) // max(1, len(left))

    def lead(self) -> int:
        """Return by how much the own team is expected to be ahead."""
        return self._worth(self.memory)

    def gain(self, changed: Memory) -> int:
        """Return what it brings if the table is as ``changed``."""
        return self._worth(changed) - self.lead()

    def _worth(self, memory: Memory) -> int:
        ours = sum(self._sum(memory.rows[seat]) for seat in self.mine)
        return sum(self._sum(memory.rows[seat]) for seat in self.theirs) - ours

    def _sum(self, row: Cards) -> int:
        """Return a campsite's expected sum; each ``=`` counts as the lowest number (B15)."""
        counted = [self._count(card) for card in row if card != EQUALS]
        return sum(counted) + (len(row) - len(counted)) * min(counted, default=0)

    def _count(self, card: Believed) -> int:
        return self.unknown if card is None else POINT * int(card)
