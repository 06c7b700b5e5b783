"""Ties on the last place that qualifies, is promoted, or advances from a table: how whole stages go on."""

from fractions import Fraction

import pytest

from games.engine.refusals import Illegal, Malformed
from league.core import verifier
from league.core.events import Event
from league.core.intake import advancing
from league.core.plans import check_plans
from league.core.standings import outlook, ranking
from league.core.state.competition import PLAY_OFF, Competition
from league.core.state.plan import Intake, Placing, StagePlan
from league.core.state.stages import Move, sentence
from league.core.state.values import LineRule
from league.core.verbs.draw import DrawRound
from league.core.verbs.results import Voided, VoidTable
from league.core.verbs.rulings import Ruled
from tests.core import deciding as commands
from tests.core.crosstable import (
    after,
    enter,
    name_of,
    opening,
    placings,
    plan,
    played,
    row_of,
    seated,
    standings,
    started,
    table_at,
)
from tests.core.formats.played import drawn, last_round, stage_of
from tests.core.ids import uid

ORDER = Intake(seeding="order")
FINAL = plan(format="rounds", rounds=1, table_size=2, intake=Intake("best", best=2))


def group(line: LineRule = "lots", **changes: object) -> StagePlan:
    return plan(rounds=1, table_size=4, intake=ORDER, line=line, **changes)


def level(line: LineRule = "lots", next_stage: StagePlan = FINAL, **changes: object) -> Competition:
    """Ann is first; Ben, Cem and Dana are level on everything, for one more place."""
    return played(started("Ann Ben Cem Dana", group(line, **changes), next_stage), "Ann > Ben = Cem = Dana")


def moves(state: Competition) -> dict[str, Move]:
    found = advancing(state, 1)
    assert found
    return {name_of(state, move.entry): move for move in found.moves}


def on(state: Competition) -> list[str]:
    return [name for name, move in moves(state).items() if move.group]


def published(state: Competition) -> Competition:
    state = drawn(state)
    games = {table.id: [uid(table.id)] for table in last_round(state).tables}
    return after(state, *commands.publish(state, games=games))


def ends(state: Competition, *tables: str) -> Competition:
    """The state with tables ruled as the texts say, and the round closed."""
    for text in tables:
        names = [name.strip() for name in text.replace("=", ">").split(">")]
        rank = {uid(name): each.rank for name, each in zip(names, placings(text), strict=True)}
        table = table_at(state, *names)
        seats = (Placing(seat, rank[entry], -rank[entry]) for seat, entry in enumerate(table.entries))
        state = after(state, Ruled(table.id, tuple(seats), "played"))
    return after(state, *commands.close_round(state))


def test_by_lots_the_standings_say_who_goes_on() -> None:
    state = level()
    assert {str(sentence(move)) for move in moves(state).values() if move.line} == {
        "Level with 2 others on the last place: lots decide, which are drawn when the next stage starts."
    }
    state = after(state, *commands.start_stage(state))
    assert on(state) == [name_of(state, row.entry) for row in ranking.standings(state, 1)[:2]]
    out = [move for move in moves(state).values() if not move.group]
    assert {str(sentence(move)) for move in out} == {
        "Does not qualify: rank 3 of group 1. Level with 2 others on the last place: lots decided.",
        "Does not qualify: rank 4 of group 1. Level with 2 others on the last place: lots decided.",
    }


def test_the_best_seed_goes_on() -> None:
    assert on(level("seed")) == ["Ann", "Ben"]


def test_all_go_on_and_the_next_stage_is_bigger() -> None:
    state = level("all")
    state = after(state, *commands.start_stage(state))
    assert len(stage_of(state).entries) == 4


def test_a_play_off_is_drawn_before_the_next_stage() -> None:
    state = level("play_off")
    assert commands.next_step(state) == "draw"
    with pytest.raises(Illegal, match="play-off decides"):
        commands.start_stage(state)
    state = drawn(state)
    assert seated(state) == [{"Ben", "Cem", "Dana"}]
    assert [table.label for table in last_round(state).tables] == [PLAY_OFF]
    assert [name_of(state, entry) for entry in last_round(state).idle] == ["Ann"]


def test_a_play_off_decides_who_goes_on_and_gives_no_points() -> None:
    before = level("play_off")
    state = ends(published(before), "Dana > Cem > Ben")
    assert on(state) == ["Ann", "Dana"]
    assert sorted(standings(state)) == sorted(standings(before))
    assert row_of(state, "Dana").played == 1
    assert "the play-off decided" in sentence(moves(state)["Ben"])
    assert commands.next_step(state) == "start_stage"
    assert {
        name_of(state, each) for each in stage_of(after(state, *commands.start_stage(state))).entries
    } == {
        "Ann",
        "Dana",
    }


