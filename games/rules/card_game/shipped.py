"""Games that clubs play, as definitions with their sources: a club plays them as they are or changes a copy.

The words are marked for translation, and stand in English in the openings of games.
"""

from collections.abc import Mapping
from typing import Final

from games.engine.messages import text
from games.rules.card_game.definition import (
    Adds,
    Case,
    Check,
    Condition,
    Decides,
    Definition,
    Gathers,
    Multiplies,
    RoundsUp,
    Term,
    Worth,
    Written,
)


def _is(name: str, value: int) -> Condition:
    return Condition(name, value, value)


def _of(name: str, times: int = 1) -> Term:
    return Term(times, name)


SKAT: Final = Definition(
    title=text("Skat"),
    summary=text(
        "The declarer’s game value counts, twice and negative if lost or overbid, and 50 more or less. "
        "If the declarer loses, each other player gets 40 at a table of three and 30 at a table of four, "
        "also the dealer who sits out. A deal that is passed in counts as a deal."
    ),
    source=text(
        "International Skat Order and Skat Tournament Order of DSkV and ISPA, Altenburg, November 2018: "
        "game values by 5, extended Seeger-Fabian scoring (dskv.de)."
    ),
    seats=(3, 4),
    players=3,
    rounds_of_dealers=12,
    fields=(
        Written("declarer", text("Declarer"), per="deal", kind="player", optional=True),
        Written(
            "base",
            text("Game"),
            per="deal",
            kind="choice",
            optional=True,
            needed_with="declarer",
            values=(
                Worth(text("diamonds"), 9),
                Worth(text("hearts"), 10),
                Worth(text("spades"), 11),
                Worth(text("clubs"), 12),
                Worth(text("grand"), 24),
                Worth(text("null"), 23),
                Worth(text("null hand"), 35),
                Worth(text("null open"), 46),
                Worth(text("null open hand"), 59),
            ),
        ),
        Written(
            "multiplier",
            text("Times"),
            per="deal",
            least=1,
            most=18,
            optional=True,
            needed_with="declarer",
            about=text("With or without so many, and one for each step; 1 for null."),
        ),
        Written("bid", text("Bid"), per="deal", most=264, optional=True, about=text("Only where overbid.")),
        Written("won", text("Won"), per="deal", kind="tick", optional=True, needed_with="declarer"),
    ),
    steps=(
        Multiplies("value", ("base", "multiplier")),
        RoundsUp("bid_value", multiple_of="base", reaching="bid"),
        Adds("missing", (_of("bid"), _of("value", -1))),
        Decides(
            "lost",
            (
                Case((Term(1),), (Condition("missing", least=1),)),
                Case((Term(1),), (_is("won", 0),)),
            ),
        ),
        Decides(
            "counted",
            (Case((_of("bid_value"),), (Condition("missing", least=1),)), Case((_of("value"),))),
        ),
        Gathers("taken", "sum", "declarer"),
        Decides(
            "points",
            (
                Case((_of("counted"), Term(50)), (_is("declarer", 1), _is("lost", 0))),
                Case((_of("counted", -2), Term(-50)), (_is("declarer", 1),)),
                Case((Term(30),), (_is("taken", 1), _is("lost", 1), _is("table", 4))),
                Case((Term(40),), (_is("taken", 1), _is("lost", 1))),
            ),
        ),
        Adds("written", (_of("base"), _of("multiplier"), _of("bid"), _of("won"))),
        Decides("incomplete", (Case((Term(1),), (_is("taken", 0), Condition("written", least=1))),)),
        Decides(
            "times_wrong",
            (
                *(
                    Case((Term(1),), (_is("base", null), Condition("multiplier", least=2)))
                    for null in (23, 35, 46, 59)
                ),
                Case((Term(1),), (Condition("base", 9, 12), _is("multiplier", 1))),
                Case((Term(1),), (_is("base", 24), _is("multiplier", 1))),
                Case((Term(1),), (_is("base", 24), Condition("multiplier", least=12))),
            ),
        ),
        Adds("dealt_and_declared", (_of("declarer"), _of("sits_out"))),
    ),
    score="points",
    checks=(
        Check("incomplete", (0,), text("Say who declares, or leave all empty for a deal that is passed in.")),
        Check(
            "times_wrong",
            (0,),
            text("A null game counts once, any other at least twice, and grand at most eleven times."),
        ),
        Check("dealt_and_declared", (0, 1), text("The dealer sits out and declares nothing.")),
    ),
)

