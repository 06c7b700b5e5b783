"""Knockout: seeds and byes, who advances, who is eliminated, third place, and the names of the rounds."""

from collections import Counter

import pytest

from games.engine.refusals import Illegal
from league.core import formats
from league.core.course import next_step, too_few_present
from league.core.drawing.bracket import seeded
from league.core.drawing.drawing import kept_apart, snaked
from league.core.standings import ranking
from league.core.state.competition import Competition
from league.core.state.plan import Editions, Intake, Placing
from league.core.verbs.draw import DiscardDraw
from league.core.verbs.move_seat import MoveSeat
from league.core.verbs.presence import Absent
from league.core.verbs.results import ResultRecorded, WalkedOver
from league.core.verbs.rulings import RuledSeat, SetResult
from tests.core import deciding as commands
from tests.core.crosstable import after, name_of, plan, row_of, seated, started, table_at
from tests.core.formats.played import (
    competition,
    drawn,
    finished_round,
    last_round,
    played_out,
    sizes,
    stage_of,
)
from tests.core.ids import uid

IN_ORDER = Intake(seeding="order")
EIGHT = "Ann Ben Cem Dana Eva Finn Gus Hal"


def cup(names: str, size: int = 2, edition: int = 0, **params: object) -> Competition:
    editions = Editions(format=edition)
    knockout = plan(
        format="knockout", rounds=0, table_size=size, intake=IN_ORDER, params=params, editions=editions
    )
    return started(names, knockout)


def played(state: Competition, *rounds: str) -> Competition:
    """The state after drawn rounds in which the tables ended as the texts say."""
    for text in rounds:
        state = drawn(state)
        tables = last_round(state).tables
        state = after(state, *commands.publish(state, games={table.id: [uid(table.id)] for table in tables}))
        for each in text.split(";"):
            state = after(state, *in_its_seats(state, each))
        state = after(state, *commands.close_round(state))
    return state


def in_its_seats(state: Competition, text: str) -> list[ResultRecorded]:
    """A result by name, whatever seats the draw gave."""
    winners = [name.strip() for name in text.split(">")]
    table = table_at(state, *winners)
    ranks = {uid(name): rank for rank, name in enumerate(winners, 1)}
    placings = tuple(
        Placing(seat, ranks[entry], 10 - ranks[entry]) for seat, entry in enumerate(table.entries)
    )
    return [ResultRecorded(table.id, uid(table.id), "0" * 64, "finished", placings)]


@pytest.mark.parametrize(
    ("count", "slots"),
    [
        (2, (0, 1)),
        (3, (0, None, 1, 2)),
        (4, (0, 3, 1, 2)),
        (5, (0, None, 3, 4, 1, None, 2, None)),
        (8, (0, 7, 3, 4, 1, 6, 2, 5)),
    ],
)
def test_the_best_seeds_meet_last_and_have_the_byes(count: int, slots: tuple[int | None, ...]) -> None:
    assert seeded(count) == slots


def test_the_first_round_pairs_the_best_with_the_last() -> None:
    assert {frozenset(table) for table in seated(drawn(cup(EIGHT)))} == {
        frozenset({"Ann", "Hal"}),
        frozenset({"Dana", "Eva"}),
        frozenset({"Ben", "Gus"}),
        frozenset({"Cem", "Finn"}),
    }


FIRST = "Ann > Hal; Eva > Dana; Ben > Gus; Cem > Finn"
SEMI = "Ann > Eva; Cem > Ben"


def test_winners_of_neighbouring_tables_meet_next() -> None:
    state = drawn(played(cup(EIGHT), FIRST))
    assert {frozenset(table) for table in seated(state)} == {
        frozenset({"Ann", "Eva"}),
        frozenset({"Ben", "Cem"}),
    }
    assert sorted(name_of(state, entry) for entry in last_round(state).idle) == ["Dana", "Finn", "Gus", "Hal"]


def test_the_losers_of_the_semi_finals_play_for_third_place() -> None:
    state = drawn(played(cup(EIGHT), FIRST, SEMI))
    labels = {
        table.label: {name_of(state, entry) for entry in table.entries} for table in last_round(state).tables
    }
    assert labels == {"final": {"Ann", "Cem"}, "third place": {"Eva", "Ben"}}


