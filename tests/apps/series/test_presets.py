"""Each club's rule gives what its members would work out by hand."""

from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

import pytest

from games.engine.values import replace
from league.apps.series.core.evenings import Parts, in_order
from league.apps.series.core.parts import Part, Share
from league.apps.series.core.presets import ANSWERS, PRESETS
from league.apps.series.core.rule import NEWEST, Rule, Value, check
from league.apps.series.core.state import Evening, Series
from league.apps.series.core.values import worth
from tests.apps.series.years import FIRST, evenings, placed, rows, totals, won


def rule(key: str, edition: int = NEWEST) -> Rule:
    return replace(PRESETS[key].rule, edition=edition)


def ann(count: int, points: int = 100) -> str:
    return f"Ann {' '.join([str(points)] * count)}"


def two_lists(rule: Rule, year: str) -> Sequence[Part]:
    """Return what a rule counts of a year whose evenings have two lists each, with half of the points."""
    wholes = [
        replace(part, shares=tuple(share._replace(tables=2) for share in part.shares))
        for part in evenings(year)
    ]
    days = tuple(Evening(part.evening, part.on.isoformat()) for part in wholes)
    state = Series(1, "Year", rule, "everybody", days)
    return in_order(state, {part.evening: Parts(part) for part in wholes})


@pytest.mark.parametrize("each", [*PRESETS.values(), *ANSWERS.values()], ids=lambda each: each.key)
def test_a_preset_is_a_rule_without_contradictions(each: Any) -> None:
    check(each.rule)


@pytest.mark.parametrize(
    ("key", "word"),
    [
        ("beccles", "handicap"),
        ("lingwood", "handicap"),
        ("swiss_club", "play for somebody else"),
        ("muenchen_sued", "seated"),
        ("altenburg_cup", "declared"),
        ("purley", "per cent"),
    ],
)
def test_what_a_club_does_besides_is_said(key: str, word: str) -> None:
    assert word in PRESETS[key].beside


@pytest.mark.parametrize(
    ("key", "year", "expected"),
    [
        ("germering", ann(13, 1800), 900),
        ("muenchen_sued", ann(15, 20), 330),
        ("ruten_jung", "Ann - 700; Ben 900 100", 1700),
    ],
)
def test_each_of_two_lists_of_an_evening_counts_by_itself(key: str, year: str, expected: int) -> None:
    assert rows(rule(key), two_lists(rule(key), year))["Ann"].total == expected


# ---- Skat ----


def test_in_germering_twenty_lists_are_divided_by_twenty_four() -> None:
    assert totals(rule("germering"), evenings(ann(20, 920))) == {"Ann": (1, Fraction(18_400, 24))}


def test_in_germering_a_twenty_fifth_list_counts_as_well() -> None:
    assert totals(rule("germering"), evenings(f"{ann(24, 900)} 1400")) == {"Ann": (1, Fraction(920))}


@pytest.mark.parametrize(("played", "drops"), [(29, 0), (30, 1), (37, 2), (50, 5), (60, 5)])
def test_in_altenburg_every_fifth_list_from_the_thirtieth_earns_a_drop(played: int, drops: int) -> None:
    year = "Ann " + " ".join(str(100 * number) for number in range(1, played + 1))
    row = rows(rule("altenburg"), evenings(year))["Ann"]
    assert [cell.value for cell in row.cells if not cell.counts] == [
        100 * each for each in range(1, drops + 1)
    ]
    assert row.total == 50 * (drops + 1 + played)


def test_in_altenburg_a_drop_takes_the_worst_so_far_when_it_is_earned() -> None:
    year = "Ann " + " ".join(["700"] * 29 + ["600", "500"])
    row = rows(rule("altenburg"), evenings(year))["Ann"]
    assert [cell.value for cell in row.cells if not cell.counts] == [600]
    assert row.reach is None and row.total == Fraction(700 * 29 + 500, 30)


def test_in_altenburg_who_played_twenty_four_lists_needs_one_more() -> None:
    row = rows(rule("altenburg"), evenings(ann(24)))["Ann"]
    assert row.rank is None
    assert row.lacks == ("1 more list is needed for a rank.",)


def test_in_the_cup_of_altenburg_only_four_declared_lists_count() -> None:
    year = evenings("Ann 500 900 700 1200 800 1000; Ben 600 600 600 600 600 600")
    declared = {"Ann": {1, 2, 5, 6, 3}, "Ben": {1, 2}}
    assert totals(rule("altenburg_cup"), year, declared=declared) == {"Ann": (1, 2900), "Ben": (2, 1200)}