def test_lots_decide_among_those_whom_a_play_off_leaves_level() -> None:
    state = ends(published(level("play_off")), "Dana = Cem > Ben")
    assert commands.next_step(state) == "start_stage"
    decided = {name: move.line for name, move in moves(state).items()}
    assert decided == {"Ann": "", "Ben": "play_off", "Cem": "lots_to_come", "Dana": "lots_to_come"}


def test_a_void_play_off_leaves_it_to_lots() -> None:
    state = published(level("play_off"))
    state = after(state, Voided(last_round(state).tables[0].id, "nobody has time"))
    state = after(state, *commands.close_round(state))
    assert commands.next_step(state) == "start_stage"
    assert moves(state)["Ben"].line == "lots_to_come"


def test_a_play_off_can_be_drawn_again_before_it_is_published() -> None:
    first = drawn(level("play_off"))
    state = after(first, *commands.draw(first, "a table was missing"))
    assert seated(state) == [{"Ben", "Cem", "Dana"}]
    assert commands.next_step(state) == "publish"


def test_only_lots_can_change_ranks_while_a_play_off_is_played() -> None:
    state = published(level("play_off"))
    found = outlook.outlook(state, 1)
    assert found and sorted((each.best, each.worst) for each in found.values()) == [(1, 1)] + [(2, 4)] * 3


def test_without_a_table_for_so_many_lots_decide() -> None:
    state = started("Ann Ben Cem Dana", group("play_off"), FINAL, seats=(2, 4))
    state = played(state, "Ann > Ben = Cem = Dana")
    assert commands.next_step(state) == "start_stage"
    assert moves(state)["Ben"].line == "lots_to_come"


def test_nobody_plays_off_for_a_stage_that_takes_everybody() -> None:
    everybody = plan(rounds=1, table_size=4)
    assert commands.next_step(level("play_off", everybody)) == "start_stage"


def test_entries_that_tie_breaks_separate_are_not_level() -> None:
    first = group("seed", tie_breaks=("game_score",))
    state = played(started("Ann Ben Cem Dana", first, FINAL), "Ann 9 > Ben 1 = Cem 2 = Dana 3")
    assert on(state) == ["Ann", "Dana"]
    assert moves(state)["Ben"].line == ""


def test_a_stage_may_say_that_equal_points_are_level() -> None:
    first = group("seed", tie_breaks=("game_score",), line_level="points")
    state = played(started("Ann Ben Cem Dana", first, FINAL), "Ann 9 > Ben 1 = Cem 2 = Dana 3")
    assert on(state) == ["Ann", "Ben"]
    assert moves(state)["Dana"].line == "seed"


def test_the_log_with_a_play_off_is_verified() -> None:
    log: list[Event] = [opening(group("play_off"), FINAL)]
    state = log[0].begin()

    def write(*events: Event) -> None:
        nonlocal state
        log.extend(events)
        state = after(state, *events)

    for name in ("Ann", "Ben", "Cem", "Dana"):
        write(*enter(state, name))
    write(*commands.start(state))
    for ranks in ((1, 2, 2, 2), (1, 2, 3)):
        write(*commands.draw(state))
        table = last_round(state).tables[0].id
        write(*commands.publish(state, games={table: [uid(table)]}))
        write(Ruled(table, tuple(Placing(seat, rank, 0) for seat, rank in enumerate(ranks)), "played"))
        write(*commands.close_round(state))
    write(*commands.start_stage(state))
    assert verifier.verified(log) == state


# ---- Divisions -----------------------------------------------------------------------------------


def test_one_play_off_can_decide_who_goes_up_and_who_goes_down() -> None:
    first = plan(
        rounds=1, table_size=3, groups=3, intake=Intake(seeding="order", divide="stack"), line="play_off"
    )
    second = plan(
        rounds=1, table_size=3, groups=3, intake=Intake("promotion", promoted=1, relegated=1), line="play_off"
    )
    state = started("Ann Ben Cem Dana Eva Finn Gil Hana Ivo", first, second)
    state = played(state, "Ann > Ben > Cem; Dana = Eva = Finn; Gil > Hana > Ivo")
    state = drawn(state)
    assert seated(state) == [{"Dana", "Eva", "Finn"}]


# ---- Heats ---------------------------------------------------------------------------------------


def heat(ties: str, size: int = 4) -> Competition:
    """The first round of two heats, drawn and published: Ann, Dana, Eva, Hal against Ben, Cem, Finn, Gus."""
    cup = plan(format="knockout", rounds=0, table_size=size, intake=ORDER, params={"ties": ties})
    return published(started("Ann Ben Cem Dana Eva Finn Gus Hal", cup))


OTHER = "Ben > Cem > Finn > Gus"
TIED = "Ann > Hal = Eva > Dana"


@pytest.mark.parametrize(
    ("ties", "finalists"),
    [("seed", {"Ann", "Eva", "Ben", "Cem"}), ("all", {"Ann", "Eva", "Hal", "Ben", "Cem"})],
)
def test_a_tie_in_a_heat_is_decided_as_the_cup_says(ties: str, finalists: set[str]) -> None:
    state = drawn(ends(heat(ties), TIED, OTHER))
    assert set().union(*seated(state)) == finalists


