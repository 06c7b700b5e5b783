"""An organiser places entries in the next stage, for a reason, and takes that back."""

import pytest

from games.engine.refusals import Illegal, Malformed
from league.core.intake import advancing
from league.core.state.competition import Competition
from league.core.state.plan import Intake
from league.core.state.stages import sentence
from league.core.verbs.adjustments import PlaceEntry, TakeBackPlacement
from tests.core import deciding as commands
from tests.core.crosstable import after, entered, name_of, plan, played, started
from tests.core.formats.played import stage_of
from tests.core.ids import uid

STACKED = Intake(seeding="order", divide="stack")
SEASON = plan(rounds=1, table_size=2, groups=2, intake=STACKED)
NEXT = plan(rounds=1, table_size=2, groups=2, intake=Intake("promotion", promoted=1, relegated=1))
EIGHT = "Ann Ben Cem Dana Eva Finn Gil Hal"


def place(state: Competition, name: str, group: int, reason: str = "won the cup") -> Competition:
    return after(state, *commands.decide(state, PlaceEntry(uid(name), group, reason)))


def taken_back(state: Competition, name: str) -> Competition:
    return after(state, *commands.decide(state, TakeBackPlacement(uid(name))))


def groups(state: Competition) -> list[str]:
    state = after(state, *(commands.start_stage(state) if state.started else commands.start(state)))
    return [" ".join(name_of(state, entry) for entry in group) for group in stage_of(state).groups]


@pytest.mark.parametrize(
    ("divide", "placed", "expected"),
    [
        ("stack", {}, ["Ann Ben Cem Dana", "Eva Finn Gil Hal"]),
        ("stack", {"Hal": 1}, ["Ann Ben Cem Hal", "Dana Eva Finn Gil"]),
        ("stack", {"Ann": 2, "Hal": 1}, ["Ben Cem Dana Hal", "Ann Eva Finn Gil"]),
        ("spread", {}, ["Ann Dana Eva Hal", "Ben Cem Finn Gil"]),
        ("spread", {"Ann": 2}, ["Ben Eva Finn Hal", "Ann Cem Dana Gil"]),
        (
            "stack",
            dict.fromkeys(("Ann", "Ben", "Cem", "Dana", "Eva"), 2),
            ["Finn Gil Hal", "Ann Ben Cem Dana Eva"],
        ),
    ],
)
def test_in_a_first_stage_a_placed_entry_takes_a_place_of_its_group(
    divide: str, placed: dict[str, int], expected: list[str]
) -> None:
    season = plan(rounds=1, table_size=2, groups=2, intake=Intake(seeding="order", divide=divide))  # type: ignore[arg-type]
    state = entered(EIGHT, season)
    for name, group in placed.items():
        state = place(state, name, group)
    assert groups(state) == expected


def league() -> Competition:
    return played(
        started(EIGHT, SEASON, NEXT),
        "Ann > Ben; Cem > Dana; Eva > Finn; Gil > Hal",
    )


def test_a_placement_is_told_with_its_reason_and_ends_with_the_start() -> None:
    state = place(league(), "Hal", 1)
    found = advancing(state, 1)
    assert found
    told = {name_of(state, move.entry): str(sentence(move)) for move in found.moves}
    assert told["Hal"] == "Placed by the organiser in group 1: won the cup"
    state = after(state, *commands.start_stage(state))
    assert uid("Hal") in stage_of(state).groups[0]
    assert len(stage_of(state).groups[0]) == 5
    assert state.placements == ()
    decided = advancing(state, 1)
    assert decided
    assert {move.line for move in found.moves} == {"", "lots_to_come"}
    assert {move.line for move in decided.moves} == {"", "lots"}


def test_a_placement_can_be_changed_and_taken_back() -> None:
    before = league()
    state = place(place(before, "Hal", 1), "Hal", 2, "a mistake")
    assert [(each.group, each.reason) for each in state.placements] == [(2, "a mistake")]
    assert groups(taken_back(state, "Hal")) == groups(before)


def test_what_is_the_case_already_writes_nothing() -> None:
    state = place(league(), "Hal", 1)
    assert commands.decide(state, PlaceEntry(uid("Hal"), 1, "won the cup")) == ()
    assert commands.decide(state, TakeBackPlacement(uid("Ann"))) == ()


def test_an_entry_that_did_not_qualify_can_be_placed() -> None:
    final = plan(rounds=1, table_size=2, intake=Intake("best", best=1))
    state = played(started(EIGHT, SEASON, final), "Ann > Ben; Cem > Dana; Eva > Finn; Gil > Hal")
    state = after(state, *commands.start_stage(place(state, "Ben", 1)))
    assert uid("Ben") in stage_of(state).groups[0]
    assert len(stage_of(state).groups[0]) == 3


def test_placements_are_refused_where_they_can_not_count() -> None:
    state = league()
    with pytest.raises(Malformed) as refusal:
        place(state, "Hal", 3)
    assert refusal.value.errors == {"group": ["The next stage has 2 groups."]}
    state = after(state, *commands.withdraw(state, entry=uid("Hal")))
    with pytest.raises(Illegal, match="takes part"):
        place(state, "Hal", 1)
    state = after(state, *commands.start_stage(state))
    with pytest.raises(Illegal, match="No further stage"):
        place(state, "Ann", 1)


def test_the_desk_offers_it_where_a_further_stage_chooses() -> None:
    (button,) = PlaceEntry.buttons
    assert PlaceEntry.offered(league(), button)
    assert not PlaceEntry.offered(started("Ann Ben Cem"), button)
