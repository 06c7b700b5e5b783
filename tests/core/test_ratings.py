"""Ratings: the effect of a result on skill and uncertainty, for tables of all sizes and for teams."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openskill.models import BradleyTerryFull

from league.core.ratings import RatedGame, Rating, history, rated_game, rated_results, ratings
from league.core.verbs.results import WalkedOver
from league.core.verbs.rulings import Ruled
from tests.core.crosstable import after, placings, published, results, started, table_at

PEOPLE = [*"ABCDEFGHIJ"]
SEATS = range(2, 7)


def game(text: str) -> RatedGame:
    """`A > B = C` for single players, `AB > CD` for teams."""
    teams: list[tuple[str, ...]] = []
    ranks: list[int] = []
    sign = ">"
    for word in text.split():
        if word in (">", "="):
            sign = word
            continue
        ranks.append(ranks[-1] if sign == "=" else len(ranks) + 1)
        teams.append((*word,))
    return RatedGame(tuple(teams), tuple(ranks))


def test_a_new_player_has_an_average_rating_with_high_uncertainty() -> None:
    assert (Rating().points, Rating().uncertainty, Rating().sure_points) == (1500, 500, 0)


def test_winning_raises_losing_lowers_and_both_reduce_the_uncertainty() -> None:
    after = ratings([game("A > B")])
    assert after["A"].points > 1500 > after["B"].points
    assert max(each.uncertainty for each in after.values()) < 500


def test_beating_a_higher_rated_player_gains_more() -> None:
    past = [game("C > D")] * 10
    over_champion = ratings([*past, game("A > C")])["A"].points
    over_beginner = ratings([*past, game("A > D")])["A"].points
    assert over_champion > over_beginner


def test_at_a_big_table_rating_changes_follow_the_ranks() -> None:
    after = ratings([game(" > ".join(PEOPLE))])
    assert sorted(PEOPLE, key=lambda name: -after[name].points) == PEOPLE


def test_players_with_the_same_rank_get_the_same_change() -> None:
    after = ratings([game("A > B = C > D")])
    assert after["B"] == after["C"]


def test_players_of_a_team_get_the_same_change() -> None:
    after = ratings([game("AB > CD")])
    assert after["A"] == after["B"]
    assert after["A"].points > after["C"].points


def test_a_table_of_partners_is_a_game_of_teams() -> None:
    assert rated_game("ACBD", (0, 1, 0, 1), (1, 3, 1, 3)) == RatedGame((("A", "B"), ("C", "D")), (1, 3))


def test_the_history_has_the_players_of_each_game() -> None:
    answer = [*history([game("A > B"), game("B > C")])]
    assert [{*each} for each in answer] == [{"A", "B"}, {"B", "C"}]
    assert [each["B"].games for each in answer] == [1, 2]


@pytest.mark.parametrize("text", ["A > B", "A > B = C > D", "AB > CD", " > ".join(PEOPLE)])
def test_figures_are_those_of_the_published_package(text: str) -> None:
    model, played = BradleyTerryFull(), game(text)
    expected = model.rate([[model.rating() for _ in team] for team in played.teams], ranks=list(played.ranks))
    found = ratings([played])
    for team, believed in zip(played.teams, expected, strict=True):
        assert [found[player].mean for player in team] == [each.mu for each in believed]


@given(st.lists(st.permutations(PEOPLE[:4]), max_size=8))
@settings(max_examples=30)
def test_computing_again_gives_the_same(orders: list[list[str]]) -> None:
    games = [game(" > ".join(order)) for order in orders]
    assert ratings(games) == ratings(games)


# ---- A better place never costs anything ---------------------------------------------------------


def tie_patterns(seats: int) -> Iterator[tuple[int, ...]]:
    """Every way to share places among seats in order, as ranks: (1, 1, 3) is a shared first place."""
    for bits in range(2 ** (seats - 1)):
        ranks = [1]
        for at in range(1, seats):
            ranks.append(ranks[-1] if bits >> (at - 1) & 1 else at + 1)
        yield tuple(ranks)


def improvements(ranks: Sequence[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Each seat, and the ranks where it alone comes one step further: level with the next, or past them."""
    doubled = [2 * rank for rank in ranks]
    for seat, own in enumerate(doubled):
        better = [rank for rank in doubled if rank < own]
        alone = doubled.count(own) == 1
        if alone and not better:
            continue
        step = max(better) if alone else own - 1
        yield seat, (*doubled[:seat], step, *doubled[seat + 1 :])


def rated(teams: Sequence[tuple[str, ...]], ranks: Sequence[int], before: dict[str, Rating]) -> list[float]:
    """The mean of each team's first player after the game."""
    (now,) = history([RatedGame(tuple(teams), tuple(ranks))], before)
    return [now[team[0]].mean for team in teams]


def test_there_are_sixty_patterns_of_ties_from_three_to_six_seats() -> None:
    assert sum(len([*tie_patterns(seats)]) for seats in range(3, 7)) == 60
    assert {*tie_patterns(3)} == {(1, 2, 3), (1, 1, 3), (1, 2, 2), (1, 1, 1)}


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("size", [1, 2, 3])
def test_between_equals_a_better_place_never_gains_less(seats: int, size: int) -> None:
    teams = [tuple(f"{name}{number}" for number in range(size)) for name in PEOPLE[:seats]]
    for ranks in tie_patterns(seats):
        found = rated(teams, ranks, {})
        for (better, gained), (worse, less) in pairwise(zip(ranks, found, strict=True)):
            assert gained == pytest.approx(less) if better == worse else gained > less


PRIORS = st.builds(Rating, st.floats(-20, 80), st.floats(0.5, 12))


@given(st.data())
@settings(max_examples=12)
@pytest.mark.parametrize("seats", SEATS)
def test_improving_only_ones_own_place_never_lowers_ones_rating(seats: int, data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.integers(1, 3), min_size=seats, max_size=seats))
    teams = [
        tuple(f"{name}{number}" for number in range(size)) for name, size in zip(PEOPLE, sizes, strict=False)
    ]
    before = {player: data.draw(PRIORS) for team in teams for player in team}
    order = data.draw(st.permutations(range(seats)))
    for pattern in tie_patterns(seats):
        ranks = [pattern[place] for place in order]
        found = rated(teams, ranks, before)
        for seat, better in improvements(ranks):
            assert rated(teams, better, before)[seat] >= found[seat]


# ---- Which games count ---------------------------------------------------------------------------


def ranks_rated(*names: str, walkover: str = "", ruling: str = "") -> list[tuple[int, ...]]:
    state = published(started(" ".join(names)), " > ".join(names))
    table = table_at(state, names[0])
    if walkover:
        state = after(state, WalkedOver(table.id, tuple(each.entry for each in table.seats[:1])))
    if ruling:
        state = after(state, Ruled(table.id, placings(ruling), "seen by the arbiter"))
    if not walkover and not ruling:
        state = after(state, *results(state, " > ".join(names)))
    return [tuple(rank for _, _, rank in each.seats) for each in rated_results(state)]


def test_a_game_decided_by_a_ruling_counts() -> None:
    assert ranks_rated("Ann", "Ben", "Cem") == [(1, 2, 3)]
    assert ranks_rated("Ann", "Ben", "Cem", ruling="Ann = Ben > Cem") == [(1, 1, 3)]


def test_an_unplayed_walkover_does_not_count() -> None:
    assert ranks_rated("Ann", "Ben", walkover="Ann") == []
