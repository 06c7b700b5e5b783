"""Tables that are put off: the meeting counts, the round closes, and the result enters later."""

from typing import Any

import pytest

from games.engine.refusals import Illegal, Malformed
from league.core.drawing.cost import history_of
from league.core.standings import outlook
from league.core.state.competition import Competition
from league.core.state.plan import Intake, Placing, Scoring
from league.core.verb import Verb
from league.core.verbs.course import FinishCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.entries import WithdrawEntry
from league.core.verbs.results import ForfeitEntry, ResultRecorded, VoidTable
from league.core.verbs.rounds import CloseRound
from league.core.verbs.rulings import RuledSeat, SetResult
from league.core.verbs.stages import StartStage
from league.core.verbs.tables import EndPostponement, PostponeTable
from tests.core import deciding as commands
from tests.core.crosstable import (
    HEAD,
    after,
    plan,
    played,
    points,
    published,
    results,
    standings,
    started,
    table_at,
)
from tests.core.deciding import decide, next_step
from tests.core.ids import uid

DUELS: dict[str, Any] = {"table_size": 2, "rounds": 2}
SWISS = plan(format="swiss", tie_breaks=("opponents_points",), **DUELS)
SOON = "2026-09-08T18:00:00.000000Z"


def does(state: Competition, verb: Verb) -> Competition:
    return after(state, *decide(state, verb))


def put_off(*plans: Any) -> Competition:
    """Ann against Ben is put off in round 1, Cem has beaten Dana, and the round is closed."""
    state = published(started("Ann Ben Cem Dana", *(plans or (plan(**DUELS),))), "Ann > Ben; Cem > Dana")
    state = after(state, *results(state, "Cem > Dana"))
    state = does(state, PostponeTable(table_at(state, "Ann", "Ben").id, "a cold", SOON))
    return does(state, CloseRound())


def won_by_ann(state: Competition) -> ResultRecorded:
    table = next(each for _, _, each in state.tables() if {*each.entries} == {uid("Ann"), uid("Ben")})
    return ResultRecorded(table.id, table.games[0].id, HEAD, "finished", (Placing(0, 1, 1), Placing(1, 2, 0)))


def test_the_round_waits_for_the_other_tables_alone() -> None:
    state = published(started("Ann Ben Cem Dana", plan(**DUELS)), "Ann > Ben; Cem > Dana")
    table = table_at(state, "Ann", "Ben")
    state = does(state, PostponeTable(table.id, "a cold"))
    assert table_at(state, "Ann", "Ben").status == "postponed"
    assert next_step(state) == "play"
    with pytest.raises(Illegal, match="1 of the round's tables is not decided"):
        decide(state, CloseRound())
    state = after(state, *results(state, "Cem > Dana"))
    assert next_step(state) == "close_round"


def test_the_early_end_of_a_round_leaves_a_table_that_is_put_off() -> None:
    state = published(started("Ann Ben Cem Dana", plan(**DUELS)), "Ann > Ben; Cem > Dana")
    state = does(state, PostponeTable(table_at(state, "Ann", "Ben").id, "a cold"))
    state = does(state, CloseRound("too late"))
    assert table_at(state, "Ann", "Ben").status == "postponed"
    assert table_at(state, "Cem", "Dana").status == "void"


def test_the_meeting_counts_for_the_next_draw() -> None:
    state = put_off(SWISS)
    history = history_of(state.stages[0])
    assert history.opponents[uid("Ann")] == {uid("Ben"): 1}
    assert history.seats[uid("Ann"), 0] == 1
    state = does(state, DrawRound())
    pairs = [{*table.entries} for table in state.stages[0].rounds[1].tables]
    assert {uid("Ann"), uid("Ben")} not in pairs


def test_levels_of_a_draw_are_the_points_so_far() -> None:
    state = put_off(SWISS)
    assert standings(state)[0] == "Cem 1"
    assert [points(state, name) for name in ("Ann", "Ben", "Dana")] == ["0", "0", "0"]


def test_the_result_enters_the_round_that_it_belongs_to() -> None:
    state = published(put_off(), "Ann > Cem; Ben > Dana")
    state = after(state, won_by_ann(state))
    assert points(state, "Ann") == "1"
    assert standings(state, through=1)[0] in ("Ann 1", "Cem 1")
    assert next_step(state) == "play"


def test_the_competition_is_not_over_before_the_table_is_decided() -> None:
    state = played(put_off(), "Ann > Cem; Ben > Dana")
    assert next_step(state) == "play"
    with pytest.raises(Illegal, match="1 table is put off"):
        decide(state, FinishCompetition())
    decided = after(state, won_by_ann(state))
    assert next_step(decided) == "finish"
    assert does(decided, FinishCompetition()).status == "finished"
    voided = does(state, VoidTable(table_at(state, "Ann", "Ben").id, "never played"))
    assert next_step(voided) == "finish"


