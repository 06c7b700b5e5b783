"""A bracket in which one loss is not the end: who meets whom in its upper and lower half, round by round.

A bracket of 2ᵏ slots has k upper rounds and 2k − 2 lower ones. The losers of the first upper round meet each
other; those of each later one meet who is left below. The winners of both halves play the final.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from league.core.drawing.bracket import Played, seeded

Pair: TypeAlias = tuple[str | None, str | None]
"""Two slots that meet: entries, None where nobody comes, and `TO_COME`."""
TO_COME: Final = ""
"""In a slot whose entry is not known yet."""
MASKS: Final[dict[int, tuple[int, ...]]] = {
    3: (1,),
    4: (2, 0),
    5: (2, 2, 0),
    6: (8, 6, 1, 1),
    7: (24, 4, 4, 0, 1),
}
"""Where the losers of upper rounds go, by the number of these rounds: for each round from the second on.

Slot s of the lower half takes the loser of match s XOR mask. Up to 64 slots these put off rematches longest
and make the fewest of all masks; those of 128 are the best that were found. With even chances 0.625 of them
are expected in a bracket of 8, 0.75, 0.734, 0.703 and 0.723 in those of 16 to 128.
`tests/core/formats/test_double_elimination.py` counts them.
"""
DEEPEST: Final = max(MASKS)
"""The most upper rounds that a bracket can have."""


class Coming(str):
    """Who comes to a slot, as far as that is known: who wins or loses a match of a round, counted from 0.

    It is equal to `TO_COME`.
    """

    step: int
    pair: Pair
    wins: bool

    @classmethod
    def of(cls, step: int, pair: Pair, *, wins: bool) -> "Coming":
        """Return who wins or loses the match of a pair."""
        made = cls(TO_COME)
        made.step, made.pair, made.wins = step, pair, wins
        return made


@dataclass(frozen=True)
class Step:
    """What a round of the stage has of each half, and of the final; a half without matches has no pairs."""

    upper: tuple[Pair, ...] = ()
    lower: tuple[Pair, ...] = ()
    final: tuple[Pair, ...] = ()

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Return all pairs, the upper half first."""
        return (*self.upper, *self.lower, *self.final)


@dataclass
class DoubleBracket:
    """A bracket as far as its rounds are closed.

    ``steps`` are all rounds that it has or may have, in order, ``out`` those who are out after each, and
    ``beaten`` all who have lost. ``exchanged`` says for each round who took whose slot.
    ``again`` is whether a second final is to be played, as far as is known.
    """

    seeds: Sequence[str]
    rounds: Sequence[Played]
    second_final: bool
    exchanged: Sequence[Mapping[str, str]] = ()
    steps: list[Step] = field(default_factory=list, init=False)
    out: list[tuple[str, ...]] = field(default_factory=list, init=False)
    beaten: set[str] = field(default_factory=set, init=False)
    again: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        slots = [None if seed is None else self.seeds[seed] for seed in seeded(len(self.seeds))]
        self.depth = len(slots).bit_length() - 1
        self.masks = (*MASKS.get(self.depth, ()), 0)
        if self.depth:
            self._play(slots)

    @property
    def still_in(self) -> list[str]:
        """Return those who are not out, best seed first."""
        out = {entry for each in self.out for entry in each}
        return [seed for seed in self.seeds if seed not in out]

    @property
    def length(self) -> int:
        """Return how many rounds there are, with a second final once it is known to be needed."""
        return 2 * self.depth + self.again

    def _play(self, slots: Sequence[str | None]) -> None:
        winners, losers = self._step(Step(upper=paired(slots)))
        left = losers
        for upper in range(2, self.depth + 1):
            below = paired(left)
            won, lost = self._step(Step(upper=paired(winners), lower=below))
            half = len(winners) // 2
            winners, losers, left = won[:half], lost[:half], won[half:]
            mask = self.masks[upper - 2]
            meeting = tuple((one, losers[at ^ mask]) for at, one in enumerate(left))
            left, _lost = self._step(Step(lower=meeting))
        self._finals((winners[0], left[0]))

    def _finals(self, pair: Pair) -> None:
        (winner,), (loser,) = self._step(Step(final=(pair,)), decides=False)
        self.again = self.second_final and bool(winner) and loser == pair[0]
        if self.again:
            _, (loser,) = self._step(Step(final=(pair,)), decides=False)
        elif self.second_final and winner == TO_COME:
            self.steps.append(Step(final=((TO_COME, TO_COME),)))
        if loser:
            self.out[-1] = (loser,)

    def _step(self, step: Step, decides: bool = True) -> tuple[list[str | None], list[str | None]]:
        """Add a round; return the winners and losers of its matches, in order."""
        number = len(self.steps)
        pairs = (step.upper, step.lower, step.final)
        step = Step(*(in_slots(each, self.exchanged, number) for each in pairs))
        played = self.rounds[number] if number < len(self.rounds) else None
        self.steps.append(step)
        decided = [
            _decided(pair, played, self.seeds) if played else to_come(number, pair) for pair in step.pairs
        ]
        self.beaten.update(loser for _, loser in decided if loser)
        if played:
            lost = (loser for _, loser in decided[len(step.upper) :]) if decides else ()
            self.out.append(tuple(loser for loser in lost if loser))
        return [winner for winner, _ in decided], [loser for _, loser in decided]


def paired(slots: Sequence[str | None]) -> tuple[Pair, ...]:
    """Return neighbouring slots in pairs."""
    return tuple(zip(slots[::2], slots[1::2], strict=True))


def sizes_of_pairs(pairs: Iterable[Pair], here: Collection[str]) -> tuple[int, ...]:
    """Return the sizes of the tables of pairs: those of whom both are here have one."""
    return (2,) * sum(all(entry in here for entry in pair) for pair in pairs)


def in_slots(pairs: Sequence[Pair], exchanged: Sequence[Mapping[str, str]], number: int) -> tuple[Pair, ...]:
    """Return a round's pairs after entries have taken the slots of others; rounds are counted from 0."""
    slots = exchanged[number] if number < len(exchanged) else {}
    return tuple((slots.get(one or "", one), slots.get(other or "", other)) for one, other in pairs)


def to_come(step: int, pair: Pair) -> Pair:
    """Return who wins a match that is not over and who loses it, as far as anybody comes to it."""
    if None not in pair:
        return Coming.of(step, pair, wins=True), Coming.of(step, pair, wins=False)
    there = next((one for one in pair if one is not None), None)
    return Coming.of(step, pair, wins=True) if there else there, None


def _decided(pair: Pair, played: Played, seeds: Sequence[str]) -> Pair:
    """Return who won a match and who lost it.

    Who did not come to a match for which no table was drawn has lost it; of two the better seed has won.
    """
    here = sorted((entry for entry in pair if entry), key=seeds.index)
    for match in played.matches:
        if {*match.order} == {*here} and len(here) > 1:
            return match.order[0], match.order[-1]
    winner = next((entry for entry in here if entry in played.advancing), here[0] if here else None)
    return winner, next((entry for entry in here if entry != winner), None)
