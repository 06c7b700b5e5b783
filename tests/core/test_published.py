"""Standings compared with published tournaments.

Players are letters in the order of the published table; the figures are facts of these tables.
"""

from fractions import Fraction
from itertools import combinations
from typing import Any, Final

import pytest

from league.core.drawing.designs import design
from league.core.standings import ranking
from league.core.state.competition import Competition
from league.core.state.plan import Scoring
from league.core.verbs.results import WalkedOver
from tests.core import deciding as commands
from tests.core.crosstable import (
    after,
    name_of,
    plan,
    played,
    published,
    results,
    row_of,
    standings,
    started,
    table_at,
)
from tests.core.ids import uid

# Candidates' tournament of 1953, Neuhausen and Zürich, a double round robin of fifteen. The crosstable and
# its Sonneborn-Berger column are those of the World Chess Championship index (event 5254$cix).
ZURICH: Final = """
A xx == =1 11 == == 11 =0 == == == == 1= 11 1=  18    -
B == xx 11 1= == == =0 == 1= == == 01 1= == ==  16    224
C =0 00 xx == == == == 10 == =1 =1 1= =1 11 1=  16    210.75
D 00 0= == xx =1 == =1 == == 0= 11 1= =1 == 11  16    210.25
E == == == =0 xx 0= == == 00 == == 11 =1 1= 11  15    -
F == == == == 1= xx 00 1= 1= =0 == == == 0= 11  14.5  198
G 00 =1 == =0 == 11 xx =0 01 == 01 1= =1 01 ==  14.5  197.75
H =1 == 01 == == 0= =1 xx 10 1= 00 10 1= 0= 01  14    198.75
I == 0= == == 11 0= 10 01 xx 10 == == =0 0= 11  14    191.75
J == == =0 1= == =1 == 0= 01 xx == == 0= 11 00  13.5  194
K == == =0 00 == == 10 11 == == xx =0 == =1 ==  13.5  185.75
L == 10 0= 0= 00 == 0= 01 == == =1 xx 1= == 1=  13    -
M 0= 0= =0 =0 =0 == =0 0= =1 1= == 0= xx =1 11  12.5  -
N 00 == 00 == 0= 1= 10 1= 1= 00 =0 == =0 xx 1=  11.5  -
O 0= == 0= 00 00 00 == 10 00 11 == 0= 00 0= xx  8     -
"""
ROWS: Final = [line.split() for line in ZURICH.strip().splitlines()]
LETTERS: Final = [row[0] for row in ROWS]


def double_round_robin(keys: tuple[str, ...]) -> Competition:
    """The tournament's games in rounds of the circle method; who rests has neither points nor an opponent."""
    resting = plan(rounds=30, table_size=2, scoring=Scoring(bye="none"), tie_breaks=keys)
    state = started(" ".join(LETTERS), resting)
    once = design(15, 2)
    assert once is not None
    for cycle in (0, 1):
        for one_round in once:
            games = [game(one, other, cycle) for one, other in one_round]
            seated = {place for pair in one_round for place in pair}
            resting_now = " ".join(letter for at, letter in enumerate(LETTERS) if at not in seated)
            state = played(state, "; ".join(games), byes=resting_now)
    return state


def game(one: int, other: int, cycle: int) -> str:
    sign = ROWS[one][1 + other][cycle]
    first, second = (other, one) if sign == "0" else (one, other)
    return f"{LETTERS[first]} {'=' if sign == '=' else '>'} {LETTERS[second]}"


@pytest.fixture(scope="module")
def zurich() -> Competition:
    return double_round_robin(("beaten_points",))


def test_the_transcribed_crosstable_is_consistent() -> None:
    opposite = {"1": "0", "0": "1", "=": "="}
    for one, other in combinations(range(15), 2):
        assert [opposite[sign] for sign in ROWS[one][1 + other]] == list(ROWS[other][1 + one])


def test_the_standings_of_zurich_1953_are_those_published(zurich: Competition) -> None:
    assert standings(zurich) == [f"{row[0]} {Fraction(row[16])}" for row in ROWS]


def test_the_sonneborn_berger_of_zurich_1953_is_the_one_published(zurich: Competition) -> None:
    answer = {row[0]: Fraction(row[17]) for row in ROWS if row[17] != "-"}
    found = {letter: Fraction(row_of(zurich, letter).tiebreaks["beaten_points"] or 0) for letter in answer}
    assert found == answer


# A Swiss of seven rounds on playstrategy.org (EY1k6otN), with byes, a no-show and a withdrawal; points and
# Sonneborn-Berger as the site's own tie-break tests state them, there in half points. They leave out rounds
# without a game. By FIDE's rule (C.07, 16.4) a bye that was won adds the points of an opponent with the
# entry's own points, at most those of seven draws; I's walkover adds no more than its own points either.
SWISS: Final = (
    ("A > G; B > H; C > F; D > E", ""),
    ("A > B; C > D; F > H; G > I", "E"),
    ("A > C; B > F; D > I; E > G", "H"),
    ("A > E; B > C; D > G; H > I", "F"),
    ("A > D; B > E; C > H; F > I", "G"),
    ("A > F; B > D; C > G; E > H", "I"),
    ("A > I; C > E; D > F; G > H", "B"),
)
SWISS_TOLD: Final = {
    "A": (14, 52),
    "B": (12, 34),
    "C": (10, 30),
    "D": (8, 22),
    "E": (6, 10),
    "F": (6, 8),
    "G": (6, 8),
    "H": (4, 4),
    "I": (4, 0),
    "J": (0, 0),
}


