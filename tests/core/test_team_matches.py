"""Leagues of teams whose players meet board against board, as card clubs' county leagues have them."""

from collections import Counter
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from games.engine.refusals import Malformed
from games.engine.values import replace
from league.core.plans import check_plan
from league.core.standings import ranking
from league.core.standings.cross_table import cross_tables
from league.core.standings.outlook import Outlook, outlook
from league.core.standings.plain import plain
from league.core.state.competition import Competition, Table
from league.core.state.plan import Placing, Scoring
from league.core.team_matches import team_matches
from league.core.verbs.presence import MarkNoShow
from league.core.verbs.results import AwardWalkover, VoidTable
from league.core.verbs.rulings import RuledSeat, SetResult
from tests.core import deciding as commands
from tests.core.crosstable import after, name_of, opening, plan, result, standings, started
from tests.core.ids import uid

BY_MATCH = Scoring(by="win", match_points=("2", "1", "0"), bye="none", no_show="last", walkover="win")
FOUR = "Reds:A1,A2,A3,A4 Blues:B1,B2,B3,B4 Golds:C1,C2,C3,C4 Greens:D1,D2,D3,D4"


def league(
    teams: str = FOUR, *, scoring: Scoring = BY_MATCH, legs: int = 2, low_wins: bool = False
) -> Competition:
    order = ("board_points", "head_to_head")
    each = plan(
        format="round_robin", rounds=0, table_size=2, params={"legs": legs}, scoring=scoring, tie_breaks=order
    )
    return started(teams, each, lineup="boards", team_size=4, seats=(2,), low_wins=low_wins)


def drawn(state: Competition) -> Competition:
    state = after(state, *commands.draw(state))
    assert state.stage
    tables = state.stage.rounds[-1].tables
    return after(
        state, *commands.publish(state, games={each.id: [uid(f"game {each.id}")] for each in tables})
    )


def boards_won(state: Competition, **won: str) -> Competition:
    """The state in which teams, by name, win "+", draw "=" or lose "-" on their boards; " " is open."""
    for name, how in won.items():
        for board, sign in enumerate(how, 1):
            if sign != " ":
                state = ruled(state, at_board(state, name, board), name, sign)
    return state


def ruled(state: Competition, table: Table, name: str, sign: str) -> Competition:
    own, other = {"+": (9, 4), "=": (6, 6), "-": (4, 9)}[sign]
    scores = [own if entry == uid(name) else other for entry in table.entries]
    seats = tuple(RuledSeat(seat, score) for seat, score in enumerate(scores))
    return after(state, *commands.decide(state, SetResult(table.id, seats)))


def at_board(state: Competition, name: str, board: int) -> Table:
    assert state.stage
    tables = state.stage.rounds[-1].tables
    return next(each for each in tables if uid(name) in each.entries and each.board == board)


def closed(state: Competition) -> Competition:
    return after(state, *commands.close_round(state))


def pairing(state: Competition) -> list[tuple[str, str]]:
    """The teams of the newest round's matches, those at home first."""
    assert state.stage
    found = team_matches(state.stage.rounds[-1].tables)
    return [(name_of(state, match.teams[0]), name_of(state, match.teams[1])) for match in found]


def season(state: Competition, rounds: int) -> list[list[tuple[str, str]]]:
    """The matches of each round, all of which the team at home wins."""
    found = []
    for _ in range(rounds):
        state = drawn(state)
        found.append(pairing(state))
        state = closed(boards_won(state, **{home: "++++" for home, _away in found[-1]}))
    return found


@pytest.mark.parametrize("teams", [2, 3, 4, 5, 8])
def test_all_meet_at_home_and_away(teams: int) -> None:
    names = " ".join(
        f"T{team}:" + ",".join(f"P{team}x{board}" for board in range(4)) for team in range(teams)
    )
    rounds = season(league(names), 2 * (teams - 1 + teams % 2))
    met = Counter(match for matches in rounds for match in matches)
    assert met == Counter((f"T{one}", f"T{two}") for one, two in permutations(range(teams), 2))


def test_the_second_half_has_the_matches_of_the_first_with_home_and_away_exchanged() -> None:
    rounds = season(league(), 6)
    assert [[(away, home) for home, away in matches] for matches in rounds[:3]] == rounds[3:]


def test_the_team_at_home_has_the_first_seat_at_every_other_board() -> None:
    state = drawn(league())
    home, _away = pairing(state)[0]
    first = [at_board(state, home, board).entries[0] == uid(home) for board in range(1, 5)]
    assert first == [True, False, True, False]


def test_board_points_win_a_match_and_match_points_make_the_table() -> None:
    state = drawn(league())
    (one, two), (three, four) = pairing(state)
    state = boards_won(state, **{one: "++=-", three: "+-=="})
    assert {*standings(state)[1:3]} == {f"{three} 1", f"{four} 1"}
    assert (standings(state)[0], standings(state)[-1]) == (f"{one} 2", f"{two} 0")


def test_a_match_counts_once_all_its_boards_are_decided() -> None:
    state = drawn(league())
    one = pairing(state)[0][0]
    assert f"{one} 0" in standings(open_ := boards_won(state, **{one: "+++ "}))
    assert f"{one} 2" in standings(boards_won(open_, **{one: "   -"}))


def test_board_points_separate_teams_with_equal_match_points() -> None:
    state = drawn(league())
    (one, two), (three, four) = pairing(state)
    state = boards_won(state, **{one: "++==", three: "++++"})
    rows = ranking.standings(state, 1)
    assert [name_of(state, row.entry) for row in rows] == [three, one, two, four]
    assert [row.tiebreaks["board_points"] for row in rows] == ["4", "3", "1", "0"]