def test_without_a_third_place_there_is_only_the_final() -> None:
    state = drawn(played(cup(EIGHT, third_place=False), FIRST, SEMI))
    assert seated(state) == [{"Ann", "Cem"}]


def test_the_standings_follow_the_bracket() -> None:
    state = played(cup(EIGHT), FIRST, SEMI, "Cem > Ann; Ben > Eva")
    order = [name_of(state, row.entry) for row in ranking.standings(state, 1)]
    assert order[:4] == ["Cem", "Ann", "Ben", "Eva"]
    assert [
        row_of(state, name).explanation.split(".")[0] for name in ("Cem", "Ann", "Ben", "Eva", "Gus")
    ] == [
        "Won the final, against Ann",
        "Second in the final, against Cem",
        "Third, against Eva",
        "Fourth, against Ben",
        "Out in round 1, against Ben",
    ]


def test_remaining_entries_rank_above_eliminated_ones() -> None:
    state = played(cup(EIGHT), FIRST)
    order = [name_of(state, row.entry) for row in ranking.standings(state, 1)]
    assert {*order[:4]} == {"Ann", "Ben", "Cem", "Eva"}
    assert row_of(state, "Eva").explanation.startswith("Still in. ")


def test_the_best_seeds_have_the_byes() -> None:
    state = drawn(cup("Ann Ben Cem Dana Eva Finn"))
    assert {name_of(state, entry) for entry in last_round(state).byes} == {"Ann", "Ben"}


def test_the_opponent_of_a_withdrawn_entry_goes_on() -> None:
    state = played(cup("Ann Ben Cem Dana"), "Ann > Dana; Ben > Cem")
    state = drawn(after(state, *commands.withdraw(state, entry=uid("Ann"))))
    assert last_round(state).byes == (uid("Ben"),)
    assert [table.label for table in last_round(state).tables] == ["third place"]


@pytest.mark.parametrize(
    ("state", "still_in"),
    [
        (cup(EIGHT), "Ann Ben Cem Dana"),
        (cup("Ann Ben Cem Dana Eva Finn", size=3), "Ann Ben Cem"),
    ],
    ids=["bracket", "heats"],
)
def test_a_cup_ends_when_all_still_in_have_withdrawn(state: Competition, still_in: str) -> None:
    matches = seated(drawn(state))
    state = played(state, *[";".join(" > ".join(sorted(match)) for match in matches)])
    assert next_step(state) == "draw"
    for name in still_in.split():
        state = after(state, *commands.withdraw(state, entry=uid(name)))
    assert next_step(state) == "finish"


def test_a_round_from_which_all_still_in_are_absent_is_not_drawn() -> None:
    state = played(cup("Ann Ben Cem Dana"), "Ann > Dana; Ben > Cem")
    for name in ("Ann", "Ben"):
        assert not too_few_present(state)
        state = after(state, Absent(uid(name), 2))
    assert too_few_present(state)
    with pytest.raises(Illegal, match="Too few entries"):
        commands.draw(state)


def test_a_walkover_goes_on_and_a_no_show_is_eliminated() -> None:
    state = drawn(cup("Ann Ben Cem Dana"))
    tables = last_round(state).tables
    state = after(state, *commands.publish(state, games={table.id: [uid(table.id)] for table in tables}))
    state = after(
        state, WalkedOver(table_at(state, "Ann").id, (uid("Dana"),)), *in_its_seats(state, "Ben > Cem")
    )
    state = drawn(after(state, *commands.close_round(state)))
    assert {"Ben", "Dana"} in seated(state)


def test_who_is_left_alone_when_all_others_have_withdrawn_wins_by_byes() -> None:
    state = played(cup("Ann Ben Cem Dana"), "Ann > Dana; Ben > Cem")
    for name in ("Ben", "Cem", "Dana"):
        state = after(state, *commands.withdraw(state, entry=uid(name)))
    state = drawn(state)
    assert last_round(state).byes == (uid("Ann"),)
    state = after(state, *commands.publish(state, games={}))
    state = after(state, *commands.close_round(state))
    assert (next_step(state), row_of(state, "Ann").rank) == ("finish", 1)


