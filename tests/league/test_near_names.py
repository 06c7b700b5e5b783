"""What people type of a name finds it: a part, a short form, initials, a slip; in a stated order, bounded."""

import sys
import time

import pytest

from league.queries.clubs import players_of
from league.queries.names import name_list, near_players
from league.queries.near import NearNames
from tests.factories import Cast, PlayerFactory

KNOWN = NearNames(
    [
        *("Maximilian Köhler", "Anna Zeller", "Anna Berg", "Johannes Maier", "Elisabeth Kranz"),
        *("Paul Pike", "Andreas Wolf", "Guest 1", "Guest 3", "Wolfgang Amsel", "Renée d’Arc"),
    ]
)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Anna", ["Anna Berg", "Anna Zeller"]),
        ("Köhler", ["Maximilian Köhler"]),
        ("kohler", ["Maximilian Köhler"]),
        ("Max", ["Maximilian Köhler"]),
        ("Max Köhler", ["Maximilian Köhler"]),
        ("Hans", ["Johannes Maier"]),
        ("Lisa Kranz", ["Elisabeth Kranz"]),
        ("Andi", ["Andreas Wolf"]),
        ("P. P.", ["Paul Pike"]),
        ("A. Berg", ["Anna Berg"]),
        ("Pike, Paul", ["Paul Pike"]),
        ("Maximilain", ["Maximilian Köhler"]),
        ("Kranc", ["Elisabeth Kranz"]),
        ("Elisabet Krantz", ["Elisabeth Kranz"]),
        ("Renee", ["Renée d’Arc"]),
        ("Wolf", ["Andreas Wolf", "Wolfgang Amsel"]),
    ],
)
def test_what_is_typed_of_a_name_finds_it(typed: str, meant: list[str]) -> None:
    assert KNOWN.near(typed, 5) == meant


@pytest.mark.parametrize("typed", ["a", "", "Otto", "Anna Kohl", "Otto Berg"])
def test_other_names_find_nobody(typed: str) -> None:
    assert KNOWN.near(typed, 5) == []


def test_no_more_are_found_than_are_asked_for_and_always_the_same() -> None:
    many = [f"Anna {chr(65 + at % 26)}{chr(97 + at // 26)}lt" for at in range(200)]
    first, again = NearNames(many).near("Anna", 3), NearNames(reversed(many)).near("Anna", 3)
    assert first == again and len(first) == 3


def test_a_long_list_in_a_big_club_is_compared_soon() -> None:
    known = NearNames(f"Anna{at % 97} Berg{chr(97 + at % 26)}{at}" for at in range(2000))
    began = time.perf_counter()
    for at in range(50):
        known.near(f"Anan{at} Bregg{at}")
    assert time.perf_counter() - began < 5


@pytest.mark.parametrize("typed", ["a a a a willi", "a a a a a", "a" * 5000, "a " * 5000, "ab cd ef gh ij"])
def test_no_name_takes_long_to_compare(typed: str) -> None:
    known = NearNames([" ".join("A" * 46) + " Wilhelm", "Wilhelm " + " ".join("A" * 46), *_longest()])
    calls = []
    sys.setprofile(lambda _frame, event, _argument: calls.append(event))
    try:
        known.near(typed, 5)
    finally:
        sys.setprofile(None)
    assert len(calls) < 100_000


def _longest() -> list[str]:
    """Return names of which each word begins with the same letter, and each is another one."""
    return [" ".join(f"a{chr(97 + at)}" for at in range(count)) for count in range(1, 26)]


def test_a_first_name_alone_is_asked_about_in_a_list(cast: Cast) -> None:
    listed = name_list(cast.club, ["Petra"])
    assert cast.petra_plays.name in dict(listed.suggestions())["Petra"]
    assert near_players(players_of(cast.club), "Petra")[0] == cast.petra_plays.name


def test_a_list_suggests_all_who_may_be_meant(cast: Cast) -> None:
    for name in ("Zoe Adler", "Zoe Busch"):
        PlayerFactory.create(club=cast.club, name=name)
    assert name_list(cast.club, ["Zoe"]).suggestions() == [("Zoe", ["Zoe Adler", "Zoe Busch"])]
