"""Rehearsals: planned competitions played through by the pure core."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from games import rules
from games.engine import shapes
from games.engine.values import replace
from games.rules.card_game.definition import Options
from games.rules.card_game.shipped import SHIPPED
from games.rules.card_game.totals import doubt
from league.apps.rehearsal.core import Rehearsal
from league.core.entering import with_names
from league.core.presets import PRESETS, Preset
from league.core.standings import ranking
from league.core.state.competition import Competition
from league.core.state.plan import Intake, Opening, StagePlan
from league.core.state.rooms import Room, Rooms
from league.core.state.stages import Round
from league.core.verb import Given, Verb
from league.core.verbs.start import StartCompetition, opening_of
from tests.core import deciding
from tests.core.committed import committed
from tests.core.ids import uid


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


@pytest.mark.parametrize(
    "preset", [PRESETS[key] for key in PRESETS if key != "drop_in"], ids=lambda each: each.key
)
@pytest.mark.parametrize("entries", [9, 16])
def test_every_preset_is_played_to_its_end(preset: Preset, entries: int) -> None:
    sides: dict[str, Any] = {"lineup": preset.lineup, "team_size": preset.team_size}
    states = rehearsed(planned(preset.for_tables(range(2, 10)).stages, **sides), entries)
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


@pytest.mark.parametrize("key", ["ladder", "open_play"])
def test_where_tables_open_one_by_one_people_challenge_each_other(key: str) -> None:
    (after,) = rehearsed(planned((StagePlan("Evening", key, 1, 2, {}),)), 9)
    tables = after.stages[0].rounds[0].tables
    assert len(tables) >= 9 and all(table.decided for table in tables) and after.over
    assert len({frozenset(table.entries) for table in tables}) > 4


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


@pytest.mark.parametrize("ruleset", ["scoops-scorecard", "scamper-scorecard"])
def test_nobody_is_level_in_a_game_whose_scores_are_invented(ruleset: str) -> None:
    states = rehearsed(planned((StagePlan("Swiss", "rounds", 5, 2, {}),), ruleset), 8)
    for _number, each in rounds(states):
        for table in each.tables:
            scores = [placing.score for placing in table.games[0].result.placings]  # type: ignore[union-attr]
            assert scores[0] != scores[1] and all(score % 5 == 0 for score in scores)


@pytest.mark.parametrize("key", SHIPPED)
def test_the_totals_of_a_game_with_a_definition_are_of_deals_that_can_be(key: str) -> None:
    options = {"definition": shapes.write(SHIPPED[key])}
    ruleset = rules.of("card-game", options)
    size = ruleset.seats[0]
    plan = (StagePlan("Evening", "rounds", 2, size, {}),)
    opening = Opening("Thursday", ruleset.name, options, (), ruleset.low_wins, plan, committed(7), {})
    (first, *_) = rehearsed(opening_of(opening).begin(), 2 * size)
    for table in first.stages[0].rounds[0].tables:
        totals = [placing.score for placing in table.games[0].result.placings]  # type: ignore[union-attr]
        assert doubt(Options(SHIPPED[key]), totals) is None and any(totals)


def test_a_match_goes_on_until_it_is_decided_and_has_other_results_each_time() -> None:
    state = planned((StagePlan("Cup", "knockout", 0, 2, {}, best_of=5),))
    tables = [table for _number, each in rounds(rehearsed(state, 16)) for table in each.tables]
    scores = {tuple(sorted(table.tally.won)) for table in tables}
    assert all(each[1] == 3 for each in scores) and len(scores) > 1


def test_the_last_round_is_known_to_be_the_last() -> None:
    states = rehearsed(planned((StagePlan("League", "rounds", 2, 4, {}),)), 8)
    assert [(len(each.stages[0].rounds), each.over) for each in states] == [(1, False), (2, True)]


def test_tables_are_in_the_rooms_that_are_set_and_as_many_as_they_have() -> None:
    state = replace(planned((StagePlan("League", "rounds", 1, 4, {}),)), rooms=Rooms((Room("Bar", 5, 6),)))
    (played,) = rehearsed(state, 12)
    assert played.rooms == state.rooms
    assert [len(table.seats) for _number, each in rounds([played]) for table in each.tables] == [6, 6]


def test_seeds_are_those_that_the_stage_will_have() -> None:
    plan = StagePlan("Cup", "knockout", 0, 2, {}, intake=Intake(seeding="rating"))

    def informed(given: Given, verb: Verb, state: Competition) -> Given:
        best_last = {entry.id: number for number, entry in enumerate(state.entries)}
        return replace(given, seeds=best_last if isinstance(verb, StartCompetition) else {})

    found = Rehearsal(planned((plan,)), uid("competition"), 4, 1, {}, "Player %(number)d", informed)
    after = with_names(found.after_a_round(found.begun()), found.known)
    names = {entry.id: entry.name for entry in after.entries}
    first = [{names[entry] for entry in table.entries} for table in after.stages[0].rounds[0].tables]
    assert {"Player 4", "Player 1"} in first
