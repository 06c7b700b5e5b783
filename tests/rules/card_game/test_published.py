"""What others publish of the games that come with the server, with the sources: figures, not their words."""

from typing import Any, Final

import pytest

from tests.rules.card_game.scenarios import (
    canasta,
    jass,
    kept,
    lines,
    opened,
    shipped,
    skat,
    winners,
)

Case = tuple[str, int, list[dict[str, Any]], tuple[int, ...]]
WON, SKUNK, LOST = (lines("pegged", *each) for each in ((121, 100), (121, 89), (100, 121)))

PUBLISHED: Final[dict[str, Case]] = {
    # Wikipedia, “Skatabrechnung” (German): a grand of 144 won, diamonds of 27 lost, null open won.
    "skat-grand-with-four-and-schneider": ("skat", 3, [skat(0, "grand", 6)], (194, 0, 0)),
    "skat-diamonds-without-two-lost": ("skat", 3, [skat(0, "diamonds", 3, won=False)], (-104, 40, 40)),
    "skat-the-three-deals-of-wikipedia": (
        "skat",
        3,
        [skat(0, "grand", 6), skat(0, "diamonds", 3, won=False), skat(2, "null open", 1)],
        (90, 40, 136),
    ),
    # The same at four, by the formula of the StuRa of HTW Dresden, “Turnierregeln Skat”: game points, 50 for
    # each game won less lost, 30 for each that others lost. The first deal's dealer is the first player.
    "skat-the-same-at-four": (
        "skat",
        4,
        [skat(1, "grand", 6), skat(0, "diamonds", 3, won=False), skat(3, "null open", 1)],
        (-104, 224, 30, 126),
    ),
    # pokerwiner.com, “Skat”: bid 59, hearts without one in hand reach 30; the next multiple of ten, 60, is
    # lost, and twice by the Skat Order of 1998 and later.
    "skat-overbid-in-hand": ("skat", 3, [skat(0, "hearts", 3, bid=59)], (-170, 40, 40)),
    # baum24.net, “Ermittlung des Spielwerts”, examples 1 and 2.
    "doppelkopf-kontra-with-160": ("doppelkopf", 4, [winners(5, 1, 3)], (-5, 5, -5, 5)),
    "doppelkopf-re-announced-too-much": ("doppelkopf", 4, [winners(7, 1, 3)], (-7, 7, -7, 7)),
    # doko-wissen.de, “Nullspiel”: three points of Re against two foxes and a Charly of Kontra.
    "doppelkopf-a-win-that-counts-0": ("doppelkopf", 4, [winners(0, 0, 2)], (0, 0, 0, 0)),
    # Tournament rules 7.1.4 with 7.2.2 a, e, f: both sides announced what they did not reach. Kontra 6, Re 1;
    # then 2 for each.
    "doppelkopf-no-side-has-won": ("doppelkopf", 4, [winners(5, 1, 3)], (-5, 5, -5, 5)),
    "doppelkopf-no-side-has-won-at-2-to-2": ("doppelkopf", 4, [winners(0)], (0, 0, 0, 0)),
    # onlinecardgames.de, chapter 6: special points of both sides are set off, for the winners with a minus.
    "doppelkopf-a-win-that-costs-points": ("doppelkopf", 4, [winners(-2, 0, 2)], (-2, 2, -2, 2)),
    # jasskarten.com, “Wies und Stöck”: four obers and a run of three at three times are 360; the match
    # is 257, and Stöck count as many times as the trump. Swisslos: once, twice or three times.
    "jass-weis-at-three-times": ("jass", 4, [jass(3, 100, 57, weis=120)], (660, 171, 660, 171)),
    "jass-a-match-at-twice": ("jass", 4, [jass(2, 257, 0)], (514, 0, 514, 0)),
    # There the match is for all nine tricks: all cards that count without a trick of blanks are 157.
    "jass-157-are-no-match": ("jass", 4, [jass(1, 157, 0)], (157, 0, 157, 0)),
    "jass-stock-at-three-times": ("jass", 4, [jass(3, 77, 80, stock=1)], (231, 300, 231, 300)),
    # cribbageforum.com, the year 2000-2001: 114-89 before the last hand was a skunk.
    "cribbage-a-skunk-from-114-to-89": ("cribbage", 2, [SKUNK], (3, 0)),
    # patch.com, “ACC Grass Roots Cribbage Club Tournament #25”: cards of 16/7, two wins by skunk; 10/5.
    "cribbage-a-card-of-16-from-7-wins": (
        "cribbage",
        2,
        [SKUNK, *[WON] * 4, LOST, WON, SKUNK, LOST],
        (16, 4),
    ),
    "cribbage-a-card-of-10-from-5-wins": ("cribbage", 2, [*[WON] * 5, *[LOST] * 4], (10, 8)),
    # canastapedia.com, “Classic”, “Scoring”: two fours, a five and a king left in two hands are 25; four red
    # threes 800; out concealed 100 more than 100.
    "canasta-25-left-in-hands": ("canasta", 4, [canasta((95, 1000, 0), (60, 300, 25))], (1095, 335) * 2),
    # gameduell.com, “Scoring”: red threes of who has melded nothing are negative.
    "canasta-red-threes-without-melds": ("canasta", 2, [canasta((0, -200, 45), (130, 600, 0))], (-245, 730)),
    # 247hearts.co, “Score Calculation Example”: 2, 5 and the queen, 3 and 3 hearts.
    "hearts-five-and-the-queen": ("hearts", 4, [lines("taken", 2, 18, 3, 3)], (2, 18, 3, 3)),
    # hearts-online.org: who takes all has 0, the others 26.
    "hearts-shooting-the-moon": ("hearts", 4, [lines("taken", 0, 26, 0, 0)], (26, 0, 26, 26)),
}


@pytest.mark.parametrize(("key", "seats", "results", "totals"), PUBLISHED.values(), ids=PUBLISHED)
def test_k4_a_published_example_gives_the_published_totals(
    key: str, seats: int, results: list[dict[str, Any]], totals: tuple[int, ...]
) -> None:
    game = kept(opened(1, seats, shipped(key), rounds=len(results)), *results)
    assert game.position.ruleset.scores(game.position.state) == totals
