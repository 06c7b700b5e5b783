"""Score cards of Scamper, for games with real cards, kept in the same log as other games.

Source: the score sheets of the game's booklet, and the rules of Scamper for points, with the deals of S33
that exist only with real cards. `games.engine.paper` has what all games on paper share.
"""

from collections.abc import Mapping

from games.engine.base import Form
from games.engine.choosing import FieldChoice
from games.engine.jsontypes import Json, JsonObject
from games.engine.messages import Message, text
from games.engine.paper import Conduct, PaperCard
from games.rules.scamper.form import form
from games.rules.scamper.options import MOST_SEATS, only_played
from games.rules.scamper_scorecard import score_card
from games.rules.scamper_scorecard.score_card import (
    NOBODY_OUT,
    Options,
    Result,
    State,
    View,
    check,
    check_result,
    gone_out,
    in_words,
    points_of,
)


class ScamperScorecard(PaperCard[Options, Result]):
    """The rules of score cards of Scamper."""

    key = "scamper-scorecard"
    version = 1
    title = text("Scamper score card")
    summary = text("Scamper with real cards: the deals are entered by one player and confirmed by another.")
    seats = tuple(range(2, MOST_SEATS + 1))
    options = Options
    presets = {"advanced": {}, "basic": {"wild_cards": "jokers"}}
    result = Result
    most_rounds = 20
    view_shape = View
    turn_rule = "S26"
    low_wins = True
    winning_rule = "S26"
    rule_numbers = ("S1", "S3", "S4", "S5", "S6", "S25", "S26", "S29", "S30", "S31", "S32", "S33")
    conduct = Conduct(order="S4", confirming="S26", correcting="S29")

    def check(self, options: Options, seats: int) -> None:
        check(options, seats)

    def options_told(self, options: Mapping[str, Json]) -> Mapping[str, Json]:
        return only_played(options)

    def form(self, options: Options) -> Form:
        return form(
            options.played,
            options.wild_cards,
            options.first_dealer_bonus,
            options.first_dealer,
            advanced=options.advanced_points,
        )

    def rounds(self, card: State) -> int:
        return len(card.options.played)

    def check_result(self, card: State, number: int, result: Result) -> None:
        check_result(card, number, result.seats)

    def result_fields(self, card: State, number: int, result: Result | None) -> dict[str, FieldChoice]:
        return score_card.result_fields(card, number, result)

    def points(self, card: State, number: int) -> tuple[int, ...]:
        return points_of(card, number)

    def doubt(self, card: State, number: int) -> Message | None:
        """Return a question where nobody went out, which is possible by S28 and S29."""
        return NOBODY_OUT if gone_out(card, number) is None else None

    def row(self, card: State, number: int) -> JsonObject:
        return score_card.row(card, number)

    def facts(self, card: State) -> JsonObject:
        return score_card.facts(card, self.present(card))

    def in_words(self, result: Result) -> str:
        return in_words(result)
