"""A bracket in which who loses may play on: for the places that are played out, or in a consolation.

After each round the losers of every part of the bracket are a part of their own, of half its size, with the
places behind those of the winners. The consolation has a slot for each match of the first round: it takes who
of that match loses the first match that is played, which is a later one after a bye or a walkover.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from league.core.drawing.bracket import FINAL, THIRD_PLACE, Played, seeded
from league.core.drawing.double_bracket import TO_COME, Pair, in_slots, paired, to_come

CONSOLATION: Final = "consolation"
CONSOLATION_FINAL: Final = "consolation final"
LABELS: Final = {2: FINAL, 4: "semi-final", 8: "quarter-final"}
Kind: TypeAlias = Literal["playing", "placed", "out"]
Arrival: TypeAlias = tuple[str | None, int]
"""Who comes into the consolation, None for nobody, and the round after which that is known, from 0."""
Node: TypeAlias = tuple[int, int]
"""A match of the consolation: its round, from 1, and its place in it."""


@dataclass
class Part:
    """Those who play for the places after the first ``above``, from a round on (counted from 0).

    ``rounds`` are its pairs, round by round; losers who play on are in a part of their own.
    """

    above: int
    begins: int
    rounds: list[tuple[Pair, ...]] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Return for how many places it plays."""
        return 2 * len(self.rounds[0])

    def pairs(self, number: int) -> tuple[Pair, ...]:
        """Return its pairs in a round, none where it has no matches then."""
        at = number - self.begins
        return self.rounds[at] if 0 <= at < len(self.rounds) else ()

    def decided(self, pair: Pair) -> bool:
        """Return whether who is alone in a pair has the place without a match or a bye."""
        return self.above > 0 and self.rounds[-1] == (pair,) and None in pair

    def label(self, pairs: int) -> str:
        """Return what a table is for in the round in which the part has so many pairs."""
        size = 2 * pairs
        if self.above == 0:
            return LABELS.get(size, "")
        if size > 2:
            return f"places {self.above + 1} to {self.above + size}"
        return THIRD_PLACE if self.above == 2 else f"place {self.above + 1}"


@dataclass(frozen=True)
class Class:
    """Entries that came equally far: they play for places after ``above``, have one, or went out."""

    above: int
    kind: Kind
    entries: tuple[str, ...]
    size: int = 1
    round: int = 0