SWISS_UNPLAYED: Final = dict.fromkeys("ACDJ", 0) | dict.fromkeys("BEFGH", 1) | {"I": 2}
"""How many rounds each entry won without a game."""


def test_a_published_swiss_with_byes_and_a_walkover_has_the_same_standings() -> None:
    swiss = plan(
        format="swiss",
        rounds=7,
        table_size=2,
        scoring=Scoring(bye="win"),
        tie_breaks=("beaten_points",),
    )
    state = started("A B C D E F G H I J", swiss)
    for number, (tables, byes) in enumerate(SWISS):
        if number:
            state = played(state, tables, byes=byes)
            continue
        state = published(state, f"{tables}; I > J")
        state = after(state, WalkedOver(table_at(state, "I").id, (uid("I"),)), *results(state, tables))
        state = after(state, *commands.close_round(state), *commands.withdraw(state, entry=uid("J")))
    found = {letter: row_of(state, letter) for letter in SWISS_TOLD}
    assert {letter: row.points * 2 for letter, row in found.items()} == {
        letter: points for letter, (points, _) in SWISS_TOLD.items()
    }
    assert {letter: Fraction(row.tiebreaks["beaten_points"] or 0) * 2 for letter, row in found.items()} == {
        letter: beaten + min(points, 7) * SWISS_UNPLAYED[letter]
        for letter, (points, beaten) in SWISS_TOLD.items()
    }


# UzChess Cup 2025, Masters, Tashkent: a round robin of ten. The games are those of the broadcast; direct
# encounter and Sonneborn-Berger are the figures that lichess-org/scalachess keeps of it (uzchesscup.txt).
# In the order of the final table: Praggnanandhaa, Abdusattorov, Sindarov, Erigaisi, Maghsoodloo, Rapport,
# Yakubboev, Vokhidov, Nepomniachtchi, Aravindh.
TASHKENT: Final = (
    "J = A; D > G; E = F; C > I; B > H",
    "A > H; C = B; F = I; D = E; G > J",
    "G = A; E = J; I = D; B > F; H = C",
    "A > C; F = H; D = B; J = I; E > G",
    "E > A; I = G; B > J; D > H; C > F",
    "F > A; D = C; J = H; G > B; E = I",
    "I = A; B > E; H = G; C > J; F = D",
    "A > D; F > J; G = C; H > E; I = B",
    "A > B; H > I; C = E; F = G; D = J",
)
TASHKENT_TOLD: Final = """
A 5.5 2   25.25
B 5.5 0.5 22.5
C 5.5 0.5 22.25
D 5   -   21.5
E 4.5 1.5 20.5
F 4.5 1   18.75
G 4.5 0.5 19.5
H 4   -   16.5
I 3.5 -   16
J 2.5 -   11.25
"""


def test_tashkent_2025_has_the_published_order_and_tie_breaks() -> None:
    keys = ("head_to_head", "beaten_points")
    state = started("A B C D E F G H I J", plan(rounds=9, table_size=2, tie_breaks=keys))
    rows = ranking.standings(played(state, *TASHKENT), 1)
    answer = [line.split() for line in TASHKENT_TOLD.strip().splitlines()]
    assert [name_of(state, row.entry) for row in rows] == [letter for letter, *_ in answer]
    for row, (_, points, *values) in zip(rows, answer, strict=True):
        assert row.points == Fraction(points)
        found = [row.tiebreaks[key] for key in keys]
        assert [Fraction(value) if value else None for value in found] == [
            None if value == "-" else Fraction(value) for value in values
        ]


# The second Grand Prix of SC Gerthe 46 Werne (sc-gerthe-46werne.de/?p=15254), a Swiss of seven players and
# five rounds with a bye in each. The table tells who met whom, and the report the last round; the order of
# the other rounds is one that fits. Its Buchholz cuts the lowest and takes opponents' byes for half a point.
GERTHE: Final = (
    ("A > B; D = F; E = G", "C"),
    ("A > F; B > C; D > G", "E"),
    ("A > G; B > E; C > D", "F"),
    ("A > E; D > B; C > F", "G"),
    ("A > D; E > C; F = G", "B"),
)
GERTHE_TOLD: Final = ["A 5", "B 3", "C 3", "D 5/2", "E 5/2", "F 2", "G 2"]


def gerthe(bye: Any) -> Competition:
    swiss = plan(
        format="swiss",
        rounds=5,
        table_size=2,
        scoring=Scoring(bye=bye),
        tie_breaks=("head_to_head", "opponents_points_cut"),
    )
    state = started("A B C D E F G", swiss)
    for tables, byes in GERTHE:
        state = played(state, tables, byes=byes)
    return state


def test_a_club_swiss_has_the_published_points_and_direct_encounter_decides_the_second() -> None:
    state = gerthe("win")
    assert sorted(standings(state)) == GERTHE_TOLD
    assert standings(state)[:3] == GERTHE_TOLD[:3]
    assert row_of(state, "B").decided_by == "head_to_head"


@pytest.mark.parametrize(("name", "buchholz"), [("A", "8.5"), ("D", "11.5")])
def test_entries_without_a_bye_have_the_published_buchholz(name: str, buchholz: str) -> None:
    answer = row_of(gerthe("middle"), name).tiebreaks["opponents_points_cut"]
    assert answer and Fraction(answer) == Fraction(buchholz)
