"""The line: a tie on the last place that counts, by every rule. `AB|C D` are classes, level ones together."""

import pytest

from league.core.lines import line_at
from league.core.state.values import LineRule

SEEDS = "DCBA"


@pytest.mark.parametrize(
    ("classes", "places", "rule", "through", "level"),
    [
        pytest.param("A|B|C", 2, "lots", "AB", "", id="nobody is level"),
        pytest.param("A|BC|D", 1, "lots", "A", "", id="a tie below the line"),
        pytest.param("AB|C|D", 2, "play_off", "AB", "", id="a tie above the line"),
        pytest.param("AB|C", 0, "all", "", "", id="no places"),
        pytest.param("AB|C", 5, "lots", "ABC", "", id="more places than entries"),
        pytest.param("A|BC|D", 2, "lots", "AB", "BC", id="lots"),
        pytest.param("A|BC|D", 2, "seed", "AC", "BC", id="the better seed"),
        pytest.param("A|BC|D", 2, "all", "ABC", "BC", id="all"),
        pytest.param("A|BC|D", 2, "play_off", "AB", "BC", id="a play-off that was not played"),
        pytest.param("ABCD", 2, "seed", "CD", "ABCD", id="everybody is level"),
    ],
)
def test_a_tie_on_the_last_place_is_decided_as_the_stage_says(
    classes: str, places: int, rule: LineRule, through: str, level: str
) -> None:
    line = line_at(classes.split("|"), places, rule, seeds=SEEDS)
    assert "".join(line.through) == through
    assert "".join(line.level) == level
    assert sorted(line.through + line.out) == sorted(classes.replace("|", ""))


@pytest.mark.parametrize(
    ("ranks", "through", "decided"),
    [
        pytest.param({"B": 2, "C": 1, "D": 3}, "AC", "ppp", id="a winner"),
        pytest.param({"B": 1, "C": 1, "D": 3}, "AB", "llp", id="level again: lots among those"),
        pytest.param({"B": 1, "C": 1, "D": 1}, "AB", "lll", id="void: lots"),
        pytest.param({"C": 2, "D": 1}, "AD", "ppp", id="one was not there"),
        pytest.param({"D": 1, "A": 2}, "AB", "lll", id="a play-off of others does not count"),
    ],
)
def test_a_play_off_decides_and_lots_what_it_leaves_level(
    ranks: dict[str, int], through: str, decided: str
) -> None:
    line = line_at(["A", "BCD"], 2, "play_off", play_offs=[ranks])
    assert "".join(line.through) == through
    assert "".join(line.decided[entry][0] for entry in "BCD") == decided


def test_the_latest_play_off_counts() -> None:
    line = line_at(["AB"], 1, "play_off", play_offs=[{"A": 2, "B": 1}, {"A": 1, "B": 2}])
    assert line.through == ("B",)


def test_all_who_are_level_are_more_than_the_places() -> None:
    assert line_at(["A", "BCD"], 2, "all").extra == 2
    assert line_at(["A", "BCD"], 2, "lots").extra == 0
