"""Score cards of Scoops, for games with real cards, kept in the same log as other games.

Source: the rules of Scoops for points and the end of the game; C20, a house rule, says what a card keeps.
`games.engine.paper` has what all games on paper share.
"""

from collections.abc import Mapping
from typing import ClassVar

from games.engine.base import Form
from games.engine.choosing import FieldChoice
from games.engine.jsontypes import JsonObject
from games.engine.messages import text
from games.engine.paper import Conduct, PaperCard
from games.rules.scoops.moves import MOST_SEATS
from games.rules.scoops_scorecard import score_card
from games.rules.scoops_scorecard.score_card import (
    Options,
    Outcome,
    State,
    View,
    check_result,
    end,
    in_words,
    points,
)


class ScoopsScorecard(PaperCard[Options, Outcome]):
    """The rules of score cards of Scoops."""

    key = "scoops-scorecard"
    version = 1
    title = text("Scoops score card")
    summary = text("Scoops with real cards and dice: goal, winner and bonus of each deal are written down.")
    seats = tuple(range(2, MOST_SEATS + 1))
    options = Options
    presets: ClassVar[Mapping[str, JsonObject]] = {"standard": {}}
    result = Outcome
    most_rounds = 100
    view_shape = View
    turn_rule = "C20"
    low_wins = False
    winning_rule = "C12"
    rule_numbers = ("C1", "C11", "C12", "C13", "C16", "C20")
    conduct = Conduct(order="C20", confirming="C20", correcting="C20")

    def form(self, options: Options) -> Form:
        return score_card.form(options)

    def rounds(self, card: State) -> int:
        """Return the limit of rounds: a game mostly ends sooner, at the target."""
        return card.options.round_limit

    def complete(self, card: State) -> bool:
        """Return whether the target or the limit of rounds is reached (C12)."""
        return end(card) is not None

    def check_result(self, card: State, number: int, result: Outcome) -> None:
        check_result(card, result)

    def result_fields(self, card: State, number: int, result: Outcome | None) -> dict[str, FieldChoice]:
        return score_card.result_fields(card, result)

    def points(self, card: State, number: int) -> tuple[int, ...]:
        return points(card, number)

    def row(self, card: State, number: int) -> JsonObject:
        """Return goal, winner, bonus and penalties, and whether the game had ended before (``counts``)."""
        result, last = card.result(number), end(card)
        return {
            "goal": result.goal,
            "winner": result.winner,
            "bonus": result.bonus,
            "penalties": list(card.penalties_in(number)),
            "counts": last is None or number <= last,
        }

    def facts(self, card: State) -> JsonObject:
        return {"target": card.options.target}

    def in_words(self, result: Outcome) -> str:
        return in_words(result)
