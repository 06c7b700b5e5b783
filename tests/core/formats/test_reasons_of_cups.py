"""The reasons of ranks in cups: how far somebody came, and against whom it ended."""

import pytest

from games.engine import shapes
from league.core import formats
from league.core.standings import ranking
from league.core.standings.plain import plain
from league.core.standings.rows import Ranked, read
from league.core.state.competition import Competition
from league.core.state.plan import Intake, StagePlan
from league.core.verbs.results import AwardWalkover
from league.models import Stage
from league.words.options import scoring_in_words
from tests.core import deciding as commands
from tests.core.crosstable import after, opening, plan, played, published, row_of, started, table_at
from tests.core.formats.played import stage_of
from tests.core.ids import uid

NAMES = "Ann Ben Cem Dana"
CUP = plan(format="knockout", rounds=0, table_size=2, intake=Intake(seeding="order"))
DOUBLE = plan(**{**vars(CUP), "format": "double_elimination"})


def reason(state: Competition, name: str) -> str:
    return str(row_of(state, name).explanation)


def test_who_is_out_of_a_knockout_is_told_in_which_round_and_against_whom() -> None:
    state = played(
        started("Ann Ben Cem Dana Eva Finn Gus Hal", CUP), "Ann > Hal; Dana > Eva; Ben > Gus; Cem > Finn"
    )
    assert reason(state, "Hal").startswith("Out in round 1, against Ann. ")
    assert reason(state, "Ann") == "Still in. Level with 3 others on 1 point; nothing separates them so far."


def test_the_places_played_out_say_against_whom() -> None:
    state = played(started(NAMES, CUP), "Ann > Dana; Ben > Cem", "Ann > Ben; Cem > Dana")
    told = [reason(state, name).partition(".")[0] for name in NAMES.split()]
    first = ["Won the final, against Ben", "Second in the final, against Ann"]
    assert told == [*first, "Third, against Dana", "Fourth, against Cem"]


def test_a_double_elimination_tells_against_whom_the_second_match_was_lost() -> None:
    state = played(started(NAMES, DOUBLE), "Ann > Dana; Ben > Cem", "Ann > Ben; Dana > Cem")
    assert reason(state, "Cem").startswith("Out in round 1 of the lower bracket, against Dana.")
    assert reason(state, "Dana").startswith("Still in, with one loss.")


def test_against_whom_is_kept_in_what_is_stored() -> None:
    order = ranking.order(played(started(NAMES, DOUBLE), "Ann > Dana; Ben > Cem", "Ann > Ben; Dana > Cem"), 1)
    assert read(order.as_json()) == order
    last: Ranked = order.groups[0][-1]
    assert last.against == uid("Dana")


def test_a_walkover_is_told_as_one() -> None:
    state = published(started(NAMES, CUP), "Ann > Dana; Ben > Cem")
    table = table_at(state, "Ann").id
    state = after(state, *commands.decide(state, AwardWalkover(table, entries=(uid("Ann"),))))
    settled = plain(state, stage_of(state), 1).settled
    told = [str(each) for name in ("Ann", "Dana") for each in settled[uid(name)].by_organiser]
    won = "Round 1: won without a game, as an organiser noted."
    assert told == [won, "Round 1: did not come, as an organiser noted."]


@pytest.mark.parametrize("stage", [CUP, DOUBLE])
def test_the_rules_of_a_cup_say_that_nobody_can_ask_for_a_bye(stage: StagePlan) -> None:
    assert any("Nobody can ask for a bye" in told for told in formats.of(stage).rules(stage))


def test_what_a_win_is_worth_is_told_where_two_sides_meet() -> None:
    pairs = {"seats": (2, 4), "sides": ((0, 1), (0, 1, 0, 1))}
    for each, more in ((plan(table_size=2), {}), (plan(), pairs)):
        announced = opening(each, **more)
        stage = Stage(plan=shapes.write(announced.stages[0]))
        assert scoring_in_words(stage, announced) == "A point for a win, half of one for a draw."