@dataclass
class PlacingBracket:
    """A bracket as far as its rounds are closed; the first ``most`` places are played out.

    ``exchanged`` says for each round who took whose slot. ``parts`` begins with the bracket itself. With a
    consolation ``won`` are those who won a match that was played.
    """

    seeds: Sequence[str]
    rounds: Sequence[Played]
    most: int
    with_consolation: bool = False
    exchanged: Sequence[Mapping[str, str]] = ()
    parts: list[Part] = field(default_factory=list, init=False)
    won: frozenset[str] = field(default=frozenset(), init=False)
    _classes: list[tuple[tuple[int, int], Class]] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        slots = [None if seed is None else self.seeds[seed] for seed in seeded(len(self.seeds))]
        self.depth = len(slots).bit_length() - 1
        self._play(0, 0, slots)
        arriving: Sequence[Arrival] = ()
        if self.with_consolation and self.depth > 1:
            arrivals = Arrivals(self)
            arriving, self.won = arrivals.slots, frozenset(arrivals.won)
        self.consolation = Consolation(arriving, self.rounds, self.exchanged)

    @property
    def classes(self) -> list[Class]:
        """Return the classes that have entries, the best first."""
        found = sorted(self._classes, key=lambda each: each[0])
        return [each for _, each in found if each.entries]

    @property
    def placed(self) -> list[tuple[tuple[int, int], Class]]:
        """Return the classes of those who play no more, each with what sorts it."""
        return [(key, each) for key, each in self._classes if each.kind != "playing"]

    @property
    def still_in(self) -> list[str]:
        """Return who can still win the bracket, or has won it, best seed first."""
        best = [entry for each in self.classes if each.above == 0 for entry in each.entries]
        return sorted(best, key=self.seeds.index)

    @property
    def playing(self) -> list[str]:
        """Return who has won the bracket or still plays for a place in it, or in the consolation."""
        places = [entry for each in self.classes if each.kind == "playing" for entry in each.entries]
        return [*self.still_in, *places, *self.consolation.still_in]

    @property
    def for_places(self) -> list[str]:
        """Return who has a match, or a bye, in the next round of those for places."""
        beside = ((part, pair) for part, _, pair in self.labelled() if part and part.above)
        return [entry for part, pair in beside if not part.decided(pair) for entry in pair if entry]

    def awaited(self, entered: Set[str]) -> Sequence[str]:
        """Return without whom no round can be: the first of those who have not all withdrawn.

        They are who can still win the bracket, then who plays for a place, then the consolation.
        """
        best = [self.still_in, self.for_places] if len(self.rounds) < self.depth else []
        found = (each for each in (*best, self.consolation.still_in) if not entered.isdisjoint(each))
        return next(found, ())

    def labelled(self) -> Iterator[tuple[Part | None, str, Pair]]:
        """Yield the pairs of the next round: their part, None in a consolation, and what the table is for."""
        for part in self.parts:
            pairs = part.pairs(len(self.rounds))
            yield from ((part, part.label(len(pairs)), pair) for pair in pairs)
        for (level, _), pair in self.consolation.ready:
            last = level == self.consolation.depth
            yield None, CONSOLATION_FINAL if last else CONSOLATION, pair

    def _play(self, above: int, begins: int, slots: Sequence[str | None]) -> None:
        """Play a part of the bracket, with all parts that come from it, as far as its rounds are closed."""
        part, closed = Part(above, begins), True
        self.parts += [part] if len(slots) > 1 else []
        while len(slots) > 1:
            number = begins + len(part.rounds)
            pairs = in_slots(paired(slots), self.exchanged, number)
            part.rounds.append(pairs)
            played = self.rounds[number] if number < len(self.rounds) else None
            if played is None and closed:
                self._come(above, "playing", [one for pair in pairs for one in pair], number)
            closed = played is not None
            slots = self._after(part, pairs, played)
        if closed:
            self._come(above, "placed", slots)

    def _after(self, part: Part, pairs: Sequence[Pair], played: Played | None) -> list[str | None]:
        """Return the slots of those who won a round; its losers play on where their places are played out."""
        step = part.begins + len(part.rounds) - 1
        decided = [to_come(step, pair) if played is None else _won(part, pair, played) for pair in pairs]
        winners, losers = [one for one, _ in decided], [one for _, one in decided]
        above, number = part.above + len(pairs), part.begins + len(part.rounds)
        here = {*winners, *losers}
        gone = [one for pair in pairs for one in pair if one and one not in here] if played else []
        on = 1 < len(losers) <= self.most - above and any(one is not None for one in losers)
        if on:
            self._play(above, number, losers)
        elif played and len(losers) > 1:
            self._come(above, "out", [*losers, *gone], number)
            return winners
        elif played:
            self._come(above, "placed", losers)
        self._come(above + len(losers), "out", gone, number, before=True)
        return winners

    def _come(
        self, above: int, kind: Kind, slots: Sequence[str | None], number: int = 0, *, before: bool = False
    ) -> None:
        entries = tuple(one for one in slots if one)
        self._classes.append(((above, -before), Class(above, kind, entries, len(slots), number)))


def _decided(pair: Pair, played: Played) -> Pair:
    """Return who won the match of a pair and who lost it; None twice where there was none."""
    found = (match.order for match in played.matches if {*match.order} == {*pair})
    return next(((order[0], order[-1]) for order in found), (None, None))


def _won(part: Part, pair: Pair, played: Played) -> Pair:
    """Return who goes on from a pair and who lost a match; who stayed away from it is neither."""
    winner, loser = _decided(pair, played)
    if winner is None:
        winner = next((one for one in pair if one and one in played.advancing), None)
    if winner is None and part.above and None in pair:
        winner = next((one for one in pair if one), None)
    return winner, loser


# ---- The consolation -----------------------------------------------------------------------------


