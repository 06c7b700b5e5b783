"""Several stages: groups, qualification, carried points, promotion and relegation; and the presets."""

import pytest

from games import rules
from games.engine.refusals import Illegal
from games.rules.card_game import CardGame
from league.core.intake import advancing
from league.core.plans import check_plans
from league.core.presets import PRESETS
from league.core.standings import ranking
from league.core.state.competition import Competition
from league.core.state.plan import Intake, StagePlan
from league.core.verbs.presence import CheckedIn
from tests.core import deciding as commands
from tests.core.committed import committed
from tests.core.crosstable import (
    after,
    enter,
    name_of,
    opening,
    plan,
    played,
    points,
    started,
)
from tests.core.formats.played import names, played_out, stage_of
from tests.core.ids import uid

ORDER = Intake(seeding="order")


def groups(state: Competition) -> list[str]:
    return [" ".join(name_of(state, entry) for entry in group) for group in stage_of(state).groups]


def group_stage(count: int, **changes: object) -> StagePlan:
    usual = {"format": "round_robin", "rounds": 0, "table_size": 2, "groups": count, "intake": ORDER}
    return plan(**{**usual, **changes})


def ranked(state: Competition, group: int, stage: int = 0) -> list[str]:
    rows = ranking.standings(state, stage or len(state.stages))
    return [row.entry for row in rows if row.group == group]


def test_seeds_are_spread_over_the_groups() -> None:
    assert groups(started("A B C D E F G H", group_stage(2))) == ["A D E H", "B C F G"]


def test_divisions_are_filled_in_the_order_of_seeds() -> None:
    stacked = Intake(seeding="order", divide="stack")
    assert groups(started("A B C D E F G", group_stage(2, intake=stacked))) == ["A B C D", "E F G"]


def test_entries_without_other_seeding_are_seeded_by_lot() -> None:
    state = started("A B C D E F G H", group_stage(2, intake=Intake()))
    assert sorted(" ".join(groups(state)).split()) == ["A", "B", "C", "D", "E", "F", "G", "H"]
    assert groups(state) != ["A D E H", "B C F G"]


