"""The table of a series says what counts, what is left out, why each rank, and what would help."""

from datetime import date, timedelta
from fractions import Fraction
from typing import Any, cast

import pytest

from games.engine import shapes
from games.engine.messages import as_json, from_json
from games.engine.refusals import Illegal, Malformed
from games.engine.values import replace
from league.apps.series.core import ranking, telling
from league.apps.series.core.counting import Span, months_before
from league.apps.series.core.presets import PRESETS
from league.apps.series.core.ranking import Facts
from league.apps.series.core.rule import (
    Absence,
    Bonus,
    Count,
    Deduction,
    Drops,
    Minimum,
    Rule,
    Value,
    check,
)
from tests.apps.series.years import FIRST, WEEK, evenings, rows, table, totals, won

BEST_THREE = Rule(count=Count(best=3))
# Best 3     1   2   3   4   total
# Ann       70  70  70   -   210
# Ben       60  60  60   1   180
# Cem       55  55  55   -   165
# Dana      60  55  40  31   155
YEAR = "Ann 70 70 70 -; Ben 60 60 60 1; Cem 55 55 55 -; Dana 60 55 40 31"


def test_the_row_says_what_counts_what_is_left_out_and_what_would_help() -> None:
    dana = rows(BEST_THREE, evenings(YEAR))["Dana"]
    assert telling.counted(dana) == "60, 55, 40 count; 31 is left out."
    assert telling.in_brief(dana) == "60, 55, 40 (31)"
    expected = "50 or more next time takes place 3, if those above don’t improve."
    assert telling.reach(dana.reach, low_wins=False) == expected


def test_what_would_help_is_one_more_where_the_tie_would_be_lost() -> None:
    year = evenings(YEAR.replace("Cem 55 55 55 -", "Cem 61 52 52 -"))
    assert rows(BEST_THREE, year)["Dana"].reach == ranking.Reach(3, Fraction(51))


def test_to_be_level_in_everything_is_enough_to_share_a_place() -> None:
    assert rows(BEST_THREE, evenings("Ann 60 50; Ben 60 -"))["Ben"].reach == ranking.Reach(1, Fraction(50))


def test_what_would_help_allows_for_prizes_already_won() -> None:
    year = evenings("Ann 60 60; Ben 60 -")
    found = rows(replace(PRESETS["purley"].rule, divide="sum"), year, prizes=[won("Ben", "Wine", FIRST)])
    assert found["Ben"].reach == ranking.Reach(1, Fraction(70))


def test_many_values_are_counted_instead_of_told() -> None:
    ann = rows(Rule(count=Count(best=12)), evenings(f"Ann {' '.join(['5'] * 14)}"))["Ann"]
    assert telling.counted(ann) == "12 count; 2 are left out."
    assert telling.in_brief(ann) == "12/14"


def test_what_counts_double_and_for_absence_is_named_as_such() -> None:
    final, *others = evenings("Ann 15 15 0 -; Ben - - - 9")
    parts = (replace(final, weight=2, final=True), *others)
    ann = rows(Rule(absence=Absence("value", "500"), edition=2), parts)["Ann"]
    assert telling.counted(ann) == "15 × 2, 15, 0 count; 500 counts for absence."


def test_a_value_by_places_says_from_which_place_of_how_many() -> None:
    parts = evenings("Ann 9; Ben 5; Cem 5; Dana 1")
    found = rows(Rule(value=Value("places", ("4", "3", "2", "1"))), parts)
    told = {who: " ".join(telling.why(row.cells[0])) for who, row in found.items()}
    assert told["Ann"] == "Counts. Place 1 of 4." and "Place 2 of 4, shared with one other." in told["Ben"]
    assert " ".join(telling.why(rows(Rule(), parts)["Ann"].cells[0])) == "Counts."


def test_what_would_help_is_a_value_that_a_scale_of_awards_has() -> None:
    ben = rows(Rule(value=Value("one_winner")), evenings("Ann 9; Ben 5; Cem 4; Dana 3; Eve 2; Fay 1"))["Ben"]
    assert (ben.total, ben.reach) == (6, ranking.Reach(1, Fraction(12), rank=1, field=6))


