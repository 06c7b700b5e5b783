"""What is said to help does help: the next evening is played, by that person alone."""

from fractions import Fraction
from itertools import product
from typing import Final

import pytest

from games.engine.values import replace
from league.apps.series.core import ranking, telling
from league.apps.series.core.counting import Facts, Span
from league.apps.series.core.parts import Part, Share
from league.apps.series.core.rule import Absence, Count, Drops, Rule
from tests.apps.series.years import WEEK, evenings, rows

MEAN: Final = Rule(divide="mean", over=3)
RULES: Final = [
    replace(rule, absence=absence)
    for rule in (
        MEAN,
        Rule(),
        Rule(count=Count(best=2)),
        Rule(divide="mean", count=Count(drops=Drops(every=2))),
        Rule(ties="shared"),
    )
    for absence in (Absence(), Absence("value", "5"), Absence("average"))
]
VALUES: Final = ("-", "2", "9")
YEARS: Final = [
    f"Ann {' '.join(ann)}; Ben {' '.join(ben)}; Cem 8 - -"
    for ann in product(VALUES, repeat=3)
    for ben in product(VALUES, repeat=3)
    if {*ann} != {"-"} and {*ben} != {"-"}
]


def with_final(year: str) -> list[Part]:
    *others, last = evenings(year)
    return [*others, replace(last, final=True, weight=2)]


def with_one_more(parts: list[Part], person: str, value: Fraction) -> list[Part]:
    """Return evenings and one that a person plays alone."""
    share = Share(person, value, 1)
    return [*parts, Part("next", 9, "Next", parts[-1].on + WEEK, (share,), field=1)]


def taken(rule: Rule, parts: list[Part], person: str, value: Fraction, place: int) -> bool:
    rank = rows(rule, with_one_more(parts, person, value))[person].rank
    return rank is not None and rank <= place


@pytest.mark.parametrize("rule", RULES)
def test_the_place_is_taken_where_all_others_stay_away_and_by_nothing_less(rule: Rule) -> None:
    wrong = []
    for year in YEARS:
        parts = with_final(year)
        found = rows(rule, parts)
        for person, row in found.items():
            if row.reach is None:
                continue
            value, place = row.reach.value, row.reach.place
            enough = taken(rule, parts, person, Fraction(0) if value is None else value, place)
            exact = rule.absence.gives == "nothing"
            less = value is not None and exact and value > 0
            better = exact and taken(rule, parts, person, Fraction(value or 0), place - 1)
            above = max(each.rank for each in found.values() if each.rank and each.rank < (row.rank or 0))
            if not enough or better or (less and taken(rule, parts, person, Fraction(str(value)) - 1, above)):
                wrong.append((year, person, row.reach))
    assert wrong == []


def test_a_tie_won_against_several_takes_the_best_of_their_places() -> None:
    year = "Ann 27 20 20; Ben 28 20 12; Cem 22 25 20"
    assert rows(Rule(count=Count(best=3)), evenings(year))["Ben"].reach == ranking.Reach(1, Fraction(19))


def test_nothing_is_promised_for_a_day_on_which_somebody_no_longer_counts() -> None:
    parts = evenings("Ann 9 9; Ben 8 8; Cem 1 1")
    last = max(part.on for part in parts)
    until = {"Ann": (Span(),), "Ben": (Span(until=last),), "Cem": (Span(),)}
    found = {row.person: row for row in ranking.table(Rule(), parts, Facts(until)).rows}
    assert found["Ben"].reach is None and found["Cem"].reach == ranking.Reach(2, Fraction(14))


def test_a_row_of_an_average_says_what_is_missing_and_what_it_is_divided_by() -> None:
    parts = with_final("Ann - 9 15; Ben 20 2 -; Cem 1 - -")
    rule = replace(MEAN, absence=Absence("value", "5"))
    ann = rows(rule, parts)["Ann"]
    assert (ann.total, ann.divisor) == (Fraction(44, 5), 5)
    told = "15 × 2, 9 count; 5 counts for absence; 0 for 1 missing, divided by 5."
    assert telling.counted(ann) == told
    one = rows(rule, evenings("Ann 18; Ben 20"))["Ann"]
    assert (one.total, telling.counted(one)) == (6, "18 counts; 0 for 2 missing, divided by 3.")
    assert telling.in_brief(one) == "18, 0 × 2"
    assert telling.counted(rows(replace(MEAN, over=0), parts)["Ann"]) == "15 × 2, 9 count."


def test_what_would_help_names_absences_where_they_are_worth_something() -> None:
    rule = replace(MEAN, absence=Absence("value", "5"))
    told = telling.reach(ranking.Reach(1, Fraction(2), away=True), low_wins=False)
    assert told == "2 or more next time takes place 1, if all others stay away or don’t improve."
    found = rows(rule, evenings("Ann 20 2; Ben 10 11"))
    assert found["Ben"].reach == ranking.Reach(1, Fraction(7), away=True)


def test_the_rule_says_how_absences_and_what_is_missing_fit() -> None:
    told = " ".join(map(str, telling.told(replace(MEAN, absence=Absence("value", "5")))))
    assert "fewer than 3 beside finals, absences too, gets 0 for each that is missing" in told