def test_of_each_pot_of_like_seeds_one_comes_into_every_group() -> None:
    seen = set()
    for seed in range(8):
        stage = group_stage(4, intake=Intake(seeding="order", divide="pots"))
        state = started(names(12), stage, root=committed(seed))
        order = [entry.id for entry in state.entries]
        for group in stage_of(state).groups:
            assert sorted(order.index(entry) // 4 for entry in group) == [0, 1, 2]
        seen.add(stage_of(state).groups)
    assert len(seen) == 8


def test_all_by_lot_knows_no_pots() -> None:
    stage = group_stage(4, intake=Intake(seeding="order", divide="lots"))
    state = started(names(8), stage, root=committed(1))
    order = [entry.id for entry in state.entries]
    pots = [sorted(order.index(entry) // 4 for entry in group) for group in stage_of(state).groups]
    assert len(pots) == 4 and pots != [[0, 1]] * 4


def test_winners_of_groups_are_drawn_to_seconds_of_other_groups() -> None:
    cup = plan(format="knockout", rounds=0, table_size=2, intake=Intake("best", best=2, divide="pots"))
    brackets = set()
    for seed in range(6):
        state = played_out(started(names(16), group_stage(4), cup, root=committed(seed)))
        groups = stage_of(state).groups
        state = after(state, *commands.start_stage(state))
        first, second = ([ranked(state, group, stage=1)[at] for group in (1, 2, 3, 4)] for at in (0, 1))
        order = stage_of(state).groups[0]
        assert {*order[:4]} == {*first} and {*order[4:]} == {*second}
        group_of = {entry: at for at, group in enumerate(groups) for entry in group}
        assert all(group_of[order[at]] != group_of[order[7 - at]] for at in range(4))
        brackets.add(tuple(group_of[entry] for entry in order))
    assert len(brackets) > 2


def test_qualifiers_of_one_group_come_into_different_groups_where_that_can_be() -> None:
    second = group_stage(4, intake=Intake("best", best=2, divide="lots"))
    state = played_out(started(names(16), group_stage(4), second, root=committed(3)))
    group_of = {entry: at for at, group in enumerate(stage_of(state).groups) for entry in group}
    coming = advancing(state, 1)
    assert coming and coming.undrawn and len(coming.groups) == 1
    state = after(state, *commands.start_stage(state))
    assert [len({group_of[entry] for entry in group}) for group in stage_of(state).groups] == [2] * 4


def test_a_group_too_small_for_a_table_is_refused() -> None:
    with pytest.raises(Illegal, match="group 2"):
        started("A B C", group_stage(2))


def test_the_best_of_each_group_go_on_winners_first() -> None:
    cup = plan(format="knockout", rounds=0, table_size=2, intake=Intake("best", best=2))
    state = played_out(started("A B C D E F G H", group_stage(2), cup))
    state = after(state, *commands.start_stage(state))
    first, second = (ranked(state, group, stage=1) for group in (1, 2))
    assert stage_of(state).groups == ((first[0], second[0], first[1], second[1]),)


def test_a_group_winner_does_not_meet_the_second_of_its_group_in_the_first_round() -> None:
    cup = plan(format="knockout", rounds=0, table_size=2, intake=Intake("best", best=2))
    state = played_out(started(names(9), group_stage(3), cup))
    group_of = {entry: at for at, group in enumerate(stage_of(state).groups) for entry in group}
    state = after(state, *commands.start_stage(state))
    state = after(state, *commands.draw(state))
    assert all(
        len({group_of[entry] for entry in table.entries}) == 2 for table in stage_of(state).rounds[0].tables
    )


def test_the_next_of_the_group_replaces_a_withdrawn_entry() -> None:
    final = plan(format="rounds", rounds=1, table_size=4, intake=Intake("best", best=1))
    state = played_out(started("A B C D", group_stage(2), final))
    winner, second = ranked(state, 1)
    state = after(state, *commands.withdraw(state, entry=winner))
    state = after(state, *commands.start_stage(state))
    assert second in stage_of(state).groups[0]


def test_a_part_of_the_points_is_carried_over() -> None:
    first = plan(rounds=1, table_size=2)
    second = plan(rounds=1, table_size=2, intake=Intake(carry="1/2"))
    state = played(started("Ann Ben", first, second), "Ann > Ben")
    state = after(state, *commands.start_stage(state))
    row = next(row for row in ranking.standings(state, 2) if row.entry == uid("Ann"))
    assert str(row.points) == "1/2"


# Divisions of four: the last of the first falls, the best of the second rises, Zoe is new.
def test_entries_are_promoted_and_relegated_between_seasons() -> None:
    season = group_stage(2, intake=Intake(seeding="order", divide="stack"))
    state = played_out(started("A B C D E F G H", season))
    zoe = commands.enter(state, entry=uid("Zoe"), name="Zoe", players=[uid("player Zoe")])
    state = after(state, *zoe)
    next_season = group_stage(2, intake=Intake("promotion", promoted=1, relegated=1))
    state = after(state, *commands.add_stage(state, plan=next_season))
    state = after(state, *commands.start_stage(state))
    top, bottom = (ranked(state, group, stage=1) for group in (1, 2))
    assert stage_of(state).groups == ((*top[:3], bottom[0]), (top[3], *bottom[1:], uid("Zoe")))
    places = ranking.final_order(played_out(state))
    assert {*places[:4]} == {*stage_of(state).groups[0]}


def test_points_start_from_zero_in_a_new_stage() -> None:
    state = played(
        started("Ann Ben", plan(rounds=1, table_size=2), plan(rounds=1, table_size=2)), "Ann > Ben"
    )
    state = after(state, *commands.start_stage(state))
    assert points(state, "Ann") == "1"
    assert {row.points for row in ranking.standings(state, 2)} == {0}


def test_after_the_last_stage_the_competition_is_finished() -> None:
    state = played(started("Ann Ben", plan(rounds=1, table_size=2)), "Ann > Ben")
    assert commands.next_step(state) == "finish"
    with pytest.raises(Illegal, match="no further stage"):
        commands.start_stage(state)


@pytest.mark.parametrize("key", PRESETS)
def test_a_competition_of_each_preset_can_be_played_to_its_end(key: str) -> None:
    preset = PRESETS[key].for_tables(range(2, 11))
    opened = opening(*preset.stages, pace=preset.pace, lineup=preset.lineup, entering=preset.entering)
    check_plans(opened)
    state = opened.begin()
    for name in names(16).split():
        state = after(state, *enter(state, name), CheckedIn(uid(name)))
    state = after(state, *commands.start(state))
    for _ in preset.stages[1:]:
        state = played_out(state)
        state = after(state, *commands.start_stage(state))
    state = played_out(state)
    assert commands.next_step(state) == "finish"


def test_a_preset_uses_the_nearest_table_size_that_the_game_allows() -> None:
    assert [stage.table_size for stage in PRESETS["club_night"].for_tables((2, 3, 6)).stages] == [3]
    assert [stage.table_size for stage in PRESETS["club_night"].for_tables((2, 3, 6), 6).stages] == [6]


@pytest.mark.parametrize(
    ("game", "by", "fair", "away"),
    [("skat", "score", False, "none"), ("hearts", "score", False, "last"), ("", "place", True, "last")],
)
def test_presets_add_scores_up_where_clubs_do(game: str, by: str, fair: bool, away: str) -> None:
    ruleset = rules.of("card-game", CardGame.shipped[game]) if game else rules.find("scoops")
    (stage,) = PRESETS["club_night"].for_game(ruleset).stages
    paid = stage.scoring
    assert (paid.by, paid.fair, paid.absent, paid.no_show) == (by, fair, away, away)
    (cup,) = PRESETS["knockout_cup"].for_game(ruleset).stages
    assert cup.scoring.by == PRESETS["knockout_cup"].stages[0].scoring.by
