"""What verbs would change, computed without writing: standings, qualifiers and divisions."""

from typing import Any

import pytest

from games.engine.refusals import Illegal
from league.core.previews import Preview, compared, preview
from league.core.state.competition import Competition
from league.core.state.plan import Intake
from league.core.verb import Given, Verb
from league.core.verbs.adjustments import AdjustPoints
from league.core.verbs.course import FinishCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.entries import WithdrawEntry
from league.core.verbs.results import VoidTable
from league.core.verbs.rounds import PublishRound
from league.core.verbs.rulings import RuledSeat, SetResult
from league.core.verbs.start import StartCompetition
from tests.core.crosstable import entered, plan, played, standings, started, table_at
from tests.core.deciding import NOW
from tests.core.ids import uid

DUELS: dict[str, Any] = {"table_size": 2, "rounds": 2}
CUP = plan(format="knockout", rounds=0, table_size=2, intake=Intake(source="best", best=2))
SEASON = plan(
    format="round_robin", groups=2, intake=Intake(source="promotion", promoted=1, relegated=1), **DUELS
)
DIVISIONS = plan(format="round_robin", groups=2, intake=Intake(seeding="order", divide="stack"), **DUELS)
FOUR = ("Ann > Ben; Cem > Dana", "Ann > Cem; Ben > Dana")


def previewed(state: Competition, *verbs: Verb) -> Preview:
    return preview(state, [(verb, Given(uid("competition"), NOW)) for verb in verbs])


def names(found: Preview, side: str) -> list[str]:
    rows = getattr(found, side).standings[1]
    return [f"{row.rank} {found.names[row.entry]} {row.points}" for row in rows]


def changed(found: Preview) -> list[str]:
    return [found.names[row.entry] for row in compared(found) if row.changed]


def test_a_ruling_shows_both_standings_and_changes_neither() -> None:
    state = played(started("Ann Ben Cem Dana", plan(**DUELS)), *FOUR)
    now = standings(state)
    verb = SetResult(table_at(state, "Ann", "Cem").id, (RuledSeat(0, 0), RuledSeat(1, 1)), "wrong")
    found = previewed(state, verb)
    assert names(found, "before")[0] == "1 Ann 2"
    assert names(found, "after")[0] == "1 Cem 2"
    assert {"Ann", "Cem"} <= {*changed(found)}
    assert [event.type for event in found.events] == ["ruled"]
    assert standings(state) == now


def test_rows_that_change_come_first() -> None:
    state = played(started("Ann Ben Cem Dana", plan(**DUELS)), *FOUR)
    rows = compared(previewed(state, AdjustPoints(uid("Dana"), "1/2", "late")))
    assert [row.changed for row in rows] == [True, False, False, False]
    first = rows[0]
    assert first.before and first.after
    assert [str(first.before.points), str(first.after.points)] == ["0", "1/2"]


def test_who_would_qualify_instead_is_shown() -> None:
    state = played(started("Ann Ben Cem Dana", plan(**DUELS), CUP), *FOUR)
    found = previewed(state, WithdrawEntry(uid("Ann"), from_round=3))
    assert next(found.names[place.entry] for place in found.before.qualifiers) == "Ann"
    assert "Ann" not in [found.names[place.entry] for place in found.after.qualifiers]
    by_name = {found.names[row.entry]: row for row in compared(found)}
    assert by_name["Ann"].place_before and not by_name["Ann"].place_after
    assert by_name["Ann"].changed


def test_divisions_are_shown_with_who_moves() -> None:
    state = played(
        started("Ann Ben Cem Dana", DIVISIONS, SEASON), "Ann > Ben; Cem > Dana", "Ann > Ben; Cem > Dana"
    )
    found = previewed(state, AdjustPoints(uid("Ben"), "5", "owed"))
    before = {found.names[place.entry]: (place.group, place.movement) for place in found.before.divisions}
    after = {found.names[place.entry]: (place.group, place.movement) for place in found.after.divisions}
    assert before == {"Ann": (1, "stays"), "Ben": (2, "down"), "Cem": (1, "up"), "Dana": (2, "stays")}
    assert after == {"Ann": (2, "down"), "Ben": (1, "stays"), "Cem": (1, "up"), "Dana": (2, "stays")}


def test_entries_that_are_level_on_the_last_place_are_undecided() -> None:
    final = plan(rounds=1, table_size=2, intake=Intake("best", best=2))
    state = played(started("Ann Ben Cem", plan(rounds=1, table_size=3), final), "Ann > Ben = Cem")
    found = previewed(state, AdjustPoints(uid("Ann"), "1", "early"))
    shown = {(found.names[place.entry], place.movement) for place in found.after.qualifiers}
    assert shown == {("Ann", "stays"), ("Ben", "undecided"), ("Cem", "undecided")}


def test_an_early_end_leaves_nobody_qualified() -> None:
    state = played(started("Ann Ben Cem Dana", plan(**DUELS), CUP), FOUR[0])
    found = previewed(state, FinishCompetition())
    assert found.before.qualifiers and not found.after.qualifiers


def test_several_verbs_are_previewed_one_after_the_other() -> None:
    state = played(started("Ann Ben Cem Dana", plan(**DUELS)), *FOUR)
    table = table_at(state, "Ann", "Cem").id
    found = previewed(state, VoidTable(table, "one"), AdjustPoints(uid("Dana"), "1", "two"))
    assert [event.type for event in found.events] == ["voided", "adjusted"]
    with pytest.raises(Illegal, match="void already"):
        previewed(state, VoidTable(table, "one"), VoidTable(table, "two"))


@pytest.mark.parametrize("verb", [DrawRound(), PublishRound()])
def test_a_draw_cannot_be_previewed(verb: Verb) -> None:
    with pytest.raises(Illegal, match="can't be previewed"):
        previewed(started("Ann Ben Cem Dana", plan(**DUELS)), verb)


def test_a_start_that_draws_lots_cannot_be_previewed() -> None:
    with pytest.raises(Illegal, match="can't be previewed"):
        previewed(entered("Ann Ben Cem Dana"), StartCompetition())
