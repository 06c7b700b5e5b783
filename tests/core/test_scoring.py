"""Points: ranks, wins, scores; table sizes; outcomes and their policies; best of; teams."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.refusals import Malformed
from games.engine.values import replace
from league.core import scoring
from league.core.records import Rate
from league.core.state.competition import Competition, Table
from league.core.state.plan import Placing, Scoring, StagePlan
from league.core.verb import Given as Facts
from league.core.verbs.adjustments import Adjusted, AdjustPoints
from league.core.verbs.presence import Absent, NoShow
from league.core.verbs.results import Forfeited, ForfeitEntry, ResultRecorded, Voided, WalkedOver
from league.core.verbs.rounds import OpenedGame, Published, revealed
from league.core.verbs.rulings import Ruled, RuledSeat, SetResult
from tests.core import deciding as commands
from tests.core.crosstable import (
    HEAD,
    after,
    name_of,
    placings,
    plan,
    played,
    points,
    published,
    result,
    results,
    row_of,
    standings,
    started,
    table_at,
)
from tests.core.ids import uid

FOUR = "Ann Ben Cem Dana"


def scored(**changes: object) -> StagePlan:
    return plan(scoring=Scoring(**changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("Ann > Ben > Cem > Dana", "3 2 1 0"),
        ("Ann = Ben > Cem > Dana", "5/2 5/2 1 0"),
        ("Ann > Ben = Cem = Dana", "3 1 1 1"),
        ("Ann = Ben = Cem = Dana", "3/2 3/2 3/2 3/2"),
        ("Ann > Ben = Cem > Dana", "3 3/2 3/2 0"),
    ],
)
def test_shared_ranks_share_their_points(table: str, expected: str) -> None:
    state = played(started(FOUR, plan()), table)
    assert [points(state, name) for name in FOUR.split()] == expected.split()


def test_a_game_without_a_winner_is_a_loss_for_all() -> None:
    state = published(started("Ann Ben Cem", plan()), "Ann = Ben = Cem")
    table = table_at(state, "Ann")
    lost = tuple(Placing(seat, 3, 30) for seat in range(3))
    ended = ResultRecorded(table.id, table.games[0].id, HEAD, "finished", lost)
    state = after(state, ended)
    state = after(state, *commands.close_round(state))
    assert [points(state, name) for name in ("Ann", "Ben", "Cem")] == ["0", "0", "0"]
    records = scoring.records(state, state.stages[0]).values()
    assert [line.wins for record in records for line in record.lines] == [0, 0, 0]


@pytest.mark.parametrize(
    ("by", "fair", "table", "expected"),
    [
        ("place", True, "Ann > Ben > Cem", "3 3/2 0"),
        ("place", True, "Ann > Ben", "3 0"),
        ("place", True, "Ann > Ben > Cem > Dana > Eva", "3 9/4 3/2 3/4 0"),
        ("place", False, "Ann > Ben > Cem", "2 1 0"),
        ("win", True, "Ann > Ben", "1/2 0"),
        ("win", True, "Ann > Ben > Cem > Dana > Eva", "5/4 0 0 0 0"),
        ("win", False, "Ann > Ben", "1 0"),
        ("score", True, "Ann 9 > Ben 3 > Cem 0", "5 -1 -4"),
        ("score", False, "Ann 9 > Ben 3 > Cem 0", "9 3 0"),
    ],
)
def test_tables_of_other_sizes_give_as_many_points_as_the_usual_table(
    by: str, fair: bool, table: str, expected: str
) -> None:
    names = table.replace(">", " ").split()
    people = [name for name in names if name.isalpha()]
    state = played(started(" ".join(people), scored(by=by, fair=fair)), table)
    assert [points(state, name) for name in people] == expected.split()


@pytest.mark.parametrize(
    ("listed", "table", "expected"),
    [
        (("10", "6", "4", "1"), "Ann > Ben > Cem > Dana", "10 6 4 1"),
        (("10", "6", "4", "1"), "Ann > Ben = Cem > Dana", "10 5 5 1"),
        (("10", "6", "4", "1"), "Ann > Ben > Cem", "10 5 1"),
        (("3/2",), "Ann > Ben", "3/2 3/2"),
    ],
)
def test_points_by_rank_are_scaled_to_the_table_size(
    listed: tuple[str, ...], table: str, expected: str
) -> None:
    people = [name for name in table.split() if name.isalpha()]
    state = played(started(" ".join(people), scored(place_points=listed)), table)
    assert [points(state, name) for name in people] == expected.split()


def test_raw_scores_rank_the_lowest_first_where_the_lowest_score_wins() -> None:
    lowest = scored(by="score", fair=False)
    state = played(started("Ann Ben Cem", lowest, low_wins=True), "Ann 3 > Ben 10 > Cem 40")
    assert standings(state) == ["Ann 3", "Ben 10", "Cem 40"]


def test_fair_scores_where_the_lowest_wins_are_the_distance_below_the_average() -> None:
    state = played(started("Ann Ben Cem", scored(by="score"), low_wins=True), "Ann 3 > Ben 9 > Cem 30")
    assert standings(state) == ["Ann 11", "Ben 5", "Cem -16"]


#        1  2  3
# Ann    3  2  bye
@pytest.mark.parametrize(
    ("policy", "expected"),
    [("win", "8"), ("average", "15/2"), ("middle", "13/2"), ("last", "5"), ("none", "5")],
)
def test_a_bye_gets_the_points_of_its_policy(policy: str, expected: str) -> None:
    state = started("Ann Ben Cem Dana Eva", scored(bye=policy))
    state = played(state, "Ann > Ben > Cem > Dana", "Ben > Ann > Cem > Dana", byes="Eva")
    state = played(state, "Ben > Cem > Dana > Eva", byes="Ann")
    assert points(state, "Ann") == expected


def test_the_average_of_an_entry_without_games_is_the_middle() -> None:
    state = played(started("Ann Ben Cem Dana Eva", scored()), "Ann > Ben > Cem > Dana", byes="Eva")
    assert points(state, "Eva") == "3/2"


def test_an_absent_entry_gets_the_points_of_its_policy_and_no_played_game() -> None:
    state = started(FOUR, scored(absent="middle"))
    state = after(state, Absent(uid("Dana"), 1))
    state = played(state, "Ann > Ben > Cem")
    assert points(state, "Dana") == "3/2"
    assert row_of(state, "Dana").played == 0


@pytest.mark.parametrize(("policy", "expected"), [("last", "0"), ("middle", "3/2"), ("none", "0")])
def test_a_no_show_gets_the_points_of_its_policy_and_the_others_keep_their_result(
    policy: str, expected: str
) -> None:
    state = published(started(FOUR, scored(no_show=policy)), "Ann > Ben > Cem > Dana")
    table = table_at(state, "Dana")
    state = after(state, result(table, "Ann > Ben > Cem > Dana"), NoShow(table.id, uid("Dana")))
    assert points(state, "Dana") == expected
    assert [points(state, name) for name in ("Ann", "Ben", "Cem")] == ["3", "2", "1"]


def test_a_forfeit_gets_the_points_of_its_policy() -> None:
    state = published(started(FOUR, plan()), "Ann > Ben > Cem > Dana")
    table = table_at(state, "Ann")
    state = after(state, result(table, "Ann > Ben > Cem > Dana"), Forfeited(table.id, uid("Ann"), "left"))
    assert points(state, "Ann") == "0"


@pytest.mark.parametrize("by", ["place", "score"])
def test_before_a_forfeit_it_is_said_how_a_score_so_far_can_count(by: str) -> None:
    state = published(started(FOUR, scored(by=by)), "Ann > Ben > Cem > Dana")
    told = [str(each.sentence) for each in ForfeitEntry.cautions(state)]
    assert any("choose “Set the result”" in each for each in told) == (by == "score")


LEAVES = "Ann 9 > Ben 5 > Cem 2 > Dana {}; Eva 9 > Finn 5 > Gus 1 > Hana 4"


@pytest.mark.parametrize(
    ("own", "policy", "low_wins", "edition", "expected"),
    [
        pytest.param(30, "last", False, 9, "1", id="ahead-but-the-worst-of-the-round"),
        pytest.param(-7, "last", False, 9, "-7", id="nobody-gains-by-leaving"),
        pytest.param(-7, "last", False, 8, "1", id="as-before"),
        pytest.param(-7, "none", False, 9, "0", id="as-the-club-says"),
        pytest.param(2, "last", True, 9, "9", id="too-few-deals-for-a-low-score"),
        pytest.param(30, "last", True, 9, "30", id="nobody-gains-where-low-scores-win"),
    ],
)
def test_who_leaves_with_deals_on_the_card_counts_as_the_last_and_never_better(
    own: int, policy: Any, low_wins: bool, edition: int, expected: str
) -> None:
    added = Scoring(by="score", fair=False, forfeit=policy)
    announced = plan(scoring=added, editions=replace(plan().editions, scoring=edition))
    state = published(started(f"{FOUR} Eva Finn Gus Hana", announced, low_wins=low_wins), LEAVES)
    table = table_at(state, "Dana")
    state = after(state, Forfeited(table.id, uid("Dana"), "Gone home"), *results(state, LEAVES.format(own)))
    assert points(state, "Dana") == expected
    assert [points(state, name) for name in ("Ann", "Ben", "Cem")] == ["9", "5", "2"]


def test_a_walkover_gives_points_to_present_entries_and_marks_the_others_as_no_shows() -> None:
    state = published(started(FOUR, plan()), "Ann > Ben; Cem > Dana")
    state = after(state, WalkedOver(table_at(state, "Ann", "Ben").id, (uid("Ben"),)))
    assert (points(state, "Ben"), points(state, "Ann")) == ("3", "0")
    assert row_of(state, "Ben").played == 0


def test_a_void_table_does_not_count() -> None:
    state = played(started(FOUR, plan()), "Ann > Ben; Cem > Dana")
    state = after(state, Voided(table_at(state, "Ann", "Ben").id, "a wrong deck"))
    assert standings(state)[0] == "Cem 3"
    assert row_of(state, "Ann").played == 0


def test_a_ruling_replaces_the_result_of_the_game() -> None:
    state = played(started("Ann Ben", plan()), "Ann > Ben")
    ruling = Ruled(table_at(state, "Ann").id, placings("Ann = Ben"), "both showed a hand")
    assert standings(after(state, ruling)) in (["Ann 3/2", "Ben 3/2"], ["Ben 3/2", "Ann 3/2"])


def test_an_adjustment_is_added_to_the_total() -> None:
    state = played(started("Ann Ben", plan()), "Ann > Ben")
    state = after(state, Adjusted(uid("Ben"), "7/2", "helped to tidy up"))
    assert standings(state) == ["Ben 7/2", "Ann 3"]


def test_adjustments_that_add_up_to_a_fraction_of_many_digits_are_refused() -> None:
    state = played(started("Ann Ben", plan()), "Ann > Ben")
    for fine in ("1/999999999", "1/999999998", "1/999999997"):
        state = after(state, Adjusted(uid("Ben"), fine, "fine"))
    assert AdjustPoints(uid("Ben"), "1/2", "coarse").decide(state, Facts("", commands.NOW))
    with pytest.raises(Malformed, match="too fine"):
        AdjustPoints(uid("Ben"), "1/999999991", "finer").decide(state, Facts("", commands.NOW))


# best 2 of 3     1  2  3
# Ann             3  0  3   6 of 6
# Ben             0  3  0   3 of 3
def test_only_the_best_rounds_count() -> None:
    state = played(started("Ann Ben", scored(best=2)), "Ann > Ben", "Ben > Ann", "Ann > Ben")
    assert standings(state) == ["Ann 6", "Ben 3"]
    record = scoring.records(state, state.stages[0])[uid("Ann")]
    assert [line.counts for line in record.lines] == [True, False, True]


def test_the_best_rounds_are_the_lowest_where_the_lowest_score_wins() -> None:
    lowest = scored(by="score", fair=False, best=1)
    state = played(started("Ann Ben", lowest, low_wins=True), "Ann 5 > Ben 9", "Ben 2 > Ann 30")
    assert standings(state) == ["Ben 2", "Ann 5"]


def pairs_at_a_table(**announced: Any) -> Competition:
    pairs: dict[str, Any] = {"lineup": "partners", "team_size": 2, "seats": (4,), **announced}
    state = started("Reds:Ann,Ben Blues:Cem,Dana", plan(table_size=2), **pairs)
    state = after(state, *commands.draw(state))
    table = table_at(state, "Reds", "Blues")
    return after(state, *commands.publish(state, games={table.id: [uid("game")]}))


def set_by_hand(table: Table, scores: Mapping[str, int]) -> SetResult:
    """The ruling in which these players have these scores, from which the ranks follow."""
    of_player = {uid(f"player {player}"): score for player, score in scores.items()}
    seats = [RuledSeat(number, of_player[seat.player]) for number, seat in enumerate(table.seats)]
    return SetResult(table.id, tuple(seats))


def test_partners_share_one_result() -> None:
    state = pairs_at_a_table()
    table = table_at(state, "Reds", "Blues")
    placings = tuple(Placing(seat, rank, 9) for seat, rank in enumerate((1, 3, 1, 3)))
    state = after(state, ResultRecorded(table.id, uid("game"), HEAD, "finished", placings))
    first, second = (name_of(state, entry) for entry in table.entries)
    assert [seat.entry for seat in table.seats] == [*table.entries, *table.entries]
    assert standings(state) == [f"{first} 1", f"{second} 0"]


@pytest.mark.parametrize(
    ("low_wins", "differences"), [(True, {"Reds": 20, "Blues": -20}), (False, {"Reds": -30, "Blues": 30})]
)
def test_partners_have_the_score_of_the_best_of_them_in_a_ruling(
    low_wins: bool, differences: dict[str, int]
) -> None:
    state = pairs_at_a_table(low_wins=low_wins)
    scores = {"Ann": 50, "Ben": 20, "Cem": 40, "Dana": 80}
    ruled = after(state, *commands.decide(state, set_by_hand(table_at(state, "Reds"), scores)))
    lines = {name: scoring.records(ruled, ruled.stages[0])[uid(name)].lines[0] for name in differences}
    assert {name: line.difference for name, line in lines.items()} == differences


def test_a_team_on_boards_has_the_sum_of_its_players_points() -> None:
    each = plan(table_size=2)
    state = started("Reds:Ann,Ben Blues:Cem,Dana", each, lineup="boards", team_size=2, seats=(2,))
    state = after(state, *commands.draw(state))
    assert state.stage
    one, two = state.stage.rounds[0].tables
    games = tuple(OpenedGame(table.id, uid(f"game {table.board}")) for table in (one, two))
    state = after(state, Published(1, 1, games, revealed(state.stages[0].rounds[0])))
    placings = (Placing(0, 1, 9), Placing(1, 1, 9)), (Placing(0, 1, 9), Placing(1, 2, 0))
    for game, outcome in zip(games, placings, strict=True):
        state = after(state, ResultRecorded(game.table, game.game, HEAD, "finished", outcome))
    ahead, behind = (name_of(state, entry) for entry in two.entries)
    assert one.entries == two.entries[::-1]
    assert standings(state) == [f"{ahead} 3/2", f"{behind} 1/2"]


@given(st.lists(st.integers(0, 5), min_size=2, max_size=10), st.sampled_from(["place", "win", "score"]))
def test_the_total_points_of_a_table_do_not_depend_on_its_result(scores: list[int], by: str) -> None:
    ranks = [1 + sum(other > score for other in scores) for score in scores]
    ended = tuple(map(Placing, range(len(scores)), ranks, scores))
    names = " ".join(f"P{seat}" for seat in range(len(scores)))
    state = published(started(names, scored(by=by)), names.replace(" ", " > "))
    table = table_at(state, "P0")
    state = after(state, ResultRecorded(table.id, table.games[0].id, HEAD, "finished", ended))
    size = len(scores)
    paid = {"place": Fraction(3 * size, 2), "win": Fraction(size, 4), "score": Fraction(0)}
    assert sum(each.points for each in scoring.records(state, state.stages[0]).values()) == paid[by]


@pytest.mark.parametrize("size", range(2, 11))
def test_first_and_last_get_the_same_points_at_every_table_size(size: int) -> None:
    values = scoring.place_values(Rate(Scoring(), 4, False), size)
    assert [values[0], values[-1]] == [3, 0]
    assert all(better > worse for better, worse in pairwise(values))


def test_a_game_of_two_without_a_winner_is_a_loss_for_both() -> None:
    state = published(started("Ann Ben", plan()), "Ann = Ben")
    table = table_at(state, "Ann")
    lost = tuple(Placing(seat, 2, 30) for seat in range(2))
    state = after(state, ResultRecorded(table.id, table.games[0].id, HEAD, "finished", lost))
    records = scoring.records(state, state.stages[0]).values()
    places: list[object] = [line.places for record in records for line in record.lines]
    assert places == [(0, 1), (0, 1)]


def test_partners_are_ranked_among_the_entries() -> None:
    state = pairs_at_a_table()
    table = table_at(state, "Reds", "Blues")
    placings = tuple(Placing(seat, rank, 9) for seat, rank in enumerate((1, 3, 1, 3)))
    state = after(state, ResultRecorded(table.id, uid("game"), HEAD, "finished", placings))
    records = scoring.records(state, state.stages[0])
    places: list[object] = [records[entry].lines[0].places for entry in table.entries]
    assert places == [(1, 0), (0, 1)]
    assert [records[entry].lines[0].wins for entry in table.entries] == [1, 0]
    shares = [[each.share for each in records[entry].lines[0].meetings] for entry in table.entries]
    assert shares == [[1], [0]]


def test_level_entries_have_met_for_half_a_win_each() -> None:
    state = played(started("Ann Ben Cem", plan()), "Ann = Ben > Cem")
    record = scoring.records(state, state.stages[0])[uid("Ann")]
    assert {name_of(state, each.opponent): each.share for each in record.lines[0].meetings} == {
        "Ben": Fraction(1, 2),
        "Cem": 1,
    }


def test_lines_have_the_number_of_their_round() -> None:
    state = started("Ann Ben Cem Dana Eva", scored())
    state = played(state, "Ann > Ben > Cem > Dana", byes="Eva")
    state = played(state, "Ben > Cem > Dana > Eva", byes="Ann")
    records = scoring.records(state, state.stages[0])
    assert [(line.round, line.kind) for line in records[uid("Eva")].lines] == [(1, "bye"), (2, "played")]
    assert [(line.round, line.kind) for line in records[uid("Ann")].lines] == [(1, "played"), (2, "bye")]


def test_a_bye_of_a_team_on_boards_is_worth_the_bye_of_each_player() -> None:
    names = "Reds:Ann,Ben Blues:Cem,Dana Greens:Eva,Finn"
    for lineup, worth in (("boards", 2), ("partners", 1)):
        each = plan(table_size=2, scoring=Scoring(bye="win"))
        seats = (2,) if lineup == "boards" else (4,)
        state = started(names, each, lineup=lineup, team_size=2, seats=seats)
        state = after(state, *commands.draw(state))
        assert state.stage
        tables = state.stage.rounds[0].tables
        state = after(state, *commands.publish(state, games={each.id: [uid(each.id)] for each in tables}))
        (bye,) = state.stages[0].rounds[0].byes
        assert scoring.records(state, state.stages[0])[bye].points == worth


@pytest.mark.parametrize(
    ("changes", "low_wins", "table", "expected"),
    [
        ({"by": "score", "fair": False}, False, "Ann 9 > Ben 4 > Cem 2", {"win": 9, "average": 5, "last": 2}),
        ({"by": "score", "fair": False}, True, "Ann 2 > Ben 4 > Cem 9", {"win": 2, "average": 5, "last": 9}),
        ({"by": "win"}, False, "Ann > Ben > Cem > Dana", {"win": 1, "average": Fraction(1, 4), "last": 0}),
        ({"by": "place"}, False, "Ann > Ben > Cem", {"win": 3, "average": Fraction(3, 2), "last": 0}),
    ],
)
def test_a_policy_gives_the_best_the_average_or_the_worst_points(
    changes: dict[str, object], low_wins: bool, table: str, expected: dict[str, object]
) -> None:
    for policy, worth in expected.items():
        names = f"{' '.join(name for name in table.split() if name.isalpha())} Eva"
        state = started(names, scored(bye=policy, **changes), low_wins=low_wins)
        state = played(state, table, byes="Eva")
        assert scoring.records(state, state.stages[0])[uid("Eva")].points == worth


def test_places_without_listed_points_earn_none() -> None:
    rate = Rate(Scoring(place_points=("5", "3"), fair=False), 4, False)
    assert [scoring.place_values(rate, size) for size in (2, 3, 4)] == [(5, 3), (5, 3, 0), (5, 3, 0, 0)]