@pytest.mark.parametrize(("lists", "declared"), [(1, 4), (2, 2)])
def test_in_the_cup_of_altenburg_four_of_ten_lists_count_whatever_an_evening_has(
    lists: int, declared: int
) -> None:
    cup = rule("altenburg_cup")
    cup = replace(cup, count=replace(cup.count, declared=declared))
    year = ann(10 // lists, 100 * lists)
    evenings_ = two_lists(cup, year) if lists == 2 else evenings(year)
    row = rows(cup, evenings_, declared={"Ann": {1, 2, 3, 4, 5}})["Ann"]
    assert [cell.value for cell in row.cells if cell.counts] == [100] * 4 and len(row.cells) == 10


def test_in_the_cup_of_altenburg_each_list_of_a_declared_evening_counts() -> None:
    year = two_lists(rule("altenburg_cup"), "Ann 1000 600 800")
    row = rows(rule("altenburg_cup"), year, declared={"Ann": {1, 3}})["Ann"]
    assert [cell.value for cell in row.cells if cell.counts] == [500, 500, 400, 400]


def test_in_muenchen_sued_thirty_lists_earn_a_bonus_for_each() -> None:
    year = evenings(f"{ann(30, 10)}\nBen {' '.join(['11'] * 29)} -")
    assert totals(rule("muenchen_sued"), year) == {"Ann": (1, 330), "Ben": (2, 319)}


def test_in_wolfenbuettel_nineteen_evenings_give_no_rank() -> None:
    year = evenings(f"Ann {' '.join(['100'] * 19)} -\nBen {' '.join(['50'] * 20)}")
    assert totals(rule("wolfenbuettel"), year) == {"Ben": (1, 1000), "Ann": (None, 1900)}


def test_the_first_lists_of_evenings_can_be_a_series_of_their_own() -> None:
    first = Rule(unit="list", lists=(1,))
    lists = [
        replace(part, key=f"{part.key}.{number}", list=number)
        for part in evenings("Ann 700 600; Ben 800 400")
        for number in (1, 2)
    ]
    assert totals(first, lists) == {"Ann": (1, 1300), "Ben": (2, 1200)}


def test_ruten_jung_gives_500_for_each_list_without_a_member() -> None:
    year = evenings("Ann 700 -400 900; Ben - 650 -")
    assert totals(rule("ruten_jung"), year) == {"Ben": (1, 1650), "Ann": (2, 1200)}


# ---- Jass, Doppelkopf, cribbage ----


def test_in_the_staecherei_a_third_place_in_the_final_counts_double() -> None:
    final = replace(placed(3)[0], key="F", evening=5, weight=2, final=True)
    row = rows(rule("staecherei"), [*placed(2, 1, 5, 4), final])["Ann"]
    assert [(cell.value, cell.why) for cell in row.cells] == [
        (18, "counts"),
        (25, "counts"),
        (10, "not_best"),
        (12, "counts"),
        (15, "final"),
    ]
    assert row.total == 55 + 30


def test_in_the_staecherei_two_who_share_the_first_place_both_have_its_points() -> None:
    found = totals(rule("staecherei"), evenings("Ann 9; Ben 9; Cem 5"))
    assert found == {"Ann": (1, 25), "Ben": (1, 25), "Cem": (3, 15)}


def test_in_the_staecherei_all_from_the_tenth_have_a_point() -> None:
    assert totals(rule("staecherei"), placed(10, 11, 19)) == {"Ann": (1, 3)}


def test_in_the_swiss_club_the_three_best_of_five_are_added() -> None:
    year = evenings("Ann 900 850 - 700 1000; Ben 950 940 930 100 100")
    assert totals(rule("swiss_club"), year) == {"Ben": (1, 2820), "Ann": (2, 2750)}


def lists_of(evening: int, on: date, points: Sequence[int], entries: int) -> list[Part]:
    return [
        Part(f"{evening}.{number}", evening, "", on, (Share("Ann", Fraction(each), 1),), number, entries)
        for number, each in enumerate(points, 1)
    ]


def test_the_ddv_counts_the_average_of_rounds_of_large_events_in_two_years() -> None:
    on = date(2026, 11, 15)
    days = [date(2024, 11, 16), *[on] * 11]
    counted = [part for at, day in enumerate(days, 1) for part in lists_of(at, day, (10, 20, 60), 32)]
    left_out = [
        *lists_of(13, on, (99, 99, 99), 31),
        *lists_of(14, on, (99, 99), 40),
        *lists_of(15, date(2024, 11, 15), (99, 99, 99), 40),
    ]
    row = rows(rule("ddv"), [*counted, *left_out])["Ann"]
    assert (row.rank, row.total, row.played) == (1, 30, 36)
    assert {cell.why for cell in row.cells if not cell.counts} == {"few_entries", "few_lists", "too_old"}
    assert rows(rule("ddv"), counted[3:])["Ann"].lacks == ("3 more lists are needed for a rank.",)


def test_in_the_acc_an_evening_below_twelve_points_gives_nothing() -> None:
    assert totals(rule("acc"), evenings("Ann 14 11 12; Ben 11 11 11")) == {"Ann": (1, 26), "Ben": (2, 0)}


# ---- Bridge ----


def test_in_poynton_the_best_average_of_twenty_wins() -> None:
    year = evenings(f"Ann {' '.join(['60', '50'] * 10)}\nBen {' '.join(['70'] * 19)} -")
    assert totals(rule("poynton"), year) == {"Ann": (1, 55), "Ben": (None, 70)}


def test_in_poynton_the_best_average_is_left_out_of_the_aggregate() -> None:
    year = evenings("Ann 65 64; Ben 55 52; Cem 50 53; Dana 45 45; Eve 40 40")
    prizes = [won("Ann", "Best average"), won("Ben", "Slams")]
    found = rows(rule("poynton_aggregate"), year, prizes=prizes)
    assert {who: (row.rank, row.total) for who, row in found.items()} == {
        "Ben": (1, 5),
        "Cem": (1, 5),
        "Dana": (3, 2),
        "Eve": (4, 0),
        "Ann": (None, 8),
    }
    assert found["Ann"].lacks == ("No rank, as the winner of this prize: Best average.",)


def test_at_st_michaels_equal_averages_share_the_cup() -> None:
    year = evenings(
        f"Ann {' '.join(['60', '40'] * 13)}\nBen {' '.join(['40', '60'] * 13)}\n"
        f"Cem {' '.join(['50'] * 24)} - -"
    )
    mean = Fraction(12 * 3 + 12 * 1 + 3 + 2, 26)
    assert totals(rule("st_michaels"), year) == {"Ann": (1, mean), "Ben": (1, mean), "Cem": (None, 2)}


def test_in_beccles_the_best_two_of_three_are_averaged() -> None:
    year = evenings("Ann 60 40 52; Ben 54 56 -; Cem 70 - -")
    assert totals(rule("beccles"), year) == {"Ann": (1, 56), "Ben": (2, 55), "Cem": (None, 70)}


def test_in_lingwood_all_of_eight_or_more_are_averaged() -> None:
    year = evenings(
        f"Ann {' '.join(['60', '50'] * 4)} 46\nBen {' '.join(['58'] * 7)} - -\nCem {' '.join(['53'] * 8)} -"
    )
    assert totals(rule("lingwood"), year) == {"Ann": (1, 54), "Cem": (2, 53), "Ben": (None, 58)}


def test_in_torquay_it_takes_seven_evenings_and_two_partners() -> None:
    year = [
        replace(
            part, shares=tuple(_with(share, "Dana" if part.evening < 5 else "Eve") for share in part.shares)
        )
        for part in evenings(f"Ann {' '.join(['50'] * 9)} 40\nBen {' '.join(['60'] * 4)} - - - - - -")
    ]
    found = rows(rule("torquay"), year)
    assert (found["Ann"].rank, found["Ann"].total) == (1, 450)
    assert found["Ben"].lacks == (
        "3 more evenings are needed for a rank.",
        "1 more partner is needed for a rank.",
    )


def _with(share: Share, partner: str) -> Share:
    return share._replace(partners=frozenset({partner}))


def test_in_purley_each_prize_of_eleven_months_takes_five_per_cent_off() -> None:
    last = FIRST + timedelta(days=14)
    prizes = [
        won("Ann", "Wine", date(2025, 2, 25)),
        won("Ann", "Wine", date(2025, 2, 14)),
        won("Ann", "Wine", last),
        won("Ben", "Wine", date(2025, 2, 1)),
    ]
    year = evenings("Ann 60 60; Ben 54 54")
    # On the first evening both prizes of February are within eleven months, on the second one is.
    assert [cell.value for cell in rows(rule("purley"), year, prizes=prizes)["Ann"].cells] == [50, 55]
    assert totals(rule("purley"), year, prizes=prizes) == {"Ben": (1, 54), "Ann": (2, Fraction(105, 2))}


# ---- Formulas of place and field ----


def awards(by: Any, *, field: int, tables: int = 0, times: str = "1") -> list[Any]:
    value = worth(Value(by, times=times))
    part = Part("1", 1, "", FIRST, (), field=field, tables=tables)
    return [value(part, Share("Ann", Fraction(0), place)) for place in range(1, field + 1)]


def shared(by: Any, place: int, level: int, *, field: int, tables: int = 0) -> Any:
    part = Part("1", 1, "", FIRST, (), field=field, tables=tables)
    return worth(Value(by))(part, Share("Ann", Fraction(0), place, level))


def decimals(*values: str) -> list[Fraction]:
    return [Fraction(value) for value in values]


def test_an_open_club_game_of_the_acbl_rewards_forty_per_cent() -> None:
    found = awards("acbl_club", field=14, tables=7)
    assert found[:5] == decimals("0.70", "0.49", "0.35", "0.245", "0.14")
    assert found[5:8] == [Fraction(7, 60), 0, 0]


def test_the_award_of_the_acbl_has_a_limit_and_counts_half_tables() -> None:
    assert awards("acbl_club", field=40, tables=20)[0] == Fraction(3, 2)
    assert awards("acbl_club", field=11, tables=5)[0] == Fraction(6, 10)
    assert sum(map(bool, awards("acbl_club", field=11, tables=5))) == 4


@pytest.mark.parametrize(
    ("tables", "times", "first"), [(20, "8.5", "17/4"), (60, "1", "7/6"), (100, "10", "13.97")]
)
def test_the_general_formula_of_the_acbl_grows_more_slowly_above_sixty_tables(
    tables: int, times: str, first: str
) -> None:
    times = str(Fraction(times))
    assert awards("acbl_open", field=2 * tables, tables=tables, times=times)[0] == Fraction(first)


def test_the_sbu_awards_a_third_of_the_field_in_equal_steps() -> None:
    assert awards("one_winner", field=12)[:5] == [24, 18, 12, 6, 0]
    assert awards("two_winners", field=6)[:3] == [20, 10, 0]
    assert awards("individual", field=12)[:5] == [15, 12, 9, 6, 0]


@pytest.mark.parametrize(
    ("by", "field", "place", "level", "each"),
    [
        ("two_winners", 6, 1, 1, 15),
        ("two_winners", 6, 2, 1, 10),
        ("one_winner", 12, 1, 1, 21),
        ("one_winner", 12, 3, 1, 9),
        ("one_winner", 12, 3, 2, 6),
        ("one_winner", 12, 3, 5, 6),
        ("one_winner", 12, 5, 2, 0),
    ],
)
def test_who_shares_a_place_shares_the_awards_but_has_the_least(
    by: str, field: int, place: int, level: int, each: int
) -> None:
    assert shared(by, place, level, field=field) == each


def test_simultaneous_pairs_fall_evenly_over_the_top_third() -> None:
    found = awards("simultaneous", field=1486, tables=743)
    assert (found[0], found[494], found[495]) == (818, 2, 0)
    assert awards("simultaneous", field=9, tables=25)[:4] == [150, 100, 50, 0]


def test_two_joint_firsts_of_five_have_beaten_87_and_a_half_per_cent() -> None:
    year = evenings("Ann 9; Ben 9; Cem 5; Dana 4; Eve 1")
    found = {who: total for who, (_, total) in totals(Rule(value=Value("beaten")), year).items()}
    assert found == {"Ann": Fraction(175, 2), "Ben": Fraction(175, 2), "Cem": 50, "Dana": 25, "Eve": 0}


def test_who_was_alone_has_beaten_nobody_and_no_value() -> None:
    row = rows(Rule(value=Value("beaten")), evenings("Ann 9"))["Ann"]
    assert [(cell.value, cell.why) for cell in row.cells] == [(None, "no_value")]
    assert (row.total, row.played) == (0, 0)


# ---- What counts for the year? ----


@pytest.mark.parametrize(
    ("key", "number", "expected"),
    [
        ("everything", 0, {"Ann": 186, "Ben": 170}),
        ("best", 2, {"Ben": 130, "Ann": 115}),
        ("average", 5, {"Ann": Fraction(186, 5), "Ben": 34}),
        ("beaten", 0, {"Ann": 200, "Ben": 200}),
        ("places", 0, {"Ben": 36, "Ann": 36}),
    ],
)
def test_each_answer_to_what_counts_gives_its_totals(key: str, number: int, expected: dict[str, Any]) -> None:
    year = evenings("Ann 60 55 40 31; Ben 70 60 20 20")
    chosen = ANSWERS[key].with_number(number, low_wins=False)
    assert {who: total for who, (_, total) in totals(chosen, year).items()} == expected


@pytest.mark.parametrize("key", ANSWERS)
def test_each_answer_suits_games_where_low_scores_win(key: str) -> None:
    year = evenings("Ann 3 4 5; Ben 9 - -; Cem 12 12 -", low_wins=True)
    first, *_ = totals(ANSWERS[key].with_number(2, low_wins=True), year)
    assert first == "Ann"