class Arrivals:
    """Who comes into the consolation of a bracket: ``slots`` are those for each match of the first round."""

    def __init__(self, bracket: PlacingBracket) -> None:
        first, *on = bracket.parts
        self.rounds, self.depth = bracket.rounds, bracket.depth
        self.plays_on = {one for part in on for pair in part.rounds[0] for one in pair}
        self.first: dict[str, int] = {}
        self.lost: dict[str, int] = {}
        self.won: set[str] = set()
        self.left: dict[str, int] = {}
        for number, played in enumerate(bracket.rounds[: bracket.depth]):
            for pair in first.pairs(number):
                self._count(pair, played, number)
        self.slots = [self._slot(pair) for pair in first.pairs(0)]

    def _count(self, pair: Pair, played: Played, number: int) -> None:
        winner, loser = _decided(pair, played)
        was_played = any(match.played and {*match.order} == {*pair} for match in played.matches)
        for one in pair:
            if one and one not in played.advancing:
                self.left[one] = number
            if one and was_played:
                self.first.setdefault(one, number)
        if was_played and winner and loser:
            self.won.add(winner)
            self.lost[loser] = number

    def _slot(self, pair: Pair) -> Arrival:
        entries = [one for one in pair if one]
        for one in entries:
            at = self.lost.get(one, -1)
            if at >= 0 and at == self.first[one] and one not in self.plays_on and at < self.depth - 1:
                return one, at
        known = [self.first.get(one, self.left.get(one)) for one in entries]
        if None in known and len(self.rounds) < self.depth:
            return TO_COME, self.depth
        return None, max((at for at in known if at is not None), default=0)


class Consolation:
    """The consolation as far as its rounds are closed.

    ``levels`` has its slots, and below them those of each later round: who came so far, None for nobody and
    `TO_COME` where that is not known. Nobody waits for an opponent who can't come. ``lost`` says who lost in
    which of its rounds, from 1, ``when`` in which round of the stage, from 0, a match was played.
    """

    def __init__(
        self, arriving: Sequence[Arrival], rounds: Sequence[Played], exchanged: Sequence[Mapping[str, str]]
    ) -> None:
        self.decided: dict[Node, str | None] = {}
        self.lost: dict[str, int] = {}
        self.when: dict[Node, int] = {}
        self.depth = len(arriving).bit_length() - 1 if arriving else 0
        for number, played in enumerate(rounds):
            known = [one if at < number else TO_COME for one, at in arriving]
            for node, pair in [*_ready(_levels(known, self.decided), self.decided)]:
                (now,) = in_slots([pair], exchanged, number)
                self._close(node, now, played, number)
        self.levels = _levels([one for one, _ in arriving], self.decided)

    def _close(self, node: Node, pair: Pair, played: Played, number: int) -> None:
        winner, _ = _decided(pair, played)
        if winner is None:
            winner = next((one for one in pair if one in played.advancing), None)
        self.decided[node], self.when[node] = winner, number
        for one in pair:
            if one and one != winner:
                self.lost[one] = node[0]

    @property
    def ready(self) -> list[tuple[Node, Pair]]:
        """Return the matches that can be played in the next round."""
        return list(_ready(self.levels, self.decided))

    @property
    def entries(self) -> list[str]:
        """Return who has come into it."""
        return [one for one in self.levels[0] if one]

    @property
    def still_in(self) -> list[str]:
        """Return who has come and not lost there."""
        return [one for one in self.entries if one not in self.lost]

    @property
    def winner(self) -> str | None:
        """Return who has won it, None as long as that is not known."""
        return self.levels[-1][0] or None if self.depth else None

    def came_to(self, entry: str) -> int:
        """Return the round in which an entry lost or which it plays next; after the last for the winner."""
        found = (level for level, slots in enumerate(self.levels, 1) if entry in slots)
        return self.lost.get(entry) or max(found, default=1)

    @property
    def rounds_left(self) -> int:
        """Return how many rounds it still has, if nobody comes of whom that is not known."""
        slots = [one or None for one in self.levels[0]]
        decided, count = dict(self.decided), 0
        while ready := list(_ready(_levels(slots, decided), decided)):
            decided |= {node: pair[0] for node, pair in ready}
            count += 1
        return count


def _levels(slots: Sequence[str | None], decided: Mapping[Node, str | None]) -> list[list[str | None]]:
    levels = [list(slots)]
    while len(levels[-1]) > 1:
        level = len(levels)
        pairs = enumerate(paired(levels[-1]))
        levels.append([decided.get((level, at), _passing(pair)) for at, pair in pairs])
    return levels


def _passing(pair: Pair) -> str | None:
    """Return who goes on without a match, None for nobody, `TO_COME` where a match or a slot decides."""
    if TO_COME in pair or None not in pair:
        return TO_COME
    return next((one for one in pair if one), None)


def _ready(
    levels: Sequence[Sequence[str | None]], decided: Mapping[Node, str | None]
) -> Iterator[tuple[Node, Pair]]:
    for level, slots in enumerate(levels[:-1], 1):
        for at, pair in enumerate(paired(slots)):
            if all(pair) and (level, at) not in decided:
                yield (level, at), pair
