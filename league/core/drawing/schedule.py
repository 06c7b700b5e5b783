"""The schedule of a whole stage: tables, short tables and rests of every round, chosen together.

For entries, table sizes and rounds it is the best known: where the rounds allow it every two entries meet,
and otherwise as many as can; then meetings are as even as possible, then short tables and rests. It is

- an exact design (`designs`), repeated as often as the rounds ask for;
- the first rounds of a stored schedule in which no two meet twice (`NONE_TWICE`), or a stored one in which
  all meet (`ALL_MEET`);
- searches of `STEPS` exchanges each, from these and from shuffled rounds, the same in every run.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain, combinations, islice
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Final, TypeAlias

from games.engine.chance import Chance
from league.core.drawing.designs import DesignRound, design, meetings, rotated, stored
from league.core.drawing.least_cost import Costs, dealt, improved, total

# ---- Known schedules -----------------------------------------------------------------------------

Field: TypeAlias = tuple[int, tuple[int, ...]]
"""Entries and table sizes, the biggest first."""

_LETTERS: Final = digits + ascii_uppercase + ascii_lowercase


def read_schedules(name: str) -> Iterator[tuple[Field, tuple[DesignRound, ...]]]:
    """Yield the schedules of a table of `known/`: entries, table sizes and cycle, then rounds to be rotated.

    A round is a letter for each entry, table by table; it is in the next line where that begins with a blank.
    """
    for record in _records(stored(name)):
        entries, sizes, cycle = record[0].split(":")
        tables = tuple(map(int, sizes.split(",")))
        bases = [_round(letters, tables) for letters in record[1:]]
        yield (int(entries), tables), tuple(rotated(int(entries), int(cycle), bases))


def _records(text: str) -> Iterator[list[str]]:
    record: list[str] = []
    for word in text.split():
        if ":" in word and record:
            yield record
            record = []
        record.append(word)
    yield record


def _round(letters: str, sizes: tuple[int, ...]) -> DesignRound:
    entries = map(_LETTERS.index, letters)
    return tuple(tuple(islice(entries, size)) for size in sizes)


ALL_MEET: Final[Mapping[Field, tuple[DesignRound, ...]]] = dict(read_schedules("all_meet"))
"""Schedules in which every two meet, in the fewest rounds found."""

NONE_TWICE: Final[Mapping[Field, tuple[DesignRound, ...]]] = dict(read_schedules("none_twice"))
"""Schedules in which no two meet twice, of the most rounds found; so do their first rounds alone."""


# ---- Schedule ------------------------------------------------------------------------------------

MOST_ENTRIES: Final = 120
"""Bigger fields are drawn round by round, unless an exact design is known."""
MOST_SEARCHED: Final = 60
"""Bigger fields have no search over all rounds."""
STEPS: Final = 20_000
STARTS: Final = 4
AGAIN: Final = 1_000
"""What meeting again costs where a round is made after the others; a short table or rest before costs 1."""
SHUFFLED: Final = 3
UNMET: Final = 10_000
"""What two that never meet cost, where the rounds allow all to meet: more than any unevenness."""
STAND_INS: Final = (1, 50)
"""What the square of an entry's short tables costs, and that of its rests."""
HOTTEST: Final = 80
"""The search first accepts exchanges that cost less than this, then ever less, and none at the end."""

Rounds: TypeAlias = tuple[DesignRound, ...]
Table: TypeAlias = list[int]


