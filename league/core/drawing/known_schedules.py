"""Stored schedules of up to 60 entries: data for `league.core.drawing.schedule`.

They were found by simulated annealing of the rounds of a field, or of base rounds that are rotated (see
`designs`), outside this tree in a compiled program; `benchmarks.schedules` has the same method. They are
for all fields of up to 32 entries at tables of 3 to 6, and for fields of up to 60 where the tables seat
everybody. None is proved to be the best there is, but for 28 entries at tables of four, the resolvable
2-(28, 4, 1) design: two blocks, found by a search, shifted in Z(3)^3, and the cosets of a group of order 3
with a further entry. Tests count the meetings of each.

A record begins with the number of entries, the table sizes and the cycle, between colons. Its base rounds
follow, an entry as a letter and table after table; a cycle of 1 stands for rounds as they are.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Final, TypeAlias

from league.core.drawing import schedule_records
from league.core.drawing.base_rounds import DesignRound, rotated

Field: TypeAlias = tuple[int, tuple[int, ...]]
"""Entries and table sizes, the biggest first."""

_LETTERS: Final = digits + ascii_uppercase + ascii_lowercase


def _read(text: str) -> Iterator[tuple[Field, tuple[DesignRound, ...]]]:
    for record in _records(text):
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


ALL_MEET: Final[Mapping[Field, tuple[DesignRound, ...]]] = dict(_read(schedule_records.ALL_MEET))
"""Schedules in which every two meet, in the fewest rounds found."""

NONE_TWICE: Final[Mapping[Field, tuple[DesignRound, ...]]] = dict(_read(schedule_records.NONE_TWICE))
"""Schedules in which no two meet twice, of the most rounds found; so do their first rounds alone."""