def test_a_walkover_of_all_boards_is_a_match_won_and_a_void_match_is_none() -> None:
    state = drawn(league())
    (one, two), (three, _four) = pairing(state)
    for board in range(1, 5):
        state = after(
            state, *commands.decide(state, AwardWalkover(at_board(state, one, board).id, (uid(one),)))
        )
        state = after(state, *commands.decide(state, VoidTable(at_board(state, three, board).id, "snow")))
    assert standings(state)[0] == f"{one} 2"
    assert [row.played for row in ranking.standings(state, 1)] == [0, 0, 0, 0]
    assert f"{two} 0" in standings(state)


def test_a_board_without_its_player_is_lost_and_the_match_is_played() -> None:
    state = drawn(league())
    one, two = pairing(state)[0]
    state = after(state, *commands.decide(state, AwardWalkover(at_board(state, one, 1).id, (uid(one),))))
    state = boards_won(state, **{one: " +--"})
    assert {f"{one} 1", f"{two} 1"} <= {*standings(state)}


def absent_from(state: Competition, *names: str) -> Competition:
    """The state in which teams did not come to any board of their match."""
    for name in names:
        for board in range(1, 5):
            table = at_board(state, name, board)
            state = after(state, *commands.decide(state, MarkNoShow(table.id, uid(name))))
            if not table.decided:
                # The game ends with the one who is left.
                ranks = [2 if entry == uid(name) else 1 for entry in table.entries]
                left = tuple(Placing(seat, rank, 0) for seat, rank in enumerate(ranks))
                state = after(state, replace(result(table, "A > B"), seats=left))
    return state


@pytest.mark.parametrize("by", ["win", "score"])
def test_a_match_to_which_neither_team_came_is_lost_by_both(by: Any) -> None:
    state = drawn(league(scoring=replace(BY_MATCH, by=by)))
    (one, two), _other = pairing(state)
    state = absent_from(state, one, two)
    assert state.stage
    match, *_more = team_matches(state.stage.rounds[-1].tables)
    assert match.decided and not match.void
    assert {f"{one} 0", f"{two} 0"} <= {*standings(state)}
    assert [row.played for row in ranking.standings(state, 1)] == [0, 0, 0, 0]


def test_a_match_to_which_one_team_did_not_come_is_won_by_the_other() -> None:
    state = drawn(league())
    (one, two), _other = pairing(state)
    assert {f"{one} 2", f"{two} 0"} <= {*standings(absent_from(state, two))}


def test_of_a_match_to_which_neither_team_came_the_other_matches_are_closed_as_ever() -> None:
    state = drawn(league())
    (one, two), (three, _four) = pairing(state)
    state = closed(boards_won(absent_from(state, one, two), **{three: "++++"}))
    assert standings(state)[0] == f"{three} 2"


def test_the_cross_table_and_the_counts_have_matches_not_boards() -> None:
    state = drawn(league())
    one, two = pairing(state)[0]
    state = boards_won(state, **{one: "+++-"})
    (table,) = cross_tables(state, 1)
    own = next(row for row in table if row.name == one)
    met = [cell for row, cell in zip(table, own.cells, strict=True) if row.name == two]
    assert met == [(Fraction(1),)]
    assert state.stage and plain(state, state.stage, 1).taken[uid(two)].duels == (0, 0, 1)


def test_what_can_still_be_reached_counts_matches() -> None:
    state = league(legs=1)
    for _ in range(2):
        state = drawn(state)
        state = closed(boards_won(state, **{home: "++++" for home, _away in pairing(state)}))
    found = outlook(state, 1)
    assert found and all(1 <= each.best <= each.worst <= 4 for each in found.values())
    points = {row.entry: row.points for row in ranking.standings(state, 1)}
    leader = max(points, key=lambda each: points[each])
    assert found[leader] == Outlook(
        1, 1 + sum(points[each] + 2 >= points[leader] for each in points if each != leader)
    )


def test_without_match_points_the_boards_count_as_before() -> None:
    state = drawn(league(scoring=Scoring(by="win"), legs=1))
    one, two = pairing(state)[0]
    state = boards_won(state, **{one: "++= "})
    assert {f"{one} 5/2", f"{two} 1/2"} <= {*standings(state)}


def test_the_fewest_points_win_a_match_where_they_win_the_game() -> None:
    scoring = Scoring(by="score", fair=False, match_points=("3", "1", "0"))
    state = drawn(league(scoring=scoring, low_wins=True))
    one, two = pairing(state)[0]
    state = boards_won(state, **{two: "+++-"})
    assert {f"{one} 3", f"{two} 0"} <= {*standings(state)}


@pytest.mark.parametrize(
    ("points", "changes", "told"),
    [
        (("2", "1"), {}, "three numbers"),
        (("1", "2", "0"), {}, "no less"),
        (("2", "1", "0"), {"lineup": "single", "team_size": 1}, "teams whose players"),
        (("2", "1", "0"), {"lineup": "partners", "seats": (8,)}, "teams whose players"),
    ],
)
def test_match_points_are_refused_that_mean_nothing(
    points: tuple[str, ...], changes: dict[str, Any], told: str
) -> None:
    each = plan(format="round_robin", rounds=0, table_size=2, scoring=Scoring(match_points=points))
    opened = opening(each, **{"lineup": "boards", "team_size": 4, "seats": (2,), **changes})
    with pytest.raises(Malformed) as refused:
        check_plan(opened, opened.stages[0], None)
    assert told in str(refused.value.errors["scoring.match_points"])
