"""Entries and tables are found by their words, and copies keep the index up to date."""

from hypothesis import given
from hypothesis import strategies as st

from league.core.state.competition import BEGINNING, Entries, Entry

NAMES = st.sampled_from("abcdef")


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
