"""Presets: settings for common kinds of competition, which an organiser may change before opening."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from games.engine import shapes
from games.engine.jsontypes import JsonObject
from games.engine.messages import Message, text
from games.engine.replay import AnyRuleset
from games.engine.values import replace
from league.core import formats
from league.core.state.plan import Editions, Entering, Intake, Opening, Scoring, StagePlan, Waits
from league.core.state.values import Entropy, Lineup, Overdue, Pace, Policy

CLUB_PRESET: Final = "club-"
"""The prefix of the key of a preset that a club keeps, before its id."""
IN_DUELS: Final = ("head_to_head", "score_difference", "wins", "places", "game_score")
AT_TABLES: Final = ("score_difference", "head_to_head", "wins", "places", "game_score")
"""Where tables have different sizes, only the score difference does not depend on them."""
CUP_ORDER: Final = ("score_difference", "wins")
SWISS_ORDER: Final = ("score_difference", "opponents_points_cut", "opponents_points", "head_to_head", "wins")
WEEK: Final = 7 * 24
MONTH: Final = 4 * WEEK
ANYBODY: Final = Entering()
AT_HOME: Final = Waits()
IN_A_HALL: Final = Waits(close_round=3)
"""Players sit in one room and wait for the next round; at home they may see a wrong result only later."""
DUTY: Final = Scoring(bye="win", walkover="win")
MATCHES_WON: Final = Scoring(by="win", bye="none", walkover="win")
"""Where who waits has a bye, and the format ranks: points tell how many matches were won."""


@dataclass(frozen=True)
class Preset:
    """What an opening needs besides its name; those that are shipped leave game and options open."""

    key: str
    title: str
    summary: str
    stages: tuple[StagePlan, ...]
    pace: Pace = "manual"
    lineup: Lineup = "single"
    entering: Entering = ANYBODY
    waits: Waits = AT_HOME
    ruleset: str = ""
    options: JsonObject = field(default_factory=dict)
    clock: JsonObject = field(default_factory=dict)
    team_size: int = 1
    overdue: Overdue = "organiser"
    entropy: Entropy = "texts"
    aided: bool = False
    open_hands: int | None = None

    @classmethod
    def of(cls, opening: Opening, key: str = "", title: str = "") -> "Preset":
        """Return the settings of a competition, with the newest version of its game and newest editions."""
        names = ("pace", "lineup", "entering", "waits", "options", "clock", "team_size", *_AT_LAST)
        stages = tuple(replace(stage, editions=Editions()) for stage in opening.stages)
        same = {name: getattr(opening, name) for name in names}
        return cls(key, title, "", stages, ruleset=opening.ruleset.partition("@")[0], **same)

    @classmethod
    def read(cls, key: str, title: str, settings: Mapping[str, Any]) -> "Preset":
        """Return the preset of settings that were kept; raise `Malformed` for what is unknown by now."""
        kept = dict(settings)
        stages = tuple(shapes.read(StagePlan, {"params": {}, **stage}) for stage in kept.pop("stages"))
        entering, waits = shapes.read(Entering, kept.pop("entering")), shapes.read(Waits, kept.pop("waits"))
        return cls(key, title, "", stages, entering=entering, waits=waits, **kept)

    def settings(self) -> JsonObject:
        """Return all that an opening of its game says but a name, as JSON."""
        same = {name: getattr(self, name) for name in ("ruleset", "options", "clock", "team_size", *_AT_LAST)}
        return {**self.announced(), **same}

    def for_tables(self, allowed: Sequence[int], size: int = 0) -> "Preset":
        """Return the preset at tables of a size (0: its own), or the nearest that the game allows."""
        stages = tuple(
            _at_tables(stage, _nearest(allowed, size or stage.table_size)) for stage in self.stages
        )
        return replace(self, stages=stages)

    def for_game(self, ruleset: AnyRuleset) -> "Preset":
        """Return the preset at tables that a game allows; where clubs add up its scores, its stages do.

        Who does not come gets nothing then; where low scores win, the worst score of the round.
        """
        preset = self._of_partners(ruleset) or self.for_tables(ruleset.seats)
        if not ruleset.scores_add_up:
            return preset
        away: Policy = "last" if ruleset.low_wins else "none"
        stages = tuple(
            replace(stage, scoring=replace(stage.scoring, by="score", fair=False, absent=away, no_show=away))
            if stage.format in ADDED_IN and not (ruleset.low_wins and stage.scoring.average)
            else stage
            for stage in preset.stages
        )
        return replace(preset, stages=stages)

    def unfit(self) -> Message | None:
        """Return why no game of the tables that the preset has can be played so; None where it can."""
        for stage in self.stages:
            if (format_ := formats.of(stage)).pairs_only and stage.table_size != 2:
                return text(
                    "%(format)s needs a game for two players or two sides: choose another kind.",
                    format=format_.title,
                )
        return None

    def _of_partners(self, ruleset: AnyRuleset) -> "Preset | None":
        """Return the preset for two sides of a game that two teams of partners play, not two players."""
        sides = [size for size in ruleset.seats if ruleset.teams(size) == (0, 1) * (size // 2)]
        if not sides or 2 in ruleset.seats or not any(formats.of(stage).pairs_only for stage in self.stages):
            return None
        return replace(self, lineup="partners", team_size=sides[0] // 2)

    def announced(self) -> JsonObject:
        """Return what an opening says of it, as JSON: stages, pace, line-up, entering, waits."""
        return {
            "stages": [shapes.write(stage) for stage in self.stages],
            "pace": self.pace,
            "lineup": self.lineup,
            "entering": shapes.write(self.entering),
            "waits": shapes.write(self.waits),
        }


ADDED_IN: Final = ("rounds", "round_robin", "open_play", "drop_in")
"""The formats in which the scores of an evening can be added: elsewhere results decide who meets."""
_TWO: Final = 2
_AT_LAST: Final = ("overdue", "entropy", "aided", "open_hands")


_ANSWERED: Final[JsonObject] = {"answer_days": 7, "refused": "drop", "lapsed": "drop", "free_refusals": 1}
"""How challenges of two sides are answered."""


def _at_tables(stage: StagePlan, size: int) -> StagePlan:
    """Return a stage at tables of a size.

    Only where two teams meet does a match of theirs earn points, and does a challenge wait for an answer.
    """
    if size == _TWO:
        return replace(stage, table_size=size)
    params = {name: value for name, value in stage.params.items() if name not in _ANSWERED}
    return replace(stage, table_size=size, params=params, scoring=replace(stage.scoring, match_points=()))


def _nearest(allowed: Sequence[int], size: int) -> int:
    return min(allowed, key=lambda each: (abs(each - size), each))


CLUB_NIGHT: Final = Preset(
    "club_night",
    text("Club night"),
    text("Three rounds in one evening for all who check in, with different opponents in each round."),
    (StagePlan(text("Evening"), "rounds", 3, 4, {}, tie_breaks=AT_TABLES),),
    pace="automatic",
    entering=Entering(check_in=True),
    waits=IN_A_HALL,
)
EVENING_OF_LISTS: Final = Preset(
    "evening_of_lists",
    text("Evening of lists"),
    text(
        "Two lists in one evening, the second at another table; the scores of both add up, as at Skat and "
        "Doppelkopf."
    ),
    (StagePlan(text("Evening"), "rounds", 2, 4, {}, tie_breaks=AT_TABLES),),
    entering=Entering(check_in=True),
    waits=IN_A_HALL,
)
EVENING_OF_TWO: Final = Preset(
    "evening_of_two",
    text("Evening for two at a table"),
    text("Nine short games in one evening, each against somebody else, as at Cribbage."),
    (StagePlan(text("Evening"), "rounds", 9, 2, {}, DUTY, IN_DUELS),),
    pace="automatic",
    entering=Entering(check_in=True),
    waits=IN_A_HALL,
)
MONTHLY_LEAGUE: Final = Preset(
    "monthly_league",
    text("Monthly league"),
    text("Ten rounds of four weeks; the best eight of each entry count."),
    (StagePlan(text("League"), "rounds", 10, 4, {}, Scoring(best=8), AT_TABLES, hours=MONTH),),
)
DIVISIONS: Final = Preset(
    "divisions",
    text("Divisions"),
    text("Three divisions of a round robin; after each season the best are promoted and the last relegated."),
    (
        StagePlan(
            name=text("First season"),
            format="round_robin",
            rounds=0,
            table_size=2,
            params={},
            scoring=Scoring(bye="middle"),
            tie_breaks=IN_DUELS,
            groups=3,
            intake=Intake(seeding="order", divide="stack"),
            hours=WEEK,
        ),
    ),
)
SWISS_WEEKEND: Final = Preset(
    "swiss_weekend",
    text("Swiss weekend"),
    text("Six rounds in which entries with equal points meet."),
    (StagePlan(text("Swiss"), "swiss", 6, 4, {}, DUTY, SWISS_ORDER),),
    pace="automatic",
    entering=Entering(check_in=True),
    waits=IN_A_HALL,
)
KNOCKOUT_CUP: Final = Preset(
    "knockout_cup",
    text("Knockout cup"),
    text(
        "Tables of four; the best two of each advance, down to the final table. Tables of two make a bracket."
    ),
    (StagePlan(text("Cup"), "knockout", 0, 4, {}, DUTY, CUP_ORDER),),
    pace="automatic",
)
DOUBLE_ELIMINATION_CUP: Final = Preset(
    "double_elimination_cup",
    text("Double elimination cup"),
    text("Tables of two; who loses goes on in a lower bracket, and who loses there is out."),
    (StagePlan(text("Cup"), "double_elimination", 0, 2, {}, MATCHES_WON, ("score_difference",)),),
    pace="automatic",
    waits=IN_A_HALL,
)
GROUPS_AND_CUP: Final = Preset(
    "groups_and_cup",
    text("Groups, then a cup"),
    text("Four groups of a round robin, then a knockout of the best two of each group."),
    (
        StagePlan(text("Groups"), "round_robin", 0, 2, {}, Scoring(bye="middle"), IN_DUELS, groups=4),
        StagePlan(text("Cup"), "knockout", 0, 2, {}, DUTY, CUP_ORDER, intake=Intake("best", best=2)),
    ),
)
TEAM_LEAGUE: Final = Preset(
    "team_league",
    text("Team league"),
    text(
        "Teams of four meet twice, at home and away, board against board. A team match won earns 2 points, "
        "drawn 1; board points separate teams that are level."
    ),
    (
        StagePlan(
            name=text("Season"),
            format="round_robin",
            rounds=0,
            table_size=2,
            params={"legs": 2},
            scoring=Scoring(by="win", bye="none", match_points=("2", "1", "0")),
            tie_breaks=("board_points", "head_to_head"),
            hours=4 * WEEK,
        ),
    ),
    lineup="boards",
    team_size=4,
)
FINAL_STAGE: Final = StagePlan(
    text("Final stage"),
    "knockout",
    0,
    4,
    {},
    DUTY,
    ("wins", "score_difference"),
    intake=Intake("best", best=2),
)
"""The stage that follows where an organiser adds one."""
DROP_IN: Final = Preset(
    "drop_in",
    text("Drop-in evening"),
    text("People come and go; tables open by themselves for those who wait. The average of a table counts."),
    (StagePlan(text("Evening"), "drop_in", 1, 4, {}, Scoring(average=3), AT_TABLES),),
    entering=Entering(check_in=True),
)
LADDER: Final = Preset(
    "ladder",
    text("Ladder"),
    text(
        "Players challenge others near to them, at any time; the winner takes the higher rung. "
        "With open entries, players can enter while it runs, until you close entries."
    ),
    (StagePlan(text("Ladder"), "ladder", 1, 2, {"reach": 3, **_ANSWERED}),),
)

PRESETS: Final[Mapping[str, Preset]] = {
    each.key: each
    for each in (
        CLUB_NIGHT,
        EVENING_OF_LISTS,
        EVENING_OF_TWO,
        MONTHLY_LEAGUE,
        DIVISIONS,
        SWISS_WEEKEND,
        KNOCKOUT_CUP,
        DOUBLE_ELIMINATION_CUP,
        GROUPS_AND_CUP,
        TEAM_LEAGUE,
        LADDER,
        DROP_IN,
    )
}
