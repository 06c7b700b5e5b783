"""Rehearsals: planned competitions played through by the pure core."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from games.engine.refusals import Illegal
from league.apps.rehearsal.core import Rehearsal
from league.core import formats
from league.core.entering import with_names
from league.core.presets import PRESETS, Preset
from league.core.standings import ranking
from league.core.state.competition import Competition
from league.core.state.plan import Opening, StagePlan
from league.core.state.stages import Round
from league.core.verbs.start import opening_of
from tests.core import deciding
from tests.core.committed import committed
from tests.core.ids import uid

CLOSED = [each for each in PRESETS.values() if not any(formats.of(plan).open_tables for plan in each.stages)]


def planned(
    stages: tuple[StagePlan, ...], ruleset: str = "scoops-scorecard", **announced: Any
) -> Competition:
    opening = opening_of(Opening("Thursday", ruleset, {}, (), False, stages, committed(7), {}, **announced))
    return opening.begin()


def rehearsed(
    state: Competition, entries: int, number: int = 1, names: Mapping[str, str] | None = None
) -> list[Competition]:
    """Return the states after each round."""
    found = Rehearsal(state, uid("competition"), entries, number, names or {}, "Player %(number)d")
    after = [found.begun()]
    while (latest := found.after_a_round(after[-1])) != after[-1]:
        after.append(latest)
    return [with_names(state, found.known) for state in after[1:]]


def rounds(states: Sequence[Competition]) -> list[tuple[int, Round]]:
    return [(stage.number, each) for stage in states[-1].stages for each in stage.rounds]


@pytest.mark.parametrize("preset", CLOSED, ids=lambda each: each.key)
@pytest.mark.parametrize("entries", [9, 16])
def test_every_preset_is_played_to_its_end(preset: Preset, entries: int) -> None:
    states = rehearsed(planned(preset.for_tables(range(2, 10)).stages), entries)
    assert {number for number, _round in rounds(states)} == {*range(1, len(preset.stages) + 1)}
    assert all(table.decided for _number, each in rounds(states) for table in each.tables)
    final = ranking.standings(states[-1], len(preset.stages))
    assert final[0].rank == 1 and states[-1].over


def test_another_number_is_another_evening_and_the_same_one_the_same() -> None:
    state = planned(PRESETS["club_night"].stages)

    def tables(number: int) -> list[Any]:
        return [table.seats for _number, each in rounds(rehearsed(state, 9, number)) for table in each.tables]

    assert tables(1) == tables(1) != tables(2)


def test_who_has_entered_takes_part_and_the_others_are_invented() -> None:
    state = planned(PRESETS["club_night"].stages)
    names = {uid("ann"): "Ann", uid("ben"): "Ben"}
    for player, name in names.items():
        for event in deciding.enter(state, entry=uid(f"entry {player}"), name=name, players=[player]):
            state = event.apply(state)
    (first, *_) = rehearsed(state, 5, names=names)
    assert [entry.players[0] for entry in first.entries][:2] == [*names]
    assert [entry.name for entry in first.entries][2:] == ["Player 3", "Player 4", "Player 5"]


def test_the_draws_are_not_from_the_secret_of_the_competition() -> None:
    state = planned(PRESETS["club_night"].stages)
    assert all(each.root not in (state.root, "") for each in rehearsed(state, 8))


def test_open_play_has_nothing_to_rehearse() -> None:
    with pytest.raises(Illegal, match="nothing to rehearse"):
        rehearsed(planned(PRESETS["ladder"].for_tables(range(2, 10)).stages), 8)


@pytest.mark.parametrize(("ruleset", "size"), [("scram-scorecard", 4), ("scamper-scorecard", 4)])
def test_partners_share_a_place(ruleset: str, size: int) -> None:
    plan = StagePlan("Pairs", "rounds", 2, 2, {})
    state = planned((plan,), ruleset, lineup="partners", team_size=2)
    for _number, each in rounds(rehearsed(state, 8)):
        for table in each.tables:
            result = table.games[0].result
            assert len(table.seats) == size and result
            placed = {(seat.entry, at.rank) for seat, at in zip(table.seats, result.placings, strict=True)}
            assert len(placed) == 2
