"""Presets: the rules of card clubs, as they publish them, and the answers to *What counts for the year?*."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from games.engine.messages import text
from games.engine.values import replace
from league.apps.series.core.rule import (
    Absence,
    Bonus,
    Count,
    Deduction,
    Drops,
    Minimum,
    Rule,
    Value,
)

# ---- What counts for the year? -------------------------------------------------------------------

TWENTY: Final = 20
TWENTY_FOUR: Final = 24
FOR_PLACES: Final = ("10", "8", "6", "5", "4", "3", "2", "1")


@dataclass(frozen=True)
class Answer:
    """An answer to *What counts for the year?*; ``number`` is what it asks for besides, 0 for nothing."""

    key: str
    title: str
    rule: Rule
    number: int = 0

    def with_number(self, number: int, *, low_wins: bool) -> Rule:
        """Return its rule with another number; where low scores win with shares of the field as values."""
        rule = self.rule
        if rule.count.best:
            rule = replace(rule, count=replace(rule.count, best=number))
        if rule.over:
            rule = replace(rule, over=number)
        return replace(rule, value=Value("beaten")) if low_wins and rule.value.by == "points" else rule


ANSWERS: Final[Mapping[str, Answer]] = {
    each.key: each
    for each in (
        Answer("everything", text("Everything"), Rule()),
        Answer("best", text("The best evenings"), Rule(count=Count(best=TWENTY)), TWENTY),
        Answer(
            "average",
            text("The average of at least so many evenings"),
            Rule(divide="mean", over=TWENTY_FOUR),
            TWENTY_FOUR,
        ),
        Answer(
            "beaten",
            text("The share of the field that was beaten, 0 to 100: also for evenings of several games"),
            Rule(value=Value("beaten")),
        ),
        Answer("places", text("Points for places"), Rule(value=Value("places", FOR_PLACES))),
    )
}

# ---- Clubs ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Preset:
    """A club's rule: what it is of, and where it is published."""

    key: str
    club: str
    game: str
    rule: Rule
    source: str
    beside: str = ""
    """What the club does besides, which a series does not do by itself."""