DOPPELKOPF: Final = Definition(
    title=text("Doppelkopf"),
    summary=text(
        "Each winner gets the points of the game, each loser loses them; they are negative where special "
        "points of the losers outweigh them. Who plays alone gets or loses them three times. At a table of "
        "five the dealer sits out."
    ),
    source=text(
        "Tournament rules (Turnierspielregeln) of the Deutscher Doppelkopf-Verband, 7.1 and 7.2; tables of "
        "five as in its recommendations, 24 or 30 deals (doko-verband.de)."
    ),
    seats=(4, 5),
    players=4,
    rounds_of_dealers=6,
    fields=(
        Written(
            "value",
            text("Points of the game"),
            per="deal",
            least=-20,
            most=50,
            about=text("After special points of both sides; negative where a win costs points."),
        ),
        Written(
            "won",
            text("Won"),
            kind="tick",
            about=text("If no side has won, tick the one that gets the points; nobody if they are 0."),
        ),
    ),
    steps=(
        Gathers("winners", "sum", "won"),
        Adds("losers", (Term(4), _of("winners", -1))),
        Multiplies("for_one", ("value", "losers")),
        Multiplies("against_one", ("value", "winners")),
        Decides(
            "points",
            (
                Case((), (_is("sits_out", 1),)),
                Case((_of("value"),), (_is("winners", 2), _is("won", 1))),
                Case((_of("value", -1),), (_is("winners", 2),)),
                Case((_of("for_one"),), (_is("winners", 1), _is("won", 1))),
                Case((_of("value", -1),), (_is("winners", 1),)),
                Case((_of("value"),), (_is("winners", 3), _is("won", 1))),
                Case((_of("against_one", -1),), (_is("winners", 3),)),
            ),
        ),
        Adds("out_and_won", (_of("won"), _of("sits_out"))),
        Decides(
            "wrong",
            (
                Case((), (_is("winners", 0), _is("value", 0))),
                Case((), (Condition("winners", 1, 3),)),
                Case((Term(1),)),
            ),
        ),
        Gathers("sum", "sum", "points"),
    ),
    score="points",
    checks=(
        Check("wrong", (0,), text("One, two or three players win a deal, nobody only where it counts 0.")),
        Check("out_and_won", (0, 1), text("The dealer sits out and wins nothing.")),
        Check("sum", (0,), text("The points of a deal add up to 0.")),
    ),
)

JASS: Final = Definition(
    title=text("Schieber Jass"),
    summary=text(
        "Card points of both sides add up to 157, or to 257 where one side takes all tricks. They and what "
        "was announced (Weis, Stöck) count as many times as the trump of the deal. The first side with 2500 "
        "wins."
    ),
    source=text(
        "Schieber to 2500 by the rules of Swisslos (swisslos.ch/jass): trumps count once, twice or three "
        "times. There the side wins that comes to 2500 first (Stöck, Weis, Stich); here, if both come to it "
        "in the same deal, the higher total."
    ),
    seats=(4,),
    sides=2,
    deals=60,
    target=2500,
    fields=(
        Written("times", text("Counts times"), per="deal", least=1, most=6),
        # what can be left out stands before what cannot: with that a row is complete, and sent
        Written("weis", text("Weis"), per="side", most=1000, optional=True),
        Written("stock", text("Stöck"), per="side", kind="tick", optional=True),
        Written("cards", text("Card points"), per="side", most=257),
    ),
    steps=(
        Gathers("of_both", "sum", "cards"),
        Gathers("highest", "most", "cards"),
        Gathers("of_stock", "sum", "stock"),
        Decides(
            "wrong",
            (
                Case((), (_is("of_both", 157),)),  # also 157 : 0, a trick of cards that count nothing
                Case((), (_is("of_both", 257), _is("highest", 257))),
                Case((Term(1),)),
            ),
        ),
        Adds("made", (_of("cards"), _of("weis"), _of("stock", 20))),
        Multiplies("points", ("made", "times")),
    ),
    score="points",
    checks=(
        Check("wrong", (0,), text("The card points of both sides add up to 157, or are 257 and 0.")),
        Check("of_stock", (0, 1), text("Only one side has Stöck.")),
    ),
)