def corrected(state: Competition, text: str) -> Competition:
    """The state after the result of a table, whichever round it was in, is set anew."""
    winner, loser = (uid(name) for name in text.split(" > "))
    table = next(each for _, _, each in state.tables() if {*each.entries} == {winner, loser})
    seats = tuple(RuledSeat(seat, int(entry == winner)) for seat, entry in enumerate(table.entries))
    return after(state, *commands.decide(state, SetResult(table.id, seats, "Wrong score")))


# In the first editions who had lost to Ann is out in the round in which Ann played on.
@pytest.mark.parametrize("edition", [1, 2, 3])
def test_a_late_correction_leaves_the_ranks_to_the_final_that_was_played(edition: int) -> None:
    state = played(cup("Ann Ben Cem Dana", edition=edition), "Ann > Dana; Ben > Cem", "Ann > Ben;Cem > Dana")
    before = [(name_of(state, row.entry), row.reached) for row in ranking.standings(state, 1)]
    assert before[0] == ("Ann", "Won the final")
    state = corrected(state, "Dana > Ann")
    assert [(name_of(state, row.entry), row.reached) for row in ranking.standings(state, 1)] == before
    assert next_step(state) == "finish"


@pytest.mark.parametrize("edition", [1, 2, 3])
def test_a_correction_of_the_final_counts(edition: int) -> None:
    state = played(cup("Ann Ben Cem Dana", edition=edition), "Ann > Dana; Ben > Cem", "Ann > Ben;Cem > Dana")
    state = corrected(corrected(state, "Ben > Ann"), "Dana > Cem")
    ranks = [name_of(state, row.entry) for row in ranking.standings(state, 1)]
    assert ranks == ["Ben", "Ann", "Dana", "Cem"]


def test_a_correction_counts_until_one_of_the_two_is_drawn_again() -> None:
    state = corrected(played(cup("Ann Ben Cem Dana"), "Ann > Dana; Ben > Cem"), "Dana > Ann")
    state = drawn(state)
    assert {"Dana", "Ben"} in seated(state)
    state = corrected(state, "Ann > Dana")
    assert row_of(state, "Dana").reached == "Still in"
    state = drawn(after(state, *commands.decide(state, DiscardDraw("Corrected"))))
    assert {"Ann", "Ben"} in seated(state)


def test_a_cup_goes_on_with_those_who_went_on() -> None:
    state = corrected(played(cup(EIGHT), FIRST, SEMI), "Hal > Ann")
    assert {"Ann", "Cem"} in seated(drawn(state))


def moved(state: Competition, one: str, other: str) -> Competition:
    """The state after two have exchanged their seats in the round that is drawn."""
    number = last_round(state).number
    return after(state, *commands.decide(state, MoveSeat(1, number, ((uid(one), uid(other)),), "Siblings")))


@pytest.mark.parametrize("winner", ["Ann", "Cem"])
def test_who_exchange_seats_exchange_their_slots(winner: str) -> None:
    loser = "Cem" if winner == "Ann" else "Ann"
    state = moved(drawn(cup("Ann Ben Cem Dana")), "Cem", "Dana")
    state = after(
        state,
        *commands.publish(state, games={table.id: [uid(table.id)] for table in last_round(state).tables}),
    )
    for text in (f"{winner} > {loser}", "Dana > Ben"):
        state = after(state, *in_its_seats(state, text))
    state = drawn(after(state, *commands.close_round(state)))
    assert {frozenset(each) for each in seated(state)} == {
        frozenset({winner, "Dana"}),
        frozenset({loser, "Ben"}),
    }


def test_who_exchanges_seats_with_a_bye_plays_for_it() -> None:
    state = moved(drawn(cup("Ann Ben Cem")), "Ann", "Cem")
    assert seated(state) == [{"Ann", "Ben"}]
    state = after(
        state,
        *commands.publish(state, games={table.id: [uid(table.id)] for table in last_round(state).tables}),
    )
    state = after(state, *in_its_seats(state, "Ann > Ben"))
    assert seated(drawn(after(state, *commands.close_round(state)))) == [{"Ann", "Cem"}]


def test_an_absent_entry_is_eliminated_in_that_round() -> None:
    state = after(cup("Ann Ben Cem Dana"), Absent(uid("Ann"), 1))
    state = played(state, "Ben > Cem")
    assert row_of(state, "Ann").explanation.startswith("Out in round 1.")
    assert row_of(state, "Dana").rank < row_of(state, "Ann").rank