_GERMERING: Final = Preset(
    "germering",
    "Skatclub Germering",
    text("Skat"),
    Rule(unit="list", divide="mean", over=24),
    "skatclub-germering.de",
)
_ALTENBURG: Final = Preset(
    "altenburg",
    "SC „18 und weg“ Altenburg",
    text("Skat"),
    Rule(
        unit="list",
        count=Count(drops=Drops(every=5, beyond=25, most=5, when="earned")),
        divide="mean",
        minimum=Minimum(played=25),
    ),
    "1010004.dskv.de",
)
_ALTENBURG_CUP: Final = Preset(
    "altenburg_cup",
    text("%(club)s, cup", club="SC „18 und weg“ Altenburg"),
    text("Skat"),
    Rule(unit="list", count=Count(declared=4)),
    "1010004.dskv.de",
    text(
        "A series for each of the five rounds of ten lists; pairs are drawn, and winners go on. "
        "Here an evening is declared with all of its lists: choose 4 evenings of one list, or 2 of two."
    ),
)
_MUENCHEN_SUED: Final = Preset(
    "muenchen_sued",
    "Skatclub München-Süd",
    text("Skat"),
    Rule(unit="list", bonus=Bonus(points="1", least=30)),
    "skatclub-muenchen-sued.de",
    text(
        "The bonus is paid in money, in proportion to the lists played; here it is a point for each. "
        "There the second series is seated by the first, and twice a month the first by the year’s table."
    ),
)
_WOLFENBUETTEL: Final = Preset(
    "wolfenbuettel",
    "Skatclub „As-Se“ Wolfenbüttel",
    text("Skat"),
    Rule(minimum=Minimum(played=20)),
    "adersheim.net",
    text("Two more series count the first lists, and the second."),
)
_RUTEN_JUNG: Final = Preset(
    "ruten_jung",
    "Skatclub „Ruten Jung“",
    text("Skat"),
    Rule(unit="list", absence=Absence("value", "500")),
    "skat.rosenke.de",
)
_STAECHEREI: Final = Preset(
    "staecherei",
    "JC Stächerei Wasserschloss",
    text("Jass"),
    Rule(
        value=Value(
            "places", ("25", "18", "15", "12", "10", "8", "6", "4", "2", "1"), rest="1", level="best"
        ),
        count=Count(best=3),
    ),
    "xn--stcherei-1za.ch",
    text("The final is added with weight 2."),
)
_SWISS_CLUB: Final = Preset(
    "swiss_club",
    "Swiss Club DC",
    text("Jass"),
    Rule(count=Count(best=3)),
    "swissclubdc.org",
    text("There nobody may play for somebody else."),
)
_POYNTON: Final = Preset(
    "poynton",
    "Poynton Bridge Club",
    text("Bridge"),
    Rule(divide="mean", minimum=Minimum(played=20)),
    "bridgewebs.com/poynton",
)
_POYNTON_CUP: Final = Preset(
    "poynton_aggregate",
    text("%(club)s, aggregate", club="Poynton Bridge Club"),
    text("Bridge"),
    Rule(value=Value("places", ("4", "3", "2", "1")), without=("Best average",)),
    "bridgewebs.com/poynton",
)
_ST_MICHAELS: Final = Preset(
    "st_michaels",
    "St Michael’s Bridge Club",
    text("Bridge"),
    Rule(
        value=Value("places", ("3", "2", "1")),
        divide="mean",
        minimum=Minimum(played=25),
        ties="shared",
    ),
    "bridgewebs.com/234789",
)
_BECCLES: Final = Preset(
    "beccles",
    "Beccles Bridge Club",
    text("Bridge"),
    Rule(count=Count(best=2), divide="mean", minimum=Minimum(played=2)),
    "bridgewebs.com/beccles",
    text("The handicap by which it corrects scores is not part of it."),
)
_LINGWOOD: Final = Preset(
    "lingwood",
    "Lingwood Bridge Club",
    text("Bridge"),
    Rule(divide="mean", minimum=Minimum(played=8)),
    "bridgewebs.com/lingwood",
    text("The club’s second table, with a handicap, is not part of it."),
)
_TORQUAY: Final = Preset(
    "torquay",
    "Torquay Bridge Club",
    text("Bridge"),
    Rule(count=Count(best=9), minimum=Minimum(played=7, partners=2)),
    "ebu.co.uk",
)
_ACC: Final = Preset(
    "acc",
    "American Cribbage Congress",
    text("Cribbage"),
    Rule(value=Value("points", least="12")),
    "cribbage.org",
)
_DDV: Final = Preset(
    "ddv",
    "Deutscher Doppelkopf-Verband",
    text("Doppelkopf"),
    Rule(
        unit="list",
        count=Count(months=24, entries=32, lists=3),
        divide="mean",
        minimum=Minimum(played=36),
    ),
    "doko-verband.de",
)
_PURLEY: Final = Preset(
    "purley",
    "Purley Bridge Club",
    text("Bridge"),
    Rule(deduction=Deduction(points="5", months=11), divide="mean"),
    "bridgewebs.com/purley",
    text(
        "There each prize of a pair takes 5 per cent off; here each prize of a person takes 5 points off, "
        "which is the same only where an evening’s points are per cents."
    ),
)

PRESETS: Final[Mapping[str, Preset]] = {
    each.key: each
    for each in (
        _GERMERING,
        _ALTENBURG,
        _ALTENBURG_CUP,
        _MUENCHEN_SUED,
        _WOLFENBUETTEL,
        _RUTEN_JUNG,
        _STAECHEREI,
        _SWISS_CLUB,
        _POYNTON,
        _POYNTON_CUP,
        _ST_MICHAELS,
        _BECCLES,
        _LINGWOOD,
        _TORQUAY,
        _ACC,
        _DDV,
        _PURLEY,
    )
}