def test_what_would_help_is_said_in_hundredths_and_as_a_place_where_places_make_values() -> None:
    rule, year = Rule(value=Value("beaten"), divide="mean"), "Ann 9 8 9; Ben 5 9 4; Cem 5 1 8; Dana 1 5 5"
    found = {who: row.reach for who, row in rows(rule, evenings(year)).items() if row.reach}
    assert {who: (each.place, each.value, each.rank, each.field) for who, each in found.items()} == {
        "Cem": (2, Fraction("83.34"), 1, 4),
        "Dana": (3, Fraction("88.89"), 1, 4),
    }
    assert telling.as_place(found["Cem"]) == "In a field of 4 that is place 1."
    assert telling.as_place(replace(found["Cem"], rank=2)) == "In a field of 4 that is place 2 or better."


def test_the_place_that_is_enough_goes_by_its_exact_value_and_not_by_hundredths() -> None:
    rule, year = (
        Rule(value=Value("beaten"), ties="shared"),
        "Ann 7; Ben 6; Cem 5; Dana 4; Eve 3; Fay 2; Gus 1",
    )
    found = {who: row.reach for who, row in rows(rule, evenings(year)).items() if row.reach}
    assert {each.value for each in found.values()} == {Fraction("16.67")}
    assert {(each.rank, each.field) for each in found.values()} == {(6, 7)}


def test_who_has_nothing_that_counts_has_no_rank_since_the_third_edition() -> None:
    rule = Rule(count=Count(declared=4))
    ranks = [rows(replace(rule, edition=edition), evenings("Ann 9"))["Ann"].rank for edition in (2, 3)]
    assert ranks == [1, None]


def test_nothing_of_an_evening_alone_counts_where_the_field_is_what_counts() -> None:
    assert telling.counted(rows(Rule(value=Value("beaten")), evenings("Ann 9"))["Ann"]) == "Nothing counts."


def test_to_play_is_enough_where_that_is_what_a_bonus_needs() -> None:
    rule = Rule(bonus=Bonus(points="10", beyond=1))
    ben = rows(rule, evenings("Ann 8 -; Ben 5 -"))["Ben"]
    assert ben.reach == ranking.Reach(1, None)
    expected = "To play next time is enough for place 1, if those above don’t improve."
    assert telling.reach(ben.reach, low_wins=False) == expected


def test_to_play_is_enough_where_only_what_prizes_take_off_goes_below_zero() -> None:
    rule = Rule(deduction=Deduction("10"), bonus=Bonus("30"))
    found = rows(rule, evenings("Ann 5; Ben 5"), prizes=[won("Ben", "Wine")])
    assert found["Ben"].total == 25
    assert found["Ben"].reach == ranking.Reach(1, None)


def test_a_result_below_zero_may_help_where_one_was_played_though_it_does_not_count() -> None:
    rule, year = Rule(count=Count(declared=2), divide="mean"), evenings("Ann 0 -3; Ben 1 -", low_wins=True)
    found = rows(rule, year, declared={"Ann": {1}, "Ben": {1}})
    assert found["Ben"].reach == ranking.Reach(1, Fraction(-1))


def test_nothing_helps_who_would_need_more_than_the_first_place() -> None:
    rule = Rule(value=Value("places", ("3", "2", "1")))
    found = rows(rule, evenings("Ann 9 9 9; Ben 8 8 8; Cem 7 7 7; Dana 6 6 6"))
    assert found["Ben"].reach is None  # 3 is level at 9, but Ann has won more often
    assert found["Cem"].reach == ranking.Reach(2, Fraction(3), rank=1, field=4)
    assert found["Dana"].reach == ranking.Reach(3, Fraction(3), rank=1, field=4)


def test_nothing_helps_who_has_declared_all_evenings() -> None:
    found = rows(Rule(count=Count(declared=1)), evenings("Ann 9; Ben 8"), declared={"Ann": {1}, "Ben": {1}})
    assert found["Ben"].reach is None


# ---- Ties ----


def test_the_best_single_result_decides_and_then_the_next() -> None:
    year = evenings("Ann 60 30 30 -; Ben 60 40 20 -; Cem 50 50 20 -; Dana 60 40 20 -")
    assert [(row.person, row.rank) for row in table(BEST_THREE, year).rows] == [
        ("Ben", 1),
        ("Dana", 1),
        ("Ann", 3),
        ("Cem", 4),
    ]


def told(year: str) -> dict[str, list[str]]:
    found = rows(BEST_THREE, evenings(year)).items()
    return {who: [telling.tie(row, each, lambda other: other) for each in row.ties] for who, row in found}


