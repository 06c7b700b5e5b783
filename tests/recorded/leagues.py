"""The leagues that are recorded: each format, tables of several sizes, and stages after each other."""

from collections.abc import Mapping
from typing import Final

from league.core.state.plan import Intake, Scoring, StagePlan
from tests.recorded.recorder import League

DUEL: Final = ("head_to_head", "opponents_points_cut", "opponents_points", "wins", "game_score")
SWISS: Final = ("opponents_points_median", "beaten_points", "wins")
TABLE: Final = ("score_difference", "places", "most_recent")
BEST: Final = Intake("best", best=2)

PLANS: Final[Mapping[str, tuple[int, tuple[StagePlan, ...]]]] = {
    "rounds": (9, (StagePlan("Evening", "rounds", 3, 4, {}, Scoring(best=2), TABLE),)),
    "round_robin": (4, (StagePlan("League", "round_robin", 0, 2, {}, tie_breaks=DUEL),)),
    "swiss": (7, (StagePlan("Swiss", "swiss", 3, 2, {}, tie_breaks=SWISS),)),
    "swiss_at_tables": (8, (StagePlan("Swiss", "swiss", 2, 4, {}, Scoring(by="score"), TABLE),)),
    "knockout": (6, (StagePlan("Cup", "knockout", 0, 2, {}, tie_breaks=DUEL),)),
    "open_play": (4, (StagePlan("Open", "open_play", 1, 2, {}, tie_breaks=DUEL),)),
    "ladder": (4, (StagePlan("Ladder", "ladder", 1, 2, {"reach": 3}, tie_breaks=DUEL),)),
    "accounts": (4, (StagePlan("Open", "open_play", 1, 2, {}, tie_breaks=DUEL),)),
    "groups_and_cup": (
        6,
        (
            StagePlan("Groups", "round_robin", 0, 2, {}, Scoring(by="win"), DUEL, groups=2),
            StagePlan("Cup", "knockout", 0, 2, {}, tie_breaks=DUEL, intake=BEST),
        ),
    ),
    "divisions": (
        6,
        (
            StagePlan(
                "Autumn", "rounds", 1, 3, {}, tie_breaks=TABLE, groups=2, intake=Intake(divide="stack")
            ),
            StagePlan(
                "Spring",
                "rounds",
                1,
                3,
                {},
                tie_breaks=TABLE,
                groups=2,
                intake=Intake("promotion", promoted=1, relegated=1, carry="1/2"),
            ),
        ),
    ),
}
"""The number of entries and the stages of each, by the name of its file."""


def league(name: str) -> League:
    """Return a league that is played to its end."""
    entries, plans = PLANS[name]
    played = League(name, entries, plans)
    played.play()
    return played
