"""Level entries: said before a stage closes, and marked once lots have separated them."""

from games.engine.messages import Message
from league.core import previews
from league.core.standings import ranking
from league.core.state.competition import Competition
from league.core.state.plan import Intake
from league.core.verb import Given
from league.core.verbs.course import FinishCompetition
from league.core.verbs.stages import StartStage
from tests.core import deciding as commands
from tests.core.crosstable import after, name_of, plan, played, row_of, started
from tests.core.ids import uid

GIVEN = Given(uid("competition"), commands.NOW)
SIX = "Ann Ben Cem Dana Eva Fay"
TWO_AND_THREE = "Ann = Ben > Cem > Dana = Eva = Fay"
TOLD = (
    "Ann and Ben are level on ranks 1 and 2, and no tie-break separates them: a lot decides.",
    "Dana, Eva and Fay are level on ranks 4 to 6, and no tie-break separates them: lots decide.",
)


def level(tie_breaks: tuple[str, ...] = ("wins",), **changes: int) -> Competition:
    return played(started(SIX, plan(rounds=1, table_size=6, tie_breaks=tie_breaks, **changes)), TWO_AND_THREE)


def cautions(state: Competition) -> list[tuple[Message, str]]:
    return [(each.sentence, each.remedy) for each in FinishCompetition.cautions(state)]


def finished(state: Competition) -> Competition:
    return after(state, *commands.decide(state, FinishCompetition()))


def test_a_finish_tells_who_is_level_and_how_they_could_play_for_the_first_place() -> None:
    assert cautions(level()) == [
        (TOLD[0], ""),
        (TOLD[1], ""),
        ("To let them play for the first place, add a stage that the best 2 of this one play.", "add-stage"),
    ]


def test_a_finish_tells_nothing_of_lots_that_are_not_needed() -> None:
    state = played(started("Ann Ben", plan(rounds=1, table_size=2)), "Ann > Ben")
    assert cautions(state) == []


def test_of_many_level_entries_their_number_is_told() -> None:
    names = " ".join(f"P{letter}" for letter in "abcdefgh")
    state = played(started(names, plan(rounds=1, table_size=8)), names.replace(" ", " = "))
    assert cautions(state)[0][0] == (
        "8 entries are level on ranks 1 to 8, and no tie-break separates them: lots decide."
    )


def test_a_preview_of_a_finish_tells_of_lots_and_does_not_foretell_them() -> None:
    state = level()
    found = previews.preview(state, [(FinishCompetition(), GIVEN)])
    assert found.lots == TOLD
    assert not any(row.changed for row in previews.compared(found))


def test_a_preview_of_the_next_stage_tells_of_lots_too() -> None:
    further = plan(rounds=1, table_size=6, intake=Intake("best", best=6))
    state = played(started(SIX, plan(rounds=1, table_size=6, tie_breaks=("wins",)), further), TWO_AND_THREE)
    assert previews.preview(state, [(StartStage(), GIVEN)]).lots == TOLD


def test_ranks_that_lots_decided_are_marked_both_above_and_below() -> None:
    state = finished(level())
    rows = ranking.standings(state, 1)
    assert [row.rank for row in rows] == [1, 2, 3, 4, 5, 6]
    assert {name_of(state, row.entry) for row in rows if row.by_lot} == {"Ann", "Ben", "Dana", "Eva", "Fay"}
    assert not row_of(state, "Cem").by_lot
    assert ranking.drawn_by_lot(state) == {row.entry for row in rows if row.by_lot}
    assert previews.preview(state, []).lots == ()
