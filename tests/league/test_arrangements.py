"""What the page of a competition says about entries, time and the table before anybody enters."""

from typing import Any

import pytest
from django.test import Client

from games.engine import shapes
from games.engine.clocks import Clock
from league.core.state.plan import Opening
from league.words.competitions import arrangements
from tests.factories import Cast
from tests.league.playing import PLAN, opened

CLOCK = {"move": 129600, "game": 864000, "late": "forfeit", "quiet": "22:00-08:00"}


def told(ruleset: str = "scoops@1", **announced: Any) -> dict[str, str]:
    """What is told of a competition that announced these things, by title."""
    fixed = {"name": "Autumn", "options": {}, "seats": [4], "low_wins": False, "root": "0" * 64, "clock": {}}
    data = {**fixed, "ruleset": ruleset, "stages": [{**PLAN, "params": {}}], **announced}
    opening = shapes.read(Opening, data)
    return dict(arrangements(opening, opening.stages))


def test_a_page_tells_them_before_anybody_enters(client: Client, cast: Cast) -> None:
    clock = shapes.read(Clock, CLOCK)
    competition = opened(cast, ruleset="scoops", clock=clock, entering={"check_in": True})
    page = client.get(f"/competitions/{competition.slug}/").content.decode()
    how = page.partition("how-played")[2].partition("</details>")[0]
    assert how.startswith('" open')
    for said in ("Single players", "1 day 12 hours for each move", "Check in before", "Open hands"):
        assert said in how


@pytest.mark.parametrize(
    ("announced", "title", "said"),
    [
        ({"lineup": "boards", "team_size": 3}, "Who enters", "Teams of 3 whose players sit at different"),
        (
            {"lineup": "partners", "team_size": 2},
            "Who enters",
            "share a table. A team’s place and score",
        ),
        ({"entering": {"places": 1}}, "Places", "There is 1 place; who enters later joins"),
        ({"entering": {"approval": True}}, "Approval", "An organiser approves each entry."),
        ({}, "Time to move", "There is no limit."),
        ({"clock": CLOCK}, "Time to move", "10 days for all of a player’s moves in a game. Who runs out"),
        ({"clock": CLOCK}, "Time to move", "No time passes from 22:00–08:00."),
        ({"clock": {"move": 60}}, "Time to move", "1 minute for each move. For who runs out of time a def"),
        ({"aided": True}, "Help at the table", "lists what your hand makes"),
        ({}, "Help at the table", "You find what your hand makes yourself"),
        ({}, "Open hands", "Nobody sees another hand before the game is over."),
        ({"open_hands": 0}, "Open hands", "as soon as it is over"),
        ({"open_hands": 90}, "Open hands", "all hands of a deal 1 hour 30 minutes after it"),
        ({}, "Time for a round", "There is no set limit."),
    ],
)
def test_each_is_told_in_a_sentence(announced: dict[str, Any], title: str, said: str) -> None:
    assert said in told(**announced)[title]


@pytest.mark.parametrize(
    ("overdue", "said"),
    [("organiser", "An organiser decides"), ("defaults", "default moves"), ("forfeit", "forfeit the game")],
)
def test_a_deadline_is_told_with_what_it_does(overdue: str, said: str) -> None:
    stages = [{**PLAN, "params": {}, "hours": 168}, {**PLAN, "params": {}, "name": "Final"}]
    lines = told(stages=stages, overdue=overdue)
    assert lines["Time for a round: League"] == "7 days"
    assert lines["Time for a round: Final"] == "There is no set limit."
    assert said in lines["After the deadline of a round"]


def test_a_game_with_real_cards_has_no_clock_to_tell() -> None:
    assert "Time to move" not in told("scoops-scorecard@1")