def test_a_row_tells_what_separates_it_from_all_who_are_level() -> None:
    year = "Ann 60 30 30; Ben 60 40 20; Cem 50 50 20; Dana 60 40 20"
    next_decides = "at 120; the best result is level, too, and the next decides:"
    best_decides = "at 120; the best single result decides:"
    ahead = [f"Level with Ann {next_decides} 40 against 30.", f"Level with Cem {best_decides} 60 against 50."]
    assert told(year) == {
        "Ben": ["Level with Dana: they share the rank.", *ahead[::-1]],
        "Dana": ["Level with Ben: they share the rank.", *ahead[::-1]],
        "Ann": [ahead[1], f"Level with Ben and Dana {next_decides} 30 against 40."],
        "Cem": [f"Level with Ben, Dana and Ann {best_decides} 50 against 60."],
    }


def test_those_whom_the_same_result_decides_are_told_together() -> None:
    year = "Ann 60 30; Ben 50 40; Cem 46 44"
    assert told(year)["Ben"] == [
        "Level with Ann and Cem at 90; the best single result decides: 50 against 60 and 46."
    ]


def test_of_more_than_four_who_are_level_a_row_says_how_many() -> None:
    shared = told("; ".join(f"{who} 6" for who in "ABCDEF"))
    assert shared["A"] == ["Level with 5 others: they share the rank."]
    apart = told("Ann 9 1; " + "; ".join(f"{who} 5 5" for who in "ABCDE"))
    assert apart["Ann"] == ["Level with 5 others at 10; the best single result decides."]


def test_of_equal_results_who_has_one_more_that_is_left_out_is_ahead() -> None:
    row = rows(BEST_THREE, evenings("Ann 6 6 6 -; Ben 6 6 6 1"))["Ann"]
    assert (row.rank, row.ties) == (2, (ranking.Tie(("Ben",), 4, None, (Fraction(1),)),))


def test_a_rule_can_leave_ties_shared() -> None:
    year = evenings("Ann 60 30; Ben 50 40; Cem 1 1")
    found = table(Rule(ties="shared"), year).rows
    assert [(row.person, row.rank) for row in found] == [("Ann", 1), ("Ben", 1), ("Cem", 3)]


# ---- Counting ----


def test_an_absence_at_the_own_average_changes_who_plays_less_by_nothing_else() -> None:
    rule = Rule(absence=Absence("average"))
    assert totals(rule, evenings("Ann 10 5 - -; Ben 7 7 7 7")) == {"Ann": (1, 30), "Ben": (2, 28)}


def test_no_absence_is_given_for_an_evening_that_is_still_played_nor_before_a_person_counts() -> None:
    parts = evenings("Ann 10 10 10 10; Ben - - 10 -")
    parts[-1] = replace(parts[-1], running=True)
    people = {"Ann": (Span(),), "Ben": (Span(FIRST + 2 * WEEK),)}
    found = ranking.table(Rule(absence=Absence("value", "5")), parts, Facts(people)).rows
    assert {row.person: row.total for row in found} == {"Ann": Fraction(40), "Ben": Fraction(15)}


def test_evenings_outside_the_time_in_which_somebody_counts_are_nothing() -> None:
    people = {"Ann": (Span(FIRST, FIRST + 2 * WEEK), Span(FIRST + 4 * WEEK))}
    (row,) = ranking.table(Rule(), evenings("Ann 1 2 4 8; Ben 9 9 9 9"), Facts(people)).rows
    assert row.total == Fraction(11)
    assert [cell.part for cell in row.cells] == ["1", "2", "4"]


def test_who_has_not_played_is_not_in_the_table() -> None:
    people = {"Ann": (Span(),), "Ben": (Span(),)}
    found = ranking.table(Rule(absence=Absence("value", "500")), evenings("Ann 1"), Facts(people))
    assert [row.person for row in found.rows] == ["Ann"]


def test_drops_take_the_worst_and_say_so() -> None:
    rule = Rule(count=Count(drops=Drops(every=2)))
    row = rows(rule, evenings("Ann 4 1 3 2 5"))["Ann"]
    assert [cell.why for cell in row.cells] == ["counts", "dropped", "counts", "dropped", "counts"]