def test_the_next_stage_waits_for_the_table() -> None:
    cup = plan(format="knockout", rounds=0, table_size=2, intake=Intake(source="best", best=2))
    state = played(put_off(plan(**DUELS), cup), "Ann > Cem; Ben > Dana")
    assert next_step(state) == "play"
    with pytest.raises(Illegal, match="1 table is put off"):
        decide(state, StartStage())
    assert next_step(after(state, won_by_ann(state))) == "start_stage"


def test_an_abandoned_game_of_a_table_that_is_put_off_waits_for_an_organiser() -> None:
    state = played(put_off(), "Ann > Cem; Ben > Dana")
    table = next(each for _, _, each in state.tables() if each.to_come)
    state = after(state, ResultRecorded(table.id, table.games[0].id, HEAD, "abandoned", ()))
    assert next_step(state) == "rule"


def test_standings_count_the_tables_to_come_and_their_ranks_stay_open() -> None:
    state = played(put_off(plan(scoring=Scoring(by="win"), **DUELS)), "Cem > Ann; Dana > Ben")
    assert state.stages[0].to_come() == {uid("Ann"): 1, uid("Ben"): 1}
    reach = outlook.outlook(state, 1)
    assert reach is not None
    spans = {name: (reach[uid(name)].best, reach[uid(name)].worst) for name in ("Ann", "Ben", "Cem", "Dana")}
    # Cem has 2, Dana 1; Ann and Ben play for one more.
    assert spans == {"Ann": (2, 4), "Ben": (2, 4), "Cem": (1, 1), "Dana": (2, 4)}


def test_a_later_ruling_decides_it() -> None:
    state = put_off()
    table = table_at(state, "Ann", "Ben").id
    state = does(state, SetResult(table, (RuledSeat(0, 0), RuledSeat(1, 3)), "played at home"))
    assert points(state, "Ben") == "1"
    assert not state.stages[0].to_come()


def test_it_can_be_put_off_again_and_taken_back_while_its_round_is_open() -> None:
    state = published(started("Ann Ben Cem Dana", plan(**DUELS)), "Ann > Ben; Cem > Dana")
    table = table_at(state, "Ann", "Ben").id
    state = does(state, PostponeTable(table, "a cold"))
    state = does(state, PostponeTable(table, "still a cold", SOON))
    postponement = table_at(state, "Ann", "Ben").postponement
    assert postponement and (postponement.reason, postponement.deadline) == ("still a cold", SOON)
    state = does(state, EndPostponement(table))
    assert table_at(state, "Ann", "Ben").status == "playing"
    with pytest.raises(Illegal, match="not put off"):
        decide(state, EndPostponement(table))


def test_a_closed_round_does_not_take_it_back() -> None:
    state = put_off()
    with pytest.raises(Illegal, match="is closed") as refused:
        decide(state, EndPostponement(table_at(state, "Ann", "Ben").id))
    assert "table" in refused.value.errors


def test_a_withdrawn_entry_forfeits_its_table_like_any_other() -> None:
    state = put_off()
    state = does(state, WithdrawEntry(uid("Ben")))
    table = table_at(state, "Ann", "Ben").id
    assert state.stages[0].to_come() == {uid("Ann"): 1, uid("Ben"): 1}
    state = after(does(state, ForfeitEntry(table, uid("Ben"), "left")), won_by_ann(state))
    assert not state.stages[0].to_come()
    assert points(state, "Ann") == "1"


def test_a_knockout_puts_nothing_off_and_says_what_works() -> None:
    state = started("Ann Ben Cem Dana", plan(format="knockout", rounds=0, table_size=2))
    state = published(state, "Ann > Ben; Cem > Dana")
    with pytest.raises(Illegal, match="Set a later deadline for the round") as refused:
        decide(state, PostponeTable(table_at(state, "Ann", "Ben").id, "a cold"))
    assert [*refused.value.errors] == ["table"]


def test_only_an_undecided_table_of_a_published_round_is_put_off() -> None:
    state = played(started("Ann Ben Cem Dana", plan(**DUELS)), "Ann > Ben; Cem > Dana")
    with pytest.raises(Illegal, match="decided"):
        decide(state, PostponeTable(table_at(state, "Ann", "Ben").id, "a cold"))
    state = does(state, DrawRound())
    with pytest.raises(Illegal, match="not published"):
        decide(state, PostponeTable(state.stages[0].rounds[1].tables[0].id, "a cold"))
    with pytest.raises(Malformed, match="has passed") as refused:
        decide(state, PostponeTable(table_at(state, "Ann", "Ben").id, "a cold", "2020-01-01T00:00:00Z"))
    assert [*refused.value.errors] == ["deadline"]


def test_a_table_of_open_play_is_put_off_too() -> None:
    state = started("Ann Ben Cem", plan(format="open_play", rounds=1, table_size=2))
    state = after(state, *commands.draw(state))
    state = after(state, *commands.publish(state, games={}))
    opened = commands.open_table(state, table=uid("t"), entries=[uid("Ann"), uid("Ben")], games=[uid("g")])
    state = does(after(state, *opened), PostponeTable(uid("t"), "a cold"))
    state = does(state, CloseRound())
    assert next_step(state) == "play"