def test_an_absent_finalist_is_second() -> None:
    state = played(cup("Ann Ben Cem Dana"), "Ann > Dana; Ben > Cem")
    state = played(after(state, Absent(uid("Ben"), 2)), "Cem > Dana")
    assert [name_of(state, row.entry) for row in ranking.standings(state, 1)] == ["Ann", "Ben", "Cem", "Dana"]


@pytest.mark.parametrize(("size", "edition"), [(2, 1), (2, 2), (2, 3), (3, 3)])
def test_the_final_of_a_group_counts_though_another_group_has_more_rounds(size: int, edition: int) -> None:
    knockout = plan(
        format="knockout",
        rounds=0,
        table_size=size,
        groups=2,
        intake=IN_ORDER,
        editions=Editions(format=edition),
    )
    state = competition(9, knockout, seats=(2,) if size == 2 else (3, 4))
    while next_step(state) == "draw":
        state = finished_round(drawn(state))
    ends = {table.group: each.number for each in stage_of(state).rounds for table in each.tables}
    assert ends[1] != ends[2]
    for group in (1, 2):
        first = [row for row in ranking.standings(state, 1) if row.group == group][:2]
        assert [row.reached for row in first] == ["Won the final", "Second in the final"]


def test_the_better_seed_goes_on_from_a_tie() -> None:
    state = drawn(cup("Ann Ben Cem Dana"))
    tables = last_round(state).tables
    state = after(state, *commands.publish(state, games={table.id: [uid(table.id)] for table in tables}))
    for table in tables:
        level = (Placing(0, 1, 5), Placing(1, 1, 5))
        state = after(state, ResultRecorded(table.id, uid(table.id), "0" * 64, "finished", level))
    state = drawn(after(state, *commands.close_round(state)))
    assert {"Ann", "Ben"} in seated(state)


# 16 at tables of four, two of each go on: 16, 8, 4
def test_heats_send_the_best_of_each_table_on_to_the_final_table() -> None:
    state = played_out(competition(16, plan(format="knockout", rounds=0, table_size=4)))
    assert [sizes(each) for each in stage_of(state).rounds] == [[4, 4, 4, 4], [4, 4], [4]]
    assert [len(each.idle) for each in stage_of(state).rounds] == [0, 8, 12]


def test_heats_can_send_only_the_winners_on() -> None:
    winners = plan(format="knockout", rounds=0, table_size=4, params={"advance": 1})
    state = played_out(competition(16, winners))
    assert [sizes(each) for each in stage_of(state).rounds] == [[4, 4, 4, 4], [4]]


def test_the_best_seeds_are_spread_over_the_heats() -> None:
    assert snaked("ABCDEFGH", (4, 4)) == [["A", "D", "E", "H"], ["B", "C", "F", "G"]]
    assert snaked("ABCDEFG", (4, 3)) == [["A", "D", "E", "G"], ["B", "C", "F"]]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("count", [16, 24, 48, 100])
def test_entries_of_one_heat_do_not_meet_again_in_the_next(count: int, seed: int) -> None:
    state = competition(count, plan(format="knockout", rounds=0, table_size=4), seed)
    state = drawn(finished_round(drawn(state)))
    assert last_round(state).report["repeats"] == 0


def test_heats_are_kept_apart_within_a_pot_where_possible() -> None:
    met = {name: Counter[str]() for name in "ABCDEF"}
    met["A"]["D"] = met["D"]["A"] = 1
    assert kept_apart([["A", "D", "E"], ["B", "C", "F"]], met) == [["B", "D", "E"], ["A", "C", "F"]]


@pytest.mark.parametrize(("count", "size"), [(n, k) for n in (2, 3, 5, 7, 11, 16, 21) for k in (2, 3, 4, 6)])
def test_a_cup_of_any_size_has_one_winner(count: int, size: int) -> None:
    state = played_out(competition(count, plan(format="knockout", rounds=0, table_size=size)))
    winners = [row for row in ranking.standings(state, 1) if row.explanation.startswith("Won the final")]
    assert [row.rank for row in winners] == [1]