def test_of_equal_values_the_earlier_counts() -> None:
    row = rows(Rule(count=Count(best=1)), evenings("Ann 4 4"))["Ann"]
    assert [cell.counts for cell in row.cells] == [True, False]


def test_of_equal_values_the_earlier_counts_though_it_is_an_absence() -> None:
    first, heavy, final = evenings("Ann - 0 3; Ben 5 5 5")
    year = [first, replace(heavy, weight=2), replace(final, final=True)]
    rule = Rule(count=Count(best=1), absence=Absence("value"), divide="mean", edition=2)
    assert totals(rule, year)["Ann"] == (2, Fraction(3, 2))


def test_a_heavy_evening_counts_so_often_in_sum_and_average() -> None:
    parts = evenings("Ann 60 30; Ben 30 50")
    parts[1] = replace(parts[1], weight=2)
    assert totals(Rule(), parts) == {"Ben": (1, 130), "Ann": (2, 120)}
    mean = {"Ben": (1, Fraction(130, 3)), "Ann": (2, 40)}
    assert totals(Rule(divide="mean"), parts) == mean


def test_of_a_sum_those_evenings_are_best_that_add_most() -> None:
    parts = evenings("Ann 30 20")
    parts[1] = replace(parts[1], weight=2)
    assert totals(Rule(count=Count(best=1)), parts) == {"Ann": (1, 40)}
    assert totals(Rule(count=Count(best=1), divide="mean"), parts) == {"Ann": (1, 30)}


def test_a_final_counts_beside_what_an_average_lacks() -> None:
    parts = evenings("Ann 60 60 60")
    parts[2] = replace(parts[2], final=True)
    assert totals(Rule(divide="mean", over=3), parts) == {"Ann": (1, Fraction(180, 4))}


def test_averages_per_deal_and_per_table_need_deals_and_tables() -> None:
    (part,) = evenings("Ann 90; Ben 60; Cem 10")
    ann, ben, cem = part.shares
    shares = (ann._replace(deals=36, tables=2), ben._replace(deals=24, tables=1), cem)
    part = replace(part, shares=shares)
    assert totals(Rule(value=Value("per_deal"), ties="shared"), [part]) == {
        "Ann": (1, Fraction(5, 2)),
        "Ben": (1, Fraction(5, 2)),
        "Cem": (3, 0),
    }
    assert totals(Rule(value=Value("per_table")), [part])["Ben"] == (1, 60)


# ---- Games in which low scores win ----

LOW_BEST = Rule(count=Count(best=2), minimum=Minimum(played=2))


def test_where_low_scores_win_the_lowest_count_and_lead() -> None:
    year = evenings("Ann 30 10 20; Ben 15 16 90; Cem 1 - -", low_wins=True)
    assert totals(LOW_BEST, year) == {"Ann": (1, 30), "Ben": (2, 31), "Cem": (None, 1)}
    found = table(LOW_BEST, year)
    assert found.low_wins
    told = telling.reach(cast("ranking.Reach", found.rows[1].reach), low_wins=True)
    assert told == "14 or less next time takes place 1, if those above don’t improve."


@pytest.mark.parametrize(
    "rule",
    [Rule(), BEST_THREE, Rule(divide="mean", over=3), Rule(count=Count(drops=Drops(every=1)))],
    ids=["sum", "best", "over", "drops"],
)
def test_where_low_scores_win_nobody_gains_by_staying_away(rule: Rule) -> None:
    with pytest.raises(Illegal, match="who plays less would win"):
        table(rule, evenings("Ann 1 2", low_wins=True))


def test_low_and_high_scores_are_not_added() -> None:
    mixed = [*evenings("Ann 1; Ben 2", low_wins=True), *evenings("Ann 1; Ben 2")]
    with pytest.raises(Illegal, match="share of the field"):
        table(Rule(divide="mean"), mixed)
    assert totals(Rule(value=Value("beaten")), mixed) == {"Ann": (1, 100), "Ben": (1, 100)}


