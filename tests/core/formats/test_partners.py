"""Partners that change: how evenly entries play together, and against each other, over a whole stage.

What a whist tournament is, and that there is one for 4m and for 4m + 1 entries: I. Anderson, Combinatorial
Designs and Tournaments, 1997. Other figures are what the draws of these tests reach.
"""

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from typing import Any, Final

import pytest

from games.rules.card_game import CardGame
from league.core.state.competition import Competition
from league.core.state.plan import Editions
from league.core.verbs.entries import WithdrawEntry
from league.core.verbs.start import opening_of
from tests.core import deciding as commands
from tests.core.crosstable import after, opening, plan
from tests.core.formats.played import competition, drawn, finished_round, last_round, played_out, stage_of
from tests.core.ids import uid
from tests.core.test_wishes import wished

PAIRS: Final[Mapping[str, Any]] = {"seats": (4,), "sides": ((0, 1, 0, 1),)}
CANASTA: Final = {"seats": (2, 4), "sides": ((0, 1), (0, 1, 0, 1))}
SCRAM: Final = {"seats": (3, 4, 6), "sides": ((0, 1, 1), (0, 1, 0, 1), (0, 1, 0, 1, 0, 1))}


def evening(players: int, rounds: int, key: str = "rounds", **changes: Any) -> Competition:
    """An evening of a game of two against two that has begun; who plays with whom changes."""
    return competition(players, plan(format=key, rounds=rounds, **changes), **PAIRS)


def counted(state: Competition) -> tuple[Counter[frozenset[str]], Counter[frozenset[str]]]:
    """How often each two were partners, and opponents."""
    found = Counter[frozenset[str]](), Counter[frozenset[str]]()
    for table in (table for each in stage_of(state).rounds for table in each.tables):
        for one, other in combinations(range(len(table.entries)), 2):
            found[(other - one) % 2].update([frozenset((table.entries[one], table.entries[other]))])
    return found


def evenness(state: Competition) -> tuple[str, str]:
    """The fewest and the most times that any two were partners, and opponents."""
    pairs = [frozenset(pair) for pair in combinations([entry.id for entry in state.entries], 2)]
    partners, opponents = ([each[pair] for pair in pairs] for each in counted(state))
    return f"{min(partners)}-{max(partners)}", f"{min(opponents)}-{max(opponents)}"


@pytest.mark.parametrize(
    ("players", "rounds"), [(4, 3), (8, 7), (12, 11), (16, 15), (20, 19), (9, 9), (13, 13)]
)
@pytest.mark.parametrize("key", ["rounds", "round_robin"])
def test_a_whole_whist_tournament_is_exact(players: int, rounds: int, key: str) -> None:
    state = played_out(evening(players, rounds, key))
    byes = Counter(entry for each in stage_of(state).rounds for entry in each.byes)
    assert evenness(state) == ("1-1", "2-2")
    assert [*byes.values()] == [1] * (players if players % 4 else 0)


def test_twice_as_many_rounds_are_two_whist_tournaments() -> None:
    assert evenness(played_out(evening(8, 14))) == ("2-2", "4-4")


@pytest.mark.parametrize(
    ("players", "rounds", "partners", "opponents"),
    [
        (8, 3, "0-1", "0-1"),
        (8, 5, "0-1", "1-2"),
        (10, 9, "0-1", "0-3"),
        (11, 10, "0-1", "0-3"),
        (14, 13, "0-1", "0-4"),
        (15, 14, "0-1", "0-3"),
        (16, 5, "0-1", "0-1"),
        (16, 8, "0-1", "0-2"),
        (22, 21, "0-1", "1-4"),
    ],
)
def test_other_evenings_are_as_even_as_this(players: int, rounds: int, partners: str, opponents: str) -> None:
    assert evenness(played_out(evening(players, rounds))) == (partners, opponents)


@pytest.mark.parametrize("players", [8, 9, 12, 13])
@pytest.mark.parametrize("left", [2, 5])
def test_who_withdraws_leaves_the_others_with_even_partners(players: int, left: int) -> None:
    state = evening(players, players - 1)
    for _ in range(left):
        state = finished_round(drawn(state))
    gone = last_round(state).tables[0].entries[0]
    state = played_out(after(state, *commands.decide(state, WithdrawEntry(gone, ""))))
    partners, _ = counted(state)
    assert max(partners.values()) <= 2


def test_who_must_not_meet_never_does_and_partners_stay_even() -> None:
    state = wished(evening(8, 6), "P0 P1", "apart")
    assert not sum(each[frozenset(map(uid, ("P0", "P1")))] for each in counted(played_out(state)))
    assert max(counted(played_out(state))[0].values()) <= 2


def test_who_sits_together_always_is_partner_and_opponent_in_turn() -> None:
    state = played_out(wished(evening(8, 6), "P0 P1", "together"))
    partners, opponents = (each[frozenset(map(uid, ("P0", "P1")))] for each in counted(state))
    assert (partners, opponents) == (2, 4)


@pytest.mark.parametrize("game", [CANASTA, SCRAM])
@pytest.mark.parametrize("players", [9, 10, 11])
def test_tables_of_several_sizes_have_few_partners_again(game: Mapping[str, Any], players: int) -> None:
    state = played_out(competition(players, plan(rounds=5), **game))
    reports = [each.report["partners"] for each in stage_of(state).rounds]
    assert reports[:3] == [[0, 1]] * 3
    assert reports[-1] in ([0, 1], [1, 2], [2, 2])


@pytest.mark.parametrize("key", ["rounds", "swiss"])
def test_nobody_has_a_partner_again_in_the_first_half_of_a_whist_tournament(key: str) -> None:
    state = played_out(evening(16, 8, key))
    assert {each.report["partners"] == [0, 1] for each in stage_of(state).rounds} == {True}


def test_an_opening_says_who_are_partners() -> None:
    jass = opening_of(opening(ruleset="card-game", options=CardGame.shipped["jass"]))
    assert jass.sides == ((0, 1, 0, 1),)
    assert opening_of(opening(ruleset="scram")).sides == ((0, 1, 1), (0, 1, 0, 1), (0, 1, 0, 1, 0, 1))
    assert opening_of(opening(ruleset="scoops")).sides == ()
    pairs = opening(plan(table_size=2), ruleset="scram", lineup="partners", team_size=2)
    assert opening_of(pairs).sides == ()


def test_the_editions_before_take_no_care_of_partners() -> None:
    fourth = plan(rounds=7, editions=Editions(draws=4, format=1, scoring=6))
    drawn_so = [
        played_out(competition(8, fourth, **{**PAIRS, "sides": sides})) for sides in ((), PAIRS["sides"])
    ]
    assert counted(drawn_so[0]) == counted(drawn_so[1])
    assert evenness(drawn_so[0])[0] == "0-3"
