"""Two small games that nothing but the tests knows: one that is dealt here, one that is kept on paper.

`docs/adding-a-game.md` is written by their example, and the suite takes both everywhere a game goes.
"""

from typing import Final

from games import rules
from games.engine.replay import AnyRuleset
from tests.toys.high_card import HighCard
from tests.toys.high_card_on_paper import HighCardOnPaper

TOYS: Final[tuple[AnyRuleset, ...]] = (HighCard(), HighCardOnPaper())
EVERY: Final[tuple[AnyRuleset, ...]] = (*rules.RULESETS, *TOYS)