# ---- Rules ----


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        (Rule(value=Value("places")), "value.places"),
        (Rule(value=Value(places=("3",))), "value.places"),
        (Rule(value=Value("beaten", least="1")), "value.least"),
        (Rule(value=Value(least="0")), "value.least"),
        (Rule(value=Value(times="-1")), "value.times"),
        (Rule(count=Count(best=2, drops=Drops(every=1))), "count.drops.every"),
        (Rule(count=Count(best=5, declared=4)), "count.best"),
        (Rule(count=Count(lists=3)), "count.lists"),
        (Rule(lists=(1,)), "lists"),
        (Rule(over=3), "over"),
        (Rule(absence=Absence("nothing", "500")), "absence.value"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_switches_that_contradict_each_other_are_refused(rule: Rule, path: str) -> None:
    with pytest.raises(Malformed) as refused:
        check(rule)
    assert [*refused.value.errors] == [path]


@pytest.mark.parametrize("key", PRESETS)
def test_a_rule_is_read_as_it_was_written_and_told_in_four_sentences_at_most(key: str) -> None:
    rule = PRESETS[key].rule
    assert shapes.read(Rule, shapes.write(rule)) == rule
    assert 3 <= len(telling.told(rule)) <= 4
    for sentence in telling.told(rule):
        assert from_json(as_json(sentence)) == sentence
        assert sentence[0].isupper() and sentence.endswith(".")


def test_every_switch_is_told() -> None:
    full = Rule(
        unit="list",
        lists=(1, 2),
        value=Value(times="3/2", least="12"),
        count=Count(declared=4, drops=Drops(5, 25, 5), months=24, entries=32, lists=3),
        absence=Absence("average"),
        divide="mean",
        over=24,
        bonus=Bonus("1", 30, 40),
        minimum=Minimum(25, 2),
        ties="shared",
        without=("Cup",),
    )
    check(full)
    told: Any = telling.told(full)
    assert len(told) == 4
    assert [sentence.split("; ") for sentence in told] == [
        [
            "Lists 1 and 2 of each evening count, each with the points",
            "fewer than 12 are worth nothing",
            "this is multiplied by 3/2.",
        ],
        [
            "The average of all that are not dropped counts",
            "for every 5 played beyond 25 one of the worst is dropped",
            "at most 5 are dropped",
            "who has fewer than 24 beside finals, absences too, gets 0 for each that is missing",
            "only the first 4 evenings that are declared beforehand count",
            "only the last 24 months count",
            "only evenings with at least 32 entries count",
            "only evenings of at least 3 lists count.",
        ],
        [
            "Who is absent gets their own average",
            "who has played at least 40 gets 1 more for each one beyond 30.",
        ],
        [
            "Equal totals share the rank",
            "who has played fewer than 25 has no rank",
            "a rank takes 2 different partners",
            "who has won one of these prizes has no rank: Cup.",
        ],
    ]


def test_months_go_back_to_the_last_day_of_a_shorter_month() -> None:
    assert months_before(date(2026, 3, 31), 1) == date(2026, 2, 28)
    assert months_before(date(2026, 1, 15), 24) == date(2024, 1, 15)
    assert months_before(date(2026, 1, 31), 1) == date(2025, 12, 31)


def test_prizes_won_later_do_not_touch_an_earlier_evening() -> None:
    prizes = [won("Ann", "Wine", FIRST + WEEK), won("Ann", "Wine", FIRST + WEEK + timedelta(days=1))]
    row = rows(PRESETS["purley"].rule, evenings("Ann 60 60"), prizes=prizes)["Ann"]
    assert [cell.value for cell in row.cells] == [60, 50]


def absences_of(gives: str, edition: int) -> str:
    """Return the total of Ben, who was away on the second of three evenings, which counts double."""
    parts = evenings("Ann 60 60 60; Ben 40 - 20")
    parts[1] = replace(parts[1], weight=2)
    given: Any = Absence("value", "10") if gives == "value" else Absence("average")
    return str(rows(Rule(absence=given, edition=edition), parts)["Ben"].total)


def test_an_absence_counts_as_often_as_its_evening_since_the_second_edition() -> None:
    assert [absences_of("value", edition) for edition in (1, 2)] == ["70", "80"]
    assert [absences_of("average", edition) for edition in (1, 2)] == ["90", "120"]


def test_the_own_average_is_by_weight_since_the_second_edition() -> None:
    parts = evenings("Ann 60 60 60; Ben 40 10 -")
    parts[1] = replace(parts[1], weight=2)
    for edition, average in ((1, 25), (2, 20)):
        ben = rows(Rule(absence=Absence("average"), edition=edition), parts)["Ben"]
        assert ben.cells[-1].value == average and ben.total == 60 + average