# Seven at tables of four only, two of each go on: 7, 5, and three that no table is for
def test_a_cup_ends_where_those_left_fill_no_table() -> None:
    halves = plan(format="knockout", rounds=0, table_size=4, params={"advance": 2})
    state = competition(7, halves, seats=(4,))
    state = played_out(state)
    assert [sizes(each) for each in stage_of(state).rounds] == [[4], [4]]
    left = [row.rank for row in ranking.standings(state, 1) if row.explanation.startswith("Still in")]
    assert len(left) == 3


@pytest.mark.parametrize(
    ("count", "advance", "nearest"), [(7, 2, "6, 8"), (3, 0, "4"), (5, 1, "4, 7"), (8, 0, ""), (7, 3, "")]
)
def test_before_the_start_a_cup_without_a_final_is_told(count: int, advance: int, nearest: str) -> None:
    heats = plan(format="knockout", rounds=0, table_size=4, params={"advance": advance})
    opening = competition(8, heats, seats=(4,)).opening
    told = " ".join(formats.find("knockout").foretold(opening, heats, count))
    assert told == nearest or told.endswith(f"entries that have a final: {nearest}.")


def test_where_no_number_near_has_a_final_more_should_advance() -> None:
    heats = plan(format="knockout", rounds=0, table_size=4, editions=Editions(1, 1, 1))
    (told,) = formats.of(heats).foretold(competition(8, heats, seats=(4, 6)).opening, heats, 300)
    assert told.endswith("Let more of each table advance.")


@pytest.mark.parametrize(
    ("count", "size", "finalists", "rounds"),
    [
        (6, 3, 3, 2),
        (10, 3, 3, 2),
        (5, 3, 3, 2),
        (6, 4, 4, 2),
        (7, 4, 4, 2),
        (11, 4, 4, 2),
        (13, 4, 4, 3),
        (12, 4, 4, 3),
    ],
)
def test_a_final_table_has_the_usual_size(count: int, size: int, finalists: int, rounds: int) -> None:
    state = competition(count, plan(format="knockout", rounds=0, table_size=size))
    assert formats.of(state.plans[0]).rounds(state, stage_of(state)) == rounds
    state = played_out(state)
    assert (sizes(last_round(state)), len(stage_of(state).rounds)) == ([finalists], rounds)


# Tables 1 and 2: Ann, Dana, Eva and Ben, Cem, Finn. Both winners, and the better of the seconds.
def test_the_best_of_the_others_fill_the_final_table() -> None:
    state = drawn(played(cup("Ann Ben Cem Dana Eva Finn", size=3), "Eva > Dana > Ann; Finn > Cem > Ben"))
    assert seated(state) == [{"Eva", "Finn", "Cem"}]
    assert [table.label for table in last_round(state).tables] == ["final"]


def test_a_cup_whose_organiser_lets_too_few_advance_is_told_the_size_of_its_final() -> None:
    winners = plan(format="knockout", rounds=0, table_size=3, params={"advance": 1})
    opening = competition(6, winners).opening
    (told,) = formats.find("knockout").foretold(opening, winners, 6)
    assert told == "With 6 entries the final table has 2 instead of 3."
    assert not formats.find("knockout").foretold(opening, winners, 9)


# Of 13 at tables of 5, 4 and 4 all are level behind each winner.
def test_a_round_takes_entries_out_whatever_the_ties() -> None:
    heats = plan(format="knockout", rounds=0, table_size=4, params={"ties": "all", "advance": 2})
    state = drawn(competition(13, heats))
    tables = last_round(state).tables
    state = after(state, *commands.publish(state, games={table.id: [uid(table.id)] for table in tables}))
    for table in tables:
        level = tuple(
            Placing(seat, 1 if seat == 0 else 2, 3 if seat == 0 else 1) for seat in range(len(table.seats))
        )
        state = after(state, ResultRecorded(table.id, uid(table.id), "0" * 64, "finished", level))
    state = drawn(after(state, *commands.close_round(state)))
    assert len(last_round(state).idle) == 7


def test_a_bracket_has_a_final_for_every_number() -> None:
    bracket = plan(format="knockout", rounds=0, table_size=2)
    assert not formats.find("knockout").foretold(competition(8, bracket).opening, bracket, 7)
