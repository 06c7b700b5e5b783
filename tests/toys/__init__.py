"""Two small games that exist only in the tests: one that the server deals, and one with real cards.

They are the example of `docs/adding-a-game.md`, and the tests use both on every page and operation.
"""

from typing import Final

from games import rules
from games.engine.replay import AnyRuleset
from tests.toys.high_card import HighCard
from tests.toys.high_card_on_paper import HighCardOnPaper

TOYS: Final[tuple[AnyRuleset, ...]] = (HighCard(), HighCardOnPaper())
EVERY: Final[tuple[AnyRuleset, ...]] = (*rules.RULESETS, *TOYS)