def counting_bound(entries: int, sizes: Sequence[int]) -> int:
    """Return a number of rounds below which not all can meet, by counting alone.

    The tables of a round hold so many pairs, and at one table nobody meets more than all others there.
    """
    pairs, a_round = entries * (entries - 1) // 2, sum(size * (size - 1) // 2 for size in sizes)
    return max(-(-pairs // a_round), -(-(entries - 1) // (max(sizes) - 1)))


def is_planned(entries: int, sizes: tuple[int, ...]) -> bool:
    """Return whether there is a schedule for a field; a bigger one is drawn round by round."""
    return entries <= MOST_ENTRIES or _exact(entries, sizes) is not None


def fewest_rounds(entries: int, sizes: tuple[int, ...]) -> int:
    """Return the fewest rounds known in which every two of the entries meet."""
    return len(_all_meet(entries, sizes))


def none_twice(entries: int, sizes: tuple[int, ...]) -> Rounds:
    """Return the longest schedule known in which no two meet twice, where all sit at tables of one size."""
    if not sizes or sum(sizes) < entries or min(sizes) < max(sizes):
        return ()
    exact = _exact(entries, sizes)
    return exact if exact and meetings(exact) == 1 else NONE_TWICE.get((entries, sizes), ())


@cache
def schedule(entries: int, sizes: tuple[int, ...], rounds: int) -> Rounds:
    """Return rounds of tables of the sizes, the same in every run; entries at no table rest.

    At tables of two, the first entry of a table has the first seat, as evenly as in Berger tables.
    """
    exact = _exact(entries, sizes)
    if exact and (rounds % len(exact) == 0 or meetings(exact) == 1):
        return tuple(_repeated(exact, rounds, both_ways=max(sizes) == 2))
    apart = NONE_TWICE.get((entries, sizes), ())
    if rounds <= len(apart):
        return apart[:rounds]
    together = _all_meet(entries, sizes)
    if entries > MOST_SEARCHED:
        return tuple(islice(chain.from_iterable([together] * rounds), rounds))
    if rounds == len(together) and (entries, sizes) in ALL_MEET:
        return together
    if rounds < len(together):
        return _searched(entries, sizes, islice(chain(apart, together), rounds), unmet=0)
    again = islice(chain(together, apart, chain.from_iterable([together] * rounds)), rounds)
    return _searched(entries, sizes, again, unmet=UNMET)


def unmet_pairs(entries: int, rounds: Iterable[DesignRound]) -> int:
    """Return how many pairs of entries never meet."""
    met = {frozenset(pair) for each in rounds for table in each for pair in combinations(table, 2)}
    return entries * (entries - 1) // 2 - len(met)


def _exact(entries: int, sizes: tuple[int, ...]) -> Rounds | None:
    """Return the exact design with tables of these sizes, or None where none is known."""
    found = design(entries, sizes[0])
    return found if found and tuple(map(len, found[0])) == sizes else None


def _repeated(exact: Rounds, rounds: int, *, both_ways: bool) -> Iterator[DesignRound]:
    """Yield the rounds of a design again and again, in duels with seats exchanged every second time."""
    for number in range(rounds):
        turn, at = divmod(number, len(exact))
        turned = both_ways and turn % 2
        yield tuple(table[::-1] if turned else table for table in exact[at])


@cache
def _all_meet(entries: int, sizes: tuple[int, ...]) -> Rounds:
    """Return the shortest schedule known in which every two meet."""
    if known := ALL_MEET.get((entries, sizes)):
        return known
    exact = _exact(entries, sizes)
    if exact and meetings(exact) == 1:
        return exact
    built = tuple(_until_all_meet(entries, sizes))
    return exact if exact and len(exact) <= len(built) else built


def _until_all_meet(entries: int, sizes: tuple[int, ...]) -> Iterator[DesignRound]:
    """Yield rounds, each with as many new meetings as a search finds, until every two have met."""
    chance = Chance(f"schedule {entries} {sizes}".encode())
    met = [[int(one == other) for other in range(entries)] for one in range(entries)]
    short = [0] * entries
    seats = (*sizes, *[1] * (entries - sum(sizes)))
    number = 0
    while not all(map(all, met)):
        again = [[AGAIN * (each > 0) for each in row] for row in met]
        for one, row in enumerate(again):
            row[one] = 0
        costs = Costs(again, short)
        orders = [chance.shuffled(f"{number} {start}", range(entries)) for start in range(STARTS)]
        tables = min((improved(costs, dealt(order, seats)) for order in orders), key=partial(total, costs))
        number += 1
        _note(tables, met, short)
        yield tuple(sorted(tuple(sorted(table)) for table in tables if len(table) > 1))


def _note(tables: Sequence[Table], met: list[list[int]], short: list[int]) -> None:
    longest = max(map(len, tables))
    for table in tables:
        for one, other in combinations(table, 2):
            met[one][other] += 1
            met[other][one] += 1
        if len(table) < longest:
            for one in table:
                short[one] += 1


# ---- A search over all rounds --------------------------------------------------------------------


def _searched(entries: int, sizes: tuple[int, ...], start: Iterable[DesignRound], unmet: int) -> Rounds:
    """Return the best of searches from the given rounds and from shuffled ones."""
    given = list(start)
    chance = Chance(f"schedule {entries} {sizes} {len(given)}".encode())
    searches = [_Search(entries, sizes, given, unmet)]
    for number in range(SHUFFLED):
        orders = [chance.shuffled(f"{number} {each}", range(entries)) for each in range(len(given))]
        rounds = [tuple(map(tuple, dealt(order, sizes))) for order in orders]
        searches.append(_Search(entries, sizes, rounds, unmet))
    for number, search in enumerate(searches):
        search.run(next(chance.words(f"exchanges {number}")))
    return tuple(min(searches, key=lambda search: search.least).best)


class _Search:
    """Rounds in which exchanges of two entries are accepted below a falling threshold of cost.

    The cost is the sum of squared meetings, and ``unmet`` for each two that never meet. An entry at a short
    table meets a stand-in that weighs less than an entry, one that rests a stand-in that weighs more.
    """

    def __init__(self, entries: int, sizes: Sequence[int], rounds: Sequence[DesignRound], unmet: int) -> None:
        self.entries = entries
        most = len(rounds) + 2
        meeting = [unmet, *(times * times for times in range(1, most))]
        short, rest = ([weight * times * times for times in range(most)] for weight in STAND_INS)
        self.prices = [*[meeting] * entries, short, rest]
        self.least = unmet * entries * (entries - 1) // 2
        self.met = [[0] * (entries + 2) for _ in range(entries + 2)]
        self.rounds = [_with_stand_ins(entries, sizes, each) for each in rounds]
        for table in chain.from_iterable(self.rounds):
            for one, other in combinations(table, 2):
                self.least += self._meet(one, other, 1)
        self.best = self._without_stand_ins()

    def run(self, state: int) -> None:
        """Make the exchanges that a generator's state gives, and keep the best rounds seen."""
        numbers, cost = _numbers(state), self.least
        for step in range(STEPS):
            tables = self.rounds[next(numbers) % len(self.rounds)]
            one_table, other_table = (tables[next(numbers) % len(tables)] for _ in range(2))
            at, there = next(numbers) % len(one_table), next(numbers) % len(other_table)
            one, other = one_table[at], other_table[there]
            if one_table is other_table or max(one, other) >= self.entries:
                continue
            change = self._exchange(one_table, at, other_table, there)
            if change > HOTTEST * (STEPS - step) ** 3 // STEPS**3:
                self._exchange(one_table, at, other_table, there)
                continue
            cost += change
            if cost < self.least:
                self.least, self.best = cost, self._without_stand_ins()

    def _exchange(self, one_table: Table, at: int, other_table: Table, there: int) -> int:
        """Exchange two entries and return what that costs."""
        one, other = one_table[at], other_table[there]
        change = self._replace(one, other, one_table) + self._replace(other, one, other_table)
        one_table[at], other_table[there] = other, one
        return change

    def _replace(self, leaving: int, coming: int, table: Table) -> int:
        change = 0
        for one in table:
            if one != leaving:
                change += self._meet(leaving, one, -1) + self._meet(coming, one, 1)
        return change

    def _meet(self, one: int, other: int, times: int) -> int:
        before = self.met[one][other]
        self.met[one][other] = self.met[other][one] = before + times
        price = self.prices[max(one, other)]
        return price[before + times] - price[before]

    def _without_stand_ins(self) -> list[DesignRound]:
        return [
            tuple(
                seated
                for table in tables
                if len(seated := tuple(sorted(one for one in table if one < self.entries))) > 1
            )
            for tables in self.rounds
        ]


def _with_stand_ins(entries: int, sizes: Sequence[int], one_round: DesignRound) -> list[Table]:
    """Return a round: the tables, each short one with a stand-in, and each rest as a table with another."""
    longest, seated = max(sizes), Counter(chain.from_iterable(one_round))
    tables = [[*table, *[entries] * (len(table) < longest)] for table in one_round]
    return [*tables, *([one, entries + 1] for one in range(entries) if not seated[one])]


def _numbers(state: int) -> Iterator[int]:
    """Yield pseudo-random numbers from 0 to 2³¹ - 1 (a linear congruential generator, Knuth's MMIX)."""
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield state >> 33


# ---- Schedules that begin with the rounds already played -----------------------------------------

STEPS_TO_EMBED: Final = 5_000
"""How often a search gives an entry a number."""
STEPS_EACH: Final = 10
"""A try that needs more steps than this for each entry is given up."""

Tables: TypeAlias = Sequence[Sequence[int]]


def embeddings(
    rounds: Sequence[Tables], played: Sequence[Tables], chance: Chance, label: str
) -> Iterator[list[int]]:
    """Yield the entry of each number of the schedule, for several ways found by a search of `STEPS_TO_EMBED`.

    Its first rounds then have the tables of the rounds played. All sit at a table in every round. Nothing is
    yielded where no way is found.
    """
    wanted = zip(rounds, played, strict=False)
    if any(sorted(map(len, tables)) != sorted(map(len, each)) for each, tables in wanted):
        return
    entries, left, number = sum(map(len, rounds[0])), STEPS_TO_EMBED, 0
    while left > 0:
        search = _Embedding(rounds, played, chance.shuffled(f"{label} {number}", range(entries)))
        if search.found():
            yield search.entry_of
        left -= search.steps
        number += 1


class _Embedding:
    """A search by backtracking: entries are tried in the given order."""

    def __init__(self, rounds: Sequence[Tables], played: Sequence[Tables], order: Sequence[int]) -> None:
        self.order = order
        self.numbers_at = [_table_of(tables, len(order)) for tables in rounds[: len(played)]]
        self.entries_at = [_table_of(tables, len(order)) for tables in played]
        self.table_of = [[-1] * len(tables) for tables in played]
        self.number_table_of = [[-1] * len(tables) for tables in played]
        self.entry_of = [-1] * len(order)
        self.free = set(order)
        self.steps = 0

    def found(self) -> bool:
        """Return whether the rest of the numbers can have entries, and give them."""
        if not self.free:
            return True
        number = max((one for one, entry in enumerate(self.entry_of) if entry < 0), key=self._known_tables)
        for entry in self.order:
            if entry in self.free and self._fits(number, entry):
                self.steps += 1
                new = self._place(number, entry)
                if self.found():
                    return True
                self._take_back(number, entry, new)
            if self.steps > STEPS_EACH * len(self.order):
                return False
        return False

    def _known_tables(self, number: int) -> int:
        return sum(known[at[number]] >= 0 for known, at in zip(self.table_of, self.numbers_at, strict=True))

    def _fits(self, number: int, entry: int) -> bool:
        for each, at in enumerate(self.numbers_at):
            here, there = at[number], self.entries_at[each][entry]
            known = self.table_of[each][here]
            if known != there and (known >= 0 or self.number_table_of[each][there] >= 0):
                return False
        return True

    def _place(self, number: int, entry: int) -> list[int]:
        """Give an entry the number; return the rounds in which its table was not yet known."""
        self.entry_of[number] = entry
        self.free.remove(entry)
        new = []
        for each, at in enumerate(self.numbers_at):
            here, there = at[number], self.entries_at[each][entry]
            if self.table_of[each][here] < 0:
                self.table_of[each][here], self.number_table_of[each][there] = there, here
                new.append(each)
        return new

    def _take_back(self, number: int, entry: int, new: Sequence[int]) -> None:
        self.entry_of[number] = -1
        self.free.add(entry)
        for each in new:
            here, there = self.numbers_at[each][number], self.entries_at[each][entry]
            self.table_of[each][here] = self.number_table_of[each][there] = -1


def _table_of(tables: Tables, count: int) -> list[int]:
    at = [-1] * count
    for number, table in enumerate(tables):
        for one in table:
            at[one] = number
    return at
