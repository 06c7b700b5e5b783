"""The end of each deal of the golden games, which the table shows before the next deal."""

import random
from pathlib import Path

import pytest

from games import rules
from games.engine import replay, turning_points
from tests.rules.folders import golden_of
from tests.rules.recording import replayed

LOGS = [path for ruleset in rules.RULESETS if ruleset.dealt for path in golden_of(ruleset)]
EACH = pytest.mark.parametrize("path", LOGS[::3], ids=lambda path: f"{path.parts[-3]}/{path.stem}")


@EACH
def test_every_finished_round_has_an_entry_that_ended_it(path: Path) -> None:
    *_, (_, last) = replayed(path)
    rounds = {row["round"] for row in last.ruleset.sheet(last.state)} if last.state else set()
    assert rounds <= {number for _, number in last.ends}


@EACH
def test_the_end_of_a_deal_is_scored_and_the_next_deal_is_not_dealt(path: Path) -> None:
    for _, position in replayed(path):
        ended = turning_points.at_end_of_deal(position)
        if ended is None:
            continue
        view = replay.view(ended, None)
        assert (view["phase"], view["round"]) == ("over", position.ends[-1][1])
        assert view["sheet"] == replay.view(position, None)["sheet"]
        assert replay.to_act(ended) == ()


@EACH
def test_cards_that_the_end_of_a_deal_does_not_reveal_change_nothing_that_is_shown(path: Path) -> None:
    dice = random.Random(5)
    for _, position in replayed(path):
        ended = turning_points.at_end_of_deal(position)
        if ended is None:
            continue
        ruleset, hidden = ended.ruleset, list(ended.ruleset.hidden(ended.state, None))
        dice.shuffle(hidden)
        other = ruleset.with_hidden(ended.state, None, hidden)
        for viewer in (None, *range(ended.seats)):
            past, changed = (
                ruleset.past_view(state, position.state, viewer) for state in (ended.state, other)
            )
            assert past == changed
