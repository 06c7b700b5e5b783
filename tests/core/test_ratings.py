"""Ratings: the effect of a result on skill and uncertainty, for tables of all sizes and for teams."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from league.core.ratings import RatedGame, Rating, history, rated_game, ratings

PEOPLE = [*"ABCDEFGHIJ"]


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
    model, played = PlackettLuce(), game(text)
    expected = model.rate([[model.rating() for _ in team] for team in played.teams], ranks=list(played.ranks))
    found = ratings([played])
    for team, believed in zip(played.teams, expected, strict=True):
        assert [found[player].mean for player in team] == [each.mu for each in believed]


@given(st.lists(st.permutations(PEOPLE[:4]), max_size=8))
@settings(max_examples=30, deadline=None)
def test_computing_again_gives_the_same(orders: list[list[str]]) -> None:
    games = [game(" > ".join(order)) for order in orders]
    assert ratings(games) == ratings(games)
