"""Entries and tables are found by their words, and copies keep the index up to date."""

from hypothesis import given
from hypothesis import strategies as st

from league.core.state.competition import BEGINNING, Entries, Entry
from league.core.state.indexed import CHUNK

NAMES = st.sampled_from("abcdef")
NUMBERS = st.integers(0, 99)


def entry(id_: str, name: str, player: str) -> Entry:
    return Entry(id_, name, ((BEGINNING, (player,)),), "entered")


def words_of(entries: Entries) -> dict[str, list[Entry]]:
    """What is found by each word, from the items alone."""
    words = {word for each in entries for word in Entries.words(each)}
    return {word: [each for each in entries if word in Entries.words(each)] for word in words}


@given(st.lists(st.tuples(NAMES, NAMES, NAMES), max_size=12))
def test_a_copy_finds_what_a_new_one_would(changes: list[tuple[str, str, str]]) -> None:
    entries = Entries()
    for id_, name, player in changes:
        item = entry(id_, name, f"player {player}")
        entries = entries.changed(item) if entries.get(id_) else entries.added(item)
        assert {word: [*entries.found(word)] for word in words_of(entries)} == words_of(entries)
        assert entries.get(id_) == item
    assert entries.get("nobody") is None
    assert [*entries.found("nobody")] == []


def test_a_copy_leaves_the_original_alone() -> None:
    one = Entries([entry("a", "Ann", "p")])
    other = one.added(entry("b", "Ben", "q"))
    assert one.get("b") is None
    assert [each.id for each in other] == ["a", "b"]
    assert not one.has_any(["b", "q"])
    assert other.has_any(["x", "q"])


@given(st.lists(st.tuples(NUMBERS, NUMBERS, st.sampled_from("pqr")), max_size=60), st.integers(0, 2 * CHUNK))
def test_copies_that_part_are_as_if_each_were_new(
    changes: list[tuple[int, int, str]], beginning: int
) -> None:
    """Each change is made to any copy so far, which others have changed or added to as well."""
    copies = [Entries(entry(str(number), f"name {number}", "p") for number in range(beginning))]
    for base, number, player in changes:
        of = copies[base % len(copies)]
        item = entry(str(number), f"name {number}", player)
        copies.append(of.changed(item) if of.get(item.id) else of.added(item))
    for each in copies:
        new = Entries([*each])
        assert (each, hash(each), len(each)) == (new, hash(new), len([*each]))
        words = words_of(each)
        assert {word: [*each.found(word)] for word in words} == words
        assert each[:3] == (*each,)[:3]
        assert not each.has_any([str(number) for number in range(100) if str(number) not in words])


def test_sequences_of_other_items_differ() -> None:
    one = Entries([entry("a", "Ann", "p")])
    assert one != Entries()
    assert one != one.changed(entry("a", "Ann", "q"))
    assert one[-1] == one[0]
