"""Score cards of Scram!, for games with real cards, kept in the same log as other games.

Source: the rules of Scram! for teams, rounds and scores; B19, a house rule, says what a card keeps.
`games.engine.paper` has what all games on paper share.
"""

from collections.abc import Mapping
from typing import ClassVar

from games.engine.base import Form
from games.engine.choosing import FieldChoice
from games.engine.jsontypes import JsonObject
from games.engine.messages import text
from games.engine.paper import Conduct, PaperCard
from games.rules.scram.scoring import ranks
from games.rules.scram.state import teams_of, usual_rounds
from games.rules.scram_scorecard import score_card
from games.rules.scram_scorecard.score_card import (
    Options,
    Outcome,
    Scores,
    State,
    View,
    check_result,
    in_words,
    points,
)


class ScramScorecard(PaperCard[Options, Outcome]):
    """The rules of score cards of Scram!"""

    key = "scram-scorecard"
    version = 1
    title = text("Scram! score card")
    summary = text("Scram! with real cards: each camper's sum and who declared are written down.")
    seats = (3, 4, 6)
    options = Options
    presets: ClassVar[Mapping[str, JsonObject]] = {"standard": {}}
    result = Outcome
    most_rounds = 10
    view_shape = View
    turn_rule = "B19"
    low_wins = True
    winning_rule = "B17"
    rule_numbers = ("B1", "B2", "B4", "B14", "B15", "B16", "B17", "B18", "B19")
    conduct = Conduct(order="B4", confirming="B19", correcting="B19")

    def teams(self, seats: int) -> tuple[int, ...]:
        """Return the team of each seat (B2)."""
        return teams_of(seats)

    def form(self, options: Options) -> Form:
        return score_card.form(options)

    def rounds(self, card: State) -> int:
        """Return the number of rounds (B4)."""
        return card.options.rounds or usual_rounds(card.seats)

    def check_result(self, card: State, number: int, result: Outcome) -> None:
        check_result(card, result)

    def result_fields(self, card: State, number: int, result: Outcome | None) -> dict[str, FieldChoice]:
        return score_card.result_fields(card, result)

    def points(self, card: State, number: int) -> tuple[int, ...]:
        return points(card, number)

    def ranks(self, state: State) -> tuple[int, ...]:
        """Return the rank of each seat, level teams told apart by their last rounds (B17)."""
        return ranks([*map(Scores, self.all_scores(state))], (0,) * state.seats)

    def row(self, card: State, number: int) -> JsonObject:
        """Return who declared, each camper's sum, and each camper's own penalties."""
        result = card.result(number)
        return {
            "scram": result.scram,
            "sums": list(result.sums),
            "penalties": list(card.penalties_in(number)),
        }

    def facts(self, card: State) -> JsonObject:
        return {"teams": list(teams_of(card.seats))}

    def in_words(self, result: Outcome) -> str:
        return in_words(result)
