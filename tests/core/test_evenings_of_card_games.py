"""Standings of evenings as clubs keep them on paper: card points are added, places are counted beside them.

Sums and places are worked out by hand. Lists of Skat are those of Seeger and Fabian at four and at three (the
score card's own cases are in tests/rules/card_game).
"""

from uuid import UUID

import pytest
from django.utils.translation import override

from games import rules
from games.rules.card_game import CardGame
from league.core.presets import CLUB_NIGHT
from league.core.standings import ranking
from league.core.standings.plain import plain
from league.core.state.competition import Competition
from league.core.state.plan import StagePlan
from league.words.plain import plain_columns
from league.words.values import exact
from tests.core.crosstable import name_of, played, started
from tests.core.formats.played import stage_of
from tests.readable import told_of, wrong_in

SKAT = (
    "A 1204 > B 886 > C 640 > D 312; E 1310 > F 905 > G 577 > H -48; I 998 > J 760 > K 701 > L 205; "
    "M 1111 > N 830 > O 466 > P 120; Q 1023 > R 611 > S 90; T 950 > U 702 > V 333",
    "A 700 > E 655 > I 610 > M 15; B 1150 > F 840 > J 333 > N 210; C 902 > G 801 > K 244 > O -120; "
    "D 1333 > H 470 > L 400 > P 391; Q 566 > T 404 > R 300; U 808 > S 777 > V 61",
)
"""Two series of 22 players: four tables of four and two of three."""
DOPPELKOPF = (
    "Ann 12 > Ben 6 > Cem -4 > Dana -14; Eva 9 = Finn 9 > Gus -3 > Hal -15",
    "Ann 5 > Eva 1 > Cem -1 > Gus -5; Hal 20 > Dana 2 > Finn -8 > Ben -14",
)
DOPPELKOPF_NAMES = "Ann Ben Cem Dana Eva Finn Gus Hal"
"""Two rounds of eight players; the points of a table add up to 0, and two share a place."""


def evening(title: str, names: str, rounds: tuple[str, ...]) -> Competition:
    """Return an evening of a shipped game with the preset of a club night as it is for that game."""
    game = rules.of("card-game", CardGame.shipped[title])
    (stage,) = CLUB_NIGHT.for_game(game).stages
    announced = StagePlan(**{**vars(stage), "rounds": len(rounds)})
    return played(started(names, announced, low_wins=game.low_wins), *rounds)


def table_of(state: Competition) -> list[str]:
    """Return rank, name, points and places of each row, as the page has them."""
    counts = plain(state, stage_of(state), len(stage_of(state).shown_rounds))
    listed = ranking.standings(state, 1)
    (places,) = plain_columns(counts, {UUID(row.entry): str(row.points) for row in listed})
    return [
        f"{row.rank} {name_of(state, row.entry)} {exact(row.points)} {places.of(UUID(row.entry))}"
        for row in listed
    ]


def test_two_series_of_skat_with_fours_and_threes() -> None:
    assert table_of(evening("skat", " ".join("ABCDEFGHIJKLMNOPQRSTUV"), SKAT)) == [
        "1 B 2036 1-1-0-0",
        "2 E 1965 1-1-0-0",
        "3 A 1904 2-0-0-0",
        "4 F 1745 0-2-0-0",
        "5 D 1645 1-0-0-1",
        "6 I 1608 1-0-1-0",
        "7 Q 1589 2-0-0-0",
        "8 C 1542 1-0-1-0",
        "9 U 1510 1-1-0-0",
        "10 G 1378 0-1-1-0",
        "11 T 1354 1-1-0-0",
        "12 M 1126 1-0-0-1",
        "13 J 1093 0-1-1-0",
        "14 N 1040 0-1-0-1",
        "15 K 945 0-0-2-0",
        "16 R 911 0-1-1-0",
        "17 S 867 0-1-1-0",
        "18 L 605 0-0-1-1",
        "19 P 511 0-0-0-2",
        "20 H 422 0-1-0-1",
        "21 V 394 0-0-2-0",
        "22 O 346 0-0-1-1",
    ]


def test_an_evening_of_doppelkopf() -> None:
    assert table_of(evening("doppelkopf", DOPPELKOPF_NAMES, DOPPELKOPF)) == [
        "1 Ann 17 2-0-0-0",
        "2 Eva 10 ½-1½-0-0",
        "3 Hal 5 1-0-0-1",
        "4 Finn 1 ½-½-1-0",
        "5 Cem −5 0-0-2-0",
        "6 Ben −8 0-1-0-1",
        "7 Gus −8 0-0-1-1",
        "8 Dana −12 0-1-0-1",
    ]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    ("title", "names", "rounds"),
    [
        ("skat", " ".join("ABCDEFGHIJKLMNOPQRSTUV"), SKAT),
        ("doppelkopf", DOPPELKOPF_NAMES, DOPPELKOPF),
    ],
)
def test_their_standings_can_be_read_aloud(
    language: str, title: str, names: str, rounds: tuple[str, ...]
) -> None:
    with override(language):
        told = [*told_of(evening(title, names, rounds))]
    assert len(told) > 20
    assert {each: wrong for each in told if (wrong := wrong_in(each))} == {}


def test_who_shares_a_place_has_a_part_of_it_in_the_reasons_too() -> None:
    state = evening("doppelkopf", DOPPELKOPF_NAMES, DOPPELKOPF)
    reasons = [each for each in told_of(state) if "by places" in each]
    assert reasons == [
        "Level with Gus on −8 points; ahead of Gus by places (0, 1, 0, 1 to 0, 0, 1, 1).",
        "Level with Ben on −8 points; behind Ben by places (0, 0, 1, 1 to 0, 1, 0, 1).",
    ]