def test_a_tie_in_a_heat_is_played_off_before_the_next_round() -> None:
    state = ends(heat("play_off"), TIED, OTHER)
    cautions = [each.sentence for each in DrawRound.cautions(state)]
    assert cautions == ["Eva and Hal play off for the last place; the others do not play."]
    state = published(state)
    assert seated(state) == [{"Eva", "Hal"}]
    state = ends(state, "Hal > Eva")
    out = "Out in round 1, level on the last place: the play-off decided"
    assert out in row_of(state, "Eva").explanation
    state = published(state)
    assert seated(state) == [{"Ann", "Hal", "Ben", "Cem"}]
    assert [table.label for table in last_round(state).tables] == ["final"]
    state = ends(state, "Hal > Ann > Ben > Cem")
    assert commands.next_step(state) == "finish"
    assert row_of(state, "Hal").rank == 1
    assert row_of(state, "Hal").points == Fraction(9, 2)


def test_a_table_all_of_whom_are_level_does_not_send_all_on() -> None:
    state = drawn(ends(heat("all"), "Ann = Hal = Eva = Dana", OTHER))
    assert set().union(*seated(state)) == {"Ann", "Dana", "Ben", "Cem"}


def test_a_level_final_is_played_off() -> None:
    cup = plan(format="knockout", rounds=0, table_size=2, intake=ORDER, params={"ties": "play_off"})
    state = ends(published(started("Ann Ben", cup)), "Ann = Ben")
    assert commands.next_step(state) == "draw"
    state = ends(published(state), "Ben > Ann")
    assert commands.next_step(state) == "finish"
    assert row_of(state, "Ben").rank == 1
    told = str(row_of(state, "Ben").explanation)
    assert told.startswith("Won the final by a play-off after a level match, against Ann.")


def test_a_void_final_says_that_the_seed_decided_without_a_match() -> None:
    cup = plan(format="knockout", rounds=0, table_size=2, intake=ORDER)
    state = published(started("Ann Ben", cup))
    void = VoidTable(table_at(state, "Ann").id, "Wrong cards")
    state = ends(after(state, *commands.decide(state, void)))
    assert "Won the final by seed without a match, against Ben." in str(row_of(state, "Ann").explanation)


@pytest.mark.parametrize("placing", [0, 4])
def test_a_level_match_of_two_says_that_the_seed_decided(placing: int) -> None:
    params = {"placing": placing, "third_place": True}
    cup = plan(format="knockout", rounds=0, table_size=2, intake=ORDER, params=params)
    state = ends(published(started("Ann Ben Cem Dana", cup)), "Ann = Dana", "Ben > Cem")
    assert "Still in" in row_of(state, "Ann").explanation
    assert "by seed" not in row_of(state, "Ann").explanation
    state = ends(published(state), "Ann = Ben", "Dana > Cem")
    told = [str(row_of(state, name).explanation) for name in ("Ann", "Ben", "Dana")]
    assert told[0].startswith("Won the final by seed after a level match")
    assert told[1].startswith("Second in the final by seed after a level match")
    assert told[2].startswith("Third, ") or told[2].startswith("Third.")


def test_no_seed_is_said_to_have_decided_while_a_play_off_is_to_come() -> None:
    cup = plan(format="knockout", rounds=0, table_size=2, intake=ORDER, params={"ties": "play_off"})
    state = ends(published(started("Ann Ben", cup)), "Ann = Ben")
    told = [row_of(state, name).explanation for name in ("Ann", "Ben")]
    assert all("for now: a play-off decides" in each and "by seed" not in each for each in told)
    state = ends(published(state), "Ben > Ann")
    assert "by a play-off after a level match" in row_of(state, "Ben").explanation


def test_whom_the_other_leaves_alone_in_a_play_off_goes_on() -> None:
    cup = plan(format="knockout", rounds=0, table_size=2, intake=ORDER, params={"ties": "play_off"})
    state = published(started("Ann Ben Cem Dana", cup))
    state = drawn(ends(state, "Ann = Dana", "Ben > Cem"))
    assert seated(state) == [{"Ann", "Dana"}]
    state = after(state, *commands.withdraw(state, entry=uid("Ann")))
    assert last_round(state).play_off
    state = after(state, *commands.publish(state, games={}))
    state = after(state, *commands.close_round(state))
    assert {"Dana", "Ben"} in seated(drawn(state))
    assert row_of(state, "Ann").explanation.startswith("Plays for third place.")


def test_not_all_can_advance_from_a_table_of_two() -> None:
    with pytest.raises(Malformed) as refusal:
        check_plans(opening(plan(format="knockout", rounds=0, table_size=2, params={"ties": "all"})))
    assert list(refusal.value.errors) == ["stages.0.params.ties"]