CRIBBAGE: Final = Definition(
    title=text("Cribbage"),
    summary=text(
        "A row is a game to 121. The winner gets 2 game points, or 3 if the loser has 90 or fewer; "
        "the loser gets none."
    ),
    source=text(
        "Game points of the American Cribbage Congress (cribbage.org): 2 for a win, 3 for a skunk, which is "
        "a win by 31 or more. Nine games as at its Grass Roots clubs."
    ),
    seats=(2,),
    deals=9,
    fields=(Written("pegged", text("Pegged"), most=121),),
    steps=(
        Gathers("best", "most", "pegged"),
        Gathers("worst", "least", "pegged"),
        Decides(
            "points",
            (
                Case((Term(3),), (_is("pegged", 121), Condition("worst", most=90))),
                Case((Term(2),), (_is("pegged", 121),)),
            ),
        ),
        Decides("wrong", (Case((), (_is("best", 121), Condition("worst", most=120))), Case((Term(1),)))),
    ),
    score="points",
    checks=(Check("wrong", (0,), text("One of the two has 121, and the other fewer.")),),
)

CANASTA: Final = Definition(
    title=text("Canasta"),
    summary=text(
        "The points of melds and bonuses of each side, less what is left in hand, are written down. "
        "The side that first has 5000 wins; if both have, the higher total."
    ),
    source=text(
        "Classic Canasta (canastapedia.com, Classic, Scoring): natural 500, mixed 300, red threes 100 each, "
        "800 for four; going out 100, concealed 200; aces and twos 20, jokers 50."
    ),
    seats=(2, 4),
    sides=2,
    deals=30,
    target=5000,
    fields=(
        Written("melds", text("Cards melded"), per="side", most=5000),
        Written("bonuses", text("Bonuses"), per="side", least=-1000, most=5000),
        Written("left", text("Left in hand"), per="side", most=3000),
    ),
    steps=(Adds("points", (_of("melds"), _of("bonuses"), _of("left", -1))),),
    score="points",
)

HEARTS: Final = Definition(
    title=text("Hearts"),
    summary=text(
        "Each heart counts 1 and the queen of spades 13, together 26. Who takes them all has 0, and each "
        "other player 26. The game ends when somebody has 100; the lowest total wins."
    ),
    source=text(
        "Hearts with the queen of spades as in the rules of hearts-online.org; tables of three, five and six "
        "leave out low cards."
    ),
    seats=(3, 4, 5, 6),
    deals=40,
    target=100,
    low_wins=True,
    fields=(Written("taken", text("Points taken"), most=26),),
    steps=(
        Gathers("together", "sum", "taken"),
        Gathers("highest", "most", "taken"),
        Decides(
            "points",
            (
                Case((), (_is("taken", 26),)),
                Case((Term(26),), (_is("highest", 26),)),
                Case((_of("taken"),)),
            ),
        ),
    ),
    score="points",
    checks=(Check("together", (26,), text("The points of a deal add up to 26.")),),
)

SHIPPED: Final[Mapping[str, Definition]] = {
    "skat": SKAT,
    "doppelkopf": DOPPELKOPF,
    "jass": JASS,
    "cribbage": CRIBBAGE,
    "canasta": CANASTA,
    "hearts": HEARTS,
}
"""The games by the names of their presets."""
