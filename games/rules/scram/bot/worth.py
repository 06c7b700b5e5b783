"""The expected value of a table for a team, in tenths of a point."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from games.rules.scram.bot.memory import Believed, Cards, Memory, Target, View
from games.rules.scram.cards import EQUALS, numbers, pack

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
